/* A play bar over the samples of a motion, which moves the sliders and the cursors of the plots that follow it. */
import { element, floats } from "./dom.js";
import { between } from "./linear.js";

/* Times and states as Python packed them. */
export const unpacked = (samples) => Object.fromEntries(["t", "q", "qd", "qdd"].map((key) => [key, floats(samples[key])]));

/* `samples` are { t, q, qd, qdd } of n joints; gives { element, go(t), follow(drawing, name) }. */
export function player(samples, n, panel, changed) {
  const [start, end] = [samples.t[0], samples.t.at(-1)];
  const state = { t: start, playing: false, before: null };
  const drawings = new Map();

  const play = element("button", { type: "button", className: "play", textContent: "Play" });
  const bar = element("input", { type: "range", min: start, max: end, step: "any", value: start, "aria-label": "time of the motion [s]" });
  const clock = element("output", { className: "clock" });
  const speed = element("select", { "aria-label": "speed" }, ...[0.1, 0.25, 0.5, 1, 2, 4].map((x) => element("option", { value: x, textContent: `${x} ×`, selected: x === 1 })));
  const controls = element("div", { className: "player", role: "group", "aria-label": "player" }, play, bar, clock, element("label", {}, "speed ", speed));

  /* The state at a time, between two samples. */
  function at(t) {
    const [low, high, s] = between(samples.t, t);
    for (const key of ["q", "qd", "qdd"]) {
      for (let j = 0; j < n; j++) {
        const [a, b] = [samples[key][low * n + j], samples[key][high * n + j]];
        panel.set(key, j, a + s * (b - a));
      }
    }
  }

  function go(t) {
    state.t = Math.min(end, Math.max(start, t));
    bar.value = state.t;
    clock.textContent = `${state.t.toFixed(2)} / ${end.toFixed(2)} s`;
    at(state.t);
    for (const drawing of drawings.values()) drawing.cursor(state.t);
    changed();
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
  return { element: controls, go, follow, pause: () => run(false) };
}
