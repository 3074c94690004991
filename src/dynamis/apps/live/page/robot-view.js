/* The robot as solids in a viewer: links between the frames, joints, and on demand axes, frames, CoMs, inertia, arrows. */
import { floats } from "./dom.js";
import { across, add, along, ball, between, cross, frame, norm, product, roundLength, scaled, unit } from "./linear.js";
import { triangles } from "./meshes.js";
import { cone, cube, cylinder, drum, sphere } from "./solids.js";

export const LAYERS = { meshes: "visual meshes", axes: "joint axes", frames: "frames", coms: "centres of mass", inertia: "inertia ellipsoids",
  loads: "loads of the task", weights: "weights", forces: "reaction forces", moments: "reaction moments", numbers: "joint numbers" };
const RED = [0.84, 0.24, 0.2], GREEN = [0.16, 0.6, 0.32], BLUE = [0.2, 0.45, 0.85];

/* Vectors of three out of an array. */
const at = (values, k) => [values[3 * k], values[3 * k + 1], values[3 * k + 2]];

/* The pose of link k, row by row in the model, as a matrix in columns. */
function pose(poses, k) {
  const m = new Array(16);
  for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) m[4 * j + i] = poses[16 * k + 4 * i + j];
  return m;
}

const rotated = (m, v) => add(add(scaled(m.slice(0, 3), v[0]), m.slice(4, 7), v[1]), m.slice(8, 11), v[2]);

export function robotView(data, colours) {
  const { figure, links } = data, size = figure.size, r = 0.055 * size;
  const payload = links.findIndex((link) => link.name === "payload");
  const up = figure.axes[2];
  const heaviest = data.sliders.parameters.find((x) => x.name === "payload.mass")?.high;
  const scales = { force: 0, moment: 0 };
  const solidOf = { box: cube, cylinder, sphere };
  const loads = (data.motion?.loads ?? []).map((one) => ({ ...one, values: floats(one.values) }));
  const visuals = (figure.visuals ?? []).map((one) => ({ ...one, mesh: one.mesh ? triangles(one.mesh) : solidOf[one.shape] }));
  const drawn = new Set([-1, payload, ...visuals.map((one) => one.link)]);

  /* `state` has link_poses, link_motions, reactions and masses. */
  function items(state, shown) {
    const { poses, motions } = state, solids = [], texts = [];
    const seeThrough = shown.coms || shown.inertia || shown.frames || shown.axes ? 0.32 : undefined;
    const body = (mesh, matrix, colour) => solids.push({ mesh, at: matrix, colour, alpha: seeThrough, shadow: true });
    const thing = (mesh, matrix, colour, alpha) => solids.push({ mesh, at: matrix, colour, alpha });
    const joint = (k) => at(motions.point_position, k), com = (k) => at(motions.com_position, k);
    const point = ([kind, k, ...place]) => ({
      base: () => [0, 0, 0], joint: () => joint(k), com: () => com(k), tool: () => joint(payload),
      point: () => add(joint(k), rotated(pose(poses, k), place)),
    })[kind]();

    const dressed = shown.meshes && visuals.length > 0;
    for (const { link, mesh, at: place, colour } of dressed ? visuals : []) {
      body(mesh, link < 0 ? place : product(pose(poses, link), place), colour ?? colours.link);
    }
    const bone = dressed ? () => {} : body;
    const boneOf = (k) => (drawn.has(k) ? bone : body); // the solids of a link that has no visual
    for (const [first, second] of figure.segments) {
      const a = point(first), b = point(second), way = add(b, a, -1), long = norm(way), part = boneOf(first[1] ?? -1);
      if (long < 1e-6 * size) continue;
      part(cylinder, along(way, a, 0.62 * r, long), colours.link);
      for (const end of [a, b]) part(sphere, ball(end, 0.62 * r), colours.link);
    }
    if (figure.flat) bone(cube, frame(scaled(figure.axes[0], 1.1 * r), scaled(figure.axes[1], 1.1 * r), scaled(up, 0.9 * r), [0, 0, 0]), colours.base);
    else bone(drum, along(up, scaled(up, -0.5 * r), 1.9 * r, 0.5 * r), colours.base);

    links.forEach((link, k) => {
      const m = pose(poses, k), p = joint(k);
      if (!link.moves) return;
      const axis = rotated(m, link.axis);
      if (link.revolute) boneOf(k)(drum, along(axis, add(p, axis, -1.05 * r), r, 2.1 * r), colours.revolute);
      else {
        const x = across(axis);
        boneOf(k)(cube, frame(scaled(x, 0.85 * r), scaled(cross(axis, x), 0.85 * r), scaled(axis, 1.3 * r), p), colours.prismatic);
      }
      if (shown.axes) thing(cylinder, along(axis, add(p, axis, -5 * r), 0.1 * r, 10 * r), colours.axis);
      if (shown.numbers) texts.push({ text: String(texts.length + 1), at: p });
    });
    const tip = point(figure.tip);
    bone(sphere, ball(tip, 0.8 * r), colours.tool);
    if (payload >= 0 && state.masses[payload] > 0) {
      thing(sphere, ball(com(payload), r * Math.min(3, 0.9 + 0.8 * Math.cbrt((4 * state.masses[payload]) / heaviest))), colours.payload, 0.75);
    }
    if (shown.frames) {
      triad(thing, frame([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]), 4 * r);
      links.forEach((link, k) => triad(thing, pose(poses, k), (link.name === "payload" ? 2.2 : 3.2) * r));
    }
    links.forEach((link, k) => {
      if (!(state.masses[k] > 0)) return;
      const m = pose(poses, k);
      if (shown.coms) thing(sphere, ball(com(k), 0.42 * r), colours.com);
      const axes = figure.ellipsoids[k];
      if (shown.inertia && axes) {
        const columns = [0, 1, 2].map((j) => rotated(m, axes.map((row) => row[j])));
        thing(sphere, frame(...columns, com(k)), colours.inertia, 0.24);
      }
    });
    arrows(thing, state, shown, joint, com);
    return [solids, texts];
  }

  /* A load at the time of the play bar: the point where it acts, its force and its moment, in the world. */
  function acting({ link, at: place, world, point, values }, poses) {
    const m = product(pose(poses, link), place), { t, now = t[0] } = data.motion;
    const [low, high, s] = values.length > 6 ? between(t, now) : [0, 0, 0];
    const mixed = (k) => values[6 * low + k] + s * (values[6 * high + k] - values[6 * low + k]);
    const [force, moment] = [[0, 1, 2], [3, 4, 5]].map((places) => places.map(mixed)).map((v) => (world ? v : rotated(m, v)));
    return [point ?? m.slice(12, 15), force, moment];
  }

  /* Loads where they act, weights at the CoMs, reactions at the joints, each kind to one scale. */
  function arrows(thing, state, shown, joint, com) {
    const forces = [], moments = [];
    for (const one of shown.loads ? loads : []) {
      const [point, force, moment] = acting(one, state.poses);
      forces.push([point, force, colours.load]);
      moments.push([point, moment, colours.load]);
    }
    links.forEach((link, k) => {
      const m = pose(state.poses, k);
      if (shown.weights && state.masses[k] > 0) forces.push([com(k), scaled(state.gravity, state.masses[k]), colours.weight]);
      if (link.name === "payload" && !(state.masses[k] > 0)) return;
      if (shown.forces) forces.push([joint(k), rotated(m, at(state.reactions.force, k)), colours.force]);
      if (shown.moments) moments.push([joint(k), rotated(m, at(state.reactions.moment, k)), colours.moment]);
    });
    for (const [kind, rows] of [["force", forces], ["moment", moments]]) {
      const largest = Math.max(0, ...rows.map((row) => norm(row[1])));
      const length = scales[kind] * largest;
      if (largest > 0 && !(length > 0.15 * size && length < 0.9 * size)) scales[kind] = 1 / roundLength(largest / (0.5 * size));
      for (const [p, v, colour] of rows) arrow(thing, p, scaled(v, scales[kind]), colour, kind === "moment");
    }
  }

  function arrow(thing, p, v, colour, double) {
    const long = norm(v), head = Math.min(1.1 * r, 0.5 * long);
    if (long < 0.02 * r) return;
    const d = unit(v);
    thing(cylinder, along(d, p, 0.16 * r, long - head), colour);
    thing(cone, along(d, add(p, d, long - head), 0.42 * r, head), colour);
    if (double) thing(cone, along(d, add(p, d, Math.max(0, long - 1.8 * head)), 0.42 * r, head), colour);
  }

  /* What the length of an arrow stands for. */
  const words = ({ loads: loaded, forces, moments }) => Object.entries(scales).filter(([, s]) => s > 0)
    .map(([kind, s]) => `${kind} arrows: 0.1 m stands for ${Number((0.1 / s).toPrecision(3))} ${kind === "force" ? "N" : "N m"}`).join(", ")
    + (loaded && loads.length && (forces || moments) ? "; reactions are those without the loads of the task" : "");

  return { items, words };
}

function triad(thing, m, long) {
  const p = m.slice(12, 15);
  [RED, GREEN, BLUE].forEach((colour, j) => {
    const axis = m.slice(4 * j, 4 * j + 3);
    thing(cylinder, along(axis, p, 0.035 * long, 0.8 * long), colour);
    thing(cone, along(axis, add(p, axis, 0.8 * long), 0.09 * long, 0.2 * long), colour);
  });
}
