/* Tabs as the ARIA pattern has them: arrows go from one to the next. */
import { element } from "./dom.js";
import { keep, state } from "./store.js";
import { say } from "./work.js";

export function tabs(list, panels, titles) {
  const made = Object.entries(titles).map(([name, title]) => {
    const tab = element("button", { type: "button", role: "tab", id: `tab-${name}`, textContent: title, "aria-controls": `panel-${name}` });
    const panel = element("section", { id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, tabIndex: -1 });
    tab.addEventListener("click", () => {
      if (name !== state.tab) say(""); // a sentence is about the tab that it was said in
      show(name);
      window.scrollTo(0, 0);
    });
    return [name, tab, panel];
  });
  list.replaceChildren(...made.map(([, tab]) => tab));
  panels.replaceChildren(...made.map(([, , panel]) => panel));
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -99, End: 99 }[event.key];
    if (!by) return;
    const k = made.findIndex(([name]) => name === state.tab);
    const next = Math.abs(by) > 1 ? (by < 0 ? 0 : made.length - 1) : (k + by + made.length) % made.length;
    show(made[next][0]);
    made[next][1].focus();
    event.preventDefault();
  });

  function show(name) {
    state.tab = name;
    keep();
    document.querySelector("main").dataset.tab = name;
    for (const [other, tab, panel] of made) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
  }
  show(titles[state.tab] ? state.tab : made[0][0]);
  return Object.fromEntries(made.map(([name, , panel]) => [name, panel]));
}
