/* A motion: a play bar that moves the sliders, plots tied to it, and the torque budget as the sliders change it. */
import { EFFECTS, budget, shares } from "./budget.js";
import { element, floats, table, written } from "./dom.js";
import { onSliders, player, unpacked } from "./player.js";
import { plot } from "./plot.js";

const POINTS = 240, BARS = 7, LEAST = 5e-3;

export function motionPanel(data, model, panel, changed) {
  const { motion, joints } = data, n = joints.length;
  Object.assign(motion, unpacked(motion));
  motion.applied = motion.applied && floats(motion.applied);
  const played = player(motion.t, onSliders(motion, n, panel, changed));
  played.follow({ cursor: (t) => (motion.now = t) }); // loads are drawn as they are at this time

  /* The budget as it was on paper, and as it is now. */
  const kept = budget(model, data, { ...panel.values, parameters: [...panel.values.parameters], gravity: [...panel.values.gravity] });
  const peaks = table(["joint", "peak", "at [s]", "RMS", "unit", "peak as given", "change"], joints.map((joint, k) => [`${k + 1}  ${joint.name === `q${k + 1}` ? "" : joint.name}`.trim(), "", "", "", joint.unit, written(kept.peak[k]), ""]), "Peak and RMS effort of each joint, at the current sliders");
  const choice = element("select", { "aria-label": "shares of the peak by" }, ...["effect", "link", "parameter"].map((name) => element("option", { value: name, textContent: name })));
  const torques = element("figure", { className: "chart", id: "live-torques-over-time" }), bars = element("figure", { className: "chart", id: "live-shares" });
  const words = element("p", { className: "hint", textContent: motion.words });

  function compute() {
    const now = budget(model, data, panel.values);
    peaks.cells.forEach((cells, k) => {
      const change = kept.peak[k] > 1e-9 ? now.peak[k] / kept.peak[k] - 1 : 0;
      [written(now.peak[k]), written(motion.t[now.at[k]], 2), written(now.rms[k])].forEach((text, j) => (cells[j].textContent = text));
      cells[5].textContent = !(Math.abs(change) >= 5e-4 && Number.isFinite(change)) ? "" : `${change > 0 ? "+" : "−"}${Math.abs(100 * change).toFixed(1)} %`;
    });
    played.follow(plot(torqueChart(now), torques), "torques");
    plot(shareChart(now), bars);
  }

  function torqueChart(now) {
    const step = Math.max(1, Math.floor(motion.t.length / POINTS)), picked = [];
    for (let s = 0; s < motion.t.length; s += step) picked.push(s);
    if (picked.at(-1) !== motion.t.length - 1) picked.push(motion.t.length - 1);
    const x = picked.map((s) => motion.t[s]);
    const panels = joints.map((joint, j) => {
      const lines = EFFECTS.map((name, k) => ({ kind: "line", x, y: picked.map((s) => now.series[name][s * n + j]), label: name, look: k }))
        .filter((mark) => mark.y.some((v) => Math.abs(v) > LEAST * (now.peak[j] || 1)));
      lines.push({ kind: "line", x, y: picked.map((s) => now.tau[s * n + j]), label: "total", look: "total" });
      return { title: `joint ${j + 1}`, x: j >= n - 2 ? "time [s]" : "", time: true, y: `${joint.unit === "N" ? "force" : "torque"} [${joint.unit}]`, marks: lines };
    });
    return { title: "", caption: "torques over time by effect", columns: n === 1 ? 1 : 2, height: 120, panels, order: [...EFFECTS, "total"] };
  }

  /* An effect has the colour of its line above. */
  function shareChart(now) {
    const coloured = shares(now, data, choice.value).map((part, k) => (choice.value === "effect" ? [...part, k] : part));
    const all = coloured.filter(([, values]) => values.some((v) => Math.abs(v) >= LEAST));
    const weight = ([, values]) => values.reduce((sum, v) => sum + Math.abs(v), 0);
    const order = [...all].sort((a, b) => weight(b) - weight(a)), large = order.slice(0, BARS), rest = order.slice(BARS);
    if (rest.length) large.push([`${rest.length} others`, joints.map((_, j) => rest.reduce((sum, [, values]) => sum + values[j], 0))]);
    return { title: "", caption: `shares of the peak torque by ${choice.value}`, columns: 1, height: 28 * n, panels: [{ title: "", x: "", y: "", marks: [{ kind: "bars", rows: joints.map((_, j) => `joint ${j + 1}`), parts: large, coloured: BARS }] }] };
  }

  choice.addEventListener("change", compute);
  const box = element("div", { className: "budget" }, words, peaks.element,
    element("h3", { textContent: "Torques over time" }), torques,
    element("h3", {}, "Shares of each peak, by ", choice), bars);
  return { controls: played.element, element: box, compute, go: played.go, follow: played.follow };
}
