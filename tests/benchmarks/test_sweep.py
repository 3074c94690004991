"""The benchmark of sweeps runs; its times are nobody's test."""

import json
from pathlib import Path

import pytest

from benchmarks.sweep import BATCH, _one_core, run_whole, torque_map


def test_it_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert min(_one_core(BATCH, 1)) > 0
    run_whole(20_000, str(tmp_path / "map.zarr"))
    told = json.loads(capsys.readouterr().out)
    assert told["memory"] > 10
    found = torque_map(20_000).run(store=tmp_path / "map.zarr")
    assert found["max"].dims == ("r", "z", "value")
    assert int(found["count"].sum()) == 20_000
