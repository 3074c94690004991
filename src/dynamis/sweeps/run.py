"""Running a sweep: on the threads of this machine or on a cluster, with what is done kept on disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any
from zipfile import BadZipFile

import numpy as np

from dynamis.arguments import integer
from dynamis.errors import ArgumentError, literal
from dynamis.sweeps.parts import Parts
from dynamis.sweeps.reductions import Totals
from dynamis.writing import write_bytes, written

SAVED_EVERY = 20.0
"""Seconds between two savings of what is done."""

Progress = Callable[[int, int], None]
"""(states done, all states)"""


def totals_of(
    sweep: Parts,
    client: Any = None,
    kept: Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Totals]:
    """The totals of every case, computed or, where the file `kept` has them, taken up from there."""
    count = cores() if threads is None else integer("threads", threads)
    slices = sweep.slices()
    done, totals = (0, None) if kept is None else _read(sweep, kept)
    if totals is None:
        totals = _empty(sweep)
    parts = sweep.parts(slices[done:], count) if client is None else _distributed(sweep, client, slices[done:])
    saved, states = perf_counter(), sum(stop - first for _, first, stop in slices[:done])
    whole = True  # not while a part is being merged
    try:
        for (case, part), (_, first, stop) in zip(parts, slices[done:], strict=True):
            whole = False
            totals[case].merge(part)
            done, states, whole = done + 1, states + stop - first, True
            if progress:
                progress(states, sweep.states)
            if kept is not None and perf_counter() - saved > SAVED_EVERY:
                _write(sweep, kept, done, totals)
                saved = perf_counter()
    except KeyboardInterrupt:
        if kept is not None and whole:
            _write(sweep, kept, done, totals)
        raise
    return totals


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def finished(sweep: Parts, store: Path) -> Any:
    """What the store has of this sweep; None where it has nothing yet. Raises where it has something else."""
    if store.suffix not in (".zarr", ".nc"):
        raise ArgumentError(f"a store ends in .zarr or .nc, got {literal(str(store))}", key="store")
    if not store.exists():
        return None
    xr: Any = import_module("xarray")
    try:
        known = xr.open_zarr(store).load() if store.suffix == ".zarr" else xr.load_dataset(store, engine="scipy")
    except (OSError, ValueError, KeyError, TypeError):
        known = None
    if known is None or known.attrs.get("sweep") != sweep.key:
        raise ArgumentError(f"{literal(str(store))} holds something else; nothing was overwritten", key="store")
    whole = {name: x.astype("int64") for name, x in known.items() if str(name).startswith(("arg", "count", "hist"))}
    return known.assign(whole)


def finish(result: Any, store: Path) -> None:
    """Write the result, and drop what was kept while it was computed."""
    if store.suffix == ".zarr":
        folder = store.with_name(f"{store.name}.part.zarr")  # a folder is renamed when it is whole
        result.to_zarr(folder, mode="w", zarr_format=2)  # 3 has no names of joints yet
        os.replace(folder, store)
    else:
        with written(store) as path:
            write_netcdf(result, path)
    unfinished(store).unlink(missing_ok=True)


def write_netcdf(result: Any, path: Path) -> None:
    """As NetCDF 3, which has no integers of 64 bits: indices and counts become float64, exact to 2^53."""
    wide = {name: x.astype("float64") for name, x in result.items() if x.dtype.kind == "i"}
    result.assign(wide).to_netcdf(path, engine="scipy")


def unfinished(store: Path) -> Path:
    """Where what is done is kept until all is."""
    return store.with_name(store.name + ".part")


def _empty(sweep: Parts) -> list[Totals]:
    function = sweep.function(0)
    return [Totals.empty(sweep.folds, sweep.cells, function.row, function.values) for _ in sweep.cases]


def _distributed(sweep: Parts, client: Any, slices: list[tuple[int, int, int]]) -> Iterator[tuple[int, Totals]]:
    """The parts from a cluster: a task is a slice, and as many wait as keep every worker busy."""
    ahead = 2 * max(1, sum(client.nthreads().values()))
    shared = client.scatter(sweep, broadcast=True)
    waiting = [client.submit(_part, shared, x, pure=False) for x in slices[:ahead]]
    for k, (case, _, _) in enumerate(slices):
        totals = waiting.pop(0).result()
        if k + ahead < len(slices):
            waiting.append(client.submit(_part, shared, slices[k + ahead], pure=False))
        yield case, totals


def _part(sweep: Parts, part: tuple[int, int, int]) -> Totals:
    return sweep.part(*part)


def _write(sweep: Parts, file: Path, done: int, totals: list[Totals]) -> None:
    arrays: dict[str, Any] = {f"{case}.{k}": array for case, x in enumerate(totals) for k, array in enumerate(x.arrays)}
    stream = BytesIO()
    np.savez(stream, key=np.array(sweep.key), done=np.array(done), **arrays)
    write_bytes(file, stream.getvalue())


def _read(sweep: Parts, file: Path) -> tuple[int, list[Totals] | None]:
    if not file.exists():
        return 0, None
    try:
        with np.load(file, allow_pickle=False) as saved:
            key, done = str(saved["key"]), int(saved["done"])
            if key != sweep.key:
                raise ArgumentError(f"{literal(str(file))} holds another sweep; give another store, or delete it")
            totals = _empty(sweep)
            for case, x in enumerate(totals):
                for k, array in enumerate(x.arrays):
                    array[...] = saved[f"{case}.{k}"]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        if isinstance(error, ArgumentError):
            raise
        raise ArgumentError(f"{literal(str(file))} is not what a sweep has saved ({error}); delete it") from None
    return done, totals
