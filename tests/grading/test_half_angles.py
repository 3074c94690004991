"""Answers in half angles: 2 cos(q1/2)^2 - 1 is cos(q1), whatever the robot, and cos(q1/2) alone is nothing of it."""

import random
from collections.abc import Iterator
from math import atan2, cos, pi, sin

import pytest

import dynamis
from dynamis import Joint, Robot
from dynamis.grading.check import check_answer
from dynamis.scalars.exact.ring import Exact
from tests.support.coupled_robots import ROBOTS, arm

ELBOW = dynamis.load("planar-elbow")
HALF_SPEED = arm(Joint("q1"), Joint("q2", before="Tx(l) Rx(pi/3)", coupling={"q1": "1/2"}, coupling_offset="pi/6"))
"""The first link depends on cos(q1), the second on cos(q1/2 + pi/6)."""


def random_robot(rng: random.Random) -> Robot:
    axes = ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    joints = [Joint("q1", axis=rng.choice(axes)), Joint("q2", axis=rng.choice(axes), before="Tx(l)")]
    if rng.random() < 0.5:
        joints.append(Joint("q3", "prismatic", axis=rng.choice(axes)))
    return arm(*joints)


def halved(functions: list[tuple[str, str]], rng: random.Random) -> Iterator[str]:
    """Factors sin(q) and cos(q), as (name, joint), in half angles; two angles also in halves of sum and difference."""
    rest = list(functions)
    while rest:
        (f, a), *rest = rest
        other = next((pair for pair in rest if pair[1] != a), None)
        if other is not None and rng.random() < 0.5:
            rest.remove(other)
            g, b = other
            if f == "cos" and g == "sin":
                (f, a), (g, b) = (g, b), (f, a)
            plus, minus = (
                rng.choice([f"({a} + {b})/2", f"{a}/2 + {b}/2"]),
                rng.choice([f"({a} - {b})/2", f"0.5*{a} - {b}/2"]),
            )
            if f == g == "cos":
                yield f"(cos({plus})^2 + cos({minus})^2 - 1)"
            elif f == g:
                yield f"(cos({minus})^2 - cos({plus})^2)"
            else:
                yield f"(sin({plus})*cos({plus}) + sin({minus})*cos({minus}))"
        elif f == "sin":
            yield rng.choice([f"2*sin({a}/2)*cos({a}/2)", f"sin({a})"])
        else:
            forms = f"(2*cos({a}/2)^2 - 1)", f"(1 - 2*sin({a}/2)^2)", f"(cos({a}/2)^2 - sin({a}/2)^2)", f"cos({a})"
            yield rng.choice(forms)


def written(scalar: Exact, rng: random.Random, wrong: int = -1, whole: frozenset[str] = frozenset()) -> str:
    """A formula with angles halved at random, but for those of `whole`; the term `wrong` has another coefficient."""
    terms: list[str] = []
    for k, (powers, number) in enumerate(scalar.powers()):
        followers = [f"{s}^{power}" for s, power in powers if s.is_trig and s.of in whole]
        functions = [(s[:3], s.of) for s, power in powers for _ in range(power) if s.is_trig and s.of not in whole]
        rates = {s: "d" * s.order + s.of if s.kind == "coordinate" else s for s, _ in powers}
        others = [f"{rates[s]}^{power}" for s, power in powers if not s.is_trig]
        number = number if k != wrong else number * rng.choice([2, -1, 3])
        terms.append("*".join([f"({number})", *halved(functions, rng), *followers, *others]))
    return " + ".join(terms) or "0"


def entries(robot: Robot) -> dict[str, Exact]:
    model, n = robot.equations(), range(robot.n)
    M = {f"M[{i + 1},{j + 1}]": model.M[i, j] for i in n for j in n if i >= j}
    vectors = {"c": model.coriolis, "g": model.gravity}
    return M | {f"{name}[{i + 1}]": vector[i] for name, vector in vectors.items() for i in n}


@pytest.mark.parametrize("seed", range(8))
def test_what_is_right_in_half_angles(seed: int):
    rng = random.Random(seed)
    robot = random_robot(rng)
    answer = "".join(f"{name} = {written(scalar, rng)}\n" for name, scalar in entries(robot).items())
    assert "/2)" in answer
    report = check_answer(robot, answer)
    assert report.verdict == "right", str(report)


@pytest.mark.parametrize("seed", range(8))
def test_a_coefficient_that_is_wrong_in_half_angles(seed: int):
    rng = random.Random(seed)
    robot = random_robot(rng)
    model = entries(robot)
    spoilt = rng.choice([name for name, scalar in model.items() if scalar])
    place = rng.randrange(len(model[spoilt]))
    lines = {name: written(scalar, rng, place if name == spoilt else -1) for name, scalar in model.items()}
    report = check_answer(robot, "".join(f"{name} = {line}\n" for name, line in lines.items()))
    assert report.verdict == "wrong"
    assert [entry.name for entry in report.wrong] == [spoilt]
    assert not report.unread


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("g[2] = m2*lc2*g*(2*cos((q1 + q2)/2)^2 - 1)", True),
        ("g[2] = m2*lc2*g*(2*cos((q1 - q2)/2)^2 - 1)", False),
        ("let c = cos(q2/2), s = sin(q2/2)\nc[2] = 2*m2*l1*lc2*s*c*dq1^2", True),
        ("let c = cos(q2/2), s = sin(q2/2)\nc[2] = 2*m2*l1*lc2*s*dq1^2", False),
        ("c[2] = 4*m2*l1*lc2*sin(q2/2)*cos(q2/2)^3*dq1^2 - m2*l1*lc2*sin(2*q2)/2*dq1^2", True),
        ("c[2] = m2*l1*lc2*(3*sin(q2/2) - 4*sin(q2/2)^3)*dq1^2", False),
        ("c[2] = m2*l1*lc2*(sin(3*q2/2)*cos(q2/2) - sin(q2/2)*cos(3*q2/2))*dq1^2", True),
        (r"g_2 = m_2 l_{c2} g \left(1 - 2\sin^2\frac{q_1 + q_2}{2}\right)", True),
        ("c[2] = m2*l1*lc2*(1 - cos(q2))*cos(q2/2)/sin(q2/2)*dq1^2", True),
        ("c[2] = m2*l1*lc2*(1 + cos(q2))*cos(q2/2)/sin(q2/2)*dq1^2", False),
        ("c[2] = m2*l1*lc2*2*0.5*sin(0.5*q2)*cos(0.5*q2)*2*dq1^2", True),
        ("T = 1/2*m2*dq2^2\nU = 2*m2*g*lc2*sin(q2/2)*cos(q2/2)\nlet D = diff(U, q2)\n"
         "g[2] = D - m2*lc2*g*cos(q2) + m2*lc2*g*cos(q1 + q2)", True),
        ("U = m2*g*cos(q2/2)\nlet D = diff(U, q2, q2)\ng[2] = D + m2*g*cos(q2/2)/4 + m2*lc2*g*cos(q1 + q2)", True),
    ],
)  # fmt: skip
def test_forms_of_half_angles(text: str, right: bool):
    assert check_answer(ELBOW, text).entries[-1].right == right


def test_a_point_that_shows_an_odd_half_angle():
    """Where g[2] = cos((q1 + q2)/2)^2 + cos(q1/2) is wrong, at angles that its halves and wholes agree on."""
    report = check_answer(ELBOW, "g[2] = m2*lc2*g*cos(q1/2)*sin(q2/2)")
    (entry,) = report.entries
    point = dict.fromkeys(("q1", "q2"), 0.0) | {
        name: eval(text, {"pi": pi, "arctan2": atan2}) for name, text in entry.point.values.items()
    }
    size = point.get("m2", 1) * point.get("lc2", 1) * point.get("g", 1)
    assert entry.point.yours == pytest.approx(size * cos(point["q1"] / 2) * sin(point["q2"] / 2))
    assert entry.point.true == pytest.approx(size * cos(point["q1"] + point["q2"]))
    assert "extra: m2*lc2*g*cos(0.5*q1)*sin(0.5*q2)" in str(report)


def test_other_fractions_are_told():
    report = check_answer(ELBOW, "g[1] = m1*cos(q1/3)\ng[2] = m2*lc2*g*(1 - 2*sin((q1 + q2)/2)^2)")
    assert [entry.status for entry in report.entries] == ["equal"]
    assert [error.problem for error in report.unread] == [
        '"1/3*q1" is not a sum of whole and half angles of this robot'
    ]


@pytest.mark.parametrize("robot", [HALF_SPEED, ROBOTS["differential"]], ids=["half speed", "differential"])
@pytest.mark.parametrize("seed", range(2))
def test_joints_that_follow_by_halves(robot: Robot, seed: int):
    rng = random.Random(seed)
    model = {name: scalar for name, scalar in entries(robot).items() if name[0] in "Mg"}
    followers = frozenset(joint.name for joint in robot.joints if joint.coupling)
    answer = "".join(f"{name} = {written(scalar, rng, -1, followers)}\n" for name, scalar in model.items())
    assert all(entry.right for entry in check_answer(robot, answer).entries)
    spoilt = "".join(f"{name} = {written(scalar, rng, 0, followers)}\n" for name, scalar in model.items() if scalar)
    assert not any(entry.right for entry in check_answer(robot, spoilt).entries)


def test_whole_angles_of_a_leader_in_those_of_its_follower():
    """q2 = q1/2 + pi/6, so cos(q1) = cos(2 q2 - pi/3)."""
    U = HALF_SPEED.equations().potential_energy
    text = written(U, random.Random(1), -1, frozenset({"q1", "q2"}))
    replaced = text.replace("cos(q1)", "cos(2*q2 - pi/3)").replace("sin(q1)", "sin(2*q2 - pi/3)")
    assert replaced != text
    assert check_answer(HALF_SPEED, f"U = {replaced}").entries[0].right
    assert check_answer(HALF_SPEED, f"U = {text.replace('cos(q2)', 'cos(q1/2 + pi/6)')}").entries[0].right
    assert not check_answer(HALF_SPEED, f"U = {text.replace('cos(q2)', 'cos(q1/2)')}").entries[0].right
