"""The exported WebAssembly beside MuJoCo's, both in Node: the same states, the same torques.

    python -m tests.apps.exports.mujoco_in_node

installs `@mujoco/mujoco` from npm in a temporary folder, which the ordinary tests do without.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import dynamis
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.model.formats.urdf.write import write_urdf

ROBOTS = ("ur5", "panda", "stanford")
"""Of the shipped ones with six joints and more; MuJoCo does not take the Puma, whose first link has no mass."""
STATES = 200
SCRIPT = """
import { readFile } from "node:fs/promises";
import loadMujoco from "@mujoco/mujoco";

const mujoco = await loadMujoco();
for (const { name, module, urdf, gravity, armature, n, q, qd, qdd } of JSON.parse(await readFile("robots.json"))) {
  const robot = await import(module);
  const model = mujoco.MjModel.from_xml_string(urdf);
  gravity.forEach((x, k) => { model.opt.gravity[k] = x; });
  model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT.value;
  armature.forEach((x, k) => { model.dof_armature[k] = x; });
  const data = new mujoco.MjData(model);
  const tau = robot.inverse_dynamics(q.flat(), qd.flat(), qdd.flat());
  const back = robot.forward_dynamics(q.flat(), qd.flat(), tau);
  let torques = 0, accelerations = 0, largest = 0;
  q.forEach((_, k) => {
    for (let i = 0; i < n; i++) { data.qpos[i] = q[k][i]; data.qvel[i] = qd[k][i]; data.qacc[i] = qdd[k][i]; }
    mujoco.mj_inverse(model, data);
    for (let i = 0; i < n; i++) {
      const theirs = data.qfrc_inverse[i];
      largest = Math.max(largest, Math.abs(theirs));
      torques = Math.max(torques, Math.abs(tau[k * n + i] - theirs));
    }
    for (let i = 0; i < n; i++) data.qfrc_applied[i] = tau[k * n + i];
    mujoco.mj_forward(model, data);
    for (let i = 0; i < n; i++) accelerations = Math.max(accelerations, Math.abs(back[k * n + i] - data.qacc[i]));
  });
  console.log(JSON.stringify({ name, torques, accelerations, largest }));
}
"""


def main() -> int:
    """Prints the largest differences of every robot; 1 if one is more than rounding."""
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "package.json").write_text('{"type": "module"}')
        subprocess.run(["npm", "install", "--silent", "--no-fund", "@mujoco/mujoco"], cwd=path, check=True)
        robots: list[dict[str, object]] = []
        for name in ROBOTS:
            robot = dynamis.load(name)
            m = mechanism(robot, robot.floats())
            dynamis.export(robot, "wasm", path / name, functions=["inverse_dynamics", "forward_dynamics"])
            q, qd, qdd = (rng.uniform(-2, 2, (STATES, robot.n)).tolist() for _ in range(3))
            armature = [float(body.rotor) for body in m.bodies if body.joint is not None]
            robots.append({
                "name": name, "module": f"./{name}/{name}.mjs", "urdf": write_urdf(robot), "n": robot.n,
                "gravity": [float(x) for x in m.gravity], "armature": armature, "q": q, "qd": qd, "qdd": qdd,
            })  # fmt: skip
        (path / "robots.json").write_text(json.dumps(robots))
        (path / "compare.mjs").write_text(SCRIPT)
        output = subprocess.run(["node", "compare.mjs"], cwd=path, check=True, stdout=subprocess.PIPE, text=True).stdout
    failed = False
    for line in output.splitlines():
        row = json.loads(line)
        close = row["torques"] <= 1e-11 * row["largest"] and row["accelerations"] <= 1e-8
        failed |= not close
        print(
            f"{row['name']:10} {STATES} states: torques within {row['torques']:.1e} N m of MuJoCo's (up to "
            f"{row['largest']:.3g}), accelerations within {row['accelerations']:.1e} rad/s^2",
            "" if close else "FAILED",
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
