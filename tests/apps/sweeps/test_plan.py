"""What a sweep takes is told before: the bytes of its result and the memory of the process, as they then are."""

import subprocess
import sys
from pathlib import Path

import pytest

import dynamis
from dynamis import sweep
from dynamis.sweeps import box, exceeds, grid, histogram, pareto, quantile, sobol

PROGRAM = """
import sys
from pathlib import Path
import dynamis
from dynamis import sweep
from dynamis.sweeps import box, sobol

by = {"r": ("tool.radius", 60), "z": ("tool.z", 80)}
over = {"q": box("limits"), "qd": box(1)}
swept = sweep(dynamis.load("ur5"), "inverse_dynamics", over, sobol(2**20), by, ["max", "q99"])
plan = swept.explain()
swept.run(store=sys.argv[1])
(peak,) = (line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(plan.result_bytes, plan.memory_bytes, int(peak) * 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the largest memory of a process is read from /proc")
def test_the_file_and_the_memory_of_a_real_run(tmp_path: Path) -> None:
    """A map with quantiles, whose totals are a hundred times its result; memory is told within 1.5 times, never low."""
    store = tmp_path / "a.nc"
    run = subprocess.run([sys.executable, "-c", PROGRAM, str(store)], check=True, capture_output=True, text=True)
    result, memory, peak = map(int, run.stdout.split())
    assert result <= store.stat().st_size < 1.05 * result
    assert peak / 1.05 < memory < 1.5 * peak


def test_the_bytes_of_every_reduction() -> None:
    keep = [
        "max",
        "argmax",
        "mean",
        "q50",
        "q99",
        quantile(0.9, 7),
        exceeds(1),
        histogram(9, -1, 1),
        pareto("q1", "q2"),
    ]
    for by in ({}, {"a": ("q.q1", 5)}):
        over = {"q": box(1), "m1": [1, 2, 3]}
        x = sweep(dynamis.load("bar-2r"), "gravity_torque", over, grid(9), by, keep)
        ds = x.run()
        assert x.explain().result_bytes == sum(ds[name].nbytes for name in ds)
        # Quantiles of as many bins come from the same totals.
        assert [fold.bins for fold in x.parts.folds if fold.kind == "bins"] == [200, 7, 9]


def test_long_runs() -> None:
    robot = dynamis.load("ur5")
    plan = sweep(robot, "inverse_dynamics", {"q": box(1)}, sobol(10**12), {"r": ("tool.radius", 60)}).explain()
    assert plan.states == 10**12
    assert plan.cells == 60
    assert 100 < plan.seconds < 10**6
    assert "time on this machine" in plan.page()
