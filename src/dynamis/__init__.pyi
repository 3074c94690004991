"""The public names and their homes. `__init__.py` reads this list and imports each name when it is first used."""

# ruff: noqa: I001 (one import per home)

from dynamis import (
    library as library,
    torch as torch,
    jax as jax,
    bodies as bodies,
    controllers as controllers,
    errors as errors,
    files as files,
    grading as grading,
    identification as identification,
    results as results,
    sweeps as sweeps,
    trajectories as trajectories,
)
from dynamis.apps.exports.export import export as export
from dynamis.apps.grading.check import check_answer as check_answer
from dynamis.apps.identification.identify import identify as identify
from dynamis.apps.live.report import report as report
from dynamis.apps.sweeps.sweep import sweep as sweep
from dynamis.base.errors import DynamisError as DynamisError
from dynamis.compute.backends.backend import Backend as Backend
from dynamis.exact.derive import derive as derive, derive_only as derive_only
from dynamis.library import load as load, robots as robots, save as save
from dynamis.model.bodies.body import Body as Body
from dynamis.model.inertia import Inertia as Inertia
from dynamis.model.link import Joint as Joint, Limits as Limits, Link as Link
from dynamis.telling.pages.lint import lint as lint
from dynamis.model.loads import Force as Force, Moment as Moment, ToolWrench as ToolWrench
from dynamis.model.payload import Payload as Payload
from dynamis.model.placement import Placement as Placement
from dynamis.model.robot import Frame as Frame
from dynamis.motion.inverse_kinematics.numerical import inverse_kinematics as inverse_kinematics
from dynamis.motion.single_states.state import robot_state as robot_state
from dynamis.motion.single_states.inverse import state_torques as state_torques
from dynamis.motion.torque_budget.torque_budget import torque_budget as torque_budget
from dynamis.robot import Robot as Robot
from dynamis.simulation.film import film as film
from dynamis.simulation.learning.learn import learn as learn
from dynamis.simulation.rollouts import rollouts as rollouts
from dynamis.simulation.simulate import simulate as simulate

__version__: str
