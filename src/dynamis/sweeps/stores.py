"""Results of sweeps on disk: Zarr folders and NetCDF files, and what is done until there is a result."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dynamis.errors import ArgumentError, literal
from dynamis.extras import imported
from dynamis.sweeps.parts import Parts
from dynamis.writing import written


def finished(sweep: Parts, store: Path) -> Any:
    """What the store has of this sweep; None where it has nothing yet. Raises where it has something else."""
    if store.suffix not in (".zarr", ".nc"):
        raise ArgumentError(f"a store ends in .zarr or .nc, got {literal(str(store))}", key="store")
    if store.suffix == ".zarr":
        imported("zarr", "a .zarr store needs", "scale")
    if not store.exists():
        return None
    xr = imported("xarray", "the results of a sweep need", "scale")
    try:
        known = xr.open_zarr(store).load() if store.suffix == ".zarr" else xr.load_dataset(store, engine="scipy")
    except (OSError, ValueError, KeyError, TypeError):
        known = None
    if known is None or known.attrs.get("sweep") != sweep.key:
        other = "something else" if known is None or "sweep" not in known.attrs else "another sweep"
        raise ArgumentError(f"{literal(str(store))} holds {other}; nothing was overwritten", key="store")
    whole = {name: x.astype("int64") for name, x in known.items() if str(name).startswith(("arg", "count", "hist"))}
    unfinished(store).unlink(missing_ok=True)  # killed after the result was written
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
