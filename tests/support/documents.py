"""The figures and formulas of the source documents, corrected where a document is wrong.

`cases.json` maps a case to what is `expected` (numbers, or formulas as text), the `inputs`, the
figures to `full` precision, and the `misprint` that the document has in its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import sympy

from dynamis import Robot
from dynamis.base.arrays import Array

CASES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "documents" / "cases.json").read_text(encoding="utf-8")
)
ROUNDING = 1e-12
# Far above rounding: two formulas that are not the same.
APART = 1e-4


def named(prefix: str) -> list[str]:
    """The cases whose names start so."""
    return [name for name in CASES if name.startswith(prefix)]


def evaluate(formula: Any, values: Mapping[str, float]) -> Array:
    """A formula, or a list or matrix of them, at the given values."""
    if isinstance(formula, list):
        return np.array([evaluate(entry, values) for entry in formula])
    symbols = {name: sympy.Symbol(name) for name in values}
    expression = sympy.sympify(str(formula), locals=symbols)
    unknown = {symbol.name for symbol in expression.free_symbols} - set(values)
    assert not unknown, f"{formula} has {unknown} without a value"
    return np.array(sympy.lambdify(list(symbols.values()), expression, "math")(*values.values()), dtype=float)


def agree(found: Any, expected: Any, tolerance: float = ROUNDING) -> None:
    """Equal up to rounding, relative to the largest entry (absolute below 1)."""
    assert distance(found, expected) <= tolerance


def distance(found: Any, expected: Any) -> float:
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape, f"shape {found.shape}, expected {expected.shape}"
    return float(np.max(np.abs(found - expected))) / max(1.0, float(np.max(np.abs(expected))))


def two_decimals(values: Any) -> Any:
    """Numbers as a document prints them; -0.00 is 0.00."""
    if isinstance(values, (list, np.ndarray)):
        return [two_decimals(value) for value in values]
    text = f"{values:.2f}"
    return "0.00" if text == "-0.00" else text


def symbols(prefix: str, values: Array) -> dict[str, float]:
    """{prefix1: first value, prefix2: second value, ...}."""
    return {f"{prefix}{i}": float(value) for i, value in enumerate(values, 1)}


def drawn_values(robot: Robot, rng: np.random.Generator, low: float = 0.8, high: float = 1.2) -> dict[str, float]:
    """A value for every parameter; close together, so that inertias satisfy the triangle inequality."""
    return {name: float(rng.uniform(low, high)) for name in robot.parameters}


def mass_matrix(robot: Robot, q: Array) -> Array:
    """M(q): column j is the torque of a unit acceleration of joint j alone."""
    columns = robot.inverse_dynamics(np.broadcast_to(q, (robot.n, robot.n)), None, np.eye(robot.n), gravity=False)
    return columns.T


def velocity_torque(robot: Robot, q: Array, qd: Array) -> Array:
    """c(q, qd) = C(q, qd) qd."""
    return robot.inverse_dynamics(q, qd, gravity=False)
