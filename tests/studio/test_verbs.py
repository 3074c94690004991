"""The verbs of the studio, called as a worker calls them: what they answer, and what they refuse in a sentence."""

from __future__ import annotations

import csv
import re
import sys
import tomllib
import zipfile
from base64 import b64decode
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.library import robot_path
from dynamis.studio.boot import robot_file
from tests.support.studio import answer, result

ROBOT = {"name": "bar-2r.toml", "text": robot_path("bar-2r").read_text()}
TASK = '[motion]\nkind = "quintic"\nstart = [0.1, 0.2]\ngoal = [0.9, 0.4]\nduration = 1\n'
RUN = 'duration = 0.2\n[start]\nq = [0.5, 0.3]\n[control]\nkind = "pd-gravity"\nkp = 60\nkd = 20\ngoal = [1, 0.5]\n'


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A worker works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edited(path: list[Any], value: str, unit: str = "", text: str = "") -> str:
    robot = {**ROBOT, "text": text or ROBOT["text"]}
    return result("edit", robot=robot, edits=[{"path": path, "value": value, "unit": unit}])["robot"]["text"]


def test_an_edit_changes_its_value_and_nothing_else() -> None:
    commented = ROBOT["text"].replace("m1 = 1\n", "m1 = 1  # of steel\n")
    assert edited(["values", "m1"], "2.5", "kg", commented) == commented.replace("m1 = 1  #", "m1 = 2.5  #")
    assert edited(["link", 1, "com", 0], "L2/3", "m") == ROBOT["text"].replace('["L2/2", 0, 0]', '["L2/3", 0, 0]')


def test_the_tool_is_where_kinematics_say() -> None:
    assert result("tool", robot=ROBOT, q=[0, 0]) == {"position": [1.0, 0.0, 0.0]}
    for q in ([0], [[0, 1]], [[1], [2]], [0, float("inf")], [0, None], ["0", "1"], [0, 10**400]):
        assert answer("tool", robot=ROBOT, q=q)["error"].startswith("q must be a list of 2 numbers, got [")


def test_an_arc_of_a_robot_that_goes_straight_goes_beside_the_line() -> None:
    cartesian = {"name": "cartesian.toml", "text": robot_path("cartesian").read_text()}
    found = result("way", robot=cartesian, start=[0, 0.2], goal=[0.4, 0.2])
    tool = dynamis.load("cartesian").with_values(m1=1, m2=1).forward_kinematics([[0, 0.2], [0.4, 0.2]])[:, :3, 3]
    off = np.subtract(found["via"], tool.mean(axis=0))
    np.testing.assert_allclose(found["goal"], tool[1])
    assert np.linalg.norm(off) == pytest.approx(0.1)
    assert off @ (tool[1] - tool[0]) == pytest.approx(0)
    assert "give it under Parameters" in answer("motion", robot=cartesian, task=TASK)["error"]


def test_an_arc_has_a_way_before_one_is_typed() -> None:
    """Through the posture half-way."""
    robot = {"name": "stanford.toml", "text": robot_path("stanford").read_text()}
    start, goal = [0.3] * 6, [0.9] * 6
    found = result("way", robot=robot, start=start, goal=goal)
    task = f"""[motion]
kind = "tool-arc"
start = {start}
via = [{{ tool = {found["via"]} }}]
goal = {{ tool = {found["goal"]} }}
duration = 2
"""
    assert result("motion", robot=robot, task=task)["live"]["motion"]["t"]


def test_the_studio_speaks_of_its_own_fields() -> None:
    """Not of options, which it does not have."""
    puma = {"name": "puma560.toml", "text": robot_path("puma560").read_text()}
    pages = [result("derive", robot=ROBOT, steps=True, method=method) for method in ("newton-euler", "jacobians")]
    pages.append(result("derive", robot=puma, seconds="0.005"))
    pages.append(result("derive", robot=puma, only="A[1], T[0,2]", spatial=True, whole=True))
    said = [str(page) for page in pages] + [
        answer("derive", robot=ROBOT, only="M[1,2]", method="lagrange")["error"],
        answer("derive", robot=ROBOT, only="Q")["error"],
        answer("derive", robot=ROBOT, seconds="soon")["error"],
    ]
    assert [re.findall(r".{40}--[a-z]+", text) for text in said if re.search(r"--[a-z]", text)] == []
    assert 'the field "only these entries" with' in pages[2]["stopped"]
    assert 'in the field "time limit"' in pages[2]["stopped"]
    assert said[-1].startswith('the time limit must be a positive number up to 3600 s, got "soon"')


@pytest.mark.parametrize(
    ("typed", "unit", "value"),
    [("250 g", "kg", "0.25"), ("1.50", "kg", "1.5"), ("30 mm", "m", "0.03"), ("90 deg", "rad", '"1/2*pi"'),
     ("-45°", "rad", '"-1/4*pi"'), ("pi/2", "rad", '"pi/2"'), ("1e-3", "m", "0.001"), ("−2", "m", "-2")],
)  # fmt: skip
def test_units_are_converted_exactly(typed: str, unit: str, value: str) -> None:
    assert f"L1 = {value}\n" in edited(["values", "L1"], typed, unit)


def test_what_the_file_does_not_have_is_made() -> None:
    text = edited(["link", 0, "joint", "damping"], "0.5", "N m s/rad")
    text = edited(["link", 0, "joint", "limits", "upper"], "pi", "rad", text)
    text = edited(["link", 0, "inertia", "xx"], "0.01", "kg m²", text)
    link = tomllib.loads(text)["link"][0]
    assert link["joint"] == {"kind": "revolute", "damping": 0.5, "limits": {"upper": "pi"}}
    assert link["inertia"]["xx"] == 0.01
    assert "damping" not in edited(["link", 0, "joint", "damping"], "", "N m s/rad", text)


@pytest.mark.parametrize(
    ("path", "value", "unit", "sentence"),
    [
        (["link", 0, "mass"], "-1", "kg", 'bar-2r.toml:28: link "link1" has mass -1'),
        (["link", 0, "mass"], "3 mm", "kg", "a value in kg is wanted here"),
        (["link", 0, "mass"], "m9", "kg", 'unknown parameter "m9"'),
        (["link", 0, "mass"], '__import__("os")', "kg", "is not allowed"),
        (["link", 0, "mass"], "1e999", "kg", ""),
        (["link", 7, "mass"], "1", "kg", "the file has no place"),
        (["link"], "1", "", ""),
        ([], "1", "", "the file has no place"),
        ([{}, None], "1", "", "the file has no place"),
        (["robot", "name", "x"], "1", "", ""),
        (["link", 0], "1", "", "the file has no place"),
        (["link", 0], "x", "m", "the file has no place"),
        (["link", -1, "mass"], "1", "kg", "the file has no place"),
        (["link", True, "mass"], "1", "kg", "the file has no place"),
        ("(" * 3000, "1", "", "the file has no place"),
        (["x"] * 3000, "1", "", "the file has no place"),
    ],
)
def test_an_edit_that_cannot_be_is_a_sentence(path: Any, value: str, unit: str, sentence: str) -> None:
    said = answer("edit", robot=ROBOT, edits=[{"path": path, "value": value, "unit": unit}])["error"]
    assert sentence in said
    assert "mistake of ours" not in said


def test_values_that_are_sound_together() -> None:
    """A moment of inertia that no body has alone is tried again with the next one."""
    moment = {"path": ["link", 0, "inertia", "yy"], "value": "9", "unit": "kg m²"}
    assert "triangle inequality" in answer("edit", robot=ROBOT, edits=[moment])["error"]
    both = result("edit", robot=ROBOT, edits=[moment, {**moment, "path": ["link", 0, "inertia", "zz"]}])
    assert both["together"]
    assert "yy = 9, zz = 9" in both["robot"]["text"]
    alone = result("edit", robot=ROBOT, edits=[{**moment, "value": "-"}, {**moment, "path": ["values", "m1"]}])
    assert not alone["together"]


def test_without_tomlkit_an_edit_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tomlkit", None)
    edits = [{"path": ["values", "m1"], "value": "2", "unit": "kg"}]
    assert 'pip install "dynamis[studio]"' in answer("edit", robot=ROBOT, edits=edits)["error"]
    assert result("open", robot=ROBOT)["title"] == "bar-2r"


def test_robots_of_many_joints_have_no_live_model() -> None:
    link = '[[link]]\nname = "l{}"\njoint = "revolute"\naxis = [0, 0, 1]\noffset = [0.1, 0, 0]\nmass = 1\n'
    text = '[robot]\nname = "chain"\nconvention = "offset"\n' + "".join(link.format(k) for k in range(41))
    shown = result("open", robot={"name": "chain.toml", "text": text})
    assert (shown["live"], shown["why"].split()[:2], len(shown["form"])) == (None, ["41", "joints"], 42)


def test_a_robot_file_leads_to_no_other_file(empty_folder: Path) -> None:
    """Nor do task files; names are names and no paths."""
    (empty_folder.parent / "secret.toml").write_text("secret")
    for body in ("../secret.toml", str(empty_folder.parent / "secret.toml"), "/etc/passwd"):
        link = f'[robot]\nname = "a"\nconvention = "offset"\n[[link]]\nname = "a"\njoint = "fixed"\nbody = "{body}"\n'
        assert "in the folder of" in answer("open", robot={"name": "a.toml", "text": link})["error"]
    samples = '[motion]\nkind = "samples"\nfile = "../secret.toml"\n'
    assert "in the folder of" in answer("motion", robot=ROBOT, task=samples)["error"]
    opened = result("open", robot={"name": "../../etc/arm.toml", "text": ROBOT["text"]})
    assert opened["robot"]["name"] == "arm.toml"
    assert list(empty_folder.iterdir()) == []


def test_kinds_of_files() -> None:
    for name in ("arm.exe", "arm", "arm.html", "arm.toml.sh"):
        assert (
            "is not a robot file; open a .toml, .urdf, .xml file"
            in answer("open", robot={"name": name, "text": ""})["error"]
        )
    urdf = result("save", robot=ROBOT, kind="urdf")
    assert urdf["name"] == "bar-2r.urdf"
    back = result("open", robot=urdf)
    assert back["robot"]["name"] == "bar-2r.toml"
    (Path("again.toml")).write_text(back["robot"]["text"])
    q, qd, qdd = [0.3, 0.4], [1.0, -0.5], [0.2, 2.0]
    again, own = dynamis.load("again.toml"), dynamis.load("bar-2r")
    tau = again.inverse_dynamics(q, qd, qdd, gravity=[0, -9.81, 0])
    np.testing.assert_allclose(tau, own.inverse_dynamics(q, qd, qdd), rtol=1e-9)


def test_the_robot_of_the_command_line_needs_no_other_files() -> None:
    Path("bar.toml").write_text('[body]\nname = "bar"\n[[part]]\nshape = "box"\nsize = [1, 0.1, 0.1]\nmass = 2\n')
    Path("arm.toml").write_text(
        '[robot]\nname = "arm"\nconvention = "offset"\n[[link]]\nname = "a"\njoint = "revolute"\n'
        'axis = [0, 0, 1]\nbody = "bar.toml"\n'
    )
    try:
        name, text = robot_file("arm.toml")
    except dynamis.DynamisError as error:
        pytest.fail(str(error))
    Path("bar.toml").unlink()
    assert (name, "body" in text) == ("arm.toml", False)
    assert result("open", robot={"name": name, "text": text})["title"] == "arm"


def test_an_arm_from_a_dh_table() -> None:
    data = b64decode(result("data", robot=ROBOT, task=TASK, what="motion", format="csv")["base64"]).decode()
    last = list(csv.DictReader(StringIO(data)))[500]
    q, qd, qdd = dynamis.quintic([0.1, 0.2], [0.9, 0.4], 1).at(float(last["t [s]"]))
    tau = dynamis.load("bar-2r").inverse_dynamics(q, qd, qdd)
    assert [float(last[f"tau{k} [N m]"]) for k in (1, 2)] == pytest.approx(tau)
    run = result("simulate", robot=ROBOT, simulation=RUN)
    assert run["samples"]["t"]
    assert run["why"] == ""
    assert "motion.toml:2" in answer("motion", robot=ROBOT, task=TASK.replace("quintic", "quintc"))["error"]


def test_code_is_what_export_writes() -> None:
    made = result("code", robot=ROBOT, target="c", functions="gravity_torque")
    with zipfile.ZipFile(BytesIO(b64decode(made["base64"]))) as archive:
        names = {name.removeprefix("bar_2r-c/") for name in archive.namelist()}
    assert names == set(dynamis.export(dynamis.load("bar-2r"), "c", functions=["gravity_torque"]).files)


@pytest.mark.parametrize(
    "verb", ["", "nothing", None, [], "open", "edit", "derive", "motion", "simulate", "learn", "data", "code"]
)
@pytest.mark.parametrize("robot", [None, [], "x", {}, {"name": 3}, {"name": "a.toml", "text": "["}])
def test_nonsense_is_a_sentence(verb: Any, robot: Any) -> None:
    message = answer(verb, robot=robot)
    assert verb == "menus" or message["error"]
    assert "mistake of ours" not in message.get("error", "")


def test_charts_have_no_styles_of_their_own() -> None:
    """The policy of the page forbids them."""
    moved = result("motion", robot=ROBOT, task=TASK)
    assert " style=" not in moved["html"] + result("derive", robot=ROBOT, steps=True)["html"]


@pytest.mark.parametrize(("path", "value"), [
    (["robot", "gravity", 1], "1e-320"), (["values", "m1"], "1e-320"), (["values", "L1"], "1e-320"),
    (["values", "g"], "1e308"), (["robot", "name"], "x" * 5000), (["values", "L1"], "9" * 5000),
])  # fmt: skip
def test_absurd_values_are_shown_or_are_a_sentence(path: list[Any], value: str) -> None:
    message = answer(
        "edit", robot=ROBOT, edits=[{"path": path, "value": value, "unit": "words" if "name" in path else ""}]
    )
    assert "mistake of ours" not in message.get("error", "")
    assert len(message.get("error", "")) < 300


@pytest.mark.parametrize("key", ["trials", "patience", "period", "gain", "mass_error", "noise", "cutoff", "kp"])
def test_options_of_learning_that_cannot_be_are_sentences(key: str) -> None:
    for text in ("nan", "inf", "1e400", "1e308", "1,2,3,4,5", "-1e308", "x" * 5000):
        message = answer("learn", robot=ROBOT, task=TASK, options={"trials": "1", "period": "0.02", key: text})
        assert "mistake of ours" not in message.get("error", "")
        assert len(message.get("error", "x")) < 300
    assert answer("learn", robot=ROBOT, task=TASK, options={key: "nan"})["error"].startswith(key.split("_")[0])
