"""Every error and warning that dynamis raises."""

from __future__ import annotations

from dynamis.base.errors import ArgumentError as ArgumentError
from dynamis.base.errors import DynamisError as DynamisError
from dynamis.base.errors import ExpressionError as ExpressionError
from dynamis.base.errors import FormatError as FormatError
from dynamis.base.errors import MemoryLimitError as MemoryLimitError
from dynamis.base.errors import MissingMassError as MissingMassError
from dynamis.base.errors import MissingValuesError as MissingValuesError
from dynamis.base.errors import ModelError as ModelError
from dynamis.base.errors import TimeLimitError as TimeLimitError
from dynamis.base.errors import TooLargeError as TooLargeError
from dynamis.base.errors import UnknownNameError as UnknownNameError
from dynamis.base.errors import UnphysicalWarning as UnphysicalWarning
from dynamis.base.errors import WriteError as WriteError
from dynamis.motion.inverse_kinematics.screws import StructureError as StructureError
from dynamis.motion.trajectories.trajectory import MotionError as MotionError
from dynamis.simulation.runs.blow_up import BlowUpError as BlowUpError
