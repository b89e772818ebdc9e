// Elements are made of names and text. Nothing here reads text as HTML, so no file can smuggle in markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** An HTML element: h("p", {class: "note"}, "text", otherElement). */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Puts these children in place of all others. */
export function put(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

/** A choice among [[value, label], ...]. */
export function choice(label, options, value, onChange) {
  const select = h("select", { onchange: () => onChange(select.value) },
    options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)));
  return h("label", { class: "field" }, h("span", null, label), select);
}

export const number = (value, digits = 1) =>
  value === null || value === undefined ? "–" : Number(value).toFixed(digits);

export const percent = (value) =>
  value === null || value === undefined ? "–" : `${(100 * value).toFixed(1)} %`;

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
