import { get } from "./api.js";
import { choice, h, put } from "./dom.js";
import { playFilm } from "./film.js";
import { Plan } from "./plan.js";
import { agentChoice, liveAddress } from "./whatif.js";

/** Choosing who acts and where, or an episode that was chosen. */
export async function showLive(root, contents, query, step) {
  return query ? showEpisode(root, contents, query, step) : showChoice(root, contents);
}

async function showEpisode(root, contents, query, step = 0) {
  const wish = Object.fromEntries(new URLSearchParams(query));
  const wait = setTimeout(() => put(root, h("p", { class: "note", role: "status" }, `${wish.agent} is on its way …`)), 300);
  const episode = await get(`/api/live/episode?${query}`).finally(() => clearTimeout(wait));
  const handed = episode.handed;
  const recorded = wish.result === undefined ? null : `#/watch/${wish.result}/${wish.task}/${step}`;
  return playFilm(root, {
    episode, step, source: Number(wish.source), live: true, handed,
    who: `in ${episode.world}, ${wish.task === undefined ? "a task of your own" : `task ${wish.task}`}, ${episode.agent}, helped by ${episode.assistant}`,
    links: [recorded && h("a", { href: recorded }, "as it was"), h("a", { href: "#/live" }, "another agent or task")],
    above: handed !== null && h("p", { class: "note" }, handed === 0 ? `All by ${episode.agent}.` : `Up to step ${handed - 1} as ${episode.by} went; from step ${handed} on by ${episode.agent}.`),
    address: (t) => `#/live/${encodeURIComponent(query)}/${t}`,
    thoughts: async () => episode.thoughts,
  });
}

async function showChoice(root, contents) {
  const live = await get("/api/live");
  let source = 0;
  let assistant = "";
  let building = null;
  let object = null;
  let start = null;
  const agent = agentChoice(live, live.navigators.includes("explorer") ? "explorer" : live.navigators[0]);
  const task = h("input", { type: "number", min: 0, step: 1, value: 0 });
  const own = h("section", { class: "card", "aria-label": "A task of your own" });
  const begin = (wish) => { location.hash = liveAddress({ source, agent: agent.name(), assistant, ...wish }); };

  async function drawOwn() {
    const objects = await get(`/api/live/objects/${source}`);
    if (!objects.length) {
      put(own, h("p", { class: "note" }, "Tasks of this kind come with their texts: choose one by its number."));
      return;
    }
    const buildings = [...new Set(objects.map(([, name]) => name))].sort();
    building = buildings.includes(building) ? building : buildings[0];
    const here = objects.filter(([, name]) => name === building);
    object = here.some(([key]) => key === object) ? object : here[0][0];
    const geometry = await get(`/api/sources/${source}/plan/${encodeURIComponent(building)}`);
    const plan = new Plan(geometry, `Where to begin in ${building}`);
    start = start !== null && start < geometry.places.length ? start : 0;
    const at = h("input", { type: "number", min: 0, max: geometry.places.length - 1, value: start, onchange: () => pick(Number(at.value)) });
    const paint = (p) => put(p.over, geometry.places.map((_, place) => place).filter((place) => p.floorOf(place) === p.floor).map((place) => {
      const dot = p.dot(place, place === start ? 1.9 : 1.3, { class: place === start ? "begin chosen" : "begin" }, `begin here: place ${place}${geometry.places[place][3] ? `, ${geometry.places[place][3]}` : ""}`);
      dot.addEventListener("click", () => pick(place));
      return dot;
    }));
    const pick = (place) => {
      start = Math.max(0, Math.min(geometry.places.length - 1, Math.floor(place) || 0));
      at.value = start;
      plan.show(plan.floorOf(start), paint);
    };
    pick(start);
    put(own, h("h2", null, "A task of your own"),
      h("div", { class: "filters" },
        choice("building", buildings.map((name) => [name, name]), building, (value) => { building = value; start = null; drawOwn(); }),
        choice("what is sought", here.map(([key, , text]) => [key, text]), object, (value) => { object = Number(value); }),
        h("label", { class: "field" }, h("span", null, "begin at place"), at),
        h("button", { type: "button", class: "main", onclick: () => begin({ object, start }) }, "Go")),
      plan.element, h("p", { class: "note" }, "Click a place to begin there."));
  }

  put(root, h("h1", null, "Live"),
    h("p", null, "Send any agent through a task of a dataset, or through one of your own, and watch it: step by step or to the end."),
    h("div", { class: "filters" },
      choice("tasks", contents.sources.map((one, i) => [i, `${one.split} of ${one.data}`]), source, (value) => { source = Number(value); drawOwn(); }),
      agent.element,
      choice("helped by", [["", "as usual"], ...live.assistants.map((one) => [one, one])], assistant, (value) => { assistant = value; })),
    h("section", { class: "card", "aria-label": "A task of the dataset" }, h("h2", null, "A task of the dataset"),
      h("div", { class: "filters" }, h("label", { class: "field" }, h("span", null, "task number"), task),
        h("button", { type: "button", class: "main", onclick: () => begin({ task: Math.max(0, Math.floor(Number(task.value)) || 0) }) }, "Go"))),
    own);
  await drawOwn();
  return null;
}
