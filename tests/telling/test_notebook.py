"""Results in a notebook: one line of repr; tables and formulas, folded where they are long; plots; data frames."""

from __future__ import annotations

import builtins
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.bodies import exact_body
from dynamis.controllers import PD
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.results import TorqueBudget
from dynamis.telling.blocks import Column, Document, Section, Table, Words
from dynamis.telling.notation.latex import latex
from dynamis.telling.pages.parts import joint_document
from dynamis.telling.renderers.html import LONG_EQUATION
from dynamis.telling.renderers.page import render
from dynamis.trajectories import quintic

matplotlib = pytest.importorskip("matplotlib")


@cache
def budget() -> TorqueBudget:
    return dynamis.torque_budget(dynamis.load("genova-2r"), quintic([0, 0], [1, 1], 1.0), samples=21)


@pytest.fixture
def pyplot(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MPLBACKEND", "agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    yield plt
    plt.close("all")


def test_what_is_long_is_folded():
    long = Table(("n", Column("square", form="d")), tuple((str(k), k * k) for k in range(99)))
    words = Section("words", (Words("word " * 400),), "words")
    page = render(Document("", (Section("first", (Words("word " * 400),)), words, long)), "notebook")
    assert page.count("<details>") == 2
    assert "<summary><b>words</b></summary>" in page
    assert "<summary>n: 99 rows</summary>" in page
    assert "<details>" not in render(Document("", (words,)), "notebook")
    assert "<details>" not in render(Document("", (long,)), "html")


def test_a_cell_has_the_glyphs_of_its_formulas():
    """Many browsers have no font for formulas; cells stand on one page, so that each names its own."""
    model = dynamis.load("planar-elbow").equations()
    families = [re.findall(r"'(dynamis math \w+)'", x._repr_html_() or "") for x in (model.M, model)]
    assert [len(found) for found in families] == [1, 1]
    assert families[0] != families[1]
    assert f'@font-face {{ font-family: "{families[0][0]}"' in (model.M._repr_html_() or "")
    assert "@font-face" not in (dynamis.load("planar-elbow").links[0]._repr_html_() or "")


def test_plots_are_those_of_pyplot(pyplot: Any):
    axes = budget().plot("torques")
    assert axes.shape == (4,)
    assert pyplot.gcf() is axes[0].figure
    assert len(pyplot.get_fignums()) == 1
    budget().figure("torques")  # one to be saved is not
    assert len(pyplot.get_fignums()) == 1
    assert budget().plot("power").figure is pyplot.gcf()


def test_plots_go_where_the_caller_wants(pyplot: Any):
    figure, (left, right) = pyplot.subplots(1, 2)
    assert budget().plot("power", ax=left) is left
    assert left.get_legend() is not None
    assert dynamis.load("ur5").draw().plot(ax=right) is right
    assert len(right.patches) > 50
    below = pyplot.figure().subfigures(1, 2)[0]
    assert budget().plot("torques", fig=below)[1].figure is below
    assert len(pyplot.get_fignums()) == 2
    with pytest.raises(ArgumentError, match="ax must be 4 matplotlib Axes, one per panel, got 1"):
        budget().plot("torques", ax=left)
    with pytest.raises(ArgumentError, match='ax must be 4 matplotlib Axes, one per panel, got "three"'):
        budget().plot("torques", ax="three")
    with pytest.raises(ArgumentError, match="ax must be a matplotlib Axes, got 3"):
        budget().plot("power", ax=3)
    with pytest.raises(ArgumentError, match="exclude each other"):
        budget().plot("power", ax=left, fig=figure)


def test_a_robot_is_plotted(pyplot: Any):
    ax = dynamis.load("bar-2r").plot([0.5, 0.7])
    assert ax.figure is pyplot.gcf()
    assert {"$q_{1}$", "$C_{2}$"} <= {text.get_text() for text in ax.texts}
    assert len(dynamis.load("bar-2r").plot([0.5, 0.7], ax=ax, frames=False, dimensions=False).texts) > 5


def test_series_are_data_frames():
    frame = budget().to_pandas()
    assert frame.index.name == "t"
    assert frame["q1"].to_numpy() == pytest.approx(budget().history.q[:, 0])
    assert frame.attrs["units"]["q1"] == "rad"
    assert frame.attrs["units"]["t"] == "s"
    data = budget().to_xarray()
    assert data["tau2"].dims == ("t",)
    assert data["tau2"].attrs["units"] == "N m"
    assert data["t"].attrs["units"] == "s"
    assert set(budget().columns()) == {
        f"{name} [{unit}]" if (unit := frame.attrs["units"].get(name)) else name for name in ("t", *frame.columns)
    }


def test_tables_are_data_frames():
    robot = dynamis.load("ur5")
    reactions = robot.reactions(np.zeros(6))
    frame = reactions.to_pandas()
    assert len(frame) == 6
    assert frame.attrs["units"]
    assert frame["tau"].to_numpy() == pytest.approx(robot.gravity_torque(np.zeros(6)), abs=1e-9)
    assert reactions.to_xarray()["tau"].dims == ("number",)
    assert list(reactions.to_xarray()["joint"].to_numpy()) == ["q1", "q2", "q3", "q4", "q5", "q6"]
    sizing = budget().to_xarray("sizing")
    assert sizing["peak torque"].to_numpy() == pytest.approx(budget().sizing.peak_torque)
    assert sizing["peak torque"].dims == ("number",)
    body = dynamis.load("genova-2r").free_body("link1", [0.1, 0.2]).to_pandas()
    assert ("reaction of the previous link", "M_1/0") in body.index
    assert dynamis.load("genova-2r").free_body("link1", [0.1, 0.2]).to_xarray()["x"].dims == ("row",)
    with pytest.raises(UnknownNameError, match='unknown table "sizes"'):
        budget().to_pandas("sizes")
    with pytest.raises(ArgumentError, match="no table and no series"):
        robot.draw().to_pandas()


def test_data_frames_of_a_batch_hold_all_states():
    """Every state's rows, those of the state alone; its number counts from 1."""
    robot = dynamis.load("bar-2r")
    q = np.linspace(-1, 1, 8).reshape(2, 2, 2)
    for verb in (robot.reactions, robot.link_motions, robot.recursion, robot.frame_motion, robot.torque_components):
        frame = verb(q, q, q).to_pandas()
        assert frame.attrs["units"] == verb(q[0, 0], q[0, 0], q[0, 0]).to_pandas().attrs["units"]
        for k, state in enumerate(q.reshape(-1, 2), 1):
            assert frame.xs(k, level="state").equals(verb(state, state, state).to_pandas())
    reactions = robot.reactions(q)
    data = reactions.to_xarray()
    assert data["tau"].to_numpy() == pytest.approx(reactions.tau.ravel())
    assert data["state"].to_numpy().tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
    assert "the first state of 2 x 2" in reactions.table()


def test_the_limits_of_a_joint_are_digits():
    """Beside their unit; what has parameters stays as it is written."""
    table = render(joint_document(dynamis.load("puma560").joints[0]))
    assert re.search(r"limit lower +-2.79253 +rad", table)
    assert re.search(r"damping +B1\*G1\^2 +N m s/rad", table)


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def without(name: str, *rest: Any, **options: Any) -> Any:
        if name.split(".")[0] in ("pandas", "xarray", "matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **options)

    for name in ("pandas", "xarray", "matplotlib"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    monkeypatch.setattr(builtins, "__import__", without)
    for verb, name in (("to_pandas", "pandas"), ("to_xarray", "xarray"), ("plot", "matplotlib")):
        with pytest.raises(ArgumentError, match=f"need.? {name}: pip install"):
            getattr(budget(), verb)()


def test_formulas_show_themselves():
    model = dynamis.load("planar-elbow").equations()
    bundle = model.M[0, 0]._repr_mimebundle_(include=None, exclude=None)
    assert "<math" in bundle["text/html"]
    assert bundle["text/latex"] == f"${latex(model.M[0, 0])}$"
    shown = [
        model, model.M, model.coriolis, model.gravity, model.torques, model.coriolis_matrix, model.mass_matrix_rate,
        model.christoffel_matrices, model.link_jacobians, model.transform(0, 2), model.kinetic_energies,
        model.quantity("jacobian"), model.factorisations[0],
    ]  # fmt: skip
    for value in shown:
        assert "<math" in value._repr_html_()
        assert "\n" not in repr(value)
        assert len(repr(value)) < 700
    assert model.coriolis._repr_latex_().startswith("$\\begin{aligned} c &= \\begin{pmatrix}")
    assert model.gravity == [*model.gravity]
    assert repr(model.prove()[0]) == "<proved: Newton-Euler = Euler-Lagrange>"


def test_a_long_model_is_folded_not_refused():
    model = dynamis.load("genova-3r").equations()
    assert "<math" in model._repr_html_()
    page = model.torques._repr_html_()
    assert "<details>" in page
    lines = re.search(r" in (\d+) lines</summary>", page)
    assert lines
    assert int(lines[1]) > LONG_EQUATION
    assert page.count("<wbr/>") > LONG_EQUATION
    assert repr(model.torques).startswith("<3 formulas, ")


@pytest.mark.parametrize(
    ("part", "line"),
    [
        (lambda u: u.links[1], "<Link upper_arm on shoulder: joint q2 (revolute), mass 8.393>"),
        (lambda u: u.joints[0], "<Joint q1: revolute>"),
        (lambda u: u.links[0].inertia, "<Inertia about com: "),
        (lambda u: quintic([0], [1], 1.0), "<JointTrajectory quintic: 1 joint, 1 s>"),
        (lambda u: u.compile("inverse_dynamics"), "<inverse_dynamics: q (6), qd (6), qdd (6) -> tau (6)>"),
        (lambda u: dynamis.Body.sphere(0.1, mass=1).properties(), "<MassProperties: 1 kg>"),
        (lambda u: dynamis.Body.sphere(0.1, mass=1).properties().principal, "<PrincipalAxes>"),
        (lambda u: exact_body(dynamis.Body.sphere("r", mass="m")), "<ExactBody: sphere>"),
        (lambda u: u.reactions(np.zeros(6)), "<Reactions of ur5>"),
        (lambda u: u.cost("inverse_dynamics"), "<Cost: inverse_dynamics>"),
        (lambda u: dynamis.robot_state(u, np.zeros(6)), "<RobotState of ur5>"),
    ],
)
def test_parts_show_themselves(part: Any, line: str):
    value = part(dynamis.load("ur5"))
    assert repr(value).startswith(line)
    assert "<t" in value._repr_html_() or "<math" in value._repr_html_()


def test_expressions_are_read_as_they_are_written():
    link = dynamis.load("parallelogram").links[2]
    assert repr((link.mass, link.com)) == "(m3, (a/2, 0, 0))"
    assert repr(link.joint.before) == 'Placement.of("Tx(-b)")'


def test_a_long_formula_is_one_line_and_breaks_in_a_notebook():
    model = dynamis.load("niryo-one").equations()
    energy = model.M[0, 0]
    assert repr(energy) == f"<formula of {len(energy)} terms>"
    assert len(str(energy)) > 1000
    page = energy._repr_mimebundle_()["text/html"]
    assert "<wbr/>" in page
    assert repr(dynamis.load("cartesian").equations().M[0, 0]) == "m1 + m2"
    assert repr(dynamis.load("bar-2r").equations().torques).startswith("<2 formulas, ")


@pytest.mark.parametrize(
    ("thing", "line", "text"),
    [
        (dynamis.Payload(2, (0, 0, 0.1)), "Payload(mass=2.0, com=(0.0, 0.0, 0.1))", "CoM z [m]"),
        (dynamis.Body.box([1, 2, 3], mass=12), "<Body box: box>", "<td style="),
        (dynamis.Body.bar("L", mass="m"), "<Body bar: bar>", "no value for L, m"),
        (PD(kp=10, kd=2), "PD(kp=10, kd=2)", "K_P [N m/rad or N/m]"),
        (dynamis.load("bar-2r").references("inverse_dynamics"), "<References: 2 works, 1 method>", "Luh"),
        (dynamis.load("cartesian").equations().newton_euler, "<InverseDynamics of 2 bodies>", "<mi>τ</mi>"),
        (dynamis.load("bar-2r").recursion([0, 0], [0, 0], [0, 0]), "<Recursion: 2 links, 1 state>", "vdc"),
        (dynamis.load("bar-2r").torque_components([[0, 0]] * 3, [0, 0], [0, 0]),
         "<TorqueComponents: 8 parts of 2 torques, 3 states>", "gravity"),
        (dynamis.load("bar-2r").equations().positive_definite(),
         "<PositiveDefinite: proved by sum of squares>", "positive definite"),
    ],
)  # fmt: skip
def test_what_is_easily_forgotten_shows_itself(thing: Any, line: str, text: str):
    assert repr(thing) == line
    assert text in thing._repr_html_()


def test_a_result_with_a_picture_shows_its_first_table_and_the_picture():
    page = re.sub("<details>.*?</details>", "", budget()._repr_html_(), flags=re.DOTALL)
    assert page.count("<table") == 1
    assert page.count("<svg") == 1
    frame = budget().to_pandas("sizing")
    assert not [name for name in frame.columns if "unit" in name]
    assert frame.attrs["units"]["peak torque"] == "N m"
