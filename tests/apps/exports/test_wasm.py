"""WebAssembly: the module needs no imports, its wrapper in Node takes batches and refuses arrays of wrong lengths."""

from __future__ import annotations

import json
import re
import subprocess
from importlib import metadata
from math import cos, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.apps.exports.exported import Export
from dynamis.apps.exports.targets.wasm import STATES_OFFSET
from tests.support.export_checks import node, self_check
from tests.support.pages import DOCS


@pytest.fixture(scope="module")
def arm() -> Export:
    """Two links, with the mass of what the tool holds as an argument."""
    functions = ["gravity_torque", "inverse_dynamics", "forward_dynamics_derivatives", "step"]
    return dynamis.export(dynamis.load("bar-2r"), "wasm", functions=functions, parameters=["payload"])


def test_a_humanoid(tmp_path: Path) -> None:
    """Sines and cosines far from where they are used: LLVM's optimiser took one for the other."""
    files = metadata.files("example-robot-data") or []
    robot = dynamis.load(str(next(x for x in files if x.name == "g1_29dof_rev_1_0.urdf").locate()))
    result = dynamis.export(robot, "wasm", functions=["forward_dynamics"])
    assert "agree with the reference" in self_check(result, tmp_path / "out")
    assert len(dynamis.export(robot, "wasm").functions) == 5  # it has no tool, so no pose and Jacobian of one


def test_the_module_imports_nothing_and_runs_in_wasmtime(arm: Export) -> None:
    wasmtime: Any = pytest.importorskip("wasmtime")
    content = arm.files["bar_2r.wasm"]
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, content)
    assert not module.imports
    run = wasmtime.Instance(store, module, []).exports(store)
    q, load = np.array([0.3, -0.8]), np.array([0.7, 0.1, 0.02, 0.0])
    run["memory"].write(store, np.concatenate([q, load]).tobytes(), STATES_OFFSET)
    run["gravity_torque"](store, 1, STATES_OFFSET, 16, STATES_OFFSET + 16, 0, STATES_OFFSET + 64)
    torques = np.frombuffer(run["memory"].read(store, STATES_OFFSET + 64, STATES_OFFSET + 80))
    held = dynamis.load("bar-2r").with_payload(0.7, com=[0.1, 0.02, 0.0])
    np.testing.assert_allclose(torques, held.gravity_torque(q), rtol=1e-14)


PROGRAM = """
import * as robot from "./bar_2r.mjs";
const refused = (...values) => {
  try { robot.gravity_torque(...values); return ""; } catch (error) { return error.message; }
};
const load = [0.7, 0.1, 0.02, 0];
const many = Float64Array.from({ length: 2 * 40000 }, (_, k) => Math.sin(k));
const far = [1e5, 1.1e5, 2.7e6, -3e10, 1e22, -1e300].map((x) => [...robot.gravity_torque([x, 0], load)]);
const into = new Float64Array(2);
console.log(JSON.stringify({
  joints: robot.joints,
  many: [...robot.gravity_torque(many, load)].slice(-4),
  same: robot.gravity_torque([0.1, 0.2], load, into) === into,
  plain: [...robot.gravity_torque([0.1, 0.2, 0.3, 0.4], load)],
  into: [...into],
  far,
  step: Object.keys(robot.step([0, 0], [0, 0], [0, 0], load, [0.001])),
  refused: [refused([1, 2, 3], load), refused([1, 2]), refused([1, 2, 3, 4], [...load, ...load, ...load])],
}));
"""


def test_the_wrapper_in_node(arm: Export, tmp_path: Path) -> None:
    arm.write(tmp_path)
    (tmp_path / "program.mjs").write_text(PROGRAM)
    ran = subprocess.run([node(), "program.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    result = json.loads(ran.stdout)
    held = dynamis.load("bar-2r").with_payload(0.7, com=[0.1, 0.02, 0.0])
    states = np.sin(np.arange(80000.0)).reshape(-1, 2)[-2:]
    np.testing.assert_allclose(np.reshape(result["many"], (2, 2)), held.gravity_torque(states), atol=1e-13)
    plain = held.gravity_torque([[0.1, 0.2], [0.3, 0.4]])
    np.testing.assert_allclose(np.reshape(result["plain"], (2, 2)), plain, atol=1e-13)
    np.testing.assert_allclose(result["into"], plain[0], atol=1e-13)
    assert result["same"]
    assert result["step"] == ["q_after", "qd_after"]
    assert result["joints"] == [x.name for x in held.coordinates]
    at_rest, up = held.gravity_torque([0, 0]), held.gravity_torque([np.pi / 2, 0])
    for x, torques in zip((1e5, 1.1e5, 2.7e6, -3e10, 1e22, -1e300), result["far"], strict=True):
        np.testing.assert_allclose(torques, cos(x) * at_rest + sin(x) * up, atol=1e-13)
    assert result["refused"] == [
        "gravity_torque: q must have 2 entries per state, got 3",
        "gravity_torque: parameters must have 4 entries per state, got 0",
        "gravity_torque: parameters must have 4 entries, or 8 for 2 states, got 12",
    ]


def test_the_programs_of_the_page(tmp_path: Path) -> None:
    text = (DOCS / "how-to" / "web-page.md").read_text(encoding="utf-8")
    functions = ["inverse_dynamics", "forward_dynamics"]
    robot = dynamis.load("ur5")
    dynamis.export(robot, "wasm", tmp_path, functions=functions, parameters=["payload"])
    printed: list[str] = []
    for k, program in enumerate(re.findall(r"^```js\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)):
        (tmp_path / f"{k}.mjs").write_text(program)
        printed.append(
            subprocess.run([node(), f"{k}.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        )
    held = robot.with_payload(2.0, com=[0, 0, 0.05])
    tau = held.inverse_dynamics([0, -1.2, 1.5, 0, 0.4, 0], np.zeros(6), [0, 1, 0, 0, 0, 0])
    names = [x.name for x in robot.coordinates]
    assert printed[0].splitlines() == [f"{x} {y:.2f} N m" for x, y in zip(names, tau, strict=True)]
    assert printed[1] == "600000 torques\n"


def test_names_that_javascript_keeps_for_itself_and_types(arm: Export) -> None:
    types, page = arm.files["bar_2r.d.mts"], arm.files["index.html"]
    assert isinstance(types, str)
    assert isinstance(page, str)
    assert "export function gravity_torque(q: Numbers, parameters: Numbers, out?: Float64Array): Float64Array;" in types
    assert "out?: { q_after: Float64Array; qd_after: Float64Array }" in types
    assert 'from "./bar_2r.mjs"' in page
    assert json.loads(str(arm.files["package.json"]))["exports"]["."]["types"] == "./bar_2r.d.mts"


def test_the_same_export_gives_the_same_bytes(arm: Export) -> None:
    functions = ["gravity_torque", "inverse_dynamics", "forward_dynamics_derivatives", "step"]
    again = dynamis.export(dynamis.load("bar-2r"), "wasm", functions=functions, parameters=["payload"])
    assert again.files["bar_2r.wasm"] == arm.files["bar_2r.wasm"]
