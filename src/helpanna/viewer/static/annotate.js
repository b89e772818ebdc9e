import { fresh, get, post } from "./api.js";
import { choice, h, plural, put } from "./dom.js";
import { Panorama } from "./panorama.js";
import { kept, nameField, pickable, sightAt } from "./people.js";
import { Plan } from "./plan.js";
import { showGame } from "./play.js";

const HELP = "Describe routes in words, so that others find the way. A guide walks a route on the page and writes how to go; then somebody else, a follower, gets the words alone. How many followers arrive is the quality of an instruction.";
const HOW = { lemma: "all that a dataset needs (Lemma 1)", random: "random ones, as in Room-to-Room", drawn: "drawn on the map" };

export async function showAnnotate(root, contents, what, ...rest) {
  if (what === "follow") return showGame(root, rest[0]);
  if (what === "draw") return showDraw(root, Number(rest[0]), rest[1]);
  if (what === "write") return showWrite(root, Number(rest[0]), rest[1], rest[2], (rest[3] ?? "").split("-").map(Number));
  return showStart(root, contents);
}

function place(...parts) {
  location.hash = `#/annotate/${parts.map(encodeURIComponent).join("/")}`;
}

async function showStart(root, contents) {
  const sources = [
    ...contents.worlds.map((one) => [one.source, one.data]),
    ...contents.sources.map((one, i) => [i, `${one.split} of ${one.data}`]),
  ];
  if (!sources.length) {
    put(root, h("h1", null, "Annotate"), h("p", null, "Name buildings to describe routes in: helpanna view --worlds ATLAS"));
    return null;
  }
  let source = Number(kept("annotate source"));
  if (!sources.some(([key]) => key === source)) [[source]] = sources;
  let building = null;
  let how = kept("annotate how") in HOW ? kept("annotate how") : "lemma";
  const name = nameField();
  const wrong = h("p", { class: "error", role: "alert" });
  const where = h("div", { class: "filters" });
  const written = h("section", { class: "card" });
  const attempt = (action) => async () => { put(wrong); try { await action(); } catch (error) { put(wrong, error.message); } };

  const describe = attempt(async () => {
    if (!name.value().trim()) throw new Error("Say your name first.");
    if (how === "drawn") { place("draw", source, building); return; }
    const found = await post("/api/annotate/next", { source, building, how, guide: name.value() });
    place("write", source, building, how, found.path.join("-"));
  });
  const follow = attempt(async () => {
    const made = await post("/api/follow", { source, follower: name.value() });
    place("follow", made.game);
  });

  async function fill() {
    const found = await fresh(`/api/annotate/${source}`);
    [[building]] = found.buildings;
    put(where,
      choice("buildings", sources, source, attempt(async () => { source = Number(where.querySelector("select").value); kept("annotate source", String(source)); await fill(); })),
      choice("building", found.buildings.map(([one, count]) => [one, count ? `${one} (${plural(count, "instruction")})` : one]), building, (value) => { building = value; }),
      choice("routes", Object.entries(HOW), how, (value) => { how = value; kept("annotate how", how); }));
    put(written, h("h2", null, "What was written"), found.instructions.length
      ? [h("div", { class: "scroll" }, h("table", { class: "small" },
        h("thead", null, h("tr", null, ["instruction", "arrived", "by", "building", "places"].map((label, i) => h("th", { scope: "col", class: i === 1 || i === 4 ? null : "words" }, label)))),
        h("tbody", null, found.instructions.slice(0, 200).map((one) => h("tr", null,
          h("td", { class: "words text" }, one.text),
          h("td", { class: one.followed ? one.arrived === one.followed ? "good" : "bad" : null }, one.followed ? `${one.arrived} of ${one.followed}` : "–"),
          h("td", { class: "words" }, one.guide), h("td", { class: "words" }, one.building), h("td", null, one.places)))))),
      h("p", { class: "row" }, h("a", { href: "/api/routes.json", download: "routes.json" }, "Route file of all"),
        h("a", { href: "/api/routes.json?quality=0.5", download: "routes.json" }, "Only what at least half of the followers arrived by")),
      h("p", { class: "note" }, "Build a dataset of it: ", h("code", null, "helpanna tasks build --worlds ATLAS --routes routes.json --out DATASET"))]
      : h("p", { class: "note" }, "Nothing yet. The first instruction appears here, with how many followers arrived."));
  }

  put(root, h("h1", null, "Annotate"), h("p", null, HELP),
    h("section", { class: "card" }, h("div", { class: "filters" }, name.element), where,
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: describe }, "Describe a route"),
        h("button", { type: "button", onclick: follow }, "Follow an instruction")), wrong), written);
  await fill();
  return null;
}

async function showDraw(root, source, building) {
  const plan = new Plan(await get(`/api/sources/${source}/plan/${encodeURIComponent(building)}`), "Click the places of the route");
  const wrong = h("p", { class: "error", role: "alert" });
  const said = h("p", { class: "note", role: "status" });
  let clicked = [];
  let path = [];
  const done = h("button", { type: "button", class: "main", onclick: () => place("write", source, building, "drawn", path.join("-")) }, "Describe this route");
  const undo = h("button", { type: "button", onclick: () => change(clicked.slice(0, -1)) }, "Undo");

  async function change(next) {
    put(wrong);
    try {
      path = next.length > 1 ? (await post("/api/annotate/drawn", { source, building, path: next })).path : [];
      clicked = next;
    } catch (error) { put(wrong, error.message); }
    paint();
  }

  function paint() {
    plan.show(plan.floor ?? plan.plan.floors[0].floor, (one) => {
      one.over.append(...one.walk(path, "trail"), pickable(one, (at) => { if (at !== clicked.at(-1)) change([...clicked, at]); }, new Set(path)));
      for (const [at, letter, title] of [[clicked[0], "A", "the start"], [clicked.length > 1 ? clicked.at(-1) : undefined, "B", "the end"]]) {
        if (at !== undefined && one.floorOf(at) === one.floor) one.over.append(one.mark(at, letter, "departure", title));
      }
    });
    put(said, path.length ? `A route of ${plural(path.length, "place")}.` : "Click where the route starts, then where it goes; between clicks it takes the shortest way.");
    done.disabled = path.length < 2;
    undo.disabled = !clicked.length;
  }

  put(root, h("h1", null, "Draw a route ", h("small", null, building)), said,
    h("section", { class: "card wide" }, plan.element), h("div", { class: "row below" }, done, undo, h("a", { href: "#/annotate" }, "Back")), wrong);
  paint();
  return null;
}

async function showWrite(root, source, building, how, path) {
  const walk = await post("/api/annotate/walk", { source, building, path });
  const plan = new Plan(await get(`/api/sources/${source}/plan/${encodeURIComponent(building)}`), "Plan with the route");
  const panorama = new Panorama("The route, place by place", (way) => go(way));
  const name = nameField();
  const key = `annotate ${building} ${path.join("-")}`;
  const wrong = h("p", { class: "error", role: "alert" });
  const advice = h("ul", { class: "advice", "aria-live": "polite" });
  const count = h("span", { class: "note" });
  const steps = h("span", { class: "steps", "aria-live": "polite" });
  const text = h("textarea", { rows: 6, maxlength: 1000, placeholder: "Leave the bedroom, turn left and …", oninput: () => { kept(key, text.value); later(); } });
  text.value = kept(key);
  let at = 0;
  let timer = null;
  let asked = 0;

  function later() {
    clearTimeout(timer);
    timer = setTimeout(check, 400);
  }

  async function check() {
    asked += 1;
    const mine = asked;
    const found = await post("/api/annotate/advice", { source, building, path, text: text.value }).catch(() => null);
    if (!found || mine !== asked) return;
    put(count, plural(found.words, "word"));
    put(advice, found.advice.map((one) => h("li", null, one)));
  }

  async function go(next) {
    at = Math.max(0, Math.min(path.length - 1, next));
    back.disabled = at === 0;
    forward.disabled = at === path.length - 1;
    put(steps, at === path.length - 1 ? `the end, place ${at + 1} of ${path.length}` : `place ${at + 1} of ${path.length}`);
    plan.show(plan.floorOf(path[at]), (one) => {
      const heading = at ? walk.steps[at][0] : walk.heading;
      one.over.append(...one.walk(path, "trail"));
      for (const [spot, letter, title] of [[path[0], "A", "the start"], [path.at(-1), "B", "the end"]]) {
        if (one.floorOf(spot) === one.floor) one.over.append(one.mark(spot, letter, "departure", title));
      }
      if (one.floorOf(path[at]) === one.floor) one.over.append(one.agent(path[at], heading));
    });
    const [heading, elevation, metres] = walk.steps[at];
    const ways = at < path.length - 1 ? [{ number: at + 1, heading, elevation, metres, kind: "taken", label: `on, ${metres.toFixed(1)} m` }] : [];
    const mine = at;
    const seen = await sightAt(source, walk.first + path[at], walk.pictures);
    if (mine === at) panorama.show(seen, at ? heading : walk.heading, at ? 0 : walk.elevation, ways, at === path.length - 1 ? "Here the route ends." : "");
  }

  const back = h("button", { type: "button", onclick: () => go(at - 1) }, "Back");
  const forward = h("button", { type: "button", class: "main", onclick: () => go(at + 1) }, "Walk on");
  const send = h("button", { type: "button", class: "main", onclick: async () => {
    send.disabled = true;
    put(wrong);
    try {
      await post("/api/annotate", { source, building, path, how, guide: name.value(), text: text.value });
      kept(key, null);
      put(side, h("h2", { role: "status" }, "Stored. Thank you."), h("p", null, "Somebody else can follow your words now."),
        h("p", { class: "row" }, how !== "drawn" && h("button", { type: "button", class: "main", onclick: more }, "Describe another"), h("a", { href: "#/annotate" }, "Back to the start")), wrong);
    } catch (error) { put(wrong, error.message); send.disabled = false; }
  } }, "Store the instruction");

  async function more() {
    put(wrong);
    try {
      const found = await post("/api/annotate/next", { source, building, how, guide: name.value() });
      place("write", source, building, how, found.path.join("-"));
    } catch (error) { put(wrong, error.message); }
  }

  const side = h("section", { class: "card", "aria-label": "Your instruction" },
    h("p", null, "Walk the route to its end, then write for somebody who starts where you started, looks where you looked, and sees no map."),
    name.element, h("label", { class: "field" }, h("span", null, "the instruction"), text), count, advice, send, wrong);
  put(root, h("h1", null, "Describe a route ", h("small", null, `${building}, ${walk.metres.toFixed(1)} m`)),
    h("div", { class: "desk" },
      h("div", null, panorama.element, h("div", { class: "row controls" }, back, forward, steps), h("section", { class: "card map" }, plan.element)), side));
  await go(0);
  check();
  return () => { clearTimeout(timer); panorama.close(); };
}
