"""Wrong transforms that would be right in other frames, such as those of another Denavit-Hartenberg convention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dynamis.apps.grading.judging.judges import Grader
from dynamis.apps.grading.judging.report import Verdict
from dynamis.apps.grading.judging.targets import Target
from dynamis.apps.grading.reading.left_sides import TRANSFORMS
from dynamis.base.errors import name_list
from dynamis.base.faces import request
from dynamis.scalars.exact.ring import Exact

Rows = list[list[Exact]]
SIZE = range(4)


def other_frames(grader: Grader, verdicts: Mapping[int, Verdict]) -> tuple[str, ...]:
    """Which frames transforms were compared in, where one is wrong, and which would be right in frames of the answer's.

    With X_i the fixed pose of the answer's frame i in the robot's, which is the same frame on the base,
    T'_ab = X_a^-1 T_ab X_b: where X_a is known X_b is found, and fixed if no joint moves it.
    """
    if not any(grader.entries[k].target.kind in TRANSFORMS and not v.right for k, v in verdicts.items()):
        return ()
    robot = grader.ring.equations.robot
    own = f"transforms were compared in the frames of {robot.name}, which {request('show', robot.name)} lists"
    known: dict[str, Rows | None] = {"0": None}
    right: list[str] = []
    for target, yours, true in _transforms(grader):
        a, b = target.frames or ("", "")
        if a not in known:
            continue
        before = known[a]
        pose = _product(_inverse(true), yours if before is None else _product(before, yours))
        if _is_fixed(pose) and known.get(b, pose) == pose:
            right.append(target.label)
            known[b] = pose
    if not right:
        return (own,)
    return (f"{own}; {name_list(right)} would be right for other frames, fixed to the same links",)


def _transforms(grader: Grader) -> Iterator[tuple[Target, Rows, Rows]]:
    """The transforms that are given whole and without fractions, and the true ones; those of a plane in space."""
    cells: dict[str, dict[tuple[int, ...], tuple[Exact, Exact]]] = {}
    targets: dict[str, Target] = {}
    for entry in grader.entries:
        value = grader.values.cell_values(entry.line)[entry.cell]
        if entry.target.kind in TRANSFORMS and value.bottom is None:
            targets[entry.target.label] = entry.target
            cells.setdefault(entry.target.label, {})[entry.index] = value.top, grader.true(entry, grader.values)
    for label, at in cells.items():
        if len(at) == 16 or (len(at) == 9 and (3, 3) in at and targets[label].size == (3, 3)):
            ring = next(iter(at.values()))[0].ring
            unit = {(i, j): (ring.one if i == j else ring.zero,) * 2 for i in SIZE for j in SIZE}
            whole = unit | at
            yours, true = ([[whole[i, j][k] for j in SIZE] for i in SIZE] for k in (0, 1))
            yield targets[label], yours, true


def _product(a: Rows, b: Rows) -> Rows:
    return [[sum((a[i][k] * b[k][j] for k in SIZE[1:]), a[i][0] * b[0][j]) for j in SIZE] for i in SIZE]


def _inverse(pose: Rows) -> Rows:
    """Of a rotation R and a position p: R^T and -R^T p."""
    R_T = [[pose[j][i] for j in range(3)] for i in range(3)]
    p = [-(row[0] * pose[0][3] + row[1] * pose[1][3] + row[2] * pose[2][3]) for row in R_T]
    return [*([*row, x] for row, x in zip(R_T, p, strict=True)), pose[3]]


def _is_fixed(pose: Rows) -> bool:
    """Whether no joint moves it, and it is a rotation and a translation."""
    one, zero = pose[0][0].ring.one, pose[0][0].ring.zero
    if any(symbol.moves for row in pose for x in row for symbol in x.symbols()) or pose[3] != [zero, zero, zero, one]:
        return False
    unit = [[one if i == j else zero for j in SIZE] for i in SIZE]
    return _product(_inverse(pose), pose) == unit
