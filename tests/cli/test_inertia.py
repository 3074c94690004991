"""`dynamis inertia` as a person uses it: words, files, meshes, pages, errors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import trimesh

from dynamis.base.toml_table import parse_toml
from dynamis.files import load_body
from dynamis.model.formats.body_file import read_body
from dynamis.telling.renderers.page import PAGE_FORMATS
from tests.support.command_line import Call, caller
from tests.support.feet import without_foot
from tests.support.golden_files import check_golden

ROOT = Path(__file__).parent.parent.parent
XU = "xu-link"


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller(monkeypatch, capsys, "inertia")


def test_the_textbook_formula(cli: Call):
    found = cli("cylinder", "radius=r", "height=h", "mass=m")
    check_golden("inertia-cylinder.txt", found.out)
    assert "1/12 m (3 r² + h²)" in found.out
    assert found.err == ""


def test_the_shown_work_of_the_document(cli: Call):
    """Each part's inertia, rotation, parallel-axis term and sum, as in section III."""
    found = cli(XU, "--steps")
    check_golden("inertia-xu-link.txt", found.out)
    assert found.code == 0
    for figure in ("0.00451667", "0.00000425686", "0.00444359", "0.707107", "8.52751", "−0.020966", "0.925982"):
        assert figure in found.out


def test_latex_of_the_shown_work(cli: Call):
    found = cli(XU, "--steps", "--as", "latex")
    check_golden("inertia-xu-link.tex", without_foot(found.out) + "\n")
    assert r"\boldsymbol{R}_{3}\, \boldsymbol{I}_{3}\, \boldsymbol{R}_{3}^{T}" in found.out


@pytest.mark.parametrize("form", PAGE_FORMATS)
def test_every_format(form: str, cli: Call, tmp_path: Path):
    target = tmp_path / "page"
    for body in (["cone", "radius=r", "height=h", "density=rho"], [XU]):
        found = cli(*body, "--steps", "--as", form, "-o", str(target), "--force")
        assert (found.code, found.err) == (0, "")
        assert found.out.startswith("wrote ")
        assert target.read_text(encoding="utf-8")
    assert "exists; use --force" in cli(XU, "-o", str(target)).err


def test_json_has_the_numbers_in_full(cli: Call):
    found = json.loads(cli(XU, "--json").out)
    body = load_body(XU).properties()
    assert found["mass"] == body.mass
    np.testing.assert_array_equal(found["inertia_about_com"], body.inertia)
    np.testing.assert_array_equal(np.array(found["principal_axes"]).T, body.principal.axes)
    assert found["steps"][-1]["title"] == "Result"
    letters = json.loads(cli("bar", "length=l", "mass=m", "--json").out)
    assert (letters["symbols"], letters["inertia_about_com"][0][0]) == (["l", "m"], "1/12*m*l^2")


def test_about_a_point_and_in_a_frame(cli: Call):
    about = cli("bar", "length=l", "mass=m", "--about", "0,0,-l/2").out
    assert re.search(r"𝐈P = .*", about)
    assert "1/3 m l²" in about
    frame = json.loads(cli(XU, "--frame", "Tx(1) Rz(pi/2)", "--json").out)
    body = load_body(XU).properties().seen_from("Tx(1) Rz(pi/2)")
    np.testing.assert_allclose(frame["com"], body.com, atol=1e-15)
    np.testing.assert_allclose(frame["inertia_about_com"], body.inertia, atol=1e-15)
    np.testing.assert_allclose(frame["inertia_about_origin"], body.about([0, 0, 0]), atol=1e-14)


def test_values_for_letters(cli: Call):
    found = json.loads(cli("sphere", "radius=r", "mass=m", "--set", "r=0.5", "--set", "m=4", "--json").out)
    assert found["inertia_about_com"][0][0] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("plain", "bracketed"),
    [
        (["box", "size=1,2,3", "mass=1"], ["box", "size=[1, 2,3]", "mass=1"]),
        (["plate", "size=a,b", "mass=m"], ["plate", "size=[a,b]", "mass=m"]),
        (["box", "size=1,2,3", "mass=1", "--about", "1,0,0"], ["box", "size=1,2,3", "mass=1", "--about", "[1, 0, 0]"]),
        *(
            (["tetrahedron", "vertices=0,0,0;1,0,0;0,1,0;0,0,1", "mass=1"], ["tetrahedron", f"vertices={v}", "mass=1"])
            for v in (
                "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]",
                "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
                "[0,0,0]; [1,0,0]; [0,1,0]; [0,0,1]",
                "[0,0,0],[1,0,0],[0,1,0],[0,0,1]",
            )
        ),
    ],
)
def test_lists_may_have_brackets(plain: list[str], bracketed: list[str], cli: Call):
    expected = cli(*plain)
    assert expected.code == 0
    assert cli(*bracketed) == expected


def test_what_was_not_checked_follows_the_values(cli: Call, tmp_path: Path):
    """A file with letters is not looked at; with --set it is."""
    path = tmp_path / "b.toml"
    ball = '[[part]]\nname = "{}"\nshape = "sphere"\nradius = "r"\ndensity = 1\n'
    path.write_text('[parameters]\nr = ""\n' + ball.format("a") + ball.format("b") + "offset = [1, 0, 0]\n")
    assert cli(str(path)).err == "note: not checked: whether parts overlap: the sizes have symbols\n"
    assert cli(str(path), "--set", "r=0.5").err == ""
    assert 'parts "a" and "b" overlap' in cli(str(path), "--set", "r=0.6").err
    assert cli(str(path), "--set", "r=0.6", "--allow-overlap").err == ""
    assert json.loads(cli(str(path), "--json").out)["notes"] == [
        "not checked: whether parts overlap: the sizes have symbols"
    ]


def test_a_density_in_words(cli: Call):
    exact = cli("cylinder", "radius=r", "height=h", "density=rho*(1 + z/h)", "--steps").out
    assert "density rho*(1 + z/h) kg/m³, integrated exactly." in exact
    assert "11/144 h²" in exact
    bound = cli("box", "size=1,1,1", "density=1/(2 + x)", "--steps").out
    assert re.search(r"integrated by cubature, estimated relative error \de-1\d\.", " ".join(bound.split()))


def test_meshes(cli: Call, tmp_path: Path):
    ball = trimesh.creation.icosphere(subdivisions=3)
    ball.invert()
    path = str(tmp_path / "ball.stl")
    ball.export(path)
    found = cli(path, "density=1000")
    assert found.code == 2
    assert "the mesh is inverted: its faces look inward" in found.err
    mended = cli(path, "density=1000", "scale=0.1", "--repair")
    assert mended.err == "note: repaired ball.stl: turned all faces outward\n"
    assert "m = 4.15274" in mended.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cylindr"], 'error: unknown shape or body "cylindr"; did you mean "cylinder"?'),
        (["cylinder", "radius=1"], "error: a cylinder has no height, which is required"),
        (["cylinder", "radius=1", "height=1"], "error: a cylinder has no mass; give a mass [kg] or a density"),
        (["cylinder", "radius"], 'error: "radius" is not KEY=VALUE, such as radius=0.1'),
        (["cylinder", "radius=1", "radius=2"], "error: radius is given twice"),
        (["cylinder", "radus=1"], 'error: unknown key "radus" in a cylinder; did you mean "radius"?'),
        (["box", "size=[1,1]", "mass=1"], "error: size of a box must be 3 values [x, y, z], got ['1', '1']"),
        (["box", "size=[1,1,1", "mass=1"], 'error: expression "[1", column 1'),
        (["sphere", "radius=1", "scale=2"], 'error: unknown key "scale" in a sphere'),
        (["sphere", "radius=-1", "mass=1"], "error: radius of a sphere must be > 0, got -1"),
        (["sphere", "radius=1", "mass=m", "--set", "k=1"], 'error: unknown symbol "k" in the body (known: m)'),
        (["sphere", "radius=1", "mass=m", "--set", "m"], 'error: --set "m" is not NAME=VALUE'),
        (["sphere", "radius=__import__", "mass=1"], 'error: expression "__import__", column 1'),
        (["sphere", "radius=1", "mass=1", "--as", "word"], 'error: unknown format "word"'),
        (
            ["sphere", "radius=1", "mass=1", "--as", "latex", "--json"],
            "error: --json and --as latex exclude each other",
        ),
        (["none.toml"], "error: none.toml: no such file"),
        (["none.stl", "mass=1"], "error: none.stl: no such file"),
        ([XU, "mass=1"], 'error: "mass=1" has no place beside a body file'),
        (["point", "mass=m1", "--about", "1,2"], "error: point must be three values"),
    ],
)
def test_errors(words: list[str], message: str, cli: Call):
    found = cli(*words)
    assert found.code == 2
    assert found.err.startswith(message)
    assert found.err.count("\n") == 1


def test_letters_of_a_point_are_letters(cli: Call):
    assert "a" in cli("point", "mass=m", "--about", "a,0,0").out


def test_the_body_file_of_the_docs():
    text = (ROOT / "docs" / "bodies.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    found = read_body(parse_toml(block, "docs"))
    assert found.with_values.properties().mass == pytest.approx(7.1496, abs=1e-4)
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(code, "bodies.md", "exec"), {})


def test_json_about_a_point(cli: Call):
    found = json.loads(cli("box", "size=1,1,1", "mass=3", "--about", "0,0,2", "--json").out)
    assert found["point"] == ["0", "0", "2"]
    assert np.allclose(found["inertia_about_point"], np.diag([12.5, 12.5, 0.5]))
    found = json.loads(cli("sphere", "mass=m", "radius=r", "--about", "d,0,0", "--json").out)
    assert found["symbols"] == ["d", "m", "r"]
    assert found["inertia_about_point"][1][1] == "m*(d^2 + 2/5*r^2)"
    found = json.loads(cli("box", "size=1,1,1", "mass=3", "--about", "0,0,a", "--json").out)
    assert found["inertia_about_point"][0][0] == "1/2 + 3*a^2"


def test_cad_data_in_words(cli: Call):
    words = ("cad", "mass=2", "com=0,0,0.1", "moments=1,2,2.5")
    for axes in ("axes=[[0,1,0],[0,0,1],[1,0,0]]", "axes=0,1,0; 0,0,1; 1,0,0"):
        found = json.loads(cli(*words, axes, "--json").out)
        assert found["com"] == [0, 0, 0.1]
        assert np.allclose(found["inertia_about_com"], np.diag([2.5, 1, 2]))
    turned = json.loads(cli("cad", "mass=2", "moments=1,2,2.5", "axes=Rz(pi/2)", "--json").out)
    assert np.allclose(turned["inertia_about_com"], np.diag([2, 1, 2.5]))
    found = json.loads(cli("cad", "mass=2", "inertia=1,0,0; 0,2,0; 0,0,2.5", "--json").out)
    assert np.allclose(found["inertia_about_com"], np.diag([1, 2, 2.5]))
    assert cli("cad", "moments=1,2,2.5").err == "error: CAD data has no mass; give mass=...\n"
    assert "neither moments nor inertia" in cli("cad", "mass=2").err
    assert 'unknown key "radius"' in cli("cad", "mass=2", "radius=1").err
