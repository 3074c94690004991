"""What looks like a part of the dynamics, has a name that says nothing, and so has no verdict: `Hq = [m1*l1^2 ...]`.

An n by n matrix or an n vector that the masses and inertias of the robot and its motion make, and that no entry with a
verdict uses, may be a mass matrix, a gravity torque or the like: an answer with it is not complete. Kinematics have no
masses; gains, inputs and constants do not move; states and control laws in numbers are linear in them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from dynamis.apps.grading.judging.entries import Entry
from dynamis.apps.grading.reading.answer import Answer
from dynamis.apps.grading.reading.answer_values import AnswerValues
from dynamis.apps.grading.reading.left_sides import is_matrix
from dynamis.apps.grading.reading.lines import Line
from dynamis.apps.grading.reading.names import strip_underscores
from dynamis.apps.grading.reading.source import AnswerError
from dynamis.apps.grading.reading.tokens import stem_and_number
from dynamis.apps.grading.reading.trees import Name, walk
from dynamis.apps.grading.values import Operand, rows_of
from dynamis.scalars.exact.symbols import Symbol

DYNAMIC = ("mass", "inertia", "gravity")
"""What the parameters of the dynamics measure; the others are those of kinematics, friction and loads."""
_WORD = re.compile(r"[A-Za-z]\w{0,40}", re.ASCII)
# Names of kinematics, which a robot in numbers has no masses to tell from its dynamics.
_KINEMATIC = re.compile(r"[Jj](?:ac\w*)?|[pxrvwRTA]|pos\w*|vel\w*|rot\w*", re.IGNORECASE)


def without_role(values: AnswerValues, entries: Sequence[Entry]) -> list[Line]:
    """The lines of an answer that give such a matrix or vector, each name once."""
    search = _Search(values, {entry.line for entry in entries})
    lines = [values.answer.lines[k] for k in search.lines()]
    return list({strip_underscores(line.name): line for line in lines}.values())


@dataclass(frozen=True)
class _Search:
    values: AnswerValues
    judged: Collection[int]
    """The lines with a verdict."""

    @property
    def answer(self) -> Answer:
        return self.values.answer

    def lines(self) -> Iterator[int]:
        for k, line in enumerate(self.answer.lines):
            if line.kind == "let" and line.name and strip_underscores(line.name) not in self.used:
                self.values.ring.check_time()
                if self.is_dynamic(k, line):
                    yield k

    @cached_property
    def used(self) -> set[str]:
        """The names that lines with a verdict use, directly or through others."""
        used, open_lines = set[str](), list(self.judged)
        while open_lines:
            tree = self.answer.lines[open_lines.pop()].tree
            nodes = () if tree is None else walk(tree)
            for name in {strip_underscores(node.text) for node in nodes if isinstance(node, Name)} - used:
                used.add(name)
                open_lines += self.answer.lets.get(name, [])
        return used

    def is_dynamic(self, k: int, line: Line) -> bool:
        """Whether a definition is one of the dynamics; of one that cannot be read its words say so."""
        try:
            value = self.values.line(k)
        except AnswerError:
            return is_matrix(line.right_text) and self.has_masses(_WORD.findall(line.right_text))
        if not self.has_shape(line, value) or not self.moves(value):
            return False
        if self.has_masses(names := self.names_below(k)):
            return True
        parameters = {*self.answer.names.robot.parameters}
        in_numbers = not self.masses - self.weights or not parameters & set(map(self.answer.names.symbol, names))
        stem = stem_and_number(strip_underscores(line.name))[0]
        return in_numbers and not _KINEMATIC.fullmatch(stem) and self.is_curved(value)

    def has_shape(self, line: Line, value: Operand) -> bool:
        """n by n, n by 1, 1 by n; a scalar H11 that may be an entry of such a matrix."""
        n, rows = self.answer.names.robot.n, rows_of(value)
        size = len(rows), len(rows[0])
        digits = re.fullmatch(r"[A-Za-z]+_?\{?([1-9])_?,?([1-9])\}?", line.name, re.ASCII)
        entry = digits is not None and max(map(int, digits.groups())) <= n
        return (entry if size == (1, 1) else set(size) <= {1, n}) and n > 1

    def moves(self, value: Operand) -> bool:
        return any(symbol.moves for symbol in self.symbols(value))

    def symbols(self, value: Operand) -> set[Symbol]:
        return {symbol for row in rows_of(value) for cell in row for symbol in cell.top.symbols()}

    def is_curved(self, value: Operand) -> bool:
        """Whether it has sines or products of what moves, with numbers that are not whole."""
        cells = [cell.top for row in rows_of(value) for cell in row]
        numbers = any(number.denominator > 1 for cell in cells for number in cell.terms().values())
        powers = (sum(e for symbol, e in term if symbol.moves) for cell in cells for term, _ in cell.powers())
        angles = any((s.is_trig or s.is_half) and s.moves for s in self.symbols(value))
        return numbers and (angles or max(powers, default=0) > 1)

    @cached_property
    def masses(self) -> set[str]:
        """The robot's masses, inertias and gravity."""
        return {str(symbol) for symbol in self.values.ring.ring.symbols if symbol.meaning in DYNAMIC}

    @cached_property
    def weights(self) -> set[str]:
        """Gravity alone."""
        return {str(symbol) for symbol in self.values.ring.ring.symbols if symbol.meaning == "gravity"}

    def has_masses(self, names: Collection[str]) -> bool:
        return any(self.answer.names.symbol(name) in self.masses for name in names)

    def names_below(self, k: int) -> set[str]:
        """The names of a line and of the definitions that it uses, but not those of entries that the answer gives."""
        found, open_lines, seen = set[str](), [k], set[int]()
        while open_lines:
            here = open_lines.pop()
            tree = self.answer.lines[here].tree
            if here in seen or tree is None:
                continue
            seen.add(here)
            for node in walk(tree):
                if isinstance(node, Name) and node.text not in self.answer.lines_of:  # not the g of M*qdd + g
                    found |= {node.text, node.text + "".join(map(str, node.index))}
                    open_lines += self.answer.lets.get(strip_underscores(node.text), [])
        return found
