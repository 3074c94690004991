"""How many operations the algorithms need, traced: a change that makes one of them longer is seen here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

import dynamis
from dynamis.compute.mechanics.efficient import articulated_body, forward_dynamics
from dynamis.compute.mechanics.efficient.composite_body import mass_matrix
from dynamis.compute.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.compute.mechanics.efficient.derivatives import inverse_dynamics_derivatives
from dynamis.compute.mechanics.efficient.gravity_torque import gravity_torque
from dynamis.compute.mechanics.efficient.inverse_dynamics import inverse_dynamics
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.program.program import program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace

Algorithm = Callable[[Any, Any, Any], Any]
ALGORITHMS: dict[str, Algorithm] = {
    "inverse dynamics": lambda m, state, tau: inverse_dynamics(m, state),
    "bias": lambda m, state, tau: inverse_dynamics(m, replace(state, qdd=[0.0] * m.n)),
    "gravity": lambda m, state, tau: gravity_torque(m, state),
    "mass matrix": lambda m, state, tau: mass_matrix(m, state),
    "forward dynamics": lambda m, state, tau: forward_dynamics.forward_dynamics(m, state, tau),
    "articulated bodies": lambda m, state, tau: articulated_body.forward_dynamics(m, state, tau),
    "coriolis matrix": lambda m, state, tau: coriolis_matrix(m, state),
    "derivatives": lambda m, state, tau: inverse_dynamics_derivatives(m, state),
}
# Multiplications and additions; a division counts as a multiplication. Rotors and friction are in the Puma's.
MOST = {
    "bar-2r": {
        "inverse dynamics": (26, 15), "bias": (19, 8), "gravity": (6, 2), "mass matrix": (2, 4),
        "forward dynamics": (28, 17), "articulated bodies": (42, 25),
        "coriolis matrix": (17, 8), "derivatives": (37, 20),
    },
    "ur5": {
        "inverse dynamics": (176, 141), "bias": (147, 106), "gravity": (21, 8), "mass matrix": (69, 55),
        "forward dynamics": (270, 221), "articulated bodies": (362, 292),
        "coriolis matrix": (230, 190), "derivatives": (567, 499),
    },
    "puma560": {
        "inverse dynamics": (204, 171), "bias": (181, 142), "gravity": (22, 9), "mass matrix": (80, 70),
        "forward dynamics": (322, 267), "articulated bodies": (426, 362),
        "coriolis matrix": (320, 258), "derivatives": (703, 595),
    },
    "panda": {
        "inverse dynamics": (308, 285), "bias": (300, 268), "gravity": (50, 32), "mass matrix": (182, 169),
        "forward dynamics": (614, 542), "articulated bodies": (700, 649),
        "coriolis matrix": (735, 646), "derivatives": (1439, 1280),
    },
}  # fmt: skip


def count(robot: dynamis.Robot, algorithm: Algorithm) -> tuple[int, int]:
    trace, m = Trace(), mechanism(robot, robot.floats())
    q, c, s, qd, qdd, sign, tau = (
        [trace.input(f"{name}:{i}") for i in range(m.n)] for name in ("q", "c", "s", "qd", "qdd", "sign", "tau")
    )
    results = [*flat(algorithm(m, state_at(m, q, qd, qdd, cos_sin=[*zip(c, s, strict=True)], sign=sign), tau))]
    found = program([], [(Operand("results", (len(results),)), results)]).counts()
    return found["*"] + found["/"], found["+"]


def flat(results: Any) -> Iterable[Any]:
    if isinstance(results, (list, tuple)):
        for entry in results:
            yield from flat(entry)
    else:
        yield results


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", MOST)
def test_no_more_than_before(name: str, algorithm: str) -> None:
    found = count(dynamis.load(name), ALGORITHMS[algorithm])
    most = MOST[name][algorithm]
    assert found[0] <= most[0], f"{found[0]} multiplications"
    assert found[1] <= most[1], f"{found[1]} additions"


def chain(joints: int) -> dynamis.Robot:
    """Links of 1 kg, one on the other, with joint axes along x, y, z in turn."""
    places = [
        {"axis": (int(k % 3 == 0), int(k % 3 == 1), int(k % 3 == 2)), "before": "Tx(0.2) Ty(0.1)"}
        for k in range(joints)
    ]
    links = [
        dynamis.Link(
            f"link{k}", dynamis.Joint(f"joint{k}", **place), f"link{k - 1}" if k else "base", 1, (0.1, 0.2, 0.3)
        )  # type: ignore[arg-type]
        for k, place in enumerate(places)
    ]
    return dynamis.Robot("chain", tuple(links))


@pytest.mark.parametrize("algorithm", ["inverse dynamics", "articulated bodies", "gravity"])
def test_recursions_are_linear_in_the_number_of_joints(algorithm: str) -> None:
    ten, twenty, forty = (sum(count(chain(n), ALGORITHMS[algorithm])) for n in (10, 20, 40))
    assert forty - twenty == pytest.approx(2 * (twenty - ten), rel=0.1)
