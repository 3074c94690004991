/* Work that takes its time: what it does now, for how long, and a button that stops it. One at a time in a window. */
import { Failure, Stopped, ask } from "./api.js";
import { element } from "./dom.js";
import { settled } from "./pending.js";
import { state } from "./store.js";

const bar = document.getElementById("work"), trouble = document.getElementById("trouble");
let running = null;

/* The result, or null where it was stopped or failed; the page says why. `data` may be a function that gets them ready. */
export async function work(title, verb, data, tell = () => {}) {
  running?.abort();
  const control = new AbortController(), words = element("span", { textContent: title }), clock = element("span", { className: "clock" });
  const stop = element("button", { type: "button", textContent: "Stop", className: "stop" });
  const start = performance.now(), tick = setInterval(() => (clock.textContent = `${((performance.now() - start) / 1000).toFixed(0)} s`), 500);
  running = control;
  stop.addEventListener("click", () => control.abort());
  bar.replaceChildren(element("span", { className: "turning", "aria-hidden": "true" }), words, clock, stop);
  bar.hidden = false;
  say("");
  try {
    const own = data.robot === state.robot;
    await settled();
    const sent = typeof data === "function" ? await data() : own ? { ...data, robot: state.robot } : data;
    return await ask(verb, sent, { signal: control.signal, tell: (message) => {
      if (message.progress) words.textContent = `${title}: ${message.progress}`;
      else tell(message);
    } });
  } catch (error) {
    if (error instanceof Stopped) say(running === control ? `${title}: stopped` : "");
    else if (error instanceof Failure) {
      say(error.message);
      tell({ failure: error });
    }
    else throw error;
    return null;
  } finally {
    clearInterval(tick);
    if (running === control) {
      running = null;
      bar.hidden = true;
    }
  }
}

/* What work has to say besides its result; warnings about the robot stand in its tab already. */
export const tellNotes = (notes) => say(notes.filter((words) => !state.warnings?.includes(words)).join(" "), "note");

/* A sentence on the page, an error or a note; nothing where it is empty. */
export function say(sentence, kind = "error") {
  const close = element("button", { type: "button", textContent: "×", "aria-label": "close this message" });
  close.addEventListener("click", () => (trouble.hidden = true));
  trouble.hidden = !sentence;
  trouble.className = kind;
  const [words, ...excerpt] = sentence.split("\n");
  if (sentence) trouble.replaceChildren(element("div", {}, element("span", { textContent: words }), ...(excerpt.length ? [element("pre", { textContent: excerpt.join("\n") })] : [])), close);
}
