"""Laws that follow a moving goal, and the observer of external torques."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis import ToolWrench
from dynamis.compute.mechanics.dynamics.regressor import inertial_parameters
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.simulation.controllers.base_columns import base_columns
from dynamis.simulation.controllers.computed_torque import ComputedTorque
from dynamis.simulation.controllers.momentum_observer import MomentumObserver
from dynamis.simulation.controllers.pd_gravity import PDGravity
from dynamis.simulation.controllers.slotine_li import SlotineLi
from tests.support.control_loops import Array, Bench, damped_2r, heavier, smooth


@pytest.mark.parametrize("name", ["2r", "stanford"])
def test_computed_torque_makes_the_error_linear(name: str) -> None:
    """e'' + K_D e' + K_P e = 0, to rounding, in any state and for any goal."""
    arm = damped_2r() if name == "2r" else dynamis.load(name)
    kp, kd = 10.0 + np.arange(arm.n), 3.0 + np.arange(arm.n)
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, qd, *goal = rng.normal(size=(5, arm.n))
        bench = Bench(arm, ComputedTorque(kp, kd), q, qd)
        qdd = bench.part(bench.programs.rate(bench.x, bench.inputs(*goal)), "qd")
        left = (goal[2] - qdd) + kd * (goal[1] - qd) + kp * (goal[0] - q)
        np.testing.assert_allclose(left, 0, atol=1e-8 * (1 + np.abs(qdd).max()))


def test_computed_torque_follows_its_error_in_time() -> None:
    arm = damped_2r()
    w = 4.0
    bench = Bench(arm, ComputedTorque(w * w, 2 * w), [0.5, -0.3], [0.6, 0.6 * 1.3])
    times = np.linspace(0, 2, 9)
    found = bench.run(lambda t: bench.inputs(*smooth(t, 2)), 2.0, times, 1e-11)
    e = np.array([smooth(t, 2)[0] for t in times]).T - bench.part(found.y, "q")
    # Critically damped, with ed = 0 at the start.
    np.testing.assert_allclose(e, e[:, :1] * (1 + w * times) * np.exp(-w * times), atol=1e-8)


@pytest.mark.parametrize("parameters", ["base", "all"])
@pytest.mark.parametrize("initial", ["model", "zero"])
def test_slotine_li_tracks_with_a_wrong_model(parameters: str, initial: str) -> None:
    arm = damped_2r()
    law = SlotineLi(6, 5, 2.0, parameters, initial, model=heavier(arm, 1.2))
    bench = Bench(arm, law, [0.4, -0.5], [0.0, 0.0])
    times = np.linspace(0, 20, 400)
    found = bench.run(lambda t: bench.inputs(*smooth(t, 2)), 20.0, times, 1e-8)
    goal = np.array([smooth(t, 2)[0] for t in times]).T
    error = np.linalg.norm(goal - bench.part(found.y, "q"), axis=0)
    assert error[:20].max() > 0.3
    assert error[-40:].max() < 3e-3
    if parameters == "all":
        V = energies(bench, found.y, times)
        assert (np.diff(V) <= 1e-6 * V[0]).all()
        assert V[-1] < 0.9 * V[0]


def energies(bench: Bench, x: Array, times: Array) -> Array:
    """V = (s.M s + x.Gamma^-1 x) / 2 with the true parameters."""
    arm, law = bench.robot, bench.controller
    assert isinstance(law, SlotineLi)
    true = np.array(inertial_parameters(mechanism(arm, arm.floats())))
    found = []
    for t, column in zip(times, x.T, strict=True):
        q_d, qd_d, _ = smooth(t, arm.n)
        q, qd, theta = (bench.part(column, name) for name in ("q", "qd", "memory"))
        s = qd_d - qd + np.array(law.rate) * (q_d - q)
        wrong = true - theta
        found.append((s @ arm.mass_matrix(q) @ s + wrong @ (wrong / np.array(law.adaptation))) / 2)
    return np.array(found)


def test_slotine_li_on_a_robot_in_space() -> None:
    """V' = -s.K_D s at random states of the UR5, by the rates alone."""
    arm = dynamis.load("ur5")
    bench = Bench(arm, SlotineLi(7, 3, 0.5, "all", model=heavier(arm, 0.8)), np.zeros(6), np.zeros(6))
    rng = np.random.default_rng(2)
    true = np.array(inertial_parameters(mechanism(arm, arm.floats())))
    for _ in range(3):
        q, qd, q_d, qd_d, qdd_d = rng.normal(size=(5, 6))
        x = np.concatenate([q, qd, bench.memory, np.zeros(3)])
        rate = bench.programs.rate(x, bench.inputs(q_d, qd_d, qdd_d))
        s, sd = qd_d - qd + 3 * (q_d - q), qdd_d - bench.part(rate, "qd") + 3 * (qd_d - qd)
        C = arm.coriolis_matrix(q, qd)
        wrong = true - np.array(bench.memory)
        power = s @ arm.mass_matrix(q) @ sd + s @ C @ s - wrong @ bench.part(rate, "memory") / 0.5
        np.testing.assert_allclose(power, -7 * s @ s, rtol=1e-8)


@pytest.mark.parametrize("name", ["bar-2r", "genova-rp", "genova-3r", "planar-elbow", "stanford", "ur5"])
def test_the_base_columns_are_those_of_the_exact_model(name: str) -> None:
    arm = dynamis.load(name)
    if arm.missing_values:
        arm = arm.with_values({key: 0.3 + 0.17 * k for k, key in enumerate(arm.missing_values)})
    exact = arm.equations(numeric=True).base_parameters
    assert base_columns(arm).names == tuple(each.name for each in exact.combinations)


def test_base_parameters_give_the_torques_of_all() -> None:
    arm = dynamis.load("ur5")
    rng = np.random.default_rng(3)
    q, qd, qdd = rng.normal(size=(3, 20, 6))
    base, Y = base_columns(arm), arm.regressor(q, qd, qdd)
    pi = np.array(inertial_parameters(mechanism(arm, arm.floats())))
    np.testing.assert_allclose(Y[..., list(base.columns)] @ np.array(base.values), Y @ pi, atol=1e-8)


@pytest.mark.parametrize("gravity", [None, (0.0, 0.0, 0.0)])
def test_base_parameters_hold_in_no_gravity_too(gravity: tuple[float, float, float] | None) -> None:
    from dynamis.scalars.vectors import Vector

    arm = damped_2r()
    given = None if gravity is None else Vector(*gravity)
    rates = [Bench(arm, SlotineLi(6, 5, 0, kind), [0.4, -0.5], [1.0, 2.0], gravity=given) for kind in ("base", "all")]
    base, every = (bench.part(bench.programs.rate(bench.x, bench.inputs(*smooth(1.0, 2))), "qd") for bench in rates)
    np.testing.assert_allclose(base, every, atol=1e-9)


def test_base_parameters_in_another_gravity_are_refused() -> None:
    from dynamis.scalars.vectors import Vector

    bench = Bench(damped_2r(), SlotineLi(6, 5, 1), [0.0, 0.0], [0.0, 0.0], gravity=Vector(1.0, 2.0, 3.0))
    with pytest.raises(dynamis.DynamisError, match="another gravity"):
        bench.plain().rate(list(bench.x), list(bench.inputs([0.0, 0.0])))


@pytest.mark.parametrize("qd", [[0.0, 0.0], [1.0, -2.0]])
def test_the_residual_is_the_external_torque(qd: list[float]) -> None:
    """A constant force on the tool: r' = K_O (J^T f - r), r(0) = 0."""
    arm, force = damped_2r(), np.array([3.0, -2.0, 5.0])
    loads = (ToolWrench("exerted_by_environment", ("fx", "fy", "fz"), (0, 0, 0)),)
    law = MomentumObserver(PDGravity([40, 20], [9, 5]), [25.0, 10.0])
    bench = Bench(arm, law, [0.3, 0.8], qd, loads=loads, load_names=("fx", "fy", "fz"))
    inputs = bench.inputs([0.5, -0.2], loads=force)
    times = np.linspace(0, 3, 1501)
    found = bench.run(lambda t: inputs, 3.0, times, 1e-10)
    q = bench.part(found.y, "q").T
    outside = np.einsum("tij,i->tj", arm.jacobian(q)[:, :3], force)
    residual = np.array([bench.observed(x, inputs)["residual"] for x in found.y.T[::100]])
    np.testing.assert_allclose(residual[0], 0, atol=1e-12)
    np.testing.assert_allclose(residual[-1], outside[-1], atol=1e-5)
    assert np.abs(outside[-1]).max() > 1
    # The filter, integrated beside it by the rule of Simpson's kin: exact for inputs that are linear in each step.
    r, h = np.zeros(2), times[1]
    for k in range(1, 1501):
        a = np.exp(-np.array(law.gain) * h)
        middle = (outside[k - 1] + outside[k]) / 2
        r = a * r + (1 - a) * middle
        if k % 100 == 0:
            np.testing.assert_allclose(residual[k // 100], r, atol=2e-3)


def test_without_contact_the_residual_stays_zero() -> None:
    arm = dynamis.load("ur5")
    law = MomentumObserver(PDGravity(100, 20), 50)
    bench = Bench(arm, law, [0.1, -1, 1, 0.2, 0.3, 0.1], [0.5, 1, -1, 0.2, 0.4, 1.0])
    inputs = bench.inputs([0.5, -1, 1, 0.2, 0.3, 0.1])
    x = bench.run(lambda t: inputs, 0.5, [0.5], 1e-10).y[:, -1]
    np.testing.assert_allclose(bench.observed(x, inputs)["residual"], 0, atol=1e-6)
