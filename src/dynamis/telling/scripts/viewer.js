/* A small 3-D viewer on WebGL: solids with light and a shadow, seen by a camera that turns, and labels over them.

   viewer(canvas, labels, view) gives { draw(items, texts, lines), camera, render, close }. An item is { mesh, at, colour,
   alpha, shadow }: a mesh of solids.js, a matrix of linear.js, a colour [r, g, b] of 0 to 1. A text is { text, at }, a line
   { points, colour }, which is drawn over the solids. */
import { add, cofactors, cross, dot, looking, perspective, product, roundLength, scaled, unit } from "./linear.js";
import { grid } from "./solids.js";

const ANGLE = 0.5, NEAR = 14;
const VERTEX = `attribute vec3 position, normal; uniform mat4 camera, model; uniform mat3 turn; varying vec3 n, p;
void main() { vec4 w = model * vec4(position, 1.0); p = w.xyz; n = turn * normal; gl_Position = camera * w; }`;
const FRAGMENT = `precision mediump float; varying vec3 n, p; uniform vec4 colour; uniform vec3 key, up, eye; uniform float lit, fade;
void main() {
  if (lit < 0.5) {
    float far = fade > 0.0 ? clamp(1.0 - length(p) / fade, 0.0, 1.0) : 1.0;
    gl_FragColor = vec4(colour.rgb * colour.a * far, colour.a * far);
    return;
  }
  vec3 m = normalize(n), v = normalize(eye - p);
  if (dot(m, v) < 0.0) m = -m;
  float sky = 0.5 + 0.5 * dot(m, up), sun = max(dot(m, key), 0.0);
  float shine = pow(max(dot(m, normalize(key + v)), 0.0), 40.0), edge = pow(1.0 - max(dot(m, v), 0.0), 3.0);
  vec3 c = colour.rgb * (0.42 + 0.28 * sky + 0.42 * sun) + vec3(0.16 * shine + 0.07 * edge);
  gl_FragColor = vec4(c * colour.a, colour.a);
}`;

export function viewer(canvas, labels, view) {
  const gl = canvas.getContext("webgl", { antialias: true, stencil: true, preserveDrawingBuffer: true });
  const pen = labels.getContext("2d");
  if (!gl) return null;
  const memory = gl.getExtension("WEBGL_lose_context");
  let { program, spots, buffers } = prepared(gl), seen = true;
  const [X, Y, Z] = view.flat ? [view.axes[2], view.axes[0], view.axes[1]] : view.axes;
  const first = view.flat ? { azimuth: 0, elevation: 0 } : { azimuth: -0.9, elevation: 0.35 };
  const camera = { ...first, zoom: 1, middle: [...view.middle] };
  const { halves, middle } = frontal();
  camera.middle = [...middle];
  let last = [[], [], []];

  function axes() {
    const [ca, sa] = [Math.cos(camera.azimuth), Math.sin(camera.azimuth)];
    const [ce, se] = [Math.cos(camera.elevation), Math.sin(camera.elevation)];
    const back = unit(add(add(scaled(X, ce * ca), Y, ce * sa), Z, se));
    const right = unit(cross(Z, back));
    return { back, right, up: cross(back, right) };
  }

  /* What is to be seen, as it is first looked at: half its width and its height, and the middle between its ends. */
  function frontal() {
    const { right, up } = axes(), points = (view.seen ?? []).map((point) => add(point, view.middle, -1));
    const ends = [right, up].map((axis) => points.map((point) => dot(point, axis))).map((x) => [Math.min(0, ...x), Math.max(0, ...x)]);
    const [x, y] = ends.map(([low, high]) => (low + high) / 2);
    return { halves: ends.map(([low, high]) => (high - low) / 2), middle: add(add(view.middle, right, x), up, y) };
  }

  /* Half the height of what is seen at the middle: a robot that is turned stays inside. */
  const reach = (aspect) => Math.max((1.05 * view.size) / Math.min(1, aspect), 1.3 * halves[1], (1.2 * halves[0]) / aspect) / camera.zoom;

  function fit() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    for (const one of [canvas, labels]) {
      const [w, h] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
      if (one.width !== w || one.height !== h) Object.assign(one, { width: w, height: h });
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  function render() {
    if (!seen || gl.isContextLost()) return;
    fit();
    const [items, texts, lines] = last, { back, right, up } = axes();
    const aspect = canvas.width / Math.max(1, canvas.height);
    const away = reach(aspect) / Math.sin(ANGLE / 2);
    const eye = add(camera.middle, back, away);
    const whole = product(perspective(ANGLE, aspect, 0.02 * away, 20 * away), looking(right, up, back, eye));
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.uniformMatrix4fv(spots.camera, false, whole);
    gl.uniform3fv(spots.key, unit(add(add(scaled(right, -0.5), up, 0.9), back, 0.7)));
    gl.uniform3fv(spots.up, view.flat ? up : Z);
    gl.uniform3fv(spots.eye, eye);
    const paper = getComputedStyle(canvas);
    floor(rgb(paper.getPropertyValue("--grid")));
    if (!view.flat) shadows(items);
    gl.uniform1f(spots.lit, 1);
    for (const item of items.filter((x) => x.alpha === undefined)) one(item, item.at, item.colour, 1);
    gl.depthMask(false);
    for (const item of items.filter((x) => x.alpha !== undefined)) one(item, item.at, item.colour, item.alpha);
    gl.depthMask(true);
    write(texts, lines, whole, paper.getPropertyValue("color"), paper.getPropertyValue("--paper"));
  }

  function one(item, at, colour, alpha) {
    const { mesh } = item;
    if (!buffers.has(mesh)) buffers.set(mesh, upload(gl, mesh));
    const { positions, normals, count } = buffers.get(mesh);
    for (const [k, buffer] of [positions, normals].entries()) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 0, 0);
    }
    gl.uniformMatrix4fv(spots.model, false, at);
    gl.uniformMatrix3fv(spots.turn, false, cofactors(at));
    gl.uniform4f(spots.colour, ...colour, alpha);
    gl.drawArrays(mesh.lines ? gl.LINES : gl.TRIANGLES, 0, count);
  }

  /* Squares under a spatial robot, behind a flat one; they fade out. */
  function floor(colour) {
    const gap = roundLength(view.size / 2), [a, b] = view.flat ? [Z, Y] : [X, Y];
    gl.uniform1f(spots.lit, 0);
    gl.uniform1f(spots.fade, 9 * gap);
    const back = view.flat ? scaled(X, -0.25 * view.size) : [0, 0, 0];
    const at = [...scaled(a, gap), 0, ...scaled(b, gap), 0, ...cross(a, b), 0, ...back, 1];
    one({ mesh: grid }, at, colour, 1);
    gl.uniform1f(spots.fade, 0);
  }

  /* The solids pressed flat on the floor; the stencil keeps them from darkening it twice. */
  function shadows(items) {
    const flat = [];
    const lean = add(Z, add(scaled(X, 0.25), Y, -0.35));
    for (let j = 0; j < 3; j++) {
      const e = [0, 0, 0];
      e[j] = 1;
      flat.push(...add(e, lean, -Z[j]), 0);
    }
    flat.push(...scaled(Z, 0.002 * view.size), 1);
    gl.uniform1f(spots.lit, 0);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.depthMask(false);
    for (const item of items.filter((x) => x.shadow)) one(item, product(flat, item.at), [0, 0, 0], 0.13);
    gl.depthMask(true);
    gl.disable(gl.STENCIL_TEST);
  }

  function write(texts, lines, whole, ink, paper) {
    const onPage = (at) => {
      const w = dot([whole[3], whole[7], whole[11]], at) + whole[15];
      const x = (0.5 + (0.5 * (dot([whole[0], whole[4], whole[8]], at) + whole[12])) / w) * canvas.clientWidth;
      return [x, (0.5 - (0.5 * (dot([whole[1], whole[5], whole[9]], at) + whole[13])) / w) * canvas.clientHeight];
    };
    pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    pen.lineWidth = 1.5;
    for (const { points, colour } of lines) {
      pen.strokeStyle = colour;
      pen.beginPath();
      for (const point of points) pen.lineTo(...onPage(point));
      pen.stroke();
    }
    pen.font = "600 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.lineWidth = 3.5;
    const placed = [];
    for (const { text, at } of texts) {
      const [x, y] = onPage(at);
      const near = placed.find((other) => Math.hypot(other.x - x, other.y - y) < NEAR);
      if (near) near.text += `, ${text}`;
      else placed.push({ text, x, y });
    }
    pen.strokeStyle = paper;
    pen.fillStyle = ink;
    for (const { text, x, y } of placed) {
      pen.strokeText(text, x, y);
      pen.fillText(text, x, y);
    }
  }

  function turn(azimuth, elevation) {
    camera.azimuth += azimuth;
    camera.elevation = Math.min(1.5, Math.max(-1.5, camera.elevation + elevation));
    render();
  }

  function zoom(by) {
    camera.zoom = Math.min(20, Math.max(0.2, camera.zoom * by));
    render();
  }

  function reset() {
    Object.assign(camera, { ...first, zoom: 1, middle: [...middle] });
    render();
  }

  canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    if (event.buttons === 1 && !event.shiftKey) return turn(-0.008 * event.movementX, 0.008 * event.movementY);
    const { right, up } = axes(), by = (2 * reach(canvas.clientWidth / Math.max(1, canvas.clientHeight))) / Math.max(1, canvas.clientHeight);
    camera.middle = add(add(camera.middle, right, -by * event.movementX), up, by * event.movementY);
    return render();
  });
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas) return; // a page that is scrolled past the picture keeps scrolling
    event.preventDefault();
    zoom(Math.exp(-0.001 * event.deltaY));
  }, { passive: false });
  canvas.addEventListener("dblclick", reset);
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (step) turn(...step);
    else if (event.key === "+" || event.key === "=") zoom(1.15);
    else if (event.key === "-") zoom(1 / 1.15);
    else if (event.key === "0" || event.key === "Home") reset();
    else return;
    event.preventDefault();
  });
  const watch = new ResizeObserver(render);
  watch.observe(canvas);

  /* A page, or a notebook, may have some sixteen views at a time, and a browser takes the memory of the oldest: one that is
     scrolled away gives its own back, and takes it again. */
  const look = new IntersectionObserver((entries) => {
    seen = entries.at(-1).isIntersecting;
    if (seen && gl.isContextLost()) memory?.restoreContext();
    else if (seen) render();
    else if (!gl.isContextLost()) memory?.loseContext();
  }, { rootMargin: "200px" });
  look.observe(canvas);
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => {
    ({ program, spots, buffers } = prepared(gl));
    render();
  });
  return {
    camera,
    /* Gives the memory of the graphics card back: a page may have some sixteen views, and no more. */
    close() {
      watch.disconnect();
      look.disconnect();
      memory?.loseContext();
    },
    draw(items, texts, lines = []) {
      last = [items, texts, lines];
      render();
    },
    render,
  };
}

/* "#rrggbb" as numbers of 0 to 1. */
export function rgb(text) {
  const value = parseInt(text.trim().slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

function upload(gl, mesh) {
  const [positions, normals] = [mesh.positions, mesh.normals].map((values) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
    return buffer;
  });
  return { positions, normals, count: mesh.positions.length / 3 };
}

/* What the memory of the graphics card holds: the program, its variables, and the meshes that were drawn. */
function prepared(gl) {
  const program = shaders(gl);
  const names = ["camera", "model", "turn", "colour", "key", "up", "eye", "lit", "fade"];
  return { program, spots: Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)])), buffers: new Map() };
}

function shaders(gl) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, "position");
  gl.bindAttribLocation(program, 1, "normal");
  gl.linkProgram(program);
  return program;
}
