"""Reading URDF: what a file becomes, and the sentences that refuse one."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from dynamis import DynamisError, Force, Robot, ToolWrench
from dynamis.base.expressions.expression import Number
from dynamis.base.expressions.parser import parse
from dynamis.errors import UnknownNameError, UnphysicalWarning
from dynamis.model.formats.urdf.read import read_urdf
from dynamis.model.payload import acting_words, payload_words
from dynamis.model.robot import Frame

TENSOR = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
LINKS = '<link name="base"/>\n<link name="a"/>\n'
TURN = '<joint name="j" type="revolute"><parent link="base"/><child link="a"/></joint>\n'


def robot_of(inner: str) -> str:
    return f'<robot name="r">\n{inner}</robot>'


def joint_of(inner: str = "", kind: str = 'type="revolute"') -> str:
    """One joint; `inner` is in line 6."""
    return robot_of(f'{LINKS}<joint name="j" {kind}>\n<parent link="base"/><child link="a"/>\n{inner}\n</joint>')


def inertial_of(inner: str) -> str:
    """One link; `inner` starts in line 5."""
    return robot_of(f'<link name="base"/>\n<link name="a">\n<inertial>\n{inner}</inertial>\n</link>\n{TURN}')


def link_and_joint(link: str, parent: str, kind: str = "revolute", inner: str = "", body: str = "") -> str:
    return (
        f'<link name="{link}">{body}</link>\n<joint name="{link}_joint" type="{kind}">'
        f'<parent link="{parent}"/><child link="{link}"/>{inner}</joint>\n'
    )


def mass(value: float, xyz: str = "0 0 0") -> str:
    return f'<inertial><origin xyz="{xyz}"/><mass value="{value}"/>{TENSOR}</inertial>'


def load(text: str) -> Robot:
    return Robot.from_model(read_urdf(text, "r.urdf"))


# What a file becomes


@pytest.mark.parametrize("text", ["1e-3", "+0.5", ".5", "5.", "-1.5E+2", "0.1", "00.30"])
def test_decimals_stay_exact(text: str) -> None:
    joint = load(joint_of(f'<origin xyz="0 {text} 0"/><limit lower="-1000" upper="1000" velocity="7"/>')).joints[0]
    (step,) = joint.before.steps
    expected = parse(text.removeprefix("+"))
    assert isinstance(expected, Number)
    assert (step.kind, step.axis, step.amount) == ("T", "y", expected)


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("1.5707963267948966", "pi/2"),
        ("-1.57079632679", "-pi/2"),
        ("1.5708", "1.5708"),
        ("-2.0943951023931953", "-2*pi/3"),
        ("0.2617993877991494", "pi/12"),
        ("3.14159265359", "pi"),
        ("6.283185307179586", "2*pi"),
        ("0.5", "0.5"),
        # 0.9e-11 and 1.2e-11 away from pi/2.
        ("1.5707963268039", "pi/2"),
        ("1.5707963268069", "1.5707963268069"),
    ],
)
def test_angles_that_are_rounded_multiples_of_15_degrees_become_exact(text: str, becomes: str) -> None:
    joint = load(joint_of(f'<origin rpy="{text} 0 0"/>')).joints[0]
    assert str(joint.before) == f"Rx({becomes})"


def test_an_angle_that_is_zero_but_for_noise_is_no_step() -> None:
    assert load(joint_of('<origin xyz="0 0 0" rpy="1e-17 -0 0.0"/>')).joints[0].before.steps == ()


def test_an_origin_is_a_translation_then_yaw_pitch_roll() -> None:
    joint = load(joint_of('<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>')).joints[0]
    assert str(joint.before) == "Tx(1) Ty(2) Tz(3) Rz(0.3) Ry(0.2) Rx(0.1)"


def test_the_axis_is_x_unless_it_is_given_and_has_length_one() -> None:
    axes = [load(joint_of(inner)).joints[0].axis for inner in ("", '<axis xyz="0 -2 0"/>', '<axis xyz="0 3 4"/>')]
    assert [[str(entry) for entry in axis] for axis in axes] == [
        ["1", "0", "0"],
        ["0", "-1", "0"],
        ["0", "0.6", "0.8"],
    ]


def test_friction_and_limits() -> None:
    joint = load(
        joint_of('<limit lower="-1" upper="2" velocity="3" effort="4"/><dynamics damping="0.5" friction="0.25"/>')
    ).joints[0]
    assert [(name, str(value)) for name, value in joint.limits.items()] == [
        ("lower", "-1"), ("upper", "2"), ("velocity", "3"), ("effort", "4"),
    ]  # fmt: skip
    assert (str(joint.damping), str(joint.coulomb)) == ("0.5", "0.25")


@pytest.mark.parametrize(
    ("kind", "limit", "known"),
    [
        ("revolute", 'effort="4" velocity="3"', {"velocity": 3, "effort": 4}),
        ("revolute", 'upper="2"', {"lower": 0, "upper": 2}),
        ("revolute", 'lower="-1e30" upper="1" effort="1e30"', {"upper": 1}),
        ("prismatic", 'lower="0" upper="0"', {"lower": 0, "upper": 0}),
        ("continuous", 'lower="-1" upper="2" effort="4"', {"effort": 4}),
    ],
)
def test_limits_that_are_left_out(kind: str, limit: str, known: dict[str, float]) -> None:
    joint = load(joint_of(f"<limit {limit}/>", f'type="{kind}"')).joints[0]
    assert {name: float(str(value)) for name, value in joint.limits.items()} == known


def test_the_root_is_the_base_and_the_joints_are_in_document_order_parents_first() -> None:
    text = robot_of(
        link_and_joint("hand", "arm")
        + link_and_joint("arm", "turret", "prismatic")
        + link_and_joint("camera", "ground", "continuous")
        + link_and_joint("turret", "ground")
        + '<link name="ground"/>\n'
    )
    robot = load(text)
    assert robot.base == "ground"
    assert [link.name for link in robot.links] == ["camera", "turret", "arm", "hand"]
    assert [joint.kind for joint in robot.joints] == ["continuous", "revolute", "prismatic", "revolute"]
    assert robot.tool is None


def test_fixed_joints_are_merged_and_kept_as_frames() -> None:
    text = robot_of(
        f'<link name="ground">{mass(5)}</link>\n'
        + link_and_joint("stand", "ground", "fixed", '<origin xyz="0 0 1"/>', mass(2))
        + link_and_joint("arm", "stand", "revolute", '<origin xyz="0 0 0.5"/>', mass(1))
        + link_and_joint("flange", "arm", "fixed", '<origin xyz="0.5 0 0" rpy="0 0 1.5707963267948966"/>')
        + link_and_joint("gripper", "flange", "fixed", '<origin xyz="0.25 0 0"/>', mass(3, "0.25 0 0"))
    )
    robot = load(text)
    (arm,) = robot.links
    assert (arm.parent, str(arm.joint.before)) == ("ground", "Tz(1) Tz(0.5)")
    assert (str(arm.mass), [str(entry) for entry in arm.com]) == ("4", ["0.375", "0.375", "0"])
    assert [(frame.name, frame.link, str(frame.placement)) for frame in robot.frames] == [
        ("stand", "ground", "Tz(1)"),
        ("flange", "arm", "Tx(0.5) Rz(pi/2)"),
        ("gripper", "arm", "Tx(0.5) Rz(pi/2) Tx(0.25)"),
    ]
    assert robot.notes == (
        'base link "ground" does not move: its mass 5 kg is left out',
        "3 fixed joints merged into their parents, kept as frames: stand, flange, gripper",
        'mass that rests on the base "ground" does not move and is left out: stand',
    )
    assert robot.tool is not None
    assert (robot.tool.link, robot.tool.placement.steps) == ("arm", ())


@pytest.mark.parametrize(
    ("names", "tool"),
    [
        (["tool0"], "tool0"), (["ee_link", "tool0"], "tool0"), (["flange", "left_tcp"], "left_tcp"), (["camera"], None),
        (["panda_hand"], "panda_hand"), (["EE", "camera"], "EE"), (["wheel", "committee"], None), (["gripper"], None),
    ],
)  # fmt: skip
def test_the_tool_is_the_fixed_link_that_is_called_as_tools_are(names: list[str], tool: str | None) -> None:
    """The payload acts there, by the lever of that frame, and the answer says where."""
    arm = link_and_joint("a", "base", "revolute", '<axis xyz="0 1 0"/>', mass(1))
    fixed = [link_and_joint(name, "a", "fixed", f'<origin xyz="{k} 0 0"/>') for k, name in enumerate(names, 1)]
    robot = load(robot_of(LINKS.splitlines()[0] + arm + "".join(fixed)))
    lever = 0 if tool is None else names.index(tool) + 1
    held = robot.with_payload(2)
    np.testing.assert_allclose(held.gravity_torque([0.0]), [-2 * 9.81 * lever])
    assert payload_words(held) == (f"payload 2 kg at the tool ({tool or 'the frame of a'})",)
    wrench = ToolWrench(force=(0, 0, 1), direction="exerted_by_environment")
    assert acting_words(robot, [wrench])[0].endswith(f" ({tool or 'the frame of a'})")
    assert robot.with_tool(names[-1]).tool == Frame("tool", "a", robot.frame(names[-1]).placement)
    with pytest.raises(UnknownNameError, match='unknown link or frame "tol"'):
        robot.with_tool("tol")


def test_a_tool_frame_counts_at_the_end_alone() -> None:
    """A frame on an inner link is none, nor is a second arm's: two of one name leave the choice to the user."""
    turn = '<axis xyz="0 1 0"/>'
    arm = "".join(link_and_joint(name, parent, inner=turn) for name, parent in (("a", "base"), ("b", "a")))
    root = LINKS.splitlines()[0]
    assert load(robot_of(root + arm + link_and_joint("tool0", "a", "fixed"))).tool == Frame("tool", "b")
    arms = "".join(
        link_and_joint(side, "base", inner=turn) + link_and_joint(f"{side}_tool0", side, "fixed") for side in "lr"
    )
    assert load(robot_of(root + arms)).tool is None
    fingers = "".join(link_and_joint(name, "a", "prismatic") for name in ("b", "c"))
    hand = link_and_joint("a", "base", inner=turn) + fingers + link_and_joint("a_hand_tcp", "a", "fixed")
    tool = load(robot_of(root + hand)).tool
    assert tool is not None
    assert tool.link == "a"


def test_a_fixed_link_called_tool_is_the_tool() -> None:
    robot = load(
        robot_of(
            LINKS
            + TURN
            + link_and_joint("tip", "a", "fixed")
            + link_and_joint("tool", "tip", "fixed", '<origin xyz="1 0 0"/>')
        )
    )
    assert robot.tool is not None
    assert (robot.tool.link, str(robot.tool.placement)) == ("a", "Tx(1)")
    assert [frame.name for frame in robot.frames] == ["tip"]


def test_inertia_is_about_the_com_in_the_axes_of_its_origin() -> None:
    """A rod along x of its own axes, which stand along the link's z: I_zz is the small one."""
    text = inertial_of(
        '<origin xyz="0 0 0.5" rpy="0 -1.5707963267948966 0"/><mass value="2"/>'
        '<inertia ixx="0.5" iyy="2" izz="2" ixy="0" ixz="0" iyz="0"/>'
    )
    robot = load(text)
    tensor = robot.links[0].inertia.evaluate(robot.floats())
    assert np.array([list(row) for row in tensor]).tolist() == [[2, 0, 0], [0, 2, 0], [0, 0, 0.5]]
    assert robot.inverse_dynamics([0.0], [0.0], [1.0], gravity=False) == pytest.approx([2 + 2 * 0.5**2])


def test_a_transmission_with_a_motor_inertia_is_read() -> None:
    motor = "<mechanicalReduction>-50</mechanicalReduction><motorInertia> 2e-5 </motorInertia>"
    text = robot_of(LINKS + TURN + f'<transmission><joint name="j"/><actuator>{motor}</actuator></transmission>')
    joint = load(text).joints[0]
    assert (str(joint.gear_ratio), str(joint.rotor_inertia)) == ("-50", "0.00002")
    without = text.replace("<motorInertia> 2e-5 </motorInertia>", "")
    assert (str(load(without).joints[0].gear_ratio), str(load(without).joints[0].rotor_inertia)) == ("1", "0")


def test_what_is_not_dynamics_is_not_read() -> None:
    text = joint_of('<calibration rising="x"/><safety_controller k_velocity="?"/>').replace(
        '<link name="a"/>',
        '<link name="a"><visual><geometry><mesh filename="package://x/y.dae"/></geometry></visual><collision/></link>'
        '<gazebo reference="a"><mu1>?</mu1></gazebo><material name="m"><color rgba="?"/></material>',
    )
    assert load(text).n == 1


def test_an_inertia_that_no_body_has_warns() -> None:
    text = inertial_of(f'<mass value="1"/>{TENSOR.replace("izz=" + chr(34) + "1", "izz=" + chr(34) + "3")}')
    with pytest.warns(UnphysicalWarning, match='the inertia of link "a" about its CoM breaks the triangle inequality'):
        read_urdf(text, "r.urdf")


def test_one_warning_names_each_unphysical_link_of_the_file_once() -> None:
    bad = mass(1).replace('izz="1"', 'izz="3"')
    text = robot_of(
        '<link name="base"/>' + link_and_joint("a", "base", body=bad) + link_and_joint("b", "a", "fixed", body=bad)
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read_urdf(text, "r.urdf")
    (warning,) = caught
    assert str(warning.message).split('"')[3::2] == ["a", "b"]


def test_declaring_the_xacro_namespace_is_no_xacro() -> None:
    text = joint_of().replace('name="r"', 'name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"')
    assert load(text).n == 1


def test_mimic_is_a_coupling() -> None:
    """Without a multiplier it is 1, without an offset 0; a mimic joint may follow another one."""
    mimics = (
        link_and_joint("b", "a", inner='<mimic joint="j" multiplier="-2" offset="1.5707963267948966"/>'),
        link_and_joint("c", "a", "prismatic", '<mimic joint="b_joint" offset="0.5"/>'),
        link_and_joint("d", "a", inner='<mimic joint="j"/>'),
    )
    robot = load(joint_of().replace("</robot>", "".join(mimics) + "</robot>"))
    assert [coordinate.name for coordinate in robot.coordinates] == ["j"]
    assert [row.text(["j"]) for row in robot.couplings] == ["j", "-2*j + pi/2", "-2*j + 0.5 + pi/2", "j"]


def test_mimic_of_a_fixed_joint_is_ignored_and_noted() -> None:
    """Published files keep the <mimic> of a gripper whose joints were made fixed."""
    fixed = link_and_joint("b", "a", "fixed").replace("</joint>", '<mimic joint="nobody" multiplier="2"/></joint>')
    assert "<mimic" in fixed
    found = load(joint_of().replace("</robot>", f"{fixed}</robot>"))
    assert found.n == 1
    assert "<mimic> of a fixed joint has no effect and is ignored: b_joint" in found.notes


# The sentences that refuse a file

CYCLE = (
    '<link name="b"/>\n<link name="c"/>\n<joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint>\n'
    '<joint name="l" type="fixed"><parent link="c"/><child link="b"/></joint>'
)
MOTOR = '<transmission>\n<joint name="{}"/><actuator>{}<motorInertia>{}</motorInertia></actuator></transmission>'
CHAIN = "".join(link_and_joint(f"l{k}", f"l{k - 1}" if k else "a", "fixed") for k in range(51))
REFUSED = {
    '<sdf version="1.7"/>': "1: the file starts with <sdf>; a URDF starts with <robot>",
    "<robot/>": "1: <robot> has no name, which is required",
    '<robot name="r"/>': "1: the robot has no <link>; at least two links and a joint are needed",
    robot_of('<link name="base"/>'): '1: robot "r" has no joint; at least one that moves is needed',
    joint_of("", 'type="fixed"'): '1: robot "r" has no moving joint; at least one is needed',
    robot_of('<xacro:property name="l" value="1"/>'): (
        "2: xacro:property is xacro, which is not URDF yet; expand the file first: xacro robot.urdf.xacro > robot.urdf"
    ),
    joint_of('<origin xyz="${l} 0 0"/>'): (
        '6: xyz of <origin> is "${l}", which is xacro; expand the file first: xacro robot.urdf.xacro > robot.urdf'
    ),
    joint_of("", 'type="floating"'): (
        '4: joint "j" is floating; the joints that are read are revolute, continuous, prismatic, fixed'
    ),
    joint_of("", 'type="planar"'): (
        '4: joint "j" is planar; the joints that are read are revolute, continuous, prismatic, fixed'
    ),
    joint_of("", 'type="revolut"'): (
        '4: unknown type "revolut" in joint "j"; did you mean "revolute"? '
        "(known: revolute, continuous, prismatic, fixed)"
    ),
    joint_of("", ""): "4: <joint> has no type, which is required",
    joint_of('<mimic joint="other" multiplier="2"/>'): '6: unknown joint "other" in coupling of joint "j"',
    joint_of('<mimic joint="j"/>'): '6: joint "j" is coupled to itself; couple it to joints that move it',
    joint_of("<mimic/>"): "6: <mimic> has no joint, which is required",
    joint_of('<mimic joint="k" multiplier="x"/>'): '6: multiplier of <mimic> must be a number such as 0.5, got "x"',
    joint_of('<mimic joint="k" multiplier="0"/>'): (
        '6: joint "j" follows joint "k" with the factor 0; couple it to joints that move it'
    ),
    joint_of('<mimic joint="b_joint"/>').replace("</robot>", link_and_joint("b", "a", "fixed") + "</robot>"): (
        '6: joint "j" is coupled to joint "b_joint", which is fixed; couple it to one that moves'
    ),
    joint_of('<axis xyz="0 0 0"/>'): '6: joint "j" has axis [0, 0, 0]; an axis has a direction',
    joint_of('<axis xyz="0 0"/>'): '6: xyz of <axis> must be three numbers such as "0 0 0.5", got "0 0"',
    joint_of("<axis/>"): "6: <axis> has no xyz, which is required",
    joint_of('<origin xyz="0 nan 0"/>'): '6: xyz of <origin> must be a finite number, got "nan"',
    joint_of('<limit lower="-inf"/>'): '6: lower of <limit> must be a finite number, got "-inf"',
    joint_of('<origin rpy="0 abc 0"/>'): '6: rpy of <origin> must be a number such as 0.5, got "abc"',
    joint_of('<limit lower="0,5"/>'): '6: lower of <limit> must be a number such as 0.5, got "0,5"',
    joint_of('<limit lower="__import__"/>'): '6: lower of <limit> must be a number such as 0.5, got "__import__"',
    joint_of('<limit lower="1e99999999999"/>'): '6: lower of <limit> must be a number such as 0.5, got "1e99999999999"',
    joint_of(f'<limit lower="{"1" * 1_000_000}"/>'): (
        f'6: lower of <limit> must be a number such as 0.5, got "{"1" * 57}..."'
    ),
    joint_of('<origin quat_xyzw="0 0 0 1"/>'): (
        '6: unknown attribute "quat_xyzw" in <origin>; did you mean "xyz"? (known: xyz, rpy)'
    ),
    joint_of('<limit lower="1" upper="-1"/>'): '6: joint "j" has limits 1 to -1; the lower is not above the upper',
    joint_of('<limit velocity="-1"/>'): '6: joint "j" has velocity limit -1; it must be >= 0',
    joint_of('<dynamics damping="-1"/>'): '6: joint "j" has damping -1; it must be >= 0',
    inertial_of(f'<mass value="-1"/>{TENSOR}'): '5: link "a" has mass -1; a mass is >= 0',
    inertial_of(TENSOR): '4: <inertial> of link "a" has no <mass>; it has a <mass> and an <inertia>',
    inertial_of('<mass value="1"/>'): '4: <inertial> of link "a" has no <inertia>; it has a <mass> and an <inertia>',
    inertial_of('<mass value="1"/>\n<inertia ixx="1"/>'): "6: <inertia> has no iyy, which is required",
    robot_of(f'<link name="base">{mass(-3)}</link><link name="a"/>{TURN}'): (
        '2: link "base" has mass -3; a mass is >= 0'
    ),
    robot_of(f'{LINKS}<joint name="j" type="revolute"><parent link="base"/>\n<child link="aa"/></joint>'): (
        '5: unknown link "aa" in <child> of joint "j"; did you mean "a"? (known: base, a)'
    ),
    robot_of(f'{LINKS}<joint name="j" type="revolute"><parent link="base"/></joint>'): (
        '4: joint "j" has no <child>; a joint has a <parent> and a <child>'
    ),
    robot_of(LINKS + TURN + TURN.replace('"j"', '"k"')): (
        '5: link "a" is the child of joint "j" and of joint "k"; a link has one parent, loops are not read'
    ),
    robot_of(f'{LINKS}<link name="lost"/>\n{TURN}'): (
        "4: 2 links are on no joint: base, lost; only one link, the root, is on none"
    ),
    robot_of(LINKS + TURN + CYCLE): "7: links c -> b -> c hang on each other in a cycle; every link leads to the base",
    robot_of(f'{LINKS}{TURN}<joint name="k" type="fixed"><parent link="a"/><child link="base"/></joint>'): (
        "1: every link is the child of a joint, in a cycle; one link, the root, is on no joint"
    ),
    robot_of(f'{LINKS}<link name="a"/>\n{TURN}'): (
        '4: link name "a" is used twice, first in line 3; each link has its own name'
    ),
    robot_of(LINKS + TURN + TURN): '5: joint name "j" is used twice, first in line 4; each joint has its own name',
    robot_of('<link name=""/>'): "2: link name '' must be 1 to 100 printable characters",
    robot_of(LINKS + TURN + MOTOR.format("j", "<mechanicalReduction>0</mechanicalReduction>", 1)): (
        '4: joint "j" has gear_ratio 0; it must not be zero (a negative ratio reverses the motor)'
    ),
    robot_of(LINKS + TURN + MOTOR.format("j", "", "x")): (
        '6: the text of <motorInertia> must be a number such as 0.5, got "x"'
    ),
    robot_of(LINKS + TURN + MOTOR.format("k", "", 1)): '6: unknown joint "k" in <transmission> (known: j)',
    robot_of(LINKS + TURN + CHAIN): (
        '106: link "l50" is the end of more than 50 fixed joints in a row; at most 50 are merged'
    ),
    robot_of("".join(f'<link name="l{k}"/>' for k in range(2001))): (
        "1: the robot has 2001 links; at most 2000 are read"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), REFUSED.items(), ids=[*REFUSED.values()])
def test_refused(text: str, sentence: str) -> None:
    with pytest.raises(DynamisError) as caught:
        read_urdf(text, "r.urdf")
    assert str(caught.value) == f"r.urdf:{sentence}"


def test_a_load_on_a_merged_link_acts_where_that_link_is() -> None:
    text = """<robot name="r"><link name="base"/>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="hand"/>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
<joint name="f" type="fixed"><parent link="arm"/><child link="hand"/>
<origin xyz="2 0 0" rpy="0 0 1.5707963267948966"/></joint>
</robot>"""
    robot = Robot.from_model(read_urdf(text, "r.urdf"))
    push = Force("hand", (3, 0, 0), axes="link", point=(1, 0, 0))
    assert robot.inverse_dynamics([0.7], loads=[push]) == pytest.approx([-6.0])


def test_a_second_mimic_is_noted() -> None:
    twice = link_and_joint("b", "a", inner='<mimic joint="j" multiplier="2"/><mimic joint="j" multiplier="3"/>')
    robot = load(joint_of().replace("</robot>", f"{twice}</robot>"))
    assert "only the first <mimic> of a joint is read: b_joint" in robot.notes
    assert str(robot.couplings[-1].factors[0][1]) == "2"
