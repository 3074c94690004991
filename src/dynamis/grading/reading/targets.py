"""What an answer can be about: the left sides of its lines, and the true values.

M (also D, d_12, B, H), c (also V, h) with c[i,j,k] the Christoffel symbols, C, g (also G, phi), T and U of the
arm or of a link, tau; J, Jv and Jw of the tool (of the last link's frame without one); of link k: Jvk and
Jwk (CoM, base axes), Ibasek (about the CoM, base axes), and in link axes wk, wdk, vdk, vdck, Fk, Nk, fk, nk
of Newton-Euler (base acceleration -g) and vk, vck of moving frames.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from dynamis.equations.equations import Equations
from dynamis.errors import UnknownNameError
from dynamis.grading.reading.place import Source, nearest
from dynamis.grading.reading.statements import Statement
from dynamis.grading.reading.tokens import stem_and_number
from dynamis.grading.reading.unicode import ascii_name
from dynamis.mechanics.kinematics import com_position, frame_pose, jacobian, poses
from dynamis.mechanics.mechanism import place
from dynamis.mechanics.moving_frames import moving_frames
from dynamis.mechanics.newton_euler import newton_euler
from dynamis.model.robot import Frame
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Vector

SYNONYMS = {
    "D": "M", "B": "M", "H": "M", "m": "M", "V": "c", "h": "c", "G": "g", "phi": "g", "K": "T", "P": "U", "u": "tau",
    "Jvc": "Jv", "JL": "Jv", "Jomega": "Jw", "Jwc": "Jw", "JA": "Jw", "omega": "w", "omegad": "wd", "wdot": "wd",
    "vdot": "vd", "vdotc": "vdc", "vcd": "vdc", "vcdot": "vdc", "a": "vd", "ac": "vdc",
}  # fmt: skip
LINK_VECTORS = ("w", "wd", "vd", "vdc", "F", "N", "f", "n", "v", "vc")
LINK_MATRICES = ("Jv", "Jw", "Ibase")
KNOWN = ("M", "c", "C", "g", "T", "U", "tau", "J", *LINK_MATRICES, *LINK_VECTORS)
AXES = ("x", "y", "z", "the rotation about x", "the rotation about y", "the rotation about z")
Entry = Callable[[tuple[int, ...]], Exact]
_DRESS = re.compile(
    r"\\(?:left|right|mathbf|mathrm|boldsymbol|bm|vec|hat|text)(?![A-Za-z])|[$&\s]|\{\}\^\{?\d\}?|\^\{?0\}?"
)
_DOTTED = re.compile(r"\\dot\{?\\?(omega|[A-Za-z])")
_LEFT = re.compile(r"(?P<head>[^\[(]*)(?:[\[(](?P<index>[^\])]*)[\])])?")
_COLUMN = re.compile(r"(?:\\begin\{[bp]?matrix\}|\[)(.*)(?:\\end\{[bp]?matrix\}|\])", re.DOTALL)
_INDEX = re.compile(r"\d{0,2}|\d{0,2}:\d{0,2}", re.ASCII)


@dataclass(frozen=True)
class Target:
    """A part of the model: rows x columns of entries, from 0; `wanted` are those that the line is about."""

    label: str
    shape: tuple[int, ...]
    entry: Entry
    wanted: tuple[tuple[int, ...], ...]
    size: tuple[int, int]
    kind: str
    note: str = ""
    """What the reader should know, such as the rows of a planar Jacobian."""
    without_gravity: Entry | None = None
    """Accelerations and net forces as books write them that add the weight apart."""

    def name(self, index: tuple[int, ...]) -> str:
        """`M[1,2]`, as people count."""
        return f"{self.label}[{','.join(str(k + 1) for k in index)}]" if index else self.label


@dataclass(frozen=True)
class Left:
    """A left side taken apart: `J_{v2}(1,:)` is kind Jv, digits 2, index 1,:."""

    head: str
    word: str
    kind: str
    digits: str
    index: str | None

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        """The same for all ways to write one entry: M12, M[1,2], D(1,2)."""
        index = self.index or ""
        numbers = tuple(map(int, index.split(","))) if re.fullmatch(r"\d+(,\d+)*", index) else ()
        of_link = self.kind in (*LINK_MATRICES, *LINK_VECTORS, "T", "U") or (self.kind == "C" and len(self.digits) == 1)
        if of_link or numbers:
            return self.kind + (self.digits if of_link else ""), numbers
        return self.kind, tuple(map(int, self.digits))

    @property
    def is_entry(self) -> bool:
        """Whether it is one entry, not a whole matrix."""
        return self.kind in KNOWN and bool(self.digits or self.key[1])


def left_side(text: str) -> Left | None:
    """The left side of a line, or None if it is not a name with indices; [tau1; tau2] is tau."""
    if column := _COLUMN.fullmatch(text[:200].strip()):
        parts = [left_side(part) for part in re.split(r"\\\\|[;,]", column[1])]
        kinds = {part.kind for part in parts if part is not None and part.digits}
        numbers = [part.digits for part in parts if part is not None]
        kind = kinds.pop() if len(kinds) == 1 and numbers == [str(k + 1) for k in range(len(parts))] else None
        return Left(kind, kind, kind, "", None) if kind is not None else None
    dotted = unicodedata.normalize("NFD", text[:200]).replace("\u0307", "d")
    bare = _DOTTED.sub(r"\1d", _DRESS.sub("", ascii_name(dotted)))
    found = _LEFT.fullmatch(bare)
    if found is None or re.search(r"[\])]", found["head"]):
        return None
    head, index = re.sub(r"[^A-Za-z0-9]", "", found["head"]), found["index"]
    word, digits = stem_and_number(re.sub(r"^I(\d+)(?:base)?$", r"Ibase\1", head))
    if index is not None and re.search(r"[^\W\d]", index):
        index = None  # g(q), M(q)
    kind = SYNONYMS.get(word, word)
    if word == "d" and (len(digits) == 2 or re.fullmatch(r"\d+,\d+", index or "", re.ASCII)):
        kind = "M"  # d_12 of a school that calls it D
    return Left(head, word, kind, digits, index)


def is_entry(text: str) -> bool:
    """Whether a text is the name of one entry, such as M21."""
    left = left_side(text) if len(text) < 60 else None
    return left is not None and left.is_entry and re.search(r"[-+*/]", text) is None


def is_known(name: str) -> bool:
    """Whether a name is that of a part of the model, however it is spelled."""
    left = left_side(name)
    return left is not None and left.kind in KNOWN


def is_quantity(name: str) -> bool:
    """Whether a name is that of a part of the model, such as M, M22, C or tau1, as no parameter is called."""
    word, digits = stem_and_number(name)
    return len(digits) in {"M": (0, 2), "C": (0, 2), "T": (0, 1), "U": (0, 1), "tau": (0, 1)}.get(word, ())


def target(source: Source, statement: Statement, equations: Equations, size: tuple[int, int]) -> Target:
    """What a line is about; `size` is that of its right side."""
    start, left = statement.left_start, left_side(statement.left)
    if left is None or len(statement.left) > 200:
        raise source.error(start, "the left side is a name with its indices, such as M[1,2]")
    kind = left.kind
    if left.word == "V" and size == (1, 1) and not left.digits and left.index is None:
        kind = "U"
    if kind not in KNOWN:
        error = UnknownNameError("quantity", left.head[:40], KNOWN)
        nearby = f'; did you mean "{error.nearest}"?' if error.nearest is not None else ""
        message = error.message if nearest(left.head, KNOWN) else error.message.replace(nearby, "", 1)
        own = f", a name of your own is defined by let {left.head[:40]} = ..." if left.index is None else ""
        raise source.error(start, f"{message}; the left side is such as M[1,2], g[1], Jv2[1,1] or f2[3]{own}")
    if kind in ("T", "U") and left.index is not None:
        what = "kinetic" if kind == "T" else "potential"
        raise source.error(
            start,
            f"{left.word} is the {what} energy, one scalar: write {left.word} = ..., or M[1,1] for the mass matrix",
        )
    return _Finder(source, start, equations, kind, left.digits, left.index, size).target()


class _Finder:
    def __init__(
        self, source: Source, start: int, equations: Equations, kind: str, digits: str, index: str | None,
        size: tuple[int, int],
    ) -> None:  # fmt: skip
        self.source, self.start, self.equations, self.size = source, start, equations, size
        self.kind, self.digits, self.index = kind, digits, index

    def target(self) -> Target:
        e, n, kind = self.equations, self.equations.n, self.kind
        if kind == "J" or (kind in ("Jv", "Jw") and not self.digits):
            return self.of_tool()
        if kind in (*LINK_MATRICES, *LINK_VECTORS):
            return self.of_link()
        if kind in ("T", "U"):
            each = e.kinetic_energies if kind == "T" else e.potential_energies
            if self.digits:
                link = self.link()
                return self.wanted((), lambda _: each[link], self.digits)
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
            raise self.source.error(self.start, f"{kind} is that of a link; write its number, such as {kind}2")
        k = self.link()
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

    def link_vector(self, k: int, weight: bool = True) -> Vector[Exact]:
        e, kind = self.equations, self.kind
        if kind in ("v", "vc"):
            moving = moving_frames(e.mechanism, e.state)[k]
            return moving.v if kind == "v" else moving.v_com
        solved = e.newton_euler if weight else newton_euler(e.mechanism, e.state, e.mechanism.null)
        motion, net, wrench = solved.motions[k], solved.net[k], solved.wrenches[k]
        return {
            "w": motion.w, "wd": motion.wd, "vd": motion.a, "vdc": motion.a_com,
            "F": net.force, "N": net.moment, "f": wrench.force, "n": wrench.moment,
        }[kind]  # fmt: skip

    def link(self) -> int:
        """The number of a link, from 0."""
        count, number = len(self.equations.mechanism.bodies), int(self.digits[:6])
        if not 1 <= number <= count:
            raise self.source.error(self.start, f"there is no link {number}; the robot has links 1 to {count}")
        return number - 1

    def indexed(self, shape: tuple[int, ...], entry: Entry) -> Target:
        """M12 is M[1,2]."""
        if self.digits and self.index is None:
            if len(self.digits) != len(shape):
                example = ",".join("12"[: len(shape)])
                raise self.source.error(
                    self.start, f"{self.kind} has {len(shape)} indices; write {self.kind}[{example}]"
                )
            self.index = ",".join(self.digits)
        return self.wanted(shape, entry)

    def wanted(self, shape: tuple[int, ...], entry: Entry, link: str = "") -> Target:
        """Which entries the line is about: `[1,2]`, `[:,1]`, `[1:2,1]`, or all of them."""
        parts = self.index.split(",") if self.index is not None else [":"] * len(shape)
        label = self.kind + link
        if len(parts) != len(shape) and not (len(parts) == len(shape) + 1 and parts[-1] == "1"):
            raise self.source.error(self.start, f"{label} has {len(shape)} indices, not {len(parts)}")
        if len(shape) == 3 and (self.index is None or ":" in self.index):
            raise self.source.error(self.start, f"write {label} with its three indices, such as c[1,2,1]")
        ranges = [self.range(part, size, label) for part, size in zip(parts, shape, strict=False)]
        chosen: list[tuple[int, ...]] = [()]
        for numbers in ranges:
            chosen = [(*before, k) for before in chosen for k in numbers]
        lengths = [len(numbers) for numbers in ranges]
        size = (lengths[0] if lengths else 1, lengths[1] if len(lengths) == 2 else 1)
        return Target(label, shape, entry, tuple(chosen), size, self.kind)

    def range(self, part: str, size: int, label: str) -> range:
        before, colon, after = part.partition(":") if _INDEX.fullmatch(part) else ("0", "", "")
        low = int(before or 1)
        high = int(after or size) if colon else low
        if not part or not 1 <= low <= high <= size:
            raise self.source.error(self.start, f'{label} has no index "{part}"; it goes from 1 to {size}')
        return range(low - 1, high)
