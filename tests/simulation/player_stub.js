// Runs the player of an animation page without a browser: node player_stub.js page.html
// Prints, as JSON, what it wrote into the page and what it drew last; fails on drawing what is not a number.
"use strict";
const fs = require("fs");
const vm = require("vm");

const page = fs.readFileSync(process.argv[2], "utf-8");
const data = /<script type="application\/json" id="run">([^]*?)<\/script>/.exec(page)[1];
const script = /<script>\n([^]*?)<\/script>/.exec(page)[1];

let drawn = [];
const pen = new Proxy({}, {
  get: (own, name) => (name in own ? own[name] : (...given) => {
    const numbers = given.flat().filter((x) => typeof x === "number");
    if (!numbers.every(Number.isFinite)) throw new Error(`${String(name)}(${given}) is drawn`);
    if (name === "clearRect") drawn = [];
    drawn.push([String(name), given, { ...own }]);
  }),
});

function element(tag) {
  const heard = {};
  return {
    tag, style: {}, children: [], textContent: "", value: "", clientWidth: 640, clientHeight: 480,
    appendChild(child) { this.children.push(child); if (child.selected) this.value = child.value; },
    addEventListener(name, listener) { heard[name] = listener; },
    hear(name, event) { heard[name](event || {}); },
    getContext: () => pen, setPointerCapture() {},
  };
}

const parts = {};
const document = { ...element("document"), body: element("body"), createElement: element };
document.getElementById = (id) => (parts[id] ??= element(id));
parts.run = { textContent: data };
let next = null;
const window = { devicePixelRatio: 2, addEventListener() {} };
vm.runInNewContext(script, { document, window, Math, Number, requestAnimationFrame: (f) => { next = f; } });

const words = () => ({ clock: parts.clock.textContent, event: parts.event.textContent, button: parts.play.textContent,
  values: parts.values.children.map((line) => line.children.map((cell) => cell.textContent)) });
const found = { name: parts.name.textContent, about: parts.about.textContent, first: words(), marks: document.getElementById("marks").children.length,
  speeds: parts.speed.children.map((option) => option.value), speed: parts.speed.value };
parts.play.hear("click");
for (const now of [1000, 1500]) { const now_ = next; next = null; now_(now); }
found.playing = words();
for (let now = 2000; next && now < 1e6; now += 500) { const now_ = next; next = null; now_(now); }
found.over = words();
const shapes = () => JSON.stringify(drawn.map(([name, given]) => [name, given]));
const before = shapes();
parts.picture.hear("pointermove", { buttons: 1, movementX: 40, movementY: -10 });
found.turned = shapes() !== before;
parts.picture.hear("wheel", { deltaY: -300, preventDefault() {} });
parts.picture.hear("dblclick");
found.reset = shapes() === before;
parts.slider.value = "0.5";
parts.slider.hear("input");
found.middle = words();
found.drawn = drawn;
console.log(JSON.stringify(found));
