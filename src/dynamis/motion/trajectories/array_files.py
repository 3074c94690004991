"""Arrays of numbers from .npy and .npz files, read without evaluating anything and bounded before they are unpacked.

NumPy reads the header of an array as Python, and trusts the sizes in it. Here the header is matched as text, and what
it promises is compared with MAX_VALUES and with the bytes that are there before memory is taken.

Source: NumPy Enhancement Proposal 1, a simple file format for NumPy arrays.
"""

from __future__ import annotations

import math
import re
import zipfile
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from dynamis.base.errors import FormatError

MAX_VALUES = 5_000_000
"""The most numbers of a file: half an hour of seven joints at 400 Hz. A spline takes some 130 bytes per number."""
HINT = "no more are read from a file, dynamis.trajectories.sampled takes larger arrays"
SMALL_FILE_NUMBERS, MAX_GROWTH = 5_000_000, 30
"""What a compressed file may become, whatever it says: 5 million numbers (40 MB), or 30 times its size in floats. Noise
does not shrink at all, and encoders in a dozen bits shrink to a fifth; what shrinks more is constant."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""As NumPy packs archives."""
_PIECE_BYTES = 1 << 20
# Magic, version, length and the text of a header; NumPy pads it to 64 or 128 bytes.
_HEADER_BYTES = 10_000
_TYPE = re.compile(r"['\"]descr['\"]\s*:\s*['\"]([<>|=]?[iuf][1248])['\"]")
_ORDER = re.compile(r"['\"]fortran_order['\"]\s*:\s*(True|False)")
_SHAPE = re.compile(r"['\"]shape['\"]\s*:\s*\(([\d,\s]{0,200})\)")
_NOT_NUMBERS = "NumPy cannot read the file as an array of numbers"
_TOO_SHORT = f"{_NOT_NUMBERS}; it ends before its last number"


def read_npy(file: Path) -> NDArray[Any]:
    """The array in a .npy file."""
    with file.open("rb") as data:
        return _read_array(data)


def map_npy(file: Path) -> NDArray[Any]:
    """The array in a .npy file of any size, which stays there: what is asked for is read."""
    with file.open("rb") as data:
        dtype, sizes, order = _header(data)
        start = data.tell()
        if file.stat().st_size < start + math.prod(sizes) * dtype.itemsize or len(sizes) > 8:
            raise FormatError(_TOO_SHORT)
        return np.memmap(data, dtype, "r", start, sizes, order) if math.prod(sizes) else np.empty(sizes, dtype)


def most_numbers(file: Path, most: int) -> int:
    """How many numbers are read from a compressed file: `most`, but of a small file fewer."""
    return min(most, max(SMALL_FILE_NUMBERS, MAX_GROWTH * file.stat().st_size // 8))


def read_npz(
    file: Path, names: tuple[str, ...] | None, most: int | None = None, hint: str = HINT
) -> dict[str, NDArray[Any]]:
    """Those of the arrays `names` that a .npz file has, or all of them; others are not unpacked.

    most: numbers of all arrays together, MAX_VALUES by default; a file with more is refused, with the `hint`
    """
    most = most_numbers(file, MAX_VALUES if most is None else most)
    arrays, before = dict[str, NDArray[Any]](), 0
    try:
        with zipfile.ZipFile(file) as archive:
            there = {x.removesuffix(".npy"): x for x in archive.namelist() if x.endswith(".npy")}
            for name in [name for name in (there if names is None else dict.fromkeys(names)) if name in there]:
                member = archive.getinfo(there[name])
                if member.compress_type not in _PACKED:
                    raise FormatError("is packed in a way that NumPy does not write; save it with numpy.savez")
                with archive.open(member) as data:
                    arrays[name] = _read_array(data, most, before, hint)
                before += arrays[name].size
    except FormatError:
        raise
    except Exception:  # an archive fails in as many ways as it has fields
        raise FormatError("is not a .npz file that can be read; its archive is damaged") from None
    return arrays


def _read_array(data: IO[bytes], most: int = MAX_VALUES, before: int = 0, hint: str = HINT) -> NDArray[Any]:
    """The array of numbers that a stream holds, if it has at most `most` of them with those that were read `before`.

    >>> import io
    >>> stream = io.BytesIO()
    >>> np.save(stream, np.array([[0.0, 1.0], [0.5, 2.0]]))
    >>> _read_array(io.BytesIO(stream.getvalue()), 4)
    array([[0. , 1. ],
           [0.5, 2. ]])
    """
    dtype, sizes, order = _header(data)
    count = math.prod(sizes)
    if before + count > most:
        raise FormatError(f"has more than {most} numbers; {hint}")
    if len(sizes) > 8:
        raise FormatError(_NOT_NUMBERS)
    content, at = np.empty(count * dtype.itemsize, np.uint8), 0
    while at < len(content):  # in pieces: all of it at once would be there twice
        piece = data.read(min(_PIECE_BYTES, len(content) - at))
        if not piece:
            raise FormatError(_TOO_SHORT)
        content[at : at + len(piece)] = np.frombuffer(piece, np.uint8)
        at += len(piece)
    return content.view(dtype).reshape(sizes, order=order)


def _header(data: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...], Literal["C", "F"]]:
    """The type, the shape and the order of the numbers that follow."""
    start = data.read(10)
    wide = start[6:7] in (b"\x02", b"\x03")
    length = int.from_bytes(start[8:] + (data.read(2) if wide else b""), "little")
    if not start.startswith(b"\x93NUMPY") or length > _HEADER_BYTES:
        raise FormatError(_NOT_NUMBERS)
    header = data.read(length).decode("latin-1")
    kind, order, shape = (pattern.search(header) for pattern in (_TYPE, _ORDER, _SHAPE))
    if kind is None or order is None or shape is None:
        raise FormatError(f"{_NOT_NUMBERS}; it has integers or floats, of up to 8 bytes each")
    sizes = tuple(int(word) for word in shape[1].replace(",", " ").split())
    return np.dtype(kind[1]), sizes, "F" if order[1] == "True" else "C"
