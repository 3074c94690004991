/* The robot's model: a WebAssembly module that came with the page, and its functions by name. */
import { binder } from "./bind.mjs";

export async function loadModel(data) {
  const text = atob(data.module), bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes);
  const bind = binder(instance, data.first);
  const functions = new Map(data.functions.map(([name, inputs, outputs]) => [name, { run: bind(name, inputs, outputs), inputs, outputs }]));

  /* Inputs by name: q, qd, qdd, parameters, gravity; of one state, or of many one after the other. Outputs by name. */
  function call(name, values) {
    const { run, inputs, outputs } = functions.get(name);
    const result = run(...inputs.map(([label]) => values[label]));
    return outputs.length === 1 ? { [outputs[0][0]]: result } : result;
  }
  return { call, has: (name) => functions.has(name), size: (name, label) => functions.get(name).outputs.find((x) => x[0] === label)[1] };
}
