/* A D-H table that is typed in: rows of a joint, its four values, a mass and its CoM. */
import { element } from "./dom.js";
import { grid } from "./fields.js";
import { keep, state } from "./store.js";

const COLUMNS = [["theta", "θ [rad]"], ["d", "d [m]"], ["a", "a [m]"], ["alpha", "α [rad]"], ["mass", "mass [kg]"], ["cx", "CoM x [m]"], ["cy", "CoM y [m]"], ["cz", "CoM z [m]"]];
const FIRST = [{ kind: "revolute", a: "0.5", mass: "2", cx: "-0.25" }, { kind: "revolute", a: "0.4", mass: "1", cx: "-0.2" }];

export function dhTable(build) {
  const table = (state.form.table ??= { title: "my arm", convention: "standard-dh", rows: FIRST });
  const body = element("tbody"), name = element("input", { type: "text", value: table.title, id: "dh-title" });
  const convention = element("select", { id: "dh-convention" }, ...["standard-dh", "modified-dh"].map((x) => element("option", { value: x, textContent: x, selected: x === table.convention })));
  const heads = ["joint", "kind", ...COLUMNS.map(([, title]) => title), ""];

  function draw() {
    body.replaceChildren(...table.rows.map((row, k) => {
      const kind = element("select", { "aria-label": `kind of joint ${k + 1}` }, ...["revolute", "prismatic", "fixed"].map((x) => element("option", { value: x, textContent: x, selected: x === row.kind })));
      kind.addEventListener("change", () => set(row, "kind", kind.value));
      const cells = COLUMNS.map(([key, title]) => {
        const input = element("input", { type: "text", value: row[key] ?? "", placeholder: "0", "aria-label": `${title} of joint ${k + 1}` });
        input.addEventListener("input", () => set(row, key, input.value));
        return element("td", {}, input);
      });
      const away = element("button", { type: "button", textContent: "×", "aria-label": `remove row ${k + 1}`, disabled: table.rows.length === 1 });
      away.addEventListener("click", () => {
        table.rows.splice(k, 1);
        keep();
        draw();
        more.focus();
      });
      return element("tr", {}, element("th", { scope: "row", textContent: String(k + 1) }), element("td", {}, kind), ...cells, element("td", {}, away));
    }));
  }

  function set(row, key, value) {
    row[key] = value;
    keep();
  }

  const more = element("button", { type: "button", textContent: "Add a row", id: "dh-add" });
  more.addEventListener("click", () => {
    table.rows.push({ kind: "revolute" });
    keep();
    draw();
  });
  const make = element("button", { type: "button", className: "main", textContent: "Build the arm", id: "dh-build" });
  make.addEventListener("click", () => build(table));
  name.addEventListener("input", () => set(table, "title", name.value));
  convention.addEventListener("change", () => set(table, "convention", convention.value));
  draw();
  return element("div", { className: "dh" },
    grid(...[["name", name], ["convention", convention]].map(([words, input]) => element("label", { className: "labelled" }, element("span", { className: "caption", textContent: words }), input))),
    element("div", { className: "table" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((title) => element("th", { scope: "col", textContent: title })))), body)),
    element("div", { className: "row" }, more, make),
    element("p", { className: "hint", textContent: "Numbers, with a unit if you like (500 mm, 90 deg), or expressions such as pi/2; the joint variable is added to θ or d. Inertia, friction and limits are set in the form above." }));
}
