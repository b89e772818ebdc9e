// What the pages Overview and Compare say of numbers.

import { h, number, percent } from "./dom.js";

export const METRICS = [
  ["success_rate", "success", percent],
  ["spl", "SPL", percent],
  ["oracle_success_rate", "was near a goal", percent],
  ["navigation_error", "metres left", (value) => number(value, 2)],
  ["requests_per_task", "requests a task", (value) => number(value, 2)],
  ["steps_per_task", "steps a task", (value) => number(value, 1)],
];

export function interval(figure, shown) {
  return figure.low === null ? "–" : `${shown(figure.low).replace(" %", "")} to ${shown(figure.high)}`;
}

export function figureCard(label, figure, shown) {
  return h("div", { class: "figure card" }, h("span", null, label), h("b", null, shown(figure.value)), h("span", null, `95 %: ${interval(figure, shown)}`));
}
