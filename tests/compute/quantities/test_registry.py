"""The registry: entries fit together, every quantity has its verb, and the reference takes other algorithms."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from dynamis import Robot
from dynamis.compute.mechanics.efficient import articulated_body, forward_dynamics
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.compute.quantities.robot_at_state import LONGEST_CHAIN_TO_FACTOR, RobotAtState
from tests.support.closeness import close
from tests.support.large_robots import chain, star


@pytest.mark.parametrize("name", sorted(QUANTITIES))
def test_entries(name: str) -> None:
    entry = QUANTITIES[name]
    assert entry.inputs[0] == "q"
    assert len(entry.units) in (0, len(entry.outputs))
    assert list(inspect.signature(entry.compute).parameters)[1:] == list(entry.options)
    assert inspect.getdoc(getattr(Robot, name)), "every quantity is a method of Robot, with its docstring"


@pytest.mark.parametrize(
    ("robot", "short"),
    [(chain(LONGEST_CHAIN_TO_FACTOR), True), (chain(LONGEST_CHAIN_TO_FACTOR + 1), False), (star(20), True)],
    ids=["short chain", "long chain", "star"],
)
def test_two_algorithms_of_forward_dynamics(robot: Robot, short: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs take a factored M for short chains and articulated bodies for long ones; the reference the other one."""
    joints, rng, taken = robot.n, np.random.default_rng(2), list[str]()
    m = mechanism(robot, robot.floats())
    q, qd, tau = rng.uniform(-1, 1, (3, joints)).tolist()
    for module in (forward_dynamics, articulated_body):
        method = module.forward_dynamics
        name = module.__name__.rpartition(".")[2]
        monkeypatch.setattr(module, "forward_dynamics", lambda *x, f=method, name=name: (taken.append(name), f(*x))[1])
    state = state_at(m, q, qd)
    reference, fast = (RobotAtState(robot, m, state, tau, fast=fast).acceleration() for fast in (False, True))
    close(fast, reference, tolerance=1e-7)
    assert taken == (["articulated_body", "forward_dynamics"] if short else ["forward_dynamics", "articulated_body"])
