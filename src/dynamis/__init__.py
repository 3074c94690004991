"""dynamis: robot dynamics you can read, trust and run. Start with `load`.

>>> import dynamis
>>> robot = dynamis.load("genova-rp")  # a shipped robot, or the path of a robot file or a URDF
>>> robot.inverse_dynamics([0.349066, -0.2]).shape
(2,)

`robots()` names the shipped robots. `robot.equations()` has the equations of motion in closed form, `simulate` and
`torque_budget` take the robot further.

The public names and their homes stand in `__init__.pyi`, for type checkers and for `__getattr__`. Each is imported when
it is first used, so that `dynamis --help` does not wait for NumPy.
"""

from functools import cache
from importlib import import_module
from typing import Any

__version__ = "0.1.0"


@cache
def _homes() -> dict[str, str]:
    """The module of every public name."""
    import ast
    from pathlib import Path

    tree = ast.parse(Path(__file__).with_suffix(".pyi").read_bytes())
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_homes())
    if name.startswith("__") or name not in _homes():
        raise AttributeError(f"module 'dynamis' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_homes()[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted([*_homes(), "__all__", "__version__"])
