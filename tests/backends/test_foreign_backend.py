"""A backend that dynamis does not have, kept to the contract alone: every quantity runs through it."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.backends.backend import BACKENDS, ArrayFunction, Backend
from dynamis.program.program import Program
from dynamis.quantities.registry import QUANTITIES
from tests.support.functions import options, states, verb

OPERATIONS: dict[str, Any] = {
    "+": float.__add__, "-": float.__sub__, "*": float.__mul__, "/": float.__truediv__, "neg": float.__neg__,
    "sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "sign": lambda x: math.copysign(x != 0, x), "min": min,
    "max": max, "round": lambda x: float(round(x)),
}  # fmt: skip


class Boxed:
    """An array of a foreign library: nothing but nested lists."""

    def __init__(self, values: Any) -> None:
        self.values = values


class PythonBackend(Backend):
    """Programs on the floats of Python, one state after the other; remembers what it was asked for."""

    name = "python"

    def __init__(self) -> None:
        self.names: list[str] = []

    def function(self, name: str, program: Program, whose: str) -> PythonFunction:
        self.names.append(name)
        return PythonFunction(name, program)


class PythonFunction(ArrayFunction):
    def __init__(self, name: str, program: Program) -> None:
        self.name, self.program = name, program

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        given = [np.asarray(x.values if isinstance(x, Boxed) else x, float) for x in arrays]
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in given))
        rows = [np.broadcast_to(x, (*batch, x.shape[-1])).reshape(-1, x.shape[-1]).tolist() for x in given]
        results = [self.one_state(state) for state in zip(*rows, strict=True)]
        boxed = tuple(
            Boxed(np.reshape([result[k] for result in results], (*batch, *operand.shape)).tolist())
            for k, operand in enumerate(self.program.outputs)
        )
        return boxed if len(boxed) > 1 else boxed[0]

    def one_state(self, state: tuple[list[float], ...]) -> list[list[float]]:
        arguments = {operand.name: entries for operand, entries in zip(self.program.inputs, state, strict=True)}
        return self.program.evaluate(lambda name, k: arguments[name][k], OPERATIONS, float)


def unboxed(found: Any) -> tuple[Any, ...]:
    fields = found if isinstance(found, tuple) else getattr(found, "__dict__", {}).values()
    boxes = [found] if isinstance(found, Boxed) else [x for x in fields if isinstance(x, Boxed)]
    return tuple(np.array(x.values) for x in boxes)


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_runs_on_a_foreign_backend(name: str) -> None:
    """By its verb, which wraps the foreign arrays, and as a function; foreign arrays go in, foreign arrays come out."""
    robot, backend = dynamis.load("puma560"), PythonBackend()
    foreign = robot.on(backend)
    q = states(np.random.default_rng(3), name, robot.n, 2, 3)
    given = [Boxed(x.tolist()) for x in q]
    extra = options(robot, name)
    expected = verb(robot, name, *q, **extra)
    found = unboxed(foreign._run(name, tuple(given), extra))
    assert backend.names == [name]
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
    if hasattr(foreign, name):
        assert len(unboxed(getattr(foreign, name)(*given, **extra))) == len(expected)
    compiled = foreign.compile(name, **extra)
    assert compiled.ufunc() is compiled
    assert len(unboxed(compiled.quick_call(*given))) == len(expected)


def test_loads_and_gravity_reach_it() -> None:
    robot = dynamis.load("puma560")
    loads = [dynamis.Force("tool", (1, 2, 3), axes="world")]
    q = np.full(robot.n, 0.3)
    expected = robot.inverse_dynamics(q, loads=loads, gravity=(0.0, 1.0, -9.0))
    (found,) = unboxed(robot.on(PythonBackend()).inverse_dynamics(q, loads=loads, gravity=(0.0, 1.0, -9.0)))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_a_backend_is_chosen_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "python", f"{__name__}:PythonBackend")
    robot = dynamis.load("bar-2r").on("python")
    assert robot.engine.backend.name == "python"
    (found,) = unboxed(robot.mass_matrix([0.1, 0.2]))
    np.testing.assert_allclose(found, dynamis.load("bar-2r").mass_matrix([0.1, 0.2]))


def test_a_simulation_runs_on_the_chosen_backend() -> None:
    robot = dynamis.load("bar-2r")
    expected = dynamis.simulate(robot, [0.1, 0.2], duration=0.1).q[-1]
    np.testing.assert_allclose(dynamis.simulate(robot.on("numpy"), [0.1, 0.2], duration=0.1).q[-1], expected)


def test_the_choice_stays_with_the_robot() -> None:
    """With other values, under a load, on several threads, copied and pickled; the robot itself keeps its own."""
    robot = dynamis.load("bar-2r")
    other = robot.on("numpy").threads(2)
    changed = (other, other.with_values(m2=2), other.with_gravity([0, 0, -1]), pickle.loads(pickle.dumps(other)))
    for one in changed:
        assert (one.engine.backend.name, one.thread_count) == ("numpy", 2)
    assert other == robot
    assert robot.engine.backend.name == "llvm"


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ("nunpy", 'unknown backend "nunpy"; did you mean "numpy"?'),
        (3, 'backend must be "llvm", "numpy", "casadi" or a dynamis.Backend, got 3'),
    ],
)
def test_a_backend_that_is_not_there_is_one_sentence(choice: Any, sentence: str) -> None:
    with pytest.raises(dynamis.ArgumentError if choice == 3 else dynamis.UnknownNameError) as error:
        dynamis.load("bar-2r").on(choice)
    assert sentence in str(error.value)


def test_a_backend_without_its_package_is_one_sentence() -> None:
    code = (
        "import sys; sys.modules['llvmlite'] = None\nimport dynamis\n"
        "try: dynamis.load('bar-2r').on('llvm')\nexcept dynamis.ArgumentError as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == 'backend "llvm" needs llvmlite; install it with: pip install llvmlite\n', done.stderr
