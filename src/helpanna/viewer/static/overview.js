import { get } from "./api.js";
import { bars, calibrationChart } from "./charts.js";
import { choice, h, percent, put, s } from "./dom.js";
import { METRICS, figureCard } from "./figures.js";
import { Plan } from "./plan.js";

const MOST = 15;
const PREDICTED = {
  lost: ["lost", "the agent’s probability of it; how often the teacher says so"],
  uncertain_wrong: ["uncertain and wrong", "the agent’s probability of it; how often the teacher says so"],
  never_asked: ["never asked here", "the agent’s probability of it; how often the teacher says so"],
  "first choice": ["certainty", "1 − entropy of where to go; how often the first choice is the teacher’s"],
};

const shares = (groups, label = String) =>
  groups.slice(0, MOST).map(([group, episodes, won]) => [label(group), won / episodes, `${percent(won / episodes)} of ${episodes}`]);

const more = (groups) => groups.length > MOST && h("p", { class: "note" }, `and ${groups.length - MOST} more`);

/** A result at a glance, and where its agents get lost. */
export async function showOverview(root, contents, result, building) {
  const about = contents.results[result];
  if (!about) throw new Error("There is no such result.");
  const figures = await get(`/api/results/${result}/overview`);
  const buildings = figures.buildings.map(([name]) => name);
  const shown = buildings.includes(building) ? building : buildings[0];
  const map = h("section", { class: "card", "aria-label": "Where agents get lost" }, h("h2", null, "Where agents get lost"));
  const trust = h("section", { class: "card", "aria-label": "Calibration" }, h("h2", null, "Can the agent’s probabilities be trusted?"));
  const bands = figures.distances.map(([metres]) => metres);
  put(root,
    h("h1", null, `${about.name} on ${about.split}`),
    h("div", { class: "filters" }, contents.results.length > 1 && choice("result", contents.results.map((r, i) => [i, `${r.name} (${r.file})`]), result,
      (value) => { location.hash = `#/overview/${value}`; })),
    h("div", { class: "figures" }, METRICS.filter(([name]) => figures.figures[name]).map(([name, label, text]) => figureCard(label, figures.figures[name], text))),
    h("p", { class: "note" }, "Intervals are over buildings and the tasks within them."),
    h("div", { class: "flow" },
      map,
      trust,
      h("section", { class: "card" }, bars("Success by distance (shortest way, metres)", shares(figures.distances, (metres) => {
        const next = bands[bands.indexOf(metres) + 1];
        return next === undefined ? `${metres} and more` : `${metres} to ${next}`;
      }))),
      h("section", { class: "card" }, bars("Success by number of requests", shares(figures.requests, (count) => `${count}`)), more(figures.requests)),
      h("section", { class: "card" }, bars("Success by building", shares(figures.buildings)), more(figures.buildings)),
      h("section", { class: "card" }, bars("Success by what is sought", shares(figures.objects)), more(figures.objects))));
  if (about.source === null) {
    map.append(h("p", { class: "note" }, "The map needs the dataset; name it with --data."));
    trust.append(h("p", { class: "note" }, "This needs the dataset; name it with --data."));
    return null;
  }
  get(`/api/results/${result}/calibration`).then((found) => {
    const charts = Object.entries(PREDICTED).filter(([name]) => found[name]?.length).map(([name, [title, note]]) => calibrationChart(title, found[name], note));
    trust.append(charts.length ? h("div", { class: "calibrations" }, charts) : h("p", { class: "note" }, "This agent noted no probabilities."),
      charts.length ? h("p", { class: "note" }, "To the right: what was predicted; upwards: how often it was so. On the dashed line both agree. Larger dots: more steps.") : "");
  }).catch((error) => trust.append(h("p", { class: "error" }, error.message)));
  const place = encodeURIComponent(shown);
  const [heat, geometry] = await Promise.all([
    get(`/api/results/${result}/heat/${place}`), get(`/api/sources/${about.source}/plan/${place}`)]);
  const plan = new Plan(geometry, `Where agents get lost in ${shown}`);
  const most = Math.max(1, ...heat.map(([, steps]) => steps));
  const size = (steps) => 2.5 * Math.sqrt(steps / most);
  const mostLost = Math.max(1, ...heat.map(([, , lost]) => lost));
  plan.show(geometry.floors[0].floor, (p) => {
    const here = heat.filter(([v]) => p.floorOf(v) === p.floor);
    put(p.over,
      s("defs", null, s("filter", { id: "glow", x: "-50%", y: "-50%", width: "200%", height: "200%" }, s("feGaussianBlur", { stdDeviation: 2.2 * p.unit }))),
      s("g", { filter: "url(#glow)" }, here.map(([v, , lost]) => lost > 0 && p.dot(v, 6, { class: "glow", "fill-opacity": (0.85 * lost / mostLost).toFixed(3) }))),
      here.map(([v, steps, lost]) => [
        p.dot(v, size(steps), { class: "visits" }, `${steps} steps here, ${lost} of them lost`),
        lost > 0 && p.dot(v, size(lost), { class: "heat" }, `${steps} steps here, ${lost} of them lost`)]));
  });
  const steps = heat.reduce((sum, row) => sum + row[1], 0);
  const lost = heat.reduce((sum, row) => sum + row[2], 0);
  map.append(choice("building", buildings.map((name) => [name, name]), shown, (value) => { location.hash = `#/overview/${result}/${encodeURIComponent(value)}`; }),
    plan.element,
    h("p", { class: "legend" }, h("span", { class: "key visitkey" }, "steps at a place"), h("span", { class: "key heatkey" }, "of these, lost"), h("span", { class: "key glowkey" }, "most often lost")),
    h("p", { class: "note" }, `Lost (the help-request teacher's condition): a step after the agent's closest approach to its target in this stretch. ${lost} of ${steps} steps in ${shown}.`));
  return null;
}
