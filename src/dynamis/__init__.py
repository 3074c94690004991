"""dynamis: robot dynamics you can read, trust and run.

>>> import dynamis
>>> robot = dynamis.load("genova-rp")
>>> robot.inverse_dynamics([0.349066, -0.2]).shape
(2,)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dynamis.errors import (
        ArgumentError,
        DynamisError,
        ExpressionError,
        FormatError,
        MissingValuesError,
        ModelError,
        TimeLimitError,
        UnknownNameError,
        UnphysicalWarning,
    )
    from dynamis.findings import Finding, lint
    from dynamis.library import exercises, load, robots, save
    from dynamis.model.inertia import Inertia
    from dynamis.model.link import Joint, Limits, Link
    from dynamis.model.loads import Force, Moment, ToolWrench
    from dynamis.model.placement import Placement
    from dynamis.model.robot import Frame
    from dynamis.reactions import Reactions
    from dynamis.results import Cost, ForwardDerivatives, FrameMotion, InverseDerivatives, LinkMotions, Recursion
    from dynamis.robot import Robot

__version__ = "0.1.0"

__all__ = [
    "ArgumentError", "Cost", "DynamisError", "ExpressionError", "Finding", "Force", "FormatError",
    "ForwardDerivatives", "Frame", "FrameMotion", "Inertia", "InverseDerivatives", "Joint", "Limits", "Link",
    "LinkMotions", "MissingValuesError", "ModelError", "Moment", "Placement", "Reactions", "Recursion", "Robot",
    "TimeLimitError", "ToolWrench", "UnknownNameError", "UnphysicalWarning", "exercises", "lint", "load", "robots",
    "save",
]  # fmt: skip

# Where the public names live. They are imported when they are first used, so that `dynamis --help`
# does not wait for NumPy.
_HOMES = {
    "errors": "ArgumentError DynamisError ExpressionError FormatError MissingValuesError ModelError "
    "TimeLimitError UnknownNameError UnphysicalWarning",
    "library": "exercises load robots save",
    "findings": "Finding lint",
    "model.inertia": "Inertia",
    "model.link": "Joint Limits Link",
    "model.loads": "Force Moment ToolWrench",
    "model.placement": "Placement",
    "model.robot": "Frame",
    "reactions": "Reactions",
    "results": "Cost ForwardDerivatives FrameMotion InverseDerivatives LinkMotions Recursion",
    "robot": "Robot",
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names.split():
            value = getattr(import_module(f"dynamis.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'dynamis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
