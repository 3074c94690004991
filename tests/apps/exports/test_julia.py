"""Exports to Julia: the text of the functions, which Python runs when indices count from 1, and names."""

from __future__ import annotations

import math
import re

import numpy as np

import dynamis
from dynamis import Joint, Link, Robot
from dynamis.apps.exports.exported import ExportedFunction


class FromOne:
    """An array whose indices count from 1."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __getitem__(self, place: int) -> float:
        return self.values[place - 1]

    def __setitem__(self, place: int | tuple[int, ...], value: float) -> None:
        places = place if isinstance(place, tuple) else (place,)
        self.values[tuple(k - 1 for k in places)] = value


def run(text: str, function: ExportedFunction, k: int) -> list[np.ndarray]:
    """The statements of FUNCTION! on state k; they are Python, too."""
    (code,) = re.findall(rf"^function {function.name}!\([^)]*\)\n(.*?)\n    return ", text, re.DOTALL | re.MULTILINE)
    inputs = zip(function.inputs, function.vectors.inputs, strict=True)
    scope: dict[str, object] = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "sign": np.sign}
    scope |= {x.name: FromOne(values[k]) for x, values in inputs}
    results = [np.full(x.shape, np.nan) for x in function.outputs]
    scope |= {x.name: FromOne(values) for x, values in zip(function.outputs, results, strict=True)}
    exec(re.sub(r"^    ", "", code, flags=re.MULTILINE), scope)
    return results


def test_the_functions_compute_what_the_reference_does() -> None:
    functions = ["inverse_dynamics", "mass_matrix", "step:control=pd-gravity", "regressor"]
    result = dynamis.export(dynamis.load("genova-3r"), "julia", functions=functions)
    text = str(result.files["genova_3r.jl"])
    for function in result.functions:
        outputs = run(text, function, 1)
        for output, expected, most in zip(outputs, function.vectors.outputs, function.vectors.tolerances, strict=True):
            assert np.abs(output.ravel() - expected[1]).max() <= most


def test_names() -> None:
    """A dollar sign would be code in a text of Julia; a number is returned; a module is not named like a function."""
    arm = Link("arm", Joint("$(exit(3))"), mass="end", com=(1, 0, 0))
    robot = Robot("gravity torque", (arm,), gravity=(0, -9.81, 0), values={"end": 1})
    result = dynamis.export(robot, "julia", functions=["gravity_torque", "potential_energy"], parameters=["end"])
    text = str(result.files["gravity_torque_2.jl"])
    assert "\nmodule gravity_torque_2\n" in text
    assert "function gravity_torque!(g, q, parameters)\n    q1 = q[1]\n    end_2 = parameters[1]\n" in text
    assert "    kind = float(promote_type(eltype(q), eltype(parameters)))\n" in text
    assert "function potential_energy(q, parameters)" in text
    assert re.search(r'"""[^"]*[^\\]\$[^"]*"""', text) is None
