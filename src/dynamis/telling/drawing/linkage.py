"""The mechanism on the page: links as lines, joints as symbols, the ground, the tool, centres of mass."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import fmod, hypot, pi

import numpy as np

from dynamis.base.arrays import Array
from dynamis.model.coordinate import CoupledRow
from dynamis.model.robot import RobotModel
from dynamis.telling.drawing import symbols
from dynamis.telling.drawing.places import link_lines, nearest
from dynamis.telling.drawing.scheme import Leg, Limb, Scheme
from dynamis.telling.drawing.sketch import Sketch, curved_arrow
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.schools import as_notation
from dynamis.telling.pictures.picture import Circle, Path, Point, Role, arrow
from dynamis.telling.pictures.text import Sign, Text, expression_text, name_text
from dynamis.telling.symbols import gravity

SMALL_ANGLE = 0.07
"""A joint angle below this has no arc [rad]."""
PARALLEL_COSINE = 0.99
"""The cosine between lines that are taken for parallel."""
LINE_END_MARGIN = 7.0
"""How far from its ends a line interrupts others [pt]."""
SHARED_LABEL_DISTANCE = 8.0
"""Centres of mass nearer to each other than this share a label [pt]."""
MAX_COM_OFFSET = 6.0
"""A CoM farther from its link than this has a line to it [pt]."""
LONGEST_NAME = 8
"""Characters of a joint's name on the page; a longer one is replaced by q and its number."""


def draw_linkage(sketch: Sketch, scheme: Scheme, places: dict[int, Array]) -> None:
    """All links, joints, the ground and the tool."""
    for limb in scheme.limbs:
        _link(sketch, scheme, limb, places)
        joint = limb.link.joint
        if joint.revolute:
            symbols.revolute(sketch, places[limb.number], limb.axis)
        elif joint.moves:
            _line(sketch, [limb.start, limb.point], "rod")
            symbols.prismatic(sketch, places[limb.number], limb.axis)
        elif limb.way:
            sketch.add("link", limb.point, Circle(sketch.at(limb.point), 2.2, "link", "ink"))
    for child in scheme.children(0):
        _lines(sketch, child.way, "link")
        if child.number in places:
            _line(sketch, [child.start, places[child.number]], "link")
    for loop in scheme.loops:
        if loop.axis is None:
            sketch.add("joint", loop.point, Circle(sketch.at(loop.point), symbols.PIN_RADIUS, "joint"))
        else:
            symbols.revolute(sketch, loop.point, loop.axis)
    _ground(sketch, scheme)
    if scheme.tool_number:
        _lines(sketch, scheme.tool, "link")
        symbols.tool(sketch, scheme.tool_point, _approach(scheme))


def _link(sketch: Sketch, scheme: Scheme, limb: Limb, places: dict[int, Array]) -> None:
    """The lines of a link: from its symbol to the joint point, to its frame, to joints of children and of loops."""
    if limb.number in places and limb.link.joint.revolute:
        _line(sketch, [places[limb.number], limb.point], "link")
    role: Role = "rod" if limb.link.joint.kind == "prismatic" else "link"
    _lines(sketch, limb.body, role)
    children = scheme.children(limb.number)
    for child in children:
        _lines(sketch, child.way, role)
        if child.number in places:
            _line(sketch, [child.start, places[child.number]], role)
    for point in scheme.closings(limb.number):
        _line(sketch, [limb.point, point], role)
    if limb.massless:
        return
    if not limb.body and not scheme.ends(limb.number):
        _line(sketch, [limb.point, limb.com], role)
        return
    # A CoM beside its link hangs on it.
    foot = min((nearest(limb.com, *line) for line in link_lines(scheme, limb)), key=lambda p: _distance(p, limb.com))
    if _distance(foot, limb.com) * sketch.scale > MAX_COM_OFFSET:
        sketch.add("line", limb.com, Path((sketch.at(foot), sketch.at(limb.com)), "body"))


def _distance(a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b))


def _lines(sketch: Sketch, legs: Iterable[Leg], role: Role) -> None:
    for leg in legs:
        _line(sketch, [leg.start, leg.end], role)


def _line(sketch: Sketch, points: list[Array], role: Role) -> None:
    """A line, in pieces in an axonometric view: what is near hides what is far."""
    for a, b in pairwise(points):
        if np.all(np.abs(a - b) * sketch.scale < 0.05):
            continue
        line = Path((sketch.at(a), sketch.at(b)), role)
        # Away from its ends a line interrupts the lines behind it.
        share = LINE_END_MARGIN / max(float(np.linalg.norm(b - a)) * sketch.scale, 1e-9)
        halo = Path((sketch.at(a + share * (b - a)), sketch.at(b - share * (b - a))), "halo")
        sketch.add("link", (a + b) / 2, *([] if sketch.flat or share > 0.4 else [halo]), line)


def _ground(sketch: Sketch, scheme: Scheme) -> None:
    """Where the robot stands: under a pin, or across the first line that leaves the base."""
    for child in scheme.children(0):
        revolute = child.link.joint.revolute
        leaving = [leg.end - leg.start for leg in (*child.way, *(child.body if revolute else ()))]
        if sketch.flat and revolute and not child.way:
            symbols.pin_support(sketch, child.start)
            continue
        along = [child.axis * (-1.0 if child.q < 0 else 1.0)] if not revolute else []
        up = [-scheme.gravity] if np.linalg.norm(scheme.gravity) > 0 else []
        # A post stands on its mounting plane; other spatial robots stand on the floor.
        post = [
            leg for leg in leaving[:1] if sketch.flat or child.way or abs(child.axis @ _unit(leg)) > PARALLEL_COSINE
        ]
        normals = [*post, *along, *up] if sketch.flat else [*post, *up, *along, child.axis]
        normal = next((_unit(n) for n in normals if not sketch.flat or hypot(*sketch.along(_unit(n))) > 0.2), None)
        symbols.wall(sketch, np.zeros(3), sketch.page[1] if normal is None else normal)
        if not sketch.flat:
            return


def _unit(v: Array) -> Array:
    return v / np.linalg.norm(v)


def _approach(scheme: Scheme) -> Array:
    """Where the tool points: along the last line that leads to it, or its z axis."""
    number = scheme.tool_number or 0
    limb = scheme.limbs[number - 1]
    travel = [Leg(limb.start, limb.point)] if limb.link.joint.kind == "prismatic" else []
    for leg in reversed([*limb.way, *travel, *limb.body, *scheme.tool]):
        if np.any(leg.end != leg.start):
            return _unit(leg.end - leg.start)
    return scheme.tool_R[:, 2]


def draw_joint_variables(sketch: Sketch, scheme: Scheme, places: dict[int, Array]) -> None:
    """The joint variables: angles as arcs, displacements along their rods."""
    names = joint_texts(scheme)
    for limb in scheme.limbs:
        if not limb.link.joint.moves:
            continue
        text = names[limb.number]
        if limb.link.joint.revolute:
            at, away = _angle(sketch, scheme, limb) if sketch.flat else (None, None)
            if at is None:
                at = sketch.at(limb.point) if sketch.flat else symbols.turn(sketch, places[limb.number], limb.axis)
            sketch.label(
                text, at, "motion", away, gap=symbols.PIN_RADIUS + 3 if away is None and sketch.flat else 3.0, rank=1
            )
        else:
            at, away, gap = _travel(sketch, limb, places[limb.number])
            sketch.label(text, at, "motion", away, gap, rank=1)


def joint_texts(scheme: Scheme) -> dict[int, Text]:
    """The name of every joint variable by the number of its link; with what it follows for a coupled one."""
    robot = scheme.robot
    numbers = {joint.name: k for k, joint in enumerate(robot.joints, 1)}
    rows = dict(zip((joint.name for joint in robot.joints), robot.couplings, strict=True))
    short = {name: name if len(name) <= LONGEST_NAME else f"q{k}" for name, k in numbers.items()}
    texts: dict[int, Text] = {}
    for limb in scheme.limbs:
        joint = limb.link.joint
        if joint.moves:
            follows: Text = ()
            if joint.coupling:
                row: CoupledRow = rows[joint.name]
                follows = (" = ", *expression_text(row.text([short[c.name] for c in robot.coordinates])))
            texts[limb.number] = (*name_text(short[joint.name]), *follows)
    return texts


def renamed_symbols(robot: RobotModel, notation: str | Notation) -> dict[Sign, Sign]:
    """The symbols of coordinates, parameters and gravity that a notation writes otherwise."""
    school = as_notation(notation)
    numbers = {joint.name: k for k, joint in enumerate(robot.joints, 1)}
    pairs = [
        (name_text(joint.name if len(joint.name) <= LONGEST_NAME else f"q{numbers[joint.name]}"),
         school.joint(joint.name, numbers, prismatic=not joint.revolute))
        for joint in robot.joints
    ]  # fmt: skip
    pairs += [(name_text(name), school.parameter(name, others=robot.parameters)) for name in robot.parameters]
    signs = {text[0]: Sign(name.letter, name.subscript) for text, name in pairs if isinstance(text[0], Sign)}
    return {**signs, Sign("g", bold=True): Sign(school.letter(gravity), bold=True)}


def _angle(sketch: Sketch, scheme: Scheme, limb: Limb) -> tuple[Point | None, Point | None]:
    """The arc of a joint angle in a flat drawing, from where its link is at zero; the middle and its direction."""
    ahead = _outward(scheme, limb)
    if ahead is None or abs(limb.q) < SMALL_ANGLE:
        return None, None
    # Whole turns look like none.
    turn = float(np.sign(limb.axis @ sketch.page[2])) * fmod(limb.q, 2 * pi)
    ax, ay = sketch.along(ahead)
    start = np.arctan2(ay, ax) - turn
    x, y = sketch.at(limb.point)
    radius = 24.0
    angles = start + turn * np.linspace(0.0, 1.0, max(6, int(abs(turn) * 10)))
    sketch.add(
        "line", None, Path(((x, y), (x + 40 * float(np.cos(start)), y + 40 * float(np.sin(start)))), "construction")
    )
    arc = [(x + radius * float(np.cos(a)), y + radius * float(np.sin(a))) for a in angles]
    sketch.add("motion", None, *curved_arrow(arc, "motion"))
    middle = start + turn / 2
    away = float(np.cos(middle)), float(np.sin(middle))
    return (x + radius * away[0], y + radius * away[1]), away


def _outward(scheme: Scheme, limb: Limb) -> Array | None:
    """The direction of a link from its joint."""
    ends = [limb.origin, *scheme.ends(limb.number), limb.com]
    for end in ends:
        along = end - limb.point
        length = float(np.linalg.norm(along))
        if length > 1e-9:
            return along / length
    return limb.R[:, 0]


def _travel(sketch: Sketch, limb: Limb, place: Array) -> tuple[Point, Point | None, float]:
    """An arrow beside the rod of a prismatic joint, or nothing where it is short."""
    (x0, y0), (x1, y1) = sketch.at(limb.start), sketch.at(limb.point)
    length = hypot(x1 - x0, y1 - y0)
    if length < 14:
        return sketch.at(place), None, symbols.SLEEVE_HALF_LENGTH
    nx, ny = -(y1 - y0) / length * 11, (x1 - x0) / length * 11
    if ny < 0 or (ny == 0 and nx > 0):
        nx, ny = -nx, -ny
    start, end = (x0 + nx, y0 + ny), (x1 + nx, y1 + ny)
    ticks = (
        Path(((x0, y0), (x0 + 1.3 * nx, y0 + 1.3 * ny)), "dimension"),
        Path(((x1, y1), (x1 + 1.3 * nx, y1 + 1.3 * ny)), "dimension"),
    )
    sketch.add("motion", limb.point, *ticks, *arrow(start, end, "motion", head=5.0))
    return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), (nx, ny), 2.0


def draw_centres_of_mass(sketch: Sketch, scheme: Scheme, named: bool) -> None:
    """The centres of mass of all links that have mass."""
    names: list[tuple[Point, list[str]]] = []
    for limb in scheme.limbs:
        if not limb.massless:
            at = symbols.centre_of_mass(sketch, limb.com)
            near = next((own for (x, y), own in names if hypot(x - at[0], y - at[1]) < SHARED_LABEL_DISTANCE), None)
            if near is None:
                names.append((at, [str(limb.number)]))
            else:
                near.append(str(limb.number))
    for at, numbers in names if named else ():
        parts = [part for number in numbers for part in (", ", Sign("C", number))][1:]
        sketch.label(tuple(parts), at, "CoM", None, gap=5.0, rank=4)


def draw_gravity(sketch: Sketch, acceleration: Array) -> None:
    """The arrow of gravity, beside the drawing."""
    size = float(np.linalg.norm(acceleration))
    if size == 0:
        return
    xs, ys = zip(
        *(p for _, _, marks in sketch.layers for mark in marks for p in getattr(mark, "points", ())), strict=True
    )
    down = acceleration / size
    at = max(xs) + 26.0, max(ys)
    along = sketch.along(down)
    sketch.add("force", None, *symbols.gravity(at, along, float(sketch.page[2] @ down) > 0))
    sketch.label((Sign("g", bold=True),), (at[0] + 15 * along[0], at[1] + 15 * along[1]), "gravity", (1.0, 0.0), 4.0, 0)
