"""Runs that are cut off go on where they were: no state is counted twice, none is lost."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dynamis
from dynamis import sweep
from dynamis.errors import ArgumentError
from dynamis.sweeps import Sweep, box, sobol

PROGRAM = """
import sys
import dynamis
from dynamis import sweep
from dynamis.sweeps import box, sobol
from dynamis.apps.sweeps import run

run.SAVED_EVERY = 0.0
robot = dynamis.load("ur5")
swept = sweep(robot, "inverse_dynamics", {"q": box("limits"), "qd": box(1)}, sobol(6_000_000), {"z": ("tool.z", 20)},
              ["max", "argmax", "mean", "variance"])
print("ready", flush=True)
swept.run(store=sys.argv[1], threads=int(sys.argv[2]))
"""


def the_sweep() -> Sweep:
    """That of the program."""
    over = {"q": box("limits"), "qd": box(1)}
    keep = ["max", "argmax", "mean", "variance"]
    return sweep(dynamis.load("ur5"), "inverse_dynamics", over, sobol(6_000_000), {"z": ("tool.z", 20)}, keep)


def test_killed_and_run_again(tmp_path: Path) -> None:
    store = tmp_path / "map.zarr"
    part = tmp_path / "map.zarr.part"
    command = [sys.executable, "-c", PROGRAM, str(store)]
    kills = 0
    for _ in range(3):
        process = subprocess.Popen([*command, "2"], stdout=subprocess.PIPE, text=True)
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        before = part.stat().st_mtime_ns if part.exists() else 0
        until = time.monotonic() + 60
        while process.poll() is None and not (part.exists() and part.stat().st_mtime_ns > before):
            assert time.monotonic() < until
            time.sleep(0.002)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
    assert kills, "the sweep was over before it could be killed"
    subprocess.run([*command, "1"], check=True, capture_output=True)
    swept = the_sweep()
    again = swept.run(store=store)  # read, not computed
    assert again.attrs["states"] == int(again["count"].sum()) == 6_000_000
    assert again.equals(swept.run(threads=2))
    assert not part.exists()


def test_stores_of_something_else_are_left_alone(tmp_path: Path) -> None:
    robot = dynamis.load("genova-2r")
    first = sweep(robot, "gravity_torque", {"q": box(1)}, sobol(100))
    other = sweep(robot, "gravity_torque", {"q": box(2)}, sobol(100))
    store = tmp_path / "a.nc"
    first.run(store=store)
    content = store.read_bytes()
    with pytest.raises(ArgumentError, match="holds another sweep; nothing was overwritten"):
        other.run(store=store)
    (tmp_path / "b.nc").write_text("no data")
    with pytest.raises(ArgumentError, match="holds something else"):
        first.run(store=tmp_path / "b.nc")
    with pytest.raises(ArgumentError, match=r"a store ends in \.zarr or \.nc"):
        first.run(store=tmp_path / "c.csv")
    assert store.read_bytes() == content
    assert (tmp_path / "b.nc").read_text() == "no data"
    for content in (b"PK\x03\x04 cut off", b"no data"):
        (tmp_path / "d.nc.part").write_bytes(content)
        with pytest.raises(ArgumentError, match="is not what a sweep has saved; delete it"):
            first.run(store=tmp_path / "d.nc")
