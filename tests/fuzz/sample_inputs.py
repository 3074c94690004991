"""Tables of numbers as CSV, .npy, .npz and Parquet, with their rows, headers and archives made wrong."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from random import Random

from tests.fuzz import hostile
from tests.fuzz.mutations import mutate_bytes

_LINES = (
    "",
    "," * 30,
    ";",
    "x" * 140_000,
    '"',
    '"' + "y" * 140_000,
    "\r",
    "\x00",
    "# 1,2",
    "\n" * 300,
    "NaN,NaN",
    "1_0",
)
_HEADER = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }"
Arrays = tuple[tuple[str, ...], ...]
_MOTION = ("q", "qd", "qdd")


def mutated(random: Random) -> bytes:
    """A sampled trajectory. The first line names the suffix; the file follows."""
    parts = _MOTION[: random.randint(1, 3)]
    arrays = (("t", "q"), ("t", "q", "qd"), ("t", "q", "qd", "qdd"), ("q",), ("t", "q", "__init__"))
    return _table(random, ("csv", "csv", "csv", "npy", "npz"), _columns(random, ("t",), parts), arrays)


def log(random: Random) -> bytes:
    """A log of two joints. The first line names the suffix and perhaps a map of columns."""
    parts = ("q", *random.choice((("tau",), ("tau",), ("tau", "qd", "qdd"), ("qd", "tau"), ("current",), ())))
    arrays = (("t", "q", "tau"), ("t", "q", "qd", "tau"), ("time", "pos", "effort"), ("t", "q"), ("x", "y", "z"))
    suffixes = ("csv", "csv", "csv", "txt", "tsv", "npz", "parquet")
    names = _columns(random, (random.choice(("t", "t", "time [ms]", "stamp")),), parts, 2)
    return _table(random, suffixes, names, arrays)


def states(random: Random) -> bytes:
    """Rows for the draw of a sweep."""
    parts = _MOTION[: random.randint(1, 3)]
    more = random.choice(((), (), ("m1",), ("payload.mass",), ("t",), ("tool.x",)))
    arrays = (("q",), ("q", "qd"), ("q", "m1"), (), ("q", "q"), ("x",))
    return _table(random, ("csv", "csv", "npy", "npz", "parquet"), _columns(random, more, parts, 2), arrays)


def _columns(random: Random, first: tuple[str, ...], parts: tuple[str, ...], joints: int = 0) -> list[str]:
    """The usual names of columns, for some joints."""
    n = joints if joints and random.random() < 0.8 else random.choice((1, 2, 2, 3))
    form = random.choice(("{}{}", "{}{}", "{}{}", "{}_{}", "{}{} [deg]", "{}[{}]"))
    return [*first, *(form.format(part, j + 1) for part in parts for j in range(n))]


def _table(random: Random, suffixes: tuple[str, ...], names: list[str], arrays: Arrays) -> bytes:
    suffix = random.choice(suffixes)
    if suffix == "npy":
        data = _npy(random)
    elif suffix == "npz":
        data = _npz(random, arrays)
    else:
        kinds: dict[str, Callable[[Random, list[str]], bytes]] = {"parquet": _parquet}
        data = kinds.get(suffix, _csv)(random, names)
    if random.random() < 0.25:
        data = mutate_bytes(data, random)
    return suffix.encode() + b"\n" + data


def _csv(random: Random, names: list[str]) -> bytes:
    rows = random.choice((0, 1, 2, 3, 5, 8, 40))
    table = [[f"{k * 0.1:g}", *(f"{random.uniform(-1, 1):.4g}" for _ in names[1:])] for k in range(rows)]
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        match random.randrange(9):
            case 0 | 1 | 2 if table:
                row = random.choice(table)
                row[random.randrange(len(row))] = hostile.number(random)
            case 3:
                names[random.randrange(len(names))] = hostile.name(random)
            case 4 if table:
                random.choice(table).append("1")
            case 5:
                random.shuffle(table)
            case 6 if table:
                table = [["" for _ in row] for row in table]
            case 7:
                names = [f"# {names[0]}", *names[1:]]
            case _:
                names.append(random.choice(names))
    separator = random.choice((",", ",", ",", ", ", ";", "\t"))
    lines = [separator.join(row) for row in ([names, *table] if random.random() < 0.8 else table)]
    if random.random() < 0.05:
        lines.insert(random.randint(0, len(lines)), random.choice(_LINES))
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _parquet(random: Random, names: list[str]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    rows = random.choice((0, 1, 3, 12, 40))
    ours = {"string": "a", "bool_": True, "list": [1.0, 2.0], "date": 5}
    types = {"string": pyarrow.string(), "list": pyarrow.list_(pyarrow.float64()), "date": pyarrow.timestamp("ms")}
    columns: dict[str, pyarrow.Array] = {}
    for j, name in enumerate(names):
        kind = random.choice(("float64",) * 12 + ("float32", "int32", "string", "bool_", "list", "date"))
        head = hostile.name(random) if random.random() < 0.02 else name
        values = [None if random.random() < 0.02 else ours.get(kind, k + j) for k in range(rows)]
        column = pyarrow.array(values, types.get(kind) or getattr(pyarrow, kind)())
        columns[head.encode("utf-8", "replace").decode()] = column
    table = pyarrow.table(columns)
    stream = io.BytesIO()
    pyarrow.parquet.write_table(table, stream, compression=random.choice(("snappy", "zstd", "none", "gzip")))
    return stream.getvalue()


def _npy(random: Random, shape: str = "(4, 3)") -> bytes:
    header = _HEADER.replace("(4, 3)", shape)
    kind = random.choice(("<f8", "<f8", "<f8", ">f4", "<i8", "|O", "<U4", "|V8", "<c16", "<f16", "|b1", "x"))
    header = header.replace("<f8", kind)
    if random.random() < 0.3:
        odd = (
            "(4,)",
            "()",
            "(0, 3)",
            "(4, -3)",
            "(99999999999, 3)",
            "(2**9, 3)",
            "(4, 3",
            "((4, 3))",
            f"({'9' * 5000},)",
        )
        header = header.replace(shape, random.choice(odd))
    if random.random() < 0.1:
        header = random.choice(("{" * 900, "__import__('antigravity')", "(lambda: 1)()", "", "None", "[" * 3000))
    values = [k * 0.25 for k in range(12)]
    random.shuffle(values)
    body = b"".join(struct.pack("<d", float(value)) for value in sorted(values))
    length = len(header) if random.random() < 0.95 else random.choice((0, 65535, 7))
    version = random.choice((b"\x01\x00", b"\x01\x00", b"\x02\x00", b"\x09\x09"))
    size = (length % 2**16).to_bytes(2 if version[0] == 1 else 4, "little")
    return b"\x93NUMPY" + version + size + header.encode() + body[: random.choice((96, 96, 96, 95, 0, 32))]


def _npz(random: Random, arrays: Arrays) -> bytes:
    stream = io.BytesIO()
    method = random.choice((zipfile.ZIP_DEFLATED,) * 3 + (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    rows, columns = random.choice(((4, 3), (6, 2), (6, 2)))
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name in dict.fromkeys(random.choice(arrays)):
            with archive.open(f"{name}.npy", "w") as member:
                if random.random() < 0.03:
                    member.write(_npy(random, "(300000, 1)")[:90] + bytes(2_400_000))
                else:
                    is_vector = name in ("t", "time", "m1")
                    member.write(_npy(random, f"({rows},)" if is_vector else f"({rows}, {columns})"))
    return stream.getvalue()
