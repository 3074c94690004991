/* Files to take away: the report, code, data, the robot. */
import { element } from "../dom.js";
import { action, check, choice, entry, grid, heading, row, valuesOf } from "../fields.js";
import { state } from "../store.js";
import { download } from "../told.js";
import { work } from "../work.js";

const DATA = { motion: "the motion", simulation: "the simulation", learning: "the learning" };

export function exportTab(panel, menus) {
  const values = valuesOf("export", { report: "html", motion: true, target: "c", style: "fast", functions: "", what: "motion", data: "csv", robot: "toml" });
  const about = element("p", { className: "hint" });
  const tell = () => (about.textContent = menus.targets[values.target]);
  const get = (title, verb, data) => async () => {
    const file = await work(title, verb, { robot: state.robot, ...data() });
    if (file) download(file);
  };
  const file = (title, verb, words, data, ...more) => row(action(`Download the ${title}`, get(words, verb, data), { id: `get-${title}`, main: true }), ...more);
  panel.replaceChildren(
    heading("Report"), element("p", { className: "hint", textContent: "One file that still computes when it is opened, or the same as a document." }),
    grid(choice(values, "report", "format", menus.reports)),
    file("report", "report", "writing the report", () => ({ format: values.report, task: values.motion ? state.form.motion.text : "" }), check(values, "motion", "with the motion of the Motion tab")),
    heading("Code"), about, grid(choice(values, "target", "language", Object.keys(menus.targets), tell), choice(values, "style", "style", menus.styles),
      entry(values, "functions", "functions", { placeholder: "the usual ones", hint: "such as inverse_dynamics, mass_matrix" })),
    file("code", "code", "writing code", () => ({ target: values.target, style: values.style, functions: values.functions })),
    heading("Data"), grid(choice(values, "what", "samples of", Object.entries(DATA)), choice(values, "data", "format", ["csv", "json"])),
    file("data", "data", "computing the data", () => ({ what: values.what, format: values.data, task: state.form.motion.text, simulation: state.form.simulate.text, check: state.form.simulate.check, options: state.form.learn })),
    heading("Robot"), grid(choice(values, "robot", "format", ["toml", "urdf"])),
    file("robot", "save", "writing the robot", () => ({ kind: values.robot })));
  tell();
}
