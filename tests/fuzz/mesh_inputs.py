"""Meshes in every format that is read: small closed bodies with vertices, faces and headers made wrong."""

from __future__ import annotations

import json
import struct
from random import Random

from tests.fuzz import hostile
from tests.fuzz.mutations import mutate_bytes

Vertex = list[str]
Face = list[int]
_BOX = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
_BOX_FACES = [
    [0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7], [0, 5, 1], [0, 4, 5], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1,
    5, 7],
    [1, 7, 3],
]  # fmt: skip
_TETRAHEDRON = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
_TETRAHEDRON_FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]


def mutated(random: Random) -> bytes:
    """The first line names the suffix; the file follows."""
    vertices, faces = _body(random)
    suffix = random.choice(("obj", "obj", "stl", "stl", "stl", "ply", "ply", "glb"))
    match suffix:
        case "obj":
            data = _obj(vertices, faces, random)
        case "stl":
            data = (_ascii_stl if random.random() < 0.5 else _binary_stl)(vertices, faces, random)
        case "ply":
            data = _ply(vertices, faces, random)
        case _:
            data = _glb(vertices, faces, random)
    if random.random() < 0.3:
        data = mutate_bytes(data, random)
    return suffix.encode() + b"\n" + data


def _body(random: Random) -> tuple[list[Vertex], list[Face]]:
    points, faces = random.choice(((_BOX, _BOX_FACES), (_TETRAHEDRON, _TETRAHEDRON_FACES)))
    vertices = [[str(x) for x in point] for point in points]
    faces = [list(face) for face in faces]
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        match random.randrange(8):
            case 0 | 1:
                random.choice(vertices)[random.randrange(3)] = hostile.number(random)
            case 2 if faces:
                random.choice(faces)[random.randrange(3)] = random.choice((-1, -9, 0, 7, 8, 99, 2**31 - 1, 2**40))
            case 3 if faces:
                del faces[random.randrange(len(faces))]
            case 4 if faces:
                faces.append(list(random.choice(faces)))
            case 5:
                faces = faces[: random.randint(0, 3)]
            case 6 if faces:
                random.choice(faces).reverse()
            case _:
                factor = random.choice(("1e-9", "1e9", "1e30", "1e-200"))
                vertices = [[f"{x}{factor[1:]}" if x in "01" else x for x in vertex] for vertex in vertices]
    return vertices, faces


def _obj(vertices: list[Vertex], faces: list[Face], random: Random) -> bytes:
    lines = [f"v {' '.join(v[: random.choice((3, 3, 3, 3, 3, 3, 2, 4))])}" for v in vertices]
    lines += [f"f {' '.join(_corner(k, random) for k in face)}" for face in faces]
    for _ in range(random.choice((0, 0, 1))):
        line = random.choice(
            ("vn 0 0 1", "vt 0 0", "usemtl x", "mtllib /etc/passwd", "o \u00e9", "g", "s off", "l 1 2", "f", "v")
        )
        lines.insert(random.randint(0, len(lines)), line)
    return "\n".join(lines).encode()


def _corner(k: int, random: Random) -> str:
    return str(k + 1) + (random.choice(("/", "//", "/1", "//1", "/1/1", "/x", "/-1")) if random.random() < 0.02 else "")


def _ascii_stl(vertices: list[Vertex], faces: list[Face], random: Random) -> bytes:
    parts = [f"solid {hostile.name(random) if random.random() < 0.3 else 'x'}"]
    for face in faces:
        corners = [" ".join(vertices[k]) if 0 <= k < len(vertices) else "" for k in face]
        parts += ["facet normal 0 0 0", "outer loop", *(f"vertex {c}" for c in corners), "endloop", "endfacet"]
    if random.random() < 0.05:
        del parts[random.randrange(len(parts))]
    return "\n".join([*parts, "endsolid x", ""]).encode("utf-8", "surrogatepass")


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _packed(value: float) -> bytes:
    try:
        return struct.pack("<f", value)
    except OverflowError:
        return b"\x00\x00\x80\x7f"


def _binary_stl(vertices: list[Vertex], faces: list[Face], random: Random) -> bytes:
    body = b""
    for face in faces:
        corners = [vertices[k] if 0 <= k < len(vertices) else ["0"] * 3 for k in face]
        body += bytes(12) + b"".join(_packed(_float(x)) for corner in corners for x in corner) + bytes(2)
    count = len(faces) if random.random() < 0.9 else random.choice((0, 1, 2**32 - 1, len(faces) + 1))
    return random.choice((bytes(80), b"solid x".ljust(80), b"\xff" * 80)) + struct.pack("<I", count) + body


def _ply(vertices: list[Vertex], faces: list[Face], random: Random) -> bytes:
    counts = [len(vertices), len(faces)]
    if random.random() < 0.1:
        counts[random.randrange(2)] = random.choice((-1, 0, 99, 10**9, 10**18))
    kind = random.choice(("float", "double")) if random.random() < 0.9 else random.choice(("int", "uchar", "x", "list"))
    head = [
        "ply", "format ascii 1.0", f"element vertex {counts[0]}", *(f"property {kind} {x}" for x in "xyz"),
        f"element face {counts[1]}", "property list uchar int vertex_indices", "end_header",
    ]  # fmt: skip
    binary = random.random() < 0.4 and kind in ("float", "double")
    if not binary:
        rows = [" ".join(v) for v in vertices] + [f"3 {' '.join(map(str, f))}" for f in faces]
        return "\n".join([*head, *rows, ""]).encode()
    head[1] = random.choice(("format binary_little_endian 1.0", "format binary_big_endian 1.0"))
    letter = "f" if kind == "float" else "d"
    order = "<" if "little" in head[1] else ">"
    body = b"".join(struct.pack(f"{order}3{letter}", *(max(-1e30, min(1e30, _float(x))) for x in v)) for v in vertices)
    body += b"".join(struct.pack(f"{order}B3i", 3, *(max(-(2**31), min(2**31 - 1, k)) for k in f)) for f in faces)
    return "\n".join([*head, ""]).encode() + body


def _glb(vertices: list[Vertex], faces: list[Face], random: Random) -> bytes:
    points = b"".join(_packed(_float(x)) for vertex in vertices for x in vertex)
    corners = b"".join(struct.pack("<I", k % 2**32) for face in faces for k in face)
    tree = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
        "buffers": [{"byteLength": len(points) + len(corners)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(corners)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": len(faces) * 3, "type": "SCALAR"},
        ],
    }  # fmt: skip
    for _ in range(random.choice((0, 0, 1, 2))):
        places: list[tuple[dict[str, object] | list[object], str | int]] = []
        pending: list[object] = [tree]
        while pending:
            inside = pending.pop()
            if isinstance(inside, dict | list):
                entries = list(inside.items()) if isinstance(inside, dict) else list(enumerate(inside))
                places += [(inside, key) for key, _ in entries]
                pending += [x for _, x in entries]
        inside, key = random.choice(places)
        odd = (0, 1, -1, 10**9, 10**12, "x", None, [], {}, 1e308, "file:///etc/passwd", "data:,x")
        inside[key] = random.choice(odd)  # type: ignore[index,call-overload]
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    body = points + corners
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(body), 0x004E4942) + body
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks
