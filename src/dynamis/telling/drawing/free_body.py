"""The free body of a link: the five groups of forces and moments that keep it in dynamic equilibrium.

At the CoM C_i its weight m_i g, the external loads reduced to it, and the inertial force -m_i a_Ci and moment
-(I w' + w x I w); at the joint P_i the reaction of the previous link; at the joint of each next link the opposite of
what this link exerts on it. All of them together are zero, forces and moments about C_i (d'Alembert).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.base.printable import in_a_line
from dynamis.compute.quantities.arguments import Gravity
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.telling.blocks import Column, Table
from dynamis.telling.drawing.draw import Setting, caption, setting
from dynamis.telling.drawing.drawing import Drawing
from dynamis.telling.drawing.forces import KINDS, NEGLIGIBLE_SHARE, Action, draw_actions, load_actions
from dynamis.telling.drawing.linkage import draw_gravity
from dynamis.telling.drawing.places import distance
from dynamis.telling.drawing.scheme import Limb
from dynamis.telling.drawing.sketch import Sketch, hull
from dynamis.telling.drawing.symbols import centre_of_mass
from dynamis.telling.pictures.picture import Circle, Path, Role
from dynamis.telling.pictures.text import Sign, Text, plain_text

LINK_SIZE = 150.0
"""Of a link on the page [pt]."""
OUTLINE_RADIUS = 13.0
"""Radius of the outline about the lines of a link [pt]."""


def free_body(
    robot: RobotModel, link: str, q: ArrayLike | None = None, qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None, *, loads: Sequence[Load] = (), gravity: Gravity = True,
) -> Drawing:  # fmt: skip
    """The free body of a link; see `Robot.free_body`."""
    number = robot.links.index(robot.link(link)) + 1
    given = setting(robot, q, qd, qdd, loads, gravity)
    limb = given.scheme.limbs[number - 1]
    groups = forces(given, limb)
    ends = [limb.point, limb.origin, limb.com, *given.scheme.ends(number)]
    sketch = given.sketch(np.array(ends), LINK_SIZE)
    _draw_body(sketch, given, limb)
    draw_actions(sketch, [action for _, actions in groups for action in actions])
    draw_gravity(sketch, np.array([*given.gravity]))
    title = f"{in_a_line(robot.name)}: free body of link {number}"
    title += "" if link == f"link{number}" else f" ({in_a_line(link)})"
    largest = {kind: max(a.size for _, actions in groups for a in actions if a.kind == kind) for kind in KINDS}
    still = [name for name, actions in groups if all(a.size <= NEGLIGIBLE_SHARE * largest[a.kind] for a in actions)]
    rest = f" Zero here: {', '.join(still)}." if still else ""
    return Drawing(robot.name, "free body", sketch.picture(f"{title}{caption(given, True)}{rest}"), _table(groups))


def forces(given: Setting, limb: Limb) -> list[tuple[str, list[Action]]]:
    """The five groups, in the base frame: (name, force and moment at their point); together they are zero."""
    i = str(limb.number)
    dynamics = given.dynamics()
    net = given.m.of_links(dynamics.net)[limb.number - 1]
    gravity = np.array([*given.gravity])
    # Newton-Euler has gravity in the acceleration: F = m (a - g).
    accelerated = limb.R @ np.array([*net.force]) + limb.mass * gravity
    turned = limb.R @ np.array([*net.moment])
    force, moment = np.zeros(3), np.zeros(3)
    for name, kind, at, vector in load_actions(given.robot, given.m, given.state, given.loads):
        if name == limb.link.name:
            force = force + (vector if kind == "force" else 0.0)
            moment = moment + (np.cross(at - limb.com, vector) if kind == "force" else vector)
    wrenches = given.m.of_links(dynamics.wrenches)

    def reaction(other: Limb, sign: float, role: Role) -> list[Action]:
        wrench, pair = wrenches[other.number - 1], f"{other.number}/{other.parent}"
        minus: Text = ("−",) if sign < 0 else ()
        rows = (("F", "force", wrench.force), ("M", "moment", wrench.moment))
        return [
            Action((*minus, Sign(letter, pair, bold=True)), kind, other.point, sign * (other.R @ np.array([*v])), role)
            for letter, kind, v in rows
        ]

    def at_com(words: tuple[Text, Text], vectors: tuple[Array, Array], role: Role) -> list[Action]:
        pairs = zip(words, ("force", "moment"), vectors, strict=True)
        return [Action(text, kind, limb.com, vector, role) for text, kind, vector in pairs]

    omega, inertia = Sign("omega", i, bold=False), Sign("I", f"C{i}", bold=True)
    inertial: tuple[Text, Text] = (
        ("−", Sign("m", i), " ", Sign("a", f"C{i}", bold=True)),
        ("−(", inertia, " ", Sign("omega", i), "′ + ", omega, " × ", inertia, " ", omega, ")"),
    )
    weight = Action((Sign("m", i), " ", Sign("g", bold=True)), "force", limb.com, limb.mass * gravity, "gravity")
    loads = ((Sign("F", f"C{i}", "ext", True),), (Sign("M", f"C{i}", "ext", True),))
    nexts = [
        action for child in given.scheme.children(limb.number) for action in reaction(child, -1.0, "next reaction")
    ]
    return [
        ("weight", [weight]),
        ("external loads", at_com(loads, (force, moment), "load")),
        ("reaction of the previous link", reaction(limb, 1.0, "reaction")),
        ("reactions of the next links", nexts),
        ("inertia", at_com(inertial, (-accelerated, -turned), "inertia")),
    ]


def _draw_body(sketch: Sketch, given: Setting, limb: Limb) -> None:
    """The outline of the link, its joints P_i and Q_i, and its CoM."""
    number = limb.number
    children = given.scheme.children(number)
    legs = [*limb.body, *(leg for child in children for leg in child.way)]
    legs += given.scheme.tool if given.scheme.tool_number == number else ()
    pieces = [(leg.start, leg.end) for leg in legs]
    if all(distance(limb.com, *piece) * sketch.scale > OUTLINE_RADIUS for piece in pieces):
        pieces.append((limb.point, limb.com))  # a body holds its CoM
    outlines = [hull([p for end in piece for p in _round(sketch, end)]) for piece in pieces]
    # First all outlines, then all insides: the pieces grow together to one body.
    sketch.add("ground", None, *(Path(outline, "body", True, "tint") for outline in outlines))
    sketch.add("line", None, *(Path(outline, "body", True, "tint", stroke=False) for outline in outlines))
    i = str(number)
    sketch.add("joint", None, Circle(sketch.at(limb.point), 2.4, "joint"))
    sketch.label((Sign("P", i),), sketch.at(limb.point), "name", None, 4.0, 1)
    names: dict[tuple[float, float], list[str]] = {}
    for child in children:
        names.setdefault(sketch.at(child.point), []).append(str(child.number))
    for at, numbers in names.items():
        sketch.add("joint", None, Circle(at, 2.4, "joint"))
        sketch.label((Sign("P", ",".join(numbers)),), at, "name", None, 4.0, 1)
    at = centre_of_mass(sketch, limb.com)
    sketch.label((Sign("C", i),), at, "CoM", None, 5.0, 1)


def _round(sketch: Sketch, point: Array) -> list[tuple[float, float]]:
    x, y = sketch.at(point)
    angles = np.linspace(0.0, 2 * np.pi, 25)[:-1]
    return [(x + OUTLINE_RADIUS * float(np.cos(a)), y + OUTLINE_RADIUS * float(np.sin(a))) for a in angles]


def _table(groups: Sequence[tuple[str, list[Action]]]) -> Table:
    """Every force and moment by its components in the base frame, and their sum, moments about the CoM."""
    rows: list[tuple[str | float, ...]] = []
    for name, actions in groups:
        for k, action in enumerate(actions):
            unit = "N" if action.kind == "force" else "N m"
            rows.append((name if k == 0 else "", plain_text(action.text), *map(float, action.vector), unit))
    com = groups[0][1][0].at
    total = {"force": np.zeros(3), "moment": np.zeros(3)}
    for action in (action for _, actions in groups for action in actions):
        total[action.kind] = total[action.kind] + action.vector
        if action.kind == "force":
            total["moment"] = total["moment"] + np.cross(action.at - com, action.vector)
    rows.append(("sum", "forces", *map(float, total["force"]), "N"))
    rows.append(("", "moments about the CoM", *map(float, total["moment"]), "N m"))
    columns = [Column("group"), Column("symbol"), *(Column(axis, form="fixed") for axis in "xyz"), Column("unit")]
    return Table(tuple(columns), tuple(rows), keys=2)
