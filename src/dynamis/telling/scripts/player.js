/* A play bar over a motion, and the cursors of the plots that follow it. */
import { element, floats } from "./dom.js";
import { between } from "./linear.js";

/* Times and states as Python packed them. */
export const unpacked = (samples) => Object.fromEntries(["t", "q", "qd", "qdd"].map((key) => [key, floats(samples[key])]));

/* `show(t)` of a motion whose samples are { t, q, qd, qdd } of n joints: the sliders have its state, between two samples. */
export const onSliders = (samples, n, panel, changed) => (t) => {
  const [low, high, s] = between(samples.t, t);
  for (const key of ["q", "qd", "qdd"]) {
    for (let j = 0; j < n; j++) {
      const [a, b] = [samples[key][low * n + j], samples[key][high * n + j]];
      panel.set(key, j, a + s * (b - a));
    }
  }
  changed();
};

/* Over ascending times, whose state `show(t)` shows; events { t, what } are marks on the bar.

   Gives { element, go(t), now(), toggle(), follow(drawing, name) }. */
export function player(times, show, { own = 1, events = [] } = {}) {
  const [start, end] = [times[0], times.at(-1)];
  const state = { t: start, playing: false, before: null };
  const drawings = new Map();

  const play = element("button", { type: "button", className: "play", textContent: "Play" });
  const bar = element("input", { type: "range", min: start, max: end, step: "any", value: start, "aria-label": "time of the motion [s]" });
  const clock = element("output", { className: "clock" });
  const speeds = [...new Set([0.1, 0.25, 0.5, 1, 2, 4, own])].sort((a, b) => a - b);
  const speed = element("select", { "aria-label": "speed" }, ...speeds.map((x) => element("option", { value: x, textContent: `${Number(x.toPrecision(3))} ×`, selected: x === own })));
  const marks = events.map(({ t, what }) => element("i", { title: `${t.toFixed(3)} s: ${what}` }));
  marks.forEach((mark, k) => (mark.style.left = `${end > start ? (100 * (events[k].t - start)) / (end - start) : 0}%`)); // a policy forbids attributes
  const controls = element("div", { className: "player", role: "group", "aria-label": "player" }, play, element("div", { className: "line" }, bar, element("div", { className: "marks" }, ...marks)), clock, element("label", {}, "speed ", speed));

  function go(t) {
    state.t = Math.min(end, Math.max(start, t));
    bar.value = state.t;
    clock.textContent = `${state.t.toFixed(3)} / ${end.toFixed(3)} s`;
    for (const drawing of drawings.values()) drawing.cursor(state.t);
    show(state.t);
  }

  function run(on) {
    if (on && state.t >= end) state.t = start;
    Object.assign(state, { playing: on, before: null });
    play.textContent = on ? "Pause" : "Play";
    if (on) requestAnimationFrame(frame);
  }

  function frame(now) {
    if (!state.playing) return;
    const passed = state.before === null ? 0 : (now - state.before) / 1000;
    state.before = now;
    go(state.t + passed * Number(speed.value));
    if (state.t >= end) run(false);
    else requestAnimationFrame(frame);
  }

  play.addEventListener("click", () => run(!state.playing));
  bar.addEventListener("input", () => {
    run(false);
    go(Number(bar.value));
  });

  /* A drawing that takes the place of one before it has that one's name. */
  function follow(drawing, name = drawing) {
    drawings.set(name, drawing);
    drawing.cursor(state.t);
  }
  return { element: controls, go, follow, now: () => state.t, toggle: () => run(!state.playing) };
}
