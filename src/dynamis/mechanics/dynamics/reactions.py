"""What the bearings of a joint carry: its reaction, taken apart along and across the joint axis.

With f and n the wrench of the parent on the link about the joint point and k the unit joint axis,

    axial = k.f      radial = |f - k (k.f)|      tilting = |n - k (k.n)|

The moment along a revolute axis and the force along a prismatic one are the drive's: the axial force of a prismatic
joint is what its drive gives (less rotor and friction) and the moment about its axis, `twist` = k.n, is carried by the
guide; at a revolute joint it is the drive that gives `twist`. A fixed joint has no axis: its k is z of the link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynamis.mechanics.mechanism import Mechanism, Wrench
from dynamis.scalars.vectors import Vector

BEARING = ("axial force", "radial force", "force", "tilting moment", "twisting moment", "moment")
UNITS = ("N", "N", "N", "N m", "N m", "N m")


def bearing_loads(m: Mechanism[Any], wrenches: Sequence[Wrench[Any]]) -> list[list[Any]]:
    """Of every link's joint: axial, radial and whole force [N]; tilting, twisting and whole moment [N m]."""
    rows: list[list[Any]] = []
    sqrt = m.scalars.sqrt
    for body, x in m.of_links(list(zip(m.bodies, wrenches, strict=True))):
        k = body.k if body.joint is not None else Vector(m.zero, m.zero, m.one)
        row: list[Any] = []
        for v in (x.force, x.moment):
            along = k.dot(v)
            across = v - k * along
            row += [along, sqrt(across.dot(across)), sqrt(v.dot(v))]
        row[3], row[4] = row[4], row[3]
        rows.append(row)
    return rows
