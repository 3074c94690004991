"""The torques of a state in words: every statement against a calculation by hand, or against another verb."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import state_torques
from tests.support.arms import INERTIA, LENGTH, G, cartesian, pendulum
from tests.support.command_line import caller
from tests.support.strategies import Case, coupled, robots

WEIGHT = G * LENGTH / 2
"""The torque that holds the level pendulum [N m]."""


def words(robot: dynamis.Robot, q: Any, qd: Any = None, qdd: Any = None, **options: Any) -> tuple[str, ...]:
    (sentences,) = state_torques(robot, q, qd, qdd, words=True, **options).words
    return sentences


def test_statics() -> None:
    assert words(pendulum(), [0]) == (
        "The robot is at rest: the motors only hold it against gravity.",
        f"Gravity alone makes the torques: {WEIGHT:.4g} N m at joint 1.",
        "The largest reaction force is fy of joint 1 (in link axes), 9.81 N; without gravity it is 0 N.",
        "The reaction moments are zero, apart from those of the drives.",
    )
    assert words(pendulum(), [0], gravity=False)[0] == (
        "The robot is at rest, without gravity and loads: no torque is needed."
    )
    assert words(pendulum(), [0], gravity=False)[-2:] == (
        "The reaction forces are zero.",
        "The reaction moments are zero.",
    )
    force: Any = (0, -10, 0)
    loaded = words(pendulum(), [0], loads=[dynamis.Force("rod", force, point=(LENGTH, 0, 0))])  # type: ignore[arg-type]
    assert loaded[0] == "The robot is at rest: the motors only hold it against gravity and the loads."
    assert loaded[1] == f"Gravity changes the torque of joint 1 from 5 to {5 + WEIGHT:.4g} N m."
    hanging = words(pendulum(), [-np.pi / 2])
    assert hanging[1:3] == (
        "Gravity changes no torque.",
        "The largest reaction force is fx of joint 1 (in link axes), -9.81 N; without gravity it is 0 N.",
    )


@pytest.mark.parametrize(
    ("qd", "qdd", "first", "power", "although", "turned"),
    [
        (1, 1, "Joint 1 accelerates.", "drives", None, False),
        (1, -1, "Joint 1 brakes.", "drives", "brakes although its motor drives it: gravity holds it back", True),
        (
            -1,
            -1,
            "Joint 1 accelerates.",
            "holds back",
            "accelerates although its motor holds it back: gravity pull",
            True,
        ),
        (-1, 1, "Joint 1 brakes.", "holds back", None, False),
        (1, 0, "Joint 1 moves at constant speed.", "drives", None, None),
        (0, 1, "Joint 1 starts from rest.", None, None, False),
    ],
)
def test_accelerating_and_braking(
    qd: float, qdd: float, first: str, power: str | None, although: str | None, turned: bool | None
) -> None:
    """A level pendulum: tau = I qdd + m g l / 2, of which gravity is the larger part."""
    told = words(pendulum(), [0], [qd], [qdd])
    tau = INERTIA * qdd + WEIGHT
    assert told[0] == first
    assert (f"The motor of joint 1 {power} ({tau * qd:.4g} W)." in told) == (power is not None)
    assert [line for line in told if "although" in line] == [line for line in told if although and although in line]
    assert any("although" in line for line in told) == (although is not None)
    if turned is not None:
        assert f"Gravity changes the torque of joint 1 from {INERTIA * qdd:.4g} to {tau:.4g} N m." in told
        assert ("It turns the sign at joint 1." in told) == turned
        assert ("It turns no sign." in told) == (not turned)
        assert "It is the larger part at joint 1." in told


def test_friction_holds_back_and_other_joints_pull() -> None:
    told = words(pendulum(gravity=False, damping=5.0), [0], [1], [-1])
    assert "Joint 1 brakes although its motor drives it: friction holds it back." in told
    assert not any("ravity" in line for line in told)
    arm = dynamis.load("bar-2r")
    told = words(arm, [0.3, 0.5], [1, 0.1], [5, 0.05], gravity=False)
    tau = arm.inverse_dynamics([0.3, 0.5], [1, 0.1], [5, 0.05], gravity=False)
    assert tau[1] > 0
    told = words(arm, [0.3, 0.5], [1, -0.1], [5, -0.05], gravity=False)
    assert "Joint 2 accelerates although its motor holds it back: the other joints pull it along." in told


def test_a_slide_and_a_vertical_axis() -> None:
    """Two slides, the first one upward: (m1 + m2) (g + qdd), and a joint across gravity."""
    told = words(cartesian(1.5, 0.7), [0, 0], [1, 1], [1, -2])
    assert told[0] == "Joint 1 accelerates, joint 2 brakes."
    assert told[1] == (
        f"The motor of joint 1 drives ({2.2 * (G + 1):.4g} W), the motor of joint 2 holds back (-1.4 W); "
        f"{2.2 * (G + 1) - 1.4:.4g} W in all."
    )
    assert f"Gravity changes the force of joint 1 from 2.2 to {2.2 * (G + 1):.4g} N." in told
    assert "It does not act on joint 2; joint 2 slides across it." in told
    mixed = words(dynamis.load("genova-rp"), [0.3, -0.2], [1, 0], [1, 1])
    assert any(
        re.fullmatch(r"Gravity changes the torque of joint 1 .* N m and the force of joint 2 .* N\.", x) for x in mixed
    )
    rest = words(dynamis.load("genova-rp"), [0.3, -0.2])
    assert rest[1].startswith("Gravity alone makes the torques and forces: ")
    ur5 = words(dynamis.load("ur5"), [0, -0.8, 1, 0, 1.5, 0], np.ones(6), np.ones(6))
    assert any(line.endswith("the axis of joint 1 is parallel to it.") for line in ur5)


def joints_in(text: str) -> set[int]:
    return {int(k) for k in re.findall(r"\d+", text)}


@settings(max_examples=12)
@given(robots(joints=(1, 5)), st.booleans(), st.integers(0, 1000), st.sampled_from(["joint", "parent_tip"]))
def test_on_any_robot(case: Case, couple: bool, seed: int, convention: Any) -> None:
    """Signs and powers from other verbs; the largest reaction is an entry of the table of reactions, and only entries
    that are a drive's alone, which the convention "parent_tip" removes, are larger."""
    assume(any(part.moves and part.mass > 0 for part in case.parts))
    robot = coupled(case, seed)[0] if couple else case.robot()
    q, qd, qdd = np.random.default_rng(seed).normal(size=(3, robot.n))
    gravity = (1.0, -2.0, -9.0)
    found = state_torques(robot, q, qd, qdd, words=True, gravity=gravity, reactions=convention)
    told = "\n".join(found.words[0])
    accelerating = re.search(r"(Joints? [\d, and]+) accelerates?", told.split("\n")[0])
    assert joints_in(accelerating[1] if accelerating else "") == {k + 1 for k in np.flatnonzero(qd * qdd > 0)}
    torque, own = robot.inverse_dynamics(q, qd, qdd, gravity=gravity), robot.gravity_torque(q, gravity=gravity)
    clear = min(np.abs(torque).min(), np.abs(torque - own).min()) > 1e-6 * np.abs(torque).max()
    if clear and np.abs(own).max() > 1e-6 * np.abs(torque).max():
        turned = re.search(r"It turns the sign at (.*)\.", told)
        signs = np.sign(torque) != np.sign(torque - own)
        assert joints_in(turned[1] if turned else "") == {k + 1 for k in np.flatnonzero(signs)}
        drives = re.search(r"of (joints? [\d, and]+) drives?", told)
        assert joints_in(drives[1] if drives else "") == {k + 1 for k in np.flatnonzero(torque * qd > 0)}
    assert found.reactions is not None
    without = robot.reactions(q, qd, qdd, gravity=gravity, convention="parent_tip")
    for kind, unit in (("force", "N"), ("moment", "N m")):
        table, removed = getattr(found.reactions, kind), np.abs(getattr(without, kind)) < 1e-9
        value = re.search(rf"he largest reaction {kind} is .([xyz]) of (.*?) \(.*?\), (\S+) {unit}[;.]", told)
        if value is None:
            assert np.abs(table[~removed] if robot.n == len(robot.joints) else table).max(initial=0) < 1e-6
            continue
        names = [
            f"joint {i}" if i else name for i, name in zip(found.reactions.numbers, found.reactions.joints, strict=True)
        ]
        row = names.index(value[2].removeprefix("coupled joint ").removeprefix("fixed joint "))
        assert float(value[3]) == pytest.approx(table[row, "xyz".index(value[1])], rel=1e-3)
        larger = np.abs(table) > np.abs(float(value[3])) * 1.001
        assert not larger.any() or (robot.n == len(robot.joints) and (removed | ~larger).all())


def test_skew_and_coupled_joints() -> None:
    """A drive along a skew axis has a part in every entry; a joint that follows others has no drive."""
    arm, (rod,) = pendulum(), pendulum().links
    arm = replace(arm, links=(replace(rod, joint=replace(rod.joint, axis=(0, 3, 4))),))
    skew, value = words(arm, [0.3], [1], [1]), arm.reactions([0.3], [1], [1])
    k = int(np.abs(value.moment).argmax())
    assert f"The largest reaction moment is n{'xyz'[k]} of joint 1 (in link axes, about its joint point" in skew[-1]
    assert f"{value.moment[0, k]:.4g} N m" in skew[-1]
    assert ("part of it the drive's" in skew[-1]) == (k > 0)
    straight = replace(rod, name="hand", parent=rod.name, mass=0.01, joint=replace(rod.joint, name="straight"))
    both = words(replace(arm, links=(*arm.links, straight)), [0.3, 0], [1, 0], [1, 0])[-1]
    assert both.startswith("Apart from entries that are a drive's torque alone, the largest reaction moment is ")
    assert "part of it the drive's" in both
    loop = dynamis.load("parallelogram")
    table = loop.reactions([1.2, 0.3], [1, -1], [0.1, 1])
    told = words(loop, [1.2, 0.3], [1, -1], [0.1, 1])
    assert told[-2].startswith("The largest reaction moment is nz of joint 1 (in link axes, about its joint point), ")
    assert f" {table.moment[0, 2]:.4g} N m" in told[-2]
    assert told[-1] == "The forces in what couples the joints (a belt, gears, a closing bar) are not in the reactions."
    assert words(loop, [1.2, 0.3], reactions="parent_tip")[-2] == (
        "The reaction moments are zero, apart from those along the joint axes."
    )
    assert words(cartesian(1.5, 0.7), [0, 0], gravity=False)[-1] == "The reaction moments are zero."


def test_many_states_pages_and_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = state_torques(pendulum(), [[0.0], [1.0]], [[1.0], [0.0]], words=True)
    assert [x[0] for x in found.words] == [
        "Joint 1 moves at constant speed.",
        "The robot is at rest: the motors only hold it against gravity.",
    ]
    assert "state 2: in words\nThe robot is at rest" in str(found)
    assert found.as_dict()["words"][0][0] == "Joint 1 moves at constant speed."
    for form in ("latex", "typst", "markdown", "html"):
        assert "moves at constant speed" in found.page(form)
    done = caller(monkeypatch, capsys, "inverse")("exercise-4.1-gravity", "--words")
    assert "\nIn words\nJoints 1 and 2 accelerate, joint 3 moves at constant speed.\n" in done.out
    assert "It does not act on joint 1; the axis of joint 1 is parallel to it." in done.out
    done = caller(monkeypatch, capsys, "inverse")("exercise-2.2", "--words")  # qd and qdd of joint 1 are both negative
    assert "\nIn words\nJoints 1 and 2 accelerate.\n" in done.out
    assert "in words" not in caller(monkeypatch, capsys, "inverse")("exercise-4.1-gravity").out.lower()


def test_rounding_is_no_power():
    """About a vertical axis at constant speed the torque of the UR5's first joint is 8e-16 N m: nobody drives."""
    words = dynamis.state_torques(dynamis.load("ur5"), [0, -0.8, 1.2, 0, 0.5, 0], [1, 0, 0, 0, 0, 0], words=True)
    assert "drive" not in words.table("words").split("Apart")[0]
