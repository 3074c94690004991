"""The names of what can be asked for alone (`only`), in symbols or numbers: M, M[1,2], c[1], A[2], T[0,c2], ...

>>> [str(name) for name in read_names("M, c[2] T0c2")]
['M', 'c[2]', 'T[0,c2]']
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.base.faces import request

Indices = tuple[str, ...]
"""What the indices of an entry count: joint, link, row (of a Jacobian), or frame."""


@dataclass(frozen=True)
class Kind:
    """A kind of entry: how it is written, what its indices may be, and what all of it and one of it is called.

    What has no `examples` is asked for in numbers alone, of a state.
    """

    examples: tuple[str, ...] = ()
    indices: tuple[Indices, ...] = ()
    words: tuple[str, ...] = ()
    """A heading for each of the `indices`, with these in it."""


KINDS = {
    "M": Kind(("M", "M[1,2]"), ((), ("joint", "joint")), ("Mass matrix", "Mass matrix, row {} and column {}")),
    "c": Kind(
        ("c", "c[1]"), ((), ("joint",)),
        ("Coriolis and centrifugal torques", "Coriolis and centrifugal torque of joint {}"),
    ),
    "christoffel": Kind(
        ("christoffel", "christoffel[1,2,1]"), ((), ("joint", "joint", "joint")),
        ("Christoffel symbols", "Christoffel symbol {}, {}, {}"),
    ),
    "C": Kind(("C", "C[1,2]"), ((), ("joint", "joint")), ("Coriolis matrix", "Coriolis matrix, row {} and column {}")),
    "Ck": Kind(("Ck", "Ck[1]"), ((), ("joint",)), ("Christoffel matrices", "Christoffel matrix of joint {}")),
    "S": Kind(("S",), ((),), ("Two factorisations of the Coriolis and centrifugal torques",)),
    "g": Kind(("g", "g[1]"), ((), ("joint",)), ("Gravity torques", "Gravity torque of joint {}")),
    "Q": Kind(
        ("Q", "Q[1]"), ((), ("joint",)),
        ("Generalised forces of the loads", "Generalised force of the loads on joint {}"),
    ),
    "tau": Kind(("tau", "tau[1]"), ((), ("joint",)), ("Equations of motion", "Equation of motion of joint {}")),
    "T": Kind(
        ("T", "T[1]", "T[0,2]", "T[0,c2]", "T[0,tool]"), ((), ("link",), ("frame", "frame")),
        ("Kinetic energy", "Kinetic energy of link {}", "Transform to {} from {}"),
    ),
    "U": Kind(("U", "U[1]"), ((), ("link",)), ("Potential energy", "Potential energy of link {}")),
    "L": Kind(("L",), ((),), ("Lagrangian",)),
    "A": Kind(("A", "A[1]"), ((), ("link",)), ("Transforms of the links", "Transform of link {}")),
    "p": Kind(("p[c2]", "p[tool]"), (("frame",),), ("Position of {}",)),
    "J": Kind(("J", "J[1,2]"), ((), ("row", "joint")), ("Jacobian", "Jacobian, row {} and column {}")),
    "Jv": Kind(("Jv", "Jv[1]"), ((), ("link",)), ("Linear Jacobians of the CoMs", "Linear Jacobian of link {}")),
    "Jw": Kind(("Jw", "Jw[1]"), ((), ("link",)), ("Angular Jacobians of the links", "Angular Jacobian of link {}")),
    "Ibase": Kind(
        ("Ibase", "Ibase[1]"), ((), ("link",)),
        ("Inertias of the links in base axes", "Inertia of link {} in base axes"),
    ),
    "Y": Kind(("Y",), ((),), ("Regressor of the inertial parameters",)),
} | dict.fromkeys(
    ("poses", "frame", "motion", "reactions", "recursion", "components", "Jc", "Jd", "Jcd", "H", "Hc", "Lambda", "mu",
     "pi"), Kind(),
)  # fmt: skip
"""What can be asked for."""
JACOBIAN_ROWS = 6
"""Rows of a Jacobian."""
_NUMBER = "(?:0|[1-9][0-9]{0,5})"
_LIST = rf"{_NUMBER}(?:\s*,\s*{_NUMBER})*"
_FRAME = r"[^][(),;\s](?:[^][(),;]*[^][(),;\s])?"
_INDICES = rf"\s*({_FRAME}(?:\s*,\s*{_FRAME})*)\s*"
_ENTRY = re.compile(rf"\s*([A-Za-z]+?)_?\s*(?:\[{_INDICES}\]|\({_INDICES}\)|({_LIST}))?\s*(?:[,;]|(?=\s)|$)")
# T02, T0c2, T2tool: the frames of a transform behind each other; T_tool and T_c2 begin at the base.
_TRANSFORM = re.compile(r"\s*T_?(?:(0|[1-9])_?([1-9]|c[1-9]|tool)|()(c[1-9]|tool))\s*(?:[,;]|(?=\s)|$)")
_PLAIN_NUMBER = re.compile(_NUMBER)
_OF_JOINTS = ("M", "C", "c", "christoffel", "J", "Jc", "Jd", "Jcd", "H", "Hc", "Lambda")


@dataclass(frozen=True)
class EntryName:
    """An entry by its name and its indices, as they are written."""

    name: str
    indices: Indices = ()

    def __str__(self) -> str:
        return f"{self.name}[{','.join(self.indices)}]" if self.indices else self.name

    @property
    def title(self) -> str:
        """In words, for a heading.

        >>> EntryName("T", ("0", "c2")).title
        'Transform to the base from the CoM of link 2'
        """
        kind = KINDS[self.name]
        words = dict(zip(map(len, kind.indices), kind.words, strict=True))[len(self.indices)]
        frames = self.indices and self.counts[0] == "frame"
        return words.format(*(map(_frame_words, self.indices) if frames else self.indices))

    @property
    def counts(self) -> Indices:
        """What the indices count."""
        return next(counts for counts in KINDS[self.name].indices if len(counts) == len(self.indices))


def _frame_words(index: str) -> str:
    """What a frame is: 0, 2, c2, the tool or a name."""
    if index in ("0", "tool"):
        return "the base" if index == "0" else "the tool"
    match = re.fullmatch(rf"(c?)({_NUMBER})", index)
    return index if match is None else f"{'the CoM of ' if match[1] else ''}link {match[2]}"


def read_names(
    text: str, joints: int = 9, links: int = 9, frames: Container[str] = (), robot: str = "ROBOT"
) -> list[EntryName]:
    """The entries in symbols that a text asks for, of a robot with so many joints and links and these `frames`.

    M12 is M[1,2] and T02 is T[0,2] where there are fewer than ten; with more, T12 could be two things and is refused.
    """
    entries = split_names(text, joints, links, _ALLOWED)
    for entry in entries:
        if entry.name in KINDS and not KINDS[entry.name].examples:
            state = request("state", robot, q="...", only=entry.name)
            raise ArgumentError(
                f"{literal(text)}: {entry.name} has no formula here; {state} gives its numbers", key="only"
            )
    return [_check_entry(entry, text, joints, links, frames) for entry in entries]


def split_names(text: str, joints: int, links: int, allowed: str) -> list[EntryName]:
    """The entries that a text asks for, each once, not checked yet; an error ends in what is `allowed`."""
    matches = list(_matches(text, allowed))
    entries = [_transform(match, text, links) if match.re is _TRANSFORM else _entry(match, joints) for match in matches]
    return list(dict.fromkeys(entries))


def _matches(text: str, allowed: str) -> Iterator[re.Match[str]]:
    """The parts of a text, each the name of an entry."""
    position = 0
    while position == 0 or text[position:].strip():
        match = _TRANSFORM.match(text, position) or _ENTRY.match(text, position)
        if match is None:
            indices = "(indices count from 1, without leading zeros)"
            problem = f"{literal(text)} is not an entry {indices}" if text.strip() else "no entry is named"
            raise ArgumentError(f"{problem}; {allowed}", key="only")
        yield match
        position = match.end()


def _transform(match: re.Match[str], text: str, links: int) -> EntryName:
    """T02 as T[0,2]; T12 of a robot with twelve links may also be the kinetic energy of link 12."""
    a, b = match[1] or "0", match[2] or match[4]
    if links > 9 and b.isdigit() and a != "0":
        raise ArgumentError(
            f"{literal(text)}: {match[0].strip(' ,;')} may be the transform T[{a},{b}] or the kinetic energy "
            f"T[{a}{b}] of link {a}{b}; write one of them",
            key="only",
        )
    return EntryName("T", (a, b))


def _entry(match: re.Match[str], joints: int) -> EntryName:
    name, inside = match[1], match[2] or match[3] or match[4]
    indices = tuple(part.strip() for part in inside.split(",")) if inside else ()
    # M12 is M[1,2]; where there is a joint 12 it may be another.
    if len(indices) == 1 and name in _OF_JOINTS and joints < 10 and indices[0].isdigit():
        indices = tuple(indices[0])
    if name == "c" and len(indices) == 3:
        name = "christoffel"
    if name == "C" and len(indices) == 1 and (joints < 10 or not match[4]):
        name = "Ck"  # C[2] has the entries c[i,j,2]
    if name == "T" and len(indices) == 1 and not _PLAIN_NUMBER.fullmatch(indices[0]):
        indices = ("0", indices[0])  # T[tool], T[c2]
    return EntryName(name, indices)


def _check_entry(entry: EntryName, text: str, joints: int, links: int, frames: Container[str]) -> EntryName:
    """The entry, if there can be one: as many indices as it has, each within its bounds."""
    symbolic = [name for name, kind in KINDS.items() if kind.examples]
    if entry.name not in KINDS:
        raise UnknownNameError("entry", entry.name, symbolic, key="only", complete=True)
    kind = KINDS[entry.name]
    if all(len(entry.indices) != len(counts) for counts in kind.indices):
        count = len(entry.indices)
        raise ArgumentError(
            f"{literal(text)}: {entry.name} has no entry with {count} {'index' if count == 1 else 'indices'}; "
            f"write {' or '.join(kind.examples)}",
            key="only",
        )
    for index, counted in zip(entry.indices, entry.counts, strict=True):
        if counted == "frame" and (index in frames or not re.fullmatch(rf"c?{_NUMBER}", index)):
            continue  # a name, which the robot knows or not
        number = index.removeprefix("c") if counted == "frame" else index
        least = 0 if counted == "frame" and index.isdigit() else 1
        most, what = {
            "joint": (joints, "joints"), "link": (links, "links"), "frame": (links, "links"),
            "row": (JACOBIAN_ROWS, "rows of J"),
        }[counted]  # fmt: skip
        if not _PLAIN_NUMBER.fullmatch(number) or not least <= int(number) <= most:
            among = f"{what} {least} to {most}{'' if least else ' (0 is the base)'}"
            if index != number:
                among = f"CoMs of the links, which are c1{f' to c{most}' if most > 1 else ''}"
            raise ArgumentError(f"{literal(text)}: there is no {index[:20]} among the {among}", key="only")
    return entry


_ALLOWED = f"ask for one of {', '.join(example for kind in KINDS.values() for example in kind.examples)}"
