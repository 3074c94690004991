"""What verbs return."""

from __future__ import annotations

from dynamis.apps.exports.exported import Export as Export
from dynamis.apps.live.live_report import LiveReport as LiveReport
from dynamis.model.lint import Finding as Finding
from dynamis.motion.single_states.robot_state import RobotState as RobotState
from dynamis.motion.single_states.state_torques import StateTorques as StateTorques
from dynamis.motion.torque_budget.result import TorqueBudget as TorqueBudget
from dynamis.simulation.learning.result import Learning as Learning
from dynamis.simulation.learning.result import Trial as Trial
from dynamis.simulation.results.result import Accuracy as Accuracy
from dynamis.simulation.results.result import Effort as Effort
from dynamis.simulation.results.result import Energy as Energy
from dynamis.simulation.results.result import Event as Event
from dynamis.simulation.results.result import Simulation as Simulation
from dynamis.simulation.results.rollouts import Rollouts as Rollouts
from dynamis.simulation.runs.run import Snapshot as Snapshot
from dynamis.telling.drawing.drawing import Drawing as Drawing
from dynamis.telling.pages.reactions import Reactions as Reactions
from dynamis.telling.pages.states import Cost as Cost
from dynamis.telling.pages.states import ForwardDerivatives as ForwardDerivatives
from dynamis.telling.pages.states import FrameMotion as FrameMotion
from dynamis.telling.pages.states import InverseDerivatives as InverseDerivatives
from dynamis.telling.pages.states import LinkMotions as LinkMotions
from dynamis.telling.pages.states import ParameterVector as ParameterVector
from dynamis.telling.pages.states import Recursion as Recursion
from dynamis.telling.pages.states import TorqueComponents as TorqueComponents
