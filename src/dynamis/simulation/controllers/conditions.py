"""The sufficient conditions that several laws share, decided from the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dynamis.compute.mechanics.friction import coulomb, mixed_joints, numeric_forces
from dynamis.simulation.controllers.gravity_bound import entry_bounds, gravity_bound
from dynamis.simulation.controllers.law import Condition, Controller

if TYPE_CHECKING:
    from dynamis.robot import Robot

Gains = tuple[float, ...]
RANDOM_STATES, SAME_TORQUE = 64, 1e-9
"""Random states in which two models are compared, and the relative difference of torques that counts as rounding."""


def positive(so_that: str, **gains: Gains) -> Condition:
    """All gains are above zero; `so_that` says what this is sufficient for."""
    names = {"kp": "K_P", "ki": "K_I", "kd": "K_D"}
    symbols = ", ".join(names.get(name, name) for name in gains)
    lowest = ", ".join(f"{names.get(name, name)} >= {min(values):g}" for name, values in gains.items() if values)
    return Condition(f"{symbols} > 0, {so_that}", all(x > 0 for each in gains.values() for x in each), f"{lowest}.")


def stiffer_than_gravity(robot: Robot, kp: Gains, so_that: str) -> Condition:
    """K_P > max ||dg/dq||, joint by joint: ||K_P^-1/2 dg/dq K_P^-1/2|| < 1 in all poses."""
    equal = len({*kp}) <= 1
    scaled_claim = "||K_P^-1/2 dg/dq K_P^-1/2|| < 1 in all poses (K_P > max ||dg/dq||, each joint with its gain)"
    claim = f"{'K_P > max ||dg/dq||' if equal else scaled_claim}, {so_that}"
    plain = gravity_bound(robot)
    between = f"max ||dg/dq|| is at most {plain.upper:.4g} and was found to be {plain.lower:.4g}"
    if min(kp, default=1.0) <= 0:
        return Condition(claim, False, f"K_P is {min(kp):g} at a joint; {between}.")
    scaled = gravity_bound(robot, 1 / np.sqrt(np.asarray(kp)))
    open_ = scaled.lower < 1 or "stiffness" in robot.force_terms  # springs may do what the gains do not
    holds = True if scaled.upper < 1 else None if open_ else False
    detail = f"K_P = {min(kp, default=0.0):g}; {between}."
    if not equal:
        detail = f"The norm is at most {scaled.upper:.4g} and was found to be {scaled.lower:.4g}; {between}."
    if not np.isfinite(plain.upper):
        detail += " It has no bound because a prismatic joint has no limits."
    return Condition(claim, holds, detail)


def no_gravity(robot: Robot, kp: Gains, goal: Any) -> Condition:
    """Gravity has no torque in any pose, so that a spring alone has its rest at the goal."""
    claim = "g(q) = 0 in all poses, so that the robot comes to rest at the goal itself"
    q = constant(goal, robot.n)
    at = np.zeros((1, robot.n)) if q is None else q[None]
    bounds = entry_bounds(robot)
    if not bounds.any() and not robot.gravity_torque(at).any() and "stiffness" not in robot.force_terms:
        return Condition(claim, True, "No joint works against gravity.")
    detail = "An error stays, K_P e = g(q)."
    if q is not None and min(kp, default=1.0) > 0:
        e = robot.gravity_torque(q) / np.asarray(kp)
        k = int(np.abs(e).argmax())
        joint = robot.coordinates[k]
        unit = "rad" if joint.revolute else "m"
        detail += f" With g at the goal it is {e[k]:.3g} {unit} at joint {joint.name}, the largest."
    return Condition(claim, False, detail)


def same_model(controller: Controller, robot: Robot, only_gravity: bool = False) -> Condition:
    """The controller's model gives the torques of the robot (or those against gravity)."""
    what = "g(q)" if only_gravity else "inverse dynamics"
    claim = f"the model has the {what} of the robot"
    model = controller.believed(robot)
    if model is robot:
        return Condition(claim, True, "The model is the robot.")
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-1, 1, (3, RANDOM_STATES, robot.n)) * np.array([np.pi, 2.0, 5.0])[:, None, None]
    states = (q,) if only_gravity else (q, qd, qdd)
    ours, theirs = model.inverse_dynamics(*states), robot.inverse_dynamics(*states)
    apart, size = float(np.abs(ours - theirs).max()), float(np.abs(theirs).max())
    detail = (
        f"In {RANDOM_STATES} random states they differ by at most {apart:.3g}, of torques up to {size:.3g} [N m or N]."
    )
    return Condition(claim, apart <= SAME_TORQUE * max(size, 1.0), detail)


def stops_short(robot: Robot, kp: Gains | None = None, words: str = "") -> list[Condition]:
    """Dry friction holds a joint where the law pushes less than it: no condition where there is none.

    `kp` [N m/rad or N/m] gives how far from the goal that may be; `words` are added.
    """
    F = np.array(coulomb(robot))
    own = numeric_forces(robot)
    mixed = [robot.joints[j] for j in mixed_joints(robot) if own[j].level]
    if not F.any() and not mixed:
        return []
    claim = "no joint has dry friction, so that none stops short of its goal"
    sticky = [joint.name for joint, f in zip(robot.coordinates, F, strict=True) if f]
    names = ", ".join([*sticky, *(joint.name for joint in mixed)])
    detail = f"The law does not compensate the Coulomb friction of {names}."
    if kp is not None and min(kp, default=0.0) > 0 and sticky:
        short = F / np.asarray(kp)
        k = int(short.argmax())
        unit = "rad" if robot.coordinates[k].revolute else "m"
        detail += f" It can hold joint {robot.coordinates[k].name} up to F/K_P = {short[k]:.3g} {unit} from its goal."
    return [Condition(claim, False, f"{detail} {words}".strip())]


def same_friction(controller: Controller, robot: Robot) -> list[Condition]:
    """The law compensates the friction of the robot; no condition where neither has any."""
    model = controller.believed(robot)
    if not any(coulomb(robot)) and not any(coulomb(model)):
        return []
    claim = "the model has the Coulomb friction of the robot, which the law compensates (without samples: also at rest)"
    left = np.array(coulomb(robot)) - np.array(coulomb(model))
    if not left.any():
        return [Condition(claim, True, "They are equal, joint by joint.")]
    k = int(np.abs(left).argmax())
    joint = robot.coordinates[k]
    unit = "N m" if joint.revolute else "N"
    if left[k] > 0:
        detail = f"{left[k]:.3g} {unit} are left at joint {joint.name}, which they can hold short of its goal."
    else:
        detail = f"At joint {joint.name} the law gives {-left[k]:.3g} {unit} too much, which drives it once it moves."
    return [Condition(claim, False, detail)]


def constant(goal: Any, n: int) -> NDArray[np.float64] | None:
    """The goal's joint values, if it is one pose; None for a trajectory or nothing."""
    try:
        q = np.asarray(goal, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    return q if q.shape == (n,) and bool(np.isfinite(q).all()) else None
