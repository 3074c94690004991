"""Frames and dimensions: axes x_i, y_i, z_i at their origins, lengths beside their links, twists alpha_i."""

from __future__ import annotations

from math import degrees, dist

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.expressions.expression import ZERO, Expression, multiple_of_pi
from dynamis.base.numbers import short
from dynamis.model.dh_frames import dh_name
from dynamis.model.link import Link
from dynamis.scalars.floats import Floats, number
from dynamis.telling.drawing.scheme import Leg, Scheme
from dynamis.telling.drawing.sketch import Sketch
from dynamis.telling.pictures.picture import Path, Point, Role, arrow
from dynamis.telling.pictures.text import Sign, Text, expression_text

FLAT_AXIS, LONG_AXIS = 27.0, 36.0
"""The length of the axis of a frame, in a flat and in an axonometric drawing [pt]."""
MIN_LABELLED_LENGTH = 6.0
"""An axis or a leg that is shorter than this on the page has no label [pt]."""
COM_CLEARANCE = 14.0
"""From a CoM to the label of a length [pt]."""
DIMENSION_OFFSET = 15.0
"""From a link to the dimension of its CoM [pt]."""
TWIST_RADIUS = 24.0
"""Radius of the arc of a twist [pt]."""


def draw_frames(sketch: Sketch, scheme: Scheme) -> None:
    """The axes of the base and of all links; axes that are one have one arrow with both names."""
    frames = [(0, np.zeros(3), np.eye(3)), *((limb.number, limb.origin, limb.R) for limb in scheme.limbs)]
    drawn: list[tuple[Array, Array, Role, list[str]]] = []
    for index, origin, R in frames:
        for k, role in enumerate(("x", "y", "z")):
            across = abs(float(sketch.page[2] @ R[:, k])) > 0.99
            if across or (role == "y" and index and not _plane(sketch, R)):
                continue
            for other, direction, kind, names in drawn:
                same = np.linalg.norm(other - origin) * sketch.scale < 0.5 and direction @ R[:, k] > 1 - 1e-9
                if same and kind == role:
                    names.append(str(index))
                    break
            else:
                drawn.append((origin, R[:, k], role, [str(index)]))
    for origin, direction, role, names in drawn:
        start, end = (
            sketch.at(origin),
            sketch.at(sketch.shifted(origin, direction, FLAT_AXIS if sketch.flat else LONG_AXIS)),
        )
        if np.hypot(end[0] - start[0], end[1] - start[1]) < MIN_LABELLED_LENGTH:
            continue
        sketch.add("frame", origin, *arrow(start, end, role, head=4.5))
        parts = [part for name in names for part in (", ", Sign(role, name))][1:]
        sketch.label(tuple(parts), end, role, sketch.along(direction), 2.0, 2)


def _plane(sketch: Sketch, R: Array) -> bool:
    """Whether z goes to the reader or away, so that x and y are drawn; else x and z are."""
    return abs(float(sketch.page[2] @ R[:, 2])) > 0.99


def draw_lengths(sketch: Sketch, scheme: Scheme) -> None:
    """The length of every straight piece of a link beside it, with its D-H name where there is one."""
    coms = [sketch.at(limb.com) for limb in scheme.limbs if not limb.massless]
    legs = [*(leg for limb in scheme.limbs for leg in (*limb.way, *limb.body)), *scheme.tool]
    for leg in legs:
        text = _length(leg)
        (x0, y0), (x1, y1) = sketch.at(leg.start), sketch.at(leg.end)
        if text and np.hypot(x1 - x0, y1 - y0) >= MIN_LABELLED_LENGTH:
            away: Point = (y0 - y1, x1 - x0) if x1 >= x0 else (y1 - y0, x0 - x1)
            # Beside a CoM in the middle of a link there is no room for its length.
            spots = [(x0 + share * (x1 - x0), y0 + share * (y1 - y0)) for share in (0.5, 0.7, 0.3)]
            at = next((spot for spot in spots if all(dist(spot, com) > COM_CLEARANCE for com in coms)), spots[0])
            sketch.label(text, at, "dimension", away, 4.0, 3)


def _length(leg: Leg) -> Text:
    """`a_2`, `a_2 = 0.43`, or the expression alone without D-H names; a plain number has no symbol to show."""
    if leg.amount is None:
        return ()
    own: Text = (Sign(leg.letter, leg.number),) if leg.letter else ()
    if not leg.amount.parameters():
        value = number(leg.amount, {})
        return (*own, f" = {short(value)}") if own and value is not None else own
    text = expression_text(str(leg.amount) if own else str(leg.amount).removeprefix("-"))
    return text if not own or text == own else (*own, " = ", *text)


def draw_com_distances(sketch: Sketch, scheme: Scheme) -> None:
    """How far a CoM is from its joint, as a dimension beside the link, where that is a symbol: l_c1."""
    for limb in scheme.limbs:
        amount = _com_distance(limb.link)
        (x0, y0), (x1, y1) = sketch.at(limb.point), sketch.at(limb.com)
        length = dist((x0, y0), (x1, y1))
        if not amount or length < 3 * MIN_LABELLED_LENGTH:
            continue
        # On the side where the arc of the joint angle is not.
        side = -1.0 if limb.q * float(limb.axis @ sketch.page[2]) < 0 else 1.0
        nx, ny = side * (y0 - y1) / length, side * (x1 - x0) / length
        start, end = ((x + DIMENSION_OFFSET * nx, y + DIMENSION_OFFSET * ny) for x, y in ((x0, y0), (x1, y1)))
        for (x, y), (u, v) in (((x0, y0), start), ((x1, y1), end)):
            sketch.add("line", None, Path(((x, y), (u + 3 * nx, v + 3 * ny)), "dimension"))
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        sketch.add(
            "line", None, *arrow(middle, start, "dimension", head=4.0), *arrow(middle, end, "dimension", head=4.0)
        )
        sketch.label(expression_text(amount), middle, "dimension", (nx, ny), 2.0, 3)


def _com_distance(link: Link) -> str:
    """The parameter that is the distance of a CoM along one axis of its link; empty where it is something else.

    In standard D-H frames the CoM is given from the end of the link: -l1 + d1 there is d1 from the joint.
    """
    entries = [entry for entry in link.com if entry != ZERO]
    steps = link.joint.after.steps
    if len(entries) != 1 or len(steps) > 1 or any(step.kind == "R" for step in steps):
        return ""
    text = str(entries[0]).removeprefix(f"-{steps[0].amount} + " if steps else "-")
    return text if [text] == list(entries[0].parameters() - (steps[0].amount.parameters() if steps else set())) else ""


def draw_twists(sketch: Sketch, scheme: Scheme, scalars: Floats) -> None:
    """The twist alpha between the z axes of D-H frames, as an arc about x."""
    origins = {0: (np.zeros(3), np.eye(3)), **{limb.number: (limb.origin, limb.R) for limb in scheme.limbs}}
    standard = scheme.convention == "standard"
    for limb in scheme.limbs:
        for step in (limb.link.joint.after if standard else limb.link.joint.before).steps:
            if step.kind != "R" or step.axis != "x":
                continue
            centre, axes = origins[limb.number if standard else limb.parent]
            first = limb.axis if standard else axes[:, 2]
            angle = number(step.amount, scalars.values, scheme.robot.name)
            if not angle:
                continue
            aside = np.cross(axes[:, 0], first)
            turns = angle * np.linspace(0.0, 1.0, 12)
            arc = [sketch.shifted(centre, np.cos(t) * first + np.sin(t) * aside, TWIST_RADIUS) for t in turns]
            seen = [sketch.at(point) for point in arc]
            spread = max(np.hypot(a[0] - b[0], a[1] - b[1]) for a in seen for b in (seen[0], seen[-1]))
            if spread < MIN_LABELLED_LENGTH:
                continue
            line = Path((sketch.at(centre), sketch.at(sketch.shifted(centre, first, TWIST_RADIUS + 5))), "construction")
            sketch.add("frame", centre, line, *sketch.turn_arrow(arc, "dimension"))
            x, y = sketch.at(centre)
            away = seen[6][0] - x, seen[6][1] - y
            name = dh_name(scheme.convention, step, limb.number)
            sketch.label((Sign(*name), *_angle(step.amount)), seen[6], "dimension", away, 2.0, 3)


def _angle(amount: Expression) -> Text:
    """` = −90°`, or the symbol of an angle."""
    turn, value = multiple_of_pi(amount, {}), number(amount, {})
    if turn is None and value is None:
        return " = ", *expression_text(str(amount))
    return (f" = {short(float(180 * turn) if turn is not None else degrees(value or 0.0))}°".replace("-", "−"),)
