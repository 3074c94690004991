"""`Robot.draw`: the kinematic scheme of a robot at a state, with frames, dimensions, loads and reactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import degrees

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.base.numbers import short
from dynamis.base.printable import in_a_line
from dynamis.compute.mechanics.dynamics.applied_loads import applied_wrenches
from dynamis.compute.mechanics.dynamics.newton_euler import InverseDynamics, newton_euler
from dynamis.compute.mechanics.mechanism import Mechanism, State, mechanism, state_at
from dynamis.compute.quantities.arguments import Gravity, gravity_vector, joint_values
from dynamis.model.loads import Load, with_load_symbols
from dynamis.model.map_expressions import expressions_in, parameters_in
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats
from dynamis.scalars.vectors import Vector
from dynamis.telling.drawing.dimensions import draw_com_distances, draw_frames, draw_lengths, draw_twists
from dynamis.telling.drawing.drawing import Drawing
from dynamis.telling.drawing.forces import KINDS, Action, draw_actions, load_actions
from dynamis.telling.drawing.linkage import (
    LONGEST_NAME,
    draw_centres_of_mass,
    draw_gravity,
    draw_joint_variables,
    draw_linkage,
    renamed_symbols,
)
from dynamis.telling.drawing.numbers import floats, free_numbers
from dynamis.telling.drawing.places import symbol_places
from dynamis.telling.drawing.pose import pose
from dynamis.telling.drawing.scheme import Scheme, scheme
from dynamis.telling.drawing.sketch import Sketch
from dynamis.telling.drawing.view import View, view
from dynamis.telling.notation.notation import Notation
from dynamis.telling.pictures.text import Sign, Text

MOST_LINKS = 40
"""Links of a drawing: more cannot be told apart on a page."""
MAX_DISTANCE = 1e100
"""Squares of distances must not overflow [m]."""
MAX_DETAILED_LINKS = 8
"""Up to so many links have their frames and dimensions drawn, unless it is said otherwise."""


@dataclass(frozen=True)
class Setting:
    """A robot in a state with numbers for all that is drawn."""

    robot: RobotModel
    m: Mechanism[float]
    scalars: Floats
    state: State[float]
    q: Array
    chosen: Mapping[str, Fraction]
    """Numbers that the drawing chose."""
    gravity: Vector[float]
    loads: Sequence[Load]
    scheme: Scheme
    view: View

    def dynamics(self) -> InverseDynamics[float]:
        """Newton-Euler under the loads."""
        wrenches = applied_wrenches(self.robot, self.m, self.state, self.loads)
        return newton_euler(self.m, self.state, self.gravity, wrenches)

    def sketch(self, points: Array, size: float) -> Sketch:
        """An empty sheet on which these points of space take up to `size` [pt]."""
        page = self.view.page()
        width, height = (np.ptp(points @ page[:2].T, axis=0)) if len(points) else (0.0, 0.0)
        extent = max(float(width), (1.2 if self.view.flat else 0.9) * float(height))
        return Sketch(page, size / extent if extent > 0 else 100.0, self.view.flat)


def setting(
    robot: RobotModel, q: ArrayLike | None, qd: ArrayLike | None, qdd: ArrayLike | None, loads: Sequence[Load],
    gravity: Gravity,
) -> Setting:  # fmt: skip
    """The robot with numbers for its free parameters, at q or in a pose that shows it well."""
    if len(robot.links) > MOST_LINKS:
        raise ArgumentError(
            f'robot "{robot.name}" has {len(robot.links)} links; a drawing has room for {MOST_LINKS}', key="robot"
        )
    robot = with_load_symbols(robot, loads)
    chosen = free_numbers(robot, loads)
    scalars = floats(robot, chosen)
    m = mechanism(robot, scalars)
    rows = [None if x is None else _row(robot, name, x) for name, x in (("q", q), ("qd", qd), ("qdd", qdd))]
    at = pose(robot, m) if rows[0] is None else rows[0]
    state = state_at(m, at.tolist(), *(None if row is None else row.tolist() for row in rows[1:]))
    other = gravity_vector(gravity)
    figure = scheme(robot, m, state, scalars)
    points = figure.points()
    if not (np.abs(points) < MAX_DISTANCE).all():
        raise ArgumentError(f'robot "{robot.name}" has points beyond {MAX_DISTANCE:g} m at this q', key="q")
    acting = m.gravity if other is None else other
    return Setting(robot, m, scalars, state, at, chosen, acting, loads, figure, view(m, points))


def _row(robot: RobotModel, name: str, values: ArrayLike) -> Array:
    row = joint_values(name, values, robot)
    if row.ndim != 1:
        raise ArgumentError(f"{name} must be one state for a drawing, got shape {row.shape}", key=name)
    if not np.isfinite(row).all():
        raise ArgumentError(f"{name} must be finite for a drawing, got {literal(values)}", key=name)
    return row


def draw(
    robot: RobotModel, q: ArrayLike | None = None, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
    loads: Sequence[Load] = (), gravity: Gravity = True, reactions: bool = False, frames: bool | None = None,
    dimensions: bool | None = None, notation: str | Notation = "dynamis", name_centres: bool = True,
) -> Drawing:  # fmt: skip
    """The kinematic scheme; see `Robot.draw`. Without `name_centres` centres of mass have no labels."""
    given = setting(robot, q, qd, qdd, loads, gravity)
    plan = given.scheme
    detailed = len(robot.links) <= MAX_DETAILED_LINKS
    size = min(max(150.0 + 40.0 * len(robot.links), 220.0 if given.view.flat else 300.0), 430.0)
    sketch = replace(given.sketch(plan.points(), size), names=renamed_symbols(robot, notation))
    places = symbol_places(sketch, plan)
    draw_linkage(sketch, plan, places)
    draw_joint_variables(sketch, plan, places)
    if detailed if frames is None else frames:
        draw_frames(sketch, plan)
    if detailed if dimensions is None else dimensions:
        draw_lengths(sketch, plan)
        if sketch.flat:
            draw_com_distances(sketch, plan)
        elif plan.convention:
            draw_twists(sketch, plan, given.scalars)
    draw_centres_of_mass(sketch, plan, name_centres)
    draw_actions(sketch, _actions(given, reactions))
    draw_gravity(sketch, np.array([*given.gravity]))
    title = f"{in_a_line(robot.name)}: {'kinematic scheme' if sketch.flat else 'axonometric kinematic scheme'}"
    return Drawing(robot.name, "mechanism", sketch.picture(f"{title}{caption(given, reactions)}"))


def caption(given: Setting, forces: bool) -> str:
    """At which q, with which numbers, and which joints have which names.

    Masses and inertias that were chosen only matter where there are `forces`.
    """
    robot = given.robot
    shape = parameters_in((*((link.joint, link.com) for link in robot.links), robot.tool, *given.loads))
    pairs = zip(robot.coordinates, given.q.tolist(), strict=True)
    values = ", ".join(f"{degrees(x):.4g}°" if c.revolute else f"{x:.4g} m" for c, x in pairs)
    sentences = [f" at q = ({_minus(values)})." if values else "."]
    geometry = [f"{name} = {short(float(value))}" for name, value in given.chosen.items() if forces or name in shape]
    if geometry:
        sentences.append(f"Drawn with {_minus(', '.join(geometry))} for what has no value yet.")
    if robot.coupled:
        pairs = [" and ".join(_link_name(robot, k) for k in loop.links) for loop in given.scheme.loops]
        cut = f"Coupled joints keep {', '.join(pairs)} together where they meet; the model has no joint there."
        sentences.append(cut if pairs else "What couples the joints is not part of the model and not drawn.")
    long = [(k, joint.name) for k, joint in enumerate(robot.joints, 1) if len(joint.name) > LONGEST_NAME]
    if long:
        sentences.append(f"Joints: {', '.join(f'q{k} {in_a_line(name)}' for k, name in long)}.")
    return " ".join(sentences)


def _link_name(robot: RobotModel, number: int) -> str:
    return in_a_line(robot.links[number - 1].name if number else robot.base)


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _actions(given: Setting, reactions: bool) -> list[Action]:
    """The loads, and with `reactions` the wrench of every parent on its link."""
    actions: list[Action] = []
    rows = load_actions(given.robot, given.m, given.state, given.loads)
    symbols = {name for load in given.loads for site in expressions_in(load) for name in site.parameters}
    counts = {kind: sum(row[1] == kind for row in rows) for kind in KINDS}
    numbers: dict[str, int] = dict.fromkeys(KINDS, 0)
    for _, kind, at, vector in rows:
        numbers[kind] += 1
        index = str(numbers[kind]) if counts[kind] > 1 else ""
        unit = "N" if kind == "force" else "N m"
        text: Text = (Sign("F" if kind == "force" else "M", index, bold=True),)
        text += () if given.chosen.keys() & symbols else (f" = {_three(vector)} {unit}",)
        actions.append(Action(text, kind, at, vector, "load"))
    if reactions:
        solved = given.m.of_links(given.dynamics().wrenches)
        for limb, wrench in zip(given.scheme.limbs, solved, strict=True):
            pair = f"{limb.number}/{limb.parent}"
            for letter, kind, own in (("F", "force", wrench.force), ("M", "moment", wrench.moment)):
                vector = limb.R @ np.array([*own])
                actions.append(Action((Sign(letter, pair, bold=True),), kind, limb.point, vector, "reaction"))
    return actions


def _three(vector: Array) -> str:
    """The size of a vector in three digits."""
    return _minus(f"{float(np.linalg.norm(vector)):.3g}")
