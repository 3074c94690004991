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

/* `long`: as wide as its row, for a value of every joint. */
export function entry(values, key, label, { unit = "", hint = "", placeholder = "", long = false } = {}, changed = () => {}) {
  const input = element("input", { type: "text", name: key, value: values[key] ?? "", placeholder, spellcheck: false, autocomplete: "off", ...(hint ? { title: hint } : {}) });
  const made = labelled(input, label, () => put(values, key, input.value, changed), "input", unit);
  made.classList.toggle("long", long);
  return made;
}

function labelled(input, label, changed, event, unit = "") {
  input.addEventListener(event, changed);
  return element("label", {}, `${label} `, input, ...(unit ? [element("span", { className: "unit", textContent: unit })] : []));
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

export const row = (...parts) => element("div", { className: "row" }, ...parts);
export const heading = (textContent) => element("h2", { textContent });
export const fold = (title, ...inside) => element("details", {}, element("summary", { textContent: title }), ...inside);
