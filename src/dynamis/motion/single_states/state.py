"""`dynamis.robot_state`: what can be asked of a robot in a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from dynamis.base.verb import function, option, verb
from dynamis.motion.single_states.at_state import AtState

if TYPE_CHECKING:
    from dynamis.compute.mechanics.dynamics.reactions import ReactionConvention
    from dynamis.model.robot import RobotModel
    from dynamis.motion.single_states.robot_state import RobotState as RobotState


@verb
class State(AtState["RobotState"]):
    """A state: mass matrix, Coriolis, gravity, energies, poses, Jacobians, motions, torques and reactions.

    >>> import dynamis
    >>> state = dynamis.robot_state(dynamis.load("bar-2r"), [0, 1.2], only="M g")
    >>> state["M"].shape
    (2, 2)
    >>> print(state.table("M"))
    M: mass matrix [kg m²]
            1       2
    -  ------  ------
    1  0.5073  0.1286
    2  0.1286  0.0833
    """

    answer = "dynamis.motion.single_states.parts_of_state:tell_state"

    _: KW_ONLY
    only: str | Sequence[str] = option(
        "parts, or entries of them, such as M,g[2]: tau, M, C, c, g, T, U, poses, frame (its motion), J, motion (of "
        "the links), reactions; and, which are not shown unasked, transforms A, A[2], T[0,2], T[0,c2], T[1,tool], "
        "positions p[c2], L, christoffel, Ck, Q, recursion, components, Jc, Jv, Jw, Ibase, Jd, Jcd, H, Hc, Lambda, mu, "
        "p, Y, pi",
        default=(), kind="name", offered="dynamis.motion.single_states.parts:PARTS", metavar="NAMES",
    )  # fmt: skip
    frame: str = option(
        "frame or link of J, Jd, H, Lambda; the tool if left out", default="", kind="frame", metavar="NAME",
        offered="dynamis.motion.single_states.state:frames(robot)",
    )  # fmt: skip
    rows: str = option(
        "directions of Lambda, mu and p: of x, y, z, rx, ry, rz", default="x y z rx ry rz",
        kind="name", offered="dynamis.compute.mechanics.efficient.operational_space:ROWS",
        metavar="ROWS",
    )  # fmt: skip
    convention: ReactionConvention = option(
        'convention of the reactions: "joint" or "parent_tip"', default="joint", kind="convention"
    )


robot_state = function(State, "robot_state")


def frames(robot: RobotModel) -> list[str]:
    """The names of frames and links."""
    return [x.name for x in (*robot.frames, *robot.links)]
