"""Robots with coupled joints, in symbols."""

from __future__ import annotations

import numpy as np

from dynamis import Frame, Inertia, Joint, Limits, Link, Robot


def arm(*joints: Joint, parents: tuple[int, ...] = ()) -> Robot:
    """Joints in a row, or on the links of `parents` (0 is the base), with symbols for all that the links have."""
    links: list[Link] = []
    for k, joint in enumerate(joints, 1):
        on = parents[k - 1] if parents else k - 1
        tensor = Inertia.of(about="com", xx=f"A{k}", yy=f"B{k}", zz=f"C{k}", allow_unphysical=True)
        links.append(Link(f"link {k}", joint, f"link {on}" if on else "base", f"m{k}", (f"c{k}", f"e{k}", 0), tensor))
    symbols = frozenset[str]().union(*(link.parameters() for link in links)) | {"g"}
    rng = np.random.default_rng(4)
    values = {name: round(float(rng.uniform(0.5, 2)), 3) for name in sorted(symbols)}
    return Robot("coupled", tuple(links), gravity=("0.3*g", "-g", "0.2"), values=values)  # type: ignore[arg-type]


DRIVE = {"damping": "b", "coulomb": "f", "rotor_inertia": "r"}
ROBOTS = {
    "parallelogram": arm(
        Joint("q1"), Joint("q2", before="Tx(l)", coupling={"q1": -1}, coupling_offset="pi/2", **DRIVE)
    ),
    "double angle": arm(Joint("q1"), Joint("q2", before="Tx(l) Rx(pi/3)", coupling={"q1": 2}, **DRIVE)),
    "level hand": arm(
        Joint("q1"), Joint("q2", before="Tx(l)"), Joint("q3", before="Tx(l)", coupling={"q1": -1, "q2": -1})
    ),
    "belt": arm(Joint("q1"), Joint("q2", before="Tx(l) Rx(0.4)", coupling={"q1": "k"}, coupling_offset="al", **DRIVE)),
    "decimal": arm(Joint("q1"), Joint("q2", before="Tx(l)", coupling={"q1": "1.0585"}, coupling_offset="0.7235")),
    "screw": arm(
        Joint("q1"), Joint("q2", "prismatic", before="Rx(pi/4)", coupling={"q1": "p"}, coupling_offset="h", **DRIVE)
    ),
    "rack": arm(Joint("x", "prismatic", (1, 0, 0)), Joint("wheel", coupling={"x": "1/l"}, **DRIVE)),
    "differential": arm(
        Joint("u1", axis=(0, 1, 0)), Joint("u2", axis=(0, 1, 0)),
        Joint("pitch", axis=(0, 1, 0), before="Tz(l)", coupling={"u1": "1/2", "u2": "1/2"}, **DRIVE),
        Joint("roll", axis=(1, 0, 0), coupling={"u1": "1/2", "u2": "-1/2"}),
        parents=(0, 0, 0, 3),
    ),
}  # fmt: skip

LEVEL_HAND = Robot("level hand", (
    Link("upper arm", Joint("q1"), mass=1),
    Link("forearm", Joint("q2", before="Tx(1)"), "upper arm", mass=1),
    Link("hand", Joint(
        "level", before="Tx(1)", coupling={"q1": -1, "q2": -1}, limits=Limits(lower=-0.8, upper=2, velocity=1)
    ), "forearm", mass=1),
), tool=Frame("tool", "hand"))  # fmt: skip
"""In numbers; the limits of its third joint are those of no coordinate, for it follows two."""
