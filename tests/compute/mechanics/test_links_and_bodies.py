"""What is told per link is read off through the map from links to bodies: mechanisms whose bodies are not the links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Force, Inertia, Joint, Link, Moment, Robot, ToolWrench
from dynamis.apps.grading.check import check_answer
from dynamis.base.arrays import Array
from dynamis.compute.mechanics import mechanism as module
from dynamis.compute.mechanics.mechanism import Body, Mechanism, body_names, mechanism, state_at
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.exact.derive import derive
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import Scalars
from dynamis.scalars.vectors import Matrix, Vector, diagonal
from tests.support.closeness import close
from tests.support.functions import options

LOADS = (
    Force("fore", (3.0, -2.0, 1.0), point=(0.1, 0.0, 0.2)),
    Force("branch", (1.0, 2.0, -1.0), axes="link", point=(0.1, 0.3, 0.2), point_in="world"),
    Moment("hand", (0.5, 0.2, -0.3)),
    ToolWrench("exerted_by_tool", (1.0, 0.0, 2.0), (0.0, 0.3, 0.0)),
)
SOLID = Inertia.of(xx=0.3, yy=0.2, zz=0.25, xy=0.01, xz=-0.02, yz=0.03)
ARM: dict[str, Any] = {"mass": 2, "com": (0.1, 0.02, -0.05), "inertia": SOLID}
DRIVE: dict[str, Any] = {"damping": 0.3, "coulomb": 0.2, "gear_ratio": 5, "rotor_inertia": 0.01}
FEW_ROWS = {name: {"rows": "x y rz"} for name in QUANTITIES if "rows" in QUANTITIES[name].options}


def arm(*, universal: bool) -> Robot:
    """An arm with a universal joint: its cross is a massless link, or (`universal`) no link at all."""
    upper = Link("upper", Joint("q1", axis=(0, 1, 0), before="Tz(0.4) Rx(0.3)", **DRIVE), **ARM)
    cross = Link("cross", Joint("q2", axis=(1, 0, 0), before="Tx(0.5) Rz(0.7)", **DRIVE), "upper")
    on = "upper" if universal else "cross"
    fore = Link("fore", Joint("q3", axis=(0, 1, 0), after="Tx(0.2) Ry(0.4)", **DRIVE), on, **ARM)
    slide = Link("slide", Joint("q4", "prismatic", axis=(0, 0, 1), before="Tx(0.3)", **DRIVE), "fore", **ARM)
    hand = Link("hand", Joint("grip", "fixed", before="Tz(0.2) Ry(0.1)"), "slide", **ARM)
    branch = Link("branch", Joint("q5", axis=(0, 0, 1), before="Ty(0.3)", coupling={"q3": -2}), "fore", **ARM)
    links = [link for link in (upper, cross, fore, slide, hand, branch) if not (universal and link is cross)]
    return Robot("arm", tuple(links)).with_tool("Tz(0.1) Rx(0.2)", "hand")


def outputs(robot: RobotModel, m: Mechanism[float], name: str, fast: bool, **chosen: str) -> list[Array]:
    """A quantity of the arm in a state, under loads."""
    rng = np.random.default_rng(5)
    q, qd, qdd, tau = rng.uniform(-1, 1, (4, m.n)).tolist()
    x = RobotAtState(robot, m, state_at(m, q, qd, qdd), tau, None, LOADS, fast)
    return [np.array(output) for output in QUANTITIES[name].of(x, **chosen)]


def massless_first(link: Link, before: Sequence[Body[Any]], *rest: Any) -> list[Body[Any]]:
    """The bodies of a link with a massless one before its own, which takes over where it stands on its parent."""
    scalars: Scalars[Any] = rest[-1]
    (body,) = ONE_BODY(link, before, *rest)
    zero, null = scalars.zero, Vector(*[scalars.zero] * 3)
    massless = replace(body, mass=zero, com=null, inertia=Matrix(null, null, null), rotor=zero)
    first = replace(massless, joint=None, origin=null, forces=body.forces.map(lambda _: zero))
    return [first, replace(body, parent=len(before), R0=diagonal(scalars.one, zero), t0=null)]


ONE_BODY = module.link_bodies


@contextmanager
def two_bodies_per_link() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "link_bodies", massless_first)
        yield


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", sorted(QUANTITIES))
def test_massless_bodies_between_the_links_change_no_quantity(name: str, fast: bool) -> None:
    robot = arm(universal=False)
    one = mechanism(robot, robot.floats())
    with two_bodies_per_link():
        two = mechanism(robot, robot.floats())
    assert [len(x) for x in two.links] == [2] * len(robot.links)
    for link in (0, 2, -1):
        chosen = options(robot, name, link) | FEW_ROWS.get(name, {})
        pairs = zip(outputs(robot, two, name, fast, **chosen), outputs(robot, one, name, fast, **chosen), strict=True)
        for found, expected in pairs:
            close(found, expected)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", sorted(QUANTITIES))
def test_a_universal_joint_is_two_bodies_of_one_link(name: str, fast: bool) -> None:
    """Torques, matrices and poses are those of the robot with a cross; what is told per link is that of its links."""
    explicit, robot = arm(universal=False), arm(universal=True)
    m = mechanism(explicit, explicit.floats())
    joined = replace(m, links=((0,), (1, 2), (3,), (4,), (5,)))
    for link in ("fore", "hand"):
        chosen = options(explicit, name, [x.name for x in explicit.links].index(link)) | FEW_ROWS.get(name, {})
        pairs = zip(
            outputs(robot, joined, name, fast, **chosen), outputs(explicit, m, name, fast, **chosen), strict=True
        )
        for found, expected in pairs:
            close(found, without_the_cross(expected, found.shape))


def without_the_cross(array: Array, shape: tuple[int, ...]) -> Array:
    """The array less what it holds of the second link, along the axis that is longer than in `shape`."""
    assert array.ndim == len(shape)
    for axis, (with_cross, without) in enumerate(zip(array.shape, shape, strict=True)):
        per_link = with_cross - without
        array = np.delete(array, range(per_link, 2 * per_link), axis)
    return array


def test_names_of_bodies() -> None:
    robot = arm(universal=True)
    m = mechanism(arm(universal=False), robot.floats())
    names = body_names(robot, replace(m, links=((0,), (1, 2), (3,), (4,), (5,))))
    assert names == ["upper", "fore, axis 1", "fore", "slide", "hand", "branch"]


ANSWER = """
T2 = m2/2*(l1^2*dq1^2 + lc2^2*(dq1 + dq2)^2 + 2*l1*lc2*c2*dq1*(dq1 + dq2)) + I2*(dq1 + dq2)^2/2
Jv2[1,1] = -l1*s1 - lc2*s12
J_{v_{c2}}(2,:) = [l1*c1 + lc2*c12, lc2*c12]
Jw2[3,:] = [1, 1]
w2[3] = dq1 + dq2
vd1 = [g*s1; g*c1; 0]
vc1[2] = lc1*dq1
"""


def test_closed_forms_and_grades() -> None:
    """M, c, g, base parameters and proofs; energies, velocities and Jacobians of a link in a student's answer."""
    one = dynamis.load("planar-elbow").equations()
    with two_bodies_per_link():
        robot = dynamis.load("planar-elbow")
        two = robot.equations()
        assert len(two.mechanism.bodies) == 2 * len(robot.links)
        assert [[two.M[i, j] == one.M[i, j] for i in range(2)] for j in range(2)] == [[True] * 2] * 2
        assert (two.coriolis, two.gravity) == (one.coriolis, one.gravity)
        assert str(two.base_parameters) == str(one.base_parameters)
        assert str(two.positive_definite) == str(one.positive_definite)
        assert all(proof.holds for proof in two.prove())
        assert {entry.status for entry in check_answer(robot, ANSWER).entries} == {"equal"}


@pytest.mark.parametrize("method", ["energies", "lagrange", "jacobians", "newton-euler", "moving-frames"])
def test_derivations_have_a_section_per_body(method: str) -> None:
    """A massless body is derived like a massless link; the equations at the end are the same."""
    with two_bodies_per_link():
        derived = derive(dynamis.load("planar-elbow").equations(), method)
    titles = " ".join(section.title for section in derived.steps)
    assert "link1, axis 1" in titles
    assert "4 (link2)" in titles
    assert all(proof.holds for proof in derived.proofs)


def test_results_of_the_robots_verbs() -> None:
    """Compiled: reactions, recursion and motions per link."""
    robot, q = arm(universal=False), [0.3, -0.2, 0.5, 0.1]
    expected = robot.reactions(q, loads=LOADS), robot.recursion(q), robot.link_motions(q)
    with two_bodies_per_link():
        again = arm(universal=False)
        found = again.reactions(q, loads=LOADS), again.recursion(q), again.link_motions(q)
    for a, b in zip(found, expected, strict=True):
        for x, y in zip(vars(a).values(), vars(b).values(), strict=True):
            if isinstance(x, np.ndarray):
                close(x, y)
            else:
                assert x == y
