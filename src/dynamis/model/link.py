"""Links and joints: a link, and the joint that carries it on its parent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from dynamis.errors import ArgumentError, ModelError, UnknownNameError
from dynamis.model.expression import ONE, ZERO, Call, Expression, Number
from dynamis.model.inertia import Inertia
from dynamis.model.parser import FUNCTIONS, NAME, as_expression
from dynamis.model.placement import IDENTITY, Placement, triple

Kind = Literal["revolute", "continuous", "prismatic", "fixed"]
KINDS: tuple[str, ...] = get_args(Kind)
Axis = tuple[Expression, Expression, Expression]
Z_AXIS: Axis = (ZERO, ZERO, ONE)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a joint can do: position [rad or m], velocity [rad/s or m/s], effort [N m or N]."""

    lower: Expression | None = None
    upper: Expression | None = None
    velocity: Expression | None = None
    effort: Expression | None = None

    @classmethod
    def of(cls, lower: Any = None, upper: Any = None, velocity: Any = None, effort: Any = None) -> Limits:
        """From numbers and expressions in quotes; None is no limit."""
        given = {"lower": lower, "upper": upper, "velocity": velocity, "effort": effort}
        return cls(**{k: None if v is None else as_expression(v, f"limits.{k}") for k, v in given.items()})

    def items(self) -> list[tuple[str, Expression]]:
        """The limits that are given, by name."""
        pairs = [("lower", self.lower), ("upper", self.upper), ("velocity", self.velocity), ("effort", self.effort)]
        return [(name, value) for name, value in pairs if value is not None]


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Joint:
    """How a link moves on its parent: T_parent_link(q) = before * motion(q) * after.

    The motion turns about (revolute, continuous) or slides along (prismatic) `axis`, a unit
    vector in the frame that `before` reaches. `after` is the identity except where a convention
    puts the link frame away from its joint (standard D-H).
    Friction: damping [N m s/rad or N s/m] and coulomb [N m or N]. The motor's `rotor_inertia`
    [kg m^2] counts `gear_ratio`^2 times at the joint.
    """

    name: str
    kind: Kind = "revolute"
    axis: Axis = Z_AXIS
    before: Placement = IDENTITY
    after: Placement = IDENTITY
    limits: Limits = NO_LIMITS
    damping: Expression = ZERO
    coulomb: Expression = ZERO
    gear_ratio: Expression = ONE
    rotor_inertia: Expression = ZERO

    def __post_init__(self) -> None:
        check_name("joint", self.name)
        if self.kind not in KINDS:
            raise UnknownNameError("joint kind", self.kind, KINDS, key="kind")

    @classmethod
    def of(
        cls, name: str, kind: Kind = "revolute", axis: Any = (0, 0, 1), before: Any = "", after: Any = "",
        limits: Limits | None = None, damping: Any = 0, coulomb: Any = 0, gear_ratio: Any = 1, rotor_inertia: Any = 0,
    ) -> Joint:  # fmt: skip
        """From numbers, expressions in quotes and chains in quotes; the axis is made a unit vector."""
        return cls(
            name, kind, unit_vector(axis, name), Placement.of(before), Placement.of(after), limits or NO_LIMITS,
            as_expression(damping, "damping"), as_expression(coulomb, "coulomb"),
            as_expression(gear_ratio, "gear_ratio"), as_expression(rotor_inertia, "rotor_inertia"),
        )  # fmt: skip

    @property
    def moves(self) -> bool:
        """Whether the joint has a coordinate: all do except fixed ones."""
        return self.kind != "fixed"

    @property
    def turns(self) -> bool:
        """Whether the coordinate is an angle (revolute, continuous)."""
        return self.kind in ("revolute", "continuous")

    @property
    def unit(self) -> str:
        """The unit of the joint's torque or force."""
        return "N" if self.kind == "prismatic" else "N m"

    def parameters(self) -> frozenset[str]:
        """The names of the parameters that the joint uses."""
        values = (*self.axis, self.damping, self.coulomb, self.gear_ratio, self.rotor_inertia)
        limits = tuple(value for _, value in self.limits.items())
        names = (value.parameters() for value in values + limits)
        return self.before.parameters().union(self.after.parameters(), *names)


@dataclass(frozen=True, slots=True)
class Link:
    """A rigid body: mass [kg], centre of mass [m] in the link frame, inertia, and its joint."""

    name: str
    joint: Joint
    parent: str = "base"
    mass: Expression = ZERO
    com: Axis = (ZERO, ZERO, ZERO)
    inertia: Inertia = field(default=Inertia())

    def __post_init__(self) -> None:
        check_name("link", self.name)

    @classmethod
    def of(
        cls, name: str, joint: Joint, parent: str = "base", mass: Any = 0, com: Any = (0, 0, 0),
        inertia: Inertia | None = None,
    ) -> Link:  # fmt: skip
        """From numbers and expressions in quotes."""
        return cls(name, joint, parent, as_expression(mass, "mass"), triple(com, "com"), inertia or Inertia())

    def parameters(self) -> frozenset[str]:
        """The names of the parameters that the link and its joint use."""
        names = (value.parameters() for value in (self.mass, *self.com))
        return self.joint.parameters().union(self.inertia.parameters(), *names)


def unit_vector(axis: Any, joint: str) -> Axis:
    """`axis` scaled to length 1, exactly; a symbolic axis is taken as it is."""
    x, y, z = triple(axis, "axis")
    if isinstance(x, Number) and isinstance(y, Number) and isinstance(z, Number):
        square = x.value**2 + y.value**2 + z.value**2
        if square == 0:
            raise ModelError(f'joint "{joint}" has axis [0, 0, 0]; an axis has a direction', key="axis")
        if square != 1:
            nonzero = [entry.value for entry in (x, y, z) if entry.value]
            length: Expression = Number(abs(nonzero[0])) if len(nonzero) == 1 else Call("sqrt", Number(square))
            return x / length, y / length, z / length
    return x, y, z


def check_name(what: str, name: Any) -> None:
    """A name is a short printable text; files and tables show it as it is."""
    if not isinstance(name, str) or not name or len(name) > 100 or not name.isprintable() or name != name.strip():
        raise ArgumentError(f"{what} name {name!r} is not a name; it is 1 to 100 printable characters", key="name")


def check_parameter_name(name: Any) -> None:
    if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > 60 or name.startswith("__"):
        raise ArgumentError(f"parameter name {name!r} is not a name; use letters, digits and _", key=str(name))
    if name == "pi" or name in FUNCTIONS:
        raise ArgumentError(f'parameter name "{name}" is taken; pi, sin, cos and sqrt have a meaning', key=name)
