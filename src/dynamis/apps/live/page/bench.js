/* The workbench of a model: the view in three dimensions, the sliders and the numbers, tied together.

   bench(data, model) gives { view, panel, numbers, stage, changed(key), draw(), follow(f), recolour() }: elements to be placed, and
   `follow` for whoever draws what the sliders change. */
import { element } from "./dom.js";
import { numbers } from "./numbers.js";
import { LAYERS, robotView } from "./robot-view.js";
import { sliders } from "./sliders.js";
import { rgb, viewer } from "./viewer.js";

const ON = ["meshes", "loads", "numbers"];
const ARROWS = ["loads", "weights", "forces", "moments"];
const ROLES = ["link", "base", "revolute", "prismatic", "tool", "payload", "axis", "com", "inertia", "load", "weight", "force", "moment"];

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

export function bench(data, model) {
  const canvas = element("canvas", { tabIndex: 0, className: "scene", role: "img", "aria-label": `${data.name} in three dimensions; arrow keys turn it, plus and minus zoom, 0 resets` });
  const labels = element("canvas", { className: "labels", "aria-hidden": "true" });
  const scale = element("p", { className: "scale", "aria-live": "polite" });
  const there = { meshes: data.figure.visuals?.length, loads: data.motion?.loads.length };
  const layers = Object.entries(LAYERS).filter(([name]) => !(name in there) || there[name]).map(([name, words]) => [name, element("input", { type: "checkbox", checked: ON.includes(name) }), words]);
  const toggles = element("fieldset", { className: "layers" }, element("legend", { textContent: "Show" }),
    ...layers.map(([, box, words]) => element("label", {}, box, ` ${words}`)));
  const stage = element("div", { className: "stage" }, canvas, labels);
  const hint = element("p", { className: "hint", textContent: "Drag to turn, Shift and drag to move, click and scroll to zoom, double-click to reset." });
  const panel = sliders(data, changed), shown = numbers(data), colours = {}, followers = [];
  const view = viewer(canvas, labels, data.figure), robot = robotView(data, colours);
  if (!view) stage.replaceChildren(element("p", { textContent: "This browser has no WebGL: the numbers follow the sliders, the view cannot be drawn." }));
  let state = null, waiting = 0, computed = true;

  /* The numbers follow at once, pictures with the next frame. */
  function changed(key) {
    const values = panel.values;
    if (key === "parameters" || key === "gravity" || key === "all") computed = false;
    state = stateOf(model, values);
    state.masses = data.links.map((link) => (link.mass[0] === "parameters" ? values.parameters[link.mass[1]] : link.mass[1]));
    shown.show(state);
    waiting ||= requestAnimationFrame(draw);
  }

  function draw() {
    cancelAnimationFrame(waiting);
    waiting = 0;
    const chosen = Object.fromEntries(layers.map(([name, box]) => [name, box.checked]));
    view?.draw(...robot.items(state, chosen));
    scale.textContent = ARROWS.some((name) => chosen[name]) ? robot.words(chosen) : "";
    for (const follower of followers) follower(!computed);
    computed = true;
  }

  /* Colours are those of the theme, once the canvas is on the page. */
  function recolour() {
    const style = getComputedStyle(canvas);
    for (const name of ROLES) colours[name] = rgb(style.getPropertyValue(`--${name}`));
    changed();
  }

  for (const [, box] of layers) box.addEventListener("change", () => changed());
  return {
    view: element("div", { className: "left" }, stage, hint, toggles, scale), panel, numbers: shown.element, stage, changed, draw, recolour,
    follow: (follower) => followers.push(follower), close: () => view?.close(), camera: view?.camera,
    /* From where another bench is looked at. */
    look: ({ camera }) => camera && view && Object.assign(view.camera, { azimuth: camera.azimuth, elevation: camera.elevation, zoom: camera.zoom }),
  };
}
