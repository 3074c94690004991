/* A motion: chosen, computed, played beside, with its torque budget. */
import { element } from "../dom.js";
import { action, heading, row, valuesOf } from "../fields.js";
import { showMotion } from "../side.js";
import { state } from "../store.js";
import { taskForm } from "../task-form.js";
import { put } from "../told.js";
import { work } from "../work.js";

export function motionTab(panel, menus, { listen }) {
  const values = valuesOf("motion", { kind: "quintic", joints: 0, start: "", goal: "", via: "", payload: "", text: "", typed: false });
  const form = taskForm(menus, values);
  const live = element("div", { id: "live-motion" }), told = element("div", { className: "told", id: "budget" });
  panel.replaceChildren(heading("Motion"), form.element, row(action("Run the motion", run, { id: "run-motion", main: true })), live, told);

  async function run() {
    const result = await work("computing the motion", "motion", async () => {
      await form.ready();
      return { robot: state.robot, task: values.text };
    });
    if (!result) return;
    live.replaceChildren(...[await showMotion(result.live, put(told, result, true))].filter(Boolean));
  }
  let robot = null;
  listen((shown, fresh) => {
    form.fit(shown, fresh);
    if (robot !== shown.robot.text) for (const one of [live, told]) one.replaceChildren();
    robot = shown.robot.text;
  });
}
