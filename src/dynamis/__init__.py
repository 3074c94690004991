"""dynamis: robot dynamics you can read, trust and run.

>>> import dynamis
>>> robot = dynamis.load("puma560")
>>> robot.inverse_dynamics([0, 0.8, 0, 0, 0, 0]).shape
(6,)
"""

from dynamis.errors import (
    ArgumentError,
    DynamisError,
    ExpressionError,
    FormatError,
    MissingValuesError,
    ModelError,
    UnknownNameError,
    UnphysicalWarning,
)
from dynamis.library import exercises, load, robots
from dynamis.model.inertia import Inertia
from dynamis.model.link import Joint, Limits, Link
from dynamis.model.loads import Force, Moment, ToolWrench
from dynamis.model.placement import Placement
from dynamis.model.robot import Frame
from dynamis.reactions import Reactions
from dynamis.robot import LinkMotions, Robot

__version__ = "0.1.0"

__all__ = [
    "ArgumentError", "DynamisError", "ExpressionError", "Force", "FormatError", "Frame", "Inertia", "Joint",
    "Limits", "Link", "LinkMotions", "MissingValuesError", "ModelError", "Moment", "Placement", "Reactions",
    "Robot", "ToolWrench", "UnknownNameError", "UnphysicalWarning", "exercises", "load", "robots",
]  # fmt: skip
