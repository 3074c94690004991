"""Jnadi's report on the Niryo One: CoM positions, all Jacobians of the CoMs, the gravity vector."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dynamis import Placement, Robot, load
from tests.support.documents import CASES, Array, agree, drawn_values, evaluate, mass_matrix, named, symbols

JACOBIANS = [name for name in named("jnadi-eq") if "J" in name.rsplit("-", 1)[-1]]
LINKS = CASES["jnadi-chain"]["expected"]["links"]
seeds = pytest.mark.parametrize("seed", range(3))


def drawn(seed: int) -> tuple[Robot, dict[str, float], Array]:
    rng = np.random.default_rng(seed)
    robot = load("niryo-one")
    values = drawn_values(robot, rng)
    q = rng.uniform(-3, 3, 6)
    return robot.with_values(values), values | symbols("q", q), q


def elementary(kind: str, axis: str, amount: float) -> Array:
    """A rotation about or a translation along an axis, 4 x 4."""
    T, k = np.eye(4), "xyz".index(axis)
    if kind == "T":
        T[k, 3] = amount
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        T[i, i] = T[j, j] = np.cos(amount)
        T[j, i] = np.sin(amount)
        T[i, j] = -T[j, i]
    return T


def product(steps: list[dict[str, str]], at: dict[str, float]) -> Array:
    T = np.eye(4)
    for step in steps:
        T = T @ elementary("T", step["T"], at[step["by"]])
    return T


def test_the_file_has_the_chain_of_the_report() -> None:
    robot = load("niryo-one")
    steps: list[Any] = []
    for link in robot.links:
        axis = "xyz"[[str(entry) for entry in link.joint.axis].index("1")]
        steps += [*map(str, link.joint.before.steps), f"R{axis}({link.joint.name})"]
    expected = CASES["jnadi-chain"]["expected"]["product"]
    assert " ".join(steps) == str(Placement.parse(expected))


@seeds
def test_direct_kinematics_of_every_com_frame(seed: int) -> None:
    robot, at, q = drawn(seed)
    T = np.eye(4)
    for link, name in zip(LINKS, [link.name for link in robot.links], strict=True):
        T = T @ product(link["before_joint"], at) @ elementary("R", link["joint"]["axis"], at[link["joint"]["q"]])
        agree(robot.forward_kinematics(q, name), T)
        agree(robot.com_pose(q, name)[:3, 3], (T @ product(link["com"], at))[:3, 3])


@seeds
def test_com_of_the_first_two_links(seed: int) -> None:
    """Equations 7 and 8, joint 2 at the height l1 + l2."""
    robot, at, q = drawn(seed)
    agree(robot.com_pose(q, "link1")[:3, 3], evaluate(["0", "0", "d1"], at))
    second = ["d2*sin(q2)*cos(q1)", "d2*sin(q2)*sin(q1)", "l1 + l2 + d2*cos(q2)"]
    agree(robot.com_pose(q, "link2")[:3, 3], evaluate(second, at))


@seeds
@pytest.mark.parametrize("case", JACOBIANS)
def test_jacobians_of_the_coms(case: str, seed: int) -> None:
    robot, at, q = drawn(seed)
    given = CASES[case]["inputs"]
    rows = slice(0, 3) if given["kind"] == "v" else slice(3, 6)
    agree(robot.com_jacobian(q, f"link{given['link']}")[rows], evaluate(CASES[case]["expected"]["J"], at))


def test_all_twelve_jacobians_are_there() -> None:
    given = {(CASES[case]["inputs"]["link"], CASES[case]["inputs"]["kind"]) for case in JACOBIANS}
    assert given == {(link, kind) for link in range(1, 7) for kind in "vw"}


@seeds
def test_gravity_vector(seed: int) -> None:
    robot, at, q = drawn(seed)
    agree(robot.inverse_dynamics(q)[:, None], evaluate(CASES["jnadi-eq29-G"]["expected"]["G"], at))


@seeds
def test_inertia_matrix_from_the_jacobians(seed: int) -> None:
    """Equation 27: M = sum m Jv^T Jv + Jw^T R I R^T Jw, with the report's own Jacobians."""
    robot, at, q = drawn(seed)
    J = {
        (CASES[case]["inputs"]["link"], CASES[case]["inputs"]["kind"]): evaluate(CASES[case]["expected"]["J"], at)
        for case in JACOBIANS
    }
    M = np.zeros((6, 6))
    for i in range(1, 7):
        R = robot.forward_kinematics(q, f"link{i}")[:3, :3]
        tensor = R @ np.diag([at[f"I{i}{axis}{axis}"] for axis in "xyz"]) @ R.T
        M += at[f"m{i}"] * J[i, "v"].T @ J[i, "v"] + J[i, "w"].T @ tensor @ J[i, "w"]
    agree(mass_matrix(robot, q), M)
