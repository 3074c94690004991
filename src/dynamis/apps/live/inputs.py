"""What can be moved in a live page: positions, velocities, accelerations, payload, masses, lengths, gravity."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, pi

import numpy as np

from dynamis.apps.exports.exported import PAYLOAD
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import Number
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.compute.program.quantity_program import LINK_FIELDS, parameter_value
from dynamis.compute.quantities.arguments import Gravity
from dynamis.model.checks import warned_already
from dynamis.model.joint_limits import joint_limits
from dynamis.model.map_expressions import Site, expressions_in
from dynamis.model.placement import Step
from dynamis.model.symbolic import symbolic
from dynamis.robot import Robot
from dynamis.telling.drawing.numbers import free_numbers

GROUPS = ("payload", "masses", "lengths", "gravity", "other parameters")
"""Sliders besides those of the joints, in the order of the page."""
MAX_SPEED, MAX_ACCELERATION, MAX_GRAVITY = 3.0, 10.0, 20.0
"""Ends of the sliders [rad/s or m/s], [rad/s^2 or m/s^2], [m/s^2]; the speed where the robot says nothing."""
PAYLOAD_INERTIA = tuple(f"payload.{field}" for field in LINK_FIELDS if field.startswith("inertia"))


@dataclass(frozen=True)
class Slider:
    """A number that can be moved: its name in the model, its meaning, its unit, its value and its ends."""

    name: str
    meaning: str
    unit: str
    value: float
    low: float
    high: float
    group: str = ""


@dataclass(frozen=True)
class Inputs:
    """A robot whose masses, lengths and payload are parameters, and the sliders."""

    robot: Robot
    q: tuple[Slider, ...]
    qd: tuple[Slider, ...]
    qdd: tuple[Slider, ...]
    parameters: tuple[Slider, ...]
    """In the order of the operand "parameters" of the model."""
    gravity: tuple[Slider, ...]
    stand_ins: tuple[str, ...]
    """The parameters that have no value in the file, and have one here."""


def inputs(robot: Robot, q: Array, gravity: Gravity = True) -> Inputs:
    """The sliders of a robot, which start in the posture `q`; `gravity` as in the verbs of `Robot`."""
    free = free_numbers(robot)
    with warned_already():
        robot = with_symbols(with_payload(robot.with_values(**free)))
    names = [name for name in robot.parameters if name in robot.used_parameters() and name != "gravity"]
    weight = {name for x in robot.gravity for name in x.parameters()}
    uses = _uses(robot)
    held = any(link.name == "payload" for link in robot.links)
    sliders = [_parameter(robot, name, uses[name]) for name in names if name not in weight or uses[name] - {"other"}]
    sliders += [_payload(robot, name) for name in (*PAYLOAD, *PAYLOAD_INERTIA) if held]
    own = mechanism(robot, robot.floats()).gravity
    pull = [float(x) for x in (own if gravity is True else (0, 0, 0) if gravity is False else gravity)]
    pulls = (
        Slider(f"gravity.{axis}", f"gravity along {axis}", "m/s²", x, -MAX_GRAVITY, MAX_GRAVITY, "gravity")
        for axis, x in zip("xyz", pull, strict=True)
    )
    positions, speeds, accelerations = _states(robot, q)
    return Inputs(robot, positions, speeds, accelerations, tuple(sliders), tuple(pulls), tuple(free))


def with_symbols(robot: Robot) -> Robot:
    """The robot with a parameter for each mass and each length of a joint that is a plain number."""

    def movable(site: Site) -> bool:
        return isinstance(site.expression, Number) and (site.inertial[1] == "mass" or not site.inertial[1])

    symbols = symbolic(robot, only=movable)
    taken = [name for name in robot.parameters if str(symbols.values.get(name)) != str(robot.values.get(name))]
    return robot if taken else symbols


def with_payload(robot: Robot) -> Robot:
    """The robot with a payload without mass at its tool; as it is where it has one, or several tips and no tool."""
    if any(link.name == "payload" for link in robot.links):
        return robot
    try:
        return robot.with_payload("0")
    except ArgumentError:
        return robot


def _states(robot: Robot, q: Array) -> list[tuple[Slider, ...]]:
    limits = joint_limits(robot)
    rows: list[tuple[Slider, ...]] = []
    for name, what, order in (("q", "position", ""), ("qd", "velocity", "/s"), ("qdd", "acceleration", "/s²")):
        row: list[Slider] = []
        for k, joint in enumerate(robot.coordinates):
            unit = f"{'rad' if joint.revolute else 'm'}{order}"
            speed = limits.velocity[k] if isfinite(limits.velocity[k]) else MAX_SPEED
            low, high = {
                "q": _positions(limits.lower[k], limits.upper[k], float(q[k]), joint.revolute),
                "qd": (-speed, speed), "qdd": (-MAX_ACCELERATION, MAX_ACCELERATION),
            }[name]  # fmt: skip
            value = float(q[k]) if name == "q" else 0.0
            own = "" if joint.name == f"q{k + 1}" else f" ({joint.name})"
            meaning = f"{what} of joint {k + 1}{own}"
            row.append(Slider(f"{name}{k + 1}", meaning, unit, value, float(low), float(high), name))
        rows.append(tuple(row))
    return rows


def _positions(lower: float, upper: float, q: float, revolute: bool) -> tuple[float, float]:
    """The limits, and where there are none a whole turn, or twice the length that is shown."""
    reach = pi if revolute else max(1.0, 2 * abs(q))
    low = lower if lower > -inf else min(-reach if revolute or upper < inf else 0.0, q)
    high = upper if upper < inf else max(reach, low + reach)
    return (max(low, -2 * pi), min(high, 2 * pi)) if revolute else (low, high)


def _uses(robot: Robot) -> dict[str, set[str]]:
    """What each parameter is used for: "mass", "length" or "other"."""
    uses: dict[str, set[str]] = {name: set() for name in robot.parameters}
    for site in expressions_in(robot):
        length = isinstance(site.owner, Step) and site.owner.kind == "T"
        kind = "mass" if site.inertial[1] == "mass" else "length" if length else "other"
        for name in site.parameters:
            if name in uses:
                uses[name].add(kind)
    return uses


def _parameter(robot: Robot, name: str, uses: set[str]) -> Slider:
    meaning, _, unit = robot.parameters[name].rpartition(" [")
    meaning, unit = (meaning, unit.rstrip("]")) if meaning else (robot.parameters[name], "")
    value = parameter_value(robot, name) or 0.0
    group = "masses" if "mass" in uses else "lengths" if "length" in uses else "other parameters"
    size = 2 * abs(value) or 1.0
    low, high = (-size, 0.0) if value < 0 else (0.0, size) if value > 0 or group == "masses" else (-size, size)
    return Slider(name, meaning, unit.replace("^2", "²"), value, low, high, group)


def _payload(robot: Robot, name: str) -> Slider:
    value = parameter_value(robot, name) or 0.0
    if name == "payload.mass":
        whole = sum(float(x) for x in (parameter_value(robot, f"{link.name}.mass") for link in robot.links) if x)
        return Slider(name, "mass of the payload", "kg", value, 0.0, max(_nice(whole / 3), 2 * value, 1.0), "payload")
    if name in PAYLOAD_INERTIA:
        return Slider(name, f"inertia of the payload, {name[-2:]}", "kg m²", value, 0.0, max(2 * value, 1.0))
    return Slider(name, f"CoM of the payload along {name[-1]}", "m", value, -0.5, 0.5, "payload")


def _nice(x: float) -> float:
    """1, 2 or 5 times a power of ten, at least x."""
    if not x > 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(x))
    return float(next(k * power for k in (1, 2, 5, 10) if k * power >= x))
