/* A robot file as a form. Every value is checked as it is typed; one that cannot be says so beside it. */
import { element } from "./dom.js";
import { refill } from "./fields.js";
import { soon } from "./pending.js";

const PAUSE = 350, OPEN = 3, WORDS = "words", PLACE = /^[\w-]+\.toml:\d+: /; // a line of the file says nothing beside a field
let count = 0;

/* `edit(edits, whole)` takes values, the newest last. Values that were refused are tried again with the next one: moments
   of inertia may be sound together where each alone is not. Open groups stay open. */
export function form(holder, groups, edit) {
  const refused = new Map();
  const before = new Map([...holder.querySelectorAll("details")].map((x) => [x.dataset.title, x.open]));
  refill(holder, ...groups.map(({ title, rows, note }, k) => {
    const group = element("details", { className: "group", open: before.get(title) ?? k < OPEN }, element("summary", { textContent: title }),
      ...(note ? [element("p", { className: "hint", textContent: note })] : []), ...rows.map((one) => row(title, one, edit, refused)));
    group.dataset.title = title;
    return group;
  }));
}

function row(title, { label, inputs, hint }, edit, refused) {
  const error = element("p", { className: "field-error", id: `error-${++count}`, role: "alert" });
  const parts = inputs.map((one) => {
    const unit = one.unit === WORDS ? "" : one.unit, beside = hint && inputs.length === 1;
    const about = `${title}: ${[label || "inertia", one.name].filter(Boolean).join(" ")}${unit ? ` [${unit}]` : ""}`;
    const caption = [one.name, !beside && unit && `[${unit}]`].filter(Boolean).join(" ");
    return element("span", { className: one.unit === WORDS ? "entry words" : "entry" }, control(one, about, error, edit, refused), element("span", { className: "unit", textContent: caption }));
  });
  return element("div", { className: "field", ...(hint ? { title: hint } : {}) },
    element("span", { className: "label", textContent: label }), element("span", { className: "entries" }, ...parts, ...(hint ? [element("span", { className: "hint", textContent: inputs.length === 1 && inputs[0].unit ? `${hint} [${inputs[0].unit}]` : hint })] : [])), error);
}

function control({ path, value, unit, options }, about, error, edit, refused) {
  const input = options
    ? element("select", {}, ...options.map((name) => element("option", { value: name, textContent: name, selected: name === value })))
    : element("input", { type: "text", value, spellcheck: false, autocomplete: "off" });
  input.dataset.path = path.join(".");
  input.setAttribute("aria-label", about);
  input.setAttribute("aria-describedby", error.id);
  const mark = (sentence) => {
    error.textContent = sentence;
    if (sentence) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  const check = async () => {
    const newest = { path, value: input.value, unit };
    refused.delete(input);
    const { together, sentence } = await edit([...[...refused.values()].map((x) => x.edit), newest], Boolean(options));
    mark(sentence.replace(PLACE, ""));
    if (sentence) refused.set(input, { edit: newest, mark });
    else if (together) {
      for (const before of refused.values()) before.mark("");
      refused.clear();
    }
  };
  input.addEventListener(options ? "change" : "input", soon(check, options ? 0 : PAUSE));
  return input;
}
