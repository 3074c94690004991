/* Equations with the current values in the place of their symbols, on demand.

   Python gives every symbol in MathML, as the equations write it, and where its value is: [mathml, key, index]. */
const MATH = "http://www.w3.org/1998/Math/MathML";

export function equations(data, holders) {
  const known = new Map(data.symbols.map(([mathml, key, k]) => {
    const parsed = new DOMParser().parseFromString(`<math xmlns="${MATH}">${mathml}</math>`, "application/xml");
    return [name(parsed.documentElement), [key, k]];
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
    if (found) return number(values[found[0]][found[1]]);
    if (node.localName === "msubsup" || node.localName === "msup") {
      const [base, ...scripts] = node.children;
      const below = node.localName === "msup" ? name(base) : `msub(${name(base)},${name(scripts[0])})`;
      const value = known.get(below);
      if (value) {
        const power = document.createElementNS(MATH, "msup");
        power.append(number(values[value[0]][value[1]], true), scripts.at(-1).cloneNode(true));
        return power;
      }
    }
    const copy = node.cloneNode(false);
    for (const child of node.childNodes) copy.append(child.nodeType === 1 ? replaced(child, values) : child.cloneNode());
    return copy;
  }

  function number(x, power = false) {
    const made = document.createElementNS(MATH, "mrow"), digits = document.createElementNS(MATH, "mn");
    digits.textContent = String(Number(Math.abs(x).toPrecision(4)));
    made.append(...(x < 0 || power ? [sign("("), ...(x < 0 ? [sign("−")] : []), digits, sign(")")] : [digits]));
    made.setAttribute("class", "value");
    return made;
  }

  function sign(text) {
    const made = document.createElementNS(MATH, "mo");
    made.textContent = text;
    if (text !== "−") made.setAttribute("stretchy", "false");
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
