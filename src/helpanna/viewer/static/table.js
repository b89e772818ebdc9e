import { get } from "./api.js";
import { choice, h, number, percent, put } from "./dom.js";

const PAGE = 100;
const COLUMNS = [
  ["task", "task", "The number of the task in the split"],
  ["request", "request", "What is sought"],
  ["building", "building", "The building"],
  ["success", "success", "Ended near enough to a goal"],
  ["requests", "requests", "How often help was requested"],
  ["asked_again", "asked again", "Requests where help was requested before"],
  ["returns", "returns", "Moves to a place visited before"],
  ["steps", "steps", "Decisions"],
  ["metres", "walked", "Metres"],
  ["distance", "distance", "The shortest way, in metres"],
  ["final_distance", "left", "Metres to the nearest goal at the end"],
];
const STORY = "Each row is an episode: an agent stood somewhere in a building, was asked for something, for example “find a mug”, and walked from place to place. Where somebody attends it could ask for help. ANNA are simulated people: one who is asked tells a route in words and shows a picture of the place where to leave it. It succeeded if it ended near enough to a goal.";
const WORDS = new Set(["request", "building"]);
const LINKED = new Set(["task", "request"]);
const DIGITS = { metres: 1, distance: 1, final_distance: 1 };
const kept = new Map(); // the filters of each result, for when one comes back from an episode

function passes(row, filters) {
  const within = (value, low, high) =>
    (low === "" || (value ?? Infinity) >= Number(low)) && (high === "" || (value ?? Infinity) <= Number(high));
  return (filters.success === "" || String(row.success) === filters.success)
    && (filters.building === "" || row.building === filters.building)
    && row.request.toLowerCase().includes(filters.request.toLowerCase())
    && within(row.requests, filters.requestsLow, filters.requestsHigh)
    && within(row.returns, filters.returnsLow, "")
    && within(row.distance, filters.distanceLow, filters.distanceHigh);
}

/** The episodes of a result: filters, sorting, a link to each. */
export async function showTable(root, contents, result) {
  const about = contents.results[result];
  if (!about) throw new Error("There is no such result.");
  const columns = await get(`/api/results/${result}/episodes`);
  const rows = columns.task.map((_, i) => Object.fromEntries(Object.keys(columns).map((name) => [name, columns[name][i]])));
  const filters = kept.get(result) ?? {
    success: "", building: "", request: "", requestsLow: "", requestsHigh: "", returnsLow: "",
    distanceLow: "", distanceHigh: "", sort: "task", down: false, page: 0,
  };
  kept.set(result, filters);

  const body = h("tbody");
  const heads = COLUMNS.map(([name, , title]) => h("th", { class: WORDS.has(name) ? "words" : null, scope: "col" },
    h("button", { class: "plain sort", type: "button", title, onclick: () => { filters.down = filters.sort === name && !filters.down; filters.sort = name; draw(); } })));
  const count = h("p", { class: "note", "aria-live": "polite" });
  const turn = (by) => () => { filters.page += by; draw(); };
  const previous = h("button", { type: "button", onclick: turn(-1) }, "Previous");
  const next = h("button", { type: "button", onclick: turn(1) }, "Next");
  const where = h("span");
  const pager = h("div", { class: "row" }, previous, where, next);
  const set = (name) => (value) => { filters[name] = value; filters.page = 0; draw(); };
  const field = (label, name, type = "number", wide = "") => h("label", { class: "field" }, h("span", null, label),
    h("input", { type, class: wide, value: filters[name], min: type === "number" ? 0 : null, step: "any", oninput: (e) => set(name)(e.target.value) }));
  const buildings = [...new Set(columns.building)].sort();

  function draw() {
    const chosen = rows.filter((row) => passes(row, filters));
    const way = filters.down ? -1 : 1;
    const value = (row) => row[filters.sort] ?? Infinity;
    chosen.sort((a, b) => (value(a) < value(b) ? -way : value(a) > value(b) ? way : a.task - b.task));
    const last = Math.max(0, Math.ceil(chosen.length / PAGE) - 1);
    filters.page = Math.min(filters.page, last);
    const won = chosen.filter((row) => row.success).length;
    put(count, chosen.length
      ? `${chosen.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} episodes, ${percent(won / chosen.length)} of them successful.`
      : "No episode is like that. Change the filters above.");
    COLUMNS.forEach(([name, label], k) => {
      const [order, arrow] = filters.sort !== name ? ["none", ""] : filters.down ? ["descending", " ↓"] : ["ascending", " ↑"];
      heads[k].setAttribute("aria-sort", order);
      put(heads[k].firstChild, label, arrow);
    });
    put(body, chosen.slice(filters.page * PAGE, (filters.page + 1) * PAGE).map((row) => h("tr", null,
      COLUMNS.map(([name]) => h("td", { class: WORDS.has(name) ? "words" : null },
        LINKED.has(name) && about.source !== null ? h("a", { href: `#/watch/${result}/${row.task}/0` }, row[name])
          : name === "success" ? h("span", { class: row.success ? "good" : "bad" }, row.success ? "✓ yes" : "✗ no")
          : name in DIGITS ? number(row[name], DIGITS[name]) : row[name])))));
    pager.hidden = last === 0;
    previous.disabled = filters.page === 0;
    next.disabled = filters.page === last;
    put(where, `page ${filters.page + 1} of ${last + 1}`);
  }

  put(root,
    h("h1", null, `${about.name} on ${about.split}`),
    h("p", { class: "note" }, STORY),
    h("div", { class: "filters", role: "search", "aria-label": "Filters" },
      contents.results.length > 1 && choice("result", contents.results.map((r, i) => [i, `${r.name} (${r.file})`]), result,
        (value) => { location.hash = `#/watch/${value}`; }),
      field("object", "request", "search"),
      choice("building", [["", "all"], ...buildings.map((name) => [name, name])], filters.building, set("building")),
      choice("success", [["", "all"], ["true", "yes"], ["false", "no"]], filters.success, set("success")),
      h("span", { class: "pair" }, field("requests from", "requestsLow"), field("to", "requestsHigh")),
      field("returns from", "returnsLow"),
      h("span", { class: "pair" }, field("distance from", "distanceLow"), field("to", "distanceHigh"))),
    about.source === null && h("p", { class: "note" }, "The dataset is not where the file says, so there are figures only. Name it with --data to watch episodes."),
    count,
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Episodes" },
      h("table", null, h("thead", null, h("tr", null, heads)), body)),
    pager);
  draw();
  return null;
}
