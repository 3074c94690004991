/* Fields whose values the window keeps: each has a label, a place in `state.form`, and tells whoever listens. */
import { element } from "./dom.js";
import { keep, state } from "./store.js";

/* The values of a tab, by name; `first` are those of a new window. */
export const valuesOf = (tab, first) => (state.form[tab] = { ...first, ...state.form[tab] });

export function choice(values, key, label, options, changed = () => {}) {
  const input = element("select", { name: key }, ...options.map((option) => {
    const [value, words] = Array.isArray(option) ? option : [option, option];
    return element("option", { value, textContent: words, selected: value === values[key] });
  }));
  if (!options.some((option) => (Array.isArray(option) ? option[0] : option) === values[key])) values[key] = input.value;
  return labelled(input, label, () => put(values, key, input.value, changed), "change");
}

export function check(values, key, label, changed = () => {}) {
  const input = element("input", { type: "checkbox", name: key, checked: Boolean(values[key]) });
  input.addEventListener("change", () => put(values, key, input.checked, changed));
  return element("label", { className: "check" }, input, ` ${label}`);
}

export function entry(values, key, label, { unit = "", hint = "", placeholder = "" } = {}, changed = () => {}) {
  const input = element("input", { type: "text", name: key, value: values[key] ?? "", placeholder, spellcheck: false, autocomplete: "off", ...(hint ? { title: hint } : {}) });
  return labelled(input, label, () => put(values, key, input.value, changed), "input", unit);
}

/* An option of a verb, as its declaration has it; `key` is its place among the values. */
export function optionField(values, x, key = x.name, changed = () => {}) {
  if (x.choices.length) return choice(values, key, x.label, x.usual === "" ? [["", "left to dynamis"], ...x.choices] : x.choices, changed);
  return entry(values, key, x.label, { unit: perJoint(x.unit), hint: x.help, placeholder: String(x.usual) }, changed);
}

/* Its name and unit stand above a field. */
function labelled(input, label, changed, event, unit = "") {
  input.addEventListener(event, changed);
  return element("label", { className: "labelled" }, element("span", { className: "caption", textContent: unit ? `${label} [${unit}]` : label }), input);
}

function put(values, key, value, changed) {
  values[key] = value;
  keep();
  changed();
}

export function action(textContent, click, { id = "", main = false } = {}) {
  const button = element("button", { type: "button", textContent, ...(id ? { id } : {}), className: main ? "main" : "" });
  button.addEventListener("click", click);
  return button;
}

/* Other children of a holder; the control that had the focus has it again, so that keys go on where they were. */
export function refill(holder, ...children) {
  const key = (x) => x.name || x.dataset.path || x.ariaLabel || x.textContent;
  const before = document.activeElement, like = () => [...holder.querySelectorAll("input, select, button, summary")].filter((x) => key(x) === key(before));
  const place = holder.contains(before) ? like().indexOf(before) : -1;
  holder.replaceChildren(...children);
  if (place >= 0) like()[place]?.focus({ preventScroll: true });
}

/* "rad or m" of a robot whose joints are all revolute, or all prismatic, is one of them. */
export function perJoint(unit = "") {
  const both = unit.split(" or ");
  return both.length === 2 && state.lengths?.length === 1 ? both[state.lengths[0] === "rad" ? 0 : 1] : unit;
}

/* Fields under each other in columns; `long`: one field over all columns, for a value of every joint, and its button. */
export const grid = (...parts) => element("div", { className: "grid" }, ...parts);
export const long = (...parts) => element("div", { className: "long" }, ...parts);
export const row = (...parts) => element("div", { className: "row" }, ...parts);
/* A menu whose choices fill the form: it forgets what was chosen. */
export function preset(label, names, chosen) {
  const input = element("select", {}, element("option", { value: "", textContent: "choose …" }), ...names.map((name) => element("option", { value: name, textContent: name })));
  return labelled(input, label, () => input.value && chosen(input.value), "change");
}
export const heading = (textContent) => element("h2", { textContent });
export const fold = (title, ...inside) => element("details", {}, element("summary", { textContent: title }), ...inside);
