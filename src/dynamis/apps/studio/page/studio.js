/* The studio: tabs over one robot, whose file is the state of the window. */
import { ask } from "./api.js";
import { element } from "./dom.js";
import { equationsTab } from "./tabs/equations.js";
import { exportTab } from "./tabs/export.js";
import { learnTab } from "./tabs/learn.js";
import { motionTab } from "./tabs/motion.js";
import { robotTab } from "./tabs/robot.js";
import { recolour } from "./side.js";
import { simulateTab } from "./tabs/simulate.js";
import { keep, state } from "./store.js";
import { tabs } from "./tabs.js";
import { themes } from "./theme.js";
import { say } from "./work.js";

const FIRST = "bar-2r";
const TABS = {
  robot: ["Robot", robotTab], equations: ["Equations", equationsTab], motion: ["Motion", motionTab],
  simulate: ["Simulate", simulateTab], learn: ["Learn", learnTab], export: ["Export", exportTab],
};

themes(document.getElementById("theme"), (name) => {
  state.theme = name;
  keep();
  recolour();
}, state.theme);
const panels = tabs(document.querySelector(".tabs"), document.getElementById("panels"), Object.fromEntries(Object.entries(TABS).map(([name, [title]]) => [name, title])));
for (const panel of Object.values(panels)) panel.append(element("p", { className: "hint", textContent: "The studio starts …" }));

window.addEventListener("forgetful", () => say("this window cannot keep the robot across a reload; save it as a file"), { once: true });

/* Whoever wants to know of another robot says so with `listen`. */
const listeners = [];
let menus;
try {
  menus = await ask("menus");
} catch (error) {
  say(error.message);
  throw error;
}
const listen = (listener) => listeners.push(listener);
const made = Object.fromEntries(Object.entries(TABS).map(([name, [, tab]]) => [name, tab(panels[name], menus, { listen, changed })]));

/* `shown` is what the studio tells of a robot; `fresh`: of another one than before. */
function changed(shown, fresh) {
  state.robot = shown.robot;
  state.lengths = [...new Set(shown.joints.map(({ unit }) => unit))];
  keep();
  document.getElementById("title").textContent = shown.title;
  document.title = `${shown.title}: dynamis studio`;
  for (const listener of listeners) listener(shown, fresh);
}

await made.robot.start(FIRST);
document.documentElement.dataset.started = "yes";
