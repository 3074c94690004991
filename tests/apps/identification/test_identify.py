"""Identification: simulated truth, standard errors, physical consistency, held-out errors, and what is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import dynamis
from dynamis.apps.identification.fitting.factor import combine_factors, factor
from dynamis.apps.identification.fitting.linear_model import linear_model
from dynamis.apps.identification.logs.log import Log
from dynamis.apps.identification.logs.preparation import Preparation, prepare_log
from dynamis.apps.identification.logs.samples import Samples
from dynamis.apps.identification.logs.signals import low_pass
from dynamis.apps.identification.physical.nearest_bodies import available
from dynamis.apps.identification.physical.pseudo_inertia import pseudo_inertia
from dynamis.cli.main import app
from dynamis.identification import Identification, with_mass_error
from tests.support.base_parameters import same_space
from tests.support.coupled_robots import ROBOTS
from tests.support.json_keys import problems
from tests.support.logs import fourier, log
from tests.support.strategies import robots


@pytest.fixture(scope="module")
def arm() -> dynamis.Robot:
    return dynamis.load("bar-2r")


def truth(result: Identification) -> np.ndarray:
    return result.model.K @ result.model.parameters()


@settings(max_examples=12, deadline=None)
@given(robots(), st.integers(0, 3))
def test_simulated_truth_is_recovered(case, seed: int) -> None:
    """On random trees with prismatic and fixed joints, gears, rotors and friction, to 1e-9."""
    robot = case.robot()
    if not robot.n:
        return
    result = dynamis.identify(robot, log(robot, samples=400, seed=seed), rotor=True, physical=False)
    told = [k for k in range(len(result.beta)) if k not in result.excitation.free]
    scale = max(np.abs(truth(result)).max(initial=0.0), 1.0)
    np.testing.assert_allclose(result.beta[told] / scale, truth(result)[told] / scale, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["parallelogram", "level hand", "screw"])
def test_coupled_joints(name: str) -> None:
    robot = ROBOTS[name].with_values(ROBOTS[name].values)
    result = dynamis.identify(robot, log(robot, samples=600), rotor=True, physical=False)
    np.testing.assert_allclose(result.beta, truth(result), atol=1e-9 * max(1, np.abs(truth(result)).max()))


def test_columns_are_those_of_the_full_regressor() -> None:
    robot = dynamis.load("panda")
    model = linear_model(robot, ("viscous", "coulomb"), rotor=True)
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 4, 7))
    ours = model.drive_columns(q, qd, qdd).reshape(4, 7, 3, 7).swapaxes(2, 3).reshape(4, 7, 21)
    np.testing.assert_allclose(ours, robot.full_regressor(q, qd, qdd)[..., 70:], atol=1e-12)


@pytest.mark.parametrize("name", ["puma560", "stanford", "genova-rp"])
def test_base_parameters_in_numbers_and_exact_span_the_same_space(name: str) -> None:
    """The Panda's beside the table of its paper (test_panda_table.py)."""
    robot = dynamis.load(name)
    robot = robot.with_values(dict.fromkeys(robot.missing_values, 0.7)) if robot.missing_values else robot
    same_space(robot, robot.with_exact_angles().equations(numeric=True).base_parameters)


def test_standard_errors_cover_the_truth(arm: dynamis.Robot) -> None:
    """Over 200 logs with noise, intervals of 68, 90 and 95 % hold the truth 68, 90 and 95 % of the time."""
    t, q, qd, qdd = fourier(2, 1000)
    tau, rng = arm.inverse_dynamics(q, qd, qdd), np.random.default_rng(5)
    apart = []
    for _ in range(200):
        noisy = tau + rng.normal(size=tau.shape) * [0.1, 0.02]
        data = {"t": t, "q": q, "qd": qd, "qdd": qdd, "tau": noisy}
        result = dynamis.identify(arm, data, friction=("viscous", "offset"), physical=False)
        apart.append(np.abs(result.beta - truth(result)) / result.standard_errors)
    for level, width in ((0.6827, 1.0), (0.9, 1.6449), (0.95, 1.96)):
        share = np.mean(np.array(apart) < width)
        assert abs(share - level) < 2 * np.sqrt(level * (1 - level) / 200), (level, share)


DRY, VISCOUS = np.array([1.5, 0.8]), np.array([0.4, 0.2])


def rubbing(arm: dynamis.Robot, seed: int, noise: float = 0.0) -> dict[str, np.ndarray]:
    """A log of positions and torques at 200 Hz with dry friction that jumps where the joints turn back."""
    t, q, qd, qdd = fourier(2, 4000, seed=seed)
    rng = np.random.default_rng(seed)
    tau = arm.inverse_dynamics(q, qd, qdd) + DRY * np.sign(qd) + VISCOUS * qd
    return {"t": t, "q": q + 2e-5 * rng.normal(size=q.shape), "tau": tau + noise * rng.normal(size=q.shape)}


@pytest.mark.parametrize("cutoff", [5.0, 8.0, 20.0])
@pytest.mark.parametrize("sign_speed", [0.0, "auto"])
def test_a_filter_takes_nothing_from_dry_friction(arm: dynamis.Robot, cutoff: float, sign_speed: float | str) -> None:
    """Torques whose steps are rounded are fitted by columns that are as round."""
    result = dynamis.identify(arm, rubbing(arm, 3), cutoff=cutoff, sign_speed=sign_speed, physical=False)
    found = dict(zip(result.names, result.beta, strict=True))
    for j in range(2):
        assert found[f"coulomb{j + 1}"] == pytest.approx(DRY[j], rel=0.02)
        assert found[f"damping{j + 1}"] == pytest.approx(VISCOUS[j], rel=0.05)
    assert result.fit.relative_error() < 0.01


@pytest.mark.parametrize("method", ["weighted", "robust", "instrumental"])
def test_standard_errors_of_friction_cover_the_truth_behind_a_filter(arm: dynamis.Robot, method: str) -> None:
    inside = []
    for seed in range(12):
        result = dynamis.identify(arm, rubbing(arm, seed, 0.3), cutoff=8.0, method=method, physical=False)
        wanted = [result.names.index(name) for name in ("coulomb1", "coulomb2", "damping1", "damping2")]
        error = np.abs(result.beta[wanted] - [*DRY, *VISCOUS])
        inside.append(error < 2.6 * result.standard_errors[wanted])
    assert np.mean(inside) >= 0.94


@pytest.mark.parametrize("cutoff", [4.0, 10.0])
def test_stribeck_friction_behind_a_filter(arm: dynamis.Robot, cutoff: float) -> None:
    data = rubbing(arm, 5)
    qd = fourier(2, 4000, seed=5)[2]
    data["tau"] = data["tau"] + 1.2 * np.sign(qd) * np.exp(-((qd / 0.15) ** 2))
    friction = ("viscous", "coulomb", "offset", "stribeck")
    result = dynamis.identify(arm, data, cutoff=cutoff, friction=friction, physical=False)
    speeds = [drive.speed for drive in result.model.drives if drive.kind == "stribeck"]
    found = dict(zip(result.names, result.beta, strict=True))
    np.testing.assert_allclose(speeds, 0.15, rtol=0.1)
    np.testing.assert_allclose([found["stribeck1"], found["stribeck2"]], 1.2, rtol=0.1)
    np.testing.assert_allclose([found["coulomb1"], found["coulomb2"]], DRY, rtol=0.05)


def test_filtered_friction_is_that_of_the_whole_run(arm: dynamis.Robot) -> None:
    """A part of a run is filtered with what surrounds it."""
    data, model = rubbing(arm, 1), linear_model(arm)
    (run,), _ = prepare_log(Log("", data["t"], data["q"], data["tau"]), Preparation(cutoff=6.0, decimate=3))
    assert run.filter is not None
    whole = low_pass(np.sign(run.filter.qd), 6.0, 0.005)[run.filter.rows]
    np.testing.assert_allclose(run.filtered(model.dry_columns), whole, atol=1e-9)
    part = run.part(slice(300, 500, 2))
    np.testing.assert_allclose(part.filtered(model.dry_columns), whole[300:500:2], atol=1e-8)


def test_errors_against_measured_torques_have_sharp_friction(arm: dynamis.Robot) -> None:
    data, model = rubbing(arm, 2, 0.1), linear_model(arm)
    (run,), _ = prepare_log(Log("", data["t"], data["q"], data["tau"]), Preparation(cutoff=4.0))
    beta = np.random.default_rng(0).normal(size=len(model.base))
    smooth, sharp = model.predicted(beta, run), model.torques(beta, run.q, run.qd, run.qdd)
    of = factor(model, run)
    np.testing.assert_allclose(of.rms(beta), np.sqrt(((run.tau - smooth) ** 2).mean(axis=0)), rtol=1e-9)
    np.testing.assert_allclose(of.rms(beta, True), np.sqrt(((run.measured - sharp) ** 2).mean(axis=0)), rtol=1e-9)


def test_blocks_give_what_all_samples_give(arm: dynamis.Robot) -> None:
    t, q, qd, qdd = fourier(2, 5000)
    tau = arm.inverse_dynamics(q, qd, qdd) + np.random.default_rng(0).normal(size=q.shape)
    model = linear_model(arm, ("viscous", "coulomb"))
    samples = Samples("", t, q, qd, qdd, tau, tau)
    whole = factor(model, samples)
    halves = combine_factors(
        [factor(model, samples.part(slice(0, 2000))), factor(model, samples.part(slice(2000, None)))]
    )
    Y = model.columns(q, qd, qdd)[..., model.base]
    beta = np.linalg.lstsq(Y.reshape(-1, len(model.base)), tau.ravel(), rcond=None)[0]
    for one in (whole, halves):
        np.testing.assert_allclose(np.linalg.lstsq(*one.stacked(np.ones(2)), rcond=None)[0], beta, atol=1e-8)
        np.testing.assert_allclose(one.rms(beta), np.sqrt(((tau - Y @ beta) ** 2).mean(axis=0)), rtol=1e-9)


def test_robust_fit_ignores_outliers(arm: dynamis.Robot) -> None:
    data = log(arm, noise=0.05)
    wrong = np.random.default_rng(1).random(len(data["t"])) < 0.05
    data["tau"] = data["tau"] + np.where(wrong[:, None], 50.0, 0.0)
    plain, robust = (dynamis.identify(arm, data, method=method, physical=False) for method in ("weighted", "robust"))
    assert np.abs(robust.beta - truth(robust)).max() < 0.1 * np.abs(plain.beta - truth(plain)).max()


def test_total_least_squares_undoes_noise_in_the_motion(arm: dynamis.Robot) -> None:
    """Noise in all columns, as large as in the torque, biases ordinary least squares; total least squares less."""
    from dynamis.apps.identification.fitting.estimators import _total, solve

    rng = np.random.default_rng(0)
    A, x = rng.normal(size=(4000, 3)), np.array([1.0, -2.0, 0.5])
    noisy, b = A + 0.3 * rng.normal(size=A.shape), A @ x
    size = np.linalg.norm(b) / np.linalg.norm(noisy[:, 0])
    b = b + 0.3 * size * rng.normal(size=len(b))
    assert np.abs(_total(noisy, b) - x).max() < 0.3 * np.abs(solve(noisy, b, np.zeros(3)) - x).max()


@pytest.mark.skipif(not available(), reason="clarabel is not installed")
def test_links_are_physically_consistent_and_cost_little(tmp_path) -> None:
    """From a prior that is wrong by 30 % and noise: links are bodies, and the file is read."""
    real = dynamis.load("panda")
    wrong = with_mass_error(real, 30, seed=3)
    data = log(real, noise=0.3, samples=1500)
    result = dynamis.identify(wrong, data, friction=())
    for ten in result.parameters[:70].reshape(-1, 10):
        assert np.linalg.eigvalsh(pseudo_inertia(ten)).min() > 0
    assert result.physical is not None
    assert (result.physical.rms < 1.05 * result.errors.fitted).all()
    dynamis.save(result.robot, tmp_path / "robot.urdf")
    again = dynamis.load(tmp_path / "robot.urdf")
    q, qd, qdd = (data[key][::50] for key in ("q", "qd", "qdd"))
    np.testing.assert_allclose(again.inverse_dynamics(q, qd, qdd), result.robot.inverse_dynamics(q, qd, qdd), atol=1e-6)
    before = wrong.inverse_dynamics(q, qd, qdd) - real.inverse_dynamics(q, qd, qdd)
    after = result.robot.inverse_dynamics(q, qd, qdd) - real.inverse_dynamics(q, qd, qdd)
    assert np.linalg.norm(after) < 0.05 * np.linalg.norm(before)


@pytest.mark.skipif(not available(), reason="clarabel is not installed")
def test_com_inside(arm: dynamis.Robot) -> None:
    box = ((0.0, -0.01, -0.01), (0.1, 0.01, 0.01))
    result = dynamis.identify(arm, log(arm, noise=0.1), com_inside={arm.links[1].name: box})
    ten = result.parameters[10:20]
    assert (ten[1:4] / ten[0] <= np.array(box[1]) + 1e-6).all()
    assert (ten[1:4] / ten[0] >= np.array(box[0]) - 1e-6).all()


def test_stribeck_friction_is_found(arm: dynamis.Robot) -> None:
    data = log(arm, samples=4000)
    data["tau"] = data["tau"] + np.sign(data["qd"]) * (1 + 2 * np.exp(-((data["qd"] / 0.15) ** 2)))
    plain = dynamis.identify(arm, data, physical=False)
    more = dynamis.identify(arm, data, physical=False, friction="viscous coulomb offset stribeck")
    assert (more.errors.held_out < 0.35 * plain.errors.held_out).all()


def test_noise_and_filter_and_held_out_logs(arm: dynamis.Robot) -> None:
    """Positions with noise only: the filter is chosen, and a log that was not fitted is predicted."""
    rng = np.random.default_rng(0)
    logs = []
    for seed in (1, 2):
        data = log(arm, noise=0.2, whole=False, samples=4000, seed=seed)
        data["q"] = data["q"] + 2e-4 * rng.normal(size=data["q"].shape)
        logs.append(data)
    result = dynamis.identify(arm, logs[0], held_out=logs[1], physical=False)
    assert result.preparation.cutoff is not None
    assert (result.errors.shares < 0.08).all()
    assert "held out" in result.fit.how
    assert any(word.startswith("Trust") for word in result.words())
    table = dynamis.identify(arm, logs[0], physical=False, sensitivity=True).sensitivities
    assert len(table) > 5
    assert table[0].moved < 1e-9


def test_samples_of_robots_scatter_as_the_covariance(arm: dynamis.Robot) -> None:
    result = dynamis.identify(arm, log(arm, noise=0.1), friction=(), physical=False)
    betas = [result.model.K @ robot.parameter_vector().values[:20] for robot in result.sample_robots(300)]
    ratio = np.std(betas, axis=0) / result.standard_errors
    assert ((ratio > 0.85) & (ratio < 1.15)).all()


def test_page_and_json(arm: dynamis.Robot) -> None:
    result = dynamis.identify(arm, log(arm, noise=0.1))
    text = str(result)
    assert "Izz1 + l1^2" in text or "Izz1 +" in text
    assert "6 base parameters for a geometry in numbers" in text
    assert "Trust the torques of all joints" in text
    data = json.loads(result.to_json())
    assert data["parameters"][0]["name"] == "mx1"
    for form in ("latex", "html", "typst", "markdown"):
        assert "mx1" in result.page(form)
    assert {"tau1 [N m]", "predicted2 [N m]"} <= set(result.columns())
    for name in result.document().figures:
        result.figure(name)


def test_memory_does_not_grow_with_the_samples(arm: dynamis.Robot) -> None:
    """Of ten times as many samples, the factor takes no more memory."""
    import tracemalloc

    model, peaks = linear_model(arm), []
    for count in (10_000, 50_000):
        t, q, qd, qdd = fourier(2, count)
        samples = Samples("", t, q, qd, qdd, q, q)
        factor(model, samples)  # which may compile
        tracemalloc.start()
        factor(model, samples)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


@pytest.mark.skipif(not available(), reason="clarabel is not installed")
@pytest.mark.parametrize("name", ["ur5", "stanford", "puma560"])
def test_physical_consistency_costs_nothing_where_the_truth_is_physical(name: str) -> None:
    robot = dynamis.load(name)
    result = dynamis.identify(robot, log(robot, samples=600), rotor=True)
    assert result.physical is not None
    assert (result.physical.rms < 1e-3 * result.errors.torque).all()
    assert not result.suspicions


def test_the_command_writes_a_robot_and_json_with_the_keys_of_the_list(tmp_path: Path) -> None:
    """`dynamis identify -o` writes what other commands read; `--json` has the keys that docs/json.toml lists."""
    arm = dynamis.load("bar-2r")
    np.savez(tmp_path / "log.npz", **log(arm, noise=0.05, samples=600))  # type: ignore[arg-type]
    run = CliRunner().invoke(app, ["identify", "bar-2r", str(tmp_path / "log.npz"), "-o", str(tmp_path / "out")])
    assert run.exit_code == 0, run.output
    assert "What to trust" in run.output
    for name in ("robot.toml", "robot.urdf"):
        np.testing.assert_allclose(
            dynamis.load(tmp_path / "out" / name).mass_matrix([0.3, 0.2]), arm.mass_matrix([0.3, 0.2]), rtol=0.05
        )
    data = json.loads((tmp_path / "out" / "identification.json").read_text())
    data.pop("files")
    assert list(problems(data, {})) == []
