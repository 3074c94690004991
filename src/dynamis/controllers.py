"""Control laws, and what else acts on a simulated robot over time."""

from __future__ import annotations

from dynamis.motion.load_over_time import LoadOverTime as LoadOverTime
from dynamis.simulation.controllers.catalogue import controller as controller
from dynamis.simulation.controllers.computed_torque import ComputedTorque as ComputedTorque
from dynamis.simulation.controllers.gravity_learning import GravityLearning as GravityLearning
from dynamis.simulation.controllers.law import Command as Command
from dynamis.simulation.controllers.law import Condition as Condition
from dynamis.simulation.controllers.law import Controller as Controller
from dynamis.simulation.controllers.law import Observation as Observation
from dynamis.simulation.controllers.momentum_observer import MomentumObserver as MomentumObserver
from dynamis.simulation.controllers.operational_pd import OperationalPD as OperationalPD
from dynamis.simulation.controllers.pd import PD as PD
from dynamis.simulation.controllers.pd_gravity import PDGravity as PDGravity
from dynamis.simulation.controllers.pid import PID as PID
from dynamis.simulation.controllers.slotine_li import SlotineLi as SlotineLi
from dynamis.simulation.loop.schedule import TorqueSamples as TorqueSamples
