"""Angles of the student's own, by their relation to the robot's: `let q1 = phi1 - pi/2` is phi1 = q1 + pi/2.

A definition of a joint coordinate in which one name is new is solved for that name; its rates dphi1, phi1dot, ... are
the derivatives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dynamis.apps.grading.common_ring import TIME
from dynamis.apps.grading.reading.lines import Line
from dynamis.apps.grading.reading.names import Vocabulary, strip_underscores
from dynamis.apps.grading.reading.parser import parse
from dynamis.apps.grading.reading.source import AnswerError
from dynamis.apps.grading.reading.trees import Call, Chain, Derivative, Name, Tree

_RATES = (("d{}", 1), ("{}dot", 1), ("dd{}", 2), ("{}ddot", 2))


def with_own_angles(lines: Iterable[Line], names: Vocabulary) -> Iterator[Line]:
    """The lines, with the definitions of coordinates solved for new angles."""
    lines = list(lines)
    given = {strip_underscores(line.name) for line in lines if line.name}
    for line in lines:
        is_coordinate = line.kind == "let" and names.symbol(line.name) in names.numbers
        solved = _solve_line(line, names, given) if is_coordinate and line.problem is None else []
        given |= {strip_underscores(other.name) for other in solved}
        yield from solved or [line]


def _solve_line(line: Line, names: Vocabulary, given: set[str]) -> list[Line]:
    """The line solved for its only new name, and the rates of that; none where it is no such line."""
    try:
        tree = line.tree or parse(line.source, names, line.start, line.end)
    except (AnswerError, RecursionError):
        return []
    terms = list(_terms(tree))
    new = [(k, sign, part) for k, (sign, part) in enumerate(terms) if _is_new(part, names, given)]
    if len(new) != 1 or not isinstance(part := new[0][2], Name):
        return []
    place, sign, _ = new[0]
    others = [
        (s if sign == "-" else "-" if s == "+" else "+", other) for k, (s, other) in enumerate(terms) if k != place
    ]
    start, first = tree.start, Name(line.name, tree.start)
    own = Chain(Call("-", first, start) if sign == "-" else first, tuple(others), start) if others else first
    rates = [
        replace(line, left=None, name=form.format(part.text),
                tree=Derivative("diff", Name(part.text, start), (Name(TIME, start),) * order, start))
        for form, order in _RATES
    ]  # fmt: skip
    return [replace(line, left=None, name=part.text, tree=own), *rates]


def _terms(tree: Tree) -> Iterator[tuple[str, Tree]]:
    """The terms of a sum, each with its sign."""
    match tree:
        case Chain(first, rest) if all(sign in ("+", "-") for sign, _ in rest):
            yield from (*_terms(first), *rest)
        case Call("-", inner):
            yield "-", inner
        case _:
            yield "+", tree


def _is_new(tree: Tree, names: Vocabulary, given: set[str]) -> bool:
    return (
        isinstance(tree, Name)
        and not tree.index
        and not names.is_known(tree.text)
        and strip_underscores(tree.text) not in given
    )
