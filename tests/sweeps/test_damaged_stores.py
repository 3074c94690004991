"""Stores of finished sweeps on disks that lose bits: what is read is what was written, or nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

import dynamis
from dynamis import ArgumentError, box, sobol, sweep
from dynamis.sweeps.stores import _check_sum
from dynamis.sweeps.tally import Tally

KEEP = ["max", "argmax", "mean", "q90", dynamis.exceeds(5), dynamis.histogram(4, -10, 10)]


@pytest.fixture(scope="module")
def swept() -> dynamis.Sweep:
    over = {"q": box(1), "m1": [1, 2]}
    robot = dynamis.load("bar-2r").on("numpy")
    return sweep(robot, "gravity_torque", over, sobol(64), {"x": ("tool.x", 3)}, KEEP)


def accepted(read: Callable[[], object], sentence: str) -> bool:
    """Whether something is read, and then well; else the sentence is said."""
    try:
        assert read()
    except ArgumentError as error:
        if not re.search(sentence, str(error)):
            raise
        return False
    return True


def files(store: Path) -> list[Path]:
    return [store] if store.is_file() else sorted(path for path in store.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", ["a.nc", "a.zarr"])
def test_a_flipped_bit(swept: dynamis.Sweep, name: str, tmp_path: Path) -> None:
    """Of numbers, names, units or sizes: refused, or of no consequence (padding, spaces of JSON)."""
    store, random = tmp_path / name, Random(name)
    result = swept.run(store=store)
    assert swept.run(store=store).equals(result)
    refused = 0
    for _ in range(60):
        file = random.choice(files(store))
        whole = file.read_bytes()
        wrong = bytearray(whole)
        wrong[random.randrange(len(wrong))] ^= 1 << random.randrange(8)
        file.write_bytes(wrong)
        refused += not accepted(lambda: swept.run(store=store).equals(result), "is damaged|holds (something|another)")
        file.write_bytes(whole)
    assert refused > 20
    assert swept.run(store=store).equals(result)


def test_a_number_that_changed(swept: dynamis.Sweep, tmp_path: Path) -> None:
    store = tmp_path / "a.nc"
    largest = float(swept.run(store=store)["max"].max())
    data, number = store.read_bytes(), np.array(largest, ">f8").tobytes()
    assert number in data
    store.write_bytes(data.replace(number, np.array(-largest, ">f8").tobytes()))
    with pytest.raises(ArgumentError, match=r"is damaged: its numbers are not those that were written"):
        swept.run(store=store)


def test_the_check_sum_is_alike_in_memory_and_in_both_formats(swept: dynamis.Sweep, tmp_path: Path) -> None:
    sums = {_check_sum(swept.run(store=tmp_path / name)) for name in ("a.nc", "a.zarr")}
    assert sums == {_check_sum(swept.run())}
    assert _check_sum(swept.run().assign(max=swept.run()["max"] + 1)) not in sums


def test_sizes_without_end(swept: dynamis.Sweep, tmp_path: Path) -> None:
    """A folder of a few kilobytes that promises 8 TB."""
    store = tmp_path / "a.zarr"
    swept.run(store=store)
    (store / ".zmetadata").unlink(missing_ok=True)
    for name in ("x", "max"):
        about = json.loads((store / name / ".zarray").read_text())
        about["shape"] = about["chunks"] = [10**6 if size == 3 else size for size in about["shape"]]
        (store / name / ".zarray").write_text(json.dumps({**about, "chunks": [1 for _ in about["shape"]]}))
    with pytest.raises(ArgumentError, match="holds something else"):
        swept.run(store=store)


def test_what_is_kept_of_an_unfinished_sweep(swept: dynamis.Sweep, tmp_path: Path) -> None:
    tally, file = Tally(swept.parts), tmp_path / "a.part"
    tally.add(swept.parts.part(*swept.parts.slice(0)))
    tally.write(file)
    assert Tally.read(swept.parts, file).done == 1
    data = file.read_bytes()
    for at in range(0, len(data), 97):
        wrong = bytearray(data)
        wrong[at] ^= 1
        file.write_bytes(wrong)
        accepted(lambda: Tally.read(swept.parts, file), "delete it")
