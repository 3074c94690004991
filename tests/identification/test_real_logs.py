"""Logs of real robots, where they are there: `../shared/data` beside the project."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from benchmarks.gains_and_zeros import real
from benchmarks.identification import CUTOFF, FIXED, GAINS, JOINTS, tiago
from benchmarks.mistaken_logs import Case
from tests.support.logs import DATA

SDIST = DATA / "figaroh-1.0.2.tar.gz"

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the logs of real robots are not beside the project, in ../shared/data"
)


@pytest.fixture(scope="module")
def cases() -> list[tuple[Case, dict[str, Any]]]:
    """The Panda and two logs of the UR10e."""
    return list(real(DATA))


@pytest.fixture(scope="module")
def panda(cases: list[tuple[Case, dict[str, Any]]]) -> dynamis.Identification:
    return dynamis.identify(cases[0][0].robot, cases[0][0].log)


def test_panda(panda: dynamis.Identification) -> None:
    """43 base parameters, and at most 1.3 % of the torques left on samples that were not fitted."""
    inertial = [name for name in panda.names if name[0] in "mI"]
    assert len(inertial) == 43
    assert panda.relative_error <= 0.013
    assert panda.fit.factor.rms(panda.beta).sum() < 0.8
    assert panda.excitation.scaled_condition < 50
    assert not panda.suspicions
    assert "jitter between 0.7 and 8.81 ms" in panda.stamps[0].remarks[0]


def test_panda_is_better_than_the_given_model(panda: dynamis.Identification) -> None:
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


@pytest.mark.parametrize(("joint", "gain"), [(1, 1.2), (1, 1.3), (1, 1.5), (1, 2.0), (2, 0.7), (2, 1.2), (3, 1.5)])
def test_gains_of_the_ur10e_that_are_off(cases: list[tuple[Case, dict[str, Any]]], joint: int, gain: float) -> None:
    """Named at their joint, alone or as one of two that fit alike, or said not to be checked so well."""
    case, options = cases[2]
    factors = 1 + (gain - 1) * np.eye(6)[joint]
    result = dynamis.identify(case.robot, {**case.log, "tau": case.log["tau"] * factors}, physical=False, **options)
    name = result.joints[joint]
    if any(name in text for text in result.suspicions):
        assert not result.trusted
    else:
        assert joint == 3
        (said,) = (text for text in result.unchecked if "drive gain" in text)
        assert f"{name} (" in said


def test_real_logs_accuse_no_gain(cases: list[tuple[Case, dict[str, Any]]]) -> None:
    """Joint 6 of the Panda is a tenth off, which is said, and takes no trust away."""
    for case, options in cases:
        result = dynamis.identify(case.robot, case.log, physical=False, **options)
        assert result.trusted
        assert not result.suspicions
        accused = [text for text in result.remarks if "other joints expect" in text]
        assert all("joint 6 (q6)" in text and case.robot.name == "panda" for text in accused)


@pytest.mark.parametrize(("number", "start", "seconds"), [(0, 6, 6), (0, 6, 8), (0, 1, 10), (2, 31, 8), (2, 1, 10)])
def test_pieces_of_logs(cases: list[tuple[Case, dict[str, Any]]], number: int, start: float, seconds: float) -> None:
    """Where a joint is trusted after some seconds, its torque is right in the rest of the log."""
    case, options = cases[number]
    t = case.log["t"] - case.log["t"][0]
    inside = (t >= start) & (t < start + seconds)
    piece = {key: x[inside] for key, x in case.log.items()}
    result = dynamis.identify(case.robot, piece, physical=False, **options)
    rest = dynamis.identify(case.robot, case.log, physical=False, **options).residuals
    others = (rest.t < piece["t"][0]) | (rest.t > piece["t"][-1])
    errors = result.torques(rest.q[others], rest.qd[others], rest.qdd[others]) - rest.tau[others]
    shares = np.sqrt((errors**2).mean(axis=0)) / rest.tau[others].std(axis=0)
    assert all(shares[result.joints.index(name)] < 0.15 for name in result.trusted)


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
