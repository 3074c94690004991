"""Sweeps on a cluster of two processes: the same bits as on threads, also when a worker is killed in the middle."""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster

import dynamis
from dynamis import sweep
from dynamis.apps.sweeps import cluster as cluster_module
from dynamis.apps.sweeps.cluster import run_on_cluster
from dynamis.apps.sweeps.tally import Tally
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.sweeps import Sweep, bearing_map, box, exceeds, normal, payload_map, reach_map, sobol, torque_map

KEEP = ["max", "argmax", "mean", "variance", "q99", exceeds(20.0)]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    options: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(**options, silence_logs=50) as cluster, Client(cluster) as client:
        yield client


def a_sweep(states: int, seed: int = 0) -> Sweep:
    """Some 40 slices, of which the first 16, the next 16 and the rest are groups."""
    over = {"q": box("limits"), "qd": box(1), "forearm.mass": [2.0, 3.0]}
    return sweep(dynamis.load("ur5"), "inverse_dynamics", over, sobol(states, seed), {"z": ("tool.z", 20)}, KEEP)


def test_the_same_bits_when_a_worker_is_killed(client: Client) -> None:
    """It dies while it holds totals that nobody has fetched and makes others, and comes back without any."""
    swept, told = a_sweep(20 * 2**16 + 77), list[int]()
    (first, *_) = client.run(os.getpid).values()

    def kill(done: int, _: int) -> None:
        if not told:
            os.kill(first, signal.SIGKILL)
        told.append(done)

    ds = swept.run(client, progress=kill)
    assert first not in client.run(os.getpid).values()
    assert ds.equals(swept.run(threads=2))
    assert int(ds["count"].sum()) == ds.attrs["states"] == told[-1] == swept.states
    assert told == sorted(set(told))


def test_begun_here_and_finished_there(client: Client, tmp_path: Path) -> None:
    """What threads of one process left in the middle of a group, the cluster takes up; the bits are the same."""
    swept, file = a_sweep(19 * 2**16), tmp_path / "map.zarr.part"

    def stop(done: int, _: int) -> None:
        if done == 5 * 2**16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        swept.run(store=tmp_path / "map.zarr", progress=stop)
    assert Tally.read(swept.parts, file).done == 5
    ds = swept.run(client, store=tmp_path / "map.zarr")
    assert ds.equals(swept.run())
    assert [path.name for path in tmp_path.iterdir()] == ["map.zarr"]


def test_what_a_task_carries_is_small(client: Client) -> None:
    robot = dynamis.load("ur5")
    assert len(pickle.dumps(robot)) < 10_000
    assert len(pickle.dumps(robot.compile("inverse_dynamics"))) < 10_000
    assert len(pickle.dumps(a_sweep(10**12).parts)) < 20_000
    compiled = client.run(_compiled, a_sweep(1000).parts)
    assert set(compiled.values()) == {1}


def _compiled(parts: Any) -> int:
    """How many sweeps a process keeps for three tasks of equal sweeps."""
    from dynamis.apps.sweeps import cluster

    cluster._cached_sweep.cache_clear()
    for _ in range(3):
        cluster._part(pickle.loads(pickle.dumps(parts)), 0)
    return cluster._cached_sweep.cache_info().misses


def test_maps_on_the_cluster(client: Client) -> None:
    robot, pull = dynamis.load("ur5"), dynamis.ToolWrench("exerted_by_environment", force=(0, 0, -100))
    options: dict[str, Any] = {"draw": sobol(2**16 + 5), "by": {"z": ("tool.z", 9)}, "loads": [pull]}
    for made in (torque_map, payload_map, reach_map, bearing_map):
        here, there = made(robot, **options), made(robot, **options, client=client)
        assert there.data.equals(here.data)
        assert there.page("json") == here.page("json")
        with pytest.raises(ArgumentError, match=r"client must be a dask\.distributed\.Client, got 2"):
            made(robot, **options, client=2)


def test_dask_arrays_on_the_cluster(client: Client) -> None:
    robot = dynamis.load("ur5")
    q = np.random.default_rng(1).uniform(-3, 3, (1000, 6))
    lazy = robot.gravity_torque(da.from_array(q, chunks=(300, 6)))
    np.testing.assert_array_equal(lazy.compute(), robot.gravity_torque(q))


def test_errors_come_back(client: Client) -> None:
    robot = dynamis.load("bar-2r")
    swept = sweep(robot, "gravity_torque", {"q": box(1), "m1": normal(1, 0.1)}, sobol(10))
    with pytest.raises(ArgumentError, match=r"client must be a dask\.distributed\.Client, got \"map.zarr\""):
        swept.run("map.zarr")
    with pytest.raises(UnknownNameError, match="did you mean"):
        client.submit(dynamis.load, "pumma560").result()
    assert [slices for _, slices in run_on_cluster(Tally(swept.parts), client)] == [1]


def test_a_client_that_is_closed(client: Client, tmp_path: Path) -> None:
    """Before a run and in the middle of one; what is done is kept, and another client goes on."""
    swept, store, closing = a_sweep(20 * 2**16 + 5), tmp_path / "map.zarr", Client(client.cluster)

    with pytest.raises(ArgumentError, match=r"client is closed; give a new dask\.distributed\.Client"):
        swept.run(closing, store, progress=lambda *_: closing.close())
    assert 0 < Tally.read(swept.parts, tmp_path / "map.zarr.part").done < swept.parts.slices
    with pytest.raises(ArgumentError, match="client is closed"):
        swept.run(closing)
    assert swept.run(client, store).equals(swept.run())


def test_a_cluster_that_is_closed_in_the_middle(tmp_path: Path) -> None:
    """Its client still says that it runs, and Dask's futures would be waited for without end."""
    swept, store = a_sweep(40 * 2**16), tmp_path / "map.zarr"
    options: dict[str, Any] = {
        "n_workers": 1,
        "threads_per_worker": 1,
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": 50,
    }
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        closing = Thread(target=cluster.close, daemon=True)

        def close(done: int, _: int) -> None:
            if not closing.ident:
                closing.start()

        with pytest.raises(ArgumentError, match=r"is closed; give a new|scheduler .* does not answer"):
            swept.run(client, store, progress=close)
        closing.join()
    assert 0 < Tally.read(swept.parts, tmp_path / "map.zarr.part").done < swept.parts.slices


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGSTOP])
def test_a_scheduler_that_is_gone(way: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed, or on a machine that does not answer; what is done is kept, and threads of this one finish it."""
    monkeypatch.setattr(cluster_module, "POLL_SECONDS", 0.5)
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS", 3.0)
    swept, store, file = a_sweep(20 * 2**16), tmp_path / "map.zarr", str(tmp_path / "scheduler.json")
    dask = [sys.executable, "-m", "dask"]
    options = ["--no-dashboard", "--scheduler-file", file]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen([*dask, "scheduler", "--port", "0", *options], **quiet)
    worker = subprocess.Popen([*dask, "worker", "--nthreads", "1", "--no-nanny", *options], **quiet)
    try:
        with Client(scheduler_file=file) as client:
            with pytest.raises(ArgumentError, match=r"the scheduler of the cluster does not answer; what|is closed"):
                swept.run(client, store, progress=lambda *_: scheduler.send_signal(way))
            scheduler.kill()
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    assert 0 < Tally.read(swept.parts, tmp_path / "map.zarr.part").done < swept.parts.slices
    assert swept.run(store=store).equals(swept.run())


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "POLL_SECONDS", 0.2)
    monkeypatch.setattr(cluster_module, "MAX_IDLE_SECONDS", 0.5)
    sentence = "the cluster has had no workers for 1 s; what a sweep with a store"
    options: dict[str, Any] = {"n_workers": 0, "dashboard_address": "127.0.0.1:0", "processes": False}
    with LocalCluster(**options) as cluster, Client(cluster) as client, pytest.raises(ArgumentError, match=sentence):
        a_sweep(1000).run(client)
