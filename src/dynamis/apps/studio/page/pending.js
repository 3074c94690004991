/* Changes that were typed and are not checked yet, one after the other: each changes what the one before has left. Whoever
   computes with the robot waits for them. */
const all = new Set();
let last = Promise.resolve();

/* A function for every key that is typed: `check` follows after a pause, and once more for what was typed meanwhile. */
export function soon(check, pause) {
  const change = { timer: 0, going: null, again: false, now };

  function now() {
    clearTimeout(change.timer);
    change.timer = 0;
    change.again = true;
    return (change.going ??= run());
  }
  async function run() {
    while (change.again) {
      change.again = false;
      await (last = last.catch(() => {}).then(check));
    }
    change.going = null;
    if (!change.timer) all.delete(change);
  }
  return () => {
    clearTimeout(change.timer);
    change.timer = setTimeout(now, pause);
    all.add(change);
  };
}

export const settled = () => Promise.all([...all].map((change) => change.now()));
