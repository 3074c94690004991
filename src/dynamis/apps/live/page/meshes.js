/* Meshes as Python packed them: vertices in 16 bits between two corners, faces as numbers of vertices. */
import { add, cross, dot, unit } from "./linear.js";

const SHARP = 0.8; // cosine of the angle from which on an edge is not smoothed

const numbers16 = (text) => new Uint16Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

/* { positions, normals } of triangles, as in solids.js. */
export function triangles({ low, span, vertices, faces }) {
  const steps = numbers16(vertices), corners = numbers16(faces), positions = [], normals = [];
  const points = Array.from({ length: steps.length / 3 }, (_, k) => low.map((x, i) => x + (span[i] * steps[3 * k + i]) / 65535));
  const sums = points.map(() => [0, 0, 0]), flat = [];
  for (let k = 0; k < corners.length; k += 3) {
    const [a, b, c] = [points[corners[k]], points[corners[k + 1]], points[corners[k + 2]]];
    const area = cross(add(b, a, -1), add(c, a, -1));
    flat.push(unit(area));
    for (let j = 0; j < 3; j++) sums[corners[k + j]] = add(sums[corners[k + j]], area);
  }
  const smooth = sums.map(unit);
  corners.forEach((corner, k) => {
    const face = flat[Math.floor(k / 3)];
    positions.push(...points[corner]);
    normals.push(...(dot(face, smooth[corner]) > SHARP ? smooth[corner] : face));
  });
  return { positions, normals };
}
