/* What the window knows, kept over a reload and over a restart of the studio: the robot's file and what was typed. */
const KEY = "dynamis studio";
const boot = JSON.parse(document.getElementById("boot").textContent);

function before() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY)) ?? {};
    // A studio that was started with another robot shows that one.
    if (boot.robot && kept.started !== boot.robot.text) return { theme: kept.theme };
    return kept;
  } catch {
    return {};
  }
}

export const state = { robot: boot.robot, started: boot.robot?.text ?? null, tab: "robot", theme: "auto", form: {}, ...before() };

export function keep() {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // A window without room for it works, and forgets.
    window.dispatchEvent(new Event("forgetful"));
  }
}
