"""Logs of real robots, where they are there: `../shared/data` beside the project."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from benchmarks.identification import CUTOFF, FIXED, GAINS, JOINTS, tiago
from dynamis.base.arrays import Array
from dynamis.identification import Identification
from tests.support.logs import DATA

SDIST = DATA / "figaroh-1.0.2.tar.gz"

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the logs of real robots are not beside the project, in ../shared/data"
)


@pytest.fixture(scope="module")
def panda() -> Identification:
    def values(name: str) -> Array:
        return np.loadtxt(DATA / f"panda_{name}.txt")

    data = {
        "t": values("time"), "q": values("positions").reshape(-1, 7), "qd": values("velocity").reshape(-1, 7),
        "tau": values("torques").reshape(-1, 7),
    }  # fmt: skip
    return dynamis.identify(dynamis.load("panda"), data)


def test_panda(panda: Identification) -> None:
    """43 base parameters, and at most 1.3 % of the torques left on samples that were not fitted."""
    inertial = [name for name in panda.names if name[0] in "mI"]
    assert len(inertial) == 43
    assert panda.relative_error <= 0.013
    assert panda.fit.factor.rms(panda.beta).sum() < 0.8
    assert panda.excitation.scaled_condition < 50
    assert not panda.suspicions
    assert "jitter between 0.7 and 8.81 ms" in panda.stamps[0].remarks[0]


def test_panda_is_better_than_the_given_model(panda: Identification) -> None:
    assert panda.errors.given is not None
    assert (panda.errors.held_out < 0.5 * panda.errors.given).all()


def test_ur10e_fitted_on_one_file_judged_on_the_other() -> None:
    robot = dynamis.load(DATA / "ur10e.urdf")
    first, second = DATA / "ur-20_02_19_14harm50sec.csv", DATA / "ur-20_02_10-30sec_12harm.csv"
    gains = [14.87, 13.26, 11.13, 10.62, 11.03, 11.47]
    columns = "t=1 q=2-7 qd=8-13 current=14-19"
    result = dynamis.identify(robot, first, held_out=second, columns=columns, gains=gains)
    assert "held out" in result.fit.how
    assert result.relative_error < 0.12
    assert (result.errors.shares < 0.35).all()
    assert result.errors.given is not None
    assert (result.errors.held_out < result.errors.given).all()


@pytest.mark.skipif(
    not SDIST.is_file(),
    reason="the log of the TIAGo is not there: "
    "pip download --no-deps --no-binary :all: figaroh==1.0.2 -d ../shared/data",
)
def test_tiago_with_joints_that_are_fixed() -> None:
    """48 joints, of which the log has eight: as many parameters as by FIGAROH, and less left of the torques.

    FIGAROH fits filtered torques by the sign of the velocity; with that column our error is its own (`benchmarks`).
    """
    robot, log = tiago(SDIST)
    result = dynamis.identify(
        robot, log, fixed=FIXED, gains=GAINS, rotor=False, method="ordinary", physical=False, cutoff=CUTOFF
    )
    assert result.joints == JOINTS
    assert len(result.beta) == 68
    r = result.residuals
    W = result.model.columns(r.q, r.qd, r.qdd)[..., list(result.model.base)].reshape(-1, 68)
    left = r.tau.ravel() - W @ np.linalg.lstsq(W, r.tau.ravel(), rcond=None)[0]
    assert np.linalg.norm(left) / np.linalg.norm(r.tau) == pytest.approx(0.1298819372, abs=1e-9)
    ours = result.fit.factor.squares(result.beta).sum() / result.fit.torque_squares().sum()
    assert np.sqrt(ours) == pytest.approx(0.12743, abs=1e-5)
    assert result.words()[0].startswith("Do not trust")
