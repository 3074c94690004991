"""Arrays of other libraries: Dask stays lazy, xarray and PyTorch are taken by their values, or told what to do."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import dask
import dask.array as da
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import dynamis
from dynamis.base.errors import ArgumentError
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.controllers import PD
from dynamis.trajectories import parabolic_blends, quintic
from tests.support.functions import options, states, verb

ROBOT = dynamis.load("puma560")
BARS = dynamis.load("bar-2r")
RNG = np.random.default_rng(0)


@pytest.fixture
def unread() -> Iterator[None]:
    """No lazy array may be computed."""

    def refused(*_: Any, **__: Any) -> Any:
        raise AssertionError("a lazy array was computed")

    with dask.config.set(scheduler=refused):
        yield


@pytest.mark.parametrize("name", sorted(QUANTITIES))
def test_a_dask_array_gives_a_lazy_result(name: str) -> None:
    given = states(RNG, name, 6, 23)
    expected = verb(ROBOT, name, *given, **options(ROBOT, name))
    cut = tuple(da.from_array(x, chunks=(7, 4)) for x in given)
    results = ROBOT._run(name, cut, options(ROBOT, name))
    found = results if isinstance(results, tuple) else (results,)
    assert all(isinstance(x, da.Array) for x in found)
    assert len(found[0].chunks[0]) > 1
    for ours, theirs in zip(dask.compute(*found, scheduler="threads"), expected, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.usefixtures("unread")
def test_nothing_is_computed_before_it_is_asked() -> None:
    """10^12 states: of any shape, beside arrays in memory, with loads, with threads, in float32."""
    huge = da.zeros((10**6, 10**6, 6), chunks=(10**5, 10**6, 6))
    for found in (
        ROBOT.inverse_dynamics(huge),
        ROBOT.inverse_dynamics(huge, np.ones(6), [1] * 6),
        ROBOT.inverse_dynamics(huge, gravity=[0, 0, -1]),
        ROBOT.inverse_dynamics(huge, loads=[dynamis.Force("link3", (0, 0, -50))]),
        ROBOT.threads(2).inverse_dynamics(huge),
        ROBOT.inverse_dynamics(xr.DataArray(huge)).data,
        ROBOT.reactions(huge).tau,
    ):
        assert isinstance(found, da.Array)
        assert found.shape == huge.shape
        assert found.dtype == np.float64
    assert ROBOT.mass_matrix(huge.astype(np.float32)).dtype == np.float32
    assert ROBOT.mass_matrix(huge).shape == (10**6, 10**6, 6, 6)
    assert ROBOT.kinetic_energy(huge, huge).shape == (10**6, 10**6)
    dtau_dq = ROBOT.inverse_dynamics_derivatives(huge).dtau_dq
    assert isinstance(dtau_dq, da.Array)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda x: ROBOT.mass_matrix(x[:, :5]),
            'q must have one value per joint, got 5 values; robot "puma560" has 6 joints',
        ),
        (
            lambda x: ROBOT.mass_matrix(x.astype(str)),
            'q must have one value per joint, got an array of type <U32; robot "puma560"',
        ),
        (
            lambda x: ROBOT.mass_matrix(x[0, 0]),
            "q must have one value per joint, got a single number",
        ),
        (lambda x: ROBOT.mass_matrix(x, out=np.zeros((9, 6, 6))), "out cannot be filled by lazy arguments"),
        (lambda x: ROBOT.inverse_dynamics(x, "fast"), 'qd must have one value per joint, got "fast"'),
        (lambda x: ROBOT.compile("mass_matrix")(x, x), "mass_matrix has 1 arguments (q); 2 were given"),
        (lambda x: ROBOT.mass_matrix(dask.delayed(1)), "q is a lazy DelayedLeaf; it must be a Dask array"),
        (lambda x: ROBOT.inverse_dynamics(np.zeros(6), gravity=x[0, :3]), "gravity is lazy (Dask)"),
        (
            lambda x: dynamis.compute.quantities.reference.plain(ROBOT, "mass_matrix", x),
            "q is lazy (Dask) and is not computed here",
        ),
    ],
    ids=range(9),
)
def test_wrong_lazy_arguments(ask: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        ask(da.zeros((9, 6), chunks=(3, 6)))
    assert str(caught.value).startswith(sentence)


def test_the_dimension_joint_is_the_last_axis() -> None:
    """Without coordinates, too, and where there are as many states as joints."""
    q = np.array([[1.0, 0.0], [2.0, 0.5]])
    for dims in (("joint", "time"), ("Joints", "time")):
        turned = xr.DataArray(q.T, dims=dims)
        np.testing.assert_array_equal(BARS.gravity_torque(turned), BARS.gravity_torque(q))
        np.testing.assert_array_equal(BARS.gravity_torque(turned.chunk()).compute(), BARS.gravity_torque(q))
    wrong = xr.DataArray(q.T, dims=("joint", "time"), coords={"joint": ["a", "b"]})
    with pytest.raises(ArgumentError, match="got the labels a, b"):
        BARS.gravity_torque(wrong)


@pytest.mark.parametrize(
    "values",
    [
        xr.DataArray([10.0, 20.0], dims="joint", attrs={"units": "deg"}),
        xr.DataArray([10.0, 20.0], dims="joint", attrs={"units": "degrees/s"}),
        xr.DataArray([10.0, 20.0], attrs={"unit": "°"}),
    ],
)
def test_degrees_are_refused_by_their_unit(values: Any) -> None:
    with pytest.raises(ArgumentError, match=r'q has the unit ".*"; angles are in rad here: give np.deg2rad'):
        BARS.gravity_torque(values)


def test_the_units_of_a_table_count_for_its_columns() -> None:
    table = pd.DataFrame({"q1": [0.1], "q2": [0.2], "psi": [1.0]})
    table.attrs["units"] = {"q1": "rad", "q2": "rad", "psi": "deg"}
    np.testing.assert_array_equal(BARS.gravity_torque(table[["q1", "q2"]]), BARS.gravity_torque([[0.1, 0.2]]))
    table.attrs["units"] = {"q1": "deg"}
    with pytest.raises(ArgumentError, match='q has the unit "deg"'):
        BARS.gravity_torque(table[["q1", "q2"]])


def test_a_dataset_is_told_to_give_a_variable() -> None:
    data = xr.Dataset({"qd": ("joint", [0.0, 0.0]), "q": ("joint", [0.1, 0.2])})
    for values in (data, data.chunk()):
        with pytest.raises(ArgumentError, match=r'got an xarray Dataset; give one of its variables, as in data\["q"\]'):
            BARS.gravity_torque(values)


def test_an_xarray_is_taken_by_its_values() -> None:
    q = RNG.uniform(-1, 1, (4, 6))
    named = xr.DataArray(q, dims=("time", "joint"), coords={"time": [0.0, 0.1, 0.2, 0.3]})
    for given, expected in ((named, ROBOT.mass_matrix(q)), (named[2], ROBOT.mass_matrix(q[2]))):
        np.testing.assert_array_equal(ROBOT.mass_matrix(given), expected)
    np.testing.assert_array_equal(ROBOT.inverse_dynamics(named, named, q), ROBOT.inverse_dynamics(q, q, q))
    assert ROBOT.mass_matrix(named.astype(np.float32)).dtype == np.float32
    np.testing.assert_array_equal(ROBOT.mass_matrix(named.T), ROBOT.mass_matrix(q))
    with pytest.raises(ArgumentError, match="q must have one value per joint, got 4 values"):
        ROBOT.mass_matrix(named.rename(joint="axis").T)


@pytest.mark.parametrize(
    "labelled",
    [
        pd.DataFrame({"q2": [0.0, 0.3], "q1": [1.0, 2.0]}),
        pd.DataFrame({"q1": [1.0, 2.0], "q2": [0.0, 0.3]}, index=["a", "b"]),
        pd.DataFrame([[1.0, 2.0], [0.0, 0.3]], index=["q1", "q2"]),
        xr.DataArray([[0.0, 1.0], [0.3, 2.0]], dims=("t", "j"), coords={"j": ["q2", "q1"]}),
        xr.DataArray([[0.0, 0.3], [1.0, 2.0]], dims=("j", "t"), coords={"j": ["q2", "q1"], "t": [0.0, 0.1]}),
        xr.DataArray([[0.0, 0.3], [1.0, 2.0]], dims=("j", "t"), coords={"j": ["q2", "q1"]}).chunk(),
    ],
)
def test_labels_are_joints_in_any_order(labelled: Any) -> None:
    robot = dynamis.load("bar-2r")
    expected = robot.gravity_torque([[1.0, 0.0], [2.0, 0.3]])
    np.testing.assert_array_equal(robot.gravity_torque(labelled), expected)
    np.testing.assert_array_equal(robot.on("numpy").gravity_torque(labelled), expected)
    np.testing.assert_allclose(robot.reactions(labelled).tau, expected, rtol=1e-14)
    if getattr(labelled, "chunks", None) is None:
        np.testing.assert_allclose(dynamis.robot_state(robot, labelled, only="g")["g"], expected, rtol=1e-14)


def test_a_labelled_row_is_a_state_and_labelled_parameters_have_their_names() -> None:
    robot = dynamis.load("bar-2r")
    row = pd.Series({"q2": 0.0, "q1": 1.0})
    np.testing.assert_array_equal(robot.mass_matrix(row), robot.mass_matrix([1.0, 0.0]))
    assert dynamis.simulate(robot, row, duration=0.01).q[0].tolist() == [1.0, 0.0]
    tau = robot.compile("inverse_dynamics", parameters=["m2", "m1"])
    named = tau([0, 0], [0, 0], [0, 0], pd.Series({"m1": 1.0, "m2": 2.0}))
    np.testing.assert_array_equal(named, tau([0, 0], [0, 0], [0, 0], [2.0, 1.0]))


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda: dynamis.load("bar-2r").gravity_torque(pd.DataFrame({"q2": [0.0], "elbow": [1.0]})),
            "q must be labelled q1, q2 (in any order), got the labels q2, elbow; give q.to_numpy() for values in order",
        ),
        (
            lambda: dynamis.load("bar-2r").gravity_torque(pd.DataFrame([[0.0, 1.0]], columns=["q1", "q1"])),
            "q must be labelled q1, q2 (in any order), got the labels q1, q1; give q.to_numpy() for values in order",
        ),
        (
            lambda: quintic(pd.Series({"q2": 0.0, "q1": 1.0}), [1, 2], 1),
            "start goes by position, got the labels q2, q1; give start.to_numpy() for values in order",
        ),
    ],
)
def test_labels_that_do_not_fit_are_refused(ask: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        ask()
    assert str(caught.value) == sentence


class Device:
    def __init__(self, type: str) -> None:
        self.type = type

    def __str__(self) -> str:
        return f"{self.type}:0" if self.type != "cpu" else "cpu"


class Tensor:
    """What of a PyTorch tensor NumPy meets: no `kind` in its dtype, errors of its own, results that it would wrap."""

    __array_priority__ = 1000

    def __init__(self, values: Any, device: str = "cpu", requires_grad: bool = False) -> None:
        self.values, self.device, self.requires_grad = np.asarray(values), Device(device), requires_grad
        self.dtype, self.shape = object(), self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.device.type != "cpu":
            raise TypeError(f"can't convert {self.device} device type tensor to numpy.")
        return self.values if dtype is None else self.values.astype(dtype)

    def __array_wrap__(self, array: Any, *_: Any) -> Any:
        raise AssertionError("a result was made a tensor")


def test_a_tensor_is_taken_by_its_values() -> None:
    q = RNG.uniform(-1, 1, (4, 6))
    expected = ROBOT.inverse_dynamics(q, q, q)
    for _ in range(3):
        found = ROBOT.inverse_dynamics(Tensor(q), Tensor(q), Tensor(q))
        assert type(found) is np.ndarray
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(ROBOT.inverse_dynamics(Tensor(q[0]), q[0], q[0]), expected[0])
    single = Tensor(q.astype(np.float32))
    assert ROBOT.mass_matrix(single).dtype == np.float32
    np.testing.assert_array_equal(
        dynamis.compute.quantities.reference.plain(ROBOT, "mass_matrix", Tensor(q))[0],
        dynamis.compute.quantities.reference.plain(ROBOT, "mass_matrix", q)[0],
    )


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            {"requires_grad": True},
            "qd is a tensor that requires gradients, which are not computed here; give qd.detach(), or ask "
            'robot.on("torch"), whose verbs have gradients in joint values and parameters',
        ),
        ({"device": "cuda"}, "qd is on the device cuda:0; give qd.cpu()"),
    ],
)
def test_a_tensor_with_gradients_or_on_a_gpu(more: Any, sentence: str) -> None:
    one, many = np.zeros(6), np.zeros((5, 6))
    for q in (one, many):
        for ask in (ROBOT.inverse_dynamics, ROBOT.threads(2).inverse_dynamics, ROBOT.compile("inverse_dynamics")):
            with pytest.raises(ArgumentError) as caught:
                ask(q, Tensor(q, **more), q)
            assert str(caught.value) == sentence


def test_an_array_of_cupy() -> None:
    class Array:
        __module__ = "cupy"
        shape, dtype = (6,), np.dtype(float)

        def __array__(self, *_: Any) -> Any:
            raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    with pytest.raises(ArgumentError, match=r"q is an array of CuPy, on a GPU; give q\.get\(\), or ask robot\.on"):
        ROBOT.mass_matrix(Array())


def test_results_of_arrays_of_other_libraries_are_numpy_arrays() -> None:
    """Also of memory views and tables."""
    q = np.linspace(0, 1, 6)
    for given in (memoryview(q), array("d", q), pd.Series(q)):
        found = ROBOT.mass_matrix(given)
        assert type(found) is np.ndarray
        np.testing.assert_array_equal(found, ROBOT.mass_matrix(q))


@pytest.mark.parametrize("count", [1, 3])
def test_masked_values_are_refused(count: int) -> None:
    arm = dynamis.load("bar-2r")
    q = np.ma.array([[1.0, 2.0]] * count, mask=[[0, 1]] * count)
    for values in (q, q[0]):
        with pytest.raises(dynamis.errors.ArgumentError, match=r"q has masked values"):
            arm.mass_matrix(values)


def test_lazy_states_are_not_simulated() -> None:
    import dask.array

    arm, q = dynamis.load("bar-2r"), dask.array.ones((10**9, 2), chunks=(10**6, 2))
    with pytest.raises(dynamis.errors.ArgumentError, match=r"q0 is lazy \(Dask\)"):
        dynamis.rollouts(arm, q, duration=0.1, step=0.01)
    with pytest.raises(dynamis.errors.ArgumentError, match=r"goal is lazy \(Dask\)"):
        dynamis.simulate(arm, [0, 0], control=PD(1, 1), goal=q, duration=0.1)


ARM = dynamis.load("bar-2r")
MOTION = quintic([0, 0], [1, 1], 1.0)
RUN = dynamis.simulate(ARM, [0.1, 0.2], duration=0.01, samples=3)
TIMES = np.linspace(0.1, 0.9, 5)
NOT_LAZY: dict[str, Any] = {
    "t": lambda lazy: MOTION.at(lazy(TIMES)),
    "t of a run": lambda lazy: RUN.at(lazy([0.0, 0.005])),
    "q in a list": lambda lazy: ARM.mass_matrix([lazy(0.1), lazy(0.2)]),
    "qd in a list": lambda lazy: ARM.compile("inverse_dynamics")([0.1, 0.2], [lazy(0.1), 0.2], [0, 0]),
    "duration": lambda lazy: quintic([0, 0], [1, 1], lazy(1.0)),
    "via": lambda lazy: parabolic_blends([0, 0], [1, 1], 1, acceleration=9, via=lazy([[0.5, 0.5]])),
    "q of a motion": lambda lazy: dynamis.torque_budget(ARM, (TIMES, *map(lazy, MOTION.at(TIMES)))),
    "times": lambda lazy: dynamis.simulate(ARM, [0, 0], control=(lazy([0, 1]), [[0, 0], [0, 0]]), duration=0.1),
    "torques": lambda lazy: dynamis.simulate(ARM, [0, 0], control=([0, 1], lazy([[0, 0], [0, 0]])), duration=0.1),
    "the torque of control": lambda lazy: dynamis.simulate(ARM, [0, 0], control=lambda *_: lazy([0, 0]), duration=0.1),
    "event": lambda lazy: dynamis.simulate(ARM, [0, 0], events=lambda *_: lazy(1.0), duration=0.1),
    "q": lambda lazy: dynamis.state_torques(ARM, lazy([0.1, 0.2])),
    "step": lambda lazy: dynamis.rollouts(ARM, [0, 0], duration=0.1, step=lazy(0.01)),
    "samples": lambda lazy: dynamis.torque_budget(ARM, MOTION, samples=lazy(11)),
    "kp": lambda lazy: dynamis.simulate(ARM, [0, 0], control=PD(lazy([1, 1]), 1), goal=[0, 0], duration=0.1),
}


def lazily(values: Any) -> Any:
    return da.from_array(np.asarray(values), chunks=-1)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("wrap", [lazily, lambda x: xr.DataArray(lazily(x))], ids=["dask", "xarray"])
@pytest.mark.parametrize("name", NOT_LAZY)
def test_what_cannot_stay_lazy_is_refused(name: str, wrap: Any) -> None:
    with pytest.raises(ArgumentError, match=rf"^{name.split()[0]}.* is lazy \(Dask\) and is not computed here"):
        NOT_LAZY[name](wrap)


class JitTracer:
    """What NumPy meets of a value inside of jax.jit: an error where it asks for the numbers."""

    __module__ = "jax._src.interpreters.partial_eval"
    shape, dtype = (6,), np.dtype(float)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("The numpy.ndarray conversion method __array__() was called on traced array")


def test_a_value_that_jax_traces_is_refused() -> None:
    sentence = (
        "q is a value that JAX traces, which has no numbers yet; call dynamis outside of jit and grad, or ask "
        'robot.on("jax"), whose verbs JAX can trace in joint values and parameters'
    )
    for ask in (ROBOT.mass_matrix, ROBOT.compile("mass_matrix"), lambda q: dynamis.state_torques(ROBOT, q)):
        for values in (JitTracer(), [JitTracer()] * 6):
            with pytest.raises(ArgumentError) as caught:
                ask(values)
            assert str(caught.value) == sentence
    with pytest.raises(ArgumentError, match="duration is a value that JAX traces"):
        quintic([0], [1], JitTracer())  # type: ignore[arg-type]


def test_gradients_are_never_dropped_in_silence() -> None:
    """Also of single numbers and in lists."""
    one = Tensor(0.5, requires_grad=True)
    for ask in (lambda: ROBOT.mass_matrix([one] * 6), lambda: quintic([0], [1], one)):
        with pytest.raises(ArgumentError, match="is a tensor that requires gradients"):
            ask()


def test_a_tensor_that_numpy_cannot_read() -> None:
    """Such as a sparse one, or one of bfloat16."""

    class Sparse(Tensor):
        layout = "torch.sparse_coo"
        __module__ = "torch"

        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
            raise TypeError("can't convert a sparse tensor to numpy")

    with pytest.raises(
        ArgumentError, match=r"^q is a tensor that NumPy cannot read .*; give q.to_dense\(\).double\(\)$"
    ):
        ROBOT.mass_matrix(Sparse(np.zeros(6)))
