/* Files to take away: the report, code, data, the robot. */
import { element } from "./dom.js";
import { action, check, choice, entry, heading, row, valuesOf } from "./fields.js";
import { state } from "./store.js";
import { download } from "./told.js";
import { work } from "./work.js";

const DATA = { motion: "the motion", simulation: "the simulation", learning: "what was learned" };

export function exportTab(panel, menus) {
  const values = valuesOf("export", { report: "html", motion: true, target: "c", style: "fast", functions: "", what: "motion", data: "csv", robot: "toml" });
  const about = element("p", { className: "hint" });
  const tell = () => (about.textContent = menus.targets[values.target]);
  const get = (title, verb, data) => async () => {
    const file = await work(title, verb, { robot: state.robot, ...data() });
    if (file) download(file);
  };
  panel.replaceChildren(
    heading("Report"), element("p", { className: "hint", textContent: "One file that computes when it is opened, or the same on paper." }),
    row(choice(values, "report", "format", menus.reports), check(values, "motion", "with the motion of the tab Motion"),
      action("Download the report", get("writing the report", "report", () => ({ format: values.report, task: values.motion ? state.form.motion.text : "" })), { id: "get-report", main: true })),
    heading("Code"), row(choice(values, "target", "language", Object.keys(menus.targets), tell), choice(values, "style", "style", menus.styles),
      entry(values, "functions", "functions", { placeholder: "the usual ones", hint: "such as inverse_dynamics, mass_matrix" }),
      action("Download the code", get("writing code", "code", () => ({ target: values.target, style: values.style, functions: values.functions })), { id: "get-code", main: true })), about,
    heading("Data"), row(choice(values, "what", "samples of", Object.entries(DATA)), choice(values, "data", "format", ["csv", "json"]),
      action("Download the data", get("computing the data", "data", () => ({ what: values.what, format: values.data, task: state.form.motion.text, simulation: state.form.simulate.text, check: state.form.simulate.check, options: state.form.learn })), { id: "get-data", main: true })),
    heading("Robot"), row(choice(values, "robot", "format", ["toml", "urdf"]),
      action("Download the robot", get("writing the robot", "save", () => ({ kind: values.robot })), { id: "get-robot", main: true })));
  tell();
}
