"""State files and loads in words."""

import math

import pytest

from dynamis.base.errors import DynamisError
from dynamis.base.toml_table import Lines, parse_toml
from dynamis.library import load
from dynamis.model.formats.robot_file.joint_table import read_exercise
from dynamis.model.formats.tasks.state_file import numbers, parse_load, read_state
from dynamis.model.formats.tasks.values import in_radians
from dynamis.model.loads import Force, Load, Moment, ToolWrench

ARM = load("cartesian")
PLANAR = load("genova-rp")


def state(text: str, degrees: bool = False):
    return read_state(parse_toml(text, "s.toml"), PLANAR, degrees)


def test_only_turning_joints_are_in_degrees():
    assert state("q = [90, 0.2]\nqd = [180, 1]\ndegrees = true").q == [math.pi / 2, 0.2]
    assert in_radians([[180.0, 1.0], [90.0, 2.0]], PLANAR) == [[math.pi, 1.0], [math.pi / 2, 2.0]]


def test_a_state_file_with_loads():
    found = state(
        """
q = [[0.1, 0.2], [0.3, "pi/4"]]
gravity = [0, 0, -1.62]
[[load]]
link = "link2"
force = [1, 2, 3]
moment = [4, 5, 6]
axes = "link"
point = [0.1, 0, 0]
point_in = "world"
[[load]]
tool = true
force = [7, 8, 9]
direction = "exerted_by_tool"
axes = "tool"
"""
    )
    assert found.q == [[0.1, 0.2], [0.3, math.pi / 4]]
    assert found.qd is None
    assert found.gravity == [0, 0, -1.62]
    assert found.loads == (
        Force("link2", (1, 2, 3), "link", (0.1, 0, 0), "world"),
        Moment("link2", (4, 5, 6), "link"),
        ToolWrench("exerted_by_tool", (7, 8, 9), axes="tool"),
    )


def test_loads_in_words():
    found = parse_load("link=link1 force=0,0,-10 point=0.1,0,0", PLANAR)
    assert found == [Force("link1", (0, 0, -10), point=("0.1", 0, 0))]
    assert parse_load("tool moment=0,0,1 direction=exerted_by_environment", PLANAR) == [
        ToolWrench("exerted_by_environment", moment=(0, 0, 1))
    ]


@pytest.mark.parametrize(
    "load",
    [
        Force("link1", (1, "-1/3", 0)),
        Force("link2", ("2*m1*g", "fy", 1), "link", ("l1 + l2", 0, 0), "world"),
        Moment("link2", (4, 5, 6), "link"),
        ToolWrench("exerted_by_tool", (7, 8, 9), axes="tool"),
        ToolWrench("exerted_by_environment", moment=(0, 0, 1)),
    ],
)
def test_loads_print_as_they_are_read(load: Load):
    assert parse_load(str(load), PLANAR, symbols=True) == [load]


def test_numbers_may_be_expressions():
    assert numbers("pi/2, -1,2e-3", "--q") == [math.pi / 2, -1, 2e-3]
    assert numbers("pi/2 -1 2e-3", "--q") == [math.pi / 2, -1, 2e-3]


@pytest.mark.parametrize("text", ["", " ", "1,,2", ",1"])
def test_no_number_is_left_out(text: str):
    with pytest.raises(DynamisError, match="has an empty place; give numbers separated by commas") as caught:
        numbers(text, "--q")
    assert str(caught.value).startswith("--q: ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("qd = [1, 2]", "s.toml: the state has no q; give one value per joint"),
        ("q = 3", "s.toml:1: q must be a list in square brackets, got 3"),
        ('q = ["m1", 2]', 's.toml:1: q has "m1"; its values must be numbers, and m1 is a name'),
        ("q = [nan, 2]", "s.toml:1: q is nan; a value is a finite number"),
        ("q = [[1, 2], [3]]", "s.toml:1: q has 1 values; robot"),
        ("q = [[1, 2], 3]", "s.toml:1: q must be one state or a list of states, got numbers and lists"),
        ("q = [1, 2]\ngravity = 9.81", "s.toml:2: gravity must be true, false or [x, y, z] in m/s^2, got 9.81"),
        ("q = [1, 2]\nspeed = 3", 's.toml:2: unknown key "speed" in the file'),
        ("q = [1, 2]\n[[load]]\nforce = [1, 2, 3]", "s.toml:2: [[load]] 1 has no link, which is required"),
        ('q = [1, 2]\n[[load]]\nlink = "a"', 's.toml:2: the load on link "a" has neither force nor moment'),
        (
            'q = [1, 2]\n[[load]]\nlink = "a"\nforce = [1, 2, 3]',
            's.toml:3: unknown link or frame "a" in robot',
        ),
        ("q = [1, 2, 3]", 's.toml:1: q has 3 values; robot "genova-rp" has 2 joints'),
        ("q = [1, 2]\ngravity = [1, 2]", "s.toml:2: gravity must be true, false or [x, y, z] in m/s^2, got [1, 2]"),
        (
            'q = [1, 2]\n[[load]]\nlink = "a"\nforce = [1, 2]',
            "s.toml:4: force must be three values [x, y, z], got [1, 2]",
        ),
        ('q = [1, 2]\n[[load]]\nlink = "a"\naxes = "tool"', 's.toml:4: unknown axes "tool"'),
        ("q = [1, 2]\n[[load]]\ntool = true", "s.toml:2: [[load]] 1 has no direction; write direction = "),
    ],
)
def test_bad_state_files(text: str, sentence: str):
    with pytest.raises(DynamisError) as caught:
        state(text)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("link=link1 push=1,2,3", "load='link=link1 push=1,2,3': unknown key \"push\" in [load]"),
        ("link=a 3", "load='link=a 3': \"3\" is not key=value, such as force=0,0,-10"),
        ("link=a force=1,2,3", 'load=\'link=a force=1,2,3\': unknown link or frame "a" in robot "genova-rp"'),
        ("link=base force=1,2,3", "load='link=base force=1,2,3': \"base\" stands on the base, which does not move"),
        ("link=link1 force=1,2,3 force=1,2,3", "load='link=link1 force=1,2,3 force=1,2,3': force is given twice"),
        ("link=link1 force=1,2,k", "load='link=link1 force=1,2,k': unknown parameter \"k\" in load 1"),
        ("link='link1 force=1,2,3", "load='link='link1 force=1,2,3': a quote is not closed"),
        ("tool force=1,2,3", "load='tool force=1,2,3': [load] has no direction; write direction = "),
        ("tool direction=up", "load='tool direction=up': unknown direction \"up\""),
    ],
)
def test_bad_loads_in_words(text: str, sentence: str):
    with pytest.raises(DynamisError) as caught:
        parse_load(text, PLANAR)
    assert str(caught.value).startswith(sentence)


def test_lines_of_nested_tables():
    lines = Lines.of('[a]\nx = 1\n[[b]]\ny = 2\n[b.c]\nz = 3\n[[b]]\ny = 4\n[[b.d]]\n"w" = 1\n', "f")
    assert lines.line(("a", "x")) == 2
    assert lines.line(("b", 0, "c", "z")) == 6
    assert lines.line(("b", 1, "y")) == 8
    assert lines.line(("b", 1, "nothing")) == 7
    assert lines.line(("nothing",)) is None


TABLE = """
format = "joint-table"
l = [1, 0.8]
C = [[0.5, 0, 0], [0.4, 0, 0]]
I = [[[0, 0, 0], [0, 0, 0], [0, 0, 0.4]], [[0, 0, 0], [0, 0, 0], [0, 0, 0.3]]]
m = [22, 19]
q = [[0.3, 0, 0, 0, 0.3], [0.5, 2, 0, 0, 0.5]]
qd = [0.2, 0]
qdd = [0.1, 0]
g_flag = 1
F_ext = [[0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 2, 0.1, 0, 0]]
M_ext = [[4, 5, 6, 1]]
"""


def test_a_rigid_joint_has_no_coordinate_but_loads_and_a_frame():
    exercise = read_exercise(parse_toml(TABLE, "t.toml"))
    assert exercise.q == [0.3]
    assert exercise.qd == [0.2]
    assert [link.joint.kind for link in exercise.robot.links] == ["revolute", "fixed"]
    assert exercise.robot.tool is not None
    assert str(exercise.robot.tool.placement) == "Tx(0.8)"  # at the tip of the last link
    assert exercise.loads == (Force("link2", (1, 2, 3), point=("0.1", 0, 0)), Moment("link1", (4, 5, 6)))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("m = [22, 19]", "m = [22]", "t.toml:6: m has 1 entries; q has 2 rows"),
        ("[0.5, 2, 0, 0, 0.5]", "[0.5, 3, 0, 0, 0.5]", "t.toml:7: row 2 of q must have joint type 0 (revolute)"),
        ("[0.5, 2, 0, 0, 0.5]", "[0.5, 2, 0, 0]", "t.toml:7: row 2 of q has 4 values; it must have 5"),
        ("g_flag = 1", "g_flag = 2", "t.toml:10: g_flag must be 1 (gravity on) or 0 (off), got 2"),
        ("[[4, 5, 6, 1]]", "[[4, 5, 6, 7]]", "t.toml:12: M_ext has a load on link 7; the links are 1 to 2"),
        ("[[4, 5, 6, 1]]", "[[4, 5, 6]]", "t.toml:12: row 1 of M_ext has 3 values; it must have 4"),
        ("qd = [0.2, 0]", "qdot = [0.2, 0]", "t.toml: the file has no qd, which is required"),
    ],
)
def test_bad_joint_tables(old: str, new: str, sentence: str):
    with pytest.raises(DynamisError) as caught:
        read_exercise(parse_toml(TABLE.replace(old, new), "t.toml"))
    assert str(caught.value).startswith(sentence)
