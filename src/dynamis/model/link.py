"""Links and joints: a link, and the joint that carries it on its parent.

The constructors take numbers, expressions in quotes and chains in quotes, and keep expressions:

>>> Link("arm", Joint("q1", axis=(0, 0, 2), before="Tz(h)"), mass="m1", com=(0.5, 0, 0)).com
(0.5, 0, 0)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, Literal, get_args

from dynamis.base.display import Displayable
from dynamis.base.errors import ModelError, UnknownNameError, literal
from dynamis.base.expressions.expression import ONE, ZERO, Call, Expression, Number
from dynamis.base.expressions.parser import as_expression
from dynamis.base.printable import in_a_line
from dynamis.model.fields import check_name, check_type, coerce
from dynamis.model.inertia import Inertia
from dynamis.model.joint_forces import ALWAYS, FORCE_KEYS, NEEDED, JointForces
from dynamis.model.map_expressions import parameters_in
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

    def __post_init__(self) -> None:
        coerce(self, **{name: as_expression(value, f"limits.{name}") for name, value in self.items()})

    def items(self) -> list[tuple[str, Expression]]:
        """The limits that are given, by name."""
        pairs = [("lower", self.lower), ("upper", self.upper), ("velocity", self.velocity), ("effort", self.effort)]
        return [(name, value) for name, value in pairs if value is not None]


NO_LIMITS = Limits()
NO_INERTIA = Inertia()


@dataclass(frozen=True, slots=True)
class Joint(Displayable):
    """How a link moves on its parent: T_parent_link(q) = before * motion(q) * after.

    The motion turns about (revolute, continuous) or slides along (prismatic) `axis`, a unit
    vector in the frame that `before` reaches. `after` is the identity except where a convention
    puts the link frame away from its joint (standard D-H).
    Its own forces (model/joint_forces.py): friction, with damping [N m s/rad or N s/m], coulomb [N m or N], by how much
    more `stribeck` [N m or N] holds it at rest, which decays over `stribeck_speed` [rad/s or m/s], and
    `friction_offset` [N m or N], by how much more it is forwards than on average; and a spring of `stiffness`
    [N m/rad or N/m] with no force at q = `rest` [rad or m]. The motor's `rotor_inertia` [kg m^2] counts
    `gear_ratio`^2 times at the joint.
    A joint with a `coupling` has no coordinate of its own: it follows other joints,
    q = sum of factor * (q of that joint) + `coupling_offset` [rad or m].

    >>> Joint("finger2", "prismatic", coupling={"finger1": -1}, coupling_offset="0.08").coupling
    (('finger1', -1),)
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
    coupling: tuple[tuple[str, Expression], ...] = ()
    coupling_offset: Expression = ZERO
    stribeck: Expression = ZERO
    stribeck_speed: Expression = ZERO
    friction_offset: Expression = ZERO
    stiffness: Expression = ZERO
    rest: Expression = ZERO

    def __post_init__(self) -> None:
        check_name("joint", self.name)
        if self.kind not in KINDS:
            raise UnknownNameError("joint kind", self.kind, KINDS, key="kind")
        check_type("limits", self.limits, Limits)
        if not self.moves and (self.limits.items() or any(getattr(self, key) not in (0, ZERO) for key in FORCE_KEYS)):
            raise ModelError(f'joint "{self.name}" is fixed; it has no limits, no friction and no spring', key="limits")
        if self.kind == "continuous" and (self.limits.lower is not None or self.limits.upper is not None):
            raise ModelError(f'joint "{self.name}" is continuous; a joint with a range is "revolute"', key="limits")
        keys = (*FORCE_KEYS, "gear_ratio", "rotor_inertia", "coupling_offset")
        numbers = {key: as_expression(getattr(self, key), key) for key in keys}
        for key, needed in NEEDED.items():
            if numbers[key] != ZERO and numbers[needed] == ZERO:
                raise ModelError(f'joint "{self.name}" has a {key} but no {needed}', key=key)
        coupling = _coupling(self.coupling, self.name)
        if coupling and not self.moves:
            raise ModelError(f'joint "{self.name}" is fixed; it cannot be coupled', key="coupling")
        if not coupling and numbers["coupling_offset"] != ZERO:
            raise ModelError(f'joint "{self.name}" has a coupling_offset but no coupling', key="coupling_offset")
        coerce(
            self,
            axis=unit_vector(self.axis, self.name),
            before=Placement.of(self.before),
            after=Placement.of(self.after),
            coupling=coupling,
            **numbers,
        )

    @property
    def moves(self) -> bool:
        """Whether the link moves on its parent: all joints but fixed ones do."""
        return self.kind != "fixed"

    @property
    def revolute(self) -> bool:
        """Whether the joint variable is an angle (revolute, continuous)."""
        return self.kind in ("revolute", "continuous")

    @property
    def forces(self) -> JointForces[Expression]:
        """The forces that the joint has of its own, which algorithms ask for them."""
        values = {key: getattr(self, key) for key in FORCE_KEYS}
        return JointForces(**{key: x for key, x in values.items() if key in ALWAYS or x != ZERO})

    @property
    def unit(self) -> str:
        """The unit of the joint's torque or force."""
        return "N" if self.kind == "prismatic" else "N m"

    def parameters(self) -> frozenset[str]:
        """The names of the parameters that the joint uses."""
        return parameters_in(self)

    def __repr__(self) -> str:
        return f"<Joint {in_a_line(self.name)}: {self.kind}>"


@dataclass(frozen=True, slots=True)
class Link(Displayable):
    """A rigid body: mass [kg], centre of mass [m] in the link frame, inertia, and its joint."""

    name: str
    joint: Joint
    parent: str = "base"
    mass: Expression = ZERO
    com: Axis = (ZERO, ZERO, ZERO)
    inertia: Inertia = NO_INERTIA

    def __post_init__(self) -> None:
        check_name("link", self.name)
        check_type("joint", self.joint, Joint)
        check_type("inertia", self.inertia, Inertia)
        coerce(self, mass=as_expression(self.mass, "mass"), com=triple(self.com, "com"))

    def parameters(self) -> frozenset[str]:
        """The names of the parameters that the link and its joint use."""
        return parameters_in(self)

    def __repr__(self) -> str:
        names = self.name, self.parent, self.joint.name
        name, parent, joint = map(in_a_line, names)
        return f"<Link {name} on {parent}: joint {joint} ({self.joint.kind}), mass {self.mass}>"


def unit_vector(axis: Any, joint: str) -> Axis:
    """`axis` scaled to length 1, exactly; a symbolic axis is taken as it is."""
    x, y, z = triple(axis, "axis")
    if isinstance(x, Number) and isinstance(y, Number) and isinstance(z, Number):
        square = x.value**2 + y.value**2 + z.value**2
        if square == 0:
            raise ModelError(f'joint "{joint}" has axis [0, 0, 0]; an axis has a direction', key="axis")
        if square != 1:
            length = _root(square)
            return x / length, y / length, z / length
    return x, y, z


def _coupling(value: Any, joint: str) -> tuple[tuple[str, Expression], ...]:
    """Pairs of a joint and its factor, of a mapping or of pairs."""
    if not isinstance(value, Mapping | tuple):
        sentence = f'coupling of joint "{joint}" must map joints to factors, such as {{"q1": 2}}, got {literal(value)}'
        raise ModelError(sentence, key="coupling")
    pairs: Any = value.items() if isinstance(value, Mapping) else value  # type: ignore[redundant-expr]
    coupling = tuple((str(name), as_expression(factor, f"coupling to {name}")) for name, factor in pairs)
    for name, factor in coupling:
        if factor == ZERO or name == joint:
            wrong = f'follows joint "{name}" with the factor 0' if factor == ZERO else "is coupled to itself"
            raise ModelError(f'joint "{joint}" {wrong}; couple it to joints that move it', key="coupling")
    return coupling


def _root(square: Fraction) -> Expression:
    """The square root, a number where it is rational."""
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    root = Fraction(top, bottom)
    return Number(root) if root * root == square else Call("sqrt", Number(square))
