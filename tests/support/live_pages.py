"""Scripts that look at a live page in a browser: its numbers, its picture, what overflows."""

from __future__ import annotations

from pathlib import Path

from tests.support.browser import Browser

MOVE = """const [group, k, value] = arguments;
const panels = [...document.querySelectorAll('.sliders details')];
const panel = panels.find((x) => x.querySelector('summary').textContent === group);
const range = panel.querySelectorAll('input[type=range]')[k];
range.value = value; range.dispatchEvent(new Event('input'));"""
CELLS = """return [...document.querySelectorAll(`#live-${arguments[0]} tbody tr`)].filter((row) => !row.hidden)
  .map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replaceAll('−', '-'))));"""
PIXELS = """const canvas = document.querySelector('.scene'), copy = document.createElement('canvas');
Object.assign(copy, { width: canvas.width, height: canvas.height });
const pen = copy.getContext('2d'); pen.drawImage(canvas, 0, 0);
const { data } = pen.getImageData(0, 0, copy.width, copy.height);
const colours = new Map();
for (let k = 0; k < data.length; k += 4) {
  if (data[k + 3] > 250) colours.set((data[k] << 16) | (data[k + 1] << 8) | data[k + 2], 1);
}
return [colours.size, canvas.toDataURL().length];"""
EXTENT = (
    PIXELS.partition("const colours")[0]
    + """let [x0, y0, x1, y1] = [1, 1, 0, 0];
for (let k = 0; k < data.length; k += 4) {
  if (data[k + 3] < 250) continue;
  const [x, y] = [((k / 4) % copy.width) / copy.width, Math.floor(k / 4 / copy.width) / copy.height];
  [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
}
return [x0, y0, x1, y1];"""
)
"""Where solids are drawn, in shares of the view: left, top, right, bottom."""
OVERFLOW = """const wide = (x) => x.offsetParent && x.scrollWidth > x.clientWidth + 1;
const parts = [...document.querySelectorAll('.equation, p, figure, .chart, .player, h2, h3, .reactions')];
const texts = parts.filter(wide).map((x) => x.textContent.slice(0, 60));
return [document.documentElement.scrollWidth - innerWidth, texts];"""
EMPTY = "return [...document.querySelectorAll('.chart')].filter((x) => !x.querySelector('path, rect, polygon')).length"
"""Charts without a mark."""
CROWDED = """const boxes = (x, what) =>
  [...x.querySelectorAll(what)].map((y) => [y.textContent, y.getBoundingClientRect()]);
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
return [...document.querySelectorAll('.plot > g')].flatMap((panel) => boxes(panel, '.tick').flatMap(([number, a]) =>
  boxes(panel, '.label').filter(([, b]) => meet(a, b)).map(([words]) => `${words}: ${number}`)));"""
"""Numbers of charts that a label stands on."""
BARE = r"""const maths = [...document.querySelectorAll('main math')].filter((x) => x.checkVisibility());
const flat = maths.filter((x) => !(x.getBoundingClientRect().width > 0)).map((x) => x.textContent);
const errors = [...document.querySelectorAll('merror, parsererror')].map((x) => x.textContent);
const words = document.querySelector('main').innerText.match(/\\[a-z]{3,}|\bNaN\b|undefined|\[object/g) ?? [];
return [...flat, ...errors, ...words].slice(0, 5);"""
"""Formulas that are not drawn, and text that no reader should see."""


UNFOLD = "for (const fold of document.querySelectorAll('details')) fold.open = true"
CONTRAST = r"""const numbers = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
const linear = (x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
const behind = (x) => {
  const colour = x ? numbers(getComputedStyle(x).backgroundColor) : [255, 255, 255];
  return (colour[3] ?? 1) > 0.5 ? colour : behind(x.parentElement);
};
const faint = {};
for (const x of document.querySelectorAll('body *')) {
  const own = [...x.childNodes].filter((y) => y.nodeType === 3).map((y) => y.textContent).join('').trim();
  if (!own || !x.checkVisibility() || x.matches('script, style, noscript, :disabled, option')) continue;
  const style = getComputedStyle(x), colour = x.namespaceURI.includes('svg') ? style.fill : style.color;
  const [a, b] = [light(numbers(colour)), light(behind(x))].sort((p, q) => p - q);
  if ((b + 0.05) / (a + 0.05) < 4.5) faint[colour] = `${own.slice(0, 30)}: ${((b + 0.05) / (a + 0.05)).toFixed(2)}`;
}
return faint;"""
"""Text with less than 4.5 to 1 between its colour and what is behind it, by colour."""


def page_problems(browser: Browser, path: Path, widths: tuple[int, ...] = (1280, 800)) -> list[str]:
    """What is wrong with a live page, with everything unfolded."""
    found: list[str] = []
    for width in widths:
        browser.open(path, width)
        browser.run(UNFOLD)
        beyond, texts = browser.run(OVERFLOW)
        found += [f"{width}: {beyond} px too wide"] if beyond else []
        found += [f'{width}: "{text}" overflows' for text in texts]
        found += [f"{width}: {count} empty plots"] if (count := browser.run(EMPTY)) else []
        found += [f'{width}: "{text}" stand on each other' for text in browser.run(CROWDED)]
        found += [f'{width}: "{text}" is not rendered' for text in browser.run(BARE)]
        colours = browser.wait(f"const found = (() => {{ {PIXELS} }})(); return found[0] > 100 && found[0];")
        found += [] if colours else [f"{width}: the view is not drawn"]
    return [*found, *browser.errors(), *browser.requests()]
