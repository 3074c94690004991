"""The entries of an answer: every scalar that is compared, with its part of the model and its place in the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from dynamis.apps.grading.judging.targets import Target, target_of
from dynamis.apps.grading.reading.answer import ONLY_DEFINITIONS, Answer
from dynamis.apps.grading.reading.answer_values import AnswerValues
from dynamis.apps.grading.reading.left_sides import ANSWERABLE, TRANSFORMS
from dynamis.apps.grading.reading.lines import Line
from dynamis.apps.grading.reading.names import strip_underscores
from dynamis.apps.grading.reading.source import AnswerError
from dynamis.apps.grading.reading.trees import Name, Rows, walk
from dynamis.apps.grading.values import Matrix, Operand, rows_of

_DECIMAL = re.compile(r"\.\d")
_ROOM = re.compile(r"\s*(?:sym\(\s*)?(?:\w+\.){0,2}(zeros|empty|zeros_like)\(")


@dataclass(frozen=True)
class Entry:
    """An entry of an answer: `target.entry(index)` is its true value, cell `cell` of line `line` the student's."""

    target: Target
    index: tuple[int, ...]
    line: int
    cell: int
    start: int
    decimals: bool
    """Whether it is written with decimals."""
    doubts: tuple[str, ...]
    """How names with two meanings were read: c1 as a cosine, though the file has an entry of that name."""

    @property
    def name(self) -> str:
        """`M[1,2]`."""
        return self.target.name(self.index)


def find_entries(values: AnswerValues) -> tuple[list[Entry], list[AnswerError]]:
    """All entries in the order of the file, and why other lines cannot be read."""
    answer, entries, unread = values.answer, list[Entry](), list[AnswerError](values.answer.unread)
    values.conditions(len(answer.lines))  # a condition that cannot be read is not a line to pass over
    for k, line in enumerate(answer.lines):
        values.ring.check_time()
        try:
            if line.kind == "let":
                entries += _named_quantity(k, line, values)
            elif line.kind == "answer":
                entries += _entries(k, line, values)
        except AnswerError as error:
            unread.append(values.failed.setdefault(k, error))
    unread.sort(key=lambda error: (error.line or 0, error.column))
    unread = list(dict.fromkeys(unread))
    if not entries:
        raise unread[0] if unread else answer.lines[0].error(ONLY_DEFINITIONS)
    times = Counter(entry.name for entry in entries)
    return [entry for entry in entries if not _is_superseded(entry, values, times[entry.name])], unread


def _named_quantity(k: int, line: Line, values: AnswerValues) -> list[Entry]:
    """The entries of G = jacobian(U, q)', which looked like a definition of a scalar; of several lines the last.

    Beside M a matrix D is not the mass matrix, and u without accelerations is a control law.
    """
    value, kind = values.line(k), line.left.kind if line.left else ""
    size = (*values.answer.shapes.get(kind, ()), 1)[:2]
    if not kind or not isinstance(value, Matrix) or value.shape not in (size, size[::-1]):
        return []
    other = kind == "M" and kind in values.answer.lines_of
    other = other or (kind == "tau" and 2 not in _orders(value))
    is_last = values.answer.lets.get(strip_underscores(line.name), [k])[-1] == k
    return _entries(k, line, values) if is_last and not other else []


def _orders(value: Operand) -> set[int]:
    """The orders of the derivatives of coordinates in a value: 1 of speeds, 2 of accelerations; 0 of anything else."""
    return {symbol.order for row in rows_of(value) for cell in row for symbol in cell.top.symbols()}


def losses(entries: Sequence[Entry], values: AnswerValues) -> list[Line | None]:
    """Of each entry the line below that gives it another value and cannot be read: it has no verdict then."""
    answer, failed = values.answer, dict[str, list[int]]()
    for k in sorted(values.failed):
        failed.setdefault(answer.left_entries.get(k, ("", []))[0], []).append(k)
    return [_lost_to(entry, answer, failed) for entry in entries]


def _lost_to(entry: Entry, answer: Answer, failed: Mapping[str, Sequence[int]]) -> Line | None:
    name, index = answer.left_entries.get(entry.line, ("", []))[0], tuple(i + 1 for i in entry.index)
    start = answer.lines[entry.line].left_start
    for k in failed.get(name, ()) if name else ():
        line, (_, places) = answer.lines[k], answer.left_entries[k]
        # M(1) and M may be any entry of M, but c[1,2,1] is that Christoffel symbol only.
        is_here = any(place == index or 3 > len(place) != len(index) < 3 for place in places)
        if k > entry.line and line.left_start > start and is_here:
            return line
    return None


def _entries(k: int, line: Line, values: AnswerValues) -> list[Entry]:
    room = _room(k, values)
    if room not in ("", "zeros") or (not room and _is_applied(line, values.line(k))):
        return []
    rows = rows_of(values.line(k))
    size, source = (len(rows), len(rows[0])), line.source
    try:
        target = target_of(line, values.ring.equations, size, _orders(values.line(k)))
    except AnswerError as error:
        if not values.answer.names.from_zero:
            raise
        problem = f"{error.problem}, counted from 1; square brackets count from 0 in this file"
        raise line.error(problem) from None
    if size != target.size and not (1 in size and size == target.size[::-1]):
        if room:
            return []
        expected, yours = ("x".join(map(str, pair)) for pair in (target.size, size))
        raise line.error(f"{target.label} here is {expected}, the right side is {yours}")
    assert line.tree is not None
    nodes = list(walk(line.tree))
    matrix = next((node for node in nodes if isinstance(node, Rows) and _size(node) == size), None)
    starts = [cell.start for row in matrix.rows for cell in row] if matrix else [line.start] * prod(size)
    has_decimal = _DECIMAL.search(source.text, line.start, line.end) is not None
    names = {node.text.replace("_", "") for node in nodes if isinstance(node, Name) and not node.index}
    doubts = tuple(doubt for name in sorted(names) if (doubt := _doubt(name, values)))
    entries: list[Entry] = []
    for cell, (index, value) in enumerate(zip(target.indices, values.cell_values(k), strict=True)):
        if value.bottom is not None and not value.bottom:
            raise source.error(starts[cell], "division by zero, with what is given")
        if room and target.entry(index):
            continue
        start = max(starts[cell], line.start)
        entries.append(Entry(target, index, k, cell, start, has_decimal or bool(value.decimals), doubts))
    return entries


def _is_applied(line: Line, value: Operand) -> bool:
    """Whether torques are those of an experiment, tau = [2; 1], or of a control law u, and not the answer."""
    left, orders = line.left, _orders(value)
    if left is None or left.kind != "tau" or left.index is not None or line.sign:
        return False
    given = any(cell.top for row in rows_of(value) for cell in row)  # tau = 0 is an answer, and a wrong one
    return given and (not orders or (left.word == "u" and 2 not in orders))


def _room(k: int, values: AnswerValues) -> str:
    """The zeros of M = zeros(2, 2) with entries below it, which are an answer only where they are right; or empty."""
    line = values.answer.lines[k]
    room = _ROOM.match(line.source.text, line.start, line.end)
    return room[1] if room and _has_entries_below(k, values) else ""


def _has_entries_below(k: int, values: AnswerValues) -> bool:
    """Whether lines below fill the matrix that a line makes room for, M = zeros(2, 2), or give it again."""
    name, indices = values.answer.left_entries.get(k, ("", [()]))
    places = values.answer.lines_of.get(name, {})
    return indices == [()] and any(max(lines) > k for lines in places.values())


def _size(matrix: Rows) -> tuple[int, int]:
    return len(matrix.rows), len(matrix.rows[0])


def _doubt(name: str, values: AnswerValues) -> str:
    """A sentence about c1 that is a cosine and an entry of the file, or a cosine and a parameter; else nothing."""
    names = values.answer.names
    if name in names.lets or not names.abbreviation(name):
        return ""
    if names.symbol(name) is not None:
        function = "sin" if names.is_sine(name) else "cos"
        return f"{name} was read as the robot's parameter; write {function}(...) for the angle"
    entry = re.fullmatch(r"c\d{1,2}", name, re.ASCII) and (int(name[1:]),) in values.answer.lines_of.get("c", {})
    return f"{name} was read as a cosine; write c[{name[1:]}] for the entry" if entry else ""


def _is_superseded(entry: Entry, values: AnswerValues, times: int) -> bool:
    """Whether a program goes on to change an entry, or only made room for it with M = [0 0; 0 0]."""
    index = tuple(i + 1 for i in entry.index)
    zeros = all(not cell.top for cell in values.cell_values(entry.line))
    room = times > 1 and zeros and _has_entries_below(entry.line, values)
    return room or not values.superseded.isdisjoint({(entry.line, ()), (entry.line, index)})


def _names(k: int, line: Line, values: AnswerValues) -> list[str]:
    """The entries that a line would give if it could be read, or the whole that it is about."""
    is_answer = line.kind == "answer" or (line.kind == "let" and line.left is not None and line.left.kind == "g")
    if not is_answer or line.left is None or line.left.kind not in ANSWERABLE:
        return []
    label, indices = values.answer.left_entries.get(k, (line.left.head, [()]))
    label = line.left.head if line.left.kind in TRANSFORMS else label
    return [f"{label}[{','.join(map(str, index))}]" if index else label for index in indices]


def missing_entries(entries: Sequence[Entry], values: AnswerValues, without_zeros: bool) -> list[str]:
    """The entries that an answer leaves out of the matrices and vectors that it is about, or that cannot be read.

    Of a symmetric pair one is enough, unless M = zeros(2, 2) gives the other; of a planar Jacobian the rows that its
    note names. Zeros are missing unless the page says that it leaves them out.
    """
    present, lines = {entry.name for entry in entries}, values.answer.lines
    names = {name: None for k in sorted(values.failed) for name in _names(k, lines[k], values) if name not in present}
    partial = {e.target.label: e.target for e in entries if len(e.target.indices) < prod(e.target.shape)}
    for label, target in partial.items():
        same = [entry for entry in entries if entry.target.label == label and entry.target.shape == target.shape]
        if not any(entry.target.note for entry in same):
            rooms = (k for k in values.answer.lines_of.get(label, {}).get((), ()) if _room(k, values))
            of_pair = target.representative if next(rooms, None) is None else tuple[int, ...]
            here = {of_pair(entry.index) for entry in same}
            every = dict.fromkeys(map(of_pair, product(*map(range, target.shape))))
            missing = [index for index in every if index not in here]
            names |= {target.name(index): None for index in missing if not without_zeros or target.entry(index)}
    whole = {name for name in names if "[" not in name}
    return [name for name in names if name in whole or name.split("[")[0] not in whole]
