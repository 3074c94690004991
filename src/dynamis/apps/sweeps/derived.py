"""Values that a sweep derives from the quantities of the engine, in the scalars of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from dynamis.base.errors import ArgumentError, DynamisError
from dynamis.compute.mechanics.coupling import coordinates_of
from dynamis.compute.mechanics.dynamics.reactions import BEARING, UNITS
from dynamis.compute.mechanics.efficient.operational_space import ROWS, operational_space
from dynamis.compute.mechanics.kinematics.poses import frame_pose
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate

Value = tuple[str, str, Any]
"""Name, unit and scalar."""
TOOL = ("tool.x", "tool.y", "tool.z", "tool.radius", "tool.distance")
"""Where the tool is: coordinates in the base frame, the distance from its z axis, the distance from its origin [m]."""
ZERO_DIVISOR = 1e-300
"""In the place of a divisor of 0."""
RELATIVE_ROUNDING = 1e-12
"""Beside the size of an arm and of what pulls at its tool: less is the rounding of a zero."""
CARRIED = ("axial", "radial", "tilting")
"""The loads of a bearing that a catalogue asks for."""


def tool_variable(at: RobotAtState, name: str) -> Any:
    """One of `TOOL`."""
    p, scalars = frame_pose(at.poses, at.place("tool")).p, at.m.scalars
    if name == "tool.radius":
        return scalars.sqrt(p.x * p.x + p.y * p.y)
    if name == "tool.distance":
        return scalars.sqrt(p.x * p.x + p.y * p.y + p.z * p.z)
    return getattr(p, name[-1])


def efforts(at: RobotAtState, what: str) -> list[Any]:
    """The largest torque or force of every joint, which the robot must give; of the parameters of the state."""
    robot = at.robot
    if unknown := [x.name for x in robot.coordinates if x.limits.effort is None]:
        raise ArgumentError(f'{what} needs limits of effort, which robot "{robot.name}" lacks for {", ".join(unknown)}')
    return [evaluate(x.limits.effort, at.m.scalars) for x in robot.coordinates if x.limits.effort is not None]


def _power(at: RobotAtState) -> list[Value]:
    qd = coordinates_of(at.m.coupling, at.state.qd)
    rates = zip(at.robot.coordinates, at.torques(), qd, strict=True)
    return [(x.name, "W", tau * qd) for x, tau, qd in rates]


def _effort_ratio(at: RobotAtState) -> list[Value]:
    torques = zip(at.robot.coordinates, at.torques(), efforts(at, "effort_ratio"), strict=True)
    return [(x.name, "", tau * (1.0 / effort)) for x, tau, effort in torques]


def _worst_effort_ratio(at: RobotAtState) -> list[Value]:
    """The largest |tau| / effort of all joints: up to 1 the motors can hold the state."""
    greatest = at.m.scalars.greatest
    sizes = [_size(at, ratio) for _, _, ratio in _effort_ratio(at)]
    return [("worst_effort_ratio", "", reduce(greatest, sizes))]


def _largest_payload(at: RobotAtState) -> list[Value]:
    """The heaviest point mass at the tool that no joint's effort forbids in this state; negative where none is.

    It pulls with g - a, so that every joint has its torque J^T (a - g) per kg and gives a greatest mass, and a least
    one where it is beyond its effort without any. No mass will do where the least of one is above that of another.
    """
    scalars, most_effort = at.m.scalars, efforts(at, "largest_payload")
    (J,), motion = QUANTITIES["jacobian"].of(at, frame="tool"), QUANTITIES["frame_motion"].of(at, frame="tool")
    pull = [a - g for a, g in zip(motion[2], at.m.gravity, strict=True)]
    unfelt = _unfelt(at, pull)
    values, needed = list[Value](), list[Any]()
    for k, (x, tau, effort) in enumerate(zip(at.robot.coordinates, at.torques(), most_effort, strict=True)):
        slope = sum((row[k] * f for row, f in zip(J[:3], pull, strict=True)), 0.0)
        if _is_zero(slope) or k in unfelt:
            needed.append((_size(at, tau) - effort) * (1.0 / ZERO_DIVISOR))
            continue
        toward = scalars.sign(slope + ZERO_DIVISOR) * tau
        values.append((x.name, "kg", (effort - toward) / _divisor(at, slope)))
        needed.append((-effort - toward) / _divisor(at, slope))
    if not values:
        raise ArgumentError(f'no joint of robot "{at.robot.name}" feels a payload in any state')
    most = reduce(scalars.least, (value for _, _, value in values))
    lacking = scalars.least(most - reduce(scalars.greatest, needed), 0.0)
    payload = most * (scalars.sign(lacking) + 1.0) + lacking
    return [("payload", "kg", payload), *((f"payload.{name}", unit, value) for name, unit, value in values)]


def _unfelt(at: RobotAtState, pull: Sequence[Any]) -> set[int]:
    """The joints that feel no payload in any state: what they feel at random ones is the rounding of a zero.

    Their axes go through the tool, or are along the pull; what of the robot and of the pull is swept is random.
    """
    rng, robot = np.random.default_rng(1), at.robot
    inputs = {name: float(rng.uniform(0.4, 0.9)) for name in getattr(at.m.scalars, "inputs", ())}
    values = {name: value for name, value in robot.values.items() if name not in inputs}
    try:
        m = mechanism(robot, Floats(values, robot.name, inputs))
    except (DynamisError, ArithmeticError):
        return set()
    felt = np.zeros(robot.n, dtype=np.bool_)
    for q in rng.uniform(-2, 2, (3, robot.n)):
        x = RobotAtState(robot, m, state_at(m, q.tolist()))
        ((J,), p) = QUANTITIES["jacobian"].of(x, frame="tool"), frame_pose(x.poses, x.place("tool")).p
        force = np.array([f if isinstance(f, float) else rng.uniform(1, 2) for f in pull])
        size = (np.abs(J).sum() + np.abs([*p]).sum()) * np.linalg.norm(force)
        felt |= np.abs(np.array(J)[:3].T @ force) > RELATIVE_ROUNDING * size
    return set(np.flatnonzero(~felt).tolist())


def _acceleration_ability(at: RobotAtState) -> list[Value]:
    """How fast each joint alone can accelerate, either way, before the effort of any joint forbids it.

    With M and the torques tau of the state, joint k has min_i (effort_i - |tau_i|) / |M_ik|; negative where the state
    itself is beyond an effort.
    """
    left, M = _remaining_efforts(at, "acceleration_ability"), at.mass_matrix()
    values = list[Value]()
    for k, x in enumerate(at.robot.coordinates):
        bounds = [left[i] / _divisor(at, M[i][k]) for i in range(at.robot.n) if not _is_zero(M[i][k])]
        values.append((x.name, "rad/s^2" if x.revolute else "m/s^2", reduce(at.m.scalars.least, bounds)))
    return values


def _tool_acceleration(at: RobotAtState) -> list[Value]:
    """The acceleration [m/s^2] that the tool can have in every direction, beyond that of the state.

    An acceleration a takes the torques J^T Lambda a, so that the radius is the least of
    (effort_i - |tau_i|) / |(J^T Lambda)_i|. Directions that the tool cannot take in any state, such as across the plane
    of a planar arm, do not count. Source: T. J. Graettinger and B. H. Krogh, The acceleration radius, IEEE J. Robotics
    and Automation 4(1), 1988, there for square J.
    """
    left = _remaining_efforts(at, "tool_acceleration")
    (J,) = QUANTITIES["jacobian"].of(at, frame="tool")
    rows = [k for k in range(3) if not all(map(_is_zero, J[k]))]
    space = operational_space(at.m, at.state, at.place("tool"), " ".join(ROWS[k] for k in rows))
    Lambda = space.inertia()
    bounds = list[Any]()
    for i in range(at.robot.n):
        column = [J[r][i] for r in rows]
        force = [sum((a * b for a, b in zip(column, row, strict=True)), 0.0) for row in Lambda]
        if not all(map(_is_zero, force)):
            bounds.append(left[i] / at.m.scalars.sqrt(sum((x * x for x in force), 0.0)))
    return [("tool_acceleration", "m/s^2", reduce(at.m.scalars.least, bounds))]


def _bearing_load(at: RobotAtState) -> list[Value]:
    """Axial and radial force and tilting moment at every joint."""
    (rows,) = QUANTITIES["bearing_loads"].of(at)
    places = [next(k for k, name in enumerate(BEARING) if name.startswith(word)) for word in CARRIED]
    return [
        (f"{link.joint.name}.{word}", UNITS[k], row[k])
        for link, row in zip(at.robot.links, rows, strict=True)
        if link.joint.moves
        for word, k in zip(CARRIED, places, strict=True)
    ]


def _manipulability(at: RobotAtState) -> list[Value]:
    """Yoshikawa's: the root of det(J J^T) of the tool's velocity, or of det(J^T J) with fewer joints than rows."""
    (J,) = QUANTITIES["jacobian"].of(at, frame="tool")
    rows = [row for row in J if not all(map(_is_zero, row))]
    a, b = (rows, rows) if len(rows) <= at.robot.n else (list(zip(*rows, strict=True)),) * 2
    gram = [[sum((x * y for x, y in zip(p, r, strict=True)), 0.0) for r in b] for p in a]
    scalars, product = at.m.scalars, 1.0
    for k, pivot_row in enumerate(gram):  # Gauss: the product of the pivots, which are not negative
        pivot = pivot_row[k]
        product = product * pivot
        for i in range(k + 1, len(gram)):
            factor = gram[i][k] / scalars.greatest(pivot, 1e-300)  # a pivot of 0 has zeros below it
            gram[i] = [x - factor * y for x, y in zip(gram[i], pivot_row, strict=True)]
    return [("manipulability", "", scalars.sqrt(scalars.greatest(product, 0.0)))]


def _tool(at: RobotAtState) -> list[Value]:
    return [(name, "m", tool_variable(at, name)) for name in TOOL]


def _remaining_efforts(at: RobotAtState, what: str) -> list[Any]:
    """What is left of every effort in the state."""
    return [effort - _size(at, tau) for effort, tau in zip(efforts(at, what), at.torques(), strict=True)]


def _size(at: RobotAtState, x: Any) -> Any:
    return at.m.scalars.greatest(x, -x)


def _divisor(at: RobotAtState, x: Any) -> Any:
    """|x| where it is not 0: the size of -0.0 would turn a bound of infinity around."""
    return at.m.scalars.greatest(_size(at, x), ZERO_DIVISOR)


def _is_zero(x: Any) -> bool:
    return isinstance(x, float) and x == 0.0


DERIVED: Mapping[str, Callable[[RobotAtState], Sequence[Value]]] = {
    "power": _power,
    "effort_ratio": _effort_ratio,
    "worst_effort_ratio": _worst_effort_ratio,
    "largest_payload": _largest_payload,
    "acceleration_ability": _acceleration_ability,
    "tool_acceleration": _tool_acceleration,
    "bearing_load": _bearing_load,
    "manipulability": _manipulability,
    "tool": _tool,
}
"""By name."""
