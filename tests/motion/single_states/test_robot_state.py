"""A robot in a state: its parts are those of the plain reference, they fit together, and they read well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Joint, Link, Robot, robot_state
from dynamis.compute.quantities.entry_names import KINDS, read_names
from dynamis.compute.quantities.reference import plain
from dynamis.errors import ArgumentError, MissingMassError
from dynamis.motion.single_states.inverse import state_torques
from dynamis.motion.single_states.parts import PARTS
from dynamis.results import RobotState
from tests.support.closeness import close
from tests.support.command_line import caller
from tests.support.coupled_robots import ROBOTS as COUPLED
from tests.support.exact_models import at, point
from tests.support.exact_models import robots as exact_robots
from tests.support.strategies import Case, robots

FORMATS = ("text", "latex", "markdown", "html", "typst", "json")
REFERENCES = {
    "M": "mass_matrix", "C": "coriolis_matrix", "c": "coriolis_torque", "g": "gravity_torque", "T": "kinetic_energy",
    "U": "potential_energy", "J": "jacobian", "Jd": "jacobian_rate", "Y": "full_regressor",
}  # fmt: skip


def check_laws(state: RobotState, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> None:
    """The parts by the plain reference, and the equations that hold between them."""
    robot, inputs = state.question.robot, {"q": q, "qd": qd, "qdd": qdd}
    for name, quantity in REFERENCES.items():
        entry = dynamis.compute.quantities.registry.QUANTITIES[quantity]  # type: ignore[attr-defined]
        options = {"frame": state.question.frame} if "frame" in entry.options else {}
        expected = plain(robot, quantity, *(inputs[key] for key in entry.inputs), **options)[0]
        close(state[name], expected, scale=1 + float(np.abs(expected).max(initial=0)))
    tau = plain(robot, "inverse_dynamics", q, qd, qdd)[0]
    size = 1 + float(np.abs(state["Y"] * state["pi"].values).sum())
    close(state["tau"], tau, size)
    close(state["Y"] @ state["pi"], tau, size)
    close(state["C"] @ qd, state["c"], size)
    close(qd @ state["M"] @ qd / 2, state["T"], size)
    close(state["J"] @ qd, np.concatenate([state["frame"].velocity, state["frame"].w]), size)
    close(state["H"] @ qd, state["Jd"], 1 + float(np.abs(state["H"]).max()) * float(np.abs(qd).sum()))
    for k, link in enumerate(robot.links):
        close(state["Hc"][k] @ qd, state["Jcd"][k], 1 + float(np.abs(state["Hc"]).max()) * float(np.abs(qd).sum()))
        for name, quantity, arguments in ("Jcd", "com_jacobian_rate", (q, qd)), ("Hc", "com_hessian", (q,)):
            (expected,) = plain(robot, quantity, *arguments, link=link.name)
            close(state[name][k].reshape(expected.shape), expected, 1 + float(np.abs(expected).max(initial=0)))
        close(state["Jc"][k, :3] @ qd, robot.com_pose(q, link.name)[:3, :3] @ state["motion"].com_velocity[k], size)


@settings(max_examples=6)
@given(robots(joints=(1, 4), kinds=("revolute", "prismatic"), friction=True))
def test_parts_fit_together(case: Case) -> None:
    robot = case.robot()
    names = [name for name in PARTS if name not in ("Lambda", "mu", "p")]
    check_laws(robot_state(robot, case.q, case.qd, case.qdd, only=names), case.q, case.qd, case.qdd)


@pytest.mark.parametrize("name", ["parallelogram", "screw"])
def test_coupled_joints(name: str) -> None:
    robot = COUPLED[name]
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, robot.n))
    state = robot_state(robot, q, qd, qdd, only=["tau", *REFERENCES, "pi", "frame", "H", "Hc", "Jc", "Jcd", "motion"])
    check_laws(state, q, qd, qdd)


def test_the_operational_space_of_a_planar_arm() -> None:
    robot, q, qd = dynamis.load("bar-2r"), [0.3, 1.2], [0.5, -0.4]
    state = robot_state(robot, q, qd, only="Lambda, mu p", rows="x y")
    np.testing.assert_array_equal(state["Lambda"], robot.operational_inertia(q, rows="x y"))
    np.testing.assert_array_equal(state["mu"], robot.operational_coriolis(q, qd, rows="x y"))
    np.testing.assert_array_equal(state["p"], robot.operational_gravity(q, rows="x y"))
    stretched = robot_state(robot, [0.3, 0], only="Lambda", rows="x y")
    assert np.isnan(stretched["Lambda"]).all()
    assert "depend on each other here (a singular posture): Lambda does not exist" in str(stretched)


@settings(max_examples=5)
@given(exact_robots())
def test_what_derive_gives_in_symbols_is_here_in_numbers(robot: Robot) -> None:
    """Transforms, Jacobians, Christoffel symbols and energies of links, against the closed form, in two states."""
    model, n, k = robot.equations(), robot.n, len(robot.links)
    names = f"A T[0,{k}] T0c{k} T[{k},0] p[c{k}] T[{k}] U[{k}] L christoffel Ck Ck[{n}] Jv Jw[{k}] Ibase[1]"
    q, qd = np.linspace(-0.7, 1.1, 2 * n).reshape(2, n), np.linspace(1, 2, n)
    state, values = robot_state(robot, q, qd, only=names), point(model, q[1], qd, qd)
    joints, links = range(1, n + 1), range(1, k + 1)
    parents = {link.name: i for i, link in enumerate(robot.links, 1)}
    rows = model.quantity("com_jacobian", link=robot.links[-1].name)
    expected: dict[str, Any] = {
        "A": [model.transform(parents.get(robot.links[i - 1].parent, 0), i) for i in links],
        f"T[0,{k}]": model.transform(0, k), f"T[0,c{k}]": model.transform(0, f"c{k}"),
        f"T[{k},0]": model.transform(k, 0), f"p[c{k}]": [row[3] for row in model.transform(0, f"c{k}")[:3]],
        f"T[{k}]": model.kinetic_energies[-1], f"U[{k}]": model.potential_energies[-1], "L": model.lagrangian,
        "christoffel": [[[model.christoffel(a, b, c) for c in joints] for b in joints] for a in joints],
        f"Ck[{n}]": [[model.christoffel(a, b, n) for b in joints] for a in joints],
        f"Jw[{k}]": rows[3:], "Ibase[1]": model.quantity("link_inertia", link=robot.links[0].name),
    }  # fmt: skip
    for name, exact in expected.items():
        array = np.array(exact, dtype=object)
        numbers = np.reshape([at(entry, values) for entry in array.ravel()], array.shape)
        close(state[name][1], numbers, 1 + float(np.abs(numbers).max(initial=0)))
    close(state["Jv"][1, -1], np.reshape([at(x, values) for row in rows[:3] for x in row], (3, n)), 10.0)
    np.testing.assert_array_equal(state["Ck"][..., n - 1, :, :], state[f"Ck[{n}]"])
    np.testing.assert_array_equal(robot.forward_kinematics(q, 0, relative_to=k), state[f"T[{k},0]"])
    assert "kinetic" not in state.page(width=80).split("p[c")[0]  # T0c2 is no energy


def test_one_list_of_names() -> None:
    """What derive and state are asked for has one meaning: state has all but S, and derive says what has no formula."""
    assert set(KINDS) - set(PARTS) == {"S"}
    assert set(PARTS) <= set(KINDS)
    only = [name for name, kind in KINDS.items() if kind.examples and name != "S"]
    examples = [text for name in only for text in KINDS[name].examples]
    state = robot_state(dynamis.load("bar-2r"), [0.1, 0.2], [1, 1], only=examples, frame="tool", rows="x y")
    assert len(state.parts) == len(examples)
    with pytest.raises(ArgumentError, match=r"Lambda has no formula here; dynamis\.robot_state\(robot, "):
        read_names("Lambda")


def test_several_states() -> None:
    """State by state in words, batches in arrays."""
    robot = dynamis.load("puma560")
    q, qd = np.random.default_rng(2).uniform(-1, 1, (2, 3, 6))
    every = robot_state(robot, q, qd, only=list(PARTS))
    single = robot_state(robot, q[1], qd[1], only=list(PARTS))
    for name in PARTS:
        if isinstance(every[name], np.ndarray):
            np.testing.assert_allclose(every[name][1], single[name], atol=1e-12)
    text = every.page(width=80)
    assert text.count(": mass matrix [kg m²]") == 3
    assert "state 2: M: mass matrix [kg m²]" in text
    assert single.table("M") in every.table("M2")
    assert np.shape(every.as_dict()["poses"]["frames"]["tool"]) == (3, 4, 4)


ENTRIES = {
    "M[1,2]": lambda s: s["M"][..., 0, 1],
    "g[2]": lambda s: s["g"][..., 1],
    "tau[3]": lambda s: s["tau"][..., 2],
    "J[rx,2]": lambda s: s["J"][..., 3, 1],
    "Jd[2, 3]": lambda s: s["Jd"][..., 1, 2],
    "H[y,1,2]": lambda s: s["H"][..., 1, 0, 1],
    "Jc[link3,z,1]": lambda s: s["Jc"][..., 2, 2, 0],
    "Jcd[3,6,1]": lambda s: s["Jcd"][..., 2, 5, 0],
    "Hc[4,x,2,3]": lambda s: s["Hc"][..., 3, 0, 1, 2],
    "Lambda[x,rz]": lambda s: s["Lambda"][..., 0, 5],
    "mu[1]": lambda s: s["mu"][..., 0],
    "Y[2,m3]": lambda s: s["Y"][..., 1, 20],
}


def test_single_entries() -> None:
    """By numbers from 1 or names, of one state and of several; asked for twice, told once."""
    robot = dynamis.load("puma560")
    q, qd = np.random.default_rng(3).uniform(-1, 1, (2, 2, 6))
    state = robot_state(robot, q, qd, only=", ".join(ENTRIES))
    whole = robot_state(robot, q, qd, only=list(PARTS))
    assert whole["pi"].names[20] == "m3"
    assert list(state.parts) == [name.replace(" ", "") for name in ENTRIES]
    for name, entry in ENTRIES.items():
        np.testing.assert_array_equal(state[name.replace(" ", "")], entry(whole))
    once = robot_state(robot, q[0], qd[0], only=["M[1,2]", "M12, M[1, 2] g[2]"])
    assert tuple(once.parts) == ("M[1,2]", "g[2]")
    assert once["M[1,2]"] == whole["M"][0, 0, 1]
    assert [line for line in str(once).splitlines() if ":" in line] == [
        "M[1,2]: mass matrix, row 1 and column 2 [kg m²]", "g[2]: gravity torque of joint 2 [N m]",
    ]  # fmt: skip
    assert json.loads(once.to_json())["g[2]"] == pytest.approx(whole["g"][0, 1])
    for form in FORMATS:
        assert once.page(form)


def test_json_has_the_notes() -> None:
    robot = dynamis.load("bar-2r")
    beyond = json.loads(robot_state(robot, [0, 0], [1e200, 0], only="c, Lambda[x,y]", rows="x y").to_json())
    assert beyond["notes"] == [
        "c: not all numbers are finite: this state leads to some beyond 1e308, where arithmetic ends",
        "Lambda[x,y]: the chosen rows of J depend on each other here (a singular posture): Lambda does not exist",
    ]
    assert json.loads(robot_state(robot, [0, 1], only="c").to_json())["notes"] == []
    assert "beyond 1e308" in json.loads(state_torques(robot, [0, 1], [1e200, 0]).to_json())["notes"][-1]


@pytest.mark.parametrize("name", ["puma560", "ur5", "stanford"])
def test_a_six_joint_arm_fits_80_columns(name: str) -> None:
    robot = dynamis.load(name)
    robot = robot.with_values(**dict.fromkeys(robot.missing_values, 0.5))
    text = robot_state(robot, np.arange(6) / 7, np.ones(6), np.ones(6), only=list(PARTS)).page(width=80)
    assert max(map(len, text.splitlines())) <= 80


def test_all_formats() -> None:
    """Names that mean something in a format are text in it."""
    links = (
        Link("a|b <i>&$", Joint("$x_1$", axis=(0, 0, 1)), mass=1, com=(0.5, 0, 0)),
        Link("c#%_", Joint("y\\{", "prismatic", (1, 0, 0)), "a|b <i>&$", mass=1),
    )
    state = robot_state(Robot("hostile", links), [0.1, 0.2], only=list(PARTS), frame="c#%_", rows="x")
    for form in FORMATS:
        page = state.page(form)
        assert page
        assert form != "html" or "<i>&$" not in page
    assert set(PARTS) <= json.loads(state.to_json()).keys()


def test_what_a_robot_does_not_have() -> None:
    bare = Robot(
        "bare",
        (
            Link(
                "arm",
                Joint("q1"),
            ),
            Link("other", Joint("q2")),
        ),
    )
    state = robot_state(bare, [0.1, 0.2])
    assert tuple(state.parts) == ("poses", "motion")
    (note,) = state.notes
    assert note.startswith("without tau, M, C, c, g, T, U, reactions: ")
    with pytest.raises(MissingMassError):
        robot_state(bare, [0.1, 0.2], only="M")
    with pytest.raises(ArgumentError, match='robot "bare" has no tool; name a frame or a link'):
        robot_state(bare, [0.1, 0.2], only="J")
    assert robot_state(bare, [0.1, 0.2], only="J", frame="other")["J"].shape == (6, 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"only": 5}, 'only must be names of parts, such as "M g", got 5'),
        ({"only": ["M", 3]}, '"3" is not an entry '),
        ({"only": "M", "loads": 5}, "loads must be "),
        ({"only": "M", "loads": [1]}, "load 1 "),
        ({"frame": 4}, "frame must be a name, got 4"),
        ({"only": "M[3,1]"}, 'M has no index "3" there; write a number from 1 to 2'),
        ({"only": "J[w,1]"}, 'J has no index "w" there; write a number from 1 to 6 or one of x, y, z, rx, ry, rz'),
        ({"only": "M[1]"}, "M has 2 indices, not 1; write M[1,1]"),
        ({"only": "g[1,1]"}, "g has 1 index, not 2; write g[1]"),
        ({"only": "L[1]"}, "L has no entries to choose; ask for L"),
        ({"only": "T[3]"}, 'T has no index "3" there; write a number from 1 to 2 or one of link1, link2'),
        ({"only": "T[0,3]"}, 'unknown link or frame "3" in robot "bar-2r"'),
        ({"only": "A[0]"}, 'A has no index "0" there; write a number from 1 to 2 or one of link1, link2'),
        ({"only": "S"}, 'S is told in symbols alone; dynamis.derive_only(robot.equations(), "S") derives it'),
        (
            {"only": "M[1,2"},
            '"M[1,2" is not an entry (indices count from 1, without leading zeros); choose of tau',
        ),
        ({"only": "Lambda"}, "the frame is carried by 2 joints, too few for the operational-space inertia of 6 rows"),
        ({"only": "Lambda", "rows": ""}, "rows is empty; choose of x, y, z, rx, ry, rz"),
        ({"gravity": "x"}, "gravity must be True, False or three finite values"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(dynamis.DynamisError) as caught:
        robot_state(dynamis.load("bar-2r"), [0, 1], **arguments)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--q", "1,2", "--only", "N"], 'unknown part "N" (known: tau, M, C, '),
        (["--q", "1"], "q must have one value per joint, got 1 value"),
        ([], "no state: give --q with 2 values, or --state FILE"),
        (["--q", "1,2", "--only", "Lambda"], "the frame is carried by 2 joints, too few for"),
        (["--q", "1,2", "--frame", "hand"], 'unknown link or frame "hand" in robot "bar-2r"'),
        (["--q", "1,2", "--only", "J", "--frame", "C1"], 'unknown link or frame "C1" in robot "bar-2r"'),
        (
            ["--q", "1,2", "--frame", " "],
            "error: --frame is empty; name a frame or a link, or leave it out for the tool",
        ),
        (["--q", "1,2", "--as", "word"], 'unknown format "word"'),
        (["--q", "1,2", "--only", "Lambda"], 'choose at most 2, such as --rows "x y"'),
        (["--q", "1,2", "--only", "Lambda", "--rows", ""], "error: --rows is empty; choose of x, y, z, rx, ry, rz"),
        (["--q", "1,2", "--only", ""], "error: no entry is named; choose of tau, M, "),
        (["--q", "1,2", "--convention", "mine"], 'unknown convention "mine" (known: joint, parent_tip)'),
    ],
)
def test_sentences(monkeypatch: Any, capsys: Any, arguments: list[str], sentence: str) -> None:
    found = caller(monkeypatch, capsys)("state", "bar-2r", *arguments)
    assert found.code == 2
    assert sentence in found.err
    assert len(found.err.splitlines()) == 1


def test_the_command(monkeypatch: Any, capsys: Any, tmp_path: Any) -> None:
    """The exercise's own state, gravity and convention; a page; JSON in full precision."""
    cli = caller(monkeypatch, capsys)
    data = json.loads(cli("state", "exercise-2.1-gravity", "--json").out)
    assert data["tau"] == pytest.approx([318.19361813, 38.67347216], rel=1e-9)
    assert data["reactions"]["convention"] == "parent_tip"
    page = tmp_path / "state.html"
    assert cli("state", "bar-2r", "--q", "10,20", "--degrees", "--only", "M,poses", "-o", str(page)).code == 0
    assert "mass matrix" in page.read_text()
    file = tmp_path / "state.toml"
    file.write_text("q = [[0.1, 0.2], [0.3, 0.4]]\ngravity = false\n")
    data = json.loads(cli("state", "bar-2r", "--state", str(file), "--only", "g,U", "--json").out)
    assert data["g"] == [[0, 0], [0, 0]]
    assert data["U"] == [0, 0]


def test_the_page_shows_real_output(monkeypatch: Any, capsys: Any) -> None:
    page = (Path(__file__).parents[3] / "docs" / "states.md").read_text(encoding="utf-8")
    command, _, output = page.split("```console\n$ dynamis ")[1].split("```")[0].partition("\n")
    assert caller(monkeypatch, capsys)(*command.split()).out == output


def test_symmetric_entries_of_a_matrix_look_the_same() -> None:
    """M of a robot whose last links are light: all of its entries have the same decimals, in 80 columns."""
    table = robot_state(dynamis.load("ur5"), [0.1, -0.8, 1, 0.2, 1, 0.3], only="M").table("M")
    rows = [line.split()[1:] for line in table.splitlines()[3:]]
    assert [*map(list, zip(*rows, strict=True))] == rows
    assert {len(entry.partition(".")[2]) for row in rows for entry in row} == {7}
    assert max(map(len, table.splitlines())) <= 80


def test_numbers_that_overflow_have_a_note(monkeypatch: Any, capsys: Any) -> None:
    """Squares of velocities beyond 1e308, in tables and in words."""
    note = "not all numbers are finite"
    arm, state = dynamis.load("bar-2r"), ([0, 1.2], [1e200, 1e200])
    for name in ("c", "T", "tau", "motion", "reactions"):
        assert f"note: {note}" in robot_state(arm, *state, only=name).page("text")
        assert note not in robot_state(arm, [0, 1.2], [1, 1], only=name).page("text")
    told = caller(monkeypatch, capsys)("inverse", "bar-2r", "--q", "0,1.2", "--qd", "1e200,1e200", "--words")
    assert told.code == 0
    assert f"note: {note}" in told.out
    assert f"In words\nN{note[1:]}" in told.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["state", "bar-2r", "--q", "0,1", "--only", ""], "no entry is named; choose of tau, M, "),
        (["state", "bar-2r", "--q", "0,1", "--only", "foo"], f"(known: {', '.join(PARTS)})"),
        (["show", ""], 'unknown robot ""'),
        (["show", "bar-2r", "--figure", ""], "must end in .svg, .pdf, .png, .tikz, .tex, got no name"),
    ],
)
def test_empty_and_unknown_names_are_one_sentence(
    arguments: list[str], sentence: str, monkeypatch: Any, capsys: Any
) -> None:
    refused = caller(monkeypatch, capsys)(*arguments)
    assert refused.code == 2
    assert sentence in refused.err
    assert refused.err.count("\n") == 1
