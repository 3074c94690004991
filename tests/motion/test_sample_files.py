"""Files of samples as a stranger may write them: every fault is a sentence, and sizes are bounded beforehand."""

from __future__ import annotations

import contextlib
import io
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dynamis.errors import DynamisError
from dynamis.identification.logs.log_files import read_blocks
from dynamis.motion.trajectories import array_files
from dynamis.motion.trajectories.sampled import sampled, sampled_file
from dynamis.sweeps.draws.samples import samples


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npz(**arrays: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)  # pyright: ignore[reportArgumentType]
    return stream.getvalue()


def packed(method: int, **arrays: np.ndarray) -> bytes:
    """An archive as other programs pack it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, array in arrays.items():
            archive.writestr(f"{name}.npy", npy(array))
    return stream.getvalue()


def header(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode("latin-1")


TABLE = np.column_stack([np.arange(4.0), np.ones((4, 2))])
LZMA = packed(zipfile.ZIP_LZMA, t=np.arange(4.0), q=np.ones((4, 2)))
GOOD = npz(t=np.arange(4.0), q=np.ones((4, 2)))


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.npz", b"nonsense", "is not a .npz file that can be read"),
        ("a.npz", GOOD[:-30], "is not a .npz file that can be read"),
        ("a.npz", GOOD[:60] + b"\xff" * 20 + GOOD[80:], "is not a .npz file that can be read"),
        ("a.npz", LZMA, "is packed in a way that NumPy does not write"),
        ("a.npz", LZMA[:45] + bytes(30) + LZMA[75:], r"is (packed in a way|not a \.npz file)"),
        ("a.npz", npz(q=np.ones((4, 2))), "the file has no array t"),
        ("a.npz", npz(t=np.array(["a"]), q=np.ones((1, 2))), "it has integers or floats"),
        ("a.npz", npz(t=np.arange(3.0), q=np.ones((4, 2))), r"times must be 4 times \[s\], one per row, got shape"),
        ("a.npy", npy(TABLE)[:-1], "it ends before its last number"),
        (
            "a.npy",
            header("{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999, 2), }"),
            "numbers; no more",
        ),
        ("a.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': (((((((("), "it has integers or floats"),
        ("a.npy", header("__import__('os').system('true')"), "it has integers or floats"),
        ("a.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "cannot read the file"),
        ("a.npy", npy(np.array(1.0)), "not a table"),
        ("a.csv", b"t,q1\n0,1\n1,\xff\n", "is not a text in UTF-8"),
        ("a.csv", b"t,q1\n0," + b"1" * 200_000 + b"\n", "is not a CSV file"),
        (
            "a.csv",
            b"t,q1\n0,1e999\n1,2\n",
            "waypoints must be at least two rows with one finite value per joint, got shape",
        ),
        ("a.csv", b"t,q1\n-1e308,0\n1e308,1\n", "values of times must be within ±1e\\+20, got -1e\\+308"),
        (
            "a.csv",
            b"t,q1\n0,0\n5e-324,1\n1,1\n2,0\n",
            "times 1 and 2 must be at least 1e-20 s apart, got 4.94066e-324 s",
        ),
        (
            "a.csv",
            ",".join(f"q{k}" for k in range(20_000)).encode(),
            "the columns are q0, q1, .* and 19988 more; one is",
        ),
    ],
)
def test_faults(name: str, data: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DynamisError, match=sentence):
        sampled_file(tmp_path / name)


def test_an_archive_that_promises_too_much_is_not_unpacked(tmp_path: Path) -> None:
    """A file of 1 MB whose q would be 800 MB."""
    count = 100_000_000
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.npy", npy(np.arange(4.0)))
        with archive.open("q.npy", "w") as member:
            member.write(header(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({count}, 1), }}"))
            member.write(bytes(10_000_000))
    tracemalloc.start()
    with pytest.raises(DynamisError, match="more than 5000000 numbers"):
        sampled_file(tmp_path / "a.npz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize("where", range(0, len(LZMA), 7))
def test_any_damage_of_an_archive_is_told(where: int, tmp_path: Path) -> None:
    for name, data in (("a", LZMA), ("b", packed(zipfile.ZIP_BZIP2, t=TABLE, q=TABLE)), ("c", GOOD)):
        wrong = bytearray(data)
        wrong[where % len(data)] ^= 0xFF
        (tmp_path / f"{name}.npz").write_bytes(wrong)
        with contextlib.suppress(DynamisError):
            sampled_file(tmp_path / f"{name}.npz")


@pytest.mark.parametrize("dtype", ["<f4", "|u1"])
def test_what_a_small_archive_may_become(dtype: str, tmp_path: Path) -> None:
    """A hundred times its size is refused where it is much, whoever reads it; noise of as many numbers is not."""
    np.savez_compressed(tmp_path / "log.npz", q=np.zeros((5_000_002, 1), dtype))
    sentence = "has more than 5000000 numbers"
    for read in (lambda file: next(read_blocks(file, 10)), samples):
        with pytest.raises(DynamisError, match=sentence):
            read(tmp_path / "log.npz")
    np.savez(tmp_path / "log.npz", q=np.zeros((5_000_002, 1), dtype))
    assert len(next(read_blocks(tmp_path / "log.npz", 10))["q"]) == 5_000_002


def test_the_sum_of_the_arrays_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.npz").write_bytes(GOOD)
    monkeypatch.setattr(array_files, "MAX_VALUES", 11)
    with pytest.raises(DynamisError, match="more than 11 numbers"):
        sampled_file(tmp_path / "a.npz")
    monkeypatch.setattr(array_files, "MAX_VALUES", 12)
    assert sampled_file(tmp_path / "a.npz").n == 2


@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<f2", "<i4", "|u1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_all_numbers(dtype: str, order: str, tmp_path: Path) -> None:
    table = np.array([[0, 1, 2], [1, 3, 5], [2, 4, 4]], dtype=dtype, order="F" if order == "F" else "C")
    np.save(tmp_path / "a.npy", table)
    t = np.linspace(0, 2, 7)
    wanted = sampled(table[:, 0], table[:, 1:]).at(t)[0]
    assert (sampled_file(tmp_path / "a.npy").at(t)[0] == wanted).all()
