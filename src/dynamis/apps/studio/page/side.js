/* The model beside the tabs: view, play bar, sliders, numbers. Whoever computes a motion shows it here. */
import { bench } from "./bench.js";
import { element } from "./dom.js";
import { loadModel } from "./model.js";
import { motionPanel } from "./motion.js";
import { onSliders, player, unpacked } from "./player.js";

const holder = document.getElementById("side");
let now = null, turn = 0;

/* What was unfolded and what is shown, by the words beside it, stays so in the next model. */
function look() {
  const words = (x) => x.textContent.trim();
  const folds = new Map([...holder.querySelectorAll("details")].map((x) => [words(x.firstElementChild), x.open]));
  const boxes = new Map([...holder.querySelectorAll(".layers label")].map((x) => [words(x), x.firstElementChild.checked]));
  return () => {
    for (const x of holder.querySelectorAll("details")) x.open = folds.get(words(x.firstElementChild)) ?? x.open;
    for (const x of holder.querySelectorAll(".layers label")) x.firstElementChild.checked = boxes.get(words(x)) ?? x.firstElementChild.checked;
  };
}

/* The model of a robot; states of the sliders stay unless it is another robot (`fresh`). */
export async function showModel(data, why = "", fresh = false) {
  const mine = ++turn;
  if (!data) {
    now?.close();
    now = null;
    return holder.replaceChildren(element("p", { className: "note", textContent: `No model: ${why}` }));
  }
  const model = await loadModel(data);
  if (mine !== turn) return null;
  const work = bench(data, model), before = now;
  if (!fresh && before && before.panel.values.q.length === work.panel.values.q.length) {
    for (const key of ["q", "qd", "qdd"]) before.panel.values[key].forEach((x, k) => work.panel.set(key, k, x));
    if (before.data.figure.flat === data.figure.flat) work.look(before);
  }
  const notes = data.stand_ins?.length ? [element("p", { className: "note", textContent: `no values for ${data.stand_ins.join(", ")}: the view uses values of its own` })] : [];
  const numbers = element("details", {}, element("summary", { textContent: "Torques, M, C, reactions, energies" }), work.numbers);
  const sliders = element("details", { open: window.innerWidth > 1000 }, element("summary", { textContent: "Sliders" }), work.panel.element);
  const restore = look();
  holder.replaceChildren(...notes, work.view, sliders, numbers);
  restore();
  before?.close();
  now = { ...work, data, model };
  work.recolour();
  document.documentElement.dataset.ready = "yes";
  return now;
}

/* The samples of a simulation or of a trial, under a play bar; `charts` follow it. */
export async function showSamples(data, samples, charts = []) {
  const work = await showModel(data);
  if (!work) return;
  const taken = unpacked(samples), played = player(taken.t, onSliders(taken, data.joints.length, work.panel, work.changed));
  work.stage.after(played.element);
  charts.forEach((chart) => played.follow(chart));
  played.go(0);
}

/* A motion with its torque budget, which is computed anew when a slider moves; gives its panel. */
export async function showMotion(data, charts = []) {
  const work = await showModel(data);
  if (!work) return null;
  const motion = motionPanel(data, work.model, work.panel, work.changed);
  work.stage.after(motion.controls);
  work.follow((parametersMoved) => parametersMoved && motion.compute());
  motion.compute();
  charts.forEach((chart) => motion.follow(chart));
  motion.go(data.motion.t[0]);
  return motion.element;
}

export const recolour = () => now?.recolour();
export const positions = () => (now ? Array.from(now.panel.values.q) : []);
