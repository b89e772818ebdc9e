// What the pages of people share: their name, drafts that survive a reload, places to click, repeated looking.

import { get, picture } from "./api.js";
import { h, s } from "./dom.js";
import { sightOf } from "./panorama.js";

export function kept(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key) ?? "";
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch { /* no storage */ }
  return "";
}

/** A field for the person's name, which the browser remembers. */
export function nameField() {
  const input = h("input", { type: "search", maxlength: 60, autocomplete: "off", value: kept("name"), oninput: () => kept("name", input.value) });
  return { element: h("label", { class: "field" }, h("span", null, "your name"), input), value: () => input.value };
}

/** All places of the shown storey as buttons on the plan. */
export function pickable(plan, onPick, marked = new Set()) {
  plan.svg.setAttribute("role", "group");
  return s("g", { class: "picks" }, plan.plan.places.map((_, place) => place).filter((place) => plan.floorOf(place) === plan.floor).map((place) => {
    const dot = plan.dot(place, 1.5, {
      class: marked.has(place) ? "pick marked" : "pick", tabindex: 0, role: "button", "aria-label": `place ${place}, ${plan.plan.places[place][3] || "a room"}`,
      onclick: () => onPick(place),
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); onPick(place); } },
    }, `${plan.plan.places[place][3] || "a place"}: click to choose`);
    return dot;
  }));
}

/** The heading from a place to its furthest neighbour: there is something to see. */
export function openWay(plan, place) {
  const [x, y] = plan.plan.places[place];
  const ways = plan.plan.edges.filter((ends) => ends.includes(place)).map(([a, b]) => plan.plan.places[a === place ? b : a])
    .map(([u, v]) => [Math.hypot(u - x, v - y), Math.atan2(u - x, v - y)]);
  return ways.length ? ways.reduce((one, other) => (other[0] > one[0] ? other : one))[1] : 0;
}

/** What one sees at a place of a building. */
export function sightAt(source, location, pictures) {
  const address = `/api/sources/${source}`;
  return sightOf(pictures ? picture(`${address}/panorama/${location}`) : null, () => get(`${address}/around/${location}`));
}

/** Calls again and again, never twice at once; returns what ends it. */
export function repeatedly(seconds, look) {
  let timer = null;
  let ended = false;
  const next = () => { if (!ended) timer = setTimeout(run, 1000 * seconds); };
  const run = () => look().catch(() => null).then(next);
  next();
  return () => { ended = true; clearTimeout(timer); };
}

export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
