import { fresh, post } from "./api.js";
import { choice, h, number, plural, put } from "./dom.js";
import { Panorama, sightOf } from "./panorama.js";
import { minutes, repeatedly } from "./people.js";

const HELP = "You are the agent. Do what is asked: for “find …”, stop within two metres of where the thing can be seen. Drag to look around; click an arrow to walk there. Where somebody can be asked, ask for help: ANNA tells you a route in words and shows the place where to leave it. Stop there (or anywhere on the route) to go on with your task; stop on your own to end it.";

/** Choosing a task, or a game that has begun. */
export async function showPlay(root, contents, game) {
  return game ? showGame(root, game) : showChoice(root, contents);
}

async function showChoice(root, contents) {
  if (!contents.sources.length) {
    put(root, h("h1", null, "Play"), h("p", null, "Name a dataset to play in: helpanna view --data DATASET"));
    return null;
  }
  let source = 0;
  let helper = "anna";
  const task = h("input", { type: "number", min: 0, step: 1, placeholder: "any" });
  const wrong = h("p", { class: "error", role: "alert" });
  const begin = h("button", { type: "button", class: "main", onclick: async () => {
    begin.disabled = true;
    try {
      const made = await post("/api/play", { source: Number(source), task: task.value === "" ? null : Number(task.value), by_person: helper === "person" });
      location.hash = `#/play/${made.game}`;
    } catch (error) { put(wrong, error.message); begin.disabled = false; }
  } }, "Begin");
  put(root, h("h1", null, "Play"), h("p", null, HELP),
    h("div", { class: "filters" },
      choice("tasks", contents.sources.map((one, i) => [i, `${one.split} of ${one.data}`]), source, (value) => { source = value; }),
      h("label", { class: "field" }, h("span", null, "task number"), task),
      choice("who helps", [["anna", "ANNA"], ["person", "a person, on the page Assist"]], helper, (value) => { helper = value; }), begin), wrong,
    h("p", { class: "note" }, "Your first attempt at a task is stored as a trajectory of the agent “human”, to be scored beside the others."));
  return null;
}

/** A game: a task, or an instruction to follow. */
export async function showGame(root, game) {
  let state = await fresh(`/api/play/${game}`);
  const panorama = new Panorama("What you see", (action) => act({ action }));
  const target = new Panorama("The picture that you were shown");
  const side = h("section", { class: "card", "aria-label": "Your task", tabindex: -1 });
  const wrong = h("p", { class: "error", role: "alert" });
  let busy = false;
  let moves = 0; // asks the browser for new pictures: the addresses stay the same
  let turn = 0;
  let drawn = "";
  const speaker = state.by_person ? "the assistant says" : "ANNA says";
  const clock = h("p", { class: "note", role: "status" });
  const tick = () => put(clock, `Somebody is asked. An answer comes within ${minutes(state.waiting)}, or none.`);

  const sight = (what) => sightOf(state.pictures ? `/api/play/${game}/panorama/${what}?${game}-${state.step}-${moves}` : null,
    () => fresh(`/api/play/${game}/around/${what}`));

  async function act(what) {
    if (busy || state.over) return;
    busy = true;
    put(wrong);
    try {
      state = await post(`/api/play/${game}`, { step: state.step, ...what });
      moves += 1;
    } catch (error) { put(wrong, error.message); }
    busy = false;
    await draw().catch((error) => put(wrong, error.message));
  }

  async function draw() {
    turn += 1;
    const mine = turn;
    if (state.over) { if (state.follow) drawFollowed(); else drawEnd(); return; }
    drawn = `${state.step} ${state.waiting !== null}`;
    panorama.forgetWays(); // a click on one that belongs to the last place must not count here
    const targetBox = h("div", { class: "target" });
    if (side.contains(document.activeElement)) side.focus({ preventScroll: true }); // its buttons are made again
    put(side,
      h("p", { class: "words-now", "aria-live": "polite" }, h("span", { class: state.on_route ? "tag route" : "tag" }, state.on_route ? speaker : state.follow ? "follow these words" : "your task"), h("q", null, state.words)),
      state.on_route && h("p", { class: "note" }, `Your task remains: “${state.request}”.`),
      targetBox,
      state.waiting !== null && clock,
      !state.follow && state.waiting === null && h("button", { type: "button", class: "main", disabled: !state.can_ask, onclick: () => act({ ask: true }) }, state.can_ask ? "Ask for help" : "Nobody to ask here"),
      state.waiting === null && h("button", { type: "button", class: state.follow ? "main" : null, onclick: () => act({ action: 0 }) }, state.follow ? "Stop: I am there" : state.on_route ? "Leave the route here" : "Stop: it is here"),
      state.waiting === null && h("div", { class: "row", role: "group", "aria-label": "Ways on" }, state.ways.map(([index, heading, , metres]) =>
        h("button", { type: "button", onclick: () => act({ action: index }) }, `${arrow(heading - state.heading)} ${metres.toFixed(1)} m`))),
      h("p", { class: "note" }, `Step ${state.step} of at most ${state.budget}. You may reload: the game goes on.`));
    if (state.waiting !== null) tick();
    const seen = await sight("here");
    if (mine !== turn) return;
    panorama.show(seen, state.heading, state.elevation,
      state.waiting !== null ? [] : state.ways.map(([index, heading, elevation, metres]) => ({ number: index, heading, elevation, metres, label: `walk there, ${metres.toFixed(1)} m` })));
    if (state.target) {
      put(targetBox, h("p", { class: "note" }, state.on_route ? "Leave the route where you see this:" : "What is sought can be seen from here:"), target.element);
      const shown = await sight("target");
      if (mine === turn) target.show(shown, 0, 0);
    }
  }

  function arrow(angle) {
    return "↑↗→↘↓↙←↖"[((Math.round(angle / (Math.PI / 4)) % 8) + 8) % 8];
  }

  function drawFollowed() {
    const { end } = state;
    put(root, h("h1", null, end.success ? "You arrived." : "You are elsewhere."),
      h("p", null, `“${state.request}”: ${number(end.final_distance)} m from the end of the route after ${plural(end.steps, "step")}.`),
      h("p", { class: "note" }, "Thank you: whether followers arrive is how good an instruction is."),
      h("p", null, h("a", { href: "#/annotate" }, "Back to the start")));
  }

  function drawEnd() {
    const end = state.end;
    const row = (name, one, mine) => h("tr", { class: mine ? "taken" : null }, h("th", { class: "words", scope: "row" }, name),
      h("td", null, h("span", { class: one.success ? "good" : "bad" }, one.success ? "✓ found" : "✗ not found")),
      h("td", null, number(one.final_distance)), h("td", null, one.steps), h("td", null, number(one.metres)), h("td", null, one.requests));
    put(root, h("h1", null, end.success ? "You found it." : "Not found."),
      h("p", null, `“${state.request}”, task ${end.task}: ${number(end.final_distance)} m from the nearest goal after ${plural(end.steps, "step")}. The shortest way has ${number(end.shortest)} m.`),
      h("div", { class: "scroll" }, h("table", null,
        h("thead", null, h("tr", null, ["who", "success", "metres left", "steps", "walked", "requests"].map((label, i) => h("th", { scope: "col", class: i ? null : "words" }, label)))),
        h("tbody", null, row("you", end, true), end.others.map((one) => row(one.name, one, false))))),
      !end.others.length && h("p", { class: "note" }, "No open result has this task; open one to see how agents did."),
      h("p", { class: "note" }, end.counts ? `Stored in ${end.file}: helpanna score ${end.file}` : "This task was played before: the first attempt counts, this one is not stored."),
      h("p", null, h("a", { href: "#/play" }, "Play another task")));
  }

  const key = (event) => {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const turned = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (turned) { event.preventDefault(); panorama.look(panorama.heading + turned[0] * Math.PI / 12, panorama.elevation + turned[1] * Math.PI / 12); }
  };
  addEventListener("keydown", key);
  put(root, h("h1", null, state.follow ? "Follow" : "Play"), h("div", { class: "play" }, h("div", null, panorama.element, wrong), side));
  await draw();
  const end = repeatedly(1, async () => {
    if (busy || state.waiting === null) return;
    state = await fresh(`/api/play/${game}`);
    if (drawn !== `${state.step} ${state.waiting !== null}`) { moves += 1; await draw(); } else tick();
  });
  return () => { end(); removeEventListener("keydown", key); panorama.close(); target.close(); };
}

