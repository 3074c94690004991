/* The sliders of a model, each with a field for its number: { element, values(), set(key, k, value), reset() }. */
import { element } from "./dom.js";

const TITLES = { q: "Positions", qd: "Velocities", qdd: "Accelerations", payload: "Payload", masses: "Masses",
  lengths: "Lengths", gravity: "Gravity", "other parameters": "Other parameters" };
const OPEN = ["q", "payload"];

/* A number as a field has room for it. */
const digits = (x) => (x && Math.abs(x) < 1e-3 ? x.toExponential(2).replace(/\.?0+e/, "e") : String(Number(x.toPrecision(Math.abs(x) < 0.1 ? 4 : 5))));

export function sliders(data, changed) {
  const values = Object.fromEntries(Object.entries(data.sliders).map(([key, all]) => [key, all.map((x) => x.value)]));
  const rows = Object.fromEntries(Object.keys(values).map((key) => [key, []]));
  const groups = new Map(Object.keys(TITLES).map((name) => [name, []]));
  for (const key of ["q", "qd", "qdd", "parameters", "gravity"]) {
    data.sliders[key].forEach((slider, k) => groups.get(slider.group)?.push(row(key, k, slider)));
  }

  function row(key, k, slider) {
    const step = Number(((slider.high - slider.low) / 1000).toPrecision(1));
    const about = `${slider.name}: ${slider.meaning}${slider.unit ? ` [${slider.unit}]` : ""}`;
    const range = element("input", { type: "range", min: slider.low, max: slider.high, step: "any", title: about, "aria-label": about });
    const field = element("input", { type: "number", step, title: about, "aria-label": `${about}, as a number` });
    const short = slider.name.replace("payload.com.", "CoM ").replace("payload.", "").replace("gravity.", "");
    const degrees = slider.unit === "rad" ? element("span", { className: "degrees" }) : null;
    const unit = element("span", { className: "unit", textContent: slider.unit });
    const show = () => {
      const x = values[key][k];
      if (document.activeElement !== field) field.value = digits(x);
      range.value = x;
      if (degrees) degrees.textContent = Math.abs(x) > 1e3 ? "" : `${((180 * x) / Math.PI).toFixed(0).replace("-", "−")}°`;
    };
    range.addEventListener("input", () => move(key, k, Number(range.value)));
    range.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (!by) return;
      event.preventDefault();
      move(key, k, Math.min(slider.high, Math.max(slider.low, values[key][k] + 5 * by * step)));
    });
    field.addEventListener("input", () => field.value !== "" && Number.isFinite(Number(field.value)) && move(key, k, Number(field.value)));
    field.addEventListener("blur", show);
    rows[key][k] = show;
    show();
    return element("div", { className: "slider" }, element("span", { className: "name", textContent: short, title: about }), range, field, unit, ...(degrees ? [degrees] : []));
  }

  function move(key, k, value) {
    values[key][k] = value;
    rows[key][k]?.();
    changed(key, k);
  }

  function reset() {
    for (const [key, all] of Object.entries(data.sliders)) all.forEach((slider, k) => set(key, k, slider.value));
    changed("all");
  }

  /* Without telling: for whoever moves many. */
  function set(key, k, value) {
    values[key][k] = value;
    rows[key][k]?.();
  }

  const parts = [...groups].filter(([, inside]) => inside.length).map(([name, inside]) =>
    element("details", { open: OPEN.includes(name) }, element("summary", { textContent: TITLES[name] }), ...inside));
  const back = element("button", { type: "button", textContent: "Reset all" });
  back.addEventListener("click", reset);
  return { element: element("div", { className: "sliders" }, ...parts, back), values, set, reset, find: (name) => data.sliders.parameters.findIndex((x) => x.name === name) };
}
