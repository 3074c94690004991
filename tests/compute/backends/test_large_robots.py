"""Large robots: a hundred joints run, recursions cost as much for each joint, and what is compiled is bounded."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pinocchio as pin
import pytest

from dynamis import Robot
from dynamis.compute.backends import tiers
from dynamis.compute.backends.llvm import machine
from dynamis.compute.ir.cpu import kernel
from dynamis.compute.ir.cpu.tiles import Tiles
from dynamis.compute.ir.lanes import lanes_for
from dynamis.compute.quantities.reference import plain
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.model.formats.urdf.write import write_urdf
from tests.support.closeness import close
from tests.support.functions import function, lines, run, same_bits, states
from tests.support.large_robots import chain, star, tree


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
    monkeypatch.setattr(tiers, "MAX_INSTRUCTIONS", 10)
    monkeypatch.setattr("dynamis.compute.backends.llvm.backend.program_source", None)
    f = function(robot, "inverse_dynamics")
    assert tiers.is_long(f.program)
    same_bits(f.ufunc()(*given), expected)
    for _ in range(40):
        same_bits(f(*given), expected)
    same_bits(f.quick_call(*(x[0] for x in given)), expected[0])


RANDOM = np.random.default_rng(4)
ROBOTS = {
    "a star of 40": star(40),
    "a star of 13": star(13),
    "a chain of 9": chain(9),
    "twigs on a chain": tree([k - 1 if k % 2 else max(-1, k - 2) for k in range(12)]),
    **{f"a tree of {n}": tree([int(RANDOM.integers(-1, k)) if k else -1 for k in range(n)]) for n in (7, 16)},
}


@pytest.mark.parametrize("name", ["mass_matrix", "regressor", "jacobian", "coriolis_matrix", "inverse_dynamics"])
@pytest.mark.parametrize("kind", ROBOTS)
def test_the_length_of_a_program_bounds_what_is_written(kind: str, name: str) -> None:
    """Operations, stored entries and constants together; the rest is the loop around them, the sines, the inputs."""
    f = function(ROBOTS[kind], name, **({"frame": "link2"} if name == "jacobian" else {}))
    if tiers.is_long(f.program):
        assert f.program.length > tiers.MAX_INSTRUCTIONS or sum(x.count for x in f.outputs) > tiers.MOST_ENTRIES
        return
    assert len(lines(f)) < 700 + 2 * f.program.length + 12 * sum(x.count for x in f.inputs)


@pytest.mark.parametrize("kind", ROBOTS)
def test_no_function_is_long(kind: str) -> None:
    """LLVM's time grows with the square of a function's stores: 15 s for what takes 0.3 s in pieces."""
    for name in ("mass_matrix", "regressor", "inverse_dynamics_derivatives"):
        f = function(ROBOTS[kind], name)
        written = lines(f) if not tiers.is_long(f.program) else []
        ends = [0, *(k for k, line in enumerate(written) if line.endswith(":") or line == "}"), len(written)]
        assert max(b - a for a, b in pairwise(ends)) <= kernel.LONGEST_WHOLE + 1


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_tiles_of_a_mass_matrix_give_the_same(dtype: str) -> None:
    """A loop makes most entries of a long chain's M, for one state and for many, at the end of a batch too."""
    f = function(chain(30), "mass_matrix")
    assert Tiles(f.program.fused, lanes_for(dtype, machine.host(), f.program)).tiles or not machine.host().fuses
    q = np.random.default_rng(3).uniform(-3, 3, (13, 30)).astype(dtype)
    (expected,) = run(f, "bytecode", q, dtype=dtype)
    for count in (1, 2, 13):
        guarded = np.full((count + 2, 30, 30), 7.25, dtype)
        run(f, "machine code", q[:count], dtype=dtype, out=guarded[1:-1])
        same_bits(guarded[1:-1], expected[:count])
        assert (guarded[[0, -1]] == 7.25).all()
    if dtype == "float64":
        same_bits(f.quick_call(q[0]), expected[0])


@pytest.mark.parametrize(
    "robot", [chain(50), tree([max(-1, k - 7) for k in range(40)])], ids=["a chain of 50", "a tree of 40"]
)
def test_large_robots_are_pinocchios(robot: Robot) -> None:
    """Skew axes, one way to the tip or seven; machine code."""
    model = pin.buildModelFromXML(write_urdf(robot))
    data = model.createData()
    order = [model.idx_vs[model.getJointId(f"joint{k}")] for k in range(robot.n)]
    back = np.argsort(order)
    q, qd, qdd = np.random.default_rng(5).uniform(-2, 2, (3, robot.n))
    q_pin = pin.integrate(model, pin.neutral(model), q[back])
    tau = pin.rnea(model, data, q_pin, qd[back], qdd[back])[order]
    upper = np.triu(pin.crba(model, data, q_pin))
    M = (upper + np.triu(upper, 1).T)[np.ix_(order, order)]
    for name, given, expected in (
        ("inverse_dynamics", (q, qd, qdd), tau), ("mass_matrix", (q,), M), ("forward_dynamics", (q, qd, tau), qdd),
    ):  # fmt: skip
        (found,) = run(function(robot, name), "machine code", *given)
        scale = np.linalg.cond(M) * np.abs(qdd).max() if name == "forward_dynamics" else None
        close(found, expected, scale, 1e-12)


def test_a_star_is_short_however_large() -> None:
    """16 kinds of operations and 10 000 entries took LLVM 15 s, from the 160th state on."""
    f = function(star(100), "mass_matrix")
    assert f.program.length < 1000
    given = np.random.default_rng(0).uniform(-1, 1, (11, 100))
    same_bits(f.ufunc()(given), f.interpreted("float64")(given))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", sorted(QUANTITIES))
def test_pieces_and_runs_of_zeros_give_the_same(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In dense and in other arrays, at the end of a batch too; nothing is written beside the results."""
    monkeypatch.setenv("DYNAMIS_CACHE", "")
    monkeypatch.setattr(kernel, "LONGEST_WHOLE", 100)
    monkeypatch.setattr(kernel, "PIECE_LINES", 30)
    monkeypatch.setattr(machine, "LONGEST_WELL", 2000)  # lines: some are compiled well, others quickly
    monkeypatch.setattr("dynamis.compute.program.program.LONG_RUN", 2)
    robot = tree([-1, 0, 0, -1, -1, 4, 4])
    given = {"frame": "link5", "rows": "x y"}
    f = function(robot, name, **{key: given[key] for key in QUANTITIES[name].options if key in given})
    for count in (1, 13):
        given = [x.astype(dtype) for x in states(np.random.default_rng(2), name, robot.n, count)]
        expected = run(f, "bytecode", *given, dtype=dtype)
        guarded = [np.full((count + 8, *x.shape), 7.25, dtype) for x in f.outputs]
        found = run(f, "machine code", *given, dtype=dtype, out=tuple(x[4 : 4 + count] for x in guarded))
        turned = [np.empty((*x.shape, count), dtype) for x in f.outputs]
        run(f, "machine code", *given, dtype=dtype, out=tuple(np.moveaxis(x, -1, 0) for x in turned))
        for ours, theirs, around, other in zip(found, expected, guarded, turned, strict=True):
            same_bits(ours, theirs)
            same_bits(np.moveaxis(other, -1, 0), theirs)
            assert (around[:4] == 7.25).all()
            assert (around[4 + count :] == 7.25).all()
