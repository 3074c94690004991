/* A page on paper: everything unfolded, in light colours, and in words what the sliders say. */
import { element } from "./dom.js";

export function onPaper(data, work) {
  const words = element("p", { className: "printed" }), folds = [...document.querySelectorAll("main details")], root = document.documentElement;
  let open = [], theme;
  work.stage.after(words);

  window.addEventListener("beforeprint", () => {
    [open, theme] = [folds.map((fold) => fold.open), root.dataset.theme];
    for (const fold of folds) fold.open = true;
    root.dataset.theme = "light";
    words.textContent = state(data.sliders, work.panel.values);
    work.recolour();
    work.draw();
    const [scene, labels] = work.stage.querySelectorAll("canvas"), pen = labels?.getContext("2d");
    if (!pen) return;
    /* What WebGL has just drawn is not yet what a printer sees: the labels' canvas takes it along. */
    pen.save();
    pen.resetTransform();
    pen.globalCompositeOperation = "destination-over";
    pen.drawImage(scene, 0, 0);
    pen.restore();
  });
  window.addEventListener("afterprint", () => {
    folds.forEach((fold, k) => (fold.open = open[k]));
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    work.recolour();
  });
}

/* "At q = (0.1, 0.2), at rest. payload.mass = 2 kg instead of 0 kg." */
function state(sliders, values) {
  const text = (x) => String(Number(x.toPrecision(5))).replace("-", "−");
  const vector = (key, name) => `${name} = (${Array.from(values[key], text).join(", ")})`;
  const still = !["qd", "qdd"].some((key) => values[key].some((x) => x));
  const moved = ["parameters", "gravity"].flatMap((key) => sliders[key].map((slider, k) => [slider, values[key][k]])).filter(([slider, x]) => x !== slider.value);
  const changes = moved.map(([{ name, unit, value }, x]) => `${name} = ${text(x)} ${unit} instead of ${text(value)} ${unit}`);
  return `At ${vector("q", "q")}, ${still ? "at rest" : `${vector("qd", "q̇")}, ${vector("qdd", "q̈")}`}.${changes.length ? ` With ${changes.join(", ")}.` : ""}`;
}
