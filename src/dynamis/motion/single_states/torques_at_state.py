"""The torques of a state, and what else is asked about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dynamis.base.arguments import real_values
from dynamis.base.arrays import Array
from dynamis.compute.mechanics.dynamics.reactions import ReactionConvention
from dynamis.compute.quantities.arguments import Gravity, gravity_vector
from dynamis.library import require_robot
from dynamis.model.loads import Load
from dynamis.motion.single_states.inverse import Inverse
from dynamis.motion.single_states.state_torques import StateTorques
from dynamis.motion.single_states.words import StateWords, level_coordinates
from dynamis.robot import Robot
from dynamis.scalars.floats import number


def torques(asked: Inverse) -> StateTorques:
    """The torques of a state, or of several, as a result that prints, writes and explains itself."""
    robot, reactions = asked.robot, asked.reactions
    require_robot(robot)
    # To compare with gravity needs one: without any the robot's own is meant.
    gravity = True if asked.compare_gravity and asked.gravity is False else asked.gravity
    motion, loads = (asked.q, asked.qd, asked.qdd), asked.loads
    forces: dict[str, Any] = {"loads": loads, "gravity": gravity}
    wrenches = None if reactions is None else robot.reactions(*motion, convention=reactions, **forces)
    tau = robot.inverse_dynamics(*motion, **forces) if wrenches is None else wrenches.tau
    arrays: Any = [
        np.zeros(robot.n) if x is None else real_values(name, x)
        for name, x in zip(("q", "qd", "qdd"), motion, strict=True)
    ]
    without = None
    if asked.compare_gravity:
        without = Inverse(robot, *motion, loads=loads, gravity=False, reactions=reactions).run()
    state = [np.broadcast_to(x, tau.shape) for x in arrays]
    return StateTorques(
        robot, *state, loads=tuple(loads), gravity=gravity, tau=tau, reactions=wrenches, without_gravity=without,
        recursion=robot.recursion(*motion, **forces) if asked.recursion else None,
        words=_words(robot, state, tuple(loads), gravity, reactions or "joint") if asked.words else (),
    )  # fmt: skip


def _words(
    robot: Robot, motion: Sequence[Array], loads: tuple[Load, ...], gravity: Gravity, convention: ReactionConvention
) -> tuple[tuple[str, ...], ...]:
    """The sentences of every state."""
    g = gravity_vector(gravity)
    pull = np.array([number(x, robot.values) for x in robot.gravity] if g is None else [g.x, g.y, g.z])
    q, qd, qdd = motion
    options: dict[str, Any] = {"loads": loads, "convention": convention}
    whole = robot.reactions(*motion, gravity=gravity, **options)
    less = robot.reactions(*motion, gravity=False, **options) if pull.any() else None
    return tuple(
        StateWords(
            robot, qd[k], qdd[k], whole.at(k), None if less is None else less.at(k), bool(loads),
            level_coordinates(robot, q[k], pull) if less is not None else (),
        ).sentences()
        for k in np.ndindex(q.shape[:-1])
    )  # fmt: skip
