// A panorama drawn from what is known of a place, for buildings without pictures. Equirectangular, like the
// photographs: the middle column looks along heading 0, the heading grows to the right.

const WIDTH = 2048;
const HEIGHT = 1024;
const TURN = 2 * Math.PI;

const across = (heading) => (((heading / TURN + 0.5) % 1) + 1) % 1 * WIDTH;
const down = (elevation) => (0.5 - elevation / Math.PI) * HEIGHT;
const pixels = (angle) => angle / TURN * WIDTH;

function hue(text) {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return sum;
}

function wrap(context, text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (context.measureText(longer).width <= width || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function write(context, text, x, y, width, style) {
  context.font = style.font;
  const lines = wrap(context, text, width);
  const height = style.size * 1.2;
  context.textAlign = "center";
  context.textBaseline = "middle";
  lines.forEach((line, i) => {
    const at = y + (i - (lines.length - 1) / 2) * height;
    context.lineWidth = 5;
    context.strokeStyle = style.halo;
    context.strokeText(line, x, at);
    context.fillStyle = style.ink;
    context.fillText(line, x, at);
  });
}

/** A canvas with the panorama of a place: see `around` of the server. */
export function draw(around) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext("2d");
  const shade = context.createLinearGradient(0, 0, 0, HEIGHT);
  [[0, "#f7f4ee"], [0.3, "#efeadf"], [0.32, "#e4ddcc"], [0.64, "#d9d0bb"], [0.66, "#b9a98a"], [1, "#8d7d60"]]
    .forEach(([at, colour]) => shade.addColorStop(at, colour));
  context.fillStyle = shade;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.strokeStyle = "#c9bfa8";
  context.lineWidth = 1;
  for (let k = 0; k < 12; k += 1) {
    const x = across(k * TURN / 12);
    context.beginPath();
    context.moveTo(x, HEIGHT * 0.31);
    context.lineTo(x, HEIGHT * 0.65);
    context.stroke();
  }
  // Everything near the edge is drawn on both sides of it.
  const thrice = (x, paint) => [x - WIDTH, x, x + WIDTH].forEach(paint);

  for (const [heading, elevation, metres, kind] of around.ways) {
    const far = Math.max(metres, 1.5);
    const half = pixels(Math.atan2(0.42, far));
    const top = down(elevation + Math.atan2(0.55, far));
    const foot = down(elevation - Math.atan2(1.45, far));
    thrice(across(heading), (x) => {
      context.fillStyle = "#fffdf799";
      context.strokeStyle = "#1f6f8b";
      context.lineWidth = 4;
      context.beginPath();
      context.roundRect(x - half, top, 2 * half, foot - top, [half, half, 0, 0]);
      context.fill();
      context.stroke();
      write(context, `${kind ? `${kind}, ` : ""}${metres.toFixed(1)} m`, x, down(elevation - 0.1), Math.max(2 * half - 8, 90),
        { font: "bold 19px sans-serif", size: 19, ink: "#0f4a5e", halo: "#ffffffdd" });
    });
  }
  (around.captions ?? []).forEach((row, level) => row.forEach((text, k) => {
    thrice(across(k * TURN / 8), (x) => write(context, text, x, down((level - 1) * 0.62 + (level === 1 ? 0.2 : 0)), 215,
      { font: `italic ${level === 1 ? 19 : 16}px sans-serif`, size: level === 1 ? 19 : 16, ink: "#4c4534", halo: "#efe9dccc" }));
  }));
  for (const [heading, elevation, metres, radius, kind] of around.objects) {
    const half = Math.min(pixels(Math.atan2(Math.max(radius, 0.08), Math.max(metres, 0.3))), 240);
    thrice(across(heading), (x) => {
      const y = down(elevation);
      context.fillStyle = `hsl(${hue(kind)} 45% 62% / 0.75)`;
      context.strokeStyle = `hsl(${hue(kind)} 50% 32%)`;
      context.lineWidth = 3;
      context.beginPath();
      context.roundRect(x - half, y - half * 0.8, 2 * half, half * 1.6, Math.min(14, half / 2));
      context.fill();
      context.stroke();
      write(context, kind, x, y, Math.max(2 * half, 110), { font: "bold 20px sans-serif", size: 20, ink: "#211c12", halo: "#ffffffcc" });
    });
  }
  return canvas;
}
