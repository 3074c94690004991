"""Showing, deriving, proving and checking need no LLVM; numbers come from NumPy; machine code is one clear sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis.backends.numpy_backend import NumpyBackend
from dynamis.quantities.registry import QUANTITIES
from tests.support.functions import as_tuple, function, options, small_function, states

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "llvmlite":
            raise ModuleNotFoundError("No module named 'llvmlite'", name=name)

sys.meta_path.insert(0, Missing())
"""


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *arguments], capture_output=True, text=True, check=False
    )


ANSWER = "tau1 = (m1*L1^2/3 + m2*L1^2)*ddq1"


COMMANDS = {
    "show": (["bar-2r"], "bar-2r"),
    "derive": (["bar-2r"], "M"),
    "prove": (["bar-2r"], "proved"),
    "check": (["bar-2r", "ANSWER"], ""),
    "lint": (["bar-2r"], ""),
    "convert": (["bar-2r", "URDF"], ""),
    "inertia": (["sphere", "radius=1", "mass=2"], "0.8"),
    "inverse": (["genova-2r", "--q", "0.349066,0.698132", "--qd", "0.2,0.15", "--qdd", "0.1,0.085"], "318.19"),
}
"""The arguments, and a part of what is printed."""
RUN = """
import contextlib, io, json
from dynamis.cli.main import run
for given in json.loads(sys.argv.pop()):
    sys.argv, out, err = ["dynamis", *given], io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run()
        except SystemExit as ended:
            code = ended.code or 0
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def test_commands(tmp_path: Path) -> None:
    """All in one process."""
    (tmp_path / "answer.txt").write_text(ANSWER)
    places = {"ANSWER": str(tmp_path / "answer.txt"), "URDF": str(tmp_path / "robot.urdf")}
    given = [[name, *(places.get(x, x) for x in arguments)] for name, (arguments, _) in COMMANDS.items()]
    done = run(RUN, json.dumps(given))
    assert done.stderr == ""
    for (name, (_, part)), line in zip(COMMANDS.items(), done.stdout.splitlines(), strict=True):
        code, out, err = json.loads(line)
        assert "llvmlite" not in err
        assert "Traceback" not in err
        assert code == (1 if name == "check" else 0), err
        assert part in out


def test_machine_code_is_one_sentence() -> None:
    asked = "dynamis.load('bar-2r').on('llvm')"
    found = run(f"import dynamis\ntry:\n  {asked}\nexcept dynamis.ArgumentError as e: print(e)")
    assert found.stdout == 'backend "llvm" needs llvmlite: pip install dynamis\n', found.stderr


@pytest.mark.parametrize("error", ["ImportError('wrong\\\\nversion')", "OSError('no such library')"])
def test_a_broken_llvmlite_is_one_sentence_and_numbers_come_from_numpy(error: str) -> None:
    broken = WITHOUT.replace("""ModuleNotFoundError("No module named 'llvmlite'", name=name)""", error)
    code = (
        "import dynamis\nrobot = dynamis.load('bar-2r')\nprint(robot.mass_matrix([0.1, 0.2]).shape)\n"
        "try:\n  robot.on('llvm')\nexcept dynamis.ArgumentError as e: print(e)"
    )
    found = subprocess.run([sys.executable, "-c", broken + code], capture_output=True, text=True, check=False)
    numbers, sentence = found.stdout.splitlines()
    assert numbers == "(2, 2)", found.stderr
    assert sentence.startswith('backend "llvm" cannot be loaded, because its library is broken (')


def test_a_quantity_is_compiled_to_numpy() -> None:
    found = run("import dynamis; print(dynamis.load('bar-2r').compile('mass_matrix')([0.1, 0.2]).shape)")
    assert found.stdout == "(2, 2)\n", found.stderr


def test_a_simulation() -> None:
    asked = "dynamis.simulate(dynamis.load('bar-2r'), [0.1, 0.2], duration=0.1).q[-1].round(6)"
    expected = dynamis.simulate(dynamis.load("bar-2r"), [0.1, 0.2], duration=0.1).q[-1].round(6)
    assert run(f"import dynamis; print({asked})").stdout == f"{expected}\n"


def test_the_robot_imports_no_llvm() -> None:
    heads = "('llvmlite', 'dynamis.backends.llvm')"
    code = f"import dynamis.robot, sys; print([x for x in sys.modules if x.startswith({heads})])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_agrees_with_bytecode(name: str) -> None:
    """For a batch, for one state, and into `out`; in float32 to its precision."""
    robot = dynamis.load("puma560")
    given = states(np.random.default_rng(3), name, robot.n, 4, 3)
    ours = robot.on("numpy").engine.function(name, options(robot, name))
    outputs = as_tuple(ours(*given))
    for found, expected in zip(outputs, as_tuple(function(robot, name).interpreted()(*given)), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    out = tuple(np.empty_like(x) for x in outputs)
    ours(*given, out=out)
    single = as_tuple(ours.quick_call(*(x[1, 2] for x in given)))
    for found, filled, one in zip(outputs, out, single, strict=True):
        np.testing.assert_array_equal(filled, found)
        np.testing.assert_array_equal(found[1, 2], one)
    assert {x.dtype for x in as_tuple(ours(*(x.astype(np.float32) for x in given)))} == {np.dtype(np.float32)}


def test_operations_beyond_dynamics() -> None:
    """Least, greatest, nearest, sign and root, and what NaN becomes in them."""

    def compute(trace, x):
        return [trace.least(x, 1.0), trace.greatest(x, 1.0), trace.nearest(x), trace.sign(x), trace.sqrt(x)]

    machine = small_function("all", compute)
    ours = NumpyBackend().function("all", machine.program, "")
    x = np.array([[-2.5], [0.5], [1.5], [np.nan], [4.0]])
    np.testing.assert_array_equal(ours(x), machine.ufunc()(x))


def test_wrong_arguments_are_named() -> None:
    ours = dynamis.load("puma560").on("numpy").engine.function("mass_matrix")
    with pytest.raises(dynamis.ArgumentError, match='q must have one value per joint, got 3 values; robot "puma560"'):
        ours([1, 2, 3])
