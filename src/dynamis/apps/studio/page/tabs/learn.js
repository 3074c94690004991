/* Learning: the torque of the motion, trial by trial, with a model that may be wrong. */
import { element, table, written } from "../dom.js";
import { action, fold, grid, heading, optionField, row, valuesOf } from "../fields.js";
import { plot } from "../plot.js";
import { showSamples } from "../side.js";
import { state } from "../store.js";
import { put } from "../told.js";
import { tellNotes, work } from "../work.js";

/* What stands in the form at once; the other options of the verb are folded. */
const FIRST = ["law", "first", "mass_error", "trials", "patience", "period", "gain", "kp", "kd", "lp", "ld", "noise", "cutoff"];

export function learnTab(panel, menus, { listen }) {
  const values = valuesOf("learn", { trials: "8", period: "0.005", law: "feedback", first: "model", mass_error: "20", keep: "error" });
  const told = element("div", { className: "told", id: "learning" }), live = element("div", { id: "trials" }), runs = element("div", { className: "row" });
  panel.replaceChildren(heading("Learn"),
    element("p", { className: "hint", textContent: "The motion is that of the Motion tab. Each trial adds the feedback torque of the one before; the model of the first torque may be wrong." }),
    grid(...FIRST.map((name) => optionField(values, menus.forms.learn.find((x) => x.name === name)))),
    fold("More options", grid(...menus.forms.learn.filter(({ name }) => !FIRST.includes(name)).map((x) => optionField(values, x)))),
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
