"""The walk over all expressions of a robot: it finds every one, and changes what it is told to."""

from __future__ import annotations

from dataclasses import replace

import dynamis
from dynamis import Frame, Inertia, Joint, Limits, Link, Robot
from dynamis.base.expressions.expression import Parameter
from dynamis.model.map_expressions import changed_fields, expressions_in, parameters_in
from dynamis.model.symbolic import symbolic

FIELDS = {
    "axis": ("a0", "a1", "a2"),
    "before": "Tx(b1) Rz(b2)",
    "after": "Ty(d1)",
    "limits": Limits("l1", "l2", "l3", "l4"),
    "damping": "f1",
    "coulomb": "f2",
    "gear_ratio": "r1",
    "rotor_inertia": "r2",
}
PLACED = ("a0", "a1", "a2", "b1", "b2", "d1", "e1", "t1", "u1", "g1", "g2", "g3")
DRIVES = ("l1", "l2", "l3", "l4", "f1", "f2", "r1", "r2", "c1", "c2")
NAMES = (*PLACED, *DRIVES, "m1", "x", "y", "z", "I1", "I2", "I3")


def full() -> Robot:
    """A robot with a parameter in every place."""
    inertia = Inertia.of(xx="I1", yy="I2", zz="I3", axes="Rx(t1)")
    one = Link("one", Joint("q1", **FIELDS), mass="m1", com=("x", "y", "z"), inertia=inertia)
    two = Link("two", Joint("q2", coupling={"q1": "c1"}, coupling_offset="c2"), "one")
    return Robot(
        "full", (one, two), gravity=("g1", "g2", "g3"), parameters=dict.fromkeys(NAMES, ""),
        frames=(Frame("eye", "one", "Tx(e1)"),), tool=Frame("tool", "two", "Tz(u1)"),
    )  # fmt: skip


def test_every_place_is_found() -> None:
    assert parameters_in(full()) == set(NAMES) == full().used_parameters()
    paths = [site.path for site in expressions_in(full())]
    assert len(paths) == len(set(paths))


def test_every_place_can_be_changed() -> None:
    robot = full()
    names = {name: f"{name}_new" for name in NAMES}
    fields = changed_fields(
        robot, lambda site: Parameter(names[str(site.expression)]) if site.parameters else site.expression
    )
    assert set(fields) == {"links", "frames", "tool", "gravity"}
    changed = replace(robot, **fields, parameters=dict.fromkeys(names.values(), ""))
    assert changed.used_parameters() == set(names.values())
    assert changed_fields(robot, lambda site: site.expression) == {}


def test_a_chain_along_one_axis_twice_has_two_lengths() -> None:
    robot = Robot("arm", (Link("arm", Joint("q1", before="Tx(0.5) Rz(0.7) Tx(0.2)"), mass=1, com=(0.1, 0, 0)),))
    found = symbolic(robot)
    assert str(found.links[0].joint.before) == "Tx(b1x) Rz(0.7) Tx(b1x_2)"
    assert {name: str(value) for name, value in found.values.items()} == {
        "b1x": "0.5", "b1x_2": "0.2", "m1": "1", "c1x": "0.1",
    }  # fmt: skip
    assert dynamis.load("ur5").symbolic().gravity_torque([0.3] * 6).shape == (6,)
