"""CasADi: every function as a serialised `casadi.Function`, which Python, C++, MATLAB and Octave load."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.targets.python import check
from dynamis.base.extras import import_extra
from dynamis.compute.backends.casadi_backend import casadi_function


def files(export: Export) -> dict[str, str | bytes]:
    """NAME_FUNCTION.casadi for every function, and check.py."""
    made: dict[str, str | bytes] = {
        f"{export.name}_{x.name}.casadi": _casadi_bytes(f"{export.name}_{x.name}", x) for x in export.functions
    }
    return {**made, "check.py": check("casadi", export.name)}


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


def _casadi_bytes(name: str, function: ExportedFunction) -> bytes:
    """The bytes of `casadi.Function.save`, which writes to files alone."""
    import_extra("casadi", 'target "casadi" needs', "casadi", key="to")
    made = casadi_function(name, function.program)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "function.casadi"
        made.save(str(path))
        return path.read_bytes()
