"""Results of sweeps on disk: Zarr folders and NetCDF files, and what is done until there is a result."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from dynamis.apps.sweeps.parts import Parts
from dynamis.base.errors import ArgumentError, literal
from dynamis.base.extras import import_extra
from dynamis.base.writing import atomic_write

CHECK_SUM = "check_sum"
STORE_SIZE_FACTOR, EXTRA_STORE_BYTES = 4, 100_000_000
"""What a store may have: so many times the totals of its sweep, and 100 MB for fronts and names."""


def stored_result(sweep: Parts, store: Path) -> Any:
    """What the store has of this sweep; None where it has nothing yet. Raises where it has something else."""
    if store.suffix not in (".zarr", ".nc"):
        raise ArgumentError(f"a store ends in .zarr or .nc, got {literal(str(store))}", key="store")
    if store.suffix == ".zarr":
        import_extra("zarr", "a .zarr store needs", "scale")
    if not store.exists():
        return None
    known, check_sum = _read(store, STORE_SIZE_FACTOR * len(sweep.cases) * sweep.bytes + EXTRA_STORE_BYTES)
    if known is None or known.attrs.get("sweep") != sweep.key:
        other = "something else" if known is None or "sweep" not in known.attrs else "another sweep"
        raise ArgumentError(f"{literal(str(store))} holds {other}; nothing was overwritten", key="store")
    if known.attrs.pop(CHECK_SUM, "") != check_sum:
        raise ArgumentError(
            f"{literal(str(store))} is damaged: its numbers are not those that were written; delete it to run "
            "the sweep again",
            key="store",
        )
    whole = {name: x.astype("int64") for name, x in known.items() if str(name).startswith(("arg", "count", "hist"))}
    partial_store(store).unlink(missing_ok=True)  # killed after the result was written
    return known.assign(whole)


def _read(store: Path, most: int) -> tuple[Any, str]:
    """All that a store has, and its check sum; None where it cannot be read, or promises more than `most` bytes."""
    xr = import_extra("xarray", "the results of a sweep need", "scale")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            zarr = store.suffix == ".zarr"
            with xr.open_zarr(store, chunks=None) if zarr else xr.open_dataset(store, engine="scipy") as lazy:
                return (lazy.load(), _check_sum(lazy)) if lazy.nbytes <= most else (None, "")
    except Exception:  # a damaged file fails in as many ways as NetCDF, Zarr and their codecs have fields
        return None, ""


def _check_sum(result: Any) -> str:
    """Of all names, dimensions, values and attributes, alike in both formats and in memory.

    Integers are compared as float64, as NetCDF 3 has them.
    """
    digest = sha256(_attribute_bytes({key: x for key, x in result.attrs.items() if key != CHECK_SUM}))
    for name in sorted(map(str, result.variables)):
        x = result.variables[name]
        values = np.asarray(x.values)
        digest.update(repr((name, x.dims, x.shape)).encode() + _attribute_bytes(x.attrs))
        if values.dtype.kind in "iuf":
            digest.update(np.ascontiguousarray(values, "<f8").data)
        else:
            digest.update(repr(values.astype(str).ravel().tolist()).encode())
    return digest.hexdigest()


def _attribute_bytes(attributes: Mapping[Any, Any]) -> bytes:
    """Attributes as text: a list of one entry comes back from NetCDF as that entry, and an integer as another."""
    plain = {str(key): np.atleast_1d(value).tolist() for key, value in attributes.items()}
    return repr([(key, [x if isinstance(x, str) else float(x) for x in plain[key]]) for key in sorted(plain)]).encode()


def finish(result: Any, store: Path) -> None:
    """Write the result with its check sum, and drop what was kept while it was computed."""
    result = result.assign_attrs({CHECK_SUM: _check_sum(result)})
    if store.suffix == ".zarr":
        folder = store.with_name(f"{store.name}.part.zarr")  # a folder is renamed when it is whole
        result.to_zarr(folder, mode="w", zarr_format=2)  # 3 has no names of joints yet
        os.replace(folder, store)
    else:
        with atomic_write(store) as path:
            write_netcdf(result, path)
    partial_store(store).unlink(missing_ok=True)


def write_netcdf(result: Any, path: Path) -> None:
    """As NetCDF 3, which has no integers of 64 bits: indices and counts become float64, exact to 2^53."""
    wide = {name: x.astype("float64") for name, x in result.items() if x.dtype.kind == "i"}
    result.assign(wide).to_netcdf(path, engine="scipy")


def partial_store(store: Path) -> Path:
    """Where what is done is kept until all is."""
    return store.with_name(store.name + ".part")
