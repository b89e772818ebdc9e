import { get, picture, stored } from "./api.js";
import { timeChart } from "./charts.js";
import { REASONS, actionTable, noteBox, turnWords } from "./decision.js";
import { h, number, percent, plural, put } from "./dom.js";
import { Panorama, sightOf } from "./panorama.js";
import { Plan } from "./plan.js";
import { attended, knownMap, mapLegend } from "./thoughts.js";
import { whatIf } from "./whatif.js";

const PACE = 900; // milliseconds a step
const KNOWN = new Set(["guess", "reasons", "object"]);
const NAMES = { entropy: "uncertainty (entropy)" };

const viewHeading = (view) => view % 12 * Math.PI / 6;
const viewElevation = (view) => (Math.floor(view / 12) - 1) * Math.PI / 6;

/** The last answer that was given by step t, if its route has not been left since. */
function heard(episode, t) {
  for (let i = Math.min(t, episode.steps.length - 1); i >= 0; i -= 1) {
    if (episode.steps[i].answer) return { step: i, ...episode.steps[i].answer };
    if (!episode.steps[i].on_route) return null;
  }
  return null;
}

/** One episode of a result as a film. */
export async function showFilm(root, contents, result, task, step = 0) {
  const about = contents.results[result];
  if (!about) throw new Error("There is no such result.");
  const episode = await get(`/api/results/${result}/episodes/${task}`);
  const tasks = (await get(`/api/results/${result}/episodes`)).task;
  const at = tasks.indexOf(task);
  const neighbour = (other, label) => other !== undefined && h("a", { href: `#/watch/${result}/${other}/0` }, label);
  return playFilm(root, {
    episode, step, source: about.source,
    who: `in ${episode.world}, task ${task}, ${about.name}`,
    links: [neighbour(tasks[at - 1], "← previous"), h("a", { href: `#/watch/${result}` }, "all episodes"), neighbour(tasks[at + 1], "next →")],
    address: (t) => `#/watch/${result}/${task}/${t}`,
    thoughts: () => get(`/api/results/${result}/episodes/${task}/thoughts`),
    whatIf: (t) => ({ source: about.source, task, result, step: t }),
    files: `/api/results/${result}/episodes/${task}`,
  });
}

/**
 * An episode as a film.
 * @param film {episode, step, source, who, links, above, address(step), thoughts(), whatIf(step), files, live};
 *   of an agent that acts live the way to come is not drawn.
 */
export async function playFilm(root, film) {
  const { episode } = film;
  const sources = `/api/sources/${film.source}`;
  const geometry = await get(`${sources}/plan/${encodeURIComponent(episode.world)}`);
  const last = episode.steps.length;
  let now = Math.max(0, Math.min(last, Math.floor(film.step) || 0));
  let mind = { steps: null, why: null }; // what the agent thought, once it is known
  let charts = [];
  let timer = null;
  let turn = 0; // of the latest drawing: a slower, earlier one must not overwrite it

  const panorama = new Panorama("What the agent sees");
  const plan = new Plan(geometry, `Floor plan of ${episode.world}`);
  const sights = new Map();
  const sight = (place) => {
    const location = geometry.first + place;
    if (!sights.has(location)) {
      const address = episode.pictures ? picture(`${sources}/panorama/${location}`) : null;
      sights.set(location, sightOf(address, () => get(`${sources}/around/${location}`)));
    }
    return sights.get(location);
  };
  const thought = () => mind.steps?.[now] ?? null;

  const slider = h("input", {
    type: "range", min: 0, max: last, value: now, "aria-label": "Step", oninput: () => go(Number(slider.value)),
  });
  const playButton = h("button", { type: "button", class: "main", onclick: () => toggle() }, "▶ Play");
  const place = h("span", { class: "steps" });
  const words = h("div", { class: "words-now", "aria-live": "polite" });
  const message = h("div", { class: "message" });
  const actions = h("div");
  const notes = h("div");
  const over = h("section", { class: "card over", "aria-label": "Over time" });
  const legend = h("p", { class: "legend" });
  const asked = episode.steps.flatMap((one, i) => (one.asked ? [{ step: i, className: "ask", label: `step ${i}: help requested` }] : []));

  function makeCharts() {
    const chart = (title, series, top) => timeChart(title, last + 1, series, asked, (t) => go(t), top);
    const one = (label, className, values) => [{ label, className, values }];
    charts = [chart("metres to the nearest goal", one("metres", "one", episode.distances))];
    if (mind.steps) charts.push(chart("probability of asking", one("probability", "two", mind.steps.map((step) => step.ask)), 1));
    const noted = episode.steps[0].notes;
    if (noted.reasons) {
      charts.push(chart("reasons to ask, as the agent sees them", REASONS.map((label, k) => ({
        label, className: ["one", "two", "three"][k], values: episode.steps.map((step) => step.notes.reasons[k]),
      })), 1));
    }
    for (const name of Object.keys(noted).filter((key) => !KNOWN.has(key) && typeof noted[key] === "number")) {
      charts.push(chart(NAMES[name] ?? name, one(name, "two", episode.steps.map((step) => step.notes[name])), 1));
    }
    put(over, h("h2", null, "Over time"), charts.map((made) => made.element));
    put(legend, h("span", { class: "key trail" }, "way taken"), !film.live && h("span", { class: "key later" }, "way to come"),
      h("span", { class: "key route" }, "ANNA's route"), h("span", { class: "key goalkey" }, "goal"), h("span", { class: "key zone" }, "help can be requested"),
      mind.steps?.[0].map && mapLegend());
  }

  function paintPlan() {
    const answer = heard(episode, now);
    const here = episode.places[now];
    const known = (thought() ?? mind.steps?.at(-1))?.map;
    plan.show(plan.floorOf(here), (p) => {
      const on = (v) => p.floorOf(v) === p.floor;
      put(p.over,
        known && knownMap(p, known),
        !film.live && p.walk(episode.places, "trail later", now),
        answer?.route && p.walk(answer.route, "route"),
        p.walk(episode.places, "trail", 0, now),
        episode.goals.filter(on).map((v) => p.mark(v, "★", "goal", "what is sought can be seen from here")),
        asked.filter(({ step: at }) => at <= now && on(episode.places[at])).map(({ step: at }) => p.mark(episode.places[at], "?", "asked", `help was requested, step ${at}`)),
        answer && answer.departure !== null && on(answer.departure) && p.mark(answer.departure, "↳", "departure", "where to leave the route"),
        on(episode.places[0]) && p.dot(episode.places[0], 1.2, { class: "start" }, "the start"),
        on(here) && p.agent(here, viewHeading(episode.views[now])));
    });
  }

  async function look(at, heading, elevation, ways, caption) {
    turn += 1;
    const mine = turn;
    const seen = await sight(at);
    if (mine === turn) panorama.show(seen, heading, elevation, ways, caption);
  }

  function waysOn(one, heading) {
    return (one?.actions ?? []).slice(1).map(([, toward, elevation, metres], k) => {
      const share = thought()?.actions?.[k + 1];
      const [taken, teach] = [one.action === k + 1, one.teacher.action === k + 1];
      return {
        heading: toward, elevation, metres, share,
        kind: [taken && "taken", teach && "teach"].filter(Boolean).join(" "),
        label: `way ${k + 1}, ${turnWords(toward - heading)}, ${metres.toFixed(1)} m${taken ? ", taken" : ""}${teach ? ", the teacher's" : ""}${share === undefined ? "" : `, probability ${percent(share)}`}`,
      };
    });
  }

  function draw() {
    const one = episode.steps[now];
    const view = episode.views[now];
    const heading = viewHeading(view);
    slider.value = now;
    slider.setAttribute("aria-valuetext", now === last ? "the end" : `step ${now}`);
    put(place, now === last ? `the end, after ${plural(last, "step")}` : `step ${now} of ${last}`);
    look(episode.places[now], heading, viewElevation(view), waysOn(one, heading), now === last ? (episode.success ? "The end: found." : "The end: not found.") : "").catch((error) => put(panorama.caption, error.message));
    paintPlan();
    const weights = thought()?.attention;
    put(words, one
      ? [h("span", { class: one.on_route ? "tag route" : "tag" }, one.on_route ? "on a route" : "main task"), h("q", null, attended(one.words, weights)),
        weights && [" ", h("span", { class: "note shade" }, "shade: attention")]]
      : [h("span", { class: "tag" }, episode.success ? "found" : "not found"), ` ${number(episode.final_distance)} m from the nearest goal.`]);
    const answer = one && heard(episode, now);
    put(message, answer && answerBox(answer, one.words !== answer.words));
    put(actions, one && actionTable(one, heading, thought()));
    put(notes, one && noteBox(one, thought(), mind.why));
    charts.forEach((chart) => chart.show(now));
    const address = film.address(now);
    if (root.isConnected && location.hash !== address) history.replaceState(null, "", address);
  }

  function answerBox(answer, isNew) {
    const thumbnail = h("button", { type: "button", class: "plain thumb", "aria-label": "Look around where to leave the route", title: "Look around there" });
    if (answer.departure !== null) {
      sight(answer.departure).then((seen) => {
        const canvas = h("canvas", { width: 320, height: 120 });
        canvas.getContext("2d").drawImage(seen, 0, seen.height * 0.28, seen.width, seen.width * 120 / 320 * 0.6, 0, 0, 320, 120);
        put(thumbnail, canvas, h("span", null, answer.route ? "where to leave the route" : "where to go"));
      }).catch(() => put(thumbnail, "no picture"));
      thumbnail.addEventListener("click", () => look(answer.departure, 0, 0, [], "The picture that the assistant showed. Press an arrow key to go on."));
    }
    const said = answer.words === null ? ": no answer." : isNew ? [": ", h("q", null, answer.words)]
      : answer.departure === null ? " said so." : " said so and showed this picture.";
    return [h("p", null, h("b", null, answer.speaker), said),
      answer.departure !== null && thumbnail];
  }

  function go(t) {
    now = Math.max(0, Math.min(last, t));
    draw();
  }

  function toggle(on = timer === null) {
    clearInterval(timer);
    timer = null;
    if (on) {
      if (now === last) go(0);
      timer = setInterval(() => { if (now < last) go(now + 1); if (now === last) toggle(false); }, PACE);
    }
    put(playButton, timer === null ? "▶ Play" : "❚❚ Pause");
  }

  function key(event) {
    if (event.target.closest("input[type=number], input[type=search], select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const jump = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (jump !== undefined) { event.preventDefault(); toggle(false); go(jump); }
    if (event.key === " " && !event.target.closest("button, a, summary, input[type=checkbox]")) { event.preventDefault(); toggle(); }
  }
  addEventListener("keydown", key);

  const copy = h("button", { type: "button", onclick: async () => {
    try { await navigator.clipboard.writeText(episode.command); put(copy, "Copied"); } catch { put(copy, "Select and copy it"); }
  } }, "Copy");
  put(root,
    h("div", { class: "row between" },
      h("h1", null, "“", episode.request, "” ", h("small", null, film.who)),
      h("span", { class: "row" }, film.links)),
    film.above,
    h("p", { class: "verdict" }, h("b", { class: episode.success ? "good" : "bad" }, episode.success ? "✓ Found." : "✗ Not found."),
      ` ${number(episode.final_distance)} m from the nearest goal after ${plural(last, "step")}, ${number(episode.metres)} m (shortest ${number(episode.shortest)} m), ${plural(asked.length, "request")}.`),
    h("div", { class: "film" },
      h("div", null, h("section", { class: "see", "aria-label": "Film" }, panorama.element,
        h("div", { class: "row controls" },
          h("button", { type: "button", "aria-label": "One step back", onclick: () => go(now - 1) }, "◀"), playButton,
          h("button", { type: "button", "aria-label": "One step on", onclick: () => go(now + 1) }, "▶"),
          h("button", { type: "button", "aria-label": "To the end", title: "To the end", onclick: () => { toggle(false); go(last); } }, "▶❙"), slider, place),
        words, message),
      h("section", { class: "card decide", "aria-label": "Decision" }, actions, notes)),
      h("div", null, h("section", { class: "map card", "aria-label": "Floor plan" }, plan.element, legend), over)),
    !stored && film.whatIf && whatIf(() => film.whatIf(Math.min(now, last - 1))),
    episode.command && h("details", { class: "command" }, h("summary", null, film.live ? "The command that shows this again" : "The command that makes this result again"),
      h("div", { class: "row" }, h("code", null, episode.command), copy)),
    !stored && film.files && h("p", { class: "row" }, "Save this episode:", h("a", { href: `${film.files}/film.gif`, download: "" }, "as a GIF"),
      h("a", { href: `${film.files}/page.html`, download: "" }, "as one HTML file")),
    !stored && h("p", { class: "note" }, "Keys: ← → one step, space plays and pauses, Home and End. This address leads to this very step."));
  makeCharts();
  draw();
  const wait = setTimeout(() => { mind = { steps: null, why: "The agent is asked what it thought …" }; draw(); }, 500);
  film.thoughts().finally(() => clearTimeout(wait)).then((found) => {
    mind = found;
    if (!over.isConnected) return;
    makeCharts();
    draw();
  }).catch(() => {}); // an exported page may have none
  return () => { toggle(false); removeEventListener("keydown", key); panorama.close(); };
}
