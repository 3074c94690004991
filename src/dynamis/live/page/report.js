/* A live report: the model, its sliders, the view, the numbers, the motion, the plots and the equations, tied together. */
import { element } from "./dom.js";
import { equations } from "./equations.js";
import { loadModel } from "./model.js";
import { motionPanel } from "./motion.js";
import { numbers } from "./numbers.js";
import { plot } from "./plot.js";
import { LAYERS, robotView } from "./robot-view.js";
import { sliders } from "./sliders.js";
import { rgb, viewer } from "./viewer.js";

const ON = ["numbers"];
const data = JSON.parse(document.getElementById("data").textContent);
const part = (id) => document.getElementById(id);

/* Light, dark, or as the system has it. */
function themes(button, changed) {
  const names = ["auto", "light", "dark"];
  const show = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
    changed();
  };
  let now = 0;
  button.addEventListener("click", () => show(names[(now = (now + 1) % names.length)]));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

const ROLES = ["link", "base", "revolute", "prismatic", "tool", "payload", "axis", "com", "inertia", "weight", "force", "moment"];
function palette(canvas, colours) {
  const style = getComputedStyle(canvas);
  for (const name of ROLES) colours[name] = rgb(style.getPropertyValue(`--${name}`));
  return colours;
}

/* Everything that the model says of the state of the sliders. */
function stateOf(model, values) {
  const call = (name) => model.call(name, values), n = values.q.length;
  const { M } = call("mass_matrix"), { tau } = call("inverse_dynamics");
  const inertial = values.q.map((_, i) => values.qdd.reduce((sum, x, j) => sum + M[i * n + j] * x, 0));
  return {
    tau, M, inertial, C: call("coriolis_matrix").C, c: call("coriolis_torque").c, g: call("gravity_torque").g,
    T: call("kinetic_energy").T[0], U: call("potential_energy").U[0], reactions: call("reactions"),
    poses: call("link_poses").poses, motions: call("link_motions"), gravity: values.gravity,
  };
}

async function main() {
  const live = part("live-model"), model = await loadModel(data);
  const canvas = element("canvas", { tabIndex: 0, className: "scene", role: "img", "aria-label": `${data.name} in three dimensions; arrow keys turn it, plus and minus zoom, 0 resets` });
  const labels = element("canvas", { className: "labels", "aria-hidden": "true" });
  const scale = element("p", { className: "scale", "aria-live": "polite" });
  const layers = Object.entries(LAYERS).map(([name, words]) => [name, element("input", { type: "checkbox", checked: ON.includes(name) }), words]);
  const toggles = element("fieldset", { className: "layers" }, element("legend", { textContent: "Show" }),
    ...layers.map(([, box, words]) => element("label", {}, box, ` ${words}`)));
  const stage = element("div", { className: "stage" }, canvas, labels);
  const panel = sliders(data, changed), shown = numbers(data), colours = {};
  const left = element("div", { className: "left" }, stage, element("p", { className: "hint", textContent: "Drag to turn, Shift and drag to move, click and scroll to zoom, double-click to reset." }), toggles, scale);
  live.replaceChildren(element("div", { className: "bench" }, left, panel.element), shown.element);
  const view = viewer(canvas, labels, data.figure), robot = robotView(data, colours);
  if (!view) stage.replaceChildren(element("p", { textContent: "This browser has no WebGL: the numbers follow the sliders, the view cannot be drawn." }));
  let state = null, waiting = false, computed = true;

  /* The numbers follow at once, pictures with the next frame. */
  function changed(key) {
    const values = panel.values;
    if (key === "parameters" || key === "gravity" || key === "all") computed = false;
    state = stateOf(model, values);
    state.masses = data.links.map((link) => (link.mass[0] === "parameters" ? values.parameters[link.mass[1]] : link.mass[1]));
    shown.show(state);
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  }

  function draw() {
    waiting = false;
    const chosen = Object.fromEntries(layers.map(([name, box]) => [name, box.checked]));
    view?.draw(...robot.items(state, chosen));
    scale.textContent = chosen.weights || chosen.forces || chosen.moments ? robot.words() : "";
    if (motion && !computed) motion.compute();
    computed = true;
    if (put?.checked) formulas.show(panel.values);
  }

  const motion = data.motion && part("live-motion") ? motionPanel(data, model, panel, changed) : null;
  if (motion) {
    stage.after(motion.controls);
    part("live-motion").replaceChildren(motion.element);
    motion.compute();
  }
  const charts = [...document.querySelectorAll("figure[data-chart]")].map((holder) => plot(data.charts[holder.dataset.chart], holder.querySelector(".chart")));
  if (motion) charts.forEach(motion.follow);
  const formulas = equations(data, [...document.querySelectorAll("section.values")]);
  const put = part("put-values");
  put?.addEventListener("change", () => (put.checked ? formulas.show(panel.values) : formulas.hide()));
  for (const fold of document.querySelectorAll("section.values details")) fold.addEventListener("toggle", () => put?.checked && formulas.show(panel.values));
  for (const [, box] of layers) box.addEventListener("change", () => changed());
  themes(part("theme"), () => {
    palette(canvas, colours);
    changed();
  });
  /* Everything is unfolded on paper. */
  const folds = [...document.querySelectorAll("main details")];
  let open = [];
  window.addEventListener("beforeprint", () => {
    open = folds.map((fold) => fold.open);
    for (const fold of folds) fold.open = true;
  });
  window.addEventListener("afterprint", () => folds.forEach((fold, k) => (fold.open = open[k])));
  palette(canvas, colours);
  if (motion) motion.go(data.motion.t[0]);
  else changed();
  document.documentElement.dataset.ready = "yes";
}

main();
