"""The forces that a joint has of its own: what it takes from its motor besides what moves masses.

    force = damping qd + coulomb s

s is the direction of sliding: the sign of qd for a joint that slides, anything between -1 and 1 for one at rest
(compute/mechanics/friction.py). The fields are those of a joint in its file; they are expressions in a model, and any
kind of scalars in an algorithm, which asks this object and not its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JointForces(Generic[S]):
    """The numbers of the friction of a joint: damping [N m s/rad or N s/m] and coulomb [N m or N]."""

    damping: S
    coulomb: S

    def map(self, change: Callable[[S], T]) -> JointForces[T]:
        """The same forces in other scalars."""
        return JointForces(*(change(getattr(self, key)) for key in FORCE_KEYS))

    def friction(self, qd: Any, s: Any) -> Any:
        """What friction takes from the motor [N m or N], for a velocity and a direction of sliding."""
        return self.damping * qd + self.coulomb * s

    def by_velocity(self) -> Any:
        """The derivative of the force by qd; dry friction has the derivative 0."""
        return self.damping

    def columns(self, qd: Any, s: Any) -> list[Any]:
        """What `parameters` are multiplied by: the force is the sum of their products."""
        return [qd, s]

    @property
    def parameters(self) -> list[S]:
        """The numbers that the force is linear in, in the order of `columns`."""
        return [self.damping, self.coulomb]


FORCE_KEYS = tuple(field.name for field in fields(JointForces))
"""The keys of a joint that say what forces it has, in a file and in `Joint`."""
FORCE_UNITS = {"damping": ("N m s/rad", "N s/m"), "coulomb": ("N m", "N")}
"""Their units, for joints that rotate and for joints that slide."""


def force_unit(key: str, revolute: bool) -> str:
    """The unit of a number of `JointForces`."""
    return FORCE_UNITS[key][0 if revolute else 1]
