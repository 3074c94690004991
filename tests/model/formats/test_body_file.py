"""Body files, and links made of parts: what is read, and every complaint with its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

import dynamis
from dynamis.base.toml_table import parse_toml
from dynamis.errors import ArgumentError, ModelError, UnknownNameError
from dynamis.files import load_body
from dynamis.model.formats.body_file import read_body_file
from dynamis.model.formats.robot_file.read import read_robot
from dynamis.model.formats.robot_file.write import write_toml

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "bodies"
CUBE = '[[part]]\nname = "cube"\nshape = "box"\nsize = [1, 1, 1]\ndensity = 2\n'


@pytest.fixture
def write(tmp_path: Path):
    def written(text: str, name: str = "b.toml") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def test_the_link_of_the_document():
    found = load_body("xu-link").properties()
    assert found.mass == pytest.approx(8.527506, abs=5e-7)
    np.testing.assert_allclose(found.com, [-0.020966, 0, 0], atol=5e-7)


def test_letters_and_values(write):
    text = '[parameters]\nm = "mass"\n[values]\nl = 2\n[[part]]\nshape = "bar"\nlength = "l"\nmass = "m"\naxis = "x"\n'
    body = load_body(write(text))
    assert body.parameters() == {"m"}
    assert body.with_values(m=3).properties().inertia[1, 1] == pytest.approx(1)


def test_every_shape_of_a_file(write, tmp_path: Path):
    trimesh.creation.box([1, 1, 1]).export(tmp_path / "box.stl")
    shapes = (
        'shape = "box"\nsize = [1, 1, 1]', 'shape = "cylinder"\nradius = 0.5\nheight = 1\naxis = "y"',
        'shape = "hollow-cylinder"\nradius = 0.5\ninner_radius = 0.2\nheight = 1', 'shape = "sphere"\nradius = 0.5',
        'shape = "hollow-sphere"\nradius = 0.5\ninner_radius = 0.2', 'shape = "capsule"\nradius = 0.2\nheight = 0.4',
        'shape = "cone"\nradius = 0.5\nheight = 0.5', 'shape = "ellipsoid"\nsemi_axes = [0.1, 0.2, 0.3]',
        'shape = "bar"\nlength = 1\nmass = 2', 'shape = "plate"\nsize = [1, 1]\nmass = 1', 'shape = "point"\nmass = 1',
        'shape = "tetrahedron"\nvertices = [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]',
        'shape = "mesh"\nfile = "box.stl"\nscale = 0.5',
        'shape = "cad"\nmass = 1\nmoments = [1, 1, 1]\naxes = "Rx(0.1)"',
    )  # fmt: skip
    parts = "".join(f"[[part]]\n{shape}\noffset = [{2 * k}, 0, 0]\n" for k, shape in enumerate(shapes))
    found = read_body_file(write("[body]\ndensity = 3\n" + parts))
    assert len(list(found.body.leaves())) == 14
    assert found.notes == ("whether CAD data overlaps: it has no shape",)
    assert found.with_values.properties().mass > 0


def test_a_hole_of_the_whole_and_of_a_part(write):
    of_part = '[[part.hole]]\nshape = "sphere"\nradius = 0.25\n'
    of_whole = '[[hole]]\nshape = "sphere"\nradius = 0.25\ndensity = 2\n'
    one, other = (read_body_file(write(CUBE + hole)).with_values.properties() for hole in (of_part, of_whole))
    np.testing.assert_allclose(one.inertia, other.inertia, rtol=1e-14, atol=1e-16)


BALL = '[[part]]\nshape = "sphere"\n'
HOLE = '[[part.hole]]\nname = "drill"\nshape = "sphere"\nradius = '
WRONG = [
    ("", "b.toml: there is no [[part]]; a body has at least one"),
    ('[[part]]\nshape = "bok"', 'b.toml:2: unknown shape "bok"; did you mean "box"?'),
    ('[[part]]\nmass = 1', 'b.toml:1: [[part]] 1 has no shape; write shape = "box" or'),
    (BALL + 'mass = 1', "b.toml:1: a sphere has no radius, which is required"),
    (BALL + 'radus = 1', 'b.toml:3: unknown key "radus" in [[part]] 1; did you mean "radius"?'),
    (BALL + 'radius = 1', "b.toml:1: a sphere has no mass; give a mass [kg] or a density [kg/m^3]"),
    ('[[part]]\nshape = "bar"\nlength = 1', "b.toml:1: a bar has no mass; give a mass [kg] or a density [kg/m]"),
    (BALL + 'radius = 0\nmass = 1', "b.toml:3: radius of a sphere must be > 0, got 0"),
    (BALL + 'radius = 1\nmass = -2', "b.toml:4: mass of a sphere must be > 0, got -2; a hole is a"),
    (BALL + 'radius = 1\nmass = 1\ndensity = 1', "b.toml:5: a sphere has mass and density; give one"),
    (BALL + 'radius = "1/0"\nmass = 1', "b.toml:3: expression"),
    (BALL + 'radius = "r"\nmass = 1', 'b.toml:1: unknown parameter "r" in part "sphere 1"; name it'),
    ('[values]\nr = -1\n' + BALL + 'radius = "r"\nmass = 1', "b.toml:5: radius of a sphere must be > 0, got -1"),
    ('[values]\nr = "a"\n' + CUBE, 'b.toml:2: value of "r" uses a; a value is a number'),
    (CUBE + 'axis = "x"', "b.toml:6: a box has no axis; turn it with a placement"),
    (CUBE + 'placement = "Rq(1)"', "b.toml:6: expression"),
    (CUBE + HOLE + "2", 'b.toml:1: body "cube" has the mass -65.02: its holes take 67.02 kg away from 2 kg; a mass'),
    (CUBE + HOLE + "2\nmass = 1", 'b.toml:6: hole "drill" (33.4 m^3) is larger than what it is taken from (1 m^3)'),
    (CUBE + HOLE + '0.1\noffset = [1, 0, 0]', 'b.toml:6: hole "drill" lies 100% outside of its body'),
    (CUBE + CUBE.replace("cube", "b"), 'b.toml:6: parts "cube" and "b" overlap in about 1 m^3; that mass is'),
    (CUBE.replace("density", "mass") + HOLE + "0.1", 'b.toml:6: part "cube" has a mass, so the density of its hole'),
    (CUBE.replace("2\n", '"2 + x"\n') + HOLE + "0.1", 'b.toml:6: the density of part "cube" varies; give its hole'),
    (CUBE.replace("2\n", '"x"\n'), 'b.toml:5: the density "x" is -0.49'),
    (CUBE + '[[hole]]\nshape = "box"\nsize = [1, 1, 1]\ndensity = 3', 'b.toml:1: body "b" has the mass -1: its holes'),
    ('[[part]]\nshape = "hollow-sphere"\nradius = 1\ninner_radius = 1\nmass = 1',
     "b.toml:4: inner_radius of a hollow-sphere must be less than its radius"),
    ('[[part]]\nshape = "tetrahedron"\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]\nmass = 1',
     "b.toml:3: the four vertices of a tetrahedron lie in a plane; its volume is > 0"),
    ('[[part]]\nshape = "mesh"\nfile = "none.stl"\ndensity = 1', "none.stl: no such file"),
    ('[[part]]\nshape = "cad"\nmoments = [1, 1, 1]', "b.toml:1: [[part]] 1 has no mass, which is required"),
    ('[robot]\nname = "r"', "b.toml:1: is a robot file; a body file has [[part]] tables"),
    ("[body]\ndensity = 0\n" + CUBE, "b.toml:2: the density of the parts is 0; a density must be positive"),
    ('[body]\ndensity = "foo(x)"\n' + CUBE, 'b.toml:2: expression "foo(x)", column 1: "foo" is not a function'),
    (CUBE.replace("2\n", '"rho*exp(x)"\n'), 'b.toml:1: unknown parameter "rho" in part "cube"; name it under'),
    ('[body]\nnam = "r"\n' + CUBE, 'b.toml:2: unknown key "nam" in [body]; did you mean "name"?'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message[:40] for _, message in WRONG])
def test_complaints_have_their_line(text: str, message: str, write, tmp_path: Path):
    with pytest.raises(dynamis.DynamisError) as found:
        read_body_file(write(text))
    assert str(found.value).replace(f"{tmp_path}/", "").startswith(message)
    assert "\n" not in str(found.value)


def test_functions_of_a_density(write):
    found = read_body_file(write(CUBE.replace("2\n", '"2*exp(k*x)"\n') + "[values]\nk = 1\n")).with_values.properties()
    assert found.mass == pytest.approx(4 * np.sinh(0.5), rel=1e-11)
    assert 0 < found.error < 1e-10


def test_overlap_may_be_allowed(write):
    text = "[body]\nallow_overlap = true\n" + CUBE + CUBE.replace("cube", "b")
    assert read_body_file(write(text)).with_values.properties().mass == pytest.approx(4)


def test_holes_of_the_second_part_have_their_own_lines(write, tmp_path: Path):
    far = CUBE.replace('"cube"', '"far"') + "offset = [5, 0, 0]\n"
    text = CUBE + HOLE + "0.1\n" + far + HOLE + "0.1\n" + HOLE + "-1\n"
    with pytest.raises(ModelError, match=r"b.toml:23: radius of a sphere must be > 0, got -1") as found:
        read_body_file(write(text))
    assert found.value.line == 23
    text = CUBE + far + '[[part.hole]]\nshape = "sphere"\nradius = 1\nsize = 2\n'
    with pytest.raises(UnknownNameError, match=r"in \[\[part.hole\]\] 1 of \[\[part\]\] 2"):
        read_body_file(write(text))


# Links made of parts.

ROBOT = """[robot]
name = "r"
convention = "offset"

[values]
l = 0.4
rho = 2710

[[link]]
name = "arm"
joint = "revolute"
axis = [0, 0, 1]
"""


def read(text: str, file: str = "r.toml") -> dynamis.Robot:
    return read_robot(parse_toml(text, file))  # type: ignore[return-value]


def test_a_link_of_parts_is_the_link_of_its_numbers():
    parts = 'density = "rho"\n[[link.part]]\nshape = "box"\nsize = ["l", 0.1, 0.1]\nplacement = "Tx(l/2)"\n'
    link = read(ROBOT + parts).link("arm")
    assert str(link.mass) == "0.01*l*rho"
    assert [str(c) for c in link.com] == ["l/2", "0", "0"]
    assert (link.inertia.about, str(link.inertia.matrix[2][2])) == ("origin", "l^3*rho/300 + l*rho/120000")


def test_a_whole_robot_of_parts():
    robot = dynamis.load(EXAMPLES / "arm-of-parts.toml")
    assert robot.notes == ("not checked for link upper arm: whether CAD data overlaps: it has no shape",)
    assert not robot.missing_values
    forearm = robot.link("forearm")
    assert str(forearm.mass).startswith("8.5275063732983")
    tau = robot.inverse_dynamics([0.1, 0.2], [1, 2], [3, 4])
    model = robot.equations()
    assert model.prove()
    again = read_robot(parse_toml(write_toml(robot), "again"))
    assert again.links == robot.links
    np.testing.assert_allclose(dynamis.Robot.from_model(again).inverse_dynamics([0.1, 0.2], [1, 2], [3, 4]), tau)


def test_a_link_with_a_density_that_needs_numbers():
    text = ROBOT + '[[link.part]]\nshape = "box"\nsize = ["l", 1, 1]\ndensity = "rho/(2 + x)"\n'
    assert float(str(read(text).link("arm").mass)) == pytest.approx(2710 * np.log(2.2 / 1.8), rel=1e-12)


LINK_WRONG = [
    ('mass = 1\n[[link.part]]\nshape = "point"\nmass = 1', 'r.toml:13: mass of link "arm" comes from its parts; leave'),
    ("density = 1", 'r.toml:13: density goes with parts; link "arm" has no [[link.part]]'),
    ('[[link.part]]\nshape = "sphere"\nradius = "k"\nmass = 1', 'r.toml:9: unknown parameter "k"'),
    ('[[link.part]]\nshape = "sphere"\nradius = "-l"\nmass = 1', "r.toml:15: radius of a sphere must be > 0, got -0.4"),
    ('[[link.part]]\nshape = "sphere"\nradus = 1', 'r.toml:15: unknown key "radus" in [[link.part]] 1 of [[link]] 1'),
    ('body = "none.toml"', "none.toml: no such file"),
    ('body = "none.toml"\ndensity = 1', "r.toml:14: density and body exclude each other"),
]


@pytest.mark.parametrize(("text", "message"), LINK_WRONG)
def test_complaints_about_links(text: str, message: str):
    with pytest.raises(dynamis.DynamisError) as found:
        read(ROBOT + text)
    assert str(found.value).startswith(message)


def test_a_formula_too_long_for_a_file_says_so():
    parts = "".join(
        f'[[link.part]]\nshape = "point"\nmass = "m{k}"\noffset = ["a{k}", "b{k}", "c{k}"]\n' for k in range(60)
    )
    names = "".join(f'm{k} = ""\na{k} = ""\nb{k} = ""\nc{k} = ""\n' for k in range(60))
    robot = read(f"[parameters]\n{names}\n{ROBOT}{parts}")
    with pytest.raises(ArgumentError, match=r"a value of the robot is a formula of \d+ characters"):
        write_toml(robot)
