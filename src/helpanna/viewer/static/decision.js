// What was decided at a step of a film, by whom, and what the agent thought.

import { gauge } from "./charts.js";
import { h } from "./dom.js";
import { askGauge, shareBar } from "./thoughts.js";

export const REASONS = ["lost", "uncertain and wrong", "never asked here"];
const UNCERTAIN = 0.25;

export function turnWords(angle) {
  const degrees = Math.round((angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))) * 180 / Math.PI);
  if (Math.abs(degrees) < 10) return "straight ahead";
  if (Math.abs(degrees) > 170) return "behind";
  return `${Math.abs(degrees)}° to the ${degrees > 0 ? "right" : "left"}`;
}

/** Every way on with who would take it; with the agent's probabilities where they are known. */
export function actionTable(one, heading, thought) {
  const shares = thought?.actions;
  const rows = one.actions.map(([, toward, , metres], k) => {
    const what = k === 0 ? "stop" : `${turnWords(toward - heading)}, ${metres.toFixed(1)} m`;
    return h("tr", { class: one.action === k ? "taken" : null },
      h("td", null, k), h("td", { class: "words" }, what), shares && h("td", { class: "share" }, shareBar(shares[k])),
      h("td", { class: "words" }, [
        one.action === k && h("span", { class: "tag taken" }, "taken"),
        one.teacher.action === k && h("span", { class: "tag teach" }, "teacher"),
        !shares && one.notes.guess === k && h("span", { class: "tag" }, "first choice"),
        one.tried.includes(k) && h("span", { class: "tag bad" }, "wrong before"),
      ]));
  });
  const ask = !one.can_ask ? "Nobody can be asked here."
    : `${one.asked ? "Asks for help." : "Could ask, does not."} The teacher would${one.teacher.ask ? "" : " not"} ask.`;
  const columns = [["#", null], ["way", "words"], shares && ["probability", "words"], ["who", "words"]].filter(Boolean);
  return [h("h2", null, "Decision"), h("p", { class: one.asked ? "asks" : "note" }, ask),
    h("div", { class: "wide" }, h("table", { class: "small" },
      h("thead", null, h("tr", null, columns.map(([label, kind]) => h("th", { class: kind, scope: "col" }, label)))),
      h("tbody", null, rows)))];
}

/** Gauges of what the agent thinks or noted, beside what the teacher says. */
export function noteBox(one, thought, why) {
  const { entropy } = one.notes;
  const reasons = one.notes.reasons ?? thought?.reasons;
  if (entropy === undefined && !reasons && !thought && !why) return null;
  return [h("h2", null, thought ? "What the agent thinks" : "What the agent noted"),
    thought?.ask !== undefined && askGauge(thought.ask, one.can_ask ? one.teacher.ask : null),
    reasons && REASONS.map((label, k) => gauge(label, reasons[k], one.can_ask ? one.teacher.reasons[k] : null, 0.5)),
    entropy !== undefined && gauge("uncertainty (entropy)", entropy, null, UNCERTAIN),
    thought && !thought.agrees && h("p", { class: "asks" }, "It would have decided otherwise here."),
    why && h("p", { class: "note" }, why)];
}
