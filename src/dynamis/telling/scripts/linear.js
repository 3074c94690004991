/* Vectors of three numbers, and matrices of sixteen in columns, as WebGL takes them. */

export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const scaled = (a, s) => [s * a[0], s * a[1], s * a[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a) => scaled(a, 1 / (norm(a) || 1));

/* Columns x, y, z and the origin p. */
export const frame = (x, y, z, p) => [...x, 0, ...y, 0, ...z, 0, ...p, 1];

export function product(a, b) {
  const c = new Array(16);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 4; j++) {
      c[4 * j + i] = a[i] * b[4 * j] + a[4 + i] * b[4 * j + 1] + a[8 + i] * b[4 * j + 2] + a[12 + i] * b[4 * j + 3];
    }
  }
  return c;
}

/* Any vector across another one. */
export function across(a) {
  const least = [0, 1, 2].reduce((k, i) => (Math.abs(a[i]) < Math.abs(a[k]) ? i : k), 0);
  return unit(cross(a, [0, 1, 2].map((i) => Number(i === least))));
}

/* A frame at p whose z axis is along a, with lengths of its axes. */
export function along(a, p, wide, long) {
  const z = unit(a), x = across(z);
  return frame(scaled(x, wide), scaled(cross(z, x), wide), scaled(z, long), p);
}

export const ball = (p, r) => frame([r, 0, 0], [0, r, 0], [0, 0, r], p);

/* Normals turn with the cofactors of a matrix, whatever its scales. */
export function cofactors(m) {
  const [x, y, z] = [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)];
  return [...cross(y, z), ...cross(z, x), ...cross(x, y)];
}

export function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

/* From the base frame to a camera at `eye`, with the axes right, up and towards the eye. */
export function looking(right, up, back, eye) {
  return [
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ];
}

/* 1, 2 or 5 times a power of ten, at most x. */
export function roundLength(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return [5, 2, 1].map((k) => k * power).find((y) => y <= x * 1.0000001) ?? power;
}

/* The two of ascending numbers that t lies between, and how far from the first to the second. */
export function between(times, t) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return [low, high, times[high] > times[low] ? (t - times[low]) / (times[high] - times[low]) : 0];
}
