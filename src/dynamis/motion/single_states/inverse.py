"""`dynamis.state_torques`: what can be asked of inverse dynamics."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from dynamis.base.verb import function, option, verb
from dynamis.motion.single_states.at_state import AtState

if TYPE_CHECKING:
    from dynamis.compute.mechanics.dynamics.reactions import ReactionConvention
    from dynamis.motion.single_states.state_torques import StateTorques as StateTorques


@verb
class Inverse(AtState["StateTorques"]):
    """Inverse dynamics: the torque of every joint, and its reactions, for a state under loads.

    >>> import dynamis
    >>> print(dynamis.state_torques(dynamis.load("genova-rp"), [0.349066, -0.2]).table(decimals=1))
       joint  kind       q [rad, m]  qd [rad/s, m/s]  qdd [rad/s², m/s²]   tau  unit
    -  -----  ---------  ----------  ---------------  ------------------  ----  ----
    1  q1     revolute     0.349066                0                   0  90.3  N m
    2  q2     prismatic        -0.2                0                   0  20.1  N
    """

    answer = "dynamis.motion.single_states.torques_at_state:torques"

    _: KW_ONLY
    reactions: ReactionConvention | None = option(
        'also the six reactions of every joint, in this convention: "joint" or "parent_tip"', default=None,
        kind="reactions",
    )  # fmt: skip
    recursion: bool = option("also w, wd, vd, vdc, F, N, f, n of every link", default=False, flag="steps")
    compare_gravity: bool = option("with and without gravity; the robot's own, where there is none", default=False)
    words: bool = option("also in words: who accelerates or brakes, what gravity does, reactions", default=False)


state_torques = function(Inverse, "state_torques")
