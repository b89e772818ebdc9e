import { get, stored } from "./api.js";
import { choice, h, number, put } from "./dom.js";
import { METRICS, interval } from "./figures.js";

const KINDS = [["all", "all tasks"], ["differ", "where one succeeds and the other does not"], ["ours", "only A succeeds"], ["theirs", "only B succeeds"], ["neither", "neither succeeds"]];
const PAGE = 200;
const points = (value) => (value === null ? "–" : `${value >= 0 ? "+" : "−"}${(100 * Math.abs(value)).toFixed(1)}`);
const signed = (value) => (value === null ? "–" : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`);

/** Two results on the same tasks: A minus B. */
export async function showCompare(root, contents, a = 0, b = 1) {
  if (contents.results.length < 2) {
    put(root, h("h1", null, "Compare"), h("p", null, "Open two results to compare them: helpanna view A.jsonl B.jsonl"));
    return null;
  }
  const names = contents.results.map((result, i) => [i, `${result.name} (${result.file})`]);
  const bar = h("div", { class: "filters" },
    choice("A", names, a, (value) => { location.hash = `#/compare/${value}/${b}`; }),
    choice("B", names, b, (value) => { location.hash = `#/compare/${a}/${value}`; }));
  const rest = h("div");
  put(root, h("h1", null, "Compare"), bar, rest);
  let found;
  try {
    found = await get(`/api/compare/${a}/${b}`);
  } catch (error) {
    put(rest, h("p", { class: "error", role: "alert" }, error.message));
    return null;
  }
  const [both, ours, theirs, neither] = found.counts;
  const share = new Set(["success_rate", "spl", "oracle_success_rate"]);
  const rows = METRICS.filter(([name]) => found.differences[name]).map(([name, label, shown]) => {
    const change = found.differences[name];
    const text = share.has(name) ? points : signed;
    const sure = change.low !== null && (change.low > 0 || change.high < 0);
    return h("tr", null, h("th", { class: "words", scope: "row" }, label), h("td", null, shown(found.figures[0][name].value)), h("td", null, shown(found.figures[1][name].value)),
      h("td", null, sure ? h("b", null, text(change.value)) : text(change.value)), h("td", null, interval(change, text)));
  });
  let kind = "differ";
  const count = h("p", { class: "note", "aria-live": "polite" });
  const body = h("tbody");
  const keep = { all: () => true, differ: (x, y) => x !== y, ours: (x, y) => x && !y, theirs: (x, y) => !x && y, neither: (x, y) => !x && !y };
  const mark = (won) => h("span", { class: won ? "good" : "bad" }, won ? "✓" : "✗");
  const side = (result, task, [success, requests, steps, left]) => [
    h("td", null, mark(success)), h("td", null, requests), h("td", null, steps),
    h("td", null, number(left)), h("td", null, h("a", { href: `#/watch/${result}/${task}/0`, "aria-label": `Watch task ${task} of ${contents.results[result].name}` }, "watch"))];
  const draw = () => {
    const chosen = found.tasks.filter((row) => keep[kind](row[4][0], row[5][0]));
    put(count, chosen.length ? `${chosen.length} of ${found.tasks.length} tasks${chosen.length > PAGE ? `; the first ${PAGE} are shown` : ""}.` : "There is no such task.");
    put(body, chosen.slice(0, PAGE).map(([task, building, request, distance, mine, other]) => {
      const where = h("td", null);
      const button = h("button", { type: "button", "aria-label": `Where task ${task} parts`, onclick: async () => {
        try {
          const { step } = await get(`/api/compare/${a}/${b}/${task}`);
          put(where, step === null ? "never" : [`step ${step} `, h("a", { href: `#/watch/${a}/${task}/${step}` }, "A"), " ", h("a", { href: `#/watch/${b}/${task}/${step}` }, "B")]);
        } catch (error) { put(where, error.message); }
      } }, "find");
      put(where, button);
      return h("tr", null, h("td", null, task), h("td", { class: "words" }, request), h("td", { class: "words" }, building), h("td", null, number(distance)), side(a, task, mine), side(b, task, other), !stored && where);
    }));
  };
  put(rest,
    h("div", { class: "grid2" },
      h("section", { class: "card" }, h("h2", null, "Who wins which tasks"),
        h("table", { class: "small" }, h("thead", null, h("tr", null, h("th"), h("th", { scope: "col" }, "B succeeds"), h("th", { scope: "col" }, "B does not"))),
          h("tbody", null, h("tr", null, h("th", { class: "words", scope: "row" }, "A succeeds"), h("td", null, both), h("td", null, ours)),
            h("tr", null, h("th", { class: "words", scope: "row" }, "A does not"), h("td", null, theirs), h("td", null, neither)))),
        h("p", { class: "note" }, `On the ${found.tasks.length} tasks that both have.`)),
      h("section", { class: "card scroll" }, h("h2", null, "Paired differences, A − B"),
        h("table", { class: "small" }, h("thead", null, h("tr", null, h("th"), h("th", { scope: "col" }, "A"), h("th", { scope: "col" }, "B"), h("th", { scope: "col" }, "A − B"), h("th", { scope: "col" }, "95 % interval"))), h("tbody", null, rows)),
        h("p", { class: "note" }, "Shares differ in percentage points. Bold: the interval does not hold 0. The columns A and B are over all of their own tasks."))),
    h("div", { class: "filters" }, choice("show", KINDS, kind, (value) => { kind = value; draw(); })), count,
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Tasks" }, h("table", null,
      h("thead", null, h("tr", null, ["task", "request", "building", "distance", "A", "requests", "steps", "left", "", "B", "requests", "steps", "left", "", ...(stored ? [] : ["they part at"])].map((label, i) =>
        h("th", { scope: "col", class: i === 1 || i === 2 ? "words" : null }, label)))), body)));
  draw();
  return null;
}

