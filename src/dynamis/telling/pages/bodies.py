"""Pages of bodies: what one is made of, its mass properties, its principal axes."""

from __future__ import annotations

from dynamis.model.bodies.body import Body, Parts
from dynamis.model.bodies.mass_properties import MassProperties, PrincipalAxes
from dynamis.telling.blocks import Column, Document, Note, Table, Words


def body_document(body: Body) -> Document:
    """What it is made of; mass, CoM and inertia where it has numbers."""
    words = Words(repr(body)[1:-1])
    if not (missing := sorted(body.parameters())):
        return Document("", (words, *mass_document(body.properties()).blocks))
    signed = body.content.signed if isinstance(body.content, Parts) else ((1, body),)
    rows = tuple(("hole" if sign < 0 else "part", repr(part)[6:-1], str(part.placement)) for sign, part in signed)
    note = f"no value for {', '.join(missing)}; dynamis.bodies.exact_body has mass, CoM and inertia in symbols"
    return Document("", (words, Table(("", "body", "placement"), rows), Note(note)))


def mass_document(body: MassProperties) -> Document:
    """Mass, CoM, and the inertia about it."""
    words = Words(f"mass {body.mass:.6g} kg, CoM ({', '.join(f'{x:.6g}' for x in body.com)}) m")
    columns = [Column(axis, form=".6g") for axis in "xyz"]
    rows = tuple((axis, *map(float, row)) for axis, row in zip("xyz", body.inertia, strict=True))
    notes = [Note(note) for note in body.notes]
    return Document("", (words, Table(("inertia about the CoM [kg m^2]", *columns), rows), *notes))


def axes_document(axes: PrincipalAxes) -> Document:
    """One row per axis."""
    columns = Column("moment", "kg m^2", ".6g"), *(Column(f"axis {c}", form=".4f") for c in "xyz")
    rows = zip(axes.moments, *axes.axes, strict=True)
    cells = tuple((k, *map(float, row)) for k, row in enumerate(rows, 1))
    return Document("", (Table(("principal axis", *columns), cells),))
