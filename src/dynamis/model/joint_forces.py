"""The forces that a joint has of its own: what it takes from its motor besides what moves masses.

    force = damping qd + coulomb s + stribeck s exp(-(qd / stribeck_speed)^2) + friction_offset + stiffness (q - rest)

s is the direction of sliding: the sign of qd for a joint that slides, anything between -1 and 1 for one at rest
(compute/mechanics/friction.py), which coulomb + stribeck hold at most. An offset makes friction coulomb + offset
forwards and coulomb - offset backwards: no larger than dry friction at any speed it takes energy in every motion, a
larger one drives.
The spring is at rest at q = rest.

The fields are the keys of a joint in its file. They are expressions in a model, and any kind of scalars in an
algorithm, which asks this object and not its fields.

Source: B. Armstrong-Helouvry, P. Dupont, C. Canudas de Wit, A survey of models, analysis tools and compensation methods
for the control of machines with friction, Automatica 30(7), 1994, section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from dynamis.scalars.scalars import Scalars

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JointForces(Generic[S]):
    """Their numbers; None is what the joint does not have. The units are in `FORCE_UNITS`."""

    damping: S
    coulomb: S
    stribeck: S | None = None
    """How much more than `coulomb` holds the joint at rest."""
    stribeck_speed: S | None = None
    friction_offset: S | None = None
    stiffness: S | None = None
    rest: S | None = None
    """Where the spring has no force; None is 0."""

    def map(self, change: Callable[[S], T]) -> JointForces[T]:
        """The same forces in other scalars."""
        values: dict[str, Any] = {key: getattr(self, key) for key in FORCE_KEYS}
        changed: Any = {key: None if value is None else change(value) for key, value in values.items()}
        return JointForces(**changed)

    def without_friction(self, zero: S) -> JointForces[S]:
        """The spring alone."""
        return JointForces(zero, zero, stiffness=self.stiffness, rest=self.rest)

    @property
    def terms(self) -> tuple[str, ...]:
        """The fields that the force is linear in, and that the joint has or that every joint is said to have."""
        return tuple(key for key in TERMS if key in ALWAYS or getattr(self, key) is not None)

    @property
    def level(self) -> Any:
        """What dry friction holds at rest at most [N m or N]."""
        coulomb: Any = self.coulomb
        return coulomb if self.stribeck is None else coulomb + self.stribeck

    def friction(self, qd: Any, s: Any, curve: Any) -> Any:
        """What friction takes from the motor [N m or N], for a velocity, a direction of sliding s and their `curve`."""
        force = self.damping * qd + self.coulomb * s
        if self.stribeck is not None:
            force = force + self.stribeck * curve
        return force if self.friction_offset is None else force + self.friction_offset

    def friction_slope(self, qd: Any, curve: Any) -> Any:
        """The derivative of the friction by qd, with s as it is."""
        if self.stribeck is None:
            return self.damping
        v: Any = self.stribeck_speed
        fall = self.stribeck * curve * qd / (v * v)
        return self.damping - (fall + fall)

    def curve(self, qd: Any, s: Any, scalars: Scalars[Any]) -> Any:
        """s exp(-(qd / stribeck_speed)^2); 0 where there is no such friction."""
        if self.stribeck_speed is None:
            return scalars.zero
        x = qd * (scalars.one / self.stribeck_speed)
        return s * scalars.decay(x * x)

    def deflection(self, q: Any) -> Any:
        """q - rest [rad or m]."""
        return q if self.rest is None else q - self.rest

    def spring(self, q: Any, zero: Any) -> Any:
        """What the spring takes from the motor [N m or N]."""
        return zero if self.stiffness is None else self.stiffness * self.deflection(q)

    def column(self, term: str, q: Any, qd: Any, s: Any, curve: Any, one: Any) -> Any:
        """What a term of `TERMS` is multiplied by: the force is the sum of these products."""
        columns = {"damping": qd, "coulomb": s, "stribeck": curve, "friction_offset": one}
        return columns[term] if term in columns else self.deflection(q)


FORCE_KEYS = tuple(field.name for field in fields(JointForces))
"""The keys of a joint that say what forces it has, in a file and in `Joint`."""
TERMS = ("damping", "coulomb", "stribeck", "friction_offset", "stiffness")
"""The fields that a force is linear in."""
ALWAYS = ("damping", "coulomb")
"""Those of them that every joint is said to have, if only 0."""
SIGNED = ("stribeck", "friction_offset", "rest")
"""The fields that may be negative; `stribeck` as far as coulomb + stribeck is not."""
NEEDED = {"stribeck": "stribeck_speed", "stribeck_speed": "stribeck", "rest": "stiffness"}
"""What a joint that has the one must have besides."""
FORCE_UNITS = {
    "damping": ("N m s/rad", "N s/m"), "coulomb": ("N m", "N"), "stribeck": ("N m", "N"),
    "stribeck_speed": ("rad/s", "m/s"), "friction_offset": ("N m", "N"), "stiffness": ("N m/rad", "N/m"),
    "rest": ("rad", "m"),
}  # fmt: skip
"""The units of the fields, for joints that rotate and for joints that slide."""
FORCE_NAMES = {
    "damping": "damping", "coulomb": "Coulomb friction", "stribeck": "Stribeck friction",
    "friction_offset": "friction offset", "stiffness": "springs",
}  # fmt: skip
"""The terms in sentences and tables."""


def force_unit(key: str, revolute: bool) -> str:
    """The unit of a number of `JointForces`."""
    return FORCE_UNITS[key][0 if revolute else 1]


def terms_of(forces: Iterable[JointForces[Any]]) -> tuple[str, ...]:
    """The terms that any of these joints has, in the order of `TERMS`: those of a regressor, the same per joint."""
    present = {*ALWAYS}.union(*(own.terms for own in forces))
    return tuple(key for key in TERMS if key in present)
