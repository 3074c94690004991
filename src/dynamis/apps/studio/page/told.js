/* Documents that the studio told, on the page. Their HTML comes from the one renderer, which escapes every text. */
import { element } from "./dom.js";
import { plot } from "./plot.js";

/* Put a fragment into an element; gives its charts, which follow a player. `chartsFirst`: above the tables. */
export function put(holder, { html, charts = [] }, chartsFirst = false) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  holder.replaceChildren(...[...parsed.body.childNodes].map((node) => document.importNode(node, true)));
  for (const table of holder.querySelectorAll(":scope > table")) table.replaceWith(element("div", { className: "table" }, table.cloneNode(true)));
  const figures = [...holder.querySelectorAll("figure[data-chart]")];
  if (chartsFirst) (holder.querySelector("h1") ?? holder.firstElementChild)?.after(...figures);
  return figures.map((figure) => plot(charts[figure.dataset.chart], figure.querySelector(".chart")));
}

/* A file that the studio made: downloaded under its name. */
export function download({ name, text, base64 }) {
  const bytes = base64 === undefined ? text : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes]));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
