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
    from dynamis.bodies.mass_properties import MassProperties, PrincipalAxes
    from dynamis.derivations.bodies.exact_body import ExactBody, exact_body
    from dynamis.errors import (
        ArgumentError,
        DynamisError,
        ExpressionError,
        FormatError,
        MemoryLimitError,
        MissingMassError,
        MissingValuesError,
        ModelError,
        TimeLimitError,
        TooLargeError,
        UnknownNameError,
        UnphysicalWarning,
        WriteError,
    )
    from dynamis.formats.body_file import load_body
    from dynamis.library import exercises, load, robots, save
    from dynamis.model.inertia import Inertia
    from dynamis.model.link import Joint, Limits, Link
    from dynamis.model.loads import Force, Moment, ToolWrench
    from dynamis.model.placement import Placement
    from dynamis.model.robot import Frame
    from dynamis.motion.inverse_kinematics.branches import Branches
    from dynamis.motion.inverse_kinematics.numerical import InverseKinematics, inverse_kinematics
    from dynamis.motion.inverse_kinematics.planar import planar_inverse_kinematics
    from dynamis.motion.inverse_kinematics.screws import StructureError
    from dynamis.motion.inverse_kinematics.spherical_wrist import spherical_wrist_inverse_kinematics
    from dynamis.motion.load_over_time import LoadOverTime
    from dynamis.motion.shortest_time.shortest_time import ShortestTime, shortest_time
    from dynamis.motion.tasks.task import Task, load_task, tasks
    from dynamis.motion.tool_paths.trajectory import ToolTrajectory, tool_arc, tool_line
    from dynamis.motion.torque_budget.result import TorqueBudget
    from dynamis.motion.torque_budget.torque_budget import torque_budget
    from dynamis.motion.trajectories.double_s import double_s
    from dynamis.motion.trajectories.parabolic_blends import parabolic_blends
    from dynamis.motion.trajectories.piecewise import JointTrajectory
    from dynamis.motion.trajectories.polynomials import cubic, quintic, septic
    from dynamis.motion.trajectories.sampled import sampled, sampled_file
    from dynamis.motion.trajectories.spline import spline
    from dynamis.motion.trajectories.trajectory import MotionError, Peaks, Trajectory
    from dynamis.motion.trajectories.trapezoidal import trapezoidal
    from dynamis.quantities.findings import Finding, lint
    from dynamis.quantities.reactions import Reactions
    from dynamis.quantities.results import (
        Cost,
        ForwardDerivatives,
        FrameMotion,
        InverseDerivatives,
        LinkMotions,
        Recursion,
        TorqueComponents,
    )
    from dynamis.robot import Robot
    from dynamis.simulation.controllers.catalogue import controller
    from dynamis.simulation.controllers.computed_torque import ComputedTorque
    from dynamis.simulation.controllers.gravity_learning import GravityLearning
    from dynamis.simulation.controllers.law import Command, Condition, Controller, Observation
    from dynamis.simulation.controllers.momentum_observer import MomentumObserver
    from dynamis.simulation.controllers.operational_pd import OperationalPD
    from dynamis.simulation.controllers.pd import PD
    from dynamis.simulation.controllers.pd_gravity import PDGravity
    from dynamis.simulation.controllers.pid import PID
    from dynamis.simulation.controllers.slotine_li import SlotineLi
    from dynamis.simulation.learning.gains import with_mass_error
    from dynamis.simulation.learning.learn import learn
    from dynamis.simulation.learning.result import Learning, Trial
    from dynamis.simulation.loop.schedule import TorqueSamples
    from dynamis.simulation.results.accuracy import Accuracy
    from dynamis.simulation.results.result import Effort, Energy, Event, Simulation
    from dynamis.simulation.rollouts import Rollouts, rollouts
    from dynamis.simulation.runs.blow_up import BlowUpError
    from dynamis.simulation.simulate import simulate
    from dynamis.simulation.task import SimulationTask, load_simulation, simulations

__version__ = "0.1.0"

__all__ = [  # noqa: RUF022 (as Python sorts, which the tests look at)
    "Accuracy", "ArgumentError", "BlowUpError", "Body", "Branches", "Command", "ComputedTorque", "Condition",
    "Controller", "Cost", "DynamisError", "Effort", "Energy", "Event", "ExactBody", "ExpressionError", "Finding",
    "Force", "FormatError", "ForwardDerivatives", "Frame", "FrameMotion", "GravityLearning", "Inertia",
    "InverseDerivatives", "InverseKinematics", "Joint", "JointTrajectory", "Learning", "Limits", "Link", "LinkMotions",
    "LoadOverTime", "MassProperties", "MemoryLimitError", "MissingMassError", "MissingValuesError",
    "ModelError", "Moment", "MomentumObserver", "MotionError", "Observation", "OperationalPD", "PD", "PDGravity", "PID",
    "Peaks", "Placement", "PrincipalAxes", "Reactions", "Recursion", "Robot", "Rollouts", "ShortestTime", "Simulation",
    "SimulationTask", "SlotineLi", "StructureError", "Task", "TimeLimitError", "TooLargeError", "ToolTrajectory",
    "ToolWrench", "TorqueBudget", "TorqueComponents", "TorqueSamples", "Trajectory", "Trial", "UnknownNameError",
    "UnphysicalWarning", "WriteError", "controller", "cubic", "double_s", "exact_body", "exercises",
    "inverse_kinematics", "learn", "lint", "load", "load_body", "load_simulation", "load_task", "parabolic_blends",
    "planar_inverse_kinematics", "quintic", "robots", "rollouts", "sampled", "sampled_file", "save", "septic",
    "shortest_time", "simulate", "simulations", "spherical_wrist_inverse_kinematics", "spline", "tasks", "tool_arc",
    "tool_line", "torque_budget", "trapezoidal", "with_mass_error",
]  # fmt: skip

# Where the public names live. They are imported when they are first used, so that `dynamis --help`
# does not wait for NumPy.
_HOMES = {
    "bodies.body": "Body",
    "bodies.mass_properties": "MassProperties PrincipalAxes",
    "formats.body_file": "load_body",
    "derivations.bodies.exact_body": "ExactBody exact_body",
    "errors": "ArgumentError DynamisError ExpressionError FormatError MemoryLimitError MissingMassError "
    "MissingValuesError ModelError TimeLimitError TooLargeError UnknownNameError UnphysicalWarning WriteError",
    "library": "exercises load robots save",
    "quantities.findings": "Finding lint",
    "model.inertia": "Inertia",
    "model.link": "Joint Limits Link",
    "model.loads": "Force Moment ToolWrench",
    "model.placement": "Placement",
    "model.robot": "Frame",
    "quantities.reactions": "Reactions",
    "quantities.results": "Cost ForwardDerivatives FrameMotion InverseDerivatives LinkMotions Recursion "
    "TorqueComponents",
    "robot": "Robot",
    "motion.inverse_kinematics.branches": "Branches",
    "motion.trajectories.double_s": "double_s",
    "motion.inverse_kinematics.numerical": "InverseKinematics inverse_kinematics",
    "motion.load_over_time": "LoadOverTime",
    "motion.trajectories.parabolic_blends": "parabolic_blends",
    "motion.trajectories.piecewise": "JointTrajectory",
    "motion.inverse_kinematics.planar": "planar_inverse_kinematics",
    "motion.trajectories.polynomials": "cubic quintic septic",
    "motion.trajectories.sampled": "sampled sampled_file",
    "motion.inverse_kinematics.screws": "StructureError",
    "motion.shortest_time.shortest_time": "ShortestTime shortest_time",
    "motion.inverse_kinematics.spherical_wrist": "spherical_wrist_inverse_kinematics",
    "motion.trajectories.spline": "spline",
    "motion.tool_paths.trajectory": "ToolTrajectory tool_arc tool_line",
    "motion.trajectories.trajectory": "MotionError Peaks Trajectory",
    "motion.trajectories.trapezoidal": "trapezoidal",
    "motion.torque_budget.torque_budget": "torque_budget",
    "motion.torque_budget.result": "TorqueBudget",
    "motion.tasks.task": "Task load_task tasks",
    "simulation.runs.blow_up": "BlowUpError",
    "simulation.controllers.law": "Command Condition Controller Observation",
    "simulation.controllers.pd": "PD",
    "simulation.controllers.pd_gravity": "PDGravity",
    "simulation.loop.schedule": "TorqueSamples",
    "simulation.learning.learn": "learn",
    "simulation.learning.gains": "with_mass_error",
    "simulation.learning.result": "Learning Trial",
    "simulation.results.result": "Effort Energy Event Simulation",
    "simulation.rollouts": "Rollouts rollouts",
    "simulation.controllers.catalogue": "controller",
    "simulation.controllers.computed_torque": "ComputedTorque",
    "simulation.controllers.gravity_learning": "GravityLearning",
    "simulation.controllers.momentum_observer": "MomentumObserver",
    "simulation.controllers.operational_pd": "OperationalPD",
    "simulation.controllers.pid": "PID",
    "simulation.controllers.slotine_li": "SlotineLi",
    "simulation.results.accuracy": "Accuracy",
    "simulation.task": "simulations load_simulation SimulationTask",
    "simulation.simulate": "simulate",
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
