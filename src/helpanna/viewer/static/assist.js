import { fresh, get, post } from "./api.js";
import { choice, h, number, plural, put } from "./dom.js";
import { Panorama } from "./panorama.js";
import { kept, minutes, nameField, openWay, pickable, repeatedly, sightAt } from "./people.js";
import { Plan } from "./plan.js";

const HELP = "You are the assistant. Agents and players ask; you see the map, they do not. Tell in words where to go, and choose the place whose picture they are shown: they are to walk on until they see it.";

export async function showAssist(root, contents, desk) {
  return desk ? showDesk(root, desk) : showRequests(root, contents);
}

async function showRequests(root, contents) {
  let source = 0;
  let agent = null;
  const { requests, agents } = await fresh("/api/assist");
  [agent] = agents;
  const task = h("input", { type: "number", min: 0, step: 1, placeholder: "any" });
  const wrong = h("p", { class: "error", role: "alert" });
  const list = h("div", { "aria-live": "polite" });
  const send = h("button", { type: "button", class: "main", onclick: async () => {
    send.disabled = true;
    put(wrong);
    try {
      const made = await post("/api/assist", { source: Number(source), agent, task: task.value === "" ? null : Number(task.value) });
      location.hash = `#/assist/${made.desk}`;
    } catch (error) { put(wrong, error.message); send.disabled = false; }
  } }, "Send the agent");
  const show = (waiting) => put(list, waiting.length
    ? h("div", { class: "scroll" }, h("table", null,
      h("thead", null, h("tr", null, ["who", "seeks", "building", "step", "time left", ""].map((label, i) => h("th", { scope: "col", class: i < 3 ? "words" : null }, label)))),
      h("tbody", null, waiting.map((one) => h("tr", null,
        h("td", { class: "words" }, one.who), h("td", { class: "words" }, one.request), h("td", { class: "words" }, one.building),
        h("td", null, one.step), h("td", null, minutes(one.seconds)), h("td", null, h("a", { href: `#/assist/${one.desk}` }, "Answer")))))))
    : h("p", { class: "note" }, "Nobody asks at the moment. Send an agent, or let somebody play with the help of a person."));
  put(root, h("h1", null, "Assist"), h("p", null, HELP),
    h("section", { class: "card" }, h("h2", null, "Send an agent"),
      h("div", { class: "filters" },
        choice("tasks", contents.sources.map((one, i) => [i, `${one.split} of ${one.data}`]), source, (value) => { source = value; }),
        choice("agent", agents.map((name) => [name, name]), agent, (value) => { agent = value; }),
        h("label", { class: "field" }, h("span", null, "task number"), task), send), wrong),
    h("section", { class: "card" }, h("h2", null, "Who waits for an answer"), list));
  show(requests);
  return repeatedly(2, async () => show((await fresh("/api/assist")).requests));
}

async function showDesk(root, desk) {
  let state = await fresh(`/api/assist/${desk}`);
  const plan = new Plan(await get(`/api/sources/${state.source}/plan/${encodeURIComponent(state.building)}`), "Plan of the building");
  const here = new Panorama("What the one who asks sees");
  const there = new Panorama("The picture that you chose");
  const name = nameField();
  const side = h("section", { class: "card", "aria-label": "Your answer" });
  const clock = h("span", { class: "tag route" });
  const wrong = h("p", { class: "error", role: "alert" });
  let pictured = null;
  let drawn = null;

  const draft = () => `assist ${desk} ${state.step}`;

  async function pick(place) {
    pictured = place;
    paint();
    if (there.element.isConnected && place !== null) there.show(await sightAt(state.source, plan.plan.first + place, state.pictures), openWay(plan, place), 0);
    side.querySelector(".picked")?.replaceChildren(place === null ? "No picture is chosen: click a place on the plan." : `The picture is of place ${place}${plan.plan.places[place][3] ? ` (${plan.plan.places[place][3]})` : ""}.`);
    there.element.hidden = place === null;
    if (place !== null) there.draw();
  }

  function paint() {
    plan.show(plan.floor ?? plan.floorOf(state.place), (one) => {
      one.over.append(...one.walk(state.walk, "trail"));
      if (state.waiting !== null) one.over.append(pickable(one, pick));
      one.over.append(
        ...state.goals.filter((goal) => one.floorOf(goal) === one.floor).map((goal) => one.mark(goal, "G", "goal", "what is sought can be seen here")));
      if (one.floorOf(state.place) === one.floor) one.over.append(one.agent(state.place, state.heading));
      if (pictured !== null && one.floorOf(pictured) === one.floor) one.over.append(one.mark(pictured, "P", "departure", "the picture"));
    });
  }

  async function send(words) {
    put(wrong);
    try {
      const answered = await post(`/api/assist/${desk}`, { step: state.step, assistant: name.value(), words, picture: pictured });
      kept(draft(), null);
      state = answered;
      await draw();
      if (!answered.given) put(wrong, "Your answer came too late: the time was up, or somebody else answered.");
    } catch (error) { put(wrong, error.message); }
  }

  function form() {
    const words = h("textarea", { rows: 5, maxlength: 1000, placeholder: "Turn around, leave the room and …", oninput: () => kept(draft(), words.value) });
    words.value = kept(draft());
    return [
      h("p", { class: "words-now" }, h("span", { class: "tag route" }, "asks for help"), h("q", null, state.request), " ", clock),
      name.element,
      h("label", { class: "field" }, h("span", null, "the instruction"), words),
      h("p", { class: "picked note", "aria-live": "polite" }, "No picture is chosen: click a place on the plan."), there.element,
      h("button", { type: "button", class: "main", onclick: () => send(words.value) }, "Send the answer"), wrong,
    ];
  }

  function rest() {
    if (!state.over) return [h("p", { class: "words-now", role: "status" }, `${state.who} goes on …`), wrong];
    const { end } = state;
    return [
      h("p", { class: "words-now", role: "status" }, h("span", { class: end.success ? "good" : "bad" }, end.success ? "✓ found" : "✗ not found"), ` after ${plural(end.steps, "step")} and ${plural(end.requests, "request")}`),
      h("p", null, `“${state.request}”: ${number(end.final_distance)} m from the nearest goal; walked ${number(end.metres)} m, the shortest way has ${number(end.shortest)} m.`),
      h("p", { class: "note" }, end.counts ? `Stored in ${end.file}.` : "This task was done before: the first attempt counts, this one is not stored."),
      h("p", null, h("a", { href: "#/assist" }, "Back to those who wait")), wrong,
    ];
  }

  async function draw() {
    drawn = `${state.step} ${state.waiting !== null} ${state.over}`;
    pictured = null;
    plan.floor = null;
    there.element.hidden = true;
    put(side, state.waiting === null ? rest() : form(),
      state.heard.length > 0 && h("div", null, h("h2", null, "Said so far"), h("ol", { class: "heard" }, state.heard.map((one) =>
        h("li", null, h("span", { class: "note" }, `step ${one.step}: `), one.words ?? h("em", null, "no answer"))))));
    tick();
    paint();
    here.show(await sightAt(state.source, plan.plan.first + state.place, state.pictures), state.heading, 0);
  }

  function tick() { put(clock, state.waiting === null ? "" : `${minutes(state.waiting)} left`); }

  put(root, h("h1", null, `Assist ${state.who} `, h("small", null, state.building)),
    h("div", { class: "desk" },
      h("div", null, h("section", { class: "card map" }, plan.element,
        h("p", { class: "legend" }, h("span", { class: "key trail" }, "where it has been"), h("span", { class: "key goalkey" }, "goals (G)"), h("span", { class: "key route" }, "the picture (P)"))),
      here.element), side));
  await draw();
  const end = repeatedly(1, async () => {
    state = await fresh(`/api/assist/${desk}`);
    if (drawn !== `${state.step} ${state.waiting !== null} ${state.over}`) await draw();
    else tick();
  });
  return () => { end(); here.close(); there.close(); };
}
