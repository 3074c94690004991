"""Rounded angles: what they round, and equations without symbols for them."""

import dynamis
from dynamis import Inertia, Joint, Link


def test_rounded_angles_become_multiples_of_15_degrees() -> None:
    links = (
        Link("one", Joint("q1", before="Rx(1.5708) Tz(1.5708)"), mass="m1", com=("c1", 0, 0)),
        Link("two", Joint("q2", before="Tx(l) Rx(-0.5236) Rz(0.7)"), "one", "m2", ("c2", 0, 0), Inertia.of(zz="I2")),
    )
    names = dict.fromkeys(["m1", "c1", "l", "m2", "c2", "I2", "g"], "")
    robot = dynamis.Robot("rounded", links, gravity=(0, 0, "-g"), parameters=names)
    exact = robot.with_exact_angles()
    assert [str(link.joint.before) for link in exact.links] == ["Rx(pi/2) Tz(1.5708)", "Tx(l) Rx(-pi/6) Rz(0.7)"]
    assert {"sin(1309/2500)", "sin(7/10)"} <= set(robot.equations().ring.symbols)  # 1.5708 is three times 0.5236
    assert [symbol for symbol in exact.equations().ring.symbols if symbol.angle] == ["sin(7/10)", "cos(7/10)"]
    assert exact.with_exact_angles() == exact
    assert isinstance(exact, dynamis.Robot)
