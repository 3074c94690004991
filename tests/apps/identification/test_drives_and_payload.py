"""A payload from two experiments, drive gains, speeds of friction, and instrumental variables: simulated truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.apps.identification.physical.nearest_bodies import available
from dynamis.base.arrays import Array
from dynamis.errors import ArgumentError
from tests.support.logs import fourier, log

BLOCK = dynamis.Payload(3, (0.02, 0.01, 0.1), dynamis.Inertia.of(xx=0.01, yy=0.012, zz=0.008, xy=0.001, yz=0.0005))
GAINS = np.array([10.0, 11, 12, 13, 14, 15])


@pytest.fixture(scope="module")
def arm() -> dynamis.Robot:
    return dynamis.load("puma560")


def moved(robot: dynamis.Robot, seed: int, noise: float = 0.0, gains: Array | None = None) -> dict[str, Array]:
    data = log(robot, noise=noise, samples=2000, seed=seed)
    if gains is not None:
        data["current"] = data.pop("tau") / gains
    return data


@pytest.mark.parametrize("tool", ["flange", "turned"])
def test_payload_of_two_experiments(arm: dynamis.Robot, tool: str) -> None:
    """Exact without noise, whatever the tool frame; with noise the truth is within four standard errors."""
    if tool == "turned":
        arm = arm.with_tool("Tx(0.1) Rx(0.7) Tz(0.05)")
    loaded = BLOCK.held_by(arm)
    truth = loaded.inertial_parameters()[-10:]
    exact = dynamis.identify(arm, moved(arm, 0), loaded=moved(loaded, 1), physical=False).payload
    assert exact is not None
    np.testing.assert_allclose(exact.ten, truth, atol=1e-9)
    np.testing.assert_allclose(exact.payload.com, BLOCK.com, atol=1e-9)
    result = dynamis.identify(arm, moved(arm, 0, 0.05), loaded=moved(loaded, 1, 0.05), physical=False)
    assert result.payload is not None
    assert (np.abs(result.payload.ten - truth) < 4 * result.payload.standard_errors).all()
    assert (result.payload.held_out < 0.06).all()
    assert (result.payload.without > result.payload.held_out).all()
    assert any(word.startswith("Trust the payload of 3") for word in result.words())


def test_a_payload_that_is_not_there_is_not_trusted(arm: dynamis.Robot) -> None:
    result = dynamis.identify(arm, moved(arm, 0, 0.05), loaded=moved(arm, 1, 0.05), physical=False)
    assert any(word.startswith("Do not trust the payload") for word in result.words())


def test_logs_with_and_without_a_payload_that_are_exchanged(arm: dynamis.Robot) -> None:
    """A mass of -3 kg is no body's, and the nearest body that there can be is not what the logs tell."""
    result = dynamis.identify(arm, moved(BLOCK.held_by(arm), 0, 0.05), loaded=moved(arm, 1, 0.05))
    assert result.payload is not None
    np.testing.assert_allclose(result.payload.ten[0], -3, atol=0.1)
    assert not result.payload.physical
    assert any("mass comes out as -" in word and "look exchanged" in word for word in result.words())
    assert "nan" not in str(result.table("payload"))


@pytest.mark.parametrize("physical", [False, True])
def test_a_planar_arm_tells_a_part_of_its_payload(physical: bool) -> None:
    """Mass, CoM in the plane and inertia about the axes; the rest is named, and may be any that a body has."""
    if physical and not available():
        pytest.skip("clarabel is not installed")
    arm = dynamis.load("bar-2r")
    loaded = dynamis.Payload(0.5, (0.05, 0, 0), dynamis.Inertia.of(xx=0.001, yy=0.001, zz=0.001)).held_by(arm)
    result = dynamis.identify(arm, log(arm, noise=0.02), loaded=log(loaded, noise=0.02, seed=1), physical=physical)
    found = result.payload
    assert found is not None
    assert found.untold == ["mz", "Ixx", "Iyy", "Ixy", "Ixz", "Iyz"]
    np.testing.assert_allclose(found.ten[:2], [0.5, 0.025], rtol=0.1)
    assert found.physical == physical
    assert any(word.startswith("Trust the payload of 0.5") for word in result.words())


@pytest.mark.parametrize("known", [3.0, BLOCK])
def test_drive_gains_with_a_known_payload(arm: dynamis.Robot, known: Any) -> None:
    """Exact without noise; unbiased with it: the truth is within four standard errors."""
    loaded = BLOCK.held_by(arm)
    for noise in (0.0, 0.2):
        result = dynamis.identify(
            arm, moved(arm, 0, noise, GAINS), loaded=moved(loaded, 1, noise, GAINS), payload=known, gains="estimate",
            physical=False,
        )  # fmt: skip
        assert result.gains is not None
        errors = 4 * result.gains.standard_errors if noise else 1e-8
        assert (np.abs(result.gains.values - GAINS) < errors).all()
        assert "Drive gains" in str(result)


def test_gains_need_a_payload_and_currents_of_the_right_sign(arm: dynamis.Robot) -> None:
    with pytest.raises(ArgumentError, match="currents alone do not tell drive gains"):
        dynamis.identify(arm, moved(arm, 0, 0.0, GAINS), gains="estimate")
    wrong = GAINS * [1, 1, 1, 1, -1, 1]
    with pytest.raises(ArgumentError, match="the gain of joint 5 comes out as"):
        dynamis.identify(
            arm, moved(arm, 0, 0.0, wrong), loaded=moved(BLOCK.held_by(arm), 1, 0.0, wrong), payload=3.0,
            gains="estimate",
        )  # fmt: skip
    with pytest.raises(ArgumentError, match="payload must be"):
        dynamis.identify(arm, moved(arm, 0), payload=-1.0)


@settings(max_examples=6, deadline=None)
@given(st.floats(0.03, 0.6), st.floats(0.03, 0.6))
def test_speeds_of_friction_are_found(first: float, second: float) -> None:
    arm, speeds = dynamis.load("bar-2r"), np.array([first, second])
    t, q, qd, qdd = fourier(2, 4000)
    tau = arm.inverse_dynamics(q, qd, qdd)
    for friction, kind, options in (
        (np.sign(qd) * (1 + 2 * np.exp(-((qd / speeds) ** 2))), "stribeck", {"friction": "viscous coulomb stribeck"}),
        (1.5 * np.tanh(qd / speeds), "coulomb", {"sign_speed": "auto"}),
    ):
        data = {"t": t, "q": q, "qd": qd, "qdd": qdd, "tau": tau + friction}
        result = dynamis.identify(arm, data, physical=False, **options)  # type: ignore[arg-type]
        found = [drive.speed for drive in result.model.drives if drive.kind == kind]
        np.testing.assert_allclose(found, speeds, rtol=1e-2)


def test_a_sign_needs_no_sigmoid() -> None:
    arm = dynamis.load("bar-2r")
    data = log(arm, samples=2000)
    data["tau"] = data["tau"] + 1.5 * np.sign(data["qd"])
    result = dynamis.identify(arm, data, physical=False, sign_speed="auto")
    assert [drive.speed for drive in result.model.drives if drive.kind == "coulomb"] == [0.0, 0.0]


@pytest.mark.parametrize("noise", [1e-4, 1e-3])
def test_instrumental_variables_remove_the_bias_of_noisy_positions(noise: float) -> None:
    """Over six runs the mean error is a tenth of that of weighted least squares, which no more samples make smaller."""
    arm = dynamis.load("bar-2r")
    errors: dict[str, list[Array]] = {"weighted": [], "instrumental": []}
    for seed in range(6):
        data = log(arm, noise=0.05, samples=4000, whole=False)
        data["q"] = data["q"] + noise * np.random.default_rng(seed).normal(size=data["q"].shape)
        for method, found in errors.items():
            result = dynamis.identify(arm, data, physical=False, friction=(), method=method, cutoff=40.0)
            found.append(result.beta - result.model.K @ result.model.parameters())
    bias = {method: float(np.abs(np.mean(found, axis=0)).max()) for method, found in errors.items()}
    assert bias["instrumental"] < 0.1 * bias["weighted"]
