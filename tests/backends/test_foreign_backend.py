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
from dynamis.backends.numpy_call import checked_beside, numpy_call
from dynamis.program.program import OPERATIONS, Program, program
from dynamis.program.signature import Operand
from dynamis.program.trace import Trace
from dynamis.quantities.registry import QUANTITIES
from tests.support.functions import options, states, verb
from tests.support.kernels_on_cpu import has_gpu

FUNCTIONS: dict[str, Any] = {
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

    def function(self, name: str, program: Program, owner: str) -> PythonFunction:
        self.names.append(name)
        return PythonFunction(name, program, owner)


class PythonFunction(ArrayFunction):
    def __init__(self, name: str, program: Program, owner: str) -> None:
        self.name, self.program, self.owner = name, program, owner

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        if not any(isinstance(x, Boxed) for x in arrays):
            return numpy_call(self, self.run, arrays, out)
        own = [isinstance(x, Boxed) for x in arrays]
        opened = [np.array(x.values, float) if mine else x for x, mine in zip(arrays, own, strict=True)]
        values = checked_beside(self, opened, own)
        boxed = tuple(Boxed(x.tolist()) for x in self.run(*values))
        return boxed if len(boxed) > 1 else boxed[0]

    def run(self, *arrays: Any) -> tuple[Any, ...]:
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
        rows = [np.broadcast_to(x, (*batch, x.shape[-1])).reshape(-1, x.shape[-1]).tolist() for x in arrays]
        results = [self.one_state(state) for state in zip(*rows, strict=True)]
        return tuple(
            np.array([result[k] for result in results], arrays[0].dtype).reshape((*batch, *operand.shape))
            for k, operand in enumerate(self.program.outputs)
        )

    def one_state(self, state: tuple[list[float], ...]) -> list[list[float]]:
        arguments = {operand.name: entries for operand, entries in zip(self.program.inputs, state, strict=True)}
        return self.program.evaluate(lambda name, k: arguments[name][k], FUNCTIONS, float)


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
    found = robot.on(PythonBackend()).inverse_dynamics(q, loads=loads, gravity=(0.0, 1.0, -9.0))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_it_has_every_operation() -> None:
    assert set(FUNCTIONS) == set(OPERATIONS)


HERE = [name for name in BACKENDS if name != "cuda" or has_gpu()]
EVERY_BACKEND = pytest.mark.parametrize("backend", [*HERE, pytest.param(PythonBackend(), id="python")])


@EVERY_BACKEND
def test_arrays_of_numpy_give_arrays_of_numpy(backend: Any) -> None:
    """Also lists; in the type of the arguments, with batches, and into `out`."""
    robot = dynamis.load("bar-2r")
    foreign = robot.on(backend)
    q = np.random.default_rng(0).uniform(-1, 1, (4, 3, 2))
    for arguments in ((q, q[0, 0]), (q[0].astype("f4"), q[:, :1].astype("f4")), (q[:0], q[0, 0]), (q[0, 0].tolist(),)):
        found, expected = foreign.inverse_dynamics(*arguments), robot.inverse_dynamics(*arguments)
        assert type(found) is np.ndarray
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=2e-6 if found.dtype == "f4" else 1e-9, atol=1e-6)
    out = np.empty((4, 3, 2, 2))
    assert foreign.mass_matrix(q, out=out) is out
    np.testing.assert_allclose(out, robot.mass_matrix(q))
    loop = foreign.engine.backend.loop("sum", _sum())
    assert type(loop(np.zeros(2), np.ones((3, 2)))) is np.ndarray


@EVERY_BACKEND
def test_arguments_are_checked_alike(backend: Any) -> None:
    """One sentence for each mistake, the same on every backend; Dask's arrays stay lazy."""
    q = np.zeros((5, 2))
    for arguments in (([0, 0, 0],), (1.0,), (["a", "b"],), (q, q[:4]), (np.ma.masked_array(q, True),)):
        sentences: list[str] = []
        for robot in (dynamis.load("bar-2r"), dynamis.load("bar-2r").on(backend)):
            with pytest.raises(dynamis.ArgumentError) as error:
                robot.inverse_dynamics(*arguments)
            sentences.append(str(error.value))
        assert sentences[0] == sentences[1]
    robot = dynamis.load("bar-2r").on(backend)
    with pytest.raises(dynamis.ArgumentError, match=r"mass_matrix has 1 arguments \(q\); 2 were given"):
        robot.compile("mass_matrix")(q, q)
    with pytest.raises(dynamis.ArgumentError, match="mass_matrix: "):
        robot.mass_matrix(q, out=np.empty((5, 3, 3)))
    dask = pytest.importorskip("dask.array")
    lazy = robot.mass_matrix(dask.from_array(q, chunks=(2, 1)))
    assert isinstance(lazy, dask.Array)
    np.testing.assert_allclose(lazy.compute(), robot.mass_matrix(q))


def test_arrays_of_its_own_are_checked_by_their_shapes() -> None:
    with pytest.raises(dynamis.ArgumentError, match="q must have one value per joint, got 3 values"):
        dynamis.load("bar-2r").on(PythonBackend()).mass_matrix(Boxed([0.1, 0.2, 0.3]))


def _sum() -> Program:
    trace = Trace()
    x, y = ([trace.input(f"{name}:{k}") for k in range(2)] for name in "xy")
    operands = [Operand(name, (2,)) for name in ("x", "y", "sum")]
    return program(operands[:2], [(operands[2], [a + b for a, b in zip(x, y, strict=True)])])


def test_a_backend_is_chosen_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "python", f"{__name__}:PythonBackend")
    robot = dynamis.load("bar-2r").on("python")
    assert robot.engine.backend.name == "python"
    np.testing.assert_allclose(robot.mass_matrix([0.1, 0.2]), dynamis.load("bar-2r").mass_matrix([0.1, 0.2]))


@EVERY_BACKEND
def test_simulations_run_on_the_chosen_backend(backend: Any) -> None:
    robot = dynamis.load("bar-2r")
    foreign = robot.on(backend)
    expected = dynamis.simulate(robot, [0.1, 0.2], duration=0.1).q[-1]
    np.testing.assert_allclose(dynamis.simulate(foreign, [0.1, 0.2], duration=0.1).q[-1], expected)
    q = np.array([[0.1, 0.2], [0.3, 0.4]])
    ours, theirs = (dynamis.rollouts(x, q, duration=0.02, step=0.005) for x in (foreign, robot))
    np.testing.assert_allclose(ours.q, theirs.q, rtol=1e-9)
    assert type(ours.q) is np.ndarray


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
        (3, 'backend must be "llvm", "numpy", "cuda", "casadi", "torch", "jax" or a dynamis.Backend, got 3'),
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
    assert done.stdout == 'backend "llvm" needs llvmlite: pip install dynamis\n', done.stderr
