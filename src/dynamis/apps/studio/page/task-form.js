/* A motion as a form and as the text of a task file, which is what runs. Whoever edits the text owns it. */
import { Failure, ask } from "./api.js";
import { element } from "./dom.js";
import { action, choice, entry, fold, grid, long, perJoint, preset, refill } from "./fields.js";
import { positions } from "./side.js";
import { keep, state } from "./store.js";
import { work } from "./work.js";

const UNITS = { duration: "s", velocity: "rad/s or m/s", acceleration: "rad/s² or m/s²", jerk: "rad/s³ or m/s³", speed: "m/s", effort: "N m or N", times: "s, ..." };
const NEEDED = { "parabolic-blends": ["acceleration"], trapezoidal: ["velocity", "acceleration"], "double-s": ["velocity", "acceleration", "jerk"], spline: ["velocity", "acceleration"], "shortest-time": ["velocity", "acceleration"] };
const STANDARD = { duration: "2", velocity: "1.5", acceleration: "4", jerk: "40" };

const round = (x) => Number(x.toFixed(4));
export const list = (numbers) => numbers.map(round).join(", ");

/* Another posture, by so much where the limits of the joints allow it. */
export const ahead = (shown, q, by) => q.map((x, k) => {
  const { low, high } = shown.live?.sliders.q[k] ?? { low: -Infinity, high: Infinity }, step = Math.min(by, 0.3 * (high - low));
  return x + step <= high ? x + step : x - step;
});

/* A button that puts the place of the tool, in the posture of the sliders, into a field. */
export const takeTool = (values, key, then) => action("tool, from the sliders", async () => {
  const found = await work("finding the tool", "tool", { robot: state.robot, q: positions() });
  if (!found) return;
  values[key] = list(found.position);
  then();
});

export function taskForm(menus, values) {
  const holder = element("div"), text = element("textarea", { rows: 12, spellcheck: false, id: "task-text", "aria-label": "task file" });
  const own = element("p", { className: "hint" });
  text.addEventListener("input", () => {
    values.text = text.value;
    values.typed = true;
    keep();
    told();
  });

  /* What the form says, as a file. */
  function written() {
    const { options, via } = menus.motions.find(({ name }) => name === values.kind);
    const tool = values.kind.startsWith("tool-");
    const point = (x) => (x.includes("{") ? x : `[${x}]`);
    const lines = ["[motion]", `kind = "${values.kind}"`, `start = ${point(values.start)}`];
    const between = tool ? values.point : values.via;
    if (via && between) lines.push(`via = [${between.split(";").map((x) => point(tool ? `{ tool = [${x}] }` : x.trim())).join(", ")}]`);
    lines.push(`goal = ${tool && !values.goal.includes("{") ? `{ tool = [${values.tool || "0.3, 0.3, 0"}] }` : point(values.goal)}`);
    for (const key of options) {
      const value = values[`${values.kind} ${key}`] ?? (key === "duration" || NEEDED[values.kind]?.includes(key) ? STANDARD[key] ?? "" : "");
      if (value) lines.push(`${key} = ${/[,[]/.test(value) && !value.includes("[") ? `[${value}]` : value}`);
    }
    if (values.payload) lines.unshift(`payload = ${values.payload}`, "");
    return `${lines.join("\n")}\n`;
  }

  function change() {
    values.typed = false;
    values.text = written();
    keep();
    told();
  }

  function told() {
    if (document.activeElement !== text) text.value = values.text;
    own.textContent = values.typed ? "This file was typed or loaded; changing the form above replaces it." : "";
  }

  /* Where the tool goes, and what an arc goes through, until the user says otherwise: places of the postures in the form. */
  let filling = null;
  async function fill() {
    const arc = values.kind === "tool-arc";
    if (!values.kind.startsWith("tool-") || (values.tool && (values.point || !arc))) return;
    const [start, goal] = [values.start, values.goal].map((x) => x.split(",").map(Number));
    try {
      const found = await ask("way", { robot: state.robot, start, goal });
      values.given = Boolean(values.tool || values.point);
      values.tool ||= list(found.goal);
      if (arc) values.point ||= list(found.via);
      change();
      draw();
    } catch (error) {
      if (!(error instanceof Failure)) throw error; // a robot without values: the user says where
    }
  }

  function draw() {
    const { options, via } = menus.motions.find(({ name }) => name === values.kind);
    const tool = values.kind.startsWith("tool-");
    const take = (key) => action("from the sliders", () => {
      values[key] = list(positions());
      change();
      draw();
    });
    const typed = () => {
      values.given = true;
      change();
    };
    const tip = (key) => takeTool(values, key, () => {
      typed();
      draw();
    });
    const place = "joint values, or { tool = [x, y, z] }";
    refill(holder,
      grid(choice(values, "kind", "trajectory", menus.motions.map(({ name }) => name), () => {
        change();
        draw();
        filling = fill();
      }), preset("shipped task", Object.keys(menus.tasks), (name) => {
        Object.assign(values, { text: menus.tasks[name], typed: true });
        keep();
        told();
      })),
      long(entry(values, "start", "start q", { unit: perJoint("rad or m"), hint: place }, change), take("start")),
      tool ? long(entry(values, "tool", "tool to", { unit: "m", placeholder: "0.3, 0.3, 0", hint: "position of the tool: x, y, z" }, typed), tip("tool")) : long(entry(values, "goal", "goal q", { unit: perJoint("rad or m"), hint: place }, change), take("goal")),
      ...(via && tool ? [long(entry(values, "point", "through", { unit: "m", hint: "a point of the arc between start and goal: x, y, z" }, typed), tip("point"))] : []),
      ...(via && !tool ? [long(entry(values, "via", "via", { unit: perJoint("rad or m"), hint: "points on the way, separated by ;", placeholder: "q1, q2; q1, q2" }, change))] : []),
      grid(...options.map((key) => {
        const name = `${values.kind} ${key}`;
        values[name] ??= key === "duration" || NEEDED[values.kind]?.includes(key) ? STANDARD[key] ?? "" : "";
        return entry(values, name, key, { unit: perJoint(UNITS[key]) }, change);
      }), entry(values, "payload", "payload", { unit: "kg" }, change)));
    told();
  }

  /* Another robot begins anew; a file that was typed stays while it has as many joints. */
  function fit(shown, fresh) {
    const q = shown.live ? shown.live.sliders.q.map((x) => x.value) : shown.joints.map(() => 0.2);
    if (values.joints !== shown.n || (fresh && !values.typed)) Object.assign(values, { joints: shown.n, start: list(q), goal: list(ahead(shown, q, 0.6)), via: "", given: false, typed: false });
    if (!values.given) Object.assign(values, { tool: "", point: "" });
    if (!values.typed) values.text = written();
    keep();
    draw();
    filling = fill();
  }
  return { element: element("div", {}, holder, fold("Task file", own, text)), fit, ready: () => filling };
}
