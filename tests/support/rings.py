"""Rings of exact scalars from the texts of their symbols."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dynamis.base.expressions.parser import parse
from dynamis.scalars.exact.ring import Ring
from dynamis.scalars.exact.scalars import ExactScalars
from dynamis.scalars.exact.symbols import Symbol, fixed_angle, inverse, joint_angle, parameter, root
from dynamis.scalars.scalars import evaluate


def ring(
    parameters: Iterable[str] = (),
    joints: Iterable[str] = (),
    angles: Iterable[str] = (),
    roots: Iterable[int] = (),
    inverses: Iterable[str] = (),
    more: Iterable[Symbol] = (),
    **limits: Any,
) -> Ring:
    """A ring with sines and cosines of `joints` and of fixed `angles`; `inverses` are of a parameter or a sum."""
    symbols = [symbol for joint in joints for symbol in joint_angle(joint)]
    symbols += [symbol for angle in angles for symbol in fixed_angle(parse(angle))]
    symbols += [*map(root, roots), *more, *map(parameter, parameters)]
    scalars = ExactScalars(Ring(tuple(symbols)), {}, {})
    below = [evaluate(parse(text), scalars).powers() for text in inverses]
    symbols += [inverse(tuple((tuple(powers), x) for powers, x in terms)) for terms in below if len(terms) > 1]
    symbols += [inverse(terms[0][0][0][0]) for terms in below if len(terms) == 1]
    return Ring(tuple(symbols), **limits)
