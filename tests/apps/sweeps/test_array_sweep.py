"""Sweeps by operations on whole arrays: NumPy's here, CuPy's on a GPU, beside the machine code of the CPU."""

import pickle
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster

import dynamis
from dynamis import sweep
from dynamis.apps.sweeps import array_sweep
from dynamis.apps.sweeps.array_sweep import ArraySweep
from dynamis.errors import ArgumentError
from dynamis.sweeps import (
    Draw,
    box,
    exceeds,
    grid,
    histogram,
    latin_hypercube,
    lattice,
    normal,
    pareto,
    quantile,
    sobol,
)
from dynamis.sweeps import samples as given
from tests.support.kernels_on_cpu import has_gpu

KEEP = [
    "max", "argmax", "min", "argmin", "peak", "argpeak", "mean", "variance", quantile(0.9, 50), exceeds(3.0),
    histogram(7, -2.0, 5.0), pareto("q1", "-|q2|", 20), pareto("-q2", "q1", 9),
]  # fmt: skip
CELLS = {"x": ("tool.x", 4, -0.5, 1.0), "y": ("tool.y", 3)}
DRAWS = [
    sobol(9000, seed=3), lattice(5000), latin_hypercube(3000), grid(9),
    given(np.random.default_rng(1).uniform(-3, 3, (5000, 4))),
]  # fmt: skip
BACKENDS = ["numpy", *(["cuda"] if has_gpu() and find_spec("cupy") else [])]


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_sweep, "AT_ONCE", 2**12)


def agree(swept: Any, plain: Any) -> None:
    """Rounding apart. A state that rounding moves across an edge of a bin or of the limit counts elsewhere."""
    assert set(swept) == set(plain)
    for name, expected in plain.items():
        got, moved = swept[name], 2 if str(name).startswith(("hist", "beyond", "count")) else 0
        scale = float(np.nanmax(np.abs(expected.values[np.isfinite(expected.values)]), initial=1e-9))
        if moved:
            assert np.abs(got - expected).sum() <= (moved if name != "beyond_3" else 0.01), name
        elif str(name).startswith("arg"):
            ties = "grid" in plain.attrs["draw"]  # equal values elsewhere
            assert (got == expected).mean() > 0.9 if ties else (got == expected).all(), name
        else:
            np.testing.assert_allclose(got, expected, atol=1e-9 * scale, err_msg=str(name))
    for name in ("states", "outside", "not_finite", "sweep"):
        assert swept.attrs[name] == plain.attrs[name]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("draw", DRAWS, ids=lambda draw: draw.kind)
def test_the_same_as_machine_code(draw: Draw, backend: str) -> None:
    over: Any = {"m2": [1.0, 2.0]} if draw.kind == "samples" else {"q": box(-3, 2.8), "qd": box(1), "m2": [1.0, 2.0]}
    robot = dynamis.load("bar-2r")
    plain = sweep(robot, "inverse_dynamics", over, draw, CELLS, KEEP)
    swept = sweep(robot.on(backend), "inverse_dynamics", over, draw, CELLS, KEEP)
    assert isinstance(swept.parts.function(0), ArraySweep)
    agree(swept.run(), plain.run())


@pytest.mark.parametrize("backend", BACKENDS)
def test_distributions_and_derived_values(backend: str) -> None:
    """Also those that are not numbers in some states."""
    robot = dynamis.load("ur5")
    over = {"q": box("limits"), "forearm.mass": normal(2.3, 0.1)}
    for quantity in (["effort_ratio", "tool"], "mass_matrix", "manipulability"):
        swept, plain = (
            sweep(x, quantity, over, sobol(3000), {"z": ("tool.z", 4)}, ["max", "min", "mean", "variance"])
            for x in (robot.on(backend), robot)
        )
        agree(swept.run(), plain.run())
    rows = np.random.default_rng(2).uniform(0.1, 1, (300, 4))
    rows[::7, 2:] = 0  # no masses: 0/0
    swept, plain = (
        sweep(x, "forward_dynamics", draw=given(rows, ["q", "m1", "m2"]), keep=["max", "argmax", "min", "argmin"]).run()
        for x in (dynamis.load("bar-2r").on(backend), dynamis.load("bar-2r"))
    )
    assert plain.attrs["not_finite"] == 43
    agree(swept, plain)


def test_on_workers_and_in_another_process() -> None:
    robot, over = dynamis.load("bar-2r"), {"q": box(3), "qd": box(1)}
    plain, swept = (sweep(x, "inverse_dynamics", over, sobol(200_000), keep=KEEP) for x in (robot, robot.on("numpy")))
    assert pickle.loads(pickle.dumps(swept.parts)).backend == "numpy"
    assert swept.parts.key == plain.parts.key
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        machine = plain.run(client)
        there = swept.run(client)
    assert there.equals(swept.run())
    agree(there, machine)
    assert plain.explain().states == swept.explain().states


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_without_a_gpu_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError) as error:
        sweep(dynamis.load("bar-2r").on("cuda"), "gravity_torque", {"q": box(1)})
    assert "\n" not in str(error.value)
    monkeypatch.setitem(array_sweep.LIBRARIES, "cuda", "no_such_library")
    with pytest.raises(ArgumentError, match=r'a sweep on "cuda" needs CuPy; install it with: pip install cupy-cuda12x'):
        array_sweep.library("cuda")


class RoughMaximum:
    """NumPy, with the maximum of doubles that CuPy 14.2 has: each of them is rounded to single precision."""

    class maximum:
        @staticmethod
        def at(a: Any, slot: Any, values: Any) -> None:
            np.maximum.at(a, slot, values.astype(np.float32) if values.dtype == np.float64 else values)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def test_extremes_do_not_depend_on_the_maximum_of_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen on an H200: no state had the rounded maximum, so that argmax was -1."""
    monkeypatch.setattr(array_sweep, "library", lambda backend: RoughMaximum())
    robot, over = dynamis.load("bar-2r"), {"q": box(3), "qd": box(1)}
    swept, plain = (sweep(x, "inverse_dynamics", over, sobol(3000), CELLS, KEEP) for x in (robot.on("numpy"), robot))
    agree(swept.run(), plain.run())
