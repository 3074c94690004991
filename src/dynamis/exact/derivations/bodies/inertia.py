"""What can be asked of a body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.exact.derivations.bodies.question import BodyInertia as BodyInertia


@verb
class Inertia(Verb["BodyInertia"]):
    """Mass, centre of mass, inertia, principal axes and Euler matrix of a body, in numbers or in symbols.

    >>> found = inertia("cylinder", ["radius=r", "height=h", "mass=m"])
    >>> found.body.parameters() == {"r", "h", "m"}
    True
    """

    answer = "dynamis.exact.derivations.bodies.body_inertia:body_inertia"

    body: str = option(
        "a shipped body, a body file (.toml), a mesh (.stl, .obj, .ply, .glb), or a shape: box, ..., cad",
        kind="argument", metavar="BODY",
        offered="dynamis.model.formats.body_file:BODIES.names dynamis.model.formats.body_file:KINDS",
    )  # fmt: skip
    words: Sequence[str] = option(
        "sizes of a shape or a mesh: radius=0.1 height=h size=a,b,c mass=m density=2710 axis=x scale=0.001", default=(),
        kind="arguments", metavar="[KEY=VALUE]...",
    )  # fmt: skip
    _: KW_ONLY
    steps: bool = option("each part about its own CoM, rotated, shifted, and the sum", default=False)
    about: str | None = option(
        "also the inertia about this point, instead of the origin", default=None, metavar="X,Y,Z"
    )
    frame: str | None = option('everything in this frame, such as "Tz(0.1) Rx(pi/2)"', default=None, metavar="CHAIN")
    values: Mapping[str, str | float] | None = option(
        "values of symbols, each such as r=0.1", default=None, kind="values", metavar="NAME=VALUE"
    )
    repair: bool = option("repair meshes that are not closed or face inward", default=False)
    allow_overlap: bool = option("do not check whether parts overlap and holes lie inside", default=False)
    digits: int = option("significant digits of the numbers", default=6, least=2, most=15)


inertia = function(Inertia)
