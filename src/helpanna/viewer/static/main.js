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
let visits = 0;

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

/** Fills a page; what ends it, or null. */
function show(page, root, contents, rest) {
  const numbers = rest.map(Number);
  if (page === "watch" && rest.length > 1) return showFilm(root, contents, ...numbers);
  if (page === "watch") return showTable(root, contents, numbers[0] || 0);
  if (page === "compare") return showCompare(root, contents, ...numbers);
  if (page === "overview") return showOverview(root, contents, numbers[0] || 0, rest[1]);
  if (page === "live") return showLive(root, contents, rest[0], numbers[1] || 0);
  if (page === "assist") return showAssist(root, contents, rest[0]);
  if (page === "annotate") return showAnnotate(root, contents, ...rest);
  return showPlay(root, contents, rest[0]);
}

async function route() {
  leave?.();
  leave = null;
  visits += 1;
  const mine = visits;
  const root = h("div", { class: "page" }); // of this visit: a page that comes late must not overwrite the next
  put(main, root);
  const slow = setTimeout(() => {
    if (!root.hasChildNodes()) put(root, h("p", { class: "note", role: "status" }, "Loading …"));
  }, 250);
  let ends = null;
  try {
    const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
    const contents = await get("/api/contents");
    if (mine !== visits) return;
    const page = parts[0] in PAGES ? parts[0] : contents.results.length ? "watch" : contents.sources.length ? "play" : "annotate";
    header(page, contents);
    document.title = `${PAGES[page]} – helpanna`;
    ends = await show(page, root, contents, parts.slice(1));
  } catch (error) {
    put(root, h("p", { class: "error", role: "alert" }, error.message), h("p", null, h("a", { href: "#/" }, "Back to the start")));
  } finally {
    clearTimeout(slow);
  }
  if (mine !== visits) ends?.();
  else {
    leave = ends;
    // The link that led here is gone: the keyboard goes on at the content.
    if (mine > 1 && document.activeElement === document.body) main.focus({ preventScroll: true });
  }
}

try {
  const kept = localStorage.getItem("theme");
  if (kept) theme(kept);
} catch { /* no storage */ }
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault(); // what stands after # is the place of the page
  main.focus();
});
addEventListener("hashchange", route);
route();
