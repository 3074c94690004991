"""Tables in degrees: angles and their rates alone, whatever column the unit stands in."""

import json
import re
from math import degrees

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import dynamis
from dynamis.cli.main import app
from dynamis.document.blocks import Column, Document, Section, Table
from dynamis.document.degrees import in_degrees
from dynamis.document.result import Result
from tests.support.special_robots import special_state

STATE = {"q": "10,20,0.3,40,50,60", "qd": "1,2,3,4,5,6", "qdd": "0,0,7,0,0,80"}
OPTIONS = [word for name, values in STATE.items() for word in (f"--{name}", values)]


def output(*words: str) -> str:
    outcome = CliRunner(env={"COLUMNS": "200"}).invoke(app, words)
    assert outcome.exit_code == 0, outcome.output
    return outcome.stdout


@pytest.mark.parametrize("command", ["inverse", "state"])
def test_a_state_given_in_degrees_is_shown_in_degrees(command: str):
    """Joint 3 of the Stanford arm slides: its 0.3 m and 3 m/s stay."""
    text = output(command, "stanford", *OPTIONS, "--degrees")
    rows = [line.split() for line in text.splitlines() if line[:1].isdigit() and ("revolute" in line or "pris" in line)]
    assert [[float(cell) for cell in row[3:6]] for row in rows[:6]] == [
        [10, 1, 0], [20, 2, 0], [0.3, 3, 7], [40, 4, 0], [50, 5, 0], [60, 6, 80]
    ]  # fmt: skip
    assert "[deg, m]" in text


def test_the_tool_turns_in_degrees_per_second():
    robot = dynamis.load("stanford")
    factors = np.where(np.arange(6) == 2, 1.0, np.pi / 180)
    q, qd, qdd = (np.fromstring(values, sep=",") * factors for values in STATE.values())
    motion = robot.frame_motion(q, qd, qdd)
    rows = [line.split() for line in output("state", "stanford", *OPTIONS, "--degrees", "--only", "frame").splitlines()]
    table = {row[0]: [float(cell) for cell in row[2:]] for row in rows if len(row) == 5 and "-" not in row[0]}
    assert np.allclose(table["w"], np.degrees(motion.w), atol=1e-3)
    assert np.allclose(table["velocity"], motion.velocity, atol=1e-3)


def test_json_is_in_radians():
    told = json.loads(output("inverse", "stanford", *OPTIONS, "--degrees", "--json"))
    assert np.isclose(told["q"][0], np.radians(10))


def test_a_motion_in_degrees():
    plain, turned = (output("motion", "bar-2r", "two-bar-reach", *more) for more in ((), ("--degrees",)))
    assert "[rad/s]" in plain
    assert "[rad/s]" not in turned
    assert "[deg/s]" in turned


def tables(document: Document) -> list[Table]:
    """All tables of a document, in order."""
    found: list[Table] = []
    for block in document.blocks:
        if isinstance(block, Section | Document):
            found += tables(Document("", block.blocks))
        elif isinstance(block, Table):
            found.append(block)
    return found


def results(seed: int) -> tuple[dynamis.Robot, list[Result]]:
    """What is printed with --degrees, of a random robot whose joints turn, slide and follow others."""
    x = special_state(seed, most=4)
    robot = x.robot
    motion = dynamis.quintic(x.q * 0.5, x.q * 0.6 + 0.1, 1.0)
    return robot, [
        dynamis.state_torques(robot, x.q, x.qd, x.qdd),
        dynamis.robot_state(robot, x.q, x.qd, x.qdd),
        dynamis.torque_budget(robot, motion, samples=5),
        dynamis.simulate(robot, x.q * 0.5, duration=0.01, samples=5, limits="ignore"),
    ]


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_every_number_of_a_random_robot_has_the_unit_of_its_own_joint(seed: int) -> None:
    """A number of a row is turned into degrees if and only if the row's joint turns and it is an angle or its rate."""
    try:
        robot, found = results(seed)
    except dynamis.DynamisError:
        return
    turns = {c.name: c.revolute for c in robot.coordinates}
    state, *_ = tables(found[0].document())
    turned, *_ = tables(in_degrees(found[0].document()))
    heads = [c.name for c in state.columns if isinstance(c, Column)]
    for row, other, coordinate in zip(state.rows, turned.rows, robot.coordinates, strict=True):
        for name in ("q", "qd", "qdd"):
            value = row[heads.index(name)]
            assert isinstance(value, float)
            assert other[heads.index(name)] == (degrees(value) if coordinate.revolute else value)
    for result in found:
        pairs = zip(tables(result.document()), tables(in_degrees(result.document())), strict=True)
        for before, after in pairs:
            heads_after = [c.unit if isinstance(c, Column) else "" for c in after.columns]
            assert not any(re.search(r"\brad(?=$|/s|,)", head) for head in heads_after)
            for row, other in zip(before.rows, after.rows, strict=True):
                joint = next((turns[x] for x in row if isinstance(x, str) and x in turns), None)
                assert not any(isinstance(x, str) and re.match(r"rad(?=$|/s)", x) for x in other)
                if joint is False:
                    assert [repr(x) for x in other if isinstance(x, float)] == [
                        repr(x) for x in row if isinstance(x, float)
                    ]


@pytest.mark.parametrize("kinds", [("prismatic", "continuous"), ("continuous", "prismatic"), ("prismatic", "revolute")])
def test_slides_and_endless_turns_in_one_column(kinds: tuple[str, str], tmp_path):
    links = [dynamis.Link(f"l{k}", dynamis.Joint(f"q{k}", kind), f"l{k - 1}" if k > 1 else "base", 1, (0.1, 0, 0))
             for k, kind in enumerate(kinds, 1)]  # fmt: skip
    dynamis.save(dynamis.Robot("mixed", tuple(links)), tmp_path / "mixed.toml")
    text = output("inverse", str(tmp_path / "mixed.toml"), "--q", "90,90", "--qd", "7,7", "--degrees")
    rows = [line.split() for line in text.splitlines() if re.match(r"[12] ", line)]
    assert [row[2:5] for row in rows] == [[kind, "90", "7"] for kind in kinds]
    assert ("[m, deg]" if kinds[0] == "prismatic" else "[deg, m]") in text
