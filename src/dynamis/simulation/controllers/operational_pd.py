"""PD control in the space of the tool: a spring and a damper between a frame of the robot and its goal.

    tau = J^T (K_P (x_d - x) - K_D xd) + g(q) - D qd        xd = J qd

For a goal with an orientation, moments come to the forces. With the columns n, s, a of the frame's rotation and
n_d, s_d, a_d of the goal's, the error is the vector

    e_o = (n x n_d + s x s_d + a x a_d) / 2

which is the axis of the turn that is left, times the sine of its angle; it is also zero when the frame stands the
wrong way round (half a turn), which is no stable rest. Its gains are single numbers: for others the moment has no
potential. All is in base axes.

With U the potential of the springs, T + U falls with xd.K_D xd + qd.D qd: the robot comes to rest where
J^T K_P e = 0. That is the goal, unless J has lost rank there or the goal is out of reach. D [N m s/rad or N s/m]
damps the motions of a robot with more joints than the goal needs; xd does not see them.

Sources: O. Khatib, A unified approach for motion and force control of robot manipulators: the operational space
formulation, IEEE J. Robotics and Automation 3(1), 1987; J. Y. S. Luh, M. W. Walker, R. P. C. Paul,
Resolved-acceleration control of mechanical manipulators, IEEE Trans. Automatic Control 25(3), 1980, for e_o.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from dynamis.base.arguments import number
from dynamis.base.errors import ArgumentError, literal
from dynamis.compute.mechanics.friction import damping_matrix
from dynamis.compute.mechanics.kinematics.poses import frame_pose, jacobian
from dynamis.scalars.vectors import Vector
from dynamis.simulation.controllers.conditions import positive, same_model, stops_short
from dynamis.simulation.controllers.law import Command, Condition, Controller, Observation, Values, gains

if TYPE_CHECKING:
    from dynamis.robot import Robot

ROTATION_TOLERANCE = 1e-6
"""How far a goal's rotation may be from a rotation."""


@dataclass(frozen=True, repr=False)
class OperationalPD(Controller):
    """`goal`, a position (3) [m] or a pose (4, 4) of `frame` in the base frame; its gains.

    K_P [N/m] and K_D [N s/m], a number or one per axis of the base; for a pose also `kp_turn` [N m] and `kd_turn`
    [N m s/rad]; `joint_damping` D, a number or one per joint.
    """

    goal: Any
    kp: Any
    kd: Any
    kp_turn: Any = None
    kd_turn: Any = None
    frame: str = "tool"
    joint_damping: Any = 0.0

    needs_goal = False
    joint_gains = ("joint_damping",)
    signal_units: ClassVar = {"position_error": "m", "orientation_error": "rad"}

    def check(self, robot: Robot) -> Self:
        self.believed(robot).frame(self.frame)
        goal = _goal(self.goal)
        turns: dict[str, float | None] = {"kp_turn": None, "kd_turn": None}
        if len(goal) == 4:
            if lacking := [key for key in turns if getattr(self, key) is None]:
                raise ArgumentError(f"a goal with an orientation needs {' and '.join(lacking)}", key=lacking[0])
            turns = {key: number(key, getattr(self, key)) for key in turns}
        kp, kd = (gains(key, getattr(self, key), 3, "axis") for key in ("kp", "kd"))
        return replace(super().check(robot), goal=goal, kp=kp, kd=kd, **turns)

    def warnings(self, robot: Robot) -> list[str]:
        law = self.check(robot)
        values_of = {"kp": law.kp, "kd": law.kd, "kp_turn": (law.kp_turn or 0.0,), "kd_turn": (law.kd_turn or 0.0,)}
        warnings = [
            f"{name} is {min(values):g}: a negative gain drives the frame away from its goal"
            for name, values in values_of.items()
            if min(values) < 0
        ]
        return warnings + super().warnings(robot)

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        law = self.check(robot)
        of_turns = {"kp_turn": (law.kp_turn,), "kd_turn": (law.kd_turn,)} if len(law.goal) == 4 else {}
        required = {"kp": law.kp, "kd": law.kd, **of_turns}
        q = np.random.default_rng(0).uniform(-1, 1, (8, robot.n))
        rank = int(np.linalg.matrix_rank(robot.jacobian(q, self.frame)[:, : 6 if of_turns else 3], tol=1e-9).max())
        if robot.n > rank:
            friction = np.diag(law.joint_damping) + np.array(damping_matrix(robot))
            coupled = tuple(float(x) for x in np.linalg.eigvalsh(friction))
            required["D and friction"] = coupled if robot.coupled else tuple(float(x) for x in np.diag(friction))
        gains_hold = positive("so that the robot comes to rest where J^T K_P e = 0", **required)
        detail = f"{gains_hold.detail} That is the goal if it can be reached and J keeps its rank, {rank}, on the way."
        return [replace(gains_hold, detail=detail), same_model(self, robot, only_gravity=True), *stops_short(robot)]

    def law(self, observation: Observation) -> Command:
        x = observation.model
        where = x.poses
        place = x.place(self.frame)
        pose = frame_pose(where, place)
        linear, angular = jacobian(x.m, where, place.body, pose.p)
        error = Vector(*(row[-1] for row in self.goal[:3])) if len(self.goal) == 4 else Vector(*self.goal)
        error = error - pose.p
        force = _spring(self.kp, error, self.kd, _motion(linear, observation.qd, x.m.null))
        moment = x.m.null
        signals: dict[str, Values] = {"position_error": list(error)}
        if len(self.goal) == 4:
            left = _turn_left(pose.R, self.goal)
            turning = _motion(angular, observation.qd, x.m.null)
            moment = _spring((self.kp_turn,) * 3, left, (self.kd_turn,) * 3, turning)
            signals["orientation_error"] = list(left)
        pushed = [j.dot(force) + w.dot(moment) for j, w in zip(linear, angular, strict=True)]
        damped = [d * v for d, v in zip(self.joint_damping, observation.qd, strict=True)]
        tau = [p + g - d for p, g, d in zip(pushed, observation.gravity(), damped, strict=True)]
        return Command(tau, signals=signals)


def _spring(kp: Any, error: Vector[Any], kd: Any, rate: Vector[Any]) -> Vector[Any]:
    return Vector(*(p * e - d * v for p, e, d, v in zip(kp, error, kd, rate, strict=True)))


def _motion(columns: list[Vector[Any]], qd: Values, null: Vector[Any]) -> Vector[Any]:
    """J qd"""
    return sum((column * v for column, v in zip(columns, qd, strict=True)), null)


def _turn_left(R: Any, goal: Any) -> Vector[Any]:
    """(n x n_d + s x s_d + a x a_d) / 2"""
    n, s, a = (Vector(*column) for column in zip(*R, strict=True))
    n_d, s_d, a_d = (Vector(*(goal[i][j] for i in range(3))) for j in range(3))
    return (n.cross(n_d) + s.cross(s_d) + a.cross(a_d)) * 0.5


def _goal(goal: Any) -> Any:
    """A position as a tuple, or a pose as a tuple of rows."""
    try:
        values = np.asarray(goal, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        values = np.empty(0)
    if values.shape not in ((3,), (4, 4)) or not np.isfinite(values).all():
        raise ArgumentError(
            f"goal must be a position (3) or a pose (4, 4) of finite numbers, got {literal(goal)}", key="goal"
        )
    if values.shape == (3,):
        return tuple(values.tolist())
    R = values[:3, :3]
    if (
        np.abs(R @ R.T - np.eye(3)).max() > ROTATION_TOLERANCE
        or np.linalg.det(R) < 0
        or (values[3] != (0, 0, 0, 1)).any()
    ):
        raise ArgumentError(
            "goal must be a pose: an orthonormal, right-handed rotation, and 0 0 0 1 in the last row", key="goal"
        )
    return tuple(tuple(float(values[i, j]) for j in range(4)) for i in range(4))
