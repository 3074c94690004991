"""The controllers by name, with the units of their gains: for commands and task files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dynamis.base.errors import ArgumentError, UnknownNameError, check_name, literal
from dynamis.simulation.controllers.computed_torque import ComputedTorque
from dynamis.simulation.controllers.gravity_learning import GravityLearning
from dynamis.simulation.controllers.law import Controller
from dynamis.simulation.controllers.momentum_observer import MomentumObserver
from dynamis.simulation.controllers.operational_pd import OperationalPD
from dynamis.simulation.controllers.pd import PD
from dynamis.simulation.controllers.pd_gravity import PDGravity
from dynamis.simulation.controllers.pid import PID
from dynamis.simulation.controllers.slotine_li import SlotineLi

STIFFNESS, DAMPING = "N m/rad or N/m", "N m s/rad or N s/m"
_PD = {"kp": STIFFNESS, "kd": DAMPING}


@dataclass(frozen=True)
class ControllerEntry:
    """A controller: its class, a line about it, the gains that it needs and those that it may have, with units.

    `preset` are values that the name stands for.
    """

    kind: type[Controller]
    description: str
    gains: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    preset: Mapping[str, Any] = field(default_factory=dict[str, Any])


CATALOGUE: dict[str, ControllerEntry] = {
    "pd": ControllerEntry(PD, "proportional-derivative control; gravity leaves a steady error", _PD),
    "pid": ControllerEntry(
        PID,
        "PD plus the integral of the error, which removes the steady error",
        {**_PD, "ki": "N m/(rad s) or N/(m s)"},
        {"integral_limit": "N m or N"},
    ),
    "pd-gravity": ControllerEntry(PDGravity, "PD with gravity compensation at the current posture", _PD),
    "pd-gravity-goal": ControllerEntry(
        PDGravity, "PD with gravity compensation at the goal", _PD, preset={"at": "goal"}
    ),
    "computed-torque": ControllerEntry(
        ComputedTorque, "the model makes each joint a double integrator under PD", {"kp": "1/s^2", "kd": "1/s"}
    ),
    "slotine-li": ControllerEntry(
        SlotineLi,
        "tracks a smooth goal and learns the inertial parameters on the way",
        {"kd": DAMPING, "rate": "1/s", "adaptation": "of the parameters"},
        {"parameters": '"base" or "all"', "initial": '"model" or "zero"'},
    ),
    "gravity-learning": ControllerEntry(
        GravityLearning,
        "PD that learns the gravity torque from one rest to the next, without a model",
        _PD,
        {"gamma": "a factor, >= 2", "still": "rad/s or m/s", "settling": "s"},
    ),
    "operational-pd": ControllerEntry(
        OperationalPD,
        "a spring and a damper between a frame and its goal, with gravity compensation",
        {"goal": "m, or a pose", "kp": "N/m", "kd": "N s/m"},
        {"kp_turn": "N m", "kd_turn": "N m s/rad", "frame": "a name", "joint_damping": DAMPING},
    ),
    "momentum-observer": ControllerEntry(
        MomentumObserver,
        "another controller, with an estimate of the torques that the environment exerts",
        {"inner": "a controller, or its name with its gains", "gain": "1/s"},
    ),
}  # fmt: skip


def controller(name: str, *, model: Any = None, **gains: Any) -> Controller:
    """The controller of this name with these gains.

    An observer takes its `inner` controller by name too; the other gains are then those of the inner one.

    >>> controller("pd-gravity", kp=100, kd=20)
    PDGravity(kp=100, kd=20)
    >>> controller("momentum-observer", inner="pd", gain=50, kp=100, kd=20)
    MomentumObserver(inner=PD(kp=100, kd=20), gain=50)
    """
    check_name("controller", name, CATALOGUE)
    entry = CATALOGUE[name]
    if isinstance(inner := gains.get("inner"), str) and "inner" in entry.gains:
        outer = {key: gains.pop(key) for key in entry.gains if key in gains}
        gains = {**outer, "inner": controller(inner, model=model, **gains)}
    names = {**entry.gains, **entry.options}
    for key in gains:
        if key not in names:
            raise UnknownNameError("gain", key, names, within=f"controller {literal(name)}", key=key)
    if lacking := [key for key in entry.gains if key not in gains]:
        units = ", ".join(f"{key} [{entry.gains[key]}]" for key in lacking)
        raise ArgumentError(f"controller {literal(name)} needs {units}", key=lacking[0])
    return entry.kind(**entry.preset, **gains, model=model)
