"""The native file: every convention, every form of inertia, and back again."""

from dataclasses import replace

import numpy as np
import pytest

import dynamis
from dynamis.base.errors import DynamisError, FormatError
from dynamis.base.printable import visible
from dynamis.base.toml_table import parse_toml
from dynamis.model.formats.robot_file.read import read_robot
from dynamis.model.formats.robot_file.write import write_toml
from dynamis.robot import Robot

HEAD = '[robot]\nname = "x"\nconvention = "{}"\n'


def read(text: str) -> Robot:
    return Robot.from_model(read_robot(parse_toml(text, "x.toml")))


def rot(axis: str, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    T = np.eye(4)
    T[i, i], T[i, j], T[j, i], T[j, j] = c, -s, s, c
    return T


def trans(axis: str, by: float) -> np.ndarray:
    T = np.eye(4)
    T["xyz".index(axis), 3] = by
    return T


DH = """
[[link]]
name = "a"
joint = "revolute"
dh = { theta = 0.2, d = 0.3, a = 0.4, alpha = 0.5 }
[[link]]
name = "b"
joint = "prismatic"
dh = { theta = -0.1, d = 0.6, a = 0.7, alpha = -0.8 }
"""


def test_standard_dh_is_rz_tz_tx_rx():
    q = [0.9, 1.1]
    expected = rot("z", 0.2 + q[0]) @ trans("z", 0.3) @ trans("x", 0.4) @ rot("x", 0.5)
    expected = expected @ rot("z", -0.1) @ trans("z", 0.6 + q[1]) @ trans("x", 0.7) @ rot("x", -0.8)
    found = read(HEAD.format("standard-dh") + DH).forward_kinematics(q)
    np.testing.assert_allclose(found, expected, atol=1e-15)


def test_modified_dh_is_rx_tx_rz_tz():
    q = [0.9, 1.1]
    expected = rot("x", 0.5) @ trans("x", 0.4) @ rot("z", 0.2 + q[0]) @ trans("z", 0.3)
    expected = expected @ rot("x", -0.8) @ trans("x", 0.7) @ rot("z", -0.1) @ trans("z", 0.6 + q[1])
    found = read(HEAD.format("modified-dh") + DH).forward_kinematics(q)
    np.testing.assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize("order", ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"])
def test_offset_and_rotation_in_the_written_order(order: str):
    text = (
        HEAD.format("offset")
        + f"""
[[link]]
name = "a"
joint = "revolute"
offset = [0.1, 0.2, 0.3]
rotation = {{ order = "{order}", x = 0.4, y = 0.5, z = 0.6 }}
axis = [0, 1, 0]
"""
    )
    angles = {"x": 0.4, "y": 0.5, "z": 0.6}
    expected = trans("x", 0.1) @ trans("y", 0.2) @ trans("z", 0.3)
    for axis in order:
        expected = expected @ rot(axis, angles[axis])
    np.testing.assert_allclose(read(text).forward_kinematics([0.7]), expected @ rot("y", 0.7), atol=1e-15)


def test_a_chain_for_the_whole_arm_leaves_the_tool_at_its_end():
    text = (
        HEAD.format("transforms")
        + """chain = "Rz(q1) Tz(l1) * Ry(pi/2 - q2) Tx(-d3) Rx(0.1)"
[values]
l1 = 0.5
[[link]]
name = "a"
joint = "revolute"
[[link]]
name = "b"
joint = "continuous"
[[link]]
name = "c"
joint = { name = "d3", kind = "prismatic" }
"""
    )
    robot = read(text)
    q = [0.3, 0.4, 0.2]
    expected = rot("z", 0.3) @ trans("z", 0.5) @ rot("y", np.pi / 2 - 0.4)
    np.testing.assert_allclose(robot.forward_kinematics(q, "b"), expected, atol=1e-15)
    expected = expected @ trans("x", -0.2) @ rot("x", 0.1)
    np.testing.assert_allclose(robot.forward_kinematics(q), expected, atol=1e-15)


def test_the_frame_of_one_link_as_a_chain_may_go_on_after_the_joint():
    text = HEAD.format("transforms") + '[[link]]\nname = "a"\njoint = "revolute"\nframe = "Tx(1) Rz(q1) Tx(2)"\n'
    np.testing.assert_allclose(
        read(text).forward_kinematics([0.5], "a"), trans("x", 1) @ rot("z", 0.5) @ trans("x", 2), atol=1e-15
    )


def one_link(inertia: str, com: str = "[0.1, 0.2, 0.3]") -> np.ndarray:
    """Torques of a body on three crossing joints: they feel every entry of its inertia."""
    text = HEAD.format("offset")
    for name, axis in (("x", "[1, 0, 0]"), ("y", "[0, 1, 0]")):
        text += f'[[link]]\nname = "{name}"\njoint = "revolute"\naxis = {axis}\n'
    text += f'[[link]]\nname = "z"\njoint = "revolute"\naxis = [0, 0, 1]\nmass = 2\ncom = {com}\ninertia = {inertia}\n'
    return read(text).inverse_dynamics([0.4, 0.5, 0.6], [0.7, 0.8, 0.9], [1.0, 1.1, 1.2])


def test_all_forms_of_an_inertia_are_the_same_body():
    tensor = np.array([[0.05, 0.004, -0.003], [0.004, 0.06, 0.002], [-0.003, 0.002, 0.07]])
    c, m = np.array([0.1, 0.2, 0.3]), 2.0
    R = (rot("z", 0.3) @ rot("y", 0.2) @ rot("x", 0.1))[:3, :3]
    about_origin, turned = tensor + m * (c @ c * np.eye(3) - np.outer(c, c)), R.T @ tensor @ R

    def rows(a: np.ndarray) -> str:
        return str(((a + a.T) / 2).tolist())

    reference = one_link(f'{{ about = "com", matrix = {rows(tensor)} }}')
    six = "xx = 0.05, yy = 0.06, zz = 0.07, xy = 0.004, xz = -0.003, yz = 0.002"
    assert np.array_equal(one_link(f'{{ about = "com", {six} }}'), reference)
    for form in (
        f'{{ about = "origin", matrix = {rows(about_origin)} }}',
        f'{{ about = "com", matrix = {rows(turned)}, axes = {{ order = "zyx", x = 0.1, y = 0.2, z = 0.3 }} }}',
        f'{{ about = "com", matrix = {rows(turned)}, axes = "Rz(0.3) Ry(0.2) Rx(0.1)" }}',
    ):
        np.testing.assert_allclose(one_link(form), reference, rtol=1e-14)


def test_radii_of_gyration():
    expected = one_link('{ about = "com", xx = 0.02, yy = 0.045, zz = 0.0605 }')
    np.testing.assert_allclose(one_link('{ about = "com", gyration = [0.1, 0.15, 0.173925] }'), expected, rtol=1e-5)
    exact = one_link('{ about = "com", xx = "2*0.1^2", yy = "2*0.15^2", zz = "2*0.17^2" }')
    np.testing.assert_allclose(one_link('{ about = "com", gyration = [0.1, 0.15, 0.17] }'), exact, rtol=1e-15)


def test_com_as_a_chain():
    inertia = '{ about = "com" }'
    assert np.array_equal(one_link(inertia, '"Tz(0.3) Tx(0.1) Ty(0.2)"'), one_link(inertia))


@pytest.mark.parametrize("name", dynamis.robots())
def test_written_and_read_again_is_the_same_robot(name: str):
    robot = dynamis.load(name)
    again = read(write_toml(robot))
    assert again == robot


BODY = '[[link]]\nname = "arm"\njoint = "revolute"\naxis = [0, 0, 1]\n'
OFFSET = HEAD.format("offset")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OFFSET + BODY + "mas = 1", 'x.toml:8: unknown key "mas" in [[link]] 1; did you mean "mass"?'),
        (OFFSET + BODY + "mass = [1]", "x.toml:8: mass is [1]; a value is a number or an expression in quotes"),
        (OFFSET + BODY + "mass = true", "x.toml:8: mass is true; a value is a number or an expression in quotes"),
        (OFFSET + BODY + "mass = nan", "x.toml:8: mass is nan; a value is a finite number"),
        (
            OFFSET + BODY + "mass = 1e400",
            'x.toml:8: expression "1E+400", column 1: a number is below 1e300',
        ),
        (OFFSET + BODY + "mass = -1", 'x.toml:8: link "arm" has mass -1; a mass is >= 0'),
        (OFFSET + BODY + 'mass = "m1"', 'x.toml:8: unknown parameter "m1" in mass of link "arm"'),
        (OFFSET + BODY + "com = [1, 2]", "x.toml:8: com must be three values [x, y, z], got [1, 2]"),
        (
            OFFSET + BODY + 'com = "Tx(1) Rz(2)"',
            'x.toml:8: com must be three values or at most 50 steps Tx, Ty, Tz, got "Tx(1) Rz(2)"',
        ),
        (OFFSET + BODY + "inertia = { xx = 1 }", "x.toml:8: inertia of [[link]] 1 has no about; write about = "),
        (OFFSET + BODY + 'inertia = { about = "tip" }', 'x.toml:8: unknown about "tip"'),
        (OFFSET.replace("offset", "dh") + BODY, 'x.toml:3: unknown convention "dh"'),
        ('[robot]\nname = "x"\n' + BODY, "x.toml:1: [robot] has no convention; write convention = "),
        ('name = "x"\n', "x.toml: the file has no [robot], which is required"),
        (OFFSET, "x.toml: there is no [[link]]; at least one is required"),
        (OFFSET + BODY.replace("[0, 0, 1]", "[0, 0, 0]"), 'x.toml:7: joint "q1" has axis [0, 0, 0]; an axis has a'),
        (OFFSET + BODY.replace("axis = [0, 0, 1]\n", ""), "x.toml:4: [[link]] 1 has no axis, which is required"),
        (OFFSET + BODY.replace("revolute", "revolut"), 'x.toml:6: unknown joint "revolut"; did you mean "revolute"?'),
        (OFFSET + BODY + 'parent = "arm"', "x.toml:8: links arm -> arm hang on each other in a cycle"),
        (OFFSET + BODY + 'parent = "bas"', 'x.toml:8: unknown parent "bas" in link "arm"; did you mean "base"?'),
        (OFFSET + BODY + BODY, 'x.toml:9: link name "arm" is used twice; each link has its own name'),
        (OFFSET + BODY + '[tool]\nlink = "am"', 'x.toml:8: unknown link "am" in frame "tool"; did you mean "arm"?'),
        (OFFSET + BODY + "[link.joint]\n", "x.toml:8: is not TOML"),
        (OFFSET + "gravity = 9.81\n" + BODY, "x.toml:4: gravity must be three values [x, y, z], got "),
        (OFFSET + BODY + '[values]\nm1 = "2*m2"', 'x.toml:9: value of "m1" uses m2; a value is a number'),
        (OFFSET + BODY + "[values]\n9m = 1", "x.toml:9: parameter name '9m' is not a name"),
        (OFFSET + BODY + "[values]\nq1 = 1", 'x.toml:6: "q1" is a joint and a parameter; a coordinate and a value'),
        ("[robot\n", "x.toml:1: is not TOML: Expected ']' at the end of a table declaration (column 7)"),
        (
            HEAD.format("transforms") + 'chain = "Rz(q2)"\n[[link]]\nname = "a"\njoint = "revolute"',
            'x.toml:4: the chain has no step for joint "q1"',
        ),
        (
            HEAD.format("transforms") + 'chain = "Rz(2*q1)"\n[[link]]\nname = "a"\njoint = "revolute"',
            "x.toml:4: step Rz(2*q1) is not q1 or -q1 plus a constant",
        ),
        (
            HEAD.format("transforms") + 'chain = "Tz(q1)"\n[[link]]\nname = "a"\njoint = "revolute"',
            'x.toml:7: joint "q1" is revolute, but its step in the chain translates',
        ),
        (
            HEAD.format("standard-dh") + '[[link]]\nname = "a"\njoint = "revolute"\ndh = { a = 1, d = 0, theta = 0 }',
            "x.toml:7: dh of [[link]] 1 has no alpha, which is required",
        ),
    ],
)
def test_bad_files_get_one_sentence_with_its_line(text: str, sentence: str):
    with pytest.raises(DynamisError) as caught:
        read(text)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("joint", "sentence"),
    [
        ("damping = -1", 'x.toml:10: joint "q1" has damping -1; it must be >= 0'),
        ("coulomb = -1", 'x.toml:10: joint "q1" has coulomb -1; it must be >= 0'),
        ("rotor_inertia = -1", 'x.toml:10: joint "q1" has rotor_inertia -1; it must be >= 0'),
        ("gear_ratio = 0", 'x.toml:10: joint "q1" has gear_ratio 0; it must not be zero'),
        (
            "limits = { position = [1, -1] }",
            'x.toml:10: joint "q1" has limits 1 to -1; the lower is not above the upper',
        ),
        ("limits = { position = [1] }", "x.toml:10: position must be [lower, upper]"),
        ("limits = { velocity = -1 }", 'x.toml:10: joint "q1" has velocity limit -1; it must be >= 0'),
        ("dampin = 1", 'x.toml:10: unknown key "dampin" in joint of [[link]] 1; did you mean "damping"?'),
    ],
)
def test_bad_joints(joint: str, sentence: str):
    text = OFFSET + BODY.replace('joint = "revolute"\n', "") + f'mass = 1\n[link.joint]\nkind = "revolute"\n{joint}'
    with pytest.raises(DynamisError) as caught:
        read(text)
    assert str(caught.value).startswith(sentence)


def test_hostile_sizes_are_refused_at_once():
    for text in ("a." * 20000 + "a = 1", OFFSET + BODY * 2001, OFFSET + BODY + f"com = [{'1, ' * 100000}1]"):
        with pytest.raises(DynamisError) as caught:
            read(text)
        assert len(str(caught.value)) < 300


def test_texts_of_any_characters_come_back():
    text = "\x1b[31m\x07\x7f\x9b5m\u202e \" \\ \n\t''' 中"
    robot = replace(dynamis.load("bar-2r"), description=text, source=text)
    written = write_toml(robot)
    assert visible(written) == written
    again = read_robot(parse_toml(written, "again.toml"))
    assert (again.description, again.source) == (text, text)


def test_a_limit_on_one_side_comes_back():
    joint = '[link.joint]\nkind = "revolute"\nlimits = { lower = -1 }'
    robot = read(OFFSET + BODY.replace('joint = "revolute"\n', "") + joint)
    again = read(write_toml(robot))
    assert again == robot
    assert again.joints[0].limits.upper is None


def test_a_symbolic_inertia_is_shown_as_it_is_given():
    values = '[parameters]\na = ""\nb = ""\n'
    form = 'inertia = { about = "origin", axes = "Rz(pi/2)", xx = "a", yy = "b", zz = "a" }'
    robot = read(OFFSET + values + BODY + form)
    assert "about the origin, in axes Rz(pi/2)" in str(robot)
    assert "about the origin" not in str(robot.with_values(a=1, b=1))


def test_lines_are_right_after_a_text_of_many_lines():
    text = OFFSET.replace('name = "x"', 'name = "x"\ndescription = """\n[[link]]\nmass = 1\n"""') + BODY + "mass = -1"
    with pytest.raises(DynamisError, match=r"x.toml:12: link \"arm\" has mass -1"):
        read(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            OFFSET + BODY + 'offset = [1, 0, 0]\nplacement = "Tx(1)"',
            "x.toml:8: offset and placement exclude each other",
        ),
        (OFFSET + BODY + 'rotation = "Tx(1)"', 'x.toml:8: rotation must be a chain of Rx, Ry, Rz, got "Tx(1)"'),
        (
            OFFSET + BODY.replace('"revolute"', '{ kind = "revolute", name = 7 }'),
            "x.toml:6: name must be a text in quotes, got 7",
        ),
        (OFFSET + BODY.replace("revolute", "rigid"), 'x.toml:6: a rigid joint is written "fixed"'),
        (OFFSET + BODY.replace("revolute", "fixed"), "x.toml:7: a fixed joint has no axis"),
        (
            OFFSET + BODY.replace('"revolute"', '{ kind = "continuous", limits = { position = [0, 1] } }'),
            'x.toml:6: joint "q1" is continuous; a joint with a range is "revolute"',
        ),
        (
            OFFSET + BODY + 'inertia = { about = "com", matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], xx = 1 }',
            "x.toml:8: matrix and xx exclude each other; an inertia has one form",
        ),
        (OFFSET + BODY + '[[frame]]\nname = "arm"\nlink = "arm"', 'x.toml:8: frame name "arm" is used twice'),
        (
            OFFSET + BODY + '[[frame]]\nname = "tool"\nlink = "arm"',
            'x.toml:8: a frame called "tool" is the tool itself',
        ),
        (OFFSET + BODY + '[[frame]]\nname = "eye"\nlink = "am"', 'x.toml:8: unknown link "am" in frame "eye"'),
        (
            OFFSET + BODY + '[[frame]]\nname = ""\nlink = "arm"',
            "x.toml:9: frame name '' must be 1 to 100 printable characters",
        ),
        (OFFSET + BODY + '[values]\nk = "sqrt(-1)"', "x.toml:9: value of k: sqrt(-1)"),
        (OFFSET + BODY + '[values]\n"a b" = 1', "x.toml:9: parameter name 'a b' is not a name"),
        (
            HEAD.format("transforms") + 'chain = "Rz(q1) Ry(q2)"\n[[link]]\nname = "a"\njoint = "revolute"',
            "x.toml:4: step Ry(q2) of the chain: q2 is neither a joint (q1) nor a parameter",
        ),
        (
            HEAD.format("transforms")
            + 'chain = "Rz(q1) Tx(1)"\n[[link]]\nname = "a"\njoint = "revolute"\n[tool]\nplacement = "Tx(2)"',
            "x.toml:9: the chain ends in the tool Tx(1); leave that out, or [tool]",
        ),
        (
            HEAD.format("transforms") + 'chain = "Rz(q1)"\n[[link]]\nname = "a"\njoint = "revolute"\nparent = "base"',
            "x.toml:8: a chain is serial, so parent has no place",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(text: str, sentence: str):
    with pytest.raises(DynamisError) as caught:
        read(text)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("key", ["damping", "coulomb", "gear_ratio", "rotor_inertia", "limits"])
def test_a_key_of_the_joint_beside_it_is_told_where_it_goes(key: str):
    head = '[robot]\nname = "r"\nconvention = "offset"\n[[link]]\nname = "a"\njoint = "revolute"\n'
    with pytest.raises(FormatError) as caught:
        read(f"{head}axis = [0, 0, 1]\nmass = 1\n{key} = 1\n")
    assert f'{key} belongs to the joint: joint = {{kind = "revolute", {key} = ...}}' in str(caught.value)


COUPLED = """
[parameters]
r = "ratio of the belt"
[[link]]
name = "upper"
joint = "revolute"
axis = [0, 0, 1]
[[link]]
name = "fore"
axis = [0, 0, 1]
[link.joint]
name = "belt joint"
kind = "revolute"
coupling = { q1 = "-r" }
coupling_offset = "pi/2"
[[link]]
name = "hand"
axis = [0, 0, 1]
joint = { kind = "revolute", coupling = { q1 = 2, "belt joint" = -1 } }
"""


def test_couplings_are_read_and_written():
    robot = read(HEAD.format("offset") + COUPLED)
    assert [row.text(["q1"]) for row in robot.couplings] == ["q1", "-r*q1 + pi/2", "(2 + r)*q1 - pi/2"]
    again = read(write_toml(robot))
    assert again == robot
    assert again.couplings == robot.couplings


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('{ q1 = "-r" }', "{ q4 = 1 }", 'x.toml:17: unknown joint "q4" in coupling of joint "belt joint"'),
        ('{ q1 = "-r" }', '"q1"', "x.toml:17: coupling must be a table"),
        ('{ q1 = "-r" }', '{ q1 = "-s" }', 'x.toml:14: unknown parameter "s" in joint of link "fore"'),
        ('{ q1 = "-r" }', "{ q3 = 1 }", "x.toml:17: joints belt joint -> q3 -> belt joint are coupled in a cycle"),
        ("coupling_offset", "offset", 'x.toml:18: unknown key "offset"'),
    ],
)
def test_couplings_that_are_wrong_are_told_with_their_line(old: str, new: str, sentence: str):
    with pytest.raises(DynamisError) as caught:
        read(HEAD.format("offset") + COUPLED.replace(old, new))
    assert str(caught.value).startswith(sentence)


def test_a_coupling_beside_the_joint_is_told_where_it_goes():
    with pytest.raises(DynamisError, match="coupling belongs to the joint"):
        read(HEAD.format("offset") + COUPLED.replace('name = "hand"', 'name = "hand"\ncoupling = { q1 = 1 }'))
