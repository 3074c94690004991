"""The public names and their homes. `__init__.py` reads this list and imports each name when it is first used."""

# ruff: noqa: I001 (one import per home)

from dynamis.compute.backends.backend import Backend as Backend
from dynamis.model.bodies.body import Body as Body
from dynamis.model.bodies.mass_properties import MassProperties as MassProperties, PrincipalAxes as PrincipalAxes
from dynamis.exact.derivations.bodies.exact_body import ExactBody as ExactBody, exact_body as exact_body
from dynamis.exact.derivations.robots.methods import derive as derive, derive_only as derive_only
from dynamis.telling.drawing.drawing import Drawing as Drawing
from dynamis.base.errors import (
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
from dynamis.apps.exports.export import Export as Export, export as export
from dynamis.model.formats.body_file import load_body as load_body
from dynamis.apps.grading.check import check_answer as check_answer, check_answers as check_answers
from dynamis.apps.identification.excitation.excite import excite as excite
from dynamis.apps.identification.excitation.result import ExcitingMotion as ExcitingMotion
from dynamis.apps.identification.identify import identify as identify
from dynamis.apps.identification.result import Identification as Identification
from dynamis.library import estimates as estimates, exercises as exercises, load as load, robots as robots, save as save
from dynamis.apps.live.report import LiveReport as LiveReport, report as report
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
from dynamis.motion.single_states.robot_state import RobotState as RobotState, robot_state as robot_state
from dynamis.motion.single_states.state_torques import StateTorques as StateTorques, state_torques as state_torques
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
from dynamis.telling.pages.reactions import Reactions as Reactions
from dynamis.telling.pages.states import (
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
from dynamis.apps.sweeps.bounds.bracket import Bracket as Bracket
from dynamis.apps.sweeps.bounds.bracket import Brackets as Brackets
from dynamis.apps.sweeps.bounds.bracket import bracket as bracket
from dynamis.apps.sweeps.fronts import pareto as pareto
from dynamis.apps.sweeps.maps.kinds import bearing_map as bearing_map
from dynamis.apps.sweeps.maps.kinds import payload_map as payload_map
from dynamis.apps.sweeps.maps.kinds import reach_map as reach_map
from dynamis.apps.sweeps.maps.kinds import torque_map as torque_map
from dynamis.apps.sweeps.maps.tolerance_bands import ToleranceBands as ToleranceBands
from dynamis.apps.sweeps.maps.tolerance_bands import tolerance_bands as tolerance_bands
from dynamis.apps.sweeps.maps.workspace_map import WorkspaceMap as WorkspaceMap
from dynamis.apps.sweeps.draws.points import Draw as Draw
from dynamis.apps.sweeps.draws.points import grid as grid
from dynamis.apps.sweeps.draws.points import latin_hypercube as latin_hypercube
from dynamis.apps.sweeps.draws.points import lattice as lattice
from dynamis.apps.sweeps.draws.points import sobol as sobol
from dynamis.apps.sweeps.draws.samples import samples as samples
from dynamis.apps.sweeps.ranges import box as box
from dynamis.apps.sweeps.ranges import correlated as correlated
from dynamis.apps.sweeps.ranges import normal as normal
from dynamis.apps.sweeps.ranges import triangular as triangular
from dynamis.apps.sweeps.reductions import exceeds as exceeds
from dynamis.apps.sweeps.reductions import histogram as histogram
from dynamis.apps.sweeps.reductions import quantile as quantile
from dynamis.apps.sweeps.search.design_search import DesignFront as DesignFront
from dynamis.apps.sweeps.search.design_search import design_search as design_search
from dynamis.apps.sweeps.sweep import Sweep as Sweep
from dynamis.apps.sweeps.sweep import sweep as sweep

__version__: str
