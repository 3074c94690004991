"""The public names and their homes. `__init__.py` reads this list and imports each name when it is first used."""

# ruff: noqa: I001 (one import per home)

from dynamis.backends.backend import Backend as Backend
from dynamis.bodies.body import Body as Body
from dynamis.bodies.mass_properties import MassProperties as MassProperties, PrincipalAxes as PrincipalAxes
from dynamis.derivations.bodies.exact_body import ExactBody as ExactBody, exact_body as exact_body
from dynamis.derivations.robots.methods import derive as derive, derive_only as derive_only
from dynamis.drawing.drawing import Drawing as Drawing
from dynamis.errors import (
    ArgumentError as ArgumentError,
    DynamisError as DynamisError,
    ExpressionError as ExpressionError,
    FormatError as FormatError,
    MemoryLimitError as MemoryLimitError,
    MissingMassError as MissingMassError,
    MissingValuesError as MissingValuesError,
    ModelError as ModelError,
    TimeLimitError as TimeLimitError,
    TooLargeError as TooLargeError,
    UnknownNameError as UnknownNameError,
    UnphysicalWarning as UnphysicalWarning,
    WriteError as WriteError,
)
from dynamis.exports.export import Export as Export, export as export
from dynamis.formats.body_file import load_body as load_body
from dynamis.grading.check import check_answer as check_answer, check_answers as check_answers
from dynamis.identification.excitation.excite import excite as excite
from dynamis.identification.excitation.result import ExcitingMotion as ExcitingMotion
from dynamis.identification.identify import identify as identify
from dynamis.identification.result import Identification as Identification
from dynamis.library import estimates as estimates, exercises as exercises, load as load, robots as robots, save as save
from dynamis.live.report import LiveReport as LiveReport, report as report
from dynamis.model.inertia import Inertia as Inertia
from dynamis.model.link import Joint as Joint, Limits as Limits, Link as Link
from dynamis.model.loads import Force as Force, Moment as Moment, ToolWrench as ToolWrench
from dynamis.model.payload import Payload as Payload
from dynamis.model.placement import Placement as Placement
from dynamis.model.robot import Frame as Frame
from dynamis.motion.inverse_kinematics.branches import Branches as Branches
from dynamis.motion.inverse_kinematics.numerical import (
    InverseKinematics as InverseKinematics,
    inverse_kinematics as inverse_kinematics,
)
from dynamis.motion.inverse_kinematics.planar import planar_inverse_kinematics as planar_inverse_kinematics
from dynamis.motion.inverse_kinematics.screws import StructureError as StructureError
from dynamis.motion.inverse_kinematics.spherical_wrist import (
    spherical_wrist_inverse_kinematics as spherical_wrist_inverse_kinematics,
)
from dynamis.motion.load_over_time import LoadOverTime as LoadOverTime
from dynamis.single_states.robot_state import RobotState as RobotState, robot_state as robot_state
from dynamis.single_states.state_torques import StateTorques as StateTorques, state_torques as state_torques
from dynamis.motion.shortest_time.shortest_time import ShortestTime as ShortestTime, shortest_time as shortest_time
from dynamis.motion.tasks.task import Task as Task, load_task as load_task, tasks as tasks
from dynamis.motion.tool_paths.trajectory import (
    ToolTrajectory as ToolTrajectory,
    tool_arc as tool_arc,
    tool_line as tool_line,
)
from dynamis.motion.torque_budget.result import TorqueBudget as TorqueBudget
from dynamis.motion.torque_budget.torque_budget import torque_budget as torque_budget
from dynamis.motion.trajectories.double_s import double_s as double_s
from dynamis.motion.trajectories.parabolic_blends import parabolic_blends as parabolic_blends
from dynamis.motion.trajectories.piecewise import JointTrajectory as JointTrajectory
from dynamis.motion.trajectories.polynomials import cubic as cubic, quintic as quintic, septic as septic
from dynamis.motion.trajectories.sampled import sampled as sampled, sampled_file as sampled_file
from dynamis.motion.trajectories.sequence import MotionSequence as MotionSequence, sequence as sequence
from dynamis.motion.trajectories.spline import spline as spline
from dynamis.motion.trajectories.trajectory import MotionError as MotionError, Peaks as Peaks, Trajectory as Trajectory
from dynamis.motion.trajectories.trapezoidal import trapezoidal as trapezoidal
from dynamis.model.lint import Finding as Finding, lint as lint
from dynamis.quantities.reactions import Reactions as Reactions
from dynamis.quantities.results import (
    Cost as Cost,
    ForwardDerivatives as ForwardDerivatives,
    FrameMotion as FrameMotion,
    InverseDerivatives as InverseDerivatives,
    LinkMotions as LinkMotions,
    ParameterVector as ParameterVector,
    Recursion as Recursion,
    TorqueComponents as TorqueComponents,
)
from dynamis.robot import Robot as Robot
from dynamis.simulation.controllers.catalogue import controller as controller
from dynamis.simulation.controllers.computed_torque import ComputedTorque as ComputedTorque
from dynamis.simulation.controllers.gravity_learning import GravityLearning as GravityLearning
from dynamis.simulation.controllers.law import (
    Command as Command,
    Condition as Condition,
    Controller as Controller,
    Observation as Observation,
)
from dynamis.simulation.controllers.momentum_observer import MomentumObserver as MomentumObserver
from dynamis.simulation.controllers.operational_pd import OperationalPD as OperationalPD
from dynamis.simulation.controllers.pd import PD as PD
from dynamis.simulation.controllers.pd_gravity import PDGravity as PDGravity
from dynamis.simulation.controllers.pid import PID as PID
from dynamis.simulation.controllers.slotine_li import SlotineLi as SlotineLi
from dynamis.model.inertial_parameters import with_mass_error as with_mass_error
from dynamis.simulation.learning.learn import learn as learn
from dynamis.simulation.learning.result import Learning as Learning, Trial as Trial
from dynamis.simulation.loop.schedule import TorqueSamples as TorqueSamples
from dynamis.simulation.results.accuracy import Accuracy as Accuracy
from dynamis.simulation.results.result import (
    Effort as Effort,
    Energy as Energy,
    Event as Event,
    Simulation as Simulation,
)
from dynamis.simulation.results.rollouts import Rollouts as Rollouts
from dynamis.simulation.rollouts import rollouts as rollouts
from dynamis.simulation.runs.blow_up import BlowUpError as BlowUpError
from dynamis.simulation.runs.run import Snapshot as Snapshot
from dynamis.simulation.film import film as film
from dynamis.simulation.simulate import simulate as simulate
from dynamis.simulation.task import (
    SimulationTask as SimulationTask,
    load_simulation as load_simulation,
    simulations as simulations,
)
from dynamis.sweeps.bounds.bracket import Bracket as Bracket
from dynamis.sweeps.bounds.bracket import Brackets as Brackets
from dynamis.sweeps.bounds.bracket import bracket as bracket
from dynamis.sweeps.fronts import pareto as pareto
from dynamis.sweeps.maps.kinds import bearing_map as bearing_map
from dynamis.sweeps.maps.kinds import payload_map as payload_map
from dynamis.sweeps.maps.kinds import reach_map as reach_map
from dynamis.sweeps.maps.kinds import torque_map as torque_map
from dynamis.sweeps.maps.tolerance_bands import ToleranceBands as ToleranceBands
from dynamis.sweeps.maps.tolerance_bands import tolerance_bands as tolerance_bands
from dynamis.sweeps.maps.workspace_map import WorkspaceMap as WorkspaceMap
from dynamis.sweeps.draws.points import Draw as Draw
from dynamis.sweeps.draws.points import grid as grid
from dynamis.sweeps.draws.points import latin_hypercube as latin_hypercube
from dynamis.sweeps.draws.points import lattice as lattice
from dynamis.sweeps.draws.points import sobol as sobol
from dynamis.sweeps.draws.samples import samples as samples
from dynamis.sweeps.ranges import box as box
from dynamis.sweeps.ranges import correlated as correlated
from dynamis.sweeps.ranges import normal as normal
from dynamis.sweeps.ranges import triangular as triangular
from dynamis.sweeps.reductions import exceeds as exceeds
from dynamis.sweeps.reductions import histogram as histogram
from dynamis.sweeps.reductions import quantile as quantile
from dynamis.sweeps.search.design_search import DesignFront as DesignFront
from dynamis.sweeps.search.design_search import design_search as design_search
from dynamis.sweeps.sweep import Sweep as Sweep
from dynamis.sweeps.sweep import sweep as sweep

__version__: str
