/* Functions of arrays around an exported module: they check lengths, and run over as many states at a time as its memory
   holds. `first` is where states begin, in numbers of eight bytes. */
export function binder(instance, first) {
  const memory = new Float64Array(instance.exports.memory.buffer);
  return (name, inputs, outputs) => {
    const code = instance.exports[name];
    const width = [...inputs, ...outputs].reduce((sum, [, count]) => sum + count, 0);
    const chunk = Math.floor((memory.length - first) / width);
    return (...values) => {
      const states = statesOf(name, inputs, values);
      const given = values[inputs.length];
      const results = outputs.map(([label, count]) =>
        (outputs.length === 1 ? given : given?.[label]) ?? new Float64Array(states * count));
      for (let start = 0; start < states; start += chunk) {
        const n = Math.min(chunk, states - start);
        const call = [n];
        let at = first;
        for (let k = 0; k < inputs.length; k++) {
          const count = inputs[k][1];
          const same = values[k].length === count;
          const from = same ? 0 : start * count;
          const size = same ? count : n * count;
          copy(values[k], from, size, memory, at);
          call.push(8 * at, same ? 0 : 8 * count);
          at += size;
        }
        const end = at;
        for (const [, count] of outputs) {
          call.push(8 * at);
          at += n * count;
        }
        code(...call);
        at = end;
        for (let k = 0; k < outputs.length; k++) {
          const count = outputs[k][1];
          copy(memory, at, n * count, results[k], start * count);
          at += n * count;
        }
      }
      return outputs.length === 1 ? results[0] : Object.fromEntries(outputs.map(([label], k) => [label, results[k]]));
    };
  };
}

/* Entries from one array to another: few one by one, many together, which typed arrays do faster. */
function copy(source, first, size, target, at) {
  if (size > 64 && ArrayBuffer.isView(source)) target.set(source.subarray(first, first + size), at);
  else for (let i = 0; i < size; i++) target[at + i] = source[first + i];
}

/* How many states the arrays have; an array of one state goes with any number. */
function statesOf(name, inputs, values) {
  let states = 1;
  for (let k = 0; k < inputs.length; k++) {
    const [label, count] = inputs[k];
    const length = values[k]?.length ?? 0;
    if (length === count) continue;
    if (states === 1 && length > 0) states = length / count;
    if (length === 0 || length !== count * states || !Number.isInteger(states)) {
      const whole = Number.isInteger(states) && states > 1;
      const many = whole ? `, or ${states * count} for ${states} states` : " per state";
      throw new RangeError(`${name}: ${label} must have ${count} entries${many}, got ${length}`);
    }
  }
  return states;
}
