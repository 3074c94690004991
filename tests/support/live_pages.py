"""Scripts that look at a live page in a browser: its numbers, its picture, what overflows."""

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
OVERFLOW = """const wide = (x) => x.offsetParent && x.scrollWidth > x.clientWidth + 1;
const parts = [...document.querySelectorAll('.equation, p, figure, .chart')];
const texts = parts.filter(wide).map((x) => x.textContent.slice(0, 60));
return [document.documentElement.scrollWidth - innerWidth, texts];"""
