"""One walk over all expressions of a robot, or of a part of it: to look at them, or to replace them.

A robot is made of frozen dataclasses and tuples, with expressions at the leaves; so a new field of a link or a joint
is found without being named here.

>>> from dynamis import Joint, Link
>>> arm = Link("arm", Joint("q1", before="Tz(h) Rx(pi/2)"), mass="m1", com=("l/2", 0, 0))
>>> [(".".join(map(str, site.path)), str(site.expression)) for site in expressions_in(arm) if site.parameters]
[('joint.before.steps.0.amount', 'h'), ('mass', 'm1'), ('com.0', 'l/2')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, cast

from dynamis.base.expressions.expression import Expression, Number


@dataclass(frozen=True, slots=True)
class Site:
    """An expression and where it stands: `owner` is the dataclass that holds it, `path` the fields that lead to it."""

    expression: Expression
    owner: Any
    path: tuple[str | int, ...]

    @property
    def parameters(self) -> frozenset[str]:
        return self.expression.parameters()

    @property
    def inertial(self) -> tuple[int, str]:
        """The link of a robot, from 0, and "mass", "com.x", "inertia.xy", ...; (-1, "") for what is not inertial."""
        match self.path:
            case ("links", int(k), "mass"):
                return k, "mass"
            case ("links", int(k), "com", int(i)):
                return k, f"com.{'xyz'[i]}"
            case ("links", int(k), "inertia", "matrix", int(i), int(j)):
                return k, f"inertia.{'xyz'[min(i, j)]}{'xyz'[max(i, j)]}"
            case _:
                return -1, ""


def expressions_in(part: Any, owner: Any = None, path: tuple[str | int, ...] = ()) -> Iterator[Site]:
    """Every expression of a robot, link, joint, placement ..., in the order of their fields."""
    if isinstance(part, Expression):
        yield Site(part, owner, path)
    elif isinstance(part, tuple):
        for k, entry in enumerate(cast(tuple[Any, ...], part)):
            yield from expressions_in(entry, owner, (*path, k))
    elif is_dataclass(part):
        for field in fields(part):
            yield from expressions_in(getattr(part, field.name), part, (*path, field.name))


def parameters_in(part: Any) -> frozenset[str]:
    """The names of the parameters that the expressions of a part use."""
    sites = expressions_in(part)
    return frozenset[str]().union(*(site.parameters for site in sites if not isinstance(site.expression, Number)))


def changed_fields(part: Any, change: Callable[[Site], Expression], path: tuple[str | int, ...] = ()) -> dict[str, Any]:
    """The fields of a dataclass in which `change` gives another expression somewhere: what `replace` takes.

    >>> from dynamis import Joint, Link
    >>> from dynamis.base.expressions.parser import parse
    >>> changed_fields(Link("arm", Joint("q1"), mass=2), lambda site: site.expression + parse("0"))
    {}
    """
    changes: dict[str, Any] = {}
    for field in fields(part):
        old = getattr(part, field.name)
        new = _map_part(old, change, part, (*path, field.name))
        if new != old:
            changes[field.name] = new
    return changes


def _map_part(part: Any, change: Callable[[Site], Expression], owner: Any, path: tuple[str | int, ...]) -> Any:
    if isinstance(part, Expression):
        return change(Site(part, owner, path))
    if isinstance(part, tuple):
        entries = enumerate(cast(tuple[Any, ...], part))
        return tuple(_map_part(entry, change, owner, (*path, k)) for k, entry in entries)
    if is_dataclass(part) and (changes := changed_fields(part, change, path)):
        return replace(cast(Any, part), **changes)
    return part
