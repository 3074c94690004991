"""What `dynamis inertia` is asked about: a body file, a mesh, or a solid in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dynamis.base.errors import ArgumentError, FormatError, UnknownNameError
from dynamis.base.faces import option
from dynamis.base.toml_table import exists
from dynamis.exact.derivations.bodies.exact_body import exact_body
from dynamis.exact.derivations.bodies.steps import body_page
from dynamis.model.bodies.body import Body
from dynamis.model.bodies.mesh import SUFFIXES, Mesh
from dynamis.model.bodies.shapes import SHAPES
from dynamis.model.formats.body_file import BODIES, read_body_file
from dynamis.model.placement import Placement, Step, triple
from dynamis.scalars.floats import number
from dynamis.telling.blocks import Document
from dynamis.telling.notation.text import text
from dynamis.telling.result import Result

WORD_KEYS = ("mass", "density", "axis", "placement", "scale")
CAD_KEYS = ("mass", "com", "moments", "axes", "inertia", "placement")


@dataclass(frozen=True)
class BodyInertia(Result):
    """Mass, CoM and inertia of a body: numbers in full, or formulas where it has symbols.

    notes: what was not checked about the body, or was repaired
    point: also about this point, instead of the origin [m]
    steps: every step on the way, not only the result
    digits: significant digits of the numbers on the page
    """

    body: Body
    notes: tuple[str, ...] = ()
    point: Sequence[Any] | None = None
    steps: bool = False
    digits: int = 6

    def document(self) -> Document:
        """The derivation."""
        page = body_page(self.body, self.point, self.steps, self.digits).document()
        return replace(page, data=self._data)

    def _data(self) -> dict[str, Any]:
        body, point = self.body, () if self.point is None else triple(self.point, "point")
        symbols = body.parameters().union(*(entry.parameters() for entry in point))
        data: dict[str, Any] = {"body": body.name, "symbols": sorted(symbols)}
        if symbols:
            exact = exact_body(body, more=point)
            tensors = {"inertia_about_com": exact.inertia, "euler_matrix": exact.euler_matrix}
            tensors |= {"inertia_about_point": exact.about(self.point)} if point else {}
            data |= {"mass": _formula(exact.mass), "com": [_formula(entry) for entry in exact.com]}
            data |= {key: [[_formula(entry) for entry in row] for row in rows] for key, rows in tensors.items()}
        else:
            properties = body.properties()
            data |= properties.as_dict()
            if point:
                data["inertia_about_point"] = properties.about([number(entry, {}) for entry in point]).tolist()
        if point:
            data["point"] = [str(entry) for entry in point]
        return {**data, "notes": list(self.notes)}


def find_body(
    subject: str, words: Sequence[str] = (), *, repair: bool = False, allow_overlap: bool = False
) -> BodyInertia:
    """The body of a .toml or mesh file, or of words such as `cylinder radius=r height=h mass=m`."""
    path = Path(subject)
    suffix = path.suffix.lower()
    if suffix == ".toml" or subject in BODIES.names():
        if words:
            values = option("values", "NAME=VALUE", "body.with_values")
            raise ArgumentError(f'"{words[0]}" has no place beside a body file; give its symbols values with {values}')
        file = read_body_file(subject, repair, allow_overlap)
        return BodyInertia(file.with_values, _repairs(file.body))
    if suffix in SUFFIXES:
        values, placement = _read_words("mesh", words)
        body = Body.mesh(path, repair=repair, **values).at(placement)
        return BodyInertia(body, _repairs(body))
    if subject in SHAPES:
        values, placement = _read_words(subject, words)
        return BodyInertia(Body.solid(subject, **values).at(placement))
    if subject == "cad":
        values, placement = _cad_words(words)
        return BodyInertia(Body.cad(**values).at(placement))
    if subject and exists(path):
        raise FormatError(f"is not a body file; a body is a .toml file or a mesh ({', '.join(SUFFIXES)})").at(subject)
    if suffix:
        raise FormatError("no such file").at(subject)
    raise UnknownNameError("shape or body", subject, (*SHAPES, "cad", *BODIES.names()))


def _read_words(what: str, words: Sequence[str]) -> tuple[dict[str, Any], str]:
    """KEY=VALUE words and the placement; lists as a file writes them, or `a,b,c` and corners `a,b,c; d,e,f`."""
    keys: Mapping[str, tuple[str, ...]] = SHAPES[what].keys if what in SHAPES else {}
    allowed = (*keys, *(k for k in WORD_KEYS if k != "scale" or what == "mesh"))
    values: dict[str, Any] = {}
    for key, value in _pairs(words, allowed, f"a {what}", "radius=0.1").items():
        if key == "vertices":
            values[key] = [entries(corner) for corner in _corners(value)]
        else:
            values[key] = entries(value) if len(keys.get(key, ())) > 1 else value
    return values, str(values.pop("placement", ""))


def _cad_words(words: Sequence[str]) -> tuple[dict[str, Any], str]:
    """CAD data: `mass=2 com=0,0,0.1 moments=1,2,2.5 axes=Rz(30deg)`, or three rows of axes, or `inertia` in rows."""
    values: dict[str, Any] = {}
    for key, value in _pairs(words, CAD_KEYS, "CAD data", "mass=2").items():
        if key == "inertia" or (key == "axes" and value.lstrip().startswith(("[", "-", *"0123456789"))):
            values[key] = [entries(row) for row in _corners(value)]
        else:
            values[key] = entries(value) if key in ("com", "moments") else value
    if "mass" not in values:
        raise ArgumentError("CAD data has no mass; give mass=...", key="mass")
    return values, str(values.pop("placement", ""))


def _pairs(words: Sequence[str], allowed: Sequence[str], what: str, example: str) -> dict[str, str]:
    """KEY=VALUE words, each key once."""
    pairs: dict[str, str] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not value:
            raise ArgumentError(f'"{word}" is not KEY=VALUE, such as {example}')
        if key not in allowed:
            raise UnknownNameError("key", key, allowed, within=what, key=key)
        if key in pairs:
            raise ArgumentError(f"{key} is given twice", key=key)
        pairs[key] = value
    return pairs


def _corners(text: str) -> list[str]:
    """`0,0,0; 1,0,0` or, as a file writes it, `[[0, 0, 0], [1, 0, 0]]`, taken apart."""
    return (
        [corner.strip(" []") for corner in text.split(";")]
        if ";" in text
        else re.findall(r"\[([^][]*)\]", text) or [text]
    )


def entries(text: str) -> list[str]:
    """A list of values on the command line, taken apart.

    >>> entries("a, b,c"), entries("[1, 2, 3]")
    (['a', 'b', 'c'], ['1', '2', '3'])
    """
    inner = text.strip()
    inner = inner[1:-1] if inner.startswith("[") and inner.endswith("]") else inner
    return [entry.strip() for entry in inner.split(",")]


def _repairs(body: Body) -> tuple[str, ...]:
    meshes = [leaf.content for _, leaf, _ in body.leaves() if isinstance(leaf.content, Mesh)]
    return tuple(f"repaired {mesh.source}: {', '.join(mesh.repaired)}" for mesh in meshes if mesh.repaired)


def seen_from(body: Body, frame: str) -> Body:
    """The body as it stands in a frame that a chain such as `Tz(0.1) Rx(pi/2)` places."""
    steps = tuple(Step(step.kind, step.axis, -step.amount) for step in reversed(Placement.parse(frame).steps))
    return body.at(Placement(steps))


def _formula(entry: Any) -> str:
    return text(entry, ascii_only=True, width=10**9)
