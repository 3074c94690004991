"""What is different looks different: joints, parameters, fixed angles."""

import dynamis
from dynamis import Joint, Link
from dynamis.telling.notation import text


def arm(first: str, second: str, **parameters: str) -> dynamis.Robot:
    names = dict.fromkeys(["m1", "l", "g"], "") | parameters
    a = Link("a", Joint(first), mass="m1", com=("l", 0, 0))
    b = Link("b", Joint(second, before="Tx(l)"), "a", mass="m1", com=("l", 0, 0))
    return dynamis.Robot("arm", (a, b), gravity=(0, "-g", 0), parameters=names)


def test_two_arms_whose_joints_end_in_the_same_number():
    shown = text(arm("left_1", "right_1").equations().torques[1])
    assert shown == text(arm("q1", "q2").equations().torques[1])


def test_parameters_that_would_look_the_same_keep_their_names():
    link = Link("a", Joint("q1"), mass="m1", com=("l1", "l_1", 0))
    robot = dynamis.Robot("r", (link,), gravity=(0, "-g", 0), parameters=dict.fromkeys(["m1", "l1", "l_1", "g"], ""))
    assert text(robot.equations().gravity[0]) == "m₁ g (l1 cos q₁ − l_1 sin q₁)"


def test_a_joint_with_a_greek_name_and_an_odd_fixed_angle():
    link = Link("a", Joint("θ1", before="Rx(2*pi/5)"), mass="m1", com=("l", 0, 0))
    robot = dynamis.Robot("r", (link,), gravity=(0, "-g", 0), parameters=dict.fromkeys(["m1", "l", "g"], ""))
    assert "cos(2 π/5)" in text(robot.equations().gravity[0])
    assert all(proof.holds for proof in robot.equations().prove())


def test_fixed_angles_are_not_joints():
    """Neither 3/10 nor a parameter that ends with a number is the angle of a joint of that number."""
    first = Link("a", Joint("q1", before="Rx(0.3)"), mass="m1", com=("l", 0, 0))
    second = Link("b", Joint("q2", before="Tx(l) Rx(0.3) Ry(alpha7)"), "a", mass="m1", com=("l", 0, 0))
    names = dict.fromkeys(["m1", "l", "g", "alpha7"], "")
    shown = text(
        dynamis.Robot("r", (first, second), gravity=(0, 0, "-g"), parameters=names).equations().M[0, 0], "craig"
    )
    assert "₁₀" not in shown
    assert "₇²" not in shown.replace("α₇", "")
    assert "0.3" in shown
