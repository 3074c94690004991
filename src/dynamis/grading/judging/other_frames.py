"""Wrong transforms that would be right in other frames, such as those of another Denavit-Hartenberg convention."""

from __future__ import annotations

from collections.abc import Mapping

from dynamis.errors import listed
from dynamis.grading.judging.judges import Grader
from dynamis.grading.judging.report import Verdict
from dynamis.grading.reading.left_sides import TRANSFORMS
from dynamis.scalars.exact.ring import Exact

Rows = list[list[Exact]]
SIZE = range(4)


def other_frames(grader: Grader, verdicts: Mapping[int, Verdict]) -> tuple[str, ...]:
    """Which frames transforms were compared in, where one is wrong, and which would be right in frames of the answer's.

    With X_i the fixed pose of the answer's frame on link i in the robot's, which is the same frame on the base,
    T'_0i = T_0i X_i and A'_i = X_p^-1 A_i X_i for the parent p of link i: X_i is found, and fixed if no joint moves it.
    """
    if not any(grader.entries[k].target.kind in TRANSFORMS and not v.right for k, v in verdicts.items()):
        return ()
    robot = grader.ring.equations.robot
    own = f"transforms were compared in the frames of {robot.name}, which dynamis show {robot.name} lists"
    numbers = {robot.base: 0, **{link.name: k for k, link in enumerate(robot.links, 1)}}
    fixed: dict[int, Rows | None] = {0: None}
    right: dict[str, None] = {}
    for label, (yours, true) in _transforms(grader).items():
        if label.startswith("T0"):
            parent, link = 0, None
        elif label.startswith("A"):
            link = int(label[1:])
            parent = numbers[robot.links[link - 1].parent]
        else:
            continue
        if parent not in fixed:
            continue
        before = fixed[parent]
        pose = _product(_inverse(true), yours if before is None else _product(before, yours))
        if _is_fixed(pose):
            right[label] = None
            if link is not None:
                fixed[link] = pose
    if not right:
        return (own,)
    return (f"{own}; {listed(list(right))} would be right for other frames, fixed to the same links",)


def _transforms(grader: Grader) -> dict[str, tuple[Rows, Rows]]:
    """The transforms that are given whole and without fractions, and the true ones, by their names."""
    cells: dict[str, dict[tuple[int, ...], tuple[Exact, Exact]]] = {}
    for entry in grader.entries:
        value = grader.values.cell_values(entry.line)[entry.cell]
        if entry.target.kind in TRANSFORMS and value.bottom is None:
            cells.setdefault(entry.target.label, {})[entry.index] = value.top, grader.true(entry, grader.values)
    return {
        label: ([[at[i, j][0] for j in SIZE] for i in SIZE], [[at[i, j][1] for j in SIZE] for i in SIZE])
        for label, at in cells.items()
        if len(at) == len(SIZE) ** 2
    }


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
