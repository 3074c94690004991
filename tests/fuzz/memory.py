"""What every reader takes for files that are large, or small and promise much: `python -m tests.fuzz.memory`.

Each file is read in a process of its own, a fork of this one, in which everything is imported.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import json
import os
import struct
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from dynamis.apps.identification.logs.log import read_logs
from dynamis.apps.sweeps.stores import stored_result
from dynamis.apps.sweeps.tally import Tally
from dynamis.base.errors import DynamisError
from dynamis.model.bodies.mesh import read_mesh
from tests.fuzz import tables
from tests.fuzz.readers import READERS
from tests.support.collada import scene

ROOM = 200_000_000
"""Bytes beside those of the file."""
MESH = 12
"""Copies that trimesh makes of the 12 numbers of a face: 1.2 kB. (Its repairs, which are asked for, take 2.4 kB.)"""
SPLINE = 4
"""Numbers of a trajectory for each of its samples: the coefficients of a cubic."""


@dataclass(frozen=True)
class Case:
    """A file of a reader: `write` makes it; it holds so many numbers."""

    reader: str
    file: str
    write: Callable[[Path], object]
    numbers: int = 0
    copies: int = 4
    """Of these numbers, as floats."""

    @property
    def name(self) -> str:
        return f"{self.reader} {self.file}"


def _zeros(dtype: str, count: int, *names: str) -> Callable[[Path], object]:
    """An archive of arrays of zeros, which shrinks a thousandfold."""

    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in names:
                shape = (count,) if name == "t" else (count // 2, 2)
                header = io.BytesIO()
                np.lib.format.write_array_header_1_0(
                    header, {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": shape}
                )
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    member.write(header.getvalue())
                    for _ in range(count * np.dtype(dtype).itemsize // 1_000_000):
                        member.write(bytes(1_000_000))
                    member.write(bytes(count * np.dtype(dtype).itemsize % 1_000_000))

    return write


def _noise(rows: int) -> Callable[[Path], object]:
    def write(path: Path) -> None:
        table = np.random.default_rng(1).random((rows, 5))
        table[:, 0] = np.arange(rows)
        if path.suffix == ".npy":
            np.save(path, table)
        elif path.suffix == ".npz":
            np.savez(path, t=table[:, 0], q=table[:, 1:3], tau=table[:, 3:])
        else:
            lines = [",".join(f"{x:.9g}" for x in row) for row in table[:1000].tolist()]
            with path.open("w") as file:
                file.write("t,q1,q2,q3,q4\n" if "samples" in path.name else "t,q1,q2,tau1,tau2\n")
                for k in range(rows):
                    file.write(f"{k},{lines[k % 1000].partition(',')[2]}\n")

    return write


def _text(part: str, count: int, head: str = "", tail: str = "") -> Callable[[Path], object]:
    return lambda path: path.write_text(head + part * count + tail)


def _parquet(path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({name: np.zeros(1_000_000) for name in ("t", "q1", "q2", "tau1", "tau2")})
    with pyarrow.parquet.ParquetWriter(path, table.schema) as writer:
        for _ in range(4):
            writer.write_table(table)


def _stl(path: Path) -> None:
    count = 390_000
    faces = np.zeros(count, np.dtype([("numbers", "<f4", 12), ("rest", "<u2")]))
    faces["numbers"] = np.random.default_rng(1).random((count, 12))
    path.write_bytes(bytes(80) + struct.pack("<I", count) + faces.tobytes())


def _netcdf(path: Path) -> None:
    path.write_bytes(tables.stored("nc").replace(struct.pack(">i", 3), struct.pack(">i", 2**30 - 1)))


IMPORTED = ("scipy.interpolate", "trimesh", "pyarrow.parquet", "xarray", "networkx")
"""Before anything is measured: their own size is not that of a file."""
LOG = ("t", "q", "tau")
CASES = (
    Case("log", "noise.csv", _noise(100_000), 500_000),
    Case("log", "zeros.csv", _text("0,0,0,0,0\n", 500_000, "t,q1,q2,tau1,tau2\n"), 2_500_000),
    Case("log", "holes.csv", _text("0,0,,0,0\n", 300_000, "t,q1,q2,tau1,tau2\n"), 1_500_000),
    Case("log", "commas.csv", _text(",,,,\n", 1_000_000, "t,q1,q2,tau1,tau2\n"), 0),
    Case("log", "wide.csv", _text("0," * 400_000 + "0\n", 4)),
    Case("log", "ends.csv", _text("\n", 20_000_000)),
    Case("log", "heads.csv", _text("x,", 480_000, tail="y\n")),
    Case("log", "noise.npz", _noise(1_000_000), 5_000_000),
    Case("log", "float32.npz", _zeros("<f4", 50_000_000, "q")),
    Case("log", "uint8.npz", _zeros("|u1", 90_000_000, "q")),
    Case("log", "few.npz", _zeros("|u1", 1_000_000, *LOG)),
    Case("log", "zeros.parquet", _parquet),
    Case("draw", "zeros.npz", _zeros("<f4", 50_000_000, "q")),
    Case("draw", "noise.csv", _noise(100_000), 500_000),
    Case("draw", "zeros.parquet", _parquet),
    Case("samples", "noise.npy", _noise(300_000), SPLINE * 1_500_000),
    Case("samples", "noise.csv", _noise(100_000), SPLINE * 500_000),
    Case("samples", "zeros.npz", _zeros("|u1", 50_000_000, "t", "q")),
    Case("samples", "ends.csv", _text("\n", 20_000_000)),
    Case("mesh", "noise.stl", _stl, 12 * 390_000, MESH),
    Case("mesh", "points.obj", _text("v 0 0 0\n", 1_500_000), 3 * 1_500_000, MESH),
    Case("mesh", "faces.obj", _text("f 1 2 3\n", 1_000_000, "v 0 0 0\nv 1 0 0\nv 0 1 0\n"), 12 * 1_000_000, MESH),
    Case("collada", "long.dae", lambda path: path.write_text(scene(points="1 0 " * 1_000_000))),
    Case("collada", "many.dae", _text("<a/>", 400_000, "<COLLADA>", "</COLLADA>")),
    Case("urdf", "links.urdf", _text('<link name="a"/>', 190_000, "<robot name='a'>", "</robot>")),
    Case("urdf", "long.urdf", _text("x", 19_000_000, "<robot name='", "'></robot>")),
    Case("robot", "links.toml", _text("[[link]]\n", 200_000, "[robot]\nname='a'\n")),
    Case("robot", "list.toml", _text("[1],", 240_000, "x=[", "]")),
    Case("sweep", "list.toml", _text("1,", 300_000, 'quantity="power"\n[over]\nm1=[', "]")),
    Case("task", "list.toml", _text("[1,1],", 150_000, '[motion]\nkind="spline"\nduration=1\nvia=[', "]")),
    Case("simulation", "list.toml", _text("1,", 200_000, "duration=1\n[start]\nq=[", "]")),
    Case("body", "parts.toml", _text('[[part]]\nshape="box"\nsize=[1,1,1]\nmass=1\n', 35_000)),
    Case("answer", "sum.txt", _text("m1*cos(q1)+", 150_000, "M11 = ", "m2")),
    Case("answer", "lines.txt", _text("M11 = m1\n", 200_000)),
    Case("store", "zeros.part", _zeros("<f8", 20_000_000, "key", "done", "0.0")),
    Case("store", "large.nc", _netcdf),
)
"""Files that are refused count no numbers; those of one that is read do."""


def measured(case: Case, folder: Path) -> tuple[int, int, float, str]:
    """(bytes above those before, bytes allowed, seconds, what was said) of reading a file."""
    path = folder / case.name.replace(" ", "-")
    case.write(path)
    allowed = max(path.stat().st_size + ROOM, 8 * case.copies * case.numbers)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        said, start = "", time.process_time()
        try:
            before = _size("VmRSS")
            with contextlib.redirect_stderr(io.StringIO()):
                _read(case, path)
        except DynamisError as error:
            said = str(error)
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        result = _size("VmHWM") - before, time.process_time() - start, said[:300]
        os.write(writing, json.dumps(result).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        data = answer.read()
    os.waitpid(child, 0)
    path.unlink()
    peak, seconds, said = json.loads(data) if data else (2**62, 0.0, "the process was ended")
    return peak, allowed, seconds, said


def _read(case: Case, path: Path) -> Any:
    if case.reader == "store":
        swept = tables.swept()
        return Tally.read(swept.parts, path) if path.suffix == ".part" else stored_result(swept.parts, path)
    if case.reader == "log":
        return [list(log.pieces()) for log in read_logs(tables.robot(), path)]
    if case.reader == "mesh":
        return read_mesh(path, density=1)
    return READERS[case.reader].read(path, Random(0))


def _size(field: str) -> int:
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(f"{field}:"))


def main() -> int:
    """One line per case; exit code 1 if one takes more than it may."""
    worst = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        for module in IMPORTED:
            import_module(module)
        tables.stored("nc")
        chosen = [
            case for case in CASES if not sys.argv[1:] or case.name in sys.argv[1:] or case.reader in sys.argv[1:]
        ]
        for case in chosen:
            peak, allowed, seconds, said = measured(case, folder)
            worst |= peak > allowed
            mark = "TOO MUCH" if peak > allowed else "ok"
            print(
                f"{case.name}: {peak / 1e6:.0f} of {allowed / 1e6:.0f} MB, {seconds:.1f} s, {mark}: {said[:140]}",
                flush=True,
            )
    return worst


if __name__ == "__main__":
    sys.exit(main())
