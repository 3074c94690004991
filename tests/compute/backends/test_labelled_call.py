"""DataArrays of xarray in, DataArrays out: dimensions by name, coordinates, joints, units; lazy where they are."""

from typing import Any

import dask.array as da
import numpy as np
import pytest
import xarray as xr

import dynamis
from dynamis.errors import ArgumentError

ROBOT = dynamis.load("ur5")
JOINTS = [x.name for x in ROBOT.coordinates]
RNG = np.random.default_rng(7)
Q = xr.DataArray(
    RNG.uniform(-3, 3, (3, 4, 6)),
    dims=("run", "time", "joint"),
    coords={"time": ("time", [0.0, 0.1, 0.2, 0.3], {"units": "s"}), "joint": JOINTS, "label": ("run", ["a", "b", "c"])},
)
QD = xr.DataArray(RNG.uniform(-1, 1, (6, 4)), dims=("joint", "time"))


def test_a_result_has_names_coordinates_and_units() -> None:
    tau = ROBOT.inverse_dynamics(Q, QD)
    np.testing.assert_array_equal(tau.values, ROBOT.inverse_dynamics(Q.values, QD.values.T))
    assert tau.dims == Q.dims
    assert tau.name == "tau"
    assert tau.attrs == {"long_name": "inverse_dynamics", "units": "N m"}
    assert tau["joint"].values.tolist() == JOINTS
    assert tau["time"].attrs == {"units": "s"}
    assert tau["label"].values.tolist() == ["a", "b", "c"]
    assert float(tau.sel(joint="q2", time=0.1).isel(run=2)) == tau.values[2, 1, 1]


def test_dimensions_go_by_name() -> None:
    tau = ROBOT.inverse_dynamics(Q.transpose("joint", "time", "run"), QD)
    assert tau.dims == ("time", "run", "joint")
    xr.testing.assert_equal(tau.transpose(*Q.dims), ROBOT.inverse_dynamics(Q, QD))
    every = ROBOT.inverse_dynamics(QD.rename(time="way"), QD)
    assert every.sizes == {"way": 4, "time": 4, "joint": 6}
    other = QD.assign_coords(time=[1.0, 2.0, 3.0, 4.0])
    with pytest.raises(ArgumentError, match="have different coordinates along time; align them"):
        ROBOT.inverse_dynamics(Q, other)


@pytest.mark.parametrize(
    ("verb", "dims"),
    [
        ("mass_matrix", ("joint", "joint_2")), ("jacobian", ("twist", "joint")), ("potential_energy", ()),
        ("forward_kinematics", ("pose_1", "pose_2")), ("gravity_torque", ("joint",)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("robot", [ROBOT, ROBOT.on("numpy"), ROBOT.threads(2)], ids=["llvm", "numpy", "threads"])
def test_of_every_shape(robot: dynamis.Robot, verb: str, dims: tuple[str, ...]) -> None:
    found: Any = getattr(robot, verb)(Q)
    assert found.dims == ("run", "time", *dims)
    np.testing.assert_allclose(found.values, getattr(ROBOT, verb)(Q.values), rtol=1e-9, atol=1e-12)


def test_units_that_differ_are_a_coordinate() -> None:
    robot = dynamis.load("genova-rp")
    tau = robot.gravity_torque(xr.DataArray([0.1, 0.2], dims="joint"))
    assert tau["unit"].values.tolist() == ["N m", "N"]


def test_a_lazy_one_stays_lazy() -> None:
    def read(_: Any) -> Any:
        raise AssertionError("a block was computed")

    blocks = da.zeros((1000, 6), chunks=(100, 6)).map_blocks(read, dtype=float, meta=np.empty((0, 0)))
    q = xr.DataArray(blocks, dims=("time", "joint"), coords={"note": ("time", da.arange(1000, chunks=10))})
    M = ROBOT.mass_matrix(q)
    assert M.data.numblocks[0] == 10
    assert M.dtype == np.float64
    assert M.sizes == {"time": 1000, "joint": 6, "joint_2": 6}
    lazy = ROBOT.gravity_torque(Q.chunk({"run": 1}))
    xr.testing.assert_equal(lazy.compute(), ROBOT.gravity_torque(Q))


def test_what_has_no_names_goes_by_position() -> None:
    plain = ROBOT.gravity_torque(xr.DataArray(Q.values))
    assert plain.dims == ("dim_0", "dim_1", "joint")
    q = xr.DataArray(Q.values[0], dims=("time", "joint"))
    tau = ROBOT.inverse_dynamics(q, np.zeros((5, 1, 6)))
    assert tau.dims == ("dim_0", "time", "joint")


@pytest.mark.parametrize("robot", [ROBOT, ROBOT.on("numpy")], ids=["llvm", "numpy"])
@pytest.mark.parametrize(
    ("verb", "dims"),
    [
        ("reactions", {"tau": ("joint",), "force": ("link", "axis"), "moment": ("link", "axis")}),
        ("inverse_dynamics_derivatives", {"dtau_dq": ("joint", "joint_2"), "dtau_dqd": ("joint", "joint_2")}),
        ("forward_dynamics_derivatives", {"dqdd_dtau": ("joint", "joint_2")}),
        ("torque_components", {"parts": ("joint", "part"), "coriolis": ("joint",), "total": ("joint",)}),
        ("recursion", {"tau": ("joint",), "w": ("link", "axis"), "n": ("link", "axis")}),
        ("link_motions", {"com_position": ("link", "axis")}),
        ("frame_motion", {"velocity": ("axis",)}),
    ],
)  # fmt: skip
def test_of_several_results(robot: dynamis.Robot, verb: str, dims: dict[str, tuple[str, ...]]) -> None:
    found, plain = getattr(robot, verb)(Q, QD), getattr(robot, verb)(Q.values, QD.values.T)
    for name, own in dims.items():
        x = getattr(found, name)
        assert x.dims == ("run", "time", *own)
        assert x.name == name
        np.testing.assert_array_equal(x.values, getattr(plain, name))
        assert x["label"].values.tolist() == ["a", "b", "c"]
        if "link" in own:
            assert x["link"].values.tolist() == [link.name for link in ROBOT.links]
            assert x["axis"].values.tolist() == ["x", "y", "z"]
    assert str(found) == str(plain)
    assert found.page("json") == plain.page("json")


def test_several_results_one_by_one() -> None:
    found = ROBOT.reactions(Q, QD)
    assert found.moment.attrs["units"] == "N m"
    assert float(found.force.sel(link="forearm", axis="y").isel(run=1, time=2)) == found.force.values[1, 2, 2, 1]
    assert found.at((1, 2)).tau.dims == ("joint",)
    assert ROBOT.torque_components(Q).part("gravity").dims == ("run", "time", "joint")
    poses = ROBOT.link_poses(Q)
    assert poses.dims == ("run", "time", "link", "pose_1", "pose_2")
    np.testing.assert_array_equal(poses.sel(link="forearm").values, ROBOT.link_poses(Q.values)[:, :, 2])
    lazy: Any = ROBOT.reactions(Q.chunk(run=1))
    assert isinstance(lazy.force.data, da.Array)
    assert "lazy" in str(lazy)
    np.testing.assert_array_equal(lazy.force.values, ROBOT.reactions(Q).force.values)
