"""dynamis: robot dynamics you can read, trust and run.

>>> import dynamis
>>> robot = dynamis.load("genova-rp")
>>> robot.inverse_dynamics([0.349066, -0.2]).shape
(2,)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dynamis.bodies.body import Body
    from dynamis.bodies.properties import MassProperties, PrincipalAxes
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
    from dynamis.formats.body_toml import load_body
    from dynamis.inertia.exact_body import ExactBody, exact_body
    from dynamis.library import exercises, load, robots, save
    from dynamis.model.inertia import Inertia
    from dynamis.model.link import Joint, Limits, Link
    from dynamis.model.loads import Force, Moment, ToolWrench
    from dynamis.model.placement import Placement
    from dynamis.model.robot import Frame
    from dynamis.motion.task import Task, load_task
    from dynamis.motion.torque_budget import torque_budget
    from dynamis.motion.torque_budget_result import TorqueBudget
    from dynamis.reactions import Reactions
    from dynamis.results import (
        Cost,
        ForwardDerivatives,
        FrameMotion,
        InverseDerivatives,
        LinkMotions,
        Recursion,
        TorqueComponents,
    )
    from dynamis.robot import Robot

__version__ = "0.1.0"

__all__ = [
    "ArgumentError", "Body", "Cost", "DynamisError", "ExactBody", "ExpressionError", "Finding", "Force",
    "FormatError", "ForwardDerivatives", "Frame", "FrameMotion", "Inertia", "InverseDerivatives", "Joint", "Limits",
    "Link", "LinkMotions", "MassProperties", "MissingValuesError", "ModelError", "Moment", "Placement",
    "PrincipalAxes", "Reactions", "Recursion", "Robot", "Task", "TimeLimitError", "ToolWrench", "TorqueBudget",
    "TorqueComponents", "UnknownNameError", "UnphysicalWarning", "exact_body", "exercises", "lint", "load",
    "load_body", "load_task", "robots", "save", "torque_budget",
]  # fmt: skip

# Where the public names live. They are imported when they are first used, so that `dynamis --help`
# does not wait for NumPy.
_HOMES = {
    "bodies.body": "Body",
    "bodies.properties": "MassProperties PrincipalAxes",
    "formats.body_toml": "load_body",
    "inertia.exact_body": "ExactBody exact_body",
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
    "results": "Cost ForwardDerivatives FrameMotion InverseDerivatives LinkMotions Recursion TorqueComponents",
    "robot": "Robot",
    "motion.torque_budget": "torque_budget",
    "motion.torque_budget_result": "TorqueBudget",
    "motion.task": "Task load_task",
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
