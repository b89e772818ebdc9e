// The floor plan as SVG: rooms, ways, places; over them what happened. North is up.

import { h, put, s } from "./dom.js";

const AREAS = new Set(["wall", "gap", "glass"]);
const FLOOR = (floor) => (floor ? `floor ${floor}` : "ground floor");

export class Plan {
  /** @param plan see `plan_of` of the server. */
  constructor(plan, label) {
    this.plan = plan;
    this.floor = null;
    const [west, south, east, north] = plan.bounds;
    this.y = (y) => south + north - y;
    this.svg = s("svg", {
      viewBox: `${west} ${south} ${east - west} ${north - south}`, role: "img", "aria-label": label, class: "plan",
    });
    this.tabs = h("div", { class: "row tabs", role: "group", "aria-label": "Storeys" }, plan.floors.map(({ floor }) =>
      h("button", { type: "button", onclick: () => this.show(floor, this.paint) }, FLOOR(floor))));
    this.element = h("div", { class: "planbox" }, plan.floors.length > 1 && this.tabs, this.svg);
    this.unit = Math.max(east - west, north - south) / 100; // marks keep their size on the page
    this.over = null;
  }

  at(place) {
    return [this.plan.places[place][0], this.y(this.plan.places[place][1])];
  }

  floorOf(place) {
    return this.plan.places[place][2];
  }

  /** Draws a storey and what `paint(layer)` puts over it. */
  show(floor, paint) {
    this.paint = paint;
    this.floor = floor;
    const { plan, unit } = this;
    plan.floors.forEach((one, k) => this.tabs.children[k].setAttribute("aria-pressed", one.floor === floor));
    const focused = this.svg.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    const { rooms, walls } = plan.floors.find((one) => one.floor === floor);
    const over = s("g");
    put(this.svg,
      this.walls(walls.filter(([kind]) => kind === "wall")),
      walls.length > 0 && s("g", { class: "floor" }, rooms.map((room) => s("path", { d: this.path(room.outlines) }))),
      s("g", { class: walls.length ? "rooms walled" : "rooms" }, rooms.map((room) => s("path", {
        d: this.path(room.outlines),
        fill: room.colour, "fill-rule": "evenodd", "stroke-width": unit * 0.5,
      }, s("title", null, room.kind || "room")))),
      this.walls(walls.filter(([kind]) => kind !== "wall")),
      s("g", { class: "edges", "stroke-width": unit * 0.25 }, plan.edges
        .filter((ends) => ends.some((place) => this.floorOf(place) === floor))
        .map(([a, b]) => this.line([a, b], { "stroke-dasharray": this.floorOf(a) === this.floorOf(b) ? null : unit }))),
      s("g", { class: "zones" }, plan.zones.filter((place) => this.floorOf(place) === floor).map((place) =>
        this.dot(place, 1.5, {}, "help can be requested here"))),
      s("g", { class: "places" }, plan.places.map((_, place) => place).filter((place) => this.floorOf(place) === floor)
        .map((place) => this.dot(place, 0.55, {}, plan.places[place][3] || "a place"))),
      s("g", { class: "objects" }, plan.objects.filter((thing) => thing[2] === floor).map(([x, y, , kind]) =>
        s("rect", { x: x - unit * 0.35, y: this.y(y) - unit * 0.35, width: unit * 0.7, height: unit * 0.7 }, s("title", null, kind)))),
      over,
      s("g", { class: "kinds", "font-size": unit * 2.4 }, rooms.filter((room) => room.kind).map((room) =>
        s("text", { x: room.middle[0], y: this.y(room.middle[1]) }, room.kind))));
    this.over = over;
    paint?.(this);
    // What was drawn again takes the keyboard's focus back.
    if (focused) [...over.querySelectorAll("[tabindex]")].find((one) => one.getAttribute("aria-label") === focused)?.focus();
  }

  path(outlines) {
    return outlines.map((line) => `M${line.map(([x, y]) => `${x} ${this.y(y)}`).join("L")}Z`).join("");
  }

  /** Walls, doors, windows and stairs, drawn exactly where they are. */
  walls(shapes) {
    return s("g", { class: "walls" }, shapes.map(([kind, points]) => {
      const line = points.map(([x, y]) => `${x},${this.y(y)}`);
      if (kind.startsWith("up")) line.push(...this.arrowhead(points));
      return AREAS.has(kind) ? s("polygon", { class: kind, points: line.join(" ") }) : s("polyline", { class: kind, points: line.join(" ") });
    }));
  }

  /** The way back from the tip of an arrow, to one side and to the other. */
  arrowhead([[ax, ay], [bx, by]]) {
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const [ux, uy] = [(bx - ax) / length * 0.22, (by - ay) / length * 0.22];
    return [[bx - ux - uy, by - uy + ux], [bx, by], [bx - ux + uy, by - uy - ux]].map(([x, y]) => `${x},${this.y(y)}`);
  }

  line(places, attributes) {
    return s("polyline", { points: places.map((place) => this.at(place).join(",")).join(" "), fill: "none", ...attributes });
  }

  dot(place, size, attributes, title) {
    const [x, y] = this.at(place);
    return s("circle", { cx: x, cy: y, r: size * this.unit, ...attributes }, title && s("title", null, title));
  }

  mark(place, letter, className, title) {
    const [x, y] = this.at(place);
    return s("g", { class: className }, s("circle", { cx: x, cy: y, r: this.unit * 1.9 }, s("title", null, title)),
      s("text", { x, y, "font-size": this.unit * 2.6 }, letter));
  }

  /** A walk: only the parts that touch this storey, a little beside each other so that no way back hides. */
  walk(places, className, from = 0, to = places.length - 1) {
    const parts = [];
    for (let i = from; i < to; i += 1) {
      const [a, b] = [places[i], places[i + 1]];
      if (a === b || (this.floorOf(a) !== this.floor && this.floorOf(b) !== this.floor)) continue;
      const [[ax, ay], [bx, by]] = [this.at(a), this.at(b)];
      const length = Math.hypot(bx - ax, by - ay) || 1;
      const side = [(ay - by) / length * this.unit * 0.45, (bx - ax) / length * this.unit * 0.45];
      parts.push(s("line", {
        x1: ax + side[0], y1: ay + side[1], x2: bx + side[0], y2: by + side[1],
        class: className, "stroke-width": this.unit * 0.8,
        "stroke-dasharray": className === "route" ? `${this.unit * 1.4} ${this.unit}` : null,
      }));
    }
    return parts;
  }

  agent(place, heading) {
    const [x, y] = this.at(place);
    const reach = this.unit * 7;
    const tip = (angle) => `${x + Math.sin(angle) * reach},${y - Math.cos(angle) * reach}`;
    return s("g", { class: "agent" },
      s("polygon", { class: "cone", points: `${x},${y} ${tip(heading - 0.5)} ${tip(heading)} ${tip(heading + 0.5)}` }),
      s("circle", { cx: x, cy: y, r: this.unit * 1.5, "stroke-width": this.unit * 0.4 }));
  }
}
