"""Joint limits as mechanical stops: when and how fast they are hit, what bounces, what stays, what leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import dynamis
from dynamis.errors import ArgumentError
from dynamis.files import load_simulation
from dynamis.simulation.loop.axes import robot_axes
from dynamis.simulation.runs.flow import impact
from tests.support.arms import INERTIA, LENGTH, G, cartesian, limited, pendulum, with_friction

WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"step": 1e-3},
    {"integrator": "rk45"},
    {"step": 1e-3, "integrator": "symplectic"},
)
NAMES = ("adaptive", "fixed", "rk45", "symplectic")
CLOSE = dict(zip(NAMES, (1e-9, 1e-9, 1e-8, 1e-5), strict=True))


def fall(stop: float) -> tuple[float, float]:
    """When a rod that is let go level reaches the angle -stop, and how fast it is there."""

    def speed(a: float) -> float:
        return np.sqrt(G * LENGTH * np.sin(a) / INERTIA)

    # da / w(a) with a = s^2, where the root in w is none any more
    time, _ = quad(
        lambda s: 2 * s / speed(s * s) if s else 2 / np.sqrt(G * LENGTH / INERTIA), 0, np.sqrt(stop), epsabs=1e-13
    )
    return time, speed(stop)


@pytest.mark.parametrize(("name", "way"), list(zip(NAMES, WAYS, strict=True)))
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_the_fall_on_a_stop(name: str, way: dict[str, Any], restitution: float):
    time, speed = fall(1.0)
    robot = pendulum(lower=-1.0)
    run = dynamis.simulate(robot, [0.0], duration=time + 0.1, restitution=restitution, samples=51, **way)
    hit = run.events[0]
    assert hit.joint == 1
    assert hit.what.startswith(f"hinge hits its lower stop at {speed:.3g} rad/s")
    assert abs(hit.time - time) < CLOSE[name]
    before, after = np.flatnonzero(run.times == hit.time)
    assert abs(run.qd[before, 0] + speed) < 30 * CLOSE[name]
    assert abs(run.qd[after, 0] - restitution * speed) < 30 * CLOSE[name]
    assert run.q[after, 0] == -1.0
    assert run.q.min() >= -1.0 - 1e-9
    lost = INERTIA / 2 * speed**2 * (1 - restitution**2)
    assert abs(run.energy.stops[-1] + lost) < 100 * CLOSE[name]
    if not restitution:
        assert hit.what.endswith("and stays")
        assert not run.qd[after:].any()
        assert (run.q[after:] == -1.0).all()
        assert not run.qdd[after:].any()


@pytest.mark.parametrize("way", WAYS[:2], ids=NAMES[:2])
def test_an_elastic_stop_is_a_mirror(way: dict[str, Any]):
    """The rod comes back to where it was let go, at twice the time of its fall, and so on."""
    time, _ = fall(1.0)
    run = dynamis.simulate(pendulum(lower=-1.0), [0.0], duration=6 * time, restitution=1.0, samples=7, **way)
    hits = [e.time for e in run.events]
    np.testing.assert_allclose(hits, [time, 3 * time, 5 * time], atol=1e-8)
    back = np.isin(np.round(run.times / time, 6), [0, 2, 4, 6])
    np.testing.assert_allclose(run.q[back], 0.0, atol=1e-8)
    assert run.energy.drift < 1e-9


@pytest.mark.parametrize("way", WAYS[:2], ids=NAMES[:2])
def test_bounces_get_smaller_and_end(way: dict[str, Any]):
    """A slider that falls on its stop: every bounce lasts e times the one before, and then it stays."""
    robot = limited(cartesian(1, 1), [(0.0, None), (None, None)])
    e, first = 0.5, np.sqrt(2 * 1.0 / G)
    run = dynamis.simulate(robot, [1.0, 0.0], duration=3, restitution=e, samples=31, **way)
    hits = [x.time for x in run.events]
    assert run.events[-1].what.endswith("and stays")
    expected = first * (1 + 2 * np.cumsum(e ** np.arange(1, len(hits))))
    np.testing.assert_allclose(hits, [first, *expected], atol=1e-8)
    assert abs(hits[-1] - 3 * first) < 1e-4
    assert (run.q[run.times > hits[-1], 0] == 0).all()
    assert run.energy.drift < 1e-7
    assert not run.ended


@pytest.mark.parametrize("way", WAYS[:2], ids=NAMES[:2])
def test_a_joint_that_stays_is_let_go_when_the_torque_turns(way: dict[str, Any]):
    """The motor's torque falls through what gravity asks for at t = 0.5 s."""
    robot = pendulum(upper=0.3)
    weight = G * LENGTH / 2 * np.cos(0.3)

    def control(t: float, q: Any, qd: Any) -> list[float]:
        return [weight + 4 * (0.5 - t)]

    run = dynamis.simulate(robot, [0.29], control=control, duration=0.8, samples=81, **way)
    hit, leave = run.events
    assert "hits its upper stop" in hit.what
    assert leave.what == "hinge leaves its upper stop"
    assert abs(leave.time - 0.5) < 1e-9
    still = (run.times > hit.time) & (run.times <= 0.5)
    assert (run.q[still] == 0.3).all()
    assert run.q[-1, 0] < 0.3 - 1e-3
    assert run.energy.drift < 1e-8


@pytest.mark.parametrize("way", [{}, {"step": 1e-2}])
def test_a_sample_lets_go(way: dict[str, Any]):
    """The torque that is held jumps: at the sample itself the joint leaves."""

    def control(t: float, q: Any, qd: Any) -> list[float]:
        return [10.0 if t < 0.25 else 0.0]

    run = dynamis.simulate(pendulum(upper=0.3), [0.2], control=control, duration=0.5, period=0.1, **way)
    assert [e.what.split()[1] for e in run.events] == ["hits", "leaves"]
    assert abs(run.events[1].time - 0.3) < 1e-9
    rest = run.times > 0.3
    fallen = dynamis.simulate(pendulum(), [0.3], duration=0.2)
    np.testing.assert_allclose(run.q[-1], fallen.q[-1], atol=1e-8 if not way else 1e-5)
    assert rest.any()


def test_an_impact_acts_on_the_joint_that_hits_alone():
    """M (qd+ - qd-) has one entry, the impulse of the stop; the hit joint has -e times its speed."""
    robot = dynamis.load("ur5")
    axes = robot_axes(robot)
    rng = np.random.default_rng(3)
    for _ in range(5):
        q, qd = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6)
        j = int(rng.integers(6))
        after, impulses = impact(robot, axes, q, qd, {j: 0.4})
        change = robot.mass_matrix(q) @ (after - qd)
        assert abs(change[j] - impulses[j]) < 1e-12
        np.testing.assert_allclose(np.delete(change, j), 0.0, atol=1e-12)
        assert after[j] == -0.4 * qd[j]
        elastic, _ = impact(robot, axes, q, qd, {j: 1.0})
        assert abs(robot.kinetic_energy(q, elastic) - robot.kinetic_energy(q, qd)) < 1e-12
        dead, _ = impact(robot, axes, q, qd, {j: 0.0})
        assert robot.kinetic_energy(q, dead) <= robot.kinetic_energy(q, qd)


@pytest.mark.parametrize("way", WAYS[:2], ids=NAMES[:2])
@pytest.mark.parametrize("restitution", [0.0, 0.7])
def test_an_impact_within_a_run_is_that_one(way: dict[str, Any], restitution: float):
    robot = limited(dynamis.load("bar-2r"), [(None, None), (-0.5, 0.5)])
    run = dynamis.simulate(robot, [0.0, 0.0], [0.0, 3.0], duration=0.4, restitution=restitution, samples=41, **way)
    hit = run.events[0]
    assert "q2 hits its upper stop" in hit.what
    before, after = np.flatnonzero(run.times == hit.time)
    change = robot.mass_matrix(run.q[after]) @ (run.qd[after] - run.qd[before])
    assert abs(change[0]) < 1e-12
    assert change[1] < 0
    assert abs(run.qd[after, 1] + restitution * run.qd[before, 1]) < 1e-12
    if not restitution:  # both bars are one now, until they leave each other
        leave = next((e.time for e in run.events if "leaves" in e.what), run.duration)
        welded = (run.times >= hit.time) & (run.times < leave)
        assert (run.qd[welded, 1][1:] == 0).all()


def test_a_joint_on_its_stop_holds_the_others_up():
    """With the elbow on its stop the 2R arm is a pendulum of one piece: the closed form of its fall."""
    robot = limited(dynamis.load("bar-2r"), [(None, None), (0.0, 1.0)])
    run = dynamis.simulate(robot, [0.0, 0.0], control=[0.0, -20.0], duration=0.3, samples=31)
    # two bars of 1 kg and 0.5 m in a row: I = m L^2 / 3 of one bar with twice the mass and length; torque at joint 1: 0
    lengths, mass = 1.0, 2.0
    single = mass * lengths**2 / 3
    energy = single / 2 * run.qd[:, 0] ** 2 + mass * G * lengths / 2 * np.sin(run.q[:, 0])
    np.testing.assert_allclose(energy, energy[0], atol=1e-9)
    np.testing.assert_allclose(run.qdd[5:, 0], -mass * G * lengths / 2 * np.cos(run.q[5:, 0]) / single, atol=1e-9)
    assert (run.q[:, 1] == 0).all()


def test_both_joints_at_once():
    robot = limited(cartesian(1, 1), [(-1.0, 1.0), (-1.0, 1.0)])
    for way in WAYS[:2]:
        run = dynamis.simulate(robot, [0, 0], [2.0, 2.0], [2 * G, 0], 1.0, restitution=0.5, samples=11, **way)
        assert [e.joint for e in run.events] == [1, 2]
        np.testing.assert_allclose([e.time for e in run.events], 0.5, atol=1e-9)
        np.testing.assert_allclose(run.qd[-1], [-1.0, -1.0], atol=1e-9)
        assert np.count_nonzero(run.times == run.events[0].time) == 2


@pytest.mark.parametrize("way", WAYS[:2], ids=NAMES[:2])
class TestPolicies:
    def test_end(self, way: dict[str, Any]):
        time, _ = fall(1.0)
        run = dynamis.simulate(pendulum(lower=-1.0), [0.0], duration=2, limits="end", samples=21, **way)
        assert run.ended == f"hinge reached its lower limit at t = {run.events[0].time:.6g} s"
        assert abs(run.times[-1] - time) < 1e-8
        assert abs(run.q[-1, 0] + 1.0) < 1e-9
        assert run.duration < 2

    def test_ignore_tells_every_passing(self, way: dict[str, Any]):
        run = dynamis.simulate(
            pendulum(lower=-1.8, upper=-1.2), [-1.5], [3.0], duration=2.2, limits="ignore", samples=21, **way
        )
        assert not run.ended
        sides = [e.what.split()[3] for e in run.events]
        assert sides == ["upper", "lower", "upper", "lower"]
        assert run.energy.drift < 1e-8

    def test_ignore_from_outside(self, way: dict[str, Any]):
        run = dynamis.simulate(pendulum(lower=-1.0), [-2.0], duration=0.1, limits="ignore", samples=5, **way)
        assert not run.events

    def test_a_start_outside_is_an_error(self, way: dict[str, Any]):
        with pytest.raises(ArgumentError, match=r"joint hinge starts at -2, outside its limits -1 to 1 rad; .*ignore"):
            dynamis.simulate(pendulum(-1.0, 1.0), [-2.0], duration=1, **way)

    def test_a_start_on_the_stop(self, way: dict[str, Any]):
        """Pressed against it the joint stays, from the very start; moving away it leaves."""
        stays = dynamis.simulate(pendulum(lower=-1.0), [-1.0], duration=0.5, samples=11, **way)
        assert (stays.q == -1.0).all()
        assert not stays.qd.any()
        assert not stays.events
        q, _, qdd = stays.at(np.linspace(0, 0.5, 37))
        assert (q == -1.0).all()
        assert not qdd.any()
        leaves = dynamis.simulate(pendulum(lower=-1.0), [-1.0], [2.0], duration=0.1, samples=11, **way)
        assert not leaves.events
        assert leaves.q[-1, 0] > -1.0

    @pytest.mark.parametrize("sampled", [{}, {"period": 0.01}])
    def test_a_start_against_the_stop(self, way: dict[str, Any], sampled: dict[str, Any]):
        """The impact is at t = 0: both rows are there, and the balance holds from there on."""
        run = dynamis.simulate(
            pendulum(upper=0.5), [0.5], [1.0], duration=0.1, restitution=0.5, samples=11, **way, **sampled
        )
        assert run.events[0].time == 0
        np.testing.assert_array_equal(run.times[:3] == 0, [True, True, False])
        np.testing.assert_allclose(run.qd[:2, 0], [1.0, -0.5])
        assert run.energy.drift < 1e-9

    def test_end_at_the_start(self, way: dict[str, Any]):
        run = dynamis.simulate(pendulum(upper=0.5), [0.5], [1.0], duration=1, limits="end", **way)
        assert run.ended == "hinge reached its upper limit at t = 0 s"
        np.testing.assert_array_equal(run.times, [0.0])


def test_adaptive_and_fixed_agree_after_many_impacts():
    robot = limited(with_friction(dynamis.load("bar-2r"), 0.1), [(-1.0, 0.8), (-0.8, 0.8)])
    runs = [
        dynamis.simulate(robot, [0.5, 0.3], [0.0, 1.0], duration=0.9, restitution=0.5, samples=10, **way)
        for way in ({}, {"step": 2e-4})
    ]
    words = [[" ".join(e.what.split()[:4]) for e in run.events] for run in runs]
    assert words[0] == words[1]
    assert len(words[0]) >= 4
    times = [[e.time for e in run.events] for run in runs]
    np.testing.assert_allclose(times[0], times[1], atol=1e-6)
    np.testing.assert_allclose(runs[0].q[-1], runs[1].q[-1], atol=1e-5)


def test_limits_are_in_force_where_the_robot_has_them():
    """A Panda that falls lands on its stops and stays within its limits."""
    run = dynamis.simulate(dynamis.load("panda"), [0, 0, 0, -1, 0, 1, 0], duration=0.6, samples=61)
    from dynamis.model.joint_limits import joint_limits

    limits = joint_limits(dynamis.load("panda"))
    assert (run.q >= limits.lower - 1e-9).all()
    assert (run.q <= limits.upper + 1e-9).all()
    assert run.events
    assert run.energy.drift < 1e-9


@pytest.mark.parametrize("way", WAYS[:2], ids=NAMES[:2])
@pytest.mark.parametrize("depth", [1e-2, 1e-5, 1e-8])
def test_a_stop_that_is_grazed_is_hit(way: dict[str, Any], depth: float):
    """A slider whose highest point is just behind its stop: the integrator's steps are much longer than that."""
    top = 25 / 2 / G
    robot = limited(cartesian(), [(None, top - depth), (None, None)])
    run = dynamis.simulate(robot, [0, 0], [5.0, 0], duration=1, restitution=1.0, samples=3, **way)
    (hit,) = run.events
    assert abs(hit.time - (5 / G - np.sqrt(2 * depth / G))) < (1e-9 if depth > 1e-6 else 1e-8)
    assert run.q.max() <= top - depth + 1e-9


def test_a_joint_that_an_impact_of_another_kicks_off_its_stop_has_left_it():
    task = load_simulation("panda-falls", dynamis.load("panda"))
    run = task.run()
    lying: dict[int, bool] = {}
    for event in run.events:
        assert event.joint is not None
        if "hits" in event.what:
            assert not lying.get(event.joint), event
            lying[event.joint] = event.what.endswith("and stays")
        else:
            assert lying[event.joint], event
            lying[event.joint] = False
    kicks = [event for event in run.events if "leaves" in event.what]
    hits = {event.time for event in run.events if "hits" in event.what}
    assert any(event.time in hits for event in kicks)


def test_a_stop_does_not_pull_a_joint_that_another_one_s_impact_turns_back():
    # Folded, M12 < 0: what stops joint 1 turns joint 2 back before its own stop could, so that stop does nothing.
    q, qd = np.array([0.3, 3.0]), np.array([10.0, 1.0])
    arm = limited(dynamis.load("bar-2r"), [(-3.0, 0.3), (-3.2, 3.0)])
    run = dynamis.simulate(arm, q, qd, duration=1e-3)
    M = arm.mass_matrix(q)
    assert M[0, 1] < 0
    after = run.qd[1]
    assert np.allclose(after, [0.0, 1.0 + 10.0 * M[0, 1] / M[1, 1]], atol=1e-12)
    impulses = M @ (after - qd)
    assert impulses[0] < 0
    assert abs(impulses[1]) < 1e-12
    assert {event.joint for event in run.events} == {1}
    assert run.energy.stops[-1] < 0
    assert run.energy.drift < 1e-9
