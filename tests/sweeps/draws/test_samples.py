"""Samples as a draw: the same numbers from any source, equal to the robot's own verbs, on threads and on a cluster."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

import dynamis
from dynamis import ArgumentError, DynamisError, box, samples, sweep
from dynamis.sweeps import parts as parts_of_sweeps
from dynamis.sweeps.sweep_file import load_sweep

ROBOT = dynamis.load("bar-2r")
ROWS = np.random.default_rng(4).uniform(-3, 3, (5000, 5))
ROWS[:, 4] = np.abs(ROWS[:, 4]) + 0.1
NAMES = ["q", "qd", "m2"]
HEADS = ["q1", "q2", "qd1", "qd2", "m2"]
KEEP = ["max", "argmax", "min", "mean", "q90"]


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_of_sweeps, "SAMPLE_BYTES", 2**15)  # 820 rows


def a_sweep(draw: Any, **options: Any) -> dynamis.Sweep:
    return sweep(ROBOT, "inverse_dynamics", draw=draw, by={"x": ("tool.x", 4)}, keep=KEEP, **options)


def test_equal_to_the_verbs() -> None:
    swept = sweep(ROBOT, "inverse_dynamics", {"L1": [0.5, 0.7]}, samples(ROWS, NAMES), keep=KEEP)
    assert swept.states == 10_000
    assert swept.parts.slices > 10
    ds = swept.run()
    tau = ROBOT.compile("inverse_dynamics", ["m2", "L1"])
    for length in (0.5, 0.7):
        q, qd, m2 = ROWS[:, :2], ROWS[:, 2:4], ROWS[:, 4:]
        plain = tau(q, qd, 0 * q, np.concatenate([m2, np.full_like(m2, length)], 1))
        mine = ds.sel(L1=length)
        np.testing.assert_allclose(mine["max"], plain.max(0), rtol=1e-12)
        np.testing.assert_array_equal(mine["argmax"], plain.argmax(0))
        np.testing.assert_allclose(mine["mean"], plain.mean(0), rtol=1e-10)
    index = int(ds["argmax"][0, 0])
    np.testing.assert_array_equal(swept.state(index)["qd"], ROWS[index, 2:4])
    assert swept.state(index)["m2"] == ROWS[index, 4]


def test_the_same_sweep_from_any_source(tmp_path: Path) -> None:
    files = {name: tmp_path / f"rows.{name}" for name in ("npy", "npz", "csv", "parquet")}
    table = pd.DataFrame(ROWS, columns=HEADS)
    np.save(files["npy"], np.asfortranarray(ROWS))
    np.savez(files["npz"], q=ROWS[:, :2], qd=ROWS[:, 2:4], m2=ROWS[:, 4])
    table.to_csv(files["csv"], index=False)
    table.to_parquet(files["parquet"], row_group_size=700)
    bare = tmp_path / "bare.csv"
    np.savetxt(bare, ROWS, delimiter=",", fmt="%.17g")
    whole = a_sweep(samples(ROWS, NAMES))
    ds = whole.run(threads=1)
    draws = [
        samples(table), samples(dict(table)), samples(files["npy"], NAMES), samples(str(bare), NAMES),
        *(samples(files[name]) for name in ("npz", "csv", "parquet")),
    ]  # fmt: skip
    for draw in draws:
        assert draw.digest == whole.parts.draw.digest, draw  # type: ignore[attr-defined]
        again = a_sweep(draw).run()
        assert (again["argmax"] == ds["argmax"]).all()
        np.testing.assert_array_equal(again["mean"], ds["mean"])
    assert a_sweep(draws[2]).parts.key == whole.parts.key
    assert str(draws[2]) == 'samples("rows.npy")'
    # Degrees, other names, a time that is not swept, and columns that are left out.
    degrees = pd.DataFrame(np.degrees(ROWS[:, :2]), columns=["pos_1 [deg]", "pos_2 [deg]"]).assign(t=0.1, noise=np.nan)
    swept = sweep(ROBOT, "gravity_torque", draw=samples(degrees, ["q"]), keep=KEEP)
    tau = ROBOT.gravity_torque(ROWS[:, :2])
    np.testing.assert_allclose(swept.run()["max"], tau.max(0), rtol=1e-12)


def test_maps_and_bands() -> None:
    cells = {"x": ("tool.x", 4), "y": ("tool.y", 4)}
    found = dynamis.torque_map(ROBOT, by=cells, draw=samples(ROWS[:, :2]))
    tau = np.abs(ROBOT.gravity_torque(ROWS[:, :2])).max(0)
    np.testing.assert_allclose(np.nanmax(found.layer("torque of q1").values), tau[0], rtol=1e-12)
    t = np.linspace(0, 1, 20)
    budget = dynamis.torque_budget(ROBOT, (t, np.zeros((20, 2)), np.zeros((20, 2)), np.zeros((20, 2))))
    bands = dynamis.tolerance_bands(ROBOT, budget, {}, samples([[1.0], [3.0]], ["m2"]))
    masses = ROBOT.compile("gravity_torque", ["m2"])([0, 0], [[1.0], [3.0]])
    np.testing.assert_allclose([bands.least[0], bands.greatest[0]], np.sort(masses, 0))


def test_resumed_and_refused(tmp_path: Path) -> None:
    store = tmp_path / "map.zarr"

    def stop(done: int, _: int) -> None:
        if done > 2000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        a_sweep(samples(ROWS, NAMES)).run(store=store, progress=stop)
    other = ROWS.copy()
    other[4999, 0] += 1e-9
    with pytest.raises(ArgumentError, match="holds another sweep"):
        a_sweep(samples(other, NAMES)).run(store=store)
    told = list[int]()
    ds = a_sweep(samples(ROWS, NAMES)).run(store=store, progress=lambda done, _: told.append(done))
    assert min(told) > 2000
    assert ds.equals(a_sweep(samples(ROWS, NAMES)).run())


def test_on_a_cluster(tmp_path: Path) -> None:
    """Rows in memory travel with their task, a .npy file is opened there."""
    file = tmp_path / "rows.npy"
    np.save(file, ROWS)
    swept, there = a_sweep(samples(ROWS, NAMES)), a_sweep(samples(file, NAMES))
    assert len(pickle.dumps(swept.parts)) < 20_000
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        ds = swept.run(client)
        assert ds.equals(swept.run())
        assert there.run(client).equals(ds)
    elsewhere = pickle.loads(pickle.dumps(there.parts))
    np.testing.assert_array_equal(elsewhere.values(7, 9), ROWS[7:9])
    np.save(file, ROWS[:100])
    with pytest.raises(ArgumentError, match="is another file here"):
        pickle.loads(pickle.dumps(there.parts)).values(7, 9)
    file.unlink()
    with pytest.raises(ArgumentError, match=r"a \.npy file must lie where all workers see it"):
        pickle.loads(pickle.dumps(there.parts)).values(7, 9)


def test_in_a_sweep_file(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", ROWS)
    file = tmp_path / "a.toml"
    text = (
        'quantity = "inverse_dynamics"\ndraw = { kind = "samples", file = "rows.npy", columns = ["q", "qd", "m2"] }\n'
    )
    file.write_text(text)
    keep = ["peak", "argpeak", "mean"]
    known = sweep(ROBOT, "inverse_dynamics", draw=samples(ROWS, NAMES), keep=keep)
    assert load_sweep(file, ROBOT).parts.key == known.parts.key
    file.write_text(text.replace("rows.npy", "row.npy"))
    with pytest.raises(DynamisError, match=r"row\.npy: there is no file row\.npy; samples come from"):
        load_sweep(file, ROBOT)
    file.write_text(text.replace(', "m2"', ""))
    with pytest.raises(DynamisError, match=r"a\.toml:2: the samples have 5 columns; q, qd take 4"):
        load_sweep(file, ROBOT)


@pytest.mark.parametrize(
    ("source", "columns", "sentence"),
    [
        (ROWS, None, 'the samples have 5 columns; robot "bar-2r" takes 2 (q), 4 (q, qd) or 6 (q, qd, qdd), or name'),
        (ROWS, ["q", "qd", "mm2"], 'unknown parameter "mm2" in robot "bar-2r"; did you mean "m2"?'),
        (ROWS, ["q", "q", "m2"], "the samples have q.q1 twice"),
        (np.where(ROWS[70, 3] == ROWS, np.nan, ROWS), NAMES, "qd.q2 is not a finite number in row 71 of the samples"),
        (ROWS[0], None, "samples must be a table with a row per state, got 5 numbers"),
        (np.zeros((0, 2)), None, "samples must be a table with a row per state, got 0 x 2 numbers"),
        (["a"], None, "samples"),
        ({"q": ROWS[:, :3]}, None, 'samples have 3 columns of q, robot "bar-2r" 2'),
        ({"q": ROWS[:, :2], "m2": [1.0]}, None, "all columns of samples need as many rows, but q has 5000, m2 has 1"),
        ({"q": ROWS[:, :2], "n2": ROWS[:, 4]}, None, 'column "n2" of the samples: unknown parameter "n2"'),
        ({"q": ROWS[:, :2]}, ["qd"], 'unknown column "qd" in the samples; did you mean "q"?'),
        ("rows.mat", None, 'rows.mat: ".mat" is not a format of samples; give a .npy, .npz, .csv or .parquet file'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(source: Any, columns: Any, sentence: str) -> None:
    with pytest.raises(DynamisError) as error:
        a_sweep(samples(source, columns))
    assert sentence in str(error.value)


def test_no_boxes_beside_samples() -> None:
    with pytest.raises(
        ArgumentError, match="over has a box or a distribution of m2; beside samples it has only numbers"
    ):
        a_sweep(samples(ROWS[:, :4]), over={"m2": box(1, 2)})
    with pytest.raises(ArgumentError, match="samples have no bounds between them"):
        dynamis.bracket(sweep(ROBOT, "gravity_torque", draw=samples(ROWS[:, :2])))


def test_arrays_without_numbers(tmp_path: Path) -> None:
    for q in (np.zeros((0, 2)), np.zeros((0, 0)), np.zeros((4, 0))):
        np.savez(tmp_path / "a.npz", q=q)
        with pytest.raises(ArgumentError, match="samples have no rows, or a column has no numbers"):
            samples(tmp_path / "a.npz")
    (tmp_path / "a.csv").write_text("q1,q2\n,\n,\n")
    with pytest.raises(DynamisError, match="has no samples"):
        samples(tmp_path / "a.csv")
