/* Gains that are turned: a slider over powers of ten around the value, and the value itself. */
import { element } from "./dom.js";
import { keep } from "./store.js";

const DECADES = 2, STEPS = 200;

export function gain(values, key, name, unit, changed) {
  const field = element("input", { type: "text", name: key, value: values[key] ?? "", spellcheck: false, "aria-label": `${name} [${unit}]` });
  const slider = element("input", { type: "range", min: -STEPS, max: STEPS, value: 0, "aria-label": `${name}, from a hundredth to a hundred times its value` });
  let centre = null;
  const numbers = () => field.value.split(",").map(Number);
  const single = () => field.value !== "" && numbers().every((x) => Number.isFinite(x));
  const put = () => {
    values[key] = field.value;
    keep();
  };
  field.addEventListener("input", () => {
    slider.value = 0;
    centre = null;
    slider.disabled = !single();
    put();
    changed();
  });
  slider.addEventListener("input", () => {
    centre ??= numbers();
    field.value = centre.map((x) => Number((x * 10 ** ((DECADES * slider.value) / STEPS)).toPrecision(3))).join(", ");
    put();
  });
  slider.addEventListener("change", () => {
    centre = null;
    slider.value = 0;
    changed();
  });
  slider.disabled = !single();
  return element("div", { className: "gain" }, element("span", { className: "name", textContent: name }), slider, field, element("span", { className: "unit", textContent: unit }));
}
