/* A robot file as a form. Every value is checked as it is typed; one that cannot be says so beside it. */
import { latest } from "./api.js";
import { element } from "./dom.js";

const PAUSE = 350, OPEN = 3;
let count = 0;

/* `edit(path, value, unit, whole)` gives a sentence, empty where all is well. Open groups stay open. */
export function form(holder, groups, edit) {
  const before = new Map([...holder.querySelectorAll("details")].map((x) => [x.dataset.title, x.open]));
  holder.replaceChildren(...groups.map(({ title, rows, note }, k) => {
    const group = element("details", { className: "group", open: before.get(title) ?? k < OPEN }, element("summary", { textContent: title }),
      ...(note ? [element("p", { className: "hint", textContent: note })] : []), ...rows.map((one) => row(title, one, edit)));
    group.dataset.title = title;
    return group;
  }));
}

function row(title, { label, inputs, hint }, edit) {
  const error = element("p", { className: "field-error", id: `error-${++count}`, role: "alert" });
  const parts = inputs.map((one) => {
    const about = `${title}: ${[label || "inertia", one.name].filter(Boolean).join(" ")}${one.unit ? ` [${one.unit}]` : ""}`;
    const caption = [one.name, one.unit && `[${one.unit}]`].filter(Boolean).join(" ");
    return element("span", { className: one.words ? "entry words" : "entry" }, control(one, about, error, edit), element("span", { className: "unit", textContent: caption }));
  });
  return element("div", { className: "field", ...(hint ? { title: hint } : {}) },
    element("span", { className: "label", textContent: label }), element("span", { className: "entries" }, ...parts, ...(hint ? [element("span", { className: "hint", textContent: hint })] : [])), error);
}

function control({ path, value, unit, options }, about, error, edit) {
  const input = options
    ? element("select", {}, ...options.map((name) => element("option", { value: name, textContent: name, selected: name === value })))
    : element("input", { type: "text", value, spellcheck: false, autocomplete: "off" });
  input.dataset.path = path.join(".");
  input.setAttribute("aria-label", about);
  input.setAttribute("aria-describedby", error.id);
  const check = latest(async () => {
    const sentence = await edit(path, input.value, unit, Boolean(options));
    error.textContent = sentence;
    if (sentence) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  });
  let pause = 0;
  input.addEventListener(options ? "change" : "input", () => {
    clearTimeout(pause);
    pause = setTimeout(check, options ? 0 : PAUSE);
  });
  return input;
}
