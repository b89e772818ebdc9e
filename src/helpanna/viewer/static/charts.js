// Small charts in SVG. Every number is also there as text.

import { h, s } from "./dom.js";

const WIDE = 600;
const HIGH = 110;

/** Lines over `count` steps: series [{label, className, values}]; `onStep` is told which step was clicked. */
export function timeChart(title, count, series, marks, onStep, top = null) {
  const most = top ?? Math.max(1e-9, ...series.flatMap((one) => one.values.filter((value) => value !== null)));
  const x = (t) => (count > 1 ? 10 + t / (count - 1) * (WIDE - 20) : WIDE / 2);
  const y = (value) => HIGH - 8 - value / most * (HIGH - 16);
  const cursor = s("line", { class: "cursor", y1: 0, y2: HIGH });
  const lines = series.map((one) => {
    let path = "";
    one.values.forEach((value, t) => {
      if (value !== null) path += `${path && one.values[t - 1] !== null ? "L" : "M"}${x(t).toFixed(1)} ${y(value).toFixed(1)}`;
    });
    return s("path", { d: path, class: `line ${one.className}` });
  });
  const svg = s("svg", {
    viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", class: "chart", role: "img", "aria-label": title,
    onclick: (event) => {
      const box = svg.getBoundingClientRect();
      const part = ((event.clientX - box.left) / box.width * WIDE - 10) / (WIDE - 20);
      onStep(Math.max(0, Math.min(count - 1, Math.round(part * (count - 1)))));
    },
  },
  (marks ?? []).map((mark) => s("line", { class: `mark ${mark.className}`, x1: x(mark.step), x2: x(mark.step), y1: 0, y2: HIGH }, s("title", null, mark.label))),
  lines, cursor);
  const legend = h("figcaption", null, title, series.length > 1 && series.map((one) => h("span", { class: `key ${one.className}` }, one.label)));
  const readout = h("output", null);
  const element = h("figure", { class: "timechart" }, h("div", { class: "row between" }, legend, readout), svg);
  return {
    element,
    show(t) {
      cursor.setAttribute("x1", x(t));
      cursor.setAttribute("x2", x(t));
      readout.textContent = series.map((one) => {
        const value = one.values[t];
        return `${series.length > 1 ? `${one.label} ` : ""}${value === null || value === undefined ? "–" : value.toFixed(2)}`;
      }).join(", ");
    },
  };
}

/** A gauge from 0 to 1, with the teacher's word beside it. */
export function gauge(label, value, teacher, threshold = null) {
  return h("div", { class: "gauge" },
    h("span", { class: "name" }, label),
    h("span", { class: "meter", role: "meter", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": value.toFixed(2) },
      s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none" },
        s("rect", { class: "full", x: 0, y: 0, width: 100 * Math.min(1, value), height: 10 }),
        threshold !== null && s("line", { class: "tick", x1: 100 * threshold, x2: 100 * threshold, y1: 0, y2: 10 }))),
    h("span", { class: "value" }, value.toFixed(2)),
    h("span", { class: "teacher" }, teacher === null ? "" : teacher ? "teacher: yes" : "teacher: no"));
}

/** Shares of groups as bars: [[label, share, note], ...]. */
export function bars(title, rows) {
  return h("figure", { class: "bars" }, h("figcaption", null, title),
    rows.map(([label, share, note]) => h("div", { class: "bar" },
      h("span", { class: "name", title: label }, label),
      h("span", { class: "meter" }, s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": true },
        s("rect", { class: "full", x: 0, y: 0, width: 100 * share, height: 10 }))),
      h("span", { class: "value" }, note))));
}

/**
 * What was predicted against how often it was so: a dot for each tenth, larger where there are more steps.
 * @param rows [[predicted, share, steps], ...]
 */
export function calibrationChart(title, rows, note) {
  const side = 220;
  const [x, y] = [(value) => 36 + value * (side - 56), (value) => side - 28 - value * (side - 40)];
  const most = Math.max(...rows.map(([, , steps]) => steps));
  const label = (value) => `${Math.round(100 * value)} %`;
  const grid = [0, 0.5, 1].map((at) => [
    s("line", { class: "grid", x1: x(at), x2: x(at), y1: y(0), y2: y(1) }), s("line", { class: "grid", x1: x(0), x2: x(1), y1: y(at), y2: y(at) }),
    s("text", { x: x(at), y: side - 12, class: "middle" }, label(at)), at > 0 && s("text", { x: x(0) - 5, y: y(at) + 3, class: "end" }, label(at))]);
  return h("figure", { class: "calibration" },
    s("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": `${title}: ${rows.map(([p, share]) => `predicted ${label(p)}, was so ${label(share)}`).join("; ")}` },
      grid, s("line", { class: "ideal", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
      s("polyline", { class: "line one", points: rows.map(([p, share]) => `${x(p)},${y(share)}`).join(" ") }),
      rows.map(([p, share, steps]) => s("circle", { class: "dot", cx: x(p), cy: y(share), r: 2 + 6 * Math.sqrt(steps / most) },
        s("title", null, `predicted ${label(p)}, was so in ${label(share)} of ${steps} steps`)))),
    h("figcaption", null, h("b", null, title), h("span", { class: "note" }, note)));
}
