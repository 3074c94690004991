/* What the model says of a state, as tables that follow the sliders: torques, M, C, reactions, energies. */
import { element, table, written } from "./dom.js";

const SMALL = 1e-9, MANY = 8;

/* Three digits of the largest, and at least `least` decimals. */
const decimals = (values, least = 3) => {
  const most = Math.max(...Array.from(values, Math.abs));
  return most > 1e-7 && most < 0.1 ? Math.max(least, 2 - Math.floor(Math.log10(most))) : least;
};

export function numbers(data) {
  const { joints, links } = data, n = joints.length, names = joints.map((_, k) => String(k + 1));
  const without = data.motion?.loads.length ? ", without the loads of the task" : "";
  const units = [...new Set(joints.map((joint) => joint.unit))].join(" or ");
  const torques = table(["joint", "torque τ", "inertia M q̈", "Coriolis c", "gravity g", "friction", "unit"],
    joints.map((joint, k) => [`${k + 1}  ${joint.name === `q${k + 1}` ? "" : joint.name}`.trim(), "", "", "", "", "", joint.unit]),
    `Torques of the motors [${units}]${without}`);
  const M = table(["M", ...names], names.map((name) => [name, ...names.map(() => "")]), "Mass matrix M(q)");
  const C = table(["C", ...names], names.map((name) => [name, ...names.map(() => "")]), "Coriolis matrix C(q, q̇)");
  const reactions = table(["link", "Fx [N]", "Fy [N]", "Fz [N]", "Mx [N m]", "My [N m]", "Mz [N m]"],
    links.map((link) => [link.name, "", "", "", "", "", ""]), `Reactions: wrench of the parent on the link, at its joint, in link axes${without}`);
  const energies = table(["energy", "kinetic T", "potential U", "T + U"], [["[J]", "", "", ""]], "Energies");
  const held = links.findIndex((link) => link.name === "payload");

  function show(state) {
    const rest = Array.from(state.tau, (tau, k) => tau - state.inertial[k] - state.c[k] - state.g[k]);
    const size = Math.max(...Array.from(state.tau, Math.abs), SMALL), digits = decimals(state.tau);
    torques.cells.forEach((cells, k) => {
      [state.tau[k], state.inertial[k], state.c[k], state.g[k], Math.abs(rest[k]) < SMALL * size ? 0 : rest[k]]
        .forEach((x, j) => (cells[j].textContent = written(x, digits)));
    });
    matrix(M, state.M);
    matrix(C, state.C);
    const [force, moment] = [decimals(state.reactions.force, 2), decimals(state.reactions.moment, 2)];
    reactions.cells.forEach((cells, k) => {
      for (let j = 0; j < 3; j++) {
        cells[j].textContent = written(state.reactions.force[3 * k + j], force);
        cells[3 + j].textContent = written(state.reactions.moment[3 * k + j], moment);
      }
    });
    if (held >= 0) reactions.rows[held].hidden = !(state.masses[held] > 0);
    const joules = [state.T, state.U, state.T + state.U], places = decimals(joules);
    joules.forEach((x, k) => (energies.cells[0][k].textContent = written(x, places)));
  }

  /* The darker a cell, the larger its share. */
  function matrix(shown, values) {
    const most = Math.max(...Array.from(values, Math.abs)) || 1, digits = decimals(values);
    shown.cells.forEach((cells, i) => cells.forEach((cell, j) => {
      const x = values[i * n + j];
      cell.textContent = written(x, digits);
      cell.style.setProperty("--share", (0.5 * Math.sqrt(Math.abs(x) / most)).toFixed(3));
    }));
  }

  const holders = [["torques", torques], ["energies", energies], ["M", M], ["C", C], ["reactions", reactions]].map(([name, one]) => {
    one.element.classList.add(name, ...(name === "M" || name === "C" ? ["matrix"] : []));
    one.element.id = `live-${name}`;
    return one.element;
  });
  return { element: element("div", { className: n >= MANY ? "numbers many" : "numbers" }, ...holders), show };
}
