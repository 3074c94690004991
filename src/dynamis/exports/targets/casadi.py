"""CasADi: every function as a serialised `casadi.Function`, which Python, C++, MATLAB and Octave load."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from dynamis.backends.casadi_backend import casadi_function
from dynamis.errors import ArgumentError
from dynamis.exports.export import Export, ExportedFunction
from dynamis.exports.texts.python_check import VERDICT


def files(export: Export) -> dict[str, str | bytes]:
    """NAME_FUNCTION.casadi for every function, and check.py."""
    made: dict[str, str | bytes] = {
        f"{export.name}_{x.name}.casadi": _serialised(f"{export.name}_{x.name}", x) for x in export.functions
    }
    return {**made, "check.py": CHECK.replace("NAME", export.name)}


def usage(export: Export) -> str:
    """How to load a function, call it, and differentiate it."""
    function = export.functions[0]
    name, first, result = f"{export.name}_{function.name}", function.inputs[0].name, function.outputs[0].name
    arguments = ", ".join(f"{x.name}=[{', '.join(['0.0'] * x.count)}]" for x in function.inputs)
    return (
        f'import casadi\n\n{function.name} = casadi.Function.load("{name}.casadi")\n'
        f'{function.name}({arguments})["{result}"]   # numbers, SX or MX\n'
        f'derivative = {function.name}.factory("derivative", {function.name}.name_in(), ["jac:{result}:{first}"])\n'
        f'{function.name}.generate("{name}.c")   # C of CasADi\n\n'
        f'# C++:    casadi::Function f = casadi::Function::load("{name}.casadi");\n'
        f"# MATLAB: f = casadi.Function.load('{name}.casadi');"
    )


def _serialised(name: str, function: ExportedFunction) -> bytes:
    """The bytes of `casadi.Function.save`, which writes to files alone."""
    try:
        made = casadi_function(name, function.program)
    except ImportError:
        raise ArgumentError('target "casadi" needs casadi; install it with: pip install casadi', key="to") from None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "function.casadi"
        made.save(str(path))
        return path.read_bytes()


CHECK = (
    '''"""Runs every function of the .casadi files on the states of vectors.json: python check.py"""

import json
import math
from pathlib import Path

import casadi


def main():
    here = Path(__file__).parent
    functions = json.loads((here / "vectors.json").read_text())["functions"]
    failed = False
    for function in functions:
        loaded = casadi.Function.load(str(here / f"NAME_{function['name']}.casadi"))
        vectors, names = function["vectors"], [output["name"] for output in function["outputs"]]
        states, worst = len(vectors["outputs"][names[0]]), 0.0
        for k in range(states):
            results = loaded.call([rows[k] for rows in vectors["inputs"].values()])
            for name, result in zip(names, results):
                for value, expected in zip(casadi.DM(result).full().flatten(), vectors["outputs"][name][k]):
                    error = abs(value - expected) / vectors["tolerance"][name]
                    worst = max(worst, error if error == error else math.inf)
'''
    + VERDICT
)
