/* The robot: from the menu, from a file, from a D-H table; its values in a form, its file as text; saved. */
import { Failure, ask } from "../api.js";
import { dhTable } from "../dh-table.js";
import { element } from "../dom.js";
import { form } from "../form.js";
import { settled, soon } from "../pending.js";
import { showModel } from "../side.js";
import { state } from "../store.js";
import { download, put } from "../told.js";
import { say, work } from "../work.js";

const PAUSE = 400, MOST_BYTES = 20e6, MOST_UNDO = 50;
const SUFFIXES = ".toml,.urdf,.xml";

export function robotTab(panel, menus, { changed }) {
  const shipped = element("select", { id: "shipped", "aria-label": "robots that ship with dynamis" }, element("option", { value: "", textContent: "Shipped robots …" }),
    ...menus.robots.map((name) => element("option", { value: name, textContent: name })));
  const file = element("input", { type: "file", id: "open", accept: SUFFIXES, hidden: true });
  const button = (textContent, click, id = "") => {
    const made = element("button", { type: "button", textContent, ...(id ? { id } : {}) });
    made.addEventListener("click", click);
    return made;
  };
  const undo = button("Undo", back, "undo");
  const bar = element("div", { className: "row" }, shipped, button("Open file …", () => file.click()), file,
    button("Save TOML", () => save("toml"), "save-toml"), button("Save URDF", () => save("urdf"), "save-urdf"), undo);
  const fields = element("div", { className: "form" }), checks = element("div", { className: "told" });
  const text = element("textarea", { id: "robot-text", spellcheck: false, rows: 24, "aria-label": "robot file", "aria-describedby": "robot-text-error" });
  const problem = element("p", { id: "robot-text-error", className: "field-error", role: "alert" });
  const warnings = element("div");
  const fold = (title, ...inside) => element("details", {}, element("summary", { textContent: title }), ...inside);
  panel.replaceChildren(bar, warnings, fields,
    fold("Robot file", element("p", { className: "hint", textContent: "The same robot as text: change it here, and the form follows." }), text, problem),
    fold("New arm from a D-H table", dhTable((table) => load("the D-H table", "table", table))),
    fold("Checks", checks));
  const past = [];

  /* What the studio tells of a robot; the form is drawn anew unless one of its fields is being typed in. `fresh`: another
     robot, which begins with postures of its own. */
  function show(shown, { typing = false, fresh = false } = {}) {
    if (state.robot && state.robot.text !== shown.robot.text) past.push(state.robot);
    if (past.length > MOST_UNDO) past.shift();
    undo.disabled = !past.length;
    changed(shown, fresh);
    if (document.activeElement !== text) text.value = shown.robot.text;
    problem.textContent = "";
    text.removeAttribute("aria-invalid");
    const open = shown.missing.length ? [`no value for ${shown.missing.join(", ")}: equations need none, motions and simulations do; give them under Parameters`] : [];
    state.warnings = shown.warnings;
    warnings.replaceChildren(...[...new Set([...shown.warnings, ...shown.notes, ...open])].map((words) => element("p", { className: "warning", textContent: words })));
    if (!typing) form(fields, shown.form, edit);
    put(checks, shown.checks);
    return showModel(shown.live, shown.why, fresh);
  }

  async function load(title, verb, data, fresh = true) {
    const shown = await work(`reading ${title}`, verb, data);
    shipped.value = ""; // a menu to load from, which says nothing of the robot that is shown
    if (shown) await show(shown, { fresh });
    return Boolean(shown);
  }

  /* Values of the file, the newest last: whether the ones before it went along, or a sentence where it cannot be. */
  async function edit(edits, whole) {
    try {
      const shown = await ask("edit", { robot: state.robot, edits });
      await show(shown, { typing: !whole });
      return { together: shown.together, sentence: "" };
    } catch (error) {
      if (error instanceof Failure) return { together: false, sentence: error.message };
      throw error;
    }
  }

  const check = async () => {
    try {
      await show(await ask("open", { robot: { name: state.robot.name, text: text.value } }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problem.textContent = error.message;
      text.setAttribute("aria-invalid", "true");
    }
  };
  text.addEventListener("input", soon(check, PAUSE));

  shipped.addEventListener("change", () => shipped.value && load(shipped.value, "shipped", { name: shipped.value }));
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    if (!SUFFIXES.split(",").some((suffix) => chosen.name.toLowerCase().endsWith(suffix))) return say(`${chosen.name} is not a robot file; open a .toml or .urdf file`);
    if (chosen.size > MOST_BYTES) return say(`${chosen.name} has ${(chosen.size / 1e6).toFixed(0)} MB; a robot file has at most ${MOST_BYTES / 1e6}`);
    load(chosen.name, "open", { robot: { name: chosen.name, text: await chosen.text() } });
  });

  async function save(kind) {
    const saved = await work(`saving ${kind.toUpperCase()}`, "save", { robot: state.robot, kind });
    if (saved) download(saved);
  }

  async function back() {
    await settled();
    const before = past.pop();
    if (!before) return;
    state.robot = before; // so that what is undone is not kept as the past
    await load(before.name, "open", { robot: before }, false);
  }

  return {
    async start(first) {
      const kept = state.robot && (await load(state.robot.name, "open", { robot: state.robot }, false));
      if (!kept) await load(first, "shipped", { name: first });
    },
  };
}
