"""Exports to MATLAB: what the how-to page says runs in Octave; names; rounding of halves."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis import Joint, Link, Robot
from dynamis.apps.exports.targets.matlab import HALF_EVEN
from tests.support.pages import DOCS


def octave(code: str, folder: Path) -> str:
    if shutil.which("octave-cli") is None:
        pytest.skip("octave-cli is not installed")
    ran = subprocess.run(["octave-cli", "--eval", code], cwd=folder, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_page_runs(tmp_path: Path) -> None:
    """The torques that hold the arm along its fall are those of the engine, and halves are rounded to even numbers."""
    robot = dynamis.load("ur5")
    functions = ["forward_dynamics", "gravity_torque", "mass_matrix"]
    dynamis.export(robot, "matlab", tmp_path / "ur5-matlab", functions=functions)
    (tmp_path / "half_even.m").write_text(HALF_EVEN)
    (page, *_) = re.findall(r"```matlab\n(.*?)```", (DOCS / "how-to" / "simulink.md").read_text(), re.DOTALL)
    rounding = "disp(half_even([-2.5 -1.5 -0.5 -0.2 0 0.5 0.7 1.5 2.5]))\n"
    printed = octave(f"{page}\n{rounding}printf('%.17g ', x(end, 1:6), held(:, end), M)", tmp_path)
    rounded, _, values = printed.strip().partition("\n")
    assert [float(x) for x in rounded.split()] == [-2, -2, 0, 0, 0, 0, 1, 2, 2]
    q, held, mass = np.split(np.array(values.split(), float), [6, 12])
    np.testing.assert_allclose(held, robot.gravity_torque(q), atol=1e-12)
    start = [0, -1.2, 1.5, 0, 0.4, 0]
    np.testing.assert_allclose(mass.reshape(6, 6), robot.mass_matrix(start), atol=1e-12)
    assert np.abs(q - start).max() > 0.1


def test_a_robot_with_the_name_of_a_keyword() -> None:
    robot = Robot("end", (Link("arm", Joint("function"), mass=1, com=(1, 0, 0)),))
    result = dynamis.export(robot, "matlab", functions=["gravity_torque"])
    code = result.files["+end_2/gravity_torque.m"]
    assert isinstance(code, str)
    assert code.startswith("function g = gravity_torque(q)\n% GRAVITY_TORQUE  ")
    assert "% " + "  g = end_2.gravity_torque(q)\n" in code
    assert "call = @end_2.gravity_torque;" in str(result.files["check.m"])
