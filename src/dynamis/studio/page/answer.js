/* An answer that is typed in, and beside each line its verdict. */
import { element } from "./dom.js";
import { action, row } from "./fields.js";
import { keep, state } from "./store.js";
import { put } from "./told.js";
import { work } from "./work.js";

const MARKS = { right: "✓", wrong: "✗", unread: "?" }, LEAST = 6;
const EXAMPLE = "M[1,2] = \ng[2] = ";

export function answerBox(values) {
  values.answer ??= "";
  const text = element("textarea", { id: "answer", value: values.answer, placeholder: EXAMPLE, wrap: "off", spellcheck: false, "aria-label": "your answer" });
  const verdicts = element("ol", { className: "verdicts", "aria-label": "verdicts by line" });
  const told = element("div", { className: "told", id: "verdict" });
  text.addEventListener("input", () => {
    values.answer = text.value;
    keep();
    fit();
    verdicts.replaceChildren();
  });

  /* As high as its lines, so that every verdict stands beside its own. */
  function fit() {
    text.rows = Math.max(LEAST, text.value.split("\n").length);
  }

  async function judge() {
    const result = await work("checking", "check", { robot: state.robot, notation: values.notation, answer: text.value });
    if (!result) return;
    const lines = text.value.split("\n");
    verdicts.replaceChildren(...lines.map((_, k) => {
      const { status, words } = result.lines[k + 1] ?? {};
      const item = element("li", { className: status ?? "", title: words ?? "" });
      if (status) item.append(element("b", { textContent: MARKS[status], "aria-hidden": "true" }), element("span", { textContent: ` line ${k + 1}: ${words}` }));
      return item;
    }));
    put(told, result);
  }
  fit();
  return element("div", {}, element("p", { className: "hint", textContent: "Lines such as M[1,2] = m2*l1*d2*cos(q2) + I2; also MATLAB, NumPy, SymPy or LaTeX. Nothing of it is run." }),
    element("div", { className: "answer" }, text, verdicts), row(action("Check my answer", judge, { id: "check", main: true })), told);
}
