/* A simulation: free or under a controller whose gains are turned; played beside, with its energy. */
import { element } from "../dom.js";
import { action, check, choice, entry, fold, grid, heading, long, optionField, perJoint, preset, refill, row, valuesOf } from "../fields.js";
import { gain } from "../gains.js";
import { positions, showSamples } from "../side.js";
import { keep, state } from "../store.js";
import { ahead, list, takeTool } from "../task-form.js";
import { put } from "../told.js";
import { say, tellNotes, work } from "../work.js";

const STANDARD = { kp: "60", kd: "15", ki: "20", rate: "5", adaptation: "1", gain: "50" };
/* Drawn by hand; every other option that a simulation file may have is folded below. */
const DRAWN = ["duration", "start.q", "start.qd", "control.goal"];
const SAMPLED = { "gravity-learning": { period: "0.001" } };
const GOALS = [["point", "a point"], ["motion", "the motion of the Motion tab"]];

export function simulateTab(panel, menus, { listen }) {
  const values = valuesOf("simulate", { control: "pd-gravity", goalKind: "point", duration: "3", joints: 0, q: "", qd: "", goal: "", live: true, check: false, typed: false, text: "" });
  const holder = element("div"), told = element("div", { className: "told", id: "simulation" });
  const text = element("textarea", { rows: 14, spellcheck: false, id: "simulation-text", "aria-label": "simulation file" }), own = element("p", { className: "hint" });
  panel.replaceChildren(heading("Simulate"), holder, fold("Simulation file", own, text),
    row(action("Simulate", run, { id: "run-simulation", main: true }), check(values, "live", "run again when a gain is turned"), check(values, "check", "check with a second run")), told);
  const more = menus.forms.simulate.filter(({ file }) => file && !DRAWN.includes(file));
  more.push({ name: "mass_error", label: "mass error", file: "control.mass_error", unit: "%", help: "of all masses in the model of the law", choices: [], usual: "" });
  const laws = [["", "free motion"], ["torque", "constant torques"], ...menus.controllers.filter(({ gains }) => !gains.inner).map(({ name }) => name)];

  text.addEventListener("input", () => {
    Object.assign(values, { text: text.value, typed: true });
    keep();
    show();
  });

  const law = () => menus.controllers.find(({ name }) => name === values.control);
  const own_goal = () => "goal" in (law()?.gains ?? {});
  const array = (x) => (/[,]/.test(x) && !x.includes("[") ? `[${x}]` : x), quoted = (x) => (/^[a-z]/i.test(x) ? JSON.stringify(x) : array(x));
  /* The lines of the options of a table of the file; the first options of all stand in none. */
  function chosen(table) {
    const own = more.filter(({ file }) => file.split(".").slice(0, -1).join(".") === table);
    return own.flatMap((x) => {
      const value = values[`more ${x.name}`] || (table === "control" && SAMPLED[values.control]?.[x.name]);
      return value && value !== String(x.usual) ? [`${x.file.split(".").at(-1)} = ${quoted(value)}`] : [];
    });
  }
  function written() {
    const lines = [];
    const follows = law() && !own_goal() && values.goalKind === "motion";
    if (!follows) lines.push(`duration = ${values.duration}`, "");
    const motion = state.form.motion?.text ?? "";
    const head = follows ? motion.slice(0, Math.max(0, motion.indexOf("["))).trim() : "";
    if (head) lines.push(head, "");
    if (chosen("").length) lines.push(...chosen(""), "");
    if (!follows) lines.push("[start]", `q = [${values.q}]`, ...(values.qd ? [`qd = [${values.qd}]`] : []), "");
    if (values.control === "torque") lines.push("[control]", 'kind = "torque"', `torque = [${values.torque ?? ""}]`, "");
    if (law()) {
      lines.push("[control]", `kind = "${values.control}"`);
      for (const key of [...Object.keys(law().gains), ...Object.keys(law().options)]) {
        const value = values[`${values.control} ${key}`];
        if (value) lines.push(`${key} = ${quoted(value)}`);
      }
      lines.push(...chosen("control"));
      if (!own_goal() && !follows) lines.push(`goal = [${values.goal}]`);
      lines.push("");
    }
    for (const table of ["integrator", "limits"]) if (chosen(table).length) lines.push(`[${table}]`, ...chosen(table), "");
    if (follows) lines.push(motion.slice(Math.max(0, motion.indexOf("["))));
    return `${lines.join("\n").trim()}\n`;
  }

  function change() {
    Object.assign(values, { text: written(), typed: false });
    keep();
    show();
  }
  function turned() {
    change();
    if (values.live && told.firstChild) run();
  }
  function show() {
    if (document.activeElement !== text) text.value = values.text;
    own.textContent = values.typed ? "This file was typed or loaded; changing the form above replaces it." : "";
  }

  function draw() {
    const take = (key) => action("from the sliders", () => {
      values[key] = list(positions());
      change();
      draw();
    });
    const redrawn = () => {
      change();
      draw();
    };
    const aimed = law() && !own_goal(), follows = aimed && values.goalKind === "motion";
    const parts = [grid(choice(values, "control", "control", laws, redrawn), ...(aimed ? [choice(values, "goalKind", "goal", GOALS, redrawn)] : []),
      ...(follows ? [] : [entry(values, "duration", "duration", { unit: "s" }, change)]),
      preset("shipped simulation", Object.keys(menus.simulations), (name) => {
        Object.assign(values, { text: menus.simulations[name], typed: true });
        keep();
        show();
      }))];
    if (law()) parts.push(element("p", { className: "hint", textContent: law().description }));
    if (values.control === "torque") parts.push(long(entry(values, "torque", "torques", { unit: perJoint("N m or N") }, change)));
    if (!follows) parts.push(
      long(entry(values, "q", "start q", { unit: perJoint("rad or m") }, change), take("q")),
      long(entry(values, "qd", "start qd", { placeholder: "0", unit: perJoint("rad/s or m/s") }, change)));
    if (aimed && !follows) parts.push(long(entry(values, "goal", "goal q", { unit: perJoint("rad or m") }, change), take("goal")));
    if (law()) {
      const gains = Object.entries(law().gains), options = Object.entries(law().options);
      for (const [key] of gains) values[`${values.control} ${key}`] ??= values.control === "computed-torque" ? { kp: "100", kd: "20" }[key] : STANDARD[key] ?? "";
      if (own_goal()) parts.push(long(entry(values, `${values.control} goal`, "goal of the tool", { unit: law().gains.goal, placeholder: "x, y, z" }, change), takeTool(values, `${values.control} goal`, redrawn)));
      parts.push(element("div", { className: "gains" }, ...gains.filter(([key]) => key !== "goal").map(([key, unit]) => gain(values, `${values.control} ${key}`, key, perJoint(unit), turned))));
      if (options.length) parts.push(grid(...options.map(([key, unit]) => entry(values, `${values.control} ${key}`, key.replaceAll("_", " "), { unit: perJoint(unit) }, change))));
    }
    const shown = more.filter(({ file }) => law() || !file.startsWith("control."));
    parts.push(fold("More options", grid(...shown.map((x) => optionField(values, { ...x, usual: SAMPLED[values.control]?.[x.name] ?? x.usual }, `more ${x.name}`, change)))));
    refill(holder, ...parts);
    show();
  }

  async function run() {
    if (!values.typed) values.text = written();
    show();
    const result = await work("simulating", "simulate", { robot: state.robot, simulation: values.text, check: values.check });
    if (!result) return;
    await showSamples(result.live, result.samples, put(told, result, true));
    if (result.why) say(result.why);
    else tellNotes(result.notes);
  }

  let robot = null;
  listen((shown, fresh) => {
    const q = shown.live ? shown.live.sliders.q.map((x) => x.value) : shown.joints.map(() => 0.2);
    if (values.joints !== shown.n || (fresh && !values.typed)) Object.assign(values, { joints: shown.n, q: list(q), qd: "", goal: list(ahead(shown, q, 0.5)), torque: list(q.map(() => 0)), typed: false });
    if (!values.typed) values.text = written();
    if (robot !== shown.robot.text) told.replaceChildren();
    robot = shown.robot.text;
    draw();
  });
}
