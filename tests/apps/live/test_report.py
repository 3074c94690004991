"""The report as a file: what it tells, that it is safe, and that the same input gives the same bytes."""

from __future__ import annotations

import json
import re
import warnings
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

import dynamis
from dynamis.apps.live.figure import figure_data
from dynamis.apps.live.inputs import inputs
from dynamis.apps.live.live_model import LiveModel
from dynamis.apps.live.live_report import LiveReport, start
from dynamis.apps.live.page import script
from dynamis.base.errors import UnphysicalWarning
from dynamis.errors import ArgumentError
from dynamis.files import load_task
from tests.support.command_line import caller

NAME = '</script><script>alert(1)</script>" onload="alert(2)'


@pytest.fixture(scope="module")
def arm() -> LiveReport:
    robot = dynamis.load("bar-2r")
    return dynamis.report(robot, load_task("two-bar-reach", robot))


def test_the_same_input_gives_the_same_bytes(arm: LiveReport, tmp_path: Path) -> None:
    """Figures in the files of Markdown; PDF of a report without a motion, whose figures take seconds to typeset."""
    files: list[dict[str, bytes]] = []
    for name in "ab":
        robot, folder = dynamis.load("bar-2r"), tmp_path / name
        folder.mkdir()
        again = arm if name == "a" else dynamis.report(robot, load_task("two-bar-reach", robot))
        for suffix in (".html", ".ipynb", ".md"):
            again.save(folder / f"reach{suffix}")
        dynamis.report(robot).save(folder / "arm.pdf")
        files.append({x.name: x.read_bytes() for x in sorted(folder.rglob("*.*"))})
    assert files[0].keys() == files[1].keys()
    assert len(files[0]) > 8
    assert [name for name in files[0] if files[0][name] != files[1][name]] == []
    assert files[0]["arm.pdf"].startswith(b"%PDF")
    assert b"CreationDate" not in files[0]["arm.pdf"]
    markdown = arm.page("markdown")
    for ring in arm.document().rings:
        assert ring.deadline is not None
        ring.deadline.end = 0.0  # long ago: the formulas of a report that is saved late are as short
    assert arm.page("markdown") == markdown


def test_policy_allows_what_is_in_the_page_and_nothing_else(arm: LiveReport) -> None:
    page = arm.page("html")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'")
    for kind, pattern in (("script", r'<script type="module">(.*?)</script>'), ("style", r"<style>(.*?)</style>")):
        (text,) = re.findall(pattern, page, re.DOTALL)
        assert f"{kind}-src 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy[1]
    body = page.partition("<body>")[2].partition('<script type="application/json"')[0]
    assert " style=" not in body
    assert re.findall(r"<(h\d|th)\b[^>]*></\1>", body) == []  # what a screen reader would say nothing of
    assert not re.search(r'(?:src|href)="(?!#)', body)


def test_a_name_is_only_a_name() -> None:
    robot = replace(dynamis.load("cartesian"), name=NAME, description=NAME)
    page = dynamis.report(robot).page("html")
    assert page.count("<script") == 2
    assert "alert(1)</script>" not in page
    assert 'onload="' not in page


def test_every_format_tells_the_same(arm: LiveReport, tmp_path: Path) -> None:
    titles = [section.title for section in arm.document().blocks]
    assert titles == [
        "Model", "Robot", "Motion", "Figures of the motion", "Equations of motion", "Proofs", "Derivation",
        "Dynamic coefficients",
    ]  # fmt: skip
    markdown = arm.page("markdown")
    assert [title for title in titles if f"## {title}\n" not in markdown] == []
    arm.save(tmp_path / "arm.ipynb")
    notebook = nbformat.read(tmp_path / "arm.ipynb", as_version=4)
    nbformat.validate(notebook)
    source = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert 'dynamis.files.load_task("two-bar-reach", robot)' in source
    assert [cell.source for cell in notebook.cells if cell.cell_type == "code" and not cell.outputs] == []
    assert sum("image/png" in cell.outputs[0].data for cell in notebook.cells if "plot(" in cell.source) > 5
    with pytest.raises(ArgumentError, match=r"must end in \.html, \.pdf, \.ipynb or \.md, got"):
        arm.save(tmp_path / "arm.docx")


def test_the_model_on_paper_is_that_of_the_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its payload and its gravity, as under the sliders; the calls of a notebook give the same numbers."""
    task = tmp_path / "swing.toml"
    task.write_text(
        'payload = 2\ngravity = [0, -5, 0]\n[motion]\nkind = "quintic"\nstart = [0.3]\ngoal = [1]\nduration = 1\n'
    )
    arm = tmp_path / "arm.toml"
    arm.write_text(
        '[robot]\nname = "arm"\nconvention = "offset"\ngravity = [0, "-g", 0]\n[parameters]\ng = "gravity"\n'
        'm = "mass [kg]"\n[[link]]\nname = "bar"\njoint = "revolute"\naxis = [0, 0, 1]\nmass = "m"\n'
        'com = [0.5, 0, 0]\n[tool]\nplacement = "Tx(1)"\n'
    )
    open_values = dynamis.load(str(arm))
    robot = open_values.with_values(m=3, g="981/100")
    made = dynamis.report(robot, load_task(str(task), robot))
    tau = (3 * 0.5 + 2 * 1) * 5 * np.cos(0.3)
    assert f" {tau:.3f} |" in (text := made.page("markdown"))
    assert "at rest, with the payload of the task." in text
    monkeypatch.chdir(tmp_path)
    np.testing.assert_allclose(state_of_notebook(made), [tau], atol=1e-5)
    said = dynamis.report(open_values)
    assert "values that show the arm well stand in: g = 9.81, m = 1" in said.page("markdown")
    expected = said.inputs.robot.inverse_dynamics([x.value for x in said.inputs.q])
    np.testing.assert_allclose(state_of_notebook(said), expected, atol=1e-5)


def state_of_notebook(made: LiveReport) -> Any:
    """The torques that the calls of a notebook lead to, which were made in the folder of its files."""
    made.save("again.ipynb")
    code = [x.source for x in nbformat.read("again.ipynb", as_version=4).cells if x.cell_type == "code"]
    (k,) = (k for k, source in enumerate(code) if "robot_state(" in source)
    *lines, last = "\n".join(x for x in code[: k + 1] if ".plot(" not in x).splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)
    return eval(last, names)["tau"]


def test_a_robot_is_warned_of_once() -> None:
    with pytest.warns(UnphysicalWarning, match="genova-rp"):
        robot = dynamis.load("genova-rp")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnphysicalWarning)
        assert "genova-rp" in dynamis.report(robot).page("html")


def test_a_robot_that_cannot_move_has_no_report() -> None:
    post = dynamis.Robot("post", (dynamis.Link("mast", dynamis.Joint("j", "fixed"), mass=1),))
    with pytest.raises(ArgumentError, match='robot "post" has no joint that moves, so there is no torque'):
        dynamis.report(post)
    with pytest.raises(ArgumentError, match='robot "post" has no joint that moves, so there are no equations'):
        dynamis.derive(post.equations())


@pytest.mark.parametrize("name", ["deluca-2r", "parallelogram", "stanford"])
def test_the_model_in_the_page_is_the_robot(name: str) -> None:
    """The exported functions with the values of the sliders, on the plain reference's own floats."""
    robot = dynamis.load(name)
    moved = inputs(robot, start(robot))
    model = LiveModel(moved, moving=True)
    data = model.data()
    assert b64decode(data["module"]).startswith(b"\0asm")
    own = robot.with_values(**{x.name: x.value for x in moved.parameters if x.name in moved.stand_ins})
    values = {key: [s.value for s in getattr(moved, key)] for key in ("q", "qd", "qdd", "parameters", "gravity")}
    values["qd"] = [0.3] * robot.n
    (function,) = (x for x in model.export.functions if x.name == "inverse_dynamics")
    given = {x.name: list(map(float, values[x.name])) for x in function.source.inputs}
    ((_, _, tau),) = function.source.compute(given, None)
    np.testing.assert_allclose(tau, own.inverse_dynamics(values["q"], values["qd"]), rtol=1e-9, atol=1e-12)


def test_a_view_takes_in_a_motion_that_begins_in_one_point() -> None:
    robot, q = dynamis.load("cartesian").with_values(m1=2, m2=1), np.zeros(2)
    assert 0.01 < figure_data(robot, q, np.linspace(q, [0.03, 0.04], 20))["size"] < 0.05
    assert figure_data(robot, q)["size"] == 1


def test_scripts_have_one_scope() -> None:
    names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", script(), re.MULTILINE)
    assert [name for name in names if names.count(name) > 1] == []
    assert "import " not in re.sub(r"/\*.*?\*/|//[^\n]*|`[^`]*`", "", script(), flags=re.DOTALL)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    caller(monkeypatch, capsys)("report", "cartesian")
    page = Path("report.html").read_text()
    assert "command: dynamis report cartesian" in page
    assert json.loads(re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)[0])["name"] == "cartesian"
