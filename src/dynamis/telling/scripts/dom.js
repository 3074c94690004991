/* Elements and numbers of a page. Text is always text: nothing here reads HTML. */

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/* A number in a table: `decimals` of them, or as many digits as matter where it is very large or very small. */
export function written(x, decimals = 3) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size >= 1e6 || (size > 0 && size < 0.5 * 10 ** -decimals && size > 1e-12)) return x.toExponential(1).replaceAll("-", "−").replace("e+", "e");
  const text = x.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text.replace("-", "−");
}

/* Numbers in base64, as Python wrote them. */
export function floats(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}

/* A head and rows of cells that can be written again: { element, cells }. */
export function table(heads, rows, caption) {
  const body = rows.map((row) => row.map((text, k) =>
    element(k ? "td" : "th", { className: k ? "number" : "", textContent: text, ...(k ? {} : { scope: "row" }) })));
  const made = element("table", {},
    ...(caption ? [element("caption", { textContent: caption })] : []),
    element("thead", {}, element("tr", {}, ...heads.map((text, k) => element("th", { scope: "col", className: k ? "number" : "", textContent: text })))),
    element("tbody", {}, ...body.map((row) => element("tr", {}, ...row))));
  return { element: element("div", { className: "table" }, made), cells: body.map((row) => row.slice(1)), rows: made.tBodies[0].rows };
}
