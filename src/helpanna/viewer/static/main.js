import { showAnnotate } from "./annotate.js";
import { get, stored } from "./api.js";
import { showAssist } from "./assist.js";
import { showCompare } from "./compare.js";
import { h, put } from "./dom.js";
import { showFilm } from "./film.js";
import { showLive } from "./live.js";
import { showOverview } from "./overview.js";
import { showPlay } from "./play.js";
import { showTable } from "./table.js";

const PAGES = {
  watch: "Watch", compare: "Compare", overview: "Overview", live: "Live", play: "Play", assist: "Assist", annotate: "Annotate",
};
const main = document.getElementById("main");
let leave = null;

function theme(next) {
  if (next) {
    document.documentElement.dataset.theme = next;
    try { localStorage.setItem("theme", next); } catch { /* a page from a file may have no storage */ }
  }
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  return dark ? "dark" : "light";
}

function header(page, contents) {
  const pages = Object.entries(PAGES).filter(([name]) => {
    if (stored && !stored.pages.includes(name)) return false;
    if (name === "annotate") return contents.sources.length + contents.worlds.length > 0;
    if (["play", "live", "assist"].includes(name)) return contents.sources.length > 0;
    if (name === "compare") return contents.results.length > 1;
    return contents.results.length > 0;
  });
  const toggle = h("button", {
    class: "plain", type: "button", "aria-label": "Light or dark",
    title: "Light or dark", onclick: () => theme(theme() === "dark" ? "light" : "dark"),
  }, "◐");
  put(document.getElementById("top"),
    h("a", { class: "brand", href: "#/" }, "helpanna"),
    h("nav", { "aria-label": "Pages" }, pages.map(([name, label]) =>
      h("a", { href: `#/${name}`, "aria-current": name === page ? "page" : null }, label))),
    toggle);
}

async function route() {
  if (leave) leave();
  leave = null;
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
  put(main);
  const slow = setTimeout(() => {
    if (!main.hasChildNodes()) put(main, h("p", { class: "note", role: "status" }, "Loading …"));
  }, 250);
  try {
    const contents = await get("/api/contents");
    const page = parts[0] in PAGES ? parts[0] : contents.results.length ? "watch" : contents.sources.length ? "play" : "annotate";
    header(page, contents);
    document.title = `${PAGES[page]} – helpanna`;
    const rest = parts.slice(1);
    const numbers = rest.map(Number);
    if (page === "watch" && rest.length > 1) leave = await showFilm(main, contents, ...numbers);
    else if (page === "watch") leave = await showTable(main, contents, numbers[0] || 0);
    else if (page === "compare") leave = await showCompare(main, contents, ...numbers);
    else if (page === "overview") leave = await showOverview(main, contents, numbers[0] || 0, rest[1]);
    else if (page === "live") leave = await showLive(main, contents, rest[0], numbers[1] || 0);
    else if (page === "assist") leave = await showAssist(main, contents, rest[0]);
    else if (page === "annotate") leave = await showAnnotate(main, contents, ...rest);
    else leave = await showPlay(main, contents, rest[0]);
  } catch (error) {
    put(main, h("p", { class: "error", role: "alert" }, error.message), h("p", null, h("a", { href: "#/" }, "Back to the start")));
  } finally {
    clearTimeout(slow);
  }
}

try {
  const kept = localStorage.getItem("theme");
  if (kept) theme(kept);
} catch { /* no storage */ }
addEventListener("hashchange", route);
route();
