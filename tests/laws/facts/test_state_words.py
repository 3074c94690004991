"""What the words on a state say about it: every sentence is found in the numbers of the plain engine."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import coupling_matrix, joint_positions
from dynamis.compute.quantities.reference import plain
from dynamis.errors import MissingMassError, UnphysicalWarning
from dynamis.motion.single_states.inverse import state_torques
from tests.support.special_robots import Special, special_state

SMALL = 1e-8
"""Beside the largest torque or reaction: rounding, and what the words leave out."""
CONVENTIONS = ("joint", "parent_tip")


class Numbers:
    """The numbers of a state, made apart from the words: torques by the plain engine, axes from the poses."""

    def __init__(self, x: Special, convention: str) -> None:
        self.x, robot = x, x.robot
        own = np.array([float(g.value) for g in robot.gravity])
        self.gravity = own if x.gravity is True else np.zeros(3) if x.gravity is False else np.array(x.gravity)
        still = np.zeros(robot.n)
        load = self._torques(still, still, False)
        self.tau, self.less = self._torques(x.qd, x.qdd, x.gravity), self._torques(x.qd, x.qdd, False)
        self.load, A = load, coupling_matrix(robot)[0]
        M = plain(robot, "mass_matrix", x.q)[0]
        drives = zip(robot.joints, A @ x.qd, strict=True)
        self.friction = A.T @ [j.damping.value * v + j.coulomb.value * np.sign(v) for j, v in drives]
        of_speeds = self._torques(x.qd, still, False) - load - self.friction
        self.others = M @ x.qdd - np.diag(M) * x.qdd + of_speeds
        """What the motors give because the other joints accelerate, and because joints move."""
        self.wrenches = {g: robot.reactions(x.q, x.qd, x.qdd, loads=x.loads, gravity=g, convention=convention)
                         for g in (x.gravity, False)}  # fmt: skip
        sizes = [np.abs(y).max(initial=0.0) for w in self.wrenches.values() for y in (w.tau, w.wrench)]
        self.small = SMALL * max(sizes)

    def _torques(self, qd: Array, qdd: Array, gravity: object) -> Array:
        return plain(self.x.robot, "inverse_dynamics", self.x.q, qd, qdd, loads=self.x.loads, gravity=gravity)[0]  # type: ignore[arg-type]

    def axis(self, k: int) -> Array:
        """The axis of the joint of coordinate k in base axes."""
        robot = self.x.robot
        at = next(i for i, link in enumerate(robot.links) if link.joint.name == robot.coordinates[k].name)
        R_after, _ = robot.links[at].joint.after.evaluate(robot.floats())
        axis = np.array([float(e.value) for e in robot.links[at].joint.axis])
        return robot.link_poses(self.x.q)[at][:3, :3] @ np.array([[*row] for row in R_after]).T @ axis


def numbers_in(text: str) -> list[int]:
    """The joints of `joints 1, 2 and 3`, from 0."""
    return [int(k) - 1 for k in re.findall(r"\d+", text)]


def exactly(said: str, holds: Array) -> None:
    """The joints that are said are those of which it holds."""
    assert numbers_in(said) == np.flatnonzero(holds).tolist()


def at_rest(f: Numbers, held: str) -> None:
    assert not f.x.qd.any()
    assert not f.x.qdd.any()
    assert ("gravity" in held) == f.gravity.any()
    assert ("loads" in held) == bool(f.x.loads)
    assert held or np.abs(f.tau).max() <= f.small


def motion(f: Numbers, sentence: str) -> None:
    """Every joint is in one clause, and does what it says."""
    qd, qdd = f.x.qd, f.x.qdd
    kinds = {
        "accelerate": qd * qdd > 0, "brake": qd * qdd < 0, "move at constant speed": (qd != 0) & (qdd == 0),
        "start from rest": (qd == 0) & (qdd != 0), "stand still": (qd == 0) & (qdd == 0),
    }  # fmt: skip
    said = re.findall(r"[Jj]oints? ([\d, and]+?) (accelerate|brake|move|start|stand)", sentence)
    assert sorted(k for which, _ in said for k in numbers_in(which)) == list(range(len(qd)))
    for which, verb in said:
        exactly(which, next(holds for name, holds in kinds.items() if name.startswith(verb)))


def power(f: Numbers, sentence: str) -> None:
    """Drives, holds back, and the watts; what is not told is rounding."""
    values, said = f.tau * f.x.qd, np.zeros(len(f.tau))
    for joints, verb, watts in re.findall(r"of joints? ([\d, and]+?) (drives?|holds? back) \((.*?)\)", sentence):
        given = [float(w) for w in re.findall(r"(\S+) W", watts)]
        assert all(w > 0 for w in given) if verb.startswith("drive") else all(w < 0 for w in given)
        said[numbers_in(joints)] = given
    np.testing.assert_allclose(said, values, rtol=6e-4, atol=f.small * (1 + np.abs(f.x.qd).max()))
    if total := re.search(r"; (\S+) W in all", sentence):
        np.testing.assert_allclose(float(total[1]), values.sum(), rtol=6e-4, atol=1e-3 * np.abs(values).max())


def against(f: Numbers, joint: str, does: str, causes: str, along: str) -> None:
    """One of the causes that are named does to the joint what its motor does not; gravity if nothing else would."""
    k = int(joint) - 1
    v = f.x.qd[k]
    assert (v * f.x.qdd[k] > 0) == (does == "accelerates")
    assert (f.tau[k] * v > 0) == (does == "brakes") == (along == "back")
    asked = {
        "gravity": f.tau - f.less, "friction": f.friction, "a load": f.load, "the other joints": f.others,
        "the joints that follow it": f.others,
    }  # fmt: skip
    named = causes.split(" or ")
    assert named != [""]
    assert "the other joints" not in named or f.x.robot.n > 1
    # A motor gives against what pulls the joint along.
    helps = [asked[name][k] * v * (1 if along == "back" else -1) for name in named]
    assert max(helps) > 0
    assert "friction" not in named or f.friction[k]
    assert "a load" not in named or f.x.loads


def changes(f: Numbers, sentence: str) -> None:
    part, said = f.tau - f.less, np.zeros(len(f.tau), bool)
    for joint, before, after in re.findall(r"joint (\d+) from (\S+) to (\S+?)(?:,|$| N)", sentence):
        k = int(joint) - 1
        said[k] = True
        np.testing.assert_allclose([float(before), float(after)], [f.less[k], f.tau[k]], rtol=6e-4, atol=f.small)
    assert not (np.abs(part[~said]) > f.small).any()


def alone(f: Numbers, kinds: str, sentence: str) -> None:
    assert np.abs(f.less).max() <= f.small
    said = np.zeros(len(f.tau))
    for value, unit, joint in re.findall(r"(\S+) (N m|N) at joint (\d+)", sentence):
        said[int(joint) - 1] = float(value)
        assert unit == f.x.robot.coordinates[int(joint) - 1].unit
        assert ("torques" if unit == "N m" else "forces") in kinds
    np.testing.assert_allclose(said, f.tau, rtol=6e-4, atol=f.small)


def not_on(f: Numbers, joints: str, reasons: str) -> None:
    """Gravity has no part in their torques, and their axes lie as is said."""
    exactly(joints, np.abs(f.tau - f.less) <= f.small)
    down = f.gravity / np.linalg.norm(f.gravity)
    for which, how in re.findall(r"joints? ([\d, and]+?) (is parallel|are parallel|slide)", reasons):
        for k in numbers_in(which):
            axis = f.axis(k)
            assert f.x.robot.coordinates[k].revolute == ("parallel" in how)
            assert np.abs(np.cross(axis, down) if "parallel" in how else axis @ down).max() < 1e-7


def turned(f: Numbers, joints: str) -> None:
    sign = np.where(np.abs(f.tau) > f.small, f.tau, 0) * np.where(np.abs(f.less) > f.small, f.less, 0)
    exactly(joints, sign < 0)


def larger(f: Numbers, joints: str) -> None:
    part = f.tau - f.less
    exactly(joints, (np.abs(part) > np.abs(f.less)) & (np.abs(part) > f.small))


def of_a_drive(f: Numbers, kind: str) -> Array:
    """(links, 3): which entries may be a drive's alone, by the joints' kinds and axes."""
    rows = [
        [link.joint.moves and link.joint.revolute == (kind == "moment")] * 3 for link in f.x.robot.links
    ]  # fmt: skip
    return np.array(rows)


def no_reactions(f: Numbers, kind: str, apart: str) -> None:
    values = np.abs(getattr(f.wrenches[f.x.gravity], kind))
    assert not (values > f.small)[~of_a_drive(f, kind) if apart else slice(None)].any()


def largest(f: Numbers, kind: str, axis: str, place: str, value: str, without: str | None, apart: bool) -> None:
    reactions = f.wrenches[f.x.gravity]
    values = getattr(reactions, kind)
    name = place.split(" ")[-1]
    k = [str(n) for n in reactions.numbers].index(name) if place.startswith("joint ") else reactions.joints.index(name)
    i = "xyz".index(axis)
    np.testing.assert_allclose(float(value), values[k, i], rtol=6e-4)
    above = np.abs(values) > np.abs(values[k, i]) + f.small
    assert not above[~of_a_drive(f, kind) if apart else slice(None)].any()
    if without is not None:
        np.testing.assert_allclose(float(without), getattr(f.wrenches[False], kind)[k, i], rtol=6e-4, atol=f.small)


def coupled(f: Numbers) -> None:
    assert any(link.joint.coupling for link in f.x.robot.links)


J = r"joints? (\d[\d, and]*?)"
SENTENCES: dict[str, Callable[..., None]] = {
    r"The robot is at rest: the motors only hold it against (.*)\.": at_rest,
    r"The robot is at rest, without gravity and loads: no torque is needed\.()": at_rest,
    r"(Joints? [\d, and]+ (?:accelerate|brake|move|start|stand)(?!.*although).*)\.": motion,
    r"(The motors? of .* W\)(?:; \S+ W in all)?)\.": power,
    r"Joint (\d+) (accelerates|brakes) although its motor (?:holds it back|drives it): "
    r"(.*?) (?:pulls?|holds?) it (along|back)\.": against,
    r"(Gravity changes no torque)\.": changes,
    r"(Gravity changes the .*)\.": changes,
    r"Gravity alone makes the (.*?): (.*)\.": alone,
    r"It turns the sign at (.*)\.": turned,
    r"It turns no sign\.()": turned,
    r"It is the larger part at (.*)\.": larger,
    rf"It does not act on {J}((?:; .*)?)\.": not_on,
    r"The reaction (force|moment)s are zero(.*)\.": no_reactions,
    r"The forces in what couples the joints \(.*\) are not in the reactions\.": coupled,
}
LARGEST = r"(Apart from .*, t|T)he largest reaction (force|moment) is [fn]([xyz]) of (.*?) \(in.*\), (\S+) N(?: m)?"
WITHOUT = r"(?:; without gravity it is (\S+) N(?: m)?)?\."


@settings(max_examples=120)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from(CONVENTIONS))
def test_the_words_on_a_state_are_its_numbers(seed: int, masses: bool, convention: str) -> None:
    x = special_state(seed, masses=masses)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnphysicalWarning)
        try:
            result = state_torques(
                x.robot, x.q, x.qd, x.qdd, loads=x.loads, gravity=x.gravity, reactions=convention, words=True,  # type: ignore[arg-type]
            )  # fmt: skip
        except MissingMassError:
            return
        f = Numbers(x, convention)
    for sentence in result.words[0]:
        if m := re.fullmatch(LARGEST + WITHOUT, sentence):
            largest(f, m[2], m[3], m[4], m[5], m[6], bool(m[1] != "T"))
            continue
        found = [(check, m.groups()) for form, check in SENTENCES.items() if (m := re.fullmatch(form, sentence))]
        assert len(found) == 1, f"no law for this sentence: {sentence}"
        check, groups = found[0]
        check(f, *groups)
    q = joint_positions(x.robot, x.q)
    for note in result.notes:
        joint, at, low, high = re.fullmatch(
            r"(?:joint \d+|coupled joint) \((\S+)\) at (\S+) is beyond its limits (\S*) \.\. (\S*)", note
        ).groups()  # type: ignore[union-attr]
        k = [j.name for j in x.robot.joints].index(joint)
        np.testing.assert_allclose(float(at), q[k], rtol=6e-4)
        assert not float(low) <= q[k] <= float(high)
