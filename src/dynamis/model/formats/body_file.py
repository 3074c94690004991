"""The body file: parts and holes in TOML (docs/bodies.md), also as the parts of a link in a robot file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynamis.base.errors import FormatError, ModelError, UnknownNameError
from dynamis.base.expressions.expression import Expression
from dynamis.base.expressions.parser import as_expression
from dynamis.base.shipped_files import Shipped
from dynamis.base.toml_table import Table, parse_toml, read_text
from dynamis.model.bodies.body import MAX_PARTS, Body, Parts
from dynamis.model.bodies.cad_body import cad
from dynamis.model.bodies.density import density_of, varies
from dynamis.model.bodies.mesh import read_mesh
from dynamis.model.bodies.shapes import SHAPES
from dynamis.model.bodies.solid import solid
from dynamis.model.fields import check_name
from dynamis.model.formats.frame_conventions import offset_and_rotation
from dynamis.model.placement import Placement
from dynamis.scalars.floats import Floats, number

KINDS = (*SHAPES, "mesh", "cad")
BODIES = Shipped("body", "model/bodies/library")


@dataclass(frozen=True)
class BodyFile:
    """A body with the values of its symbols, and what was not checked about it."""

    body: Body
    values: Mapping[str, Expression]
    parameters: Mapping[str, str]
    description: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()

    @property
    def with_values(self) -> Body:
        """The body with its values in place of its symbols."""
        return self.body.substituted(self.values)


def load_body(path: str | Path) -> Body:
    """A shipped body, or the one in a .toml file with [[part]] tables, its values in place of its symbols.

    Symbols without a value stay symbols; `body.with_values` gives them one.
    """
    return read_body_file(path).with_values


def read_body_file(path: str | Path, repair: bool = False, allow_overlap: bool = False) -> BodyFile:
    """A shipped body, or the body file at a path; `repair` mends its meshes where it can."""
    path = BODIES.path(path)
    if path.suffix.lower() != ".toml":
        raise FormatError("is not a body file; a body is a .toml file with [[part]] tables").at(str(path))
    return read_body(parse_toml(read_text(path), str(path)), repair, allow_overlap)


def read_body(file: Table, repair: bool = False, allow_overlap: bool = False) -> BodyFile:
    """The body that the tables of a file describe."""
    if "robot" in file:
        file.fail("robot", "is a robot file; a body file has [[part]] tables, and a link of a robot may have them")
    head = file.table("body", {})
    name = head.text("name", Path(file.lines.file).stem)
    with head.place("name"):
        check_name("body", name)
    description, source = head.text("description", ""), head.text("source", "")
    default = read_density(head)
    allow = head.flag("allow_overlap") or allow_overlap
    head.done()
    table = file.table("parameters", {})
    parameters = {key: table.text(key) for key in table.data}
    table = file.table("values", {})
    with table.place():
        values = {key: as_expression(value, key) for key, value in table.data.items()}
    for key, value in values.items():
        if symbols := sorted(value.parameters()):
            table.fail(key, f'value of "{key}" uses {symbols[0]}; a value is a number such as 0.5 or "pi/2"')
    body = read_parts(file, name, default, repair)
    file.done()
    _check_names(file, body, {*parameters, *values})
    body = body.allowing_overlap() if allow else body
    notes = check_parts(file, body, values)
    return BodyFile(body, values, {**dict.fromkeys(values, ""), **parameters}, description, source, notes)


def read_parts(file: Table, name: str, default: Expression | None = None, repair: bool = False) -> Body:
    """The sum of the [[part]] tables, less the [[hole]] tables."""
    parts, holes = file.tables("part"), file.tables("hole")
    if not parts:
        file.fail(None, "there is no [[part]]; a body has at least one")
    if len(parts) + len(holes) > MAX_PARTS:
        file.fail("part", f"there are {len(parts) + len(holes)} parts and holes; at most {MAX_PARTS} are read")
    signed = [(1, _read_part(part, k, default, repair)) for k, part in enumerate(parts, 1)]
    signed += [(-1, _read_solid(hole, "hole", k, default, repair)) for k, hole in enumerate(holes, 1)]
    return Body(name, Parts(tuple(signed)))


def check_parts(file: Table, body: Body, values: Mapping[str, Expression]) -> tuple[str, ...]:
    """Sizes, masses and overlaps with the values in place; sentences on what was not checked."""
    assert isinstance(body.content, Parts)
    tables = [*file.tables("part"), *file.tables("hole")]
    for table, (_, part) in zip(tables, body.content.signed, strict=True):
        with table.place():
            numeric = part.substituted(values)
            if not numeric.parameters():
                numeric.pieces(Floats({}))
    try:
        return body.substituted(values).check()
    except ModelError as error:
        matches = [
            t for t in (*tables, *(hole for t in tables for hole in t.tables("hole"))) if _has_name(t, error.link)
        ]
        error.link = None
        place = matches[-1] if matches else tables[0]
        raise error.at(file.lines.file, place.line()) from None


def _has_name(table: Table, name: str | None) -> bool:
    return table.data.get("name") == name and name is not None


def _read_part(entry: Table, number: int, default: Expression | None, repair: bool) -> Body:
    """A solid with its own holes, which move with it; they have the density of the part."""
    holes = entry.tables("hole")
    outer = _read_solid(entry, "part", number, default, repair)
    if not holes:
        return outer
    density = getattr(outer.content, "density", None)
    inner: list[tuple[int, Body]] = [(1, Body(f"{entry.data['shape']} of {outer.name}", outer.content))]
    for k, hole in enumerate(holes, 1):
        if density is None and not {"mass", "density"} & {*hole.data}:
            hole.fail(
                None, f'part "{outer.name}" has a mass, so the density of its hole is not known; give the hole one'
            )
        if density is not None and varies(density) and "density" not in hole:
            hole.fail(None, f'the density of part "{outer.name}" varies; give its hole a density in its own frame')
        inner.append((-1, _read_solid(hole, "hole", k, density, repair)))
    return Body(outer.name, Parts(tuple(inner)), outer.placement)


def _read_solid(entry: Table, what: str, number: int, default: Expression | None, repair: bool) -> Body:
    kind = entry.choice("shape", KINDS)
    name = entry.text("name", f"{kind} {number}" if what == "part" else f"hole {number}")
    placement = _read_placement(entry)
    with entry.place():
        content: Any = {"mesh": _mesh, "cad": _cad}.get(kind, _solid)(entry, kind, default, repair)
        entry.allowed_keys.append("hole")
        entry.done()
        return Body(name, content, placement)


def _read_placement(entry: Table) -> Placement:
    with entry.place():
        return offset_and_rotation(entry)


def _solid(entry: Table, kind: str, default: Expression | None, repair: bool) -> Any:
    values = {key: entry.get(key) for key in SHAPES[kind].keys if key in entry}
    entry.allowed_keys += [key for key in SHAPES[kind].keys if key not in values]
    mass, density = entry.get("mass", None), entry.get("density", None)
    if mass is None and density is None and SHAPES[kind].unit == "kg/m^3":
        density = default
    axis = entry.text("axis", "z") if SHAPES[kind].about_an_axis or "axis" in entry else "z"
    _refuse_unknown(entry)
    return solid(kind, mass=mass, density=density, axis=axis, **values)


def _mesh(entry: Table, kind: str, default: Expression | None, repair: bool) -> Any:
    path = entry.file_below("file", "the body file")
    mass, density = entry.get("mass", None), entry.get("density", None)
    density = default if mass is None and density is None else density
    mend = entry.flag("repair") or repair
    scale = entry.get("scale", 1)
    _refuse_unknown(entry)
    return read_mesh(path, mass=mass, density=density, scale=scale, repair=mend)


def _cad(entry: Table, kind: str, default: Expression | None, repair: bool) -> Any:
    keys = ("com", "moments", "axes", "inertia")
    values = {key: entry.get(key) for key in keys if key in entry}
    entry.allowed_keys += keys
    mass = entry.get("mass")
    _refuse_unknown(entry)
    return cad(mass=mass, **values)


def _refuse_unknown(entry: Table) -> None:
    """A misspelt key is named before its absence is."""
    entry.allowed_keys += ["hole"]
    entry.done()


def read_density(table: Table) -> Expression | None:
    """The density of the parts that give none."""
    value = table.get("density", None)
    if value is None:
        return None
    with table.place("density"):
        density = density_of(value)
        amount = None if varies(density) else number(density, {})
        if amount is not None and amount <= 0:
            raise ModelError(f"the density of the parts is {amount:g}; a density must be positive", key="density")
        return density


def _check_names(file: Table, body: Body, names: set[str]) -> None:
    for at, (_, part) in enumerate(body.content.signed if isinstance(body.content, Parts) else ()):
        for name in sorted(part.parameters()):
            if name not in names:
                error = UnknownNameError("parameter", name, sorted(names), within=f'part "{part.name}"')
                error.message += "; name it under [parameters] or [values]"
                raise error.at(file.lines.file, file.lines.line(("part", at)))
