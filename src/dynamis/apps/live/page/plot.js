/* A chart as SVG: panels of lines, areas, levels, marks and bars, with a legend and a cursor over time.

   plot(chart, holder) gives { cursor(t) }. A chart is { title, columns, height, panels, legend }; apps/live/charts.py makes it of
   dynamis' charts, and scripts make their own. */
import { drawn, element } from "./dom.js";

const LEFT = 62, RIGHT = 12, LETTER = 5.8, BOLD = 7, TOP = 22, BOTTOM = 34, COLOURS = 7;
const DASHES = ["", "6 2", "2 2", "6 2 2 2", "9 3", "7 2 1 2", "4 2"];
const FAR = 1e7, DOTS = ["dots", "start", "end", "target"];
const NARROW = 165, GAP = 10, MOST = 40, FLAT = 0.02, SHORT = 5;

/* The charts that stand somewhere, drawn anew when their place gets another width: unfolded, in another tab, resized. */
const redraw = new WeakMap();
const watcher = new ResizeObserver((places) => requestAnimationFrame(() => places.forEach(({ target }) => redraw.get(target)?.())));

export function plot(chart, holder) {
  let wide = 0, time = null, panels = [];
  /* As wide as its place, so that letters keep their size; one that is folded up gets the width of its section. */
  function draw() {
    const room = holder.clientWidth || (holder.closest("section")?.clientWidth ?? 0) - 40;
    const width = room > 0 ? Math.min(860, Math.max(520, room)) : 860;
    if (width === wide) return;
    wide = width;
    const drawing = picture(chart, wide);
    panels = drawing.panels;
    holder.replaceChildren(...drawing.parts);
    cursor(time);
  }
  function cursor(t) {
    time = t;
    if (t !== null) for (const panel of panels) panel?.cursor(t);
  }
  if (!redraw.has(holder)) watcher.observe(holder);
  redraw.set(holder, draw);
  draw();
  return { cursor };
}

/* A chart at a width: { parts, panels }. Columns that would be too narrow are fewer. */
function picture(chart, wide) {
  const fitting = Math.floor((wide + GAP) / (NARROW + GAP)), columns = Math.max(1, Math.min(chart.columns, chart.panels.length, fitting));
  const width = (wide - GAP * (columns - 1)) / columns, height = Math.max(96, chart.height);
  const rows = Math.ceil(chart.panels.length / columns);
  const svg = drawn("svg", { viewBox: `0 0 ${wide} ${rows * (height + TOP + BOTTOM)}`, role: "img", class: "plot" });
  svg.append(Object.assign(drawn("title"), { textContent: chart.title || chart.caption || "chart" }));
  /* A label that stands once for a row stands once in every row. */
  const labels = [];
  chart.panels.forEach((panel, k) => labels.push(panel.y || (k % chart.columns ? labels[k - 1] : "")));
  const panels = chart.panels.map((panel, k) => {
    const place = drawn("g", { transform: `translate(${(k % columns) * (width + GAP)} ${Math.floor(k / columns) * (height + TOP + BOTTOM)})` });
    svg.append(place);
    const y = columns === chart.columns ? panel.y : k % columns && labels[k] === labels[k - 1] ? "" : labels[k];
    return axes({ ...panel, y }, place, width, height);
  });
  const parts = [svg], names = legend(chart);
  if (chart.title) parts.unshift(element("p", { className: "chart-title", textContent: chart.title }));
  if (names) parts.push(names);
  return { parts, panels };
}

function axes(panel, place, width, height) {
  const inner = width - LEFT - RIGHT, bars = panel.marks.find((mark) => mark.kind === "bars");
  if (panel.title) {
    const most = Math.floor(width / BOLD), long = BOLD * panel.title.length > inner;
    place.append(text(shortened(panel.title, most), long ? width / 2 : LEFT + inner / 2, 14, "middle", "title"));
  }
  if (panel.empty || !panel.marks.length) {
    if (panel.note) place.append(text(panel.note, LEFT + inner / 2, TOP + height / 2, "middle", "note"));
    return null;
  }
  if (bars) return stacked(bars, panel.x, place, width, height);
  const [x0, x1] = range(panel, "x"), [y0, y1] = range(panel, "y");
  const x = (v) => LEFT + (inner * (v - x0)) / (x1 - x0);
  const scale = panel.log ? (v) => Math.log10(Math.max(v, 1e-300)) : (v) => v;
  const [s0, s1] = [scale(y0), scale(y1)];
  const y = (v) => TOP + height * (1 - (scale(v) - s0) / (s1 - s0));
  const levels = panel.log ? decades(y0, y1) : ticks(y0, y1, height / 24), power = panel.log ? 0 : factor(levels);
  for (const v of levels) {
    place.append(line(LEFT, y(v), LEFT + inner, y(v), v === 0 ? "zero" : "grid"), text(tick(power ? v / 10 ** power : v), LEFT - 6, y(v) + 4, "end", "tick"));
  }
  if (power) place.append(text(`×10${raised(power)}`, LEFT - 6, TOP - 8, "end", "tick"));
  for (const v of apart(x0, x1, inner, panel.whole)) {
    place.append(line(x(v), TOP, x(v), TOP + height, "grid"), text(tick(v), x(v), TOP + height + 14, "middle", "tick"));
  }
  const label = upright(panel.y, Math.floor((height + TOP) / LETTER));
  label.forEach((words, k) => place.append(drawn("g", { transform: `translate(${label.length > 1 ? 10 + 12 * k : 14} ${TOP + height / 2}) rotate(-90)` }, text(words, 0, 0, "middle", "label"))));
  if (panel.x) place.append(text(panel.x, LEFT + inner / 2, TOP + height + 29, "middle", "label"));
  const inside = drawn("svg", { x: LEFT, y: TOP - 1, width: inner, height: height + 2, viewBox: `${LEFT} ${TOP - 1} ${inner} ${height + 2}` });
  for (const mark of panel.marks) inside.append(...shapes(mark, x, y, [LEFT, TOP, inner, height]));
  place.append(inside);
  if (!timed(panel)) return null;
  const cursor = line(0, TOP, 0, TOP + height, "cursor");
  cursor.setAttribute("visibility", "hidden");
  place.append(cursor);
  return {
    cursor(t) {
      cursor.setAttribute("visibility", t === null || t < x0 || t > x1 ? "hidden" : "visible");
      if (t !== null) cursor.setAttribute("transform", `translate(${x(t)} 0)`);
    },
  };
}

const timed = (panel) => panel.time || panel.x === "time [s]";

/* A title that is too long loses its middle. */
const shortened = (words, most) => (words.length <= most ? words : `${words.slice(0, Math.ceil(most / 2) - 1)}…${words.slice(words.length - Math.floor(most / 2))}`);

/* A label beside an upright axis, in one line where that is long enough, else in two: more would stand on its numbers. */
function upright(label, most) {
  const words = label.split("\n").filter(Boolean);
  if (words.length < 2) return words.flatMap((one) => (one.length > most ? halves(one) : [one]));
  const parts = [words.slice(0, -1).join(" "), words.at(-1)], line = parts.join(", ");
  return line.length > most ? parts.map((one) => shortened(one, most)) : [line];
}

/* A label that is too long, in two lines. */
function halves(words) {
  const blanks = [...words.matchAll(/ /g)].map((x) => x.index), middle = words.length / 2;
  const at = blanks.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  return at === undefined ? [words] : [words.slice(0, at), words.slice(at + 1)];
}

function shapes(mark, x, y, [left, top, wide, high]) {
  const look = { class: `look ${mark.colour === undefined || mark.colour === null ? named(mark.look) : `c${mark.colour % COLOURS}${mark.look === "goal" ? " l-goal" : ""}`}`, ...dashes(mark) };
  switch (mark.kind) {
    case "line":
      return [drawn("path", { ...look, d: way(mark, x, y), fill: "none" }),
        ...(mark.dotted || DOTS.includes(mark.look) ? mark.x.map((v, k) => drawn("circle", { class: `dot ${named(mark.look)}`, cx: x(v), cy: y(mark.y[k]), r: mark.look === "dots" ? 1.4 : 2.6 })) : [])];
    case "area":
      return ["above", "below"].map((side) => {
        const cut = mark.y.map((v) => (v === null ? 0 : side === "above" ? Math.max(v, 0) : Math.min(v, 0)));
        const edge = cut.map((v, k) => `${x(mark.x[k]).toFixed(1)},${y(v).toFixed(1)}`);
        return drawn("polygon", { class: `area ${side}`, points: `${x(mark.x[0])},${y(0)} ${edge.join(" ")} ${x(mark.x.at(-1))},${y(0)}` });
      });
    case "level":
      return [mark.upright ? withLook(line(x(mark.value), top, x(mark.value), top + high), look) : withLook(line(left, y(mark.value), left + wide, y(mark.value)), look)];
    case "marks":
      return mark.times.map((t) => line(x(t), mark.tall ? top : top + 0.9 * high, x(t), top + high, "event"));
    default:
      return [];
  }
}

const named = (look) => (typeof look === "number" ? `c${look % COLOURS}` : `l-${String(look).replaceAll(" ", "-")}`);
const dashes = (mark) => (typeof mark.look === "number" && !mark.straight && DASHES[mark.look % COLOURS] ? { "stroke-dasharray": DASHES[mark.look % COLOURS] } : {});
const withLook = (made, look) => {
  for (const [key, value] of Object.entries(look)) made.setAttribute(key, value);
  return made;
};

function way(mark, x, y) {
  let path = "", broken = true, before = 0;
  mark.x.forEach((v, k) => {
    const w = mark.y[k];
    if (w === null || !Number.isFinite(w)) return void (broken = true);
    const [px, py] = [Math.max(-FAR, Math.min(FAR, x(v))).toFixed(1), Math.max(-FAR, Math.min(FAR, y(w))).toFixed(1)];
    path += broken ? `M${px} ${py}` : mark.steps ? `L${px} ${before}L${px} ${py}` : `L${px} ${py}`;
    [broken, before] = [false, py];
  });
  return path;
}

/* Shares of 1 as bars to both sides of zero, one row per joint. */
function stacked(mark, label, place, width, height) {
  if (label) place.append(text(label, LEFT + 30 + (width - LEFT - 30 - 2 * RIGHT) / 2, TOP + height + 29, "middle", "label"));
  const left = LEFT + 30, inner = width - left - 2 * RIGHT, row = height / mark.rows.length;
  const sums = mark.rows.map((_, k) => [1, -1].map((sign) => mark.parts.reduce((s, [, v]) => s + Math.max(0, sign * (v[k] ?? 0)), 0)));
  const [low, high] = [Math.max(...sums.map((x) => x[1])), Math.max(1e-9, ...sums.map((x) => x[0]))];
  const x = (v) => left + (inner * (v + low)) / (low + high);
  for (const v of ticks(-low - 1e-3, high + 1e-3, inner / 80)) place.append(line(x(v), TOP, x(v), TOP + height, v === 0 ? "zero" : "grid"), text(`${Math.round(100 * v)} %`.replace("-", "−"), x(v), TOP + height + 14, "middle", "tick"));
  mark.rows.forEach((name, k) => {
    let [plus, minus] = [0, 0];
    place.append(text(name, left - 6, TOP + row * (k + 0.5) + 4, "end", "tick"));
    mark.parts.forEach(([label, values, colour], i) => {
      const v = values[k] ?? 0, from = v >= 0 ? plus : minus + v;
      if (v >= 0) plus += v;
      else minus += v;
      const bar = drawn("rect", { class: `bar ${i < mark.coloured ? `c${(colour ?? i) % COLOURS}` : "rest"}`, x: x(from), y: TOP + row * k + 0.15 * row, width: Math.max(0, x(from + Math.abs(v)) - x(from)), height: 0.7 * row });
      bar.append(Object.assign(drawn("title"), { textContent: `${label}: ${(100 * v).toFixed(1)} %` }));
      place.append(bar);
    });
  });
  return null;
}

function range(panel, axis) {
  const values = [];
  for (const mark of panel.marks) {
    if (mark.kind === "line" || mark.kind === "area") values.push(...extremes(mark[axis]));
    if (mark.kind === "area" && axis === "y") values.push(0);
    if (mark.kind === "level" && (axis === "x") === mark.upright) values.push(mark.value);
    if (mark.kind === "marks" && axis === "x") values.push(...extremes(mark.times));
  }
  const known = values.filter((v) => v !== null && Number.isFinite(v) && !(panel.log && axis === "y" && v <= 0));
  let [low, high] = [Math.min(...known), Math.max(...known)];
  if (!(low <= high)) [low, high] = [0, 1];
  if (!panel.log && !(axis === "x" && timed(panel))) {
    // What hardly changes is a straight line, not a staircase of its last digits.
    const least = FLAT * Math.max(Math.abs(low), Math.abs(high)), more = Math.max(0, least - (high - low)) / 2;
    [low, high] = [low - more, high + more];
  }
  if (axis === "x") return [panel.left ?? low, high > low ? high : low + 1];
  const margin = panel.log ? 0 : 0.06 * (high - low || Math.abs(high) || 1);
  low = panel.low ?? (panel.log ? low / 1.5 : low - margin);
  high = panel.high ?? (panel.log ? high * 1.5 : high + margin);
  return high > low ? [low, high] : [low - 1, low + 1];
}

function extremes(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    if (v === null || !Number.isFinite(v)) continue;
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  return low <= high ? [low, high] : [];
}

/* Round numbers between two, about so many and at least two; `whole`: integers alone. */
function ticks(low, high, about, whole = false) {
  const rough = (high - low) / Math.max(2, Math.min(about, 8)), power = Math.floor(Math.log10(rough)) + 1;
  const steps = [power, power - 1, power - 2].flatMap((k) => [1, 0.5, 0.2].map((x) => Number(`${x}e${k}`))).filter((step) => !whole || Number.isInteger(step));
  const inside = (step) => {
    const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
    return Array.from({ length: Math.max(0, Math.min(MOST, last - first + 1)) || 0 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  };
  const widest = Math.max(0, steps.findLastIndex((step) => step >= rough * 0.999));
  return steps.slice(widest).map(inside).find((found) => found.length > 1) ?? inside(steps[widest] ?? 1);
}

/* Ticks whose numbers do not touch each other on an axis of so many pixels. */
function apart(low, high, pixels, whole) {
  const touch = (found) => ((found[1] - found[0]) / (high - low)) * pixels < LETTER * Math.max(...found.map((v) => tick(v).length)) + 6;
  let found = ticks(low, high, pixels / 40, whole);
  if (touch(found)) found = ticks(low, high, pixels / 80, whole);
  return touch(found) ? found.filter((_, k) => k % 2 === 0) : found;
}

/* Powers of ten, or round numbers where there are not two of them. */
function decades(low, high) {
  const found = [];
  for (let k = Math.ceil(Math.log10(low)); 10 ** k <= high; k++) found.push(10 ** k);
  return found.length < 2 ? ticks(low, high, 4) : found.filter((_, k) => k % Math.ceil(found.length / 5) === 0);
}

/* The power of ten that large or small numbers of an axis have in common: it stands once, above them. */
function factor(levels) {
  const size = Math.max(...levels.map(Math.abs)), long = levels.some((v) => tick(v).length > SHORT || tick(v).includes("e"));
  return size >= 1e5 || (size > 0 && size < 1e-3) || (long && size < 0.1) ? Math.floor(Math.log10(size * 1.000001)) : 0;
}
const raised = (power) => [...String(power)].map((x) => (x === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[x])).join("");

function tick(v) {
  const size = Math.abs(v), short = Number(v.toPrecision(6));
  return (size >= 1e5 || (size > 0 && size < 1e-3) ? short.toExponential().replace("e+", "e") : String(short)).replaceAll("-", "−");
}

const line = (x1, y1, x2, y2, name = "") => drawn("line", { x1, y1, x2, y2, class: name });
const text = (words, x, y, anchor, name) => Object.assign(drawn("text", { x, y, "text-anchor": anchor, class: name }), { textContent: words });

function legend(chart) {
  const entries = new Map();
  for (const mark of chart.panels.flatMap((panel) => panel.marks)) {
    if (mark.kind === "bars") mark.parts.forEach(([label, , colour], k) => entries.set(label, { bar: k < mark.coloured ? `c${(colour ?? k) % COLOURS}` : "rest" }));
    else if (mark.kind === "area") [["above", mark.above], ["below", mark.below]].forEach(([side, label]) => entries.set(label, { bar: side }));
    else if (mark.label && !entries.has(mark.label)) entries.set(mark.label, mark);
  }
  if (!entries.size || (entries.size === 1 && chart.panels.length === 1 && chart.title)) return null;
  const order = [...entries.keys()].sort((a, b) => (chart.order ?? []).indexOf(a) - (chart.order ?? []).indexOf(b));
  return element("div", { className: "legend" }, ...order.map((label) => {
    const mark = entries.get(label), sign = drawn("svg", { viewBox: "0 0 26 10", class: "sign", "aria-hidden": "true" });
    if (mark.bar) sign.append(drawn("rect", { x: 1, y: 1, width: 24, height: 8, class: mark.bar === "above" || mark.bar === "below" ? `area ${mark.bar}` : `bar ${mark.bar}` }));
    else if (mark.kind === "marks") sign.append(line(13, 0, 13, 10, "event"));
    else sign.append(...shapes({ ...mark, kind: "line", steps: false, dotted: false, ...(DOTS.includes(mark.look) ? { x: [13], y: [5] } : { x: [0, 26], y: [5, 5] }) }, (v) => v, (v) => v, [0, 0, 26, 10]));
    return element("span", {}, sign, ` ${label}`);
  }));
}
