"""Tables in degrees: angles and their rates alone, whatever column the unit stands in."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import dynamis
from dynamis.cli.main import app

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
