// A panorama that one can look around in: on a sphere by WebGL, or cut from the flat picture where there is none.

import * as THREE from "./vendor/three.module.min.js";
import { draw } from "./drawn.js";
import { h, put } from "./dom.js";

const FIELD = 75 * Math.PI / 180; // up and down
const HIGHEST = 1.2;

function wrap(angle) {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

function load(address) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("The picture cannot be shown."));
    image.src = address;
  });
}

/** The picture of a place: a photograph by its address, or a drawing of what is known. */
export async function sightOf(address, around) {
  return address ? load(address) : draw(await around());
}

export class Panorama {
  /** @param onWay is told the number of a way that was clicked; without it ways are only shown. */
  constructor(label, onWay = null) {
    this.heading = 0;
    this.elevation = 0;
    this.ways = [];
    this.onWay = onWay;
    this.canvas = h("canvas", { "aria-hidden": true });
    this.marks = h("div", { class: "ways" });
    this.caption = h("div", { class: "caption" });
    this.element = h("div", {
      class: "panorama", tabindex: 0, role: "group", "aria-label": label,
      title: "Drag to look around; with the keyboard: A and D, W and S",
    }, this.canvas, this.marks, this.caption);
    this.begin();
    this.listen();
    this.resizer = new ResizeObserver(() => this.draw());
    this.resizer.observe(this.element);
  }

  begin() {
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true });
      const shape = new THREE.SphereGeometry(10, 96, 64).scale(-1, 1, 1);
      this.material = new THREE.MeshBasicMaterial({ toneMapped: false });
      const sphere = new THREE.Mesh(shape, this.material);
      sphere.rotation.y = -Math.PI / 2; // the picture's middle lies straight ahead (-z): heading 0
      this.scene = new THREE.Scene().add(sphere);
      this.camera = new THREE.PerspectiveCamera(FIELD * 180 / Math.PI, 1, 0.1, 20);
    } catch {
      this.renderer = null;
      const fresh = h("canvas", { "aria-hidden": true });
      this.canvas.replaceWith(fresh);
      this.canvas = fresh;
    }
  }

  listen() {
    let from = null;
    this.element.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button")) return;
      from = [event.clientX, event.clientY];
      this.element.setPointerCapture(event.pointerId);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (!from) return;
      const scale = FIELD / this.element.clientHeight;
      this.look(this.heading - (event.clientX - from[0]) * scale, this.elevation + (event.clientY - from[1]) * scale);
      from = [event.clientX, event.clientY];
    });
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => { from = null; });
    this.element.addEventListener("keydown", (event) => {
      const turn = { a: [-1, 0], d: [1, 0], w: [0, 1], s: [0, -1] }[event.key.toLowerCase()];
      if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.look(this.heading + turn[0] * Math.PI / 12, this.elevation + turn[1] * Math.PI / 12);
    });
  }

  look(heading, elevation) {
    this.heading = wrap(heading);
    this.elevation = Math.max(-HIGHEST, Math.min(HIGHEST, elevation));
    this.draw();
  }

  /**
   * Shows a picture.
   * @param sight see `sightOf`
   * @param ways [{heading, elevation, metres, label, kind, number, share}, ...]; a share is a probability
   */
  show(sight, heading, elevation, ways = [], caption = "") {
    if (this.sight !== sight) {
      this.sight = sight;
      if (this.renderer) {
        this.material.map?.dispose();
        const texture = new THREE.Texture(sight);
        texture.colorSpace = THREE.SRGBColorSpace;
        texture.generateMipmaps = false;
        texture.minFilter = THREE.LinearFilter;
        texture.needsUpdate = true;
        this.material.map = texture;
        this.material.needsUpdate = true;
      }
    }
    this.ways = ways;
    put(this.caption, caption);
    this.mark(ways.map((way) => {
      const attributes = { class: `way ${way.kind ?? ""}`, title: way.label, "aria-label": way.label };
      const weighed = way.share !== undefined;
      if (weighed) attributes.class += " weighed";
      way.mark = this.onWay
        ? h("button", { ...attributes, type: "button", onclick: () => this.onWay(way.number) }, "↑")
        : h("span", { ...attributes, role: "img" }, "↑", weighed && h("small", null, `${Math.round(100 * way.share)} %`));
      if (weighed) way.mark.style.setProperty("--share", way.share.toFixed(3));
      return way.mark;
    }));
    this.look(heading, elevation);
  }

  forgetWays() {
    this.ways = [];
    this.mark([]);
  }

  /** Puts marks in place of the others; if one of those had the keyboard's focus, the panorama takes it. */
  mark(marks) {
    if (this.marks.contains(document.activeElement)) this.element.focus({ preventScroll: true });
    put(this.marks, marks);
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height || !this.sight) return;
    const dense = Math.min(devicePixelRatio, 2);
    if (this.renderer) {
      this.renderer.setPixelRatio(dense);
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      const level = Math.cos(this.elevation);
      this.camera.lookAt(Math.sin(this.heading) * level, Math.sin(this.elevation), -Math.cos(this.heading) * level);
      this.renderer.render(this.scene, this.camera);
    } else this.drawFlat(width * dense, height * dense);
    for (const way of this.ways) this.place(way, width, height);
    this.placeAside(width, height);
  }

  /** Ways with a share that are out of sight stand at the edge on their side, the most probable first. */
  placeAside(width, height) {
    for (const side of [-1, 1]) {
      const aside = this.ways.filter((way) => way.share !== undefined && way.mark.style.visibility === "hidden"
        && (Math.sign(wrap(way.heading - this.heading)) || 1) === side).sort((a, b) => b.share - a.share);
      const gap = Math.min(64, height / (aside.length + 1));
      aside.forEach((way, k) => {
        way.mark.firstChild.textContent = side < 0 ? "←" : "→";
        way.mark.style.visibility = "visible";
        way.mark.style.left = `${side < 0 ? 36 : width - 36}px`;
        way.mark.style.top = `${height / 2 + (k - (aside.length - 1) / 2) * gap}px`;
      });
    }
  }

  drawFlat(width, height) {
    this.canvas.width = width;
    this.canvas.height = height;
    const context = this.canvas.getContext("2d");
    const { width: w, height: hh } = this.sight;
    const part = FIELD / Math.PI * hh;
    const wide = part * width / height;
    const left = (this.heading / (2 * Math.PI) + 0.5) * w - wide / 2;
    const top = Math.max(0, Math.min(hh - part, (0.5 - this.elevation / Math.PI) * hh - part / 2));
    for (const shift of [-w, 0, w]) {
      context.drawImage(this.sight, 0, top, w, part, (shift - left) * width / wide, 0, w * width / wide, height);
    }
  }

  /** Puts the mark of a way where it leads, near the floor; behind one's back it is hidden. */
  place(way, width, height) {
    const elevation = Math.max(-1.3, way.elevation - Math.atan2(0.9, way.metres));
    let x, y, ahead;
    if (this.renderer) {
      const turn = wrap(way.heading - this.heading);
      const level = Math.cos(elevation);
      const side = Math.sin(turn) * level;
      const front = Math.cos(turn) * level;
      const up = Math.sin(elevation);
      const depth = front * Math.cos(this.elevation) + up * Math.sin(this.elevation);
      const rise = up * Math.cos(this.elevation) - front * Math.sin(this.elevation);
      const scale = height / 2 / Math.tan(FIELD / 2);
      ahead = depth > 0.05;
      x = width / 2 + side / depth * scale;
      y = height / 2 - rise / depth * scale;
    } else {
      x = width / 2 + wrap(way.heading - this.heading) * height / FIELD;
      y = height / 2 - (elevation - this.elevation) * height / FIELD;
      ahead = true;
    }
    if (way.share !== undefined) way.mark.firstChild.textContent = "↑";
    const seen = ahead && x > -20 && x < width + 20 && y > -20 && y < height + 40;
    way.mark.style.visibility = seen ? "visible" : "hidden";
    way.mark.style.left = `${x}px`;
    way.mark.style.top = `${Math.min(y, height - (way.share === undefined ? 24 : 48))}px`;
  }

  close() {
    this.resizer.disconnect();
    this.material?.map?.dispose();
    this.renderer?.dispose();
    this.renderer?.forceContextLoss?.();
  }
}
