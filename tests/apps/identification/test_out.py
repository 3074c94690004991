"""What is written: robots that other programs read, samples of robots, CoMs in hulls; and logs longer than memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis.apps.identification.logs import log as logs
from dynamis.apps.identification.physical.nearest_bodies import available
from dynamis.apps.identification.physical.pseudo_inertia import pseudo_inertia
from dynamis.base.arrays import Array
from dynamis.errors import ArgumentError
from dynamis.identification import Identification, with_mass_error
from tests.support.logs import log

needs_clarabel = pytest.mark.skipif(not available(), reason="clarabel is not installed")


@pytest.fixture(scope="module")
def panda() -> Identification:
    """From a prior that is wrong by 30 %, with noise."""
    real = dynamis.load("panda")
    return dynamis.identify(with_mass_error(real, 30, seed=3), log(real, noise=0.3, samples=1500))


@needs_clarabel
def test_pinocchio_and_mujoco_accept_the_identified_robot(panda: Identification, tmp_path: Path) -> None:
    """Both read the URDF file without a word about its inertias, and have the same mass matrix."""
    pin, mujoco = pytest.importorskip("pinocchio"), pytest.importorskip("mujoco")
    file = tmp_path / "robot.urdf"
    dynamis.save(panda.robot, file)
    q = np.random.default_rng(0).uniform(-1, 1, 7)
    ours = panda.robot.mass_matrix(q)
    model = pin.buildModelFromUrdf(str(file))
    theirs = pin.crba(model, model.createData(), q)
    np.testing.assert_allclose(np.triu(theirs), np.triu(ours), atol=1e-6)
    world = mujoco.MjModel.from_xml_path(str(file))  # which refuses inertias that no body has
    state = mujoco.MjData(world)
    state.qpos[:] = q
    mujoco.mj_forward(world, state)
    M = np.zeros((7, 7))
    for j in range(7):
        mujoco.mj_mulM(world, state, M[j], np.eye(7)[j])
    np.testing.assert_allclose(M, ours, atol=1e-5)


def test_what_a_urdf_has_no_place_for_is_said(panda: Identification) -> None:
    assert "the offsets of friction too; a URDF has them as comments alone" in str(panda.table("links"))


@needs_clarabel
def test_samples_of_robots_are_bodies(panda: Identification) -> None:
    """Eight robots, all physically consistent, whose torques scatter about those of the identified one."""
    q = np.random.default_rng(1).uniform(-1, 1, (30, 7))
    Y = panda.robot.regressor(q, 0 * q, 0 * q)
    middle = Y @ panda.robot.inertial_parameters()
    torques: list[Array] = []
    for robot in panda.sample_robots(8):
        pi = robot.inertial_parameters()
        for ten in pi.reshape(-1, 10):
            assert np.linalg.eigvalsh(pseudo_inertia(ten)).min() > 0
        torques.append(Y @ pi)
    scatter = np.std(torques, axis=0)
    assert (scatter[:, 1] > 0).all()
    assert np.abs(np.mean(torques, axis=0) - middle).max() < 2 * scatter.max()


@needs_clarabel
def test_com_inside_the_hull_of_a_mesh(tmp_path: Path) -> None:
    """A tetrahedron that does not contain the true CoM holds the identified one, from a file and as points."""
    arm = dynamis.load("bar-2r")
    corners = [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)]
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "hull.obj").write_text(text)
    data = log(arm, noise=0.1)
    for region in (corners, str(tmp_path / "hull.obj")):
        result = dynamis.identify(arm, data, com_inside={"link2": region})
        ten = result.parameters[10:20]
        c = ten[1:4] / ten[0]
        assert (c > -1e-6).all()
        assert c.sum() < 0.1 + 1e-6
    with pytest.raises(ArgumentError, match="points without a volume"):
        dynamis.identify(arm, data, com_inside={"link2": [*corners[:3], (0.2, 0.2, 0.0)]})
    with pytest.raises(ArgumentError, match="lowest corner first"):
        dynamis.identify(arm, data, com_inside={"link2": ((1, 0, 0), (0, 1, 1))})


@pytest.mark.parametrize("kind", ["csv", "parquet", "mapping"])
def test_pieces_give_what_the_whole_log_gives(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log in eight pieces, read one after another: the same parameters, the same remarks on its time stamps."""
    arm = dynamis.load("bar-2r")
    data = log(arm, noise=0.02, samples=8000)
    data["tau"][5000] = np.nan
    table = {"t": data["t"]}
    for key in ("q", "qd", "qdd", "tau"):
        table |= {f"{key}{j + 1}": data[key][:, j] for j in range(2)}
    file: object = data
    if kind != "mapping":
        import pandas as pd

        file = tmp_path / f"log.{kind}"
        frame = pd.DataFrame(table)
        frame.to_csv(file, index=False) if kind == "csv" else frame.to_parquet(file)
    whole = dynamis.identify(arm, file, physical=False)
    monkeypatch.setattr(logs, "PIECE_SAMPLES", 1001)
    pieces = dynamis.identify(arm, file, physical=False)
    np.testing.assert_allclose(pieces.beta, whole.beta, rtol=1e-6, atol=1e-3 * np.abs(whole.beta).max())
    assert pieces.fit.factor.samples > 0.98 * whole.fit.factor.samples
    assert pieces.stamps[0].samples == 8000
    assert pieces.stamps[0].not_numbers == 1
    for cutoff in (20.0, None):
        only = {key: data[key] for key in ("t", "q", "tau")}
        assert dynamis.identify(arm, only, physical=False, cutoff=cutoff).errors.shares.max() < 0.2
