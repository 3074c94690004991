/* The torque budget of a motion, computed anew from the model when a slider moves.

   budget(model, data, values) gives series and extremes; what it adds to the model are sums over time and shares. */

export const EFFECTS = ["inertial", "centrifugal", "Coriolis", "gravity", "friction", "rotor", "applied", "springs"];

export function budget(model, data, values) {
  const { motion, joints } = data, n = joints.length, count = motion.t.length;
  const inputs = { q: motion.q, qd: motion.qd, qdd: motion.qdd, gravity: values.gravity, parameters: parameters(data, values) };
  const { parts, centrifugal, coriolis, total } = model.call("torque_components", inputs);
  const names = data.components, width = names.length;
  const series = Object.fromEntries(EFFECTS.map((name) => [name, new Float64Array(count * n)]));
  const tau = new Float64Array(count * n);
  for (let s = 0; s < count * n; s++) {
    tau[s] = total[s] + (motion.applied ? motion.applied[s] : 0);
    series.centrifugal[s] = centrifugal[s];
    series.Coriolis[s] = coriolis[s];
    if (motion.applied) series.applied[s] = motion.applied[s];
  }
  for (const name of ["inertial", "gravity", "friction", "rotor", "springs"]) {
    const k = names.indexOf(name);
    if (k >= 0) for (let s = 0; s < count * n; s++) series[name][s] = parts[s * width + k];
  }
  return { tau, series, ...peaks(motion.t, tau, n), causes: causes(model, data, inputs) };
}

/* One row of parameters for all samples, or one for each where a payload comes and goes. */
function parameters(data, values) {
  const { motion, sliders } = data, own = values.parameters;
  if (!motion.spans.length) return own;
  const names = sliders.parameters.map((x) => x.name), width = names.length;
  const rows = new Float64Array(motion.t.length * width), mass = names.indexOf("payload.mass");
  const heaviest = Math.max(...motion.spans.map((span) => span.values["payload.mass"])) || 1;
  for (let s = 0; s < motion.t.length; s++) {
    rows.set(own, s * width);
    const span = motion.spans.find(({ first, last }) => s >= first && s <= last);
    names.forEach((name, k) => {
      if (name.startsWith("payload.")) rows[s * width + k] = span ? span.values[name] : 0;
    });
    if (span) rows[s * width + mass] = (own[mass] * span.values["payload.mass"]) / heaviest;
  }
  return rows;
}

/* The largest |torque| of every joint, when it is, and the root of the mean square (trapezoidal rule). */
function peaks(t, tau, n) {
  const peak = new Float64Array(n), at = new Array(n).fill(0), squares = new Float64Array(n);
  for (let s = 0; s < t.length; s++) {
    const weight = 0.5 * ((t[s + 1] ?? t[s]) - (t[s - 1] ?? t[s]));
    for (let j = 0; j < n; j++) {
      const x = tau[s * n + j];
      squares[j] += weight * x * x;
      if (Math.abs(x) > peak[j] || Number.isNaN(x)) [peak[j], at[j]] = [Math.abs(x), s];
    }
  }
  return { peak, at, rms: squares.map((x) => Math.sqrt(x / (t.at(-1) - t[0] || 1))) };
}

/* Torques by mass and inertia of every link, by drive, by load. */
function causes(model, data, inputs) {
  const { parts } = model.call("parameter_torques", inputs);
  return { parts, names: data.causes, width: data.causes.length };
}

/* Shares of the peak of every joint: by effect, by link, or by parameter; [name, one share per joint]. */
export function shares(result, data, by) {
  const n = data.joints.length, { tau, at, series, causes: { parts, names, width } } = result;
  const of = (j, value) => (tau[at[j] * n + j] ? value / tau[at[j] * n + j] : 0);
  const each = (value) => data.joints.map((_, j) => of(j, value(at[j], j)));
  const applied = ["loads", each((s, j) => series.applied[s * n + j])];
  if (by === "effect") return EFFECTS.filter((name) => name !== "springs" || data.components.includes(name))
    .map((name) => [name, each((s, j) => series[name][s * n + j])]);
  const single = names.map((name, k) => [name, each((s, j) => parts[(s * n + j) * width + k])]);
  if (by === "parameter") return [...single, applied];
  const links = new Map();
  for (const [name, values] of single) {
    const link = name.includes(" of ") ? name.slice(name.indexOf(" of ") + 4) : "drives";
    const sum = links.get(link) ?? values.map(() => 0);
    links.set(link, sum.map((x, j) => x + values[j]));
  }
  return [...links, applied];
}
