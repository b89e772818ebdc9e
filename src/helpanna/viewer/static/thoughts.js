// What an agent thinks, drawn: attention over words, probabilities, the map that it holds.

import { gauge } from "./charts.js";
import { h, percent, s } from "./dom.js";

const WORD = /[\p{L}\p{N}_]+(?:['’][\p{L}\p{N}_]+)*/gu; // as the agents read: helpanna.tasks.words

/** A text, its words shaded by how much they are attended to. */
export function attended(text, weights) {
  if (!weights?.length) return text;
  const most = Math.max(...weights);
  const parts = [];
  let end = 0;
  let k = 0;
  for (const match of text.matchAll(WORD)) {
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const word = h("span", { class: "word" }, match[0]);
    if (k < weights.length) {
      word.style.setProperty("--weight", `${(70 * weights[k] / most).toFixed(0)}%`);
      word.title = `attention ${percent(weights[k])}`;
    }
    parts.push(word);
    k += 1;
  }
  return [...parts, text.slice(end)];
}

/** A probability as a bar with its number. */
export function shareBar(share) {
  return [h("span", { class: "meter" }, s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": true },
    s("rect", { class: "full", x: 0, y: 0, width: 100 * share, height: 10 }))), h("span", { class: "value" }, percent(share))];
}

/** The probability of asking beside what the teacher would do. */
export function askGauge(value, teacher) {
  return gauge("would ask", value, teacher, 0.5);
}

/** The map of an agent on the plan: [[place, visited, asked, preference], ...]. */
export function knownMap(plan, known) {
  const visited = new Map(known.map(([place, been]) => [place, been]));
  const ways = plan.plan.edges.filter(([a, b]) => visited.has(a) && visited.has(b) && (visited.get(a) || visited.get(b))
    && (plan.floorOf(a) === plan.floor || plan.floorOf(b) === plan.floor));
  const here = known.filter(([place]) => plan.floorOf(place) === plan.floor);
  return s("g", { class: "known" },
    ways.map((ends) => plan.line(ends, { "stroke-width": plan.unit * 0.5 })),
    here.map(([place, , , share]) => share > 0.005 && plan.dot(place, 4.2 * Math.sqrt(share), { class: "liked" }, `would go here: ${percent(share)}`)),
    here.map(([place, been, asked]) => plan.dot(place, been ? 0.8 : 0.95, { class: been ? "been" : "ahead", "stroke-width": plan.unit * 0.35 },
      `${been ? "has been here" : "has seen this place"}${asked ? ", has asked here" : ""}`)));
}

export function mapLegend() {
  return [h("span", { class: "key beenkey" }, "the agent’s map: has been here"), h("span", { class: "key aheadkey" }, "has seen it"),
    h("span", { class: "key likedkey" }, "would go there")];
}
