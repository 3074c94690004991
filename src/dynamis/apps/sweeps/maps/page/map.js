/* A map of cells under a pointer: colours, a section through a third axis, points in space. Data stand in the page. */
const data = JSON.parse(document.getElementById("data").textContent);
const STOPS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];
const NAMED = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [153, 153, 51]];
const LEFT = 62, RIGHT = 96, TOP = 12, BOTTOM = 46;
const axes = data.axes, solid = axes.length === 3, flat = axes.length === 1;
const holder = document.getElementById("map");
const state = { layer: 0, slice: 0, cell: null, turn: 0.6, tilt: 0.45 };

const make = (name, options = {}, ...children) => {
  const made = Object.assign(document.createElement(name), options);
  made.append(...children);
  return made;
};
const select = make("select", { id: "layer" }, ...data.layers.map((x, k) => make("option", { value: k, textContent: x.name })));
const about = make("p", { className: "about" });
const slider = make("input", { type: "range", min: 0, max: solid ? axes[2].bins - 1 : 0, step: 1, id: "slice" });
const height = make("output");
const map = make("canvas", { className: "cells", tabIndex: 0 });
const cloud = make("canvas", { className: "points", tabIndex: 0 });
const told = make("div", { className: "told" });
told.setAttribute("aria-live", "polite");
map.setAttribute("role", "img");
map.setAttribute("aria-label", "map of cells; arrow keys move from cell to cell");
cloud.setAttribute("aria-label", "the cells as points; arrow keys turn them");
const controls = make("div", { className: "controls" }, make("label", {}, "Layer ", select));
if (solid) controls.append(make("label", { className: "slice" }, `Section at ${axes[2].name} `, slider, height));
holder.replaceChildren(controls, about, make("div", { className: "views" }, map, solid ? cloud : told), ...(solid ? [told] : []));

const layer = () => data.layers[state.layer];
const centre = (axis, k) => axis.least + ((k + 0.5) * (axis.greatest - axis.least)) / axis.bins;
const place = (i, j, k) => (flat ? i : solid ? (i * axes[1].bins + j) * axes[2].bins + k : i * axes[1].bins + j);
const short = (v) => Number(v.toPrecision(4)).toString();
const ink = () => getComputedStyle(document.documentElement).getPropertyValue("--ink");
const soft = () => getComputedStyle(document.documentElement).getPropertyValue("--soft");

function colour(value) {
  const x = layer();
  if (x.names.length) return NAMED[(Math.round(value) - 1) % NAMED.length];
  const [a, b] = x.colours, t = Math.max(0, Math.min(1, b > a ? (value - a) / (b - a) : 0.5)) * (STOPS.length - 1);
  const k = Math.min(Math.floor(t), STOPS.length - 2);
  return STOPS[k].map((v, c) => Math.round(v + (t - k) * (STOPS[k + 1][c] - v)));
}
const paint = (value) => `rgb(${colour(value).join(",")})`;
const words = (x, value) => (value === null ? "no state" : x.names.length ? x.names[Math.round(value) - 1] : `${short(value)} ${x.unit}`.trim());

function sized(canvas, high) {
  const scale = window.devicePixelRatio || 1, wide = canvas.clientWidth || 600;
  [canvas.width, canvas.height] = [wide * scale, high * scale];
  canvas.style.height = `${high}px`;
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, wide, high);
  pen.font = "12px system-ui, sans-serif";
  return [pen, wide];
}

function ticks(a, b, count) {
  const raw = (b - a) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((v) => v >= raw);
  const found = [];
  for (let k = Math.ceil(a / step - 1e-9); k * step <= b * (1 + 1e-12) + 1e-12; k++) found.push(k * step);
  return found;
}

let frame = null;
function drawMap() {
  const high = 480, [pen, wide] = sized(map, high), x = layer(), [first, second] = axes;
  const room = wide - LEFT - RIGHT, tall = high - TOP - BOTTOM, rows = flat ? 1 : second.bins;
  const alike = !flat && first.unit === second.unit; // lengths look alike along both axes
  const inner = alike ? Math.min(room, (tall * (first.greatest - first.least)) / (second.greatest - second.least)) : room;
  frame = { inner, tall, rows };
  const dx = inner / first.bins, dy = tall / rows, bars = flat && !x.names.length && x.colours;
  const known = x.values.filter((v) => v !== null), [low, top] = bars ? [Math.min(0, ...known), Math.max(0, ...known) || 1] : [0, 1];
  const level = (v) => TOP + tall * (1 - (v - low) / (top - low));
  for (let i = 0; i < first.bins; i++) for (let j = 0; j < rows; j++) {
    const value = x.values[place(i, j, state.slice)];
    if (value === null) continue;
    pen.fillStyle = paint(value);
    if (bars) pen.fillRect(LEFT + i * dx, level(Math.max(value, 0)), dx + 0.6, Math.abs(level(value) - level(0)));
    else pen.fillRect(LEFT + i * dx, TOP + tall - (j + 1) * dy, dx + 0.6, dy + 0.6);
  }
  pen.strokeStyle = pen.fillStyle = ink();
  pen.strokeRect(LEFT, TOP, inner, tall);
  pen.textAlign = "center";
  for (const v of ticks(first.least, first.greatest, 6)) pen.fillText(short(v), LEFT + (inner * (v - first.least)) / (first.greatest - first.least), TOP + tall + 16);
  pen.fillText(`${first.variable} [${first.unit}]`, LEFT + inner / 2, TOP + tall + 36);
  if (bars) upward(pen, tall, ticks(low, top, 6), level, `${x.name} [${x.unit}]`);
  if (!flat) upward(pen, tall, ticks(second.least, second.greatest, 6), (v) => TOP + tall - (tall * (v - second.least)) / (second.greatest - second.least), `${second.variable} [${second.unit}]`);
  if (!bars) scaleOf(pen, x, LEFT + inner + 14, tall);
  if (state.cell) {
    const [i, j] = state.cell;
    pen.strokeStyle = "#d00000";
    pen.lineWidth = 2;
    pen.strokeRect(LEFT + i * dx - 1, TOP + tall - (j + 1) * dy - 1, dx + 2, dy + 2);
    pen.lineWidth = 1;
  }
}

function upward(pen, tall, marks, level, label) {
  pen.textAlign = "right";
  for (const v of marks) pen.fillText(short(v), LEFT - 6, level(v) + 4);
  pen.save();
  pen.translate(14, TOP + tall / 2);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillText(label, 0, 0, tall);
  pen.restore();
}

function scaleOf(pen, x, left, tall) {
  pen.textAlign = "left";
  if (x.names.length) {
    x.names.forEach((name, k) => {
      pen.fillStyle = paint(k + 1);
      pen.fillRect(left, TOP + 20 * k, 12, 12);
      pen.fillStyle = ink();
      pen.fillText(name, left + 17, TOP + 20 * k + 10, RIGHT - 34);
    });
    return;
  }
  if (!x.colours) return;
  const [a, b] = x.colours;
  for (let k = 0; k < tall; k++) {
    pen.fillStyle = paint(a + ((b - a) * k) / tall);
    pen.fillRect(left, TOP + tall - k - 1, 12, 1.5);
  }
  pen.fillStyle = ink();
  for (const v of b > a ? ticks(a, b, 5) : [a]) pen.fillText(short(v), left + 17, TOP + tall * (1 - (b > a ? (v - a) / (b - a) : 0.5)) + 4);
  pen.fillStyle = soft();
  pen.fillText(x.unit, left, TOP + tall + 16);
}

function drawPoints() {
  if (!solid) return;
  const high = 480, [pen, wide] = sized(cloud, high), x = layer();
  const reach = Math.max(...axes.flatMap((a) => [Math.abs(a.least), Math.abs(a.greatest)]));
  const unit = (0.46 * Math.min(wide, high)) / reach, [c, s, a, b] = [Math.cos(state.turn), Math.sin(state.turn), Math.cos(state.tilt), Math.sin(state.tilt)];
  const seen = ([u, v, w]) => [wide / 2 + unit * (-s * u + c * v), high / 2 - unit * (-b * c * u - b * s * v + a * w), a * c * u + a * s * v + b * w];
  const dots = [];
  for (let i = 0; i < axes[0].bins; i++) for (let j = 0; j < axes[1].bins; j++) for (let k = 0; k <= state.slice; k++) {
    const value = x.values[place(i, j, k)];
    if (value !== null) dots.push([...seen([centre(axes[0], i), centre(axes[1], j), centre(axes[2], k)]), value]);
  }
  dots.sort((p, q) => p[2] - q[2]);
  const size = Math.max(1.2, (0.42 * unit * (axes[0].greatest - axes[0].least)) / axes[0].bins);
  for (const [px, py, , value] of dots) {
    pen.fillStyle = paint(value);
    pen.beginPath();
    pen.arc(px, py, size, 0, 7);
    pen.fill();
  }
  pen.strokeStyle = pen.fillStyle = ink();
  axes.forEach((axis, k) => {
    const end = seen([0, 1, 2].map((n) => (n === k ? reach : 0))), start = seen([0, 0, 0]);
    pen.beginPath();
    pen.moveTo(start[0], start[1]);
    pen.lineTo(end[0], end[1]);
    pen.stroke();
    pen.fillText(axis.name, end[0] + 4, end[1] + 4);
  });
}

function tell() {
  if (!state.cell) return told.replaceChildren(make("p", { className: "about", textContent: "Point at a cell, or move with the arrow keys, to read its values." }));
  const [i, j] = state.cell, at = place(i, j, state.slice), list = make("dl");
  const add = (name, text) => list.append(make("dt", { textContent: name }), make("dd", { textContent: text }));
  add("cell", axes.map((axis, k) => `${axis.name} = ${short(centre(axis, [i, j, state.slice][k]))} ${axis.unit}`).join(", "));
  for (const x of data.layers) add(x.name, words(x, x.values[at]));
  const row = layer().states?.[at];
  if (row) add("its state", data.dimensions.map(([name, unit], k) => `${name} = ${short(row[k])} ${unit}`.trim().replaceAll(" ", "\u00a0")).join(", "));
  told.replaceChildren(list);
}

function draw() {
  about.textContent = layer().about;
  if (solid) height.textContent = `${short(centre(axes[2], state.slice))} ${axes[2].unit}; points up to it`;
  drawMap();
  drawPoints();
  tell();
}

function probe(event) {
  const box = map.getBoundingClientRect(), { inner, tall, rows } = frame;
  const i = Math.floor(((event.clientX - box.left - LEFT) / inner) * axes[0].bins), j = Math.floor((1 - (event.clientY - box.top - TOP) / tall) * rows);
  const inside = i >= 0 && j >= 0 && i < axes[0].bins && j < rows;
  if (inside) state.cell = [i, j];
  drawMap();
  tell();
}
map.addEventListener("pointermove", probe);
map.addEventListener("pointerdown", probe);
map.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  if (!step) return;
  event.preventDefault();
  const [i, j] = state.cell || [0, 0], rows = flat ? 1 : axes[1].bins;
  state.cell = [Math.max(0, Math.min(axes[0].bins - 1, i + step[0])), Math.max(0, Math.min(rows - 1, j + step[1]))];
  drawMap();
  tell();
});
let held = null;
cloud.addEventListener("pointerdown", (event) => {
  held = [event.clientX, event.clientY];
  cloud.setPointerCapture(event.pointerId);
});
cloud.addEventListener("pointerup", () => (held = null));
const turned = (dx, dy) => {
  state.turn -= dx;
  state.tilt = Math.max(-1.5, Math.min(1.5, state.tilt + dy));
  drawPoints();
};
cloud.addEventListener("pointermove", (event) => {
  if (!held) return;
  turned((event.clientX - held[0]) / 120, (event.clientY - held[1]) / 120);
  held = [event.clientX, event.clientY];
});
cloud.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
  if (step) (event.preventDefault(), turned(...step));
});
select.addEventListener("change", () => ((state.layer = Number(select.value)), draw()));
slider.addEventListener("input", () => ((state.slice = Number(slider.value)), draw()));
window.addEventListener("resize", draw);
if (solid) state.slice = slider.value = Math.floor(axes[2].bins / 2);
draw();
document.documentElement.dataset.ready = "yes";
