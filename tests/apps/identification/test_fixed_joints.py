"""Logs in which joints stood still, and that have no columns of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import dynamis
from dynamis.cli.main import app
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.identification import with_mass_error
from dynamis.model.fix_joints import fix_joints
from tests.support.logs import log


@pytest.fixture(scope="module")
def arm() -> dynamis.Robot:
    return dynamis.load("puma560")


def test_fixed_joints(arm: dynamis.Robot, tmp_path: Path) -> None:
    """The identified robot has all its joints, and the torques of the truth while they stand still."""
    held = {"q4": 0.4, "q6": -0.2}
    stiff = fix_joints(arm, held)
    data = log(stiff, noise=0.02, samples=1200)
    result = dynamis.identify(with_mass_error(arm, 20, seed=1), data, fixed=held, rotor=True)
    assert result.joints == ("q1", "q2", "q3", "q5")
    assert not result.suspicions
    assert [x.name for x in result.robot.joints] == [x.name for x in arm.joints]
    few = slice(None, None, 100)
    q, qd, qdd = (np.zeros((len(data["t"][few]), 6)) for _ in range(3))
    for of, key in ((q, "q"), (qd, "qd"), (qdd, "qdd")):
        of[:, [0, 1, 2, 4]] = data[key][few]
    q[:, 3], q[:, 5] = 0.4, -0.2
    truth = arm.inverse_dynamics(q, qd, qdd)[:, [0, 1, 2, 4]]
    found = result.robot.inverse_dynamics(q, qd, qdd)[:, [0, 1, 2, 4]]
    assert np.linalg.norm(found - truth) < 0.02 * np.linalg.norm(truth)
    np.savez(tmp_path / "log.npz", **data)  # type: ignore[arg-type]
    words = ["identify", "puma560", str(tmp_path / "log.npz"), "--fixed", "q4=0.4", "--fixed", "q6=-0.2"]
    run = CliRunner().invoke(app, [*words, "--no-physical"])
    assert run.exit_code == 0, run.output
    assert "Trust the torques of all joints" in run.output


def test_patterns_and_mistakes(arm: dynamis.Robot) -> None:
    data = log(fix_joints(arm, {f"q{k}": 0.0 for k in range(3, 7)}), samples=300)
    result = dynamis.identify(arm, data, fixed=["q[3456]"], physical=False)
    assert result.joints == ("q1", "q2")
    with pytest.raises(UnknownNameError, match="unknown joint"):
        dynamis.identify(arm, data, fixed=["elbow"])
    with pytest.raises(ArgumentError, match="q has 2 columns"):
        dynamis.identify(arm, data, fixed=["q6"])
    run = CliRunner().invoke(app, ["identify", "puma560", "x.npz", "--fixed", "q4=up"])
    assert "--fixed must be JOINT or JOINT=Q" in str(run.exception)
