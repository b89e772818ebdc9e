import { get, picture, stored } from "./api.js";
import { gauge, timeChart } from "./charts.js";
import { h, number, plural, put } from "./dom.js";
import { Panorama, sightOf } from "./panorama.js";
import { Plan } from "./plan.js";

const PACE = 900; // milliseconds a step
const REASONS = ["lost", "uncertain and wrong", "never asked here"];
const UNCERTAIN = 0.25;
const KNOWN = new Set(["guess", "reasons"]);

const viewHeading = (view) => view % 12 * Math.PI / 6;
const viewElevation = (view) => (Math.floor(view / 12) - 1) * Math.PI / 6;

function turnWords(angle) {
  const degrees = Math.round((angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))) * 180 / Math.PI);
  if (Math.abs(degrees) < 10) return "straight ahead";
  if (Math.abs(degrees) > 170) return "behind";
  return `${Math.abs(degrees)}° to the ${degrees > 0 ? "right" : "left"}`;
}

/** The last answer that was given by step t, if its route has not been left since. */
function heard(episode, t) {
  for (let i = Math.min(t, episode.steps.length - 1); i >= 0; i -= 1) {
    if (episode.steps[i].answer) return { step: i, ...episode.steps[i].answer };
    if (!episode.steps[i].on_route) return null;
  }
  return null;
}

/** One episode as a film. */
export async function showFilm(root, contents, result, task, step = 0) {
  const about = contents.results[result];
  if (!about) throw new Error("There is no such result.");
  const episode = await get(`/api/results/${result}/episodes/${task}`);
  const sources = `/api/sources/${about.source}`;
  const geometry = await get(`${sources}/plan/${encodeURIComponent(episode.world)}`);
  const last = episode.steps.length;
  let now = Math.max(0, Math.min(last, Math.floor(step) || 0));
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

  const slider = h("input", {
    type: "range", min: 0, max: last, value: now, "aria-label": "Step", oninput: () => go(Number(slider.value)),
  });
  const playButton = h("button", { type: "button", class: "main", onclick: () => toggle() }, "▶ Play");
  const place = h("span", { class: "steps" });
  const words = h("div", { class: "words-now", "aria-live": "polite" });
  const message = h("div", { class: "message" });
  const actions = h("div");
  const notes = h("div");

  const asked = episode.steps.flatMap((one, i) => (one.asked ? [{ step: i, className: "ask", label: `step ${i}: help requested` }] : []));
  const charts = [timeChart("metres to the nearest goal", last + 1, [{ label: "metres", className: "one", values: episode.distances }], asked, (t) => go(t))];
  const noted = Object.keys(episode.steps[0].notes).filter((name) => !KNOWN.has(name) && typeof episode.steps[0].notes[name] === "number");
  for (const name of noted) {
    charts.push(timeChart(name, last + 1, [{ label: name, className: "two", values: episode.steps.map((one) => one.notes[name]) }], asked, (t) => go(t), 1));
  }
  if (episode.steps[0].notes.reasons) {
    charts.push(timeChart("reasons to ask, as the agent sees them", last + 1, REASONS.map((label, k) => ({
      label, className: ["one", "two", "three"][k], values: episode.steps.map((one) => one.notes.reasons[k]),
    })), asked, (t) => go(t), 1));
  }

  function paintPlan() {
    const answer = heard(episode, now);
    const here = episode.places[now];
    plan.show(plan.floorOf(here), (p) => {
      const on = (v) => p.floorOf(v) === p.floor;
      put(p.over,
        p.walk(episode.places, "trail later", now),
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

  function draw() {
    const one = episode.steps[now];
    const view = episode.views[now];
    const heading = viewHeading(view);
    slider.value = now;
    slider.setAttribute("aria-valuetext", now === last ? "the end" : `step ${now}`);
    put(place, now === last ? `the end, after ${plural(last, "step")}` : `step ${now} of ${last}`);
    const ways = (one?.actions ?? []).slice(1).map(([, toward, elevation, metres], k) => ({
      heading: toward, elevation, metres,
      kind: [one.action === k + 1 && "taken", one.teacher.action === k + 1 && "teach"].filter(Boolean).join(" "),
      label: `way ${k + 1}, ${turnWords(toward - heading)}, ${metres.toFixed(1)} m${one.action === k + 1 ? ", taken" : ""}${one.teacher.action === k + 1 ? ", the teacher's" : ""}`,
    }));
    look(episode.places[now], heading, viewElevation(view), ways, now === last ? (episode.success ? "The end: found." : "The end: not found.") : "").catch((error) => put(panorama.caption, error.message));
    paintPlan();
    put(words, one
      ? [h("span", { class: one.on_route ? "tag route" : "tag" }, one.on_route ? "on a route" : "main task"), h("q", null, one.words)]
      : [h("span", { class: "tag" }, episode.success ? "found" : "not found"), ` ${number(episode.final_distance)} m from the nearest goal.`]);
    const answer = one && heard(episode, now);
    put(message, answer && answerBox(answer, one.words !== answer.words));
    put(actions, one && actionTable(one, heading));
    put(notes, one && noteBox(one));
    charts.forEach((chart) => chart.show(now));
    const address = `#/watch/${result}/${task}/${now}`;
    if (location.hash !== address) history.replaceState(null, "", address);
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

  function actionTable(one, heading) {
    const rows = one.actions.map(([, toward, , metres], k) => {
      const what = k === 0 ? "stop" : `${turnWords(toward - heading)}, ${metres.toFixed(1)} m`;
      return h("tr", { class: one.action === k ? "taken" : null },
        h("td", null, k), h("td", { class: "words" }, what),
        h("td", { class: "words" }, [
          one.action === k && h("span", { class: "tag taken" }, "taken"),
          one.teacher.action === k && h("span", { class: "tag teach" }, "teacher"),
          one.notes.guess === k && h("span", { class: "tag" }, "first choice"),
          one.tried.includes(k) && h("span", { class: "tag bad" }, "wrong before"),
        ]));
    });
    const ask = !one.can_ask ? "Nobody can be asked here."
      : `${one.asked ? "Asks for help." : "Could ask, does not."} The teacher would${one.teacher.ask ? "" : " not"} ask.`;
    return [h("h2", null, "Decision"), h("p", { class: one.asked ? "asks" : "note" }, ask),
      h("table", { class: "small" }, h("thead", null, h("tr", null, h("th", { scope: "col" }, "#"), h("th", { class: "words", scope: "col" }, "way"), h("th", { class: "words", scope: "col" }, "who")))
        , h("tbody", null, rows))];
  }

  function noteBox(one) {
    const { entropy, reasons } = one.notes;
    if (entropy === undefined && !reasons) return null;
    return [h("h2", null, "What the agent noted"),
      entropy !== undefined && gauge("uncertainty (entropy)", entropy, null, UNCERTAIN),
      reasons && REASONS.map((label, k) => gauge(label, reasons[k], one.can_ask ? one.teacher.reasons[k] : null, 0.5))];
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
    if (event.key === " " && !event.target.closest("button, a")) { event.preventDefault(); toggle(); }
  }
  addEventListener("keydown", key);

  const tasks = (await get(`/api/results/${result}/episodes`)).task;
  const at = tasks.indexOf(task);
  const neighbour = (other, label) => other !== undefined && h("a", { href: `#/watch/${result}/${other}/0` }, label);
  const copy = h("button", { type: "button", onclick: async () => {
    try { await navigator.clipboard.writeText(episode.command); put(copy, "Copied"); } catch { put(copy, "Select and copy it"); }
  } }, "Copy");
  put(root,
    h("div", { class: "row between" },
      h("h1", null, "“", episode.request, "” ", h("small", null, `in ${episode.world}, task ${task}, ${about.name}`)),
      h("span", { class: "row" }, neighbour(tasks[at - 1], "← previous"), h("a", { href: `#/watch/${result}` }, "all episodes"), neighbour(tasks[at + 1], "next →"))),
    h("p", { class: "verdict" }, h("b", { class: episode.success ? "good" : "bad" }, episode.success ? "✓ Found." : "✗ Not found."),
      ` ${number(episode.final_distance)} m from the nearest goal after ${plural(last, "step")}, ${number(episode.metres)} m (shortest ${number(episode.shortest)} m), ${plural(asked.length, "request")}.`),
    h("div", { class: "film" },
      h("div", null, h("section", { class: "see", "aria-label": "Film" }, panorama.element,
        h("div", { class: "row controls" },
          h("button", { type: "button", "aria-label": "One step back", onclick: () => go(now - 1) }, "◀"), playButton,
          h("button", { type: "button", "aria-label": "One step on", onclick: () => go(now + 1) }, "▶"), slider, place),
        words, message),
      h("section", { class: "card decide", "aria-label": "Decision" }, actions, notes)),
      h("div", null, h("section", { class: "map card", "aria-label": "Floor plan" }, plan.element,
        h("p", { class: "legend" }, h("span", { class: "key trail" }, "way taken"), h("span", { class: "key later" }, "way to come"),
          h("span", { class: "key route" }, "ANNA's route"), h("span", { class: "key goalkey" }, "goal"), h("span", { class: "key zone" }, "help can be requested"))),
      h("section", { class: "card over", "aria-label": "Over time" }, h("h2", null, "Over time"), charts.map((chart) => chart.element)))),
    episode.command && h("details", { class: "command" }, h("summary", null, "The command that makes this result again"),
      h("div", { class: "row" }, h("code", null, episode.command), copy)),
    !stored && h("p", { class: "note" }, "Keys: ← → one step, space plays and pauses, Home and End. This address leads to this very step."));
  draw();
  return () => { toggle(false); removeEventListener("keydown", key); panorama.close(); };
}
