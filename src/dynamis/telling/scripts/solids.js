/* Meshes of unit size: positions and normals of triangles, {positions, normals}. */

const SIDES = 28;

function turned(rows) {
  /* A surface of revolution about z: rows of [radius, z, normal's radius, normal's z], joined in pairs. */
  const positions = [], normals = [];
  const at = ([r, z, nr, nz], k) => {
    const a = (2 * Math.PI * k) / SIDES, c = Math.cos(a), s = Math.sin(a);
    return [[r * c, r * s, z], [nr * c, nr * s, nz]];
  };
  for (let i = 0; i + 1 < rows.length; i += 2) {
    for (let k = 0; k < SIDES; k++) {
      const [a, b, c, d] = [at(rows[i], k), at(rows[i], k + 1), at(rows[i + 1], k + 1), at(rows[i + 1], k)];
      for (const [p, n] of [a, b, c, a, c, d]) {
        positions.push(...p);
        normals.push(...n);
      }
    }
  }
  return { positions, normals };
}

/* Along z from 0 to 1 with radius 1. */
export const cylinder = turned([[1, 0, 1, 0], [1, 1, 1, 0], [0, 1, 0, 1], [1, 1, 0, 1], [0, 0, 0, -1], [1, 0, 0, -1]]);

/* The same with a rounded edge, for joints. */
export const drum = turned([
  [1, 0.08, 1, 0], [1, 0.92, 1, 0], [1, 0.92, 1, 0], [0.9, 1, 0.3, 0.95], [0.9, 1, 0, 1], [0, 1, 0, 1],
  [0.9, 0, 0.3, -0.95], [1, 0.08, 1, 0], [0, 0, 0, -1], [0.9, 0, 0, -1],
]);

export const cone = turned([[1, 0, 0.7, 0.7], [0, 1, 0.7, 0.7], [0, 0, 0, -1], [1, 0, 0, -1]]);

const circle = Array.from({ length: 15 }, (_, k) => {
  const a = Math.PI * (k / 14 - 0.5);
  return [Math.cos(a), Math.sin(a), Math.cos(a), Math.sin(a)];
});
export const sphere = turned(circle.slice(1).flatMap((row, k) => [circle[k], row]));

/* A cube from -1 to 1. */
export const cube = (() => {
  const positions = [], normals = [];
  for (let k = 0; k < 3; k++) {
    for (const side of [-1, 1]) {
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) {
        const p = [0, 0, 0], n = [0, 0, 0];
        p[k] = n[k] = side;
        p[(k + 1) % 3] = u;
        p[(k + 2) % 3] = v * side;
        positions.push(...p);
        normals.push(...n);
      }
    }
  }
  return { positions, normals };
})();

/* Lines of a grid of `count` squares to each side, of size 1, in the plane of x and y. */
export const grid = (() => {
  const positions = [], count = 12;
  for (let k = -count; k <= count; k++) positions.push(k, -count, 0, k, count, 0, -count, k, 0, count, k, 0);
  return { positions, normals: positions.map(() => 0), lines: true };
})();
