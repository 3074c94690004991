"""dynamis: robot dynamics you can read, trust and run. Start with `load`.

>>> import dynamis
>>> robot = dynamis.load("genova-rp")  # a shipped robot, or the path of a robot file or a URDF
>>> robot.inverse_dynamics([0.349066, -0.2]).shape
(2,)

`robots()` names the shipped robots. `robot.equations()` has the equations of motion in closed form, `simulate` and
`torque_budget` take the robot further.

What one types every day stands here; the rest lives in public modules that say what they hold: `dynamis.trajectories`,
`controllers`, `sweeps`, `identification`, `grading`, `bodies`, `files`, `results`, `errors`.

The names and their homes stand in `__init__.pyi`, for type checkers and for `__getattr__`. Each is imported when it is
first used, so that `dynamis --help` does not wait for NumPy.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_homes())
    home = None if name.startswith("__") else _homes().get(name)
    if home is None:
        raise AttributeError(_moved(name) or f"module 'dynamis' has no attribute {name!r}")
    own = home == __name__  # a public module
    value = globals()[name] = import_module(f"{home}.{name}") if own else getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*_homes(), "__all__", "__version__"])


@cache
def _homes() -> dict[str, str]:
    """The module of every public name."""
    return _exports(Path(__file__).with_suffix(".pyi"))


def _exports(path: Path) -> dict[str, str]:
    """What a module offers: names imported as themselves, with their homes, and its own functions."""
    import ast

    body = ast.parse(path.read_bytes()).body
    imports = [node for node in body if isinstance(node, ast.ImportFrom)]
    own = {node.name: "" for node in body if isinstance(node, ast.FunctionDef)}
    return own | {alias.name: node.module or "" for node in imports for alias in node.names if alias.asname}


def _moved(name: str) -> str:
    """Where a name is that once stood here; empty for any other."""
    modules = (module for module, home in _homes().items() if home == __name__)
    known = (module for module in modules if name in _exports(Path(__file__).with_name(f"{module}.py")))
    return next((f"dynamis.{name} is now dynamis.{module}.{name}" for module in known), "")
