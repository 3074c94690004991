"""Robots with Stribeck friction, offsets and springs in other languages: the exports prove themselves."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dynamis
from tests.support.joint_forces import random_forces

FUNCTIONS = ["inverse_dynamics", "forward_dynamics", "gravity_torque", "inverse_dynamics_derivatives"]


@pytest.mark.parametrize("style", ["fast", "readable"])
@pytest.mark.parametrize("target", ["c", "python"])
def test_it_agrees_with_the_reference(target: str, style: str, tmp_path: Path) -> None:
    if target == "c" and shutil.which("make") is None:
        pytest.skip("make is not installed")
    robot = random_forces(np.random.default_rng(5), 2).on(dynamis.load("planar-elbow"))
    robot = robot.with_values(**{name: 0.5 + k / 10 for k, name in enumerate(robot.parameters)})
    dynamis.export(robot, target, tmp_path / "out", functions=FUNCTIONS, style=style)
    command = ["make", "check"] if target == "c" else [sys.executable, "check.py"]
    done = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all functions agree" in done.stdout
