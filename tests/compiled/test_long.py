"""Long chains: a hundred joints run, the recursions cost as much for each joint, and long programs stay bytecode."""

from __future__ import annotations

import numpy as np
import pytest

from dynamis import Inertia, Joint, Link, Robot
from dynamis.compiled import function as functions
from dynamis.plain import plain
from tests.closeness import close
from tests.compiled.asking import function, same_bits, states


def chain(joints: int) -> Robot:
    """Oblique revolute joints, one on the other."""
    rng = np.random.default_rng(0)
    links: list[Link] = []
    for k in range(joints):
        joint = Joint(f"joint{k}", "revolute", tuple(rng.normal(size=3)), f"Tx(0.1) Ty({rng.uniform(-0.1, 0.1)})")
        inertia = Inertia(np.diag(rng.uniform(1, 1.5, 3)) * 1e-2)
        links.append(Link(f"link{k}", joint, links[-1].name if links else "base", 0.5, (0.05, 0.01, 0), inertia))
    return Robot("chain", tuple(links))


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "gravity_torque", "kinetic_energy"])
def test_a_hundred_joints(name: str) -> None:
    robot = chain(100)
    given = states(np.random.default_rng(1), name, 100)
    expected = plain(robot, name, *given)[0]
    size = np.linalg.norm(expected) + plain(robot, "inverse_dynamics", *[given[0]] * 3)[0].max()
    if name == "forward_dynamics":
        M = robot.mass_matrix(given[0])
        size = np.linalg.norm(np.linalg.inv(M)) * (size + np.linalg.norm(M) * np.linalg.norm(expected))
    close(getattr(robot, name)(*given), expected, size, 1e-12)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "gravity_torque", "kinetic_energy"])
def test_recursions_cost_as_much_for_each_joint(name: str) -> None:
    """Counted, not timed: from 40 to 60 joints as many operations come as from 20 to 40."""
    counts = [len(function(chain(n), name).program.operations) for n in (20, 40, 60)]
    assert counts[2] - counts[1] == pytest.approx(counts[1] - counts[0], rel=0.02)


def test_a_program_that_is_too_long_stays_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    """It gives the same, and nothing is compiled for it however many states it sees."""
    robot = chain(5)
    given = states(np.random.default_rng(2), "inverse_dynamics", 5, 300)
    expected = function(robot, "inverse_dynamics").ufunc()(*given)
    monkeypatch.setattr(functions, "LONGEST", 10)
    monkeypatch.setattr(functions, "machine_code", None)
    f = function(robot, "inverse_dynamics")
    assert f.is_long
    same_bits(f.ufunc()(*given), expected)
    for _ in range(40):
        same_bits(f(*given), expected)
    same_bits(f.single(*(x[0] for x in given)), expected[0])
