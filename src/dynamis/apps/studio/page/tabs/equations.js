/* The equations of motion: derived step by step, copied as LaTeX, proved; and the user's own, checked line by line. */
import { answerBox } from "../answer.js";
import { element } from "../dom.js";
import { action, check, choice, entry, grid, heading, row, valuesOf } from "../fields.js";
import { state } from "../store.js";
import { put } from "../told.js";
import { say, work } from "../work.js";

export function equationsTab(panel, menus, { listen }) {
  const values = valuesOf("equations", { method: "energies", notation: "dynamis", values: "symbols", steps: true, explain: false, only: "", whole: false, spatial: false, seconds: "" });
  const told = element("div", { className: "told", id: "derivation" }), proofs = element("div", { className: "told", id: "proofs" });
  const status = element("p", { className: "hint", role: "status" });
  const next = action("Next step", step, { id: "next-step" }), all = action("All steps", () => open(true)), none = action("Fold", () => open(false));
  const tools = row(next, all, none, action("Copy as LaTeX", copy, { id: "copy-latex" }));
  tools.hidden = true;
  tools.classList.add("tools");
  panel.replaceChildren(heading("Derive"),
    grid(choice(values, "method", "method", menus.methods), choice(values, "notation", "notation", menus.notations), choice(values, "values", "parameters", menus.values),
      entry(values, "only", "only these entries", { placeholder: "everything", hint: "such as M[1,2], c[2], T[0,2], separated by commas" }), entry(values, "seconds", "time limit", { unit: "s", placeholder: "60", hint: "time for the closed form" })),
    row(check(values, "steps", "every step"), check(values, "explain", "explain terms"), check(values, "whole", "whole formulas"), check(values, "spatial", "in three dimensions")),
    row(action("Derive", derive, { id: "derive", main: true }), action("Prove", prove, { id: "prove" }), tools), status, told, proofs, heading("Check my answer"), answerBox(values));

  async function derive() {
    const result = await work("deriving", "derive", { robot: state.robot, ...values });
    if (!result) return;
    put(told, result);
    status.textContent = result.stopped;
    tools.hidden = false;
    if (values.steps) step();
    else open(true);
    next.hidden = !values.steps;
  }

  const steps = () => [...told.querySelectorAll("details.step")];
  function step() {
    const first = steps().find((one) => !one.open);
    if (!first) return;
    first.open = true;
    first.scrollIntoView({ block: "nearest" });
    next.disabled = steps().every((one) => one.open);
  }
  function open(all) {
    for (const one of steps()) one.open = all;
    next.disabled = all;
  }

  async function copy() {
    const result = await work("writing LaTeX", "latex", { robot: state.robot, ...values });
    if (!result) return;
    try {
      await navigator.clipboard.writeText(result.text);
      status.textContent = `LaTeX copied to the clipboard (${result.text.length} characters).`;
    } catch {
      // A browser that does not hand out the clipboard: the text is shown, and selected.
      const text = element("textarea", { rows: 8, value: result.text, readOnly: true, "aria-label": "LaTeX" });
      status.replaceChildren("The browser does not allow the clipboard; copy the text from here: ", text);
      text.select();
    }
  }

  async function prove() {
    const result = await work("proving", "prove", { robot: state.robot, ...values });
    if (!result) return;
    put(proofs, result);
    if (!result.holds) say("not every law was proved; the table shows which");
    proofs.scrollIntoView({ block: "nearest" });
  }

  let robot = null;
  listen((shown) => {
    if (shown.robot.text === robot) return;
    robot = shown.robot.text;
    for (const one of [told, proofs]) one.replaceChildren();
    tools.hidden = true;
    status.textContent = "";
  });
}
