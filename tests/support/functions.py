"""Any quantity of any robot: as bytecode, as machine code, and by its verb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

from dynamis import Robot
from dynamis.base.arrays import Array
from dynamis.compute.backends.backend import backend_for
from dynamis.compute.backends.function import Function
from dynamis.compute.backends.llvm import machine
from dynamis.compute.ir.cpu import kernel
from dynamis.compute.ir.lanes import lanes_for
from dynamis.compute.program.program import program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.robot import ALL_ROWS

TIERS = ("bytecode", "machine code")


@pytest.fixture(autouse=True, scope="module")
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Machine code is kept in a folder of the tests' own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DYNAMIS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def options(robot: Robot, name: str, link: int = -1) -> dict[str, str]:
    """What a quantity takes beyond the state: the tool, in the base; some link."""
    some = robot.links[link].name
    given = {"frame": "tool", "relative_to": some, "convention": "joint", "link": some, "rows": ALL_ROWS}
    return {key: given[key] for key in QUANTITIES[name].options}


def function(robot: Robot, name: str, **given: str) -> Function:
    """The quantity, not run yet."""
    return robot.engine.compile(name, {**options(robot, name), **given})


def run(function: Function, tier: str, *arrays: Any, dtype: str = "float64", **keywords: Any) -> tuple[Array, ...]:
    """The results on one tier, always as a tuple."""
    ufunc = function.ufunc(dtype) if tier == "machine code" else function.interpreted(dtype)
    return as_tuple(ufunc(*arrays, **keywords))


def on_tier(function: Function, tier: str) -> Function:
    """The function, which runs on this tier from now on however many states it has seen."""
    for dtype in ("float64", "float32"):
        if tier == "machine code":
            function.ufunc(dtype)
        else:
            function._compiled[dtype] = function.interpreted(dtype)
    return function


def verb(robot: Robot, name: str, *values: Any, **given: Any) -> tuple[Array, ...]:
    """What the robot's verb of this name gives, as a tuple of arrays; not all quantities have one."""
    if hasattr(robot, name):
        found = as_tuple(getattr(robot, name)(*values, **given))
        if name.endswith("hessian") and robot.n:  # Programs have matrices: the verb makes two axes of the first one.
            return tuple(x.reshape(*x.shape[:-3], 6 * robot.n, robot.n) for x in found)
        if name == "link_poses":  # so does this one
            return tuple(x.reshape(*x.shape[:-3], 4 * len(robot.links), 4) for x in found)
        return tuple(map(np.ravel, found)) if name.endswith("hessian") else found
    around = {key: given.pop(key) for key in ("gravity", "loads", "out") if key in given}
    return as_tuple(robot._run(name, values, given, **around))


def as_tuple(found: Any) -> tuple[Array, ...]:
    if is_dataclass(found):
        found = tuple(x for x in (getattr(found, f.name) for f in fields(found)) if isinstance(x, np.ndarray))
    return found if isinstance(found, tuple) else (np.asarray(found),)


def states(rng: np.random.Generator, name: str, n: int, *batch: int) -> list[Array]:
    """Random values for the inputs of a quantity."""
    return [rng.uniform(-2, 2, (*batch, n)) for _ in QUANTITIES[name].inputs]


def same_bits(found: Any, expected: Any) -> None:
    """Equal to the last bit, signs of zeros too; all NaNs are alike."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


def small_function(name: str, compute: Any, inputs: int = 1) -> Function:
    """A function of `inputs` arrays x0, x1, ... of one value each: `compute(trace, *x)` gives its results."""
    trace = Trace()
    x = [trace.input(f"x{k}:0") for k in range(inputs)]
    results = list(compute(trace, *x))
    operands = [Operand(f"x{k}", (1,)) for k in range(inputs)]
    made = program(operands, [(Operand("y", (len(results),)), results)])
    return backend_for().function(name, made, "a test has 1 joint (x)")


def backwards(count: int) -> Function:
    """A function that gives the `count` entries of x in the other order, and computes nothing."""
    trace = Trace()
    entries = [trace.input(f"x:{k}") for k in range(count)]
    made = program([Operand("x", (count,))], [(Operand("y", (count,)), entries[::-1])])
    return backend_for().function("backwards", made, f"a test has {count} joints")


def lines(f: Function) -> list[str]:
    """What LLVM would be given for the function."""
    lanes = lanes_for("float64", machine.host(), f.program)
    return kernel.module(f.program, lanes, False).splitlines()
