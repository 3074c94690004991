/* Learning: the torque of the motion, trial by trial, with a model that may be wrong. */
import { element, table, written } from "../dom.js";
import { action, choice, entry, grid, heading, row, valuesOf } from "../fields.js";
import { plot } from "../plot.js";
import { showSamples } from "../side.js";
import { state } from "../store.js";
import { put } from "../told.js";
import { tellNotes, work } from "../work.js";

export function learnTab(panel, menus, { listen }) {
  const values = valuesOf("learn", { trials: "8", period: "0.005", law: "feedback", first: "model", gain: "1", mass_error: "20", kp: "", kd: "", cutoff: "", noise: "", patience: "4" });
  const told = element("div", { className: "told", id: "learning" }), live = element("div", { id: "trials" }), runs = element("div", { className: "row" });
  panel.replaceChildren(heading("Learn"),
    element("p", { className: "hint", textContent: "The motion is that of the Motion tab. Each trial adds the feedback torque of the one before; the model of the first torque may be wrong." }),
    grid(choice(values, "law", "law", menus.laws), choice(values, "first", "first torque", menus.first), entry(values, "mass_error", "model mass error", { unit: "%" }), entry(values, "trials", "trials"),
      entry(values, "patience", "patience", { unit: "trials" }), entry(values, "period", "period", { unit: "s" }), entry(values, "gain", "learning gain"), entry(values, "kp", "kp", { placeholder: "suggested" }),
      entry(values, "kd", "kd", { placeholder: "suggested" }), entry(values, "lp", "lp", { placeholder: "for pd-type" }), entry(values, "ld", "ld", { placeholder: "for pd-type" }),
      entry(values, "noise", "noise of q, qd", { placeholder: "none", unit: "SD" }), entry(values, "cutoff", "cut-off", { placeholder: "none", unit: "Hz" })),
    row(action("Learn", run, { id: "run-learning", main: true })),
    live, runs, told);

  /* A row and a point for every trial, as it comes. */
  function show(trials) {
    const rows = trials.map(({ number, error, distance }) => [String(number), error === null ? "diverged" : error.toExponential(2), distance === null ? "–" : `${written(100 * distance, 2)} %`]);
    const chart = element("figure", { className: "chart" }), shown = trials.filter(({ error }) => error > 0);
    live.replaceChildren(table(["trial", "error, RMS [rad or m]", "torque off by"], rows, "Trial by trial").element, chart);
    if (shown.length > 1) plot({ title: "", caption: "error by trial", columns: 1, height: 130, order: [], panels: [{ title: "", x: "trial", y: "RMS error", log: true, whole: true, marks: [{ kind: "line", x: shown.map(({ number }) => number), y: shown.map(({ error }) => error), look: "solid", dotted: true, label: "" }] }] }, chart);
  }

  async function run() {
    const trials = [];
    for (const one of [live, runs, told]) one.replaceChildren();
    const result = await work("learning", "learn", { robot: state.robot, task: state.form.motion.text, options: values }, ({ trial }) => {
      if (!trial) return;
      trials.push(trial);
      show(trials);
    });
    if (!result) return;
    const charts = put(told, result, true);
    const play = (name) => showSamples(result.live, result.samples[name], charts);
    runs.replaceChildren(action("Play the first trial", () => play("first"), { id: "play-first" }), action(`Play the best trial (${result.best})`, () => play("best"), { id: "play-best" }));
    await play("best");
    tellNotes(result.notes);
  }
  let robot = null;
  listen((shown) => {
    if (robot !== shown.robot.text) for (const one of [live, runs, told]) one.replaceChildren();
    robot = shown.robot.text;
  });
}
