"""The part of the model that a line is about, with the true value of each of its entries.

Angles, frames and signs of the quantities are those of `reading.left_sides`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from dynamis.equations.closed_form.closed_form import ClosedForm
from dynamis.errors import UnknownNameError
from dynamis.grading.reading.answer import Line
from dynamis.grading.reading.left_sides import KNOWN, LINK_MATRICES, LINK_VECTORS
from dynamis.grading.reading.source import AnswerError, nearest
from dynamis.mechanics.dynamics.newton_euler import newton_euler
from dynamis.mechanics.kinematics.motion import velocities
from dynamis.mechanics.kinematics.poses import com_position, frame_pose, jacobian, poses
from dynamis.mechanics.mechanism import place
from dynamis.model.robot import Frame
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Vector

AXES = ("x", "y", "z", "the rotation about x", "the rotation about y", "the rotation about z")
Entry = Callable[[tuple[int, ...]], Exact]
_INDEX = re.compile(r"\d{0,2}|\d{0,2}:\d{0,2}", re.ASCII)


@dataclass(frozen=True)
class Target:
    """A quantity of the model with its shape, and which of its entries (from 0) a line is about."""

    label: str
    shape: tuple[int, ...]
    entry: Entry
    """The true value of an entry."""
    wanted: tuple[tuple[int, ...], ...]
    size: tuple[int, int]
    kind: str
    note: str = ""
    """What the reader should know, such as the rows of a planar Jacobian."""
    without_gravity: Entry | None = None
    """Accelerations and net forces as in books that add the weight separately."""

    def name(self, index: tuple[int, ...]) -> str:
        """`M[1,2]`, counted from 1."""
        return f"{self.label}[{','.join(str(k + 1) for k in index)}]" if index else self.label

    def representative(self, index: tuple[int, ...]) -> tuple[int, ...]:
        """One index for all entries that are equal by symmetry: of M, of Ibase, of the Christoffel symbols c[i,j,k]."""
        symmetric = self.kind in ("M", "Ibase") or len(index) == 3
        return (*sorted(index[:2]), *index[2:]) if symmetric else index


def target_of(line: Line, equations: ClosedForm, size: tuple[int, int]) -> Target:
    """What a line is about; `size` is that of its right side."""
    left, source, start = line.left, line.source, line.start
    if left is None or len(line.statement.left) > 200:
        raise source.error(start, "the left side must be a name with its indices, such as M[1,2]")
    kind = left.kind
    if left.word == "V" and size == (1, 1) and not left.digits and left.index is None:
        kind = "U"
    if kind not in KNOWN:
        error = UnknownNameError("quantity", left.head[:40], KNOWN)
        nearby = f'; did you mean "{error.nearest}"?' if error.nearest is not None else ""
        message = error.message if nearest(left.head, KNOWN) else error.message.replace(nearby, "", 1)
        own = f"; write let {left.head[:40]} = ... to define a name of your own" if left.index is None else ""
        raise source.error(start, f"{message}; left sides are such as M[1,2], g[1], Jv2[1,1] or f2[3]{own}")
    if kind in ("T", "U") and left.index is not None:
        what = "kinetic" if kind == "T" else "potential"
        problem = f"{left.word} is the {what} energy, a scalar: write {left.word} = ..., or M[1,1] for the mass matrix"
        raise source.error(start, problem)
    return _Request(line, equations, kind, left.digits, left.index, size).target()


@dataclass
class _Request:
    line: Line
    equations: ClosedForm
    kind: str
    digits: str
    index: str | None
    size: tuple[int, int]

    def error(self, problem: str) -> AnswerError:
        return self.line.source.error(self.line.start, problem)

    def target(self) -> Target:
        e, n, kind = self.equations, self.equations.n, self.kind
        if kind == "J" or (kind in ("Jv", "Jw") and not self.digits):
            return self.of_tool()
        if kind in (*LINK_MATRICES, *LINK_VECTORS):
            return self.of_link()
        if kind in ("T", "U"):
            each = e.kinetic_energies if kind == "T" else e.potential_energies
            if self.digits:
                bodies = e.mechanism.links[self.link()]
                return self.wanted((), lambda _: sum((each[k] for k in bodies), e.ring.zero), self.digits)
            return self.wanted((), lambda _: e.kinetic_energy if kind == "T" else e.potential_energy)
        parts = self.index.split(",") if self.index else []
        if kind == "c" and max(len(parts), len(self.digits)) == 3:
            return self.indexed((n, n, n), lambda at: e.christoffel(at[0] + 1, at[1] + 1, at[2] + 1))
        if kind == "C" and len(self.digits) == 1:
            k = self.link()
            return self.wanted((n, n), lambda at: e.christoffel(at[0] + 1, at[1] + 1, k + 1), self.digits)
        if kind == "M":
            return self.indexed((n, n), lambda at: e.M[at[0], at[1]])
        if kind == "C":
            return self.indexed((n, n), lambda at: e.coriolis_matrix[at[0]][at[1]])
        if kind == "c":
            return self.indexed((n,), lambda at: e.coriolis[at[0]])
        return self.indexed((n,), lambda at: (e.gravity if kind == "g" else e.torques)[at[0]])

    def of_tool(self) -> Target:
        e, robot, kind = self.equations, self.equations.robot, self.kind
        if self.index is None and len(self.digits) == 2:
            self.index = ",".join(self.digits)  # J12 is J[1,2]

        @cache
        def columns() -> list[tuple[Exact, ...]]:
            on = place(robot, e.mechanism, robot.tool or Frame("end", robot.links[-1].name))
            where = poses(e.mechanism, e.state)
            linear, angular = jacobian(e.mechanism, where, on.body, frame_pose(where, on).p)
            return [(*v, *w) for v, w in zip(linear, angular, strict=True)]

        first = 3 if kind == "Jw" else 0
        return self.planar((6 if kind == "J" else 3, e.n), lambda at: columns()[at[1]][first + at[0]])

    def of_link(self) -> Target:
        e, kind = self.equations, self.kind
        if not self.digits:
            raise self.error(f"{kind} belongs to a link; write its number, such as {kind}2")
        k = e.mechanism.links[self.link()][-1]
        if kind in LINK_VECTORS:
            vector, bare = cache(lambda: tuple(self.link_vector(k))), cache(lambda: tuple(self.link_vector(k, False)))
            found = self.wanted((3,), lambda at: vector()[at[0]], self.digits)

            def without_gravity(at: tuple[int, ...]) -> Exact:
                return bare()[at[0]]

            return replace(found, without_gravity=without_gravity) if kind in ("vd", "vdc", "F") else found

        @cache
        def rows() -> list[tuple[Exact, ...]]:
            placed = poses(e.mechanism, e.state)
            if kind == "Ibase":
                R = placed[k].R
                return [tuple(row) for row in R.times(e.mechanism.bodies[k].inertia).times(R.T)]
            columns = jacobian(e.mechanism, placed, k, com_position(e.mechanism, placed, k))[kind == "Jw"]
            return [tuple(tuple(column)[row] for column in columns) for row in range(3)]

        shape = 3, 3 if kind == "Ibase" else e.n
        write = self.wanted if kind == "Ibase" else self.planar
        return write(shape, lambda at: rows()[at[0]][at[1]], self.digits)

    def planar(self, shape: tuple[int, int], entry: Entry, link: str = "") -> Target:
        """A Jacobian; of a planar robot it may be given without the rows that are zero."""
        found, n = self.wanted(shape, entry, link), shape[1]
        if self.index is not None or self.size[1] != n or self.size[0] not in (2, 3) or self.size == found.size:
            return found
        moving = [row for row in range(shape[0]) if any(entry((row, column)) for column in range(n))]
        linear = [row for row in moving if row < 3 or self.kind == "Jw"]
        rows = moving if len(moving) == self.size[0] else linear if len(linear) == self.size[0] else []
        if len(linear) != 2 or not rows:
            return found
        names = [AXES[row + 3 * (self.kind == "Jw")] for row in rows]
        note = f"{found.label}: its {len(rows)} rows were compared as those of {', '.join(names)}"
        wanted = tuple((row, column) for row in rows for column in range(n))
        return replace(found, wanted=wanted, size=(len(rows), n), note=note)

    def link_vector(self, body: int, weight: bool = True) -> Vector[Exact]:
        e, kind = self.equations, self.kind
        if kind in ("v", "vc"):
            velocity = velocities(e.mechanism, e.state)[body]
            return velocity.at(e.mechanism.bodies[body].origin) if kind == "v" else velocity.v_com
        solved = e.newton_euler if weight else newton_euler(e.mechanism, e.state, e.mechanism.null)
        motion, net, wrench = solved.motions[body], solved.net[body], solved.wrenches[body]
        return {
            "w": motion.w, "wd": motion.wd, "vd": motion.a, "vdc": motion.a_com,
            "F": net.force, "N": net.moment, "f": wrench.force, "n": wrench.moment,
        }[kind]  # fmt: skip

    def link(self) -> int:
        """The number of a link, from 0."""
        count, number = len(self.equations.robot.links), int(self.digits[:6])
        if not 1 <= number <= count:
            raise self.error(f"there is no link {number}; the robot has links 1 to {count}")
        return number - 1

    def indexed(self, shape: tuple[int, ...], entry: Entry) -> Target:
        """M12 is M[1,2]."""
        if self.digits and self.index is None:
            if len(self.digits) != len(shape):
                example = ",".join("12"[: len(shape)])
                raise self.error(f"{self.kind} has {len(shape)} indices; write {self.kind}[{example}]")
            self.index = ",".join(self.digits)
        return self.wanted(shape, entry)

    def wanted(self, shape: tuple[int, ...], entry: Entry, link: str = "") -> Target:
        """Which entries the line is about: `[1,2]`, `[:,1]`, `[1:2,1]`, or all of them."""
        parts = self.index.split(",") if self.index is not None else [":"] * len(shape)
        label = self.kind + link
        if len(parts) != len(shape) and not (len(parts) == len(shape) + 1 and parts[-1] == "1"):
            raise self.error(f"{label} has {len(shape)} indices, not {len(parts)}")
        if len(shape) == 3 and (self.index is None or ":" in self.index):
            raise self.error(f"write {label} with its three indices, such as c[1,2,1]")
        ranges = [self.range(part, size, label) for part, size in zip(parts, shape, strict=False)]
        lengths = [len(numbers) for numbers in ranges]
        size = (lengths[0] if lengths else 1, lengths[1] if len(lengths) == 2 else 1)
        return Target(label, shape, entry, tuple(product(*ranges)), size, self.kind)

    def range(self, part: str, size: int, label: str) -> range:
        before, colon, after = part.partition(":") if _INDEX.fullmatch(part) else ("0", "", "")
        low = int(before or 1)
        high = int(after or size) if colon else low
        if not part or not 1 <= low <= high <= size:
            raise self.error(f'{label} has no index "{part}"; it goes from 1 to {size}')
        return range(low - 1, high)
