"""Forces and moments on links, in the base frame, and their arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, pi

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.kinematics.poses import com_position, frame_pose, poses
from dynamis.compute.mechanics.mechanism import Mechanism, State, body_of_link, place, vector
from dynamis.model.loads import Force, Load, Moment, ToolWrench, Triple
from dynamis.model.robot import RobotModel
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling.drawing.sketch import END_ON, Sketch, curved_arrow, end_on
from dynamis.telling.pictures.picture import Mark, Point, Role, arrow
from dynamis.telling.pictures.text import Text

KINDS = ("force", "moment")
SHORT_ARROW, LONG_ARROW = 20.0, 52.0
"""The length of the arrow of a small vector and of the largest one [pt]."""
MIN_ARC_SHARE = 0.9
"""A moment with a larger share towards the reader is a turning arrow."""
NEGLIGIBLE_SHARE = 1e-9
"""A vector below this share of the largest one of its kind is not drawn."""


@dataclass(frozen=True)
class Action:
    """A force [N] or a moment [N m] at a point, in the base frame."""

    text: Text
    kind: str
    """`force` or `moment`."""
    at: Array
    vector: Array
    role: Role

    @property
    def size(self) -> float:
        return float(np.linalg.norm(self.vector))


def load_actions(
    robot: RobotModel, m: Mechanism[float], state: State[float], loads: Sequence[Load]
) -> list[tuple[str, str, Array, Array]]:
    """The loads as (link, `force` or `moment`, point, vector), in the base frame."""
    where = poses(m, state)
    rows: list[tuple[str, str, Array, Array]] = []
    for load in loads:
        frame = robot.tool if isinstance(load, ToolWrench) else robot.body_frame(load.link)
        assert frame is not None  # the loads have been applied before
        pose = frame_pose(where, place(robot, m, frame))

        def turned(entries: Triple, axes: str, turn: Matrix[float] = pose.R) -> Array:
            v = vector(entries, m.scalars)
            return _array(v if axes == "world" else turn @ v)

        match load:
            case Moment():
                # A moment acts on the whole link: its arrow stands at the CoM.
                com = com_position(m, where, body_of_link(robot, m, frame.link))
                rows.append((frame.link, "moment", _array(com), turned(load.vector, load.axes)))
            case Force():
                point = vector(load.point, m.scalars)
                at = _array(pose.p + pose.R @ point if load.point_in == "link" else point)
                rows.append((frame.link, "force", at, turned(load.vector, load.axes)))
            case ToolWrench():
                sign = -1.0 if load.direction == "exerted_by_tool" else 1.0
                for kind, entries in (("force", load.force), ("moment", load.moment)):
                    rows.append((frame.link, kind, _array(pose.p), sign * turned(entries, load.axes)))
    return [row for row in rows if row[3].any()]


def draw_actions(sketch: Sketch, actions: Sequence[Action]) -> None:
    """Arrows with labels; forces are scaled among each other, and so are moments."""
    drawn: list[tuple[str, Point, Point]] = []
    for kind in KINDS:
        own = [action for action in actions if action.kind == kind]
        largest = max((action.size for action in own), default=0.0)
        for action in own:
            if action.size > NEGLIGIBLE_SHARE * largest:
                length = SHORT_ARROW + (LONG_ARROW - SHORT_ARROW) * action.size / largest
                at, along = sketch.at(action.at), sketch.along(action.vector / action.size)
                across = float(sketch.page[2] @ action.vector) / action.size
                shape = "arc" if kind == "moment" and abs(across) > MIN_ARC_SHARE else kind
                # Arrows that would cover each other stand beside each other.
                beside = sum(_alike(shape, at, along, other) for other in drawn)
                drawn.append((shape, at, along))
                marks, tip, away = _arrow(action, shape, at, along, across, length, beside)
                sketch.add("force", action.at, *marks)
                sketch.label(action.text, tip, action.role, away, gap=4.0, rank=0)


def _alike(shape: str, at: Point, along: Point, other: tuple[str, Point, Point]) -> bool:
    """Whether an arrow would lie over another one: two arcs, or two straight ones in about one direction."""
    kind, there, ahead = other
    if hypot(at[0] - there[0], at[1] - there[1]) > 8 or (shape == "arc") != (kind == "arc"):
        return False
    across, along_it = along[0] * ahead[1] - along[1] * ahead[0], along[0] * ahead[0] + along[1] * ahead[1]
    return shape == "arc" or (abs(across) < 0.25 and along_it >= 0)


def _arrow(
    action: Action, shape: str, at: Point, along: Point, across: float, length: float, beside: int
) -> tuple[list[Mark], Point, Point]:
    """A turning arrow, a straight one (with two heads for a moment), or its end seen along it.

    Also the point of its label, and the direction in which that stands best.
    """
    x, y = at
    if shape == "arc":
        radius = 8.0 + 0.18 * length + 5.0 * beside
        angles = np.linspace(-0.35 * pi, 1.05 * pi, 22)
        points = [(x + radius * float(np.cos(a)), y + radius * float(np.sin(a))) for a in angles]
        return curved_arrow(points if across > 0 else points[::-1], action.role, 7.0), points[8], (0.3, 1.0)
    seen = hypot(*along)
    if seen < END_ON:
        return end_on((x + 10.0 * beside, y), across > 0, action.role, 5.0), at, (1.0, 1.0)
    x, y = x - 5.0 * beside * along[1] / seen, y + 5.0 * beside * along[0] / seen
    end = x + length * along[0], y + length * along[1]
    return arrow((x, y), end, action.role, heads=1 if shape == "force" else 2, head=7.0), end, along


def _array(v: Vector[float]) -> Array:
    return np.array([*v])
