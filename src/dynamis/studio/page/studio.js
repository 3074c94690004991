/* The studio: tabs over one robot, whose file is the state of the window. */
import { ask } from "./api.js";
import { element } from "./dom.js";
import { equationsTab } from "./equations-tab.js";
import { exportTab } from "./export-tab.js";
import { learnTab } from "./learn-tab.js";
import { motionTab } from "./motion-tab.js";
import { robotTab } from "./robot-tab.js";
import { recolour } from "./side.js";
import { simulateTab } from "./simulate-tab.js";
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

window.addEventListener("forgetful", () => say("this window cannot keep the robot over a reload; save it as a file"), { once: true });

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

/* `shown` is what the studio tells of a robot. */
function changed(shown) {
  state.robot = shown.robot;
  keep();
  document.getElementById("title").textContent = shown.title;
  document.title = `${shown.title}: dynamis studio`;
  for (const listener of listeners) listener(shown);
}

await made.robot.start(FIRST);
document.documentElement.dataset.started = "yes";
