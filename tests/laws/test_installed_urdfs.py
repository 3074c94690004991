"""Every URDF of the installed packages is read, judged and computed, or refused with a sentence.

`test_urdf_pinocchio.py` compares the files of example-robot-data with Pinocchio; here are all files.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from dynamis import DynamisError, Robot
from dynamis.errors import MissingMassError
from dynamis.model.formats.urdf.read import read_urdf
from dynamis.scalars.scalars import evaluate
from dynamis.telling.pages.lint import lint
from tests.support.published_urdfs import Witness

FILES = {
    f"{package}/{'/'.join(file.parts[-3:])}": Path(str(file.locate()))
    for package in ("example-robot-data", "mujoco", "mujoco-core", "rtb-data")
    for file in metadata.files(package) or []
    if file.suffix == ".urdf"
}
COMPARED_ELSEWHERE = "example-robot-data/"


@cache
def loaded(name: str) -> Robot | DynamisError:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Robot.from_model(read_urdf(FILES[name].read_text(encoding="utf-8"), name))
        except DynamisError as error:
            return error


def test_most_are_read() -> None:
    assert len(FILES) >= 77
    refused = {name: str(found) for name in FILES if isinstance(found := loaded(name), DynamisError)}
    assert len(refused) < 16, refused
    assert all(text.startswith(name) for name, text in refused.items())


@pytest.mark.parametrize("name", FILES)
def test_lint_gives_sentences(name: str) -> None:
    robot = loaded(name)
    if isinstance(robot, Robot):
        assert all(finding.message for finding in lint(robot))


@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith(COMPARED_ELSEWHERE)])
def test_torques_are_those_of_pinocchio_or_refused_with_the_links(name: str) -> None:
    robot = loaded(name)
    if isinstance(robot, DynamisError):
        return
    q, qd, qdd = np.random.default_rng(7).uniform(-1, 1, (3, robot.n))
    assert robot.forward_kinematics(q, robot.links[-1].name).shape == (4, 4)
    if not any(evaluate(link.mass, robot.floats()) for link in robot.links):
        with pytest.raises(MissingMassError) as refused:
            robot.inverse_dynamics(q, qd, qdd)
        assert refused.value.links == tuple(link.name for link in robot.links)
        return
    tau = robot.inverse_dynamics(q, qd, qdd)
    witness = Witness(FILES[name].read_text(encoding="utf-8"), robot)
    witness.move(q, qd, qdd)
    np.testing.assert_allclose(tau, witness.tau, rtol=1e-9, atol=1e-9 * np.abs(tau).max())
