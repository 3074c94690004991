"""Readers of numbers and of what makes them: logs, draws, sweep files, the stores of sweeps."""

from __future__ import annotations

import io
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from dynamis.apps.identification.identify import identify
from dynamis.apps.identification.logs.log import read_logs
from dynamis.apps.sweeps.draws.points import sobol
from dynamis.apps.sweeps.draws.samples import ranges_and_draw, samples
from dynamis.apps.sweeps.ranges import box
from dynamis.apps.sweeps.stores import stored_result
from dynamis.apps.sweeps.sweep import Sweep, sweep
from dynamis.apps.sweeps.sweep_file import load_sweep
from dynamis.apps.sweeps.tally import Tally
from dynamis.library import load
from tests.fuzz.laws import BrokenLaw
from tests.fuzz.mutations import mutate_bytes

IDENTIFIED = 0.05
"""The share of logs whose parameters are identified."""
SWEPT = 0.05
"""The share of sweep files that are run, where they are small."""
MAPS = (*[None] * 12, "t=1 q=2-3 tau=4-5", "q=q* tau=tau*", "t=t q=1,1 tau=2-99", "tau=current_*", "q=")


@cache
def robot() -> Any:
    return load("bar-2r").on("numpy")


def read_log(path: Path, random: Random) -> None:
    columns, gains = random.choice(MAPS), random.choice((*[None] * 5, np.ones(2)))
    for log in read_logs(robot(), path, columns, gains, random.random() < 0.1):
        for piece in log.pieces():
            shapes = {x.shape for x in (piece.q, piece.tau, piece.qd, piece.qdd) if x is not None}
            if shapes != {(len(piece), 2)} or any(x.dtype != float for x in (piece.t, piece.q, piece.tau)):
                raise BrokenLaw("the arrays of an accepted log have other shapes")
    if random.random() < IDENTIFIED:
        identify(robot(), path, columns=columns, gains=gains, physical=False, folds=2, cutoff=None)


def read_draw(path: Path, random: Random) -> None:
    names = random.choice((None, None, None, ["q"], ["q", "qd"], ["q1", "m1"]))
    _, bound = ranges_and_draw(robot(), {}, samples(path, names))
    rows = bound.points(len(bound.picks)).rows(0, bound.count)
    if not np.isfinite(rows).all():
        raise BrokenLaw("accepted samples are not finite")


def read_sweep(path: Path, random: Random) -> None:
    found = load_sweep(path, robot())
    if isinstance(found, Sweep) and random.random() < SWEPT and found.states <= 4096 and found.parts.cells <= 4096:
        str(found.report(found.run(threads=1)).page("text"))


@cache
def _stored() -> tuple[Any, dict[str, bytes]]:
    """A sweep and what it keeps: `.nc`, `.part` and, as an archive of its files, `.zarr`."""
    keep = ["max", "argmax", "mean", "q90"]
    made = sweep(robot(), "gravity_torque", {"q": box(1), "m1": [1, 2]}, sobol(64), {"x": ("tool.x", 3)}, keep)
    kept = dict[str, bytes]()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.nc", "a.zarr"):
            made.run(store=Path(folder) / name)
        tally = Tally(made.parts)
        tally.add(made.parts.part(0, *made.parts.slice(0)[1:]))
        tally.write(Path(folder) / "a.part")
        kept["nc"], kept["part"] = ((Path(folder) / f"a.{x}").read_bytes() for x in ("nc", "part"))
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for file in sorted(Path(folder, "a.zarr").rglob("*")):
                if file.is_file():
                    archive.writestr(str(file.relative_to(Path(folder, "a.zarr"))), file.read_bytes())
        kept["zarr"] = stream.getvalue()
    return made, kept


def swept() -> Any:
    """The sweep of the stores."""
    return _stored()[0]


def stored(kind: str) -> bytes:
    """What it keeps, whole."""
    return _stored()[1][kind]


def store(random: Random) -> bytes:
    """A store with a few bytes changed; of a folder, one file: the first line has its number."""
    kind = random.choice(("nc", "nc", "part", "zarr"))
    if kind != "zarr":
        return f"{kind}\n".encode() + mutate_bytes(stored(kind), random)
    with zipfile.ZipFile(io.BytesIO(stored(kind))) as archive:
        name = random.choice(archive.namelist())
        return f"zarr\n{name}\n".encode() + mutate_bytes(archive.read(name), random)


def read_store(path: Path, random: Random) -> None:
    """What is accepted is what was written."""
    if path.suffix == ".part":
        Tally.read(swept().parts, path)
        return
    if path.suffix == ".zarr":
        name, _, data = path.read_bytes().partition(b"\n")
        folder = path.with_name("folder.zarr")
        with zipfile.ZipFile(io.BytesIO(stored("zarr"))) as archive:
            archive.extractall(folder)
            if name.decode("latin-1") in archive.namelist():
                (folder / name.decode()).write_bytes(data)
        path = folder
    found = stored_result(swept().parts, path)
    if not found.equals(_result()) or found.attrs != _result().attrs:
        raise BrokenLaw("a damaged store was accepted")


@cache
def _result() -> Any:
    return swept().run()
