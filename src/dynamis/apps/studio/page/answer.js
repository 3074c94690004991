/* An answer that is typed in, and beside each line its verdict. */
import { element } from "./dom.js";
import { action, row } from "./fields.js";
import { keep, state } from "./store.js";
import { put } from "./told.js";
import { work } from "./work.js";

const MARKS = { right: "✓", wrong: "✗", unread: "?", plain: "–" }, LEAST = 6;
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
    const asked = { robot: state.robot, notation: values.notation, answer: text.value };
    const result = await work("checking", "check", asked, ({ failure }) => failure?.line && show({ [failure.line]: { status: "unread", words: "cannot be read" } }));
    if (!result) return told.replaceChildren();
    show(result.lines);
    return put(told, result);
  }

  function show(lines) {
    verdicts.replaceChildren(...text.value.split("\n").map((_, k) => {
      const { status = "", words = "" } = lines[k + 1] ?? {};
      const item = element("li", { className: status, title: words });
      if (status) item.append(element("b", { textContent: MARKS[status], "aria-hidden": "true" }), element("span", { textContent: ` line ${k + 1}: ${words}` }));
      return item;
    }));
  }
  fit();
  return element("div", {}, element("p", { className: "hint", textContent: "One entry per line, such as M[1,2] = m2*l1*d2*cos(q2) + I2; MATLAB, NumPy, SymPy and LaTeX are read too. Nothing is executed." }),
    element("div", { className: "answer" }, text, verdicts), row(action("Check my answer", judge, { id: "check", main: true })), told);
}
