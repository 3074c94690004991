/* Equations with the current values in the place of their symbols, on demand.

   Python gives every symbol in MathML, as the equations write it, and where its value is: [mathml, key, index, sign]. */
const MATH = "http://www.w3.org/1998/Math/MathML", INVISIBLE_TIMES = "\u2062";

export function equations(data, holders) {
  const known = new Map(data.symbols.map(([mathml, ...place]) => {
    const parsed = new DOMParser().parseFromString(`<math xmlns="${MATH}">${mathml}</math>`, "application/xml");
    return [name(parsed.documentElement), place];
  }));
  const originals = new Map();

  function name(node) {
    const children = [...node.children];
    if ((node.localName === "mrow" || node.localName === "math") && children.length === 1) return name(children[0]);
    return children.length ? `${node.localName}(${children.map(name).join(",")})` : `${node.localName}:${node.textContent}`;
  }

  /* A power keeps its exponent: the value takes the place of the symbol below it. */
  function replaced(node, values) {
    const found = known.get(name(node));
    if (found) return number(value(found, values));
    if (node.textContent === INVISIBLE_TIMES) return sign("·");
    if (node.localName === "msubsup" || node.localName === "msup") {
      const [base, ...scripts] = node.children;
      const below = node.localName === "msup" ? name(base) : `msub(${name(base)},${name(scripts[0])})`;
      if (known.has(below)) {
        const power = document.createElementNS(MATH, "msup");
        power.append(number(value(known.get(below), values)), scripts.at(-1).cloneNode(true));
        return power;
      }
    }
    /* An entry such as the first of g is no power of g: a symbol with an index is a name of its own. */
    if (node.localName === "msub" || node.localName === "msubsup") return node.cloneNode(true);
    const copy = node.cloneNode(false);
    for (const child of node.childNodes) {
      const made = child.nodeType === 1 ? replaced(child, values) : child.cloneNode();
      const before = [...copy.children].filter((x) => x.localName !== "mspace").at(-1);
      /* Symbols stand beside each other; a number after one needs a sign between them. */
      if (made.nodeType === 1 && made.getAttribute("class") === "value" && before && before.localName !== "mo") copy.append(sign("·"));
      copy.append(made);
    }
    return copy;
  }

  const value = ([key, k, sign], values) => sign * values[key][k];

  function number(x) {
    const made = document.createElementNS(MATH, "mrow"), digits = document.createElementNS(MATH, "mn");
    digits.textContent = String(Number(Math.abs(x).toPrecision(4)));
    made.append(...(x < 0 ? [sign("("), sign("−"), digits, sign(")")] : [digits]));
    made.setAttribute("class", "value");
    return made;
  }

  function sign(text) {
    const made = document.createElementNS(MATH, "mo");
    made.textContent = text;
    made.setAttribute(...(text === "−" ? ["form", "prefix"] : ["stretchy", "false"]));
    return made;
  }

  /* Left sides keep their symbols. */
  function show(values) {
    for (const holder of holders) {
      if (holder.offsetParent === null) continue;
      for (const math of holder.querySelectorAll(".equation td:nth-child(3) math")) {
        if (!originals.has(math)) originals.set(math, [...math.childNodes].map((node) => node.cloneNode(true)));
        math.replaceChildren(...originals.get(math).map((node) => replaced(node, values)));
      }
    }
  }

  function hide() {
    for (const [math, nodes] of originals) math.replaceChildren(...nodes.map((node) => node.cloneNode(true)));
    originals.clear();
  }
  return { show, hide };
}
