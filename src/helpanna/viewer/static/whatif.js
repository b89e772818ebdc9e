// Choosing an agent: to act in a task, or to go on from a step of a film.

import { get } from "./api.js";
import { choice, h, put } from "./dom.js";

const TEACHER = "shortest";

/** A choice of agents; `name()` is the name of the chosen one. */
export function agentChoice(live, chosen = TEACHER) {
  let navigator = chosen;
  let policy = "";
  const perfect = h("input", { type: "checkbox" });
  return {
    element: [
      choice("agent", live.navigators.map((one) => [one, one === TEACHER ? "shortest (the teacher)" : one.split("/").slice(-2).join("/")]), navigator, (value) => { navigator = value; }),
      choice("when it asks", [["", "as it does"], ...live.ask_policies.map((one) => [one, one])], policy, (value) => { policy = value; }),
      h("label", { class: "field check" }, perfect, h("span", null, "follows routes perfectly"))],
    name: () => `${navigator}${policy && `+${policy}`}${perfect.checked ? "+perfect" : ""}`,
  };
}

/** The address of an episode of an agent that acts now. */
export function liveAddress(wish, step = 0) {
  const given = Object.entries(wish).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `#/live/${encodeURIComponent(new URLSearchParams(given).toString())}/${step}`;
}

/** "What if" from the step that is shown. */
export function whatIf(wish) {
  const box = h("section", { class: "card whatif", "aria-label": "What if" });
  get("/api/live").then((live) => {
    const agent = agentChoice(live);
    put(box, h("h2", null, "What if another agent went on from here?"),
      h("div", { class: "filters" }, agent.element,
        h("button", { type: "button", class: "main", onclick: () => {
          const what = wish();
          location.hash = liveAddress({ ...what, agent: agent.name() }, what.step);
        } }, "Go on")),
      h("p", { class: "note" }, "It looks on while the steps before this one are walked again as they were, then decides by itself."));
  }).catch((error) => put(box, h("p", { class: "error" }, error.message)));
  return box;
}
