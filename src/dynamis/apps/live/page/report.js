/* A live report: the bench of the model, the motion, the plots and the equations, tied together. */
import { bench } from "./bench.js";
import { element } from "./dom.js";
import { equations } from "./equations.js";
import { loadModel } from "./model.js";
import { motionPanel } from "./motion.js";
import { onPaper } from "./paper.js";
import { plot } from "./plot.js";
import { themes } from "./theme.js";

const data = JSON.parse(document.getElementById("data").textContent);
const part = (id) => document.getElementById(id);

async function main() {
  const model = await loadModel(data), work = bench(data, model);
  part("live-model").replaceChildren(element("div", { className: "bench" }, work.view, work.panel.element), work.numbers);
  const motion = data.motion && part("live-motion") ? motionPanel(data, model, work.panel, work.changed) : null;
  const charts = [...document.querySelectorAll("figure[data-chart]")].map((holder) => plot(data.charts[holder.dataset.chart], holder.querySelector(".chart")));
  if (motion) {
    work.stage.after(motion.controls);
    part("live-motion").replaceChildren(motion.element);
    motion.compute();
    charts.forEach((drawing) => motion.follow(drawing));
  }
  const formulas = equations(data, [...document.querySelectorAll("section.values")]);
  const put = part("put-values");
  work.follow((parametersMoved) => {
    if (parametersMoved) motion?.compute();
    if (put?.checked) formulas.show(work.panel.values);
  });
  put?.addEventListener("change", () => (put.checked ? formulas.show(work.panel.values) : formulas.hide()));
  for (const fold of document.querySelectorAll("section.values details")) fold.addEventListener("toggle", () => put?.checked && formulas.show(work.panel.values));
  themes(part("theme"), work.recolour);
  onPaper(data, work);
  work.recolour();
  if (motion) motion.go(data.motion.t[0]);
  document.documentElement.dataset.ready = "yes";
}

main();
