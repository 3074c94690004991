/* A film: the robot frame after frame under a play bar, beside the values of its joints. */
import { element, table } from "./dom.js";
import { add, along, ball, between, frame, norm, roundLength, scaled } from "./linear.js";
import { player } from "./player.js";
import { cube, cylinder, drum, sphere } from "./solids.js";
import { rgb, viewer } from "./viewer.js";

const film = JSON.parse(document.getElementById("data").textContent);
const { times, joints, figure } = film, end = times.at(-1), r = 0.05 * figure.size;
const turning = joints.filter((joint) => joint.revolute).length;
const measure = turning === joints.length ? "rad" : turning ? "rad or m" : "m";

const canvas = element("canvas", { tabIndex: 0, className: "scene", role: "img", "aria-label": `${film.name} in three dimensions; arrow keys turn it, plus and minus zoom, 0 resets` });
const labels = element("canvas", { className: "labels", "aria-hidden": "true" });
const stage = element("div", { className: "stage" }, canvas, labels);
const values = table(["joint", measure, ...(turning ? ["degrees"] : [])], joints.map(({ name }, j) => [`${j + 1}  ${name}`, "", ...(turning ? [""] : [])]));
const happened = element("p", { id: "event", "aria-live": "polite" });
const played = player(times, show, { own: film.speed, events: film.events });
document.getElementById("film").replaceChildren(
  element("h1", { textContent: film.name }),
  element("p", { id: "about", textContent: `${film.control}, ${Number(end.toPrecision(4))} s${film.goal ? "; pale: the goal" : ""}; squares of ${roundLength(figure.size / 2)} m` }),
  element("div", { className: "bench" }, element("div", { className: "left" }, stage, played.element, happened), values.element),
  element("p", { className: "hint", textContent: "Drag to turn, Shift and drag to move, click and scroll to zoom, double-click to reset; the space bar plays." }));
const view = viewer(canvas, labels, figure);
if (!view) stage.replaceChildren(element("p", { textContent: "This browser has no WebGL: the values of the joints are played, the robot cannot be drawn. As .gif or .mp4 a film needs none." }));

/* A row of the frames at a time, between two of them; a goal that stands still has one. */
function row(rows, t) {
  const [low, high, s] = rows.length === 1 ? [0, 0, 0] : between(times, t);
  return rows[low].map((x, k) => x + s * (rows[high][k] - x));
}

const vectors = (flat, size) => Array.from({ length: flat.length / 3 }, (_, k) => scaled(flat.slice(3 * k, 3 * k + 3), size));

function items(t, colours) {
  const found = [], solid = (mesh, at, colour) => found.push({ mesh, at, colour, shadow: true });
  const bones = (points, radius, put) => {
    for (const [a, b] of figure.segments) {
      const way = add(points[b], points[a], -1), long = norm(way);
      if (long > 1e-6 * figure.size) put(cylinder, along(way, points[a], radius, long));
      for (const k of [a, b]) put(sphere, ball(points[k], radius));
    }
  };
  const points = vectors(row(film.points, t), film.unit), axes = film.axes && vectors(row(film.axes, t), 1e-3);
  bones(points, 0.5 * r, (mesh, at) => solid(mesh, at, colours.link));
  joints.forEach(({ revolute, point }, j) => {
    const axis = axes ? axes[j] : figure.axes[2], at = points[point];
    const wide = revolute ? r : 0.75 * r, long = revolute ? 1.8 * r : 2.2 * r;
    const m = along(axis, add(at, axis, -0.5 * long), wide, long);
    if (revolute) solid(drum, m, colours.revolute);
    else solid(cube, frame(scaled(m.slice(0, 3), 1), m.slice(4, 7), scaled(axis, 0.5 * long), at), colours.prismatic);
  });
  solid(sphere, ball(points[figure.tip], 0.6 * r), colours.tool);
  const kept = film.held && film.held[Math.floor((end > 0 ? t / end : 0) * (film.held.length - 1) + 1e-9)];
  if (kept) solid(sphere, ball(points[figure.tip], 1.3 * r), colours.payload);
  if (film.goal) {
    bones(vectors(row(film.goal, t), film.unit), 0.4 * r, (mesh, at) => found.push({ mesh, at, colour: colours.base, alpha: 0.3 }));
  }
  return [found, points[figure.tip]];
}

/* Where the tip has been. */
function trail(t, tip) {
  const [low, , s] = between(times, t);
  const passed = film.path.slice(0, Math.floor((low + s) * film.finer) + 1);
  return [...passed.map((point) => scaled(point, film.unit)), tip];
}

function show(t) {
  const style = getComputedStyle(canvas), now = (name) => style.getPropertyValue(`--${name}`);
  const colours = Object.fromEntries(["link", "base", "revolute", "prismatic", "tool", "payload"].map((name) => [name, rgb(now(name) || "#888888")]));
  const [solids, tip] = items(t, colours), axes = [0, 1, 2].map((k) => [0, 1, 2].map((i) => (i === k ? 0.35 * figure.size : 0)));
  view?.draw(solids, axes.map((at, k) => ({ text: "xyz"[k], at })), [
    ...axes.map((at) => ({ points: [[0, 0, 0], at], colour: now("soft") })), { points: trail(t, tip), colour: now("c1") }]);
  const q = row(film.q, t);
  joints.forEach(({ revolute }, j) => {
    values.cells[j][0].textContent = q[j].toFixed(3);
    if (revolute) values.cells[j][1].textContent = ((q[j] * 180) / Math.PI).toFixed(1);
  });
  const past = film.events.filter((event) => event.t <= t).pop();
  happened.textContent = film.ended && t >= end ? `ended early: ${film.ended}` : past ? `${past.t.toFixed(3)} s: ${past.what}` : "";
}

document.addEventListener("keydown", (event) => {
  if (event.code !== "Space" || !["BODY", "CANVAS"].includes(document.activeElement.tagName)) return;
  event.preventDefault();
  played.toggle();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => played.go(played.now()));
played.go(0);
document.documentElement.dataset.ready = "yes";
