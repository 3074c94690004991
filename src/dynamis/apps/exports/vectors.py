"""Test vectors: states with the results of the plain reference, and how far a correct program may be from them.

The reference runs the textbook's algorithms on Python's floats, one state at a time; the program that is exported runs
others, on traced scalars. Rounding is measured: the program runs in single precision, and its error there is that of
double precision, but for the factor of 2^29 between the two. A wrong program stays wrong in double precision, and no
tolerance that is 2^29 times smaller than its error lets it pass. Where that is not enough, the reference may round
more (it solves for the accelerations of a humanoid by M): its own change, when inputs differ in the last bit, is added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import numpy as np

from dynamis.apps.exports.functions import Function
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.numpy_backend import evaluate_program
from dynamis.compute.program.program import Program
from dynamis.compute.program.quantity_program import flat
from dynamis.compute.program.signature import Operand

TEST_STATES = 8
RANGES = {"h": (1e-4, 1e-3), "period": (1e-3, 1e-2), "kp": (1.0, 100.0), "kd": (1.0, 20.0), "ki": (1.0, 20.0)}
"""Of the values of inputs by their names; others are between -2 and 2."""
UNIT_RANGES = {"kg": (0.5, 2.0), "m": (-0.2, 0.2), "kg m^2": (0.01, 0.1)}
"""Of parameters that are 0 or have no value."""
DOUBLE_ROUNDING_RATIO = 2.0**-29
"""The rounding errors of double precision, in those of single precision."""
ROUNDING_MARGIN = 64
"""Other compilers, libraries and orders of operations round differently."""


@dataclass(frozen=True)
class Vectors:
    """Values of every input and output, (states, entries) each, and the tolerances of every output.

    `tolerances` are absolute, one per output, for double precision; `single` for single precision.
    """

    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    tolerances: tuple[float, ...]
    single: tuple[float, ...]


def vectors(function: Function, program: Program) -> Vectors:
    """The test vectors of a function; raises if its program fails them."""
    random = Random(1)
    values = {x.name: [_values(function, x, random) for _ in range(TEST_STATES)] for x in function.inputs}
    inputs = [np.array(values[x.name], np.float64) for x in program.inputs]
    outputs = _reference(function, values)
    shaped = [x.reshape(TEST_STATES, *operand.shape) for x, operand in zip(inputs, program.inputs, strict=True)]

    def errors(dtype: str) -> list[float]:
        results = evaluate_program(program, [x.astype(dtype) for x in shaped], dtype)
        return [
            float(np.abs(x.reshape(TEST_STATES, -1) - y).max(initial=0.0))
            for x, y in zip(results, outputs, strict=True)
        ]

    smallest = [float(np.finfo(np.float32).eps) * float(np.abs(y).max(initial=1e-3)) for y in outputs]
    single = [ROUNDING_MARGIN * (error + least) for error, least in zip(errors("float32"), smallest, strict=True)]
    tolerances, twice = [x * DOUBLE_ROUNDING_RATIO for x in single], errors("float64")
    if any(not error <= most for error, most in zip(twice, tolerances, strict=True)):
        shaken = _reference(function, values, 1 + 2.0**-52)
        moved = [float(np.abs(x - y).max(initial=0.0)) for x, y in zip(shaken, outputs, strict=True)]
        tolerances = [most + ROUNDING_MARGIN * x for most, x in zip(tolerances, moved, strict=True)]
    for operand, error, most in zip(program.outputs, twice, tolerances, strict=True):
        if not error <= most:
            raise ArgumentError(
                f'{function.name} of robot "{function.given.robot.name}" cannot be exported: its {operand.name} '
                f"differs from the reference by {error:.1e}, more than rounding explains"
            )
    return Vectors(tuple(inputs), tuple(outputs), tuple(tolerances), tuple(single))


def _reference(function: Function, values: Mapping[str, list[list[float]]], factor: float = 1.0) -> list[Array]:
    """The outputs of the plain reference, (states, entries) each, at inputs times a factor."""
    rows: list[list[list[float]]] = []
    for k in range(TEST_STATES):
        state = {name: [factor * x for x in states[k]] for name, states in values.items()}
        rows.append([[float(x) for x in flat(nested)] for _, _, nested in function.compute(state, None)])
    return [np.array(column, np.float64) for column in zip(*rows, strict=True)]


def _values(function: Function, operand: Operand, random: Random) -> list[float]:
    """One state of an input, in few digits."""
    if operand.name == "parameters":
        return [_near(function, name, unit, random) for name, unit in zip(operand.entries, operand.units, strict=True)]
    low, high = RANGES.get(operand.name, (-2.0, 2.0))
    return [float(f"{random.uniform(low, high):.4g}") for _ in range(operand.count)]


def _near(function: Function, name: str, unit: str, random: Random) -> float:
    """A value of a parameter near its own."""
    value = function.given.nominal[name]
    low, high = (0.7 * value, 1.4 * value) if value else UNIT_RANGES.get(unit, (0.5, 2.0))
    return float(f"{random.uniform(low, high):.4g}")
