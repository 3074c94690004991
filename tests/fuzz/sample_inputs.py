"""Sampled trajectories: CSV, .npy and .npz, with their tables, headers and archives made wrong."""

from __future__ import annotations

import io
import struct
import zipfile
from random import Random

from tests.fuzz import hostile
from tests.fuzz.mutations import mutate_bytes

_HEADER = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }"


def mutated(random: Random) -> bytes:
    """The first line names the suffix; the file follows."""
    suffix = random.choice(("csv", "csv", "csv", "npy", "npz"))
    data = {"csv": _csv, "npy": _npy, "npz": _npz}[suffix](random)
    if random.random() < 0.25:
        data = mutate_bytes(data, random)
    return suffix.encode() + b"\n" + data


def _csv(random: Random) -> bytes:
    n, rows = random.choice((1, 2, 2, 3)), random.choice((0, 1, 2, 3, 5, 8, 40))
    names = ["t", *(f"{part}{j + 1}" for part in ("q", "qd", "qdd")[: random.randint(1, 3)] for j in range(n))]
    table = [[f"{k * 0.1:g}", *(f"{random.uniform(-1, 1):.4g}" for _ in names[1:])] for k in range(rows)]
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        match random.randrange(7):
            case 0 | 1 | 2 if table:
                row = random.choice(table)
                row[random.randrange(len(row))] = hostile.number(random)
            case 3:
                names[random.randrange(len(names))] = hostile.name(random)
            case 4 if table:
                random.choice(table).append("1")
            case 5:
                random.shuffle(table)
            case _:
                names.append(random.choice(names))
    separator = random.choice((",", ",", ",", ", ", ";", "\t"))
    lines = [separator.join(row) for row in ([names, *table] if random.random() < 0.8 else table)]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


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


def _npz(random: Random) -> bytes:
    stream = io.BytesIO()
    method = random.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name in random.choice(
            (("t", "q"), ("t", "q", "qd"), ("t", "q", "qd", "qdd"), ("q",), ("t", "q", "__init__"))
        ):
            with archive.open(f"{name}.npy", "w") as member:
                if random.random() < 0.03:
                    member.write(_npy(random, "(300000, 1)")[:90] + bytes(2_400_000))
                else:
                    member.write(_npy(random, "(4,)" if name == "t" else "(4, 3)"))
    return stream.getvalue()
