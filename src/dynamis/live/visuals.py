"""Links as their URDF draws them: its visual meshes and shapes, small enough for a page.

Only mesh files beside the URDF, or in the package that it names, are read; nothing is fetched.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from dynamis.arrays import Array
from dynamis.bodies.mesh import read_triangles
from dynamis.errors import DynamisError, FormatError
from dynamis.formats.urdf.visuals import Visual, read_visuals
from dynamis.model.placement import Placement
from dynamis.robot import Robot
from dynamis.scalars.floats import Floats
from dynamis.toml_table import read_text

FACES = 30_000
"""Triangles of all meshes of a page: some 400 kB. Larger ones are made coarser."""
BYTES = 300_000_000
"""Of all mesh files that are read."""
CELLS = 2048
"""Of a mesh along its longest side: vertices in one cell are one."""
LEVELS = 8
"""Folders above the URDF in which a package is looked for."""

Faces = NDArray[np.int64]


def visuals(robot: Robot) -> tuple[list[dict[str, Any]], str]:
    """What the page draws instead of solids between the frames, and a sentence where it cannot; both may be empty."""
    path = Path(robot.file) if robot.file.lower().endswith(".urdf") else None
    if path is None or not path.is_file():
        return [], ""
    try:
        found = read_visuals(read_text(path), str(path))
        meshes = _meshes(found, path)
        total = sum(len(faces) for _, faces in meshes.values())
        share = min(1.0, FACES / max(total, 1))
        small = {name: coarser(*mesh, max(60, int(share * len(mesh[1])))) for name, mesh in meshes.items()}
        return [_drawn(robot, visual, small) for visual in found], ""
    except DynamisError as error:
        return [], f"the visual meshes of the URDF are not drawn: {error}"


def mesh_file(name: str, urdf: Path) -> Path:
    """The file that a URDF names: below its own folder, or below the package of `package://NAME/...`.

    Below the folder above it, too, where that looks like a package: package/urdf/robot.urdf names ../meshes/link.stl.
    """
    folder = urdf.resolve().parent
    package, inside = "", name
    if name.startswith("package://"):
        package, _, inside = unquote(name.removeprefix("package://")).partition("/")
    if "://" in inside or Path(inside).is_absolute():
        raise FormatError(f'the mesh "{name}" is neither beside the file nor in a package').at(str(urdf))
    for root in _roots(folder, package) if package else [folder, *_above(folder)]:
        path = ((root if package else folder) / inside).resolve()
        if path.is_relative_to(root) and path.is_file():
            return path
    raise FormatError(f'the mesh "{name}" is not found beside the file or in its package').at(str(urdf))


def _roots(folder: Path, package: str) -> list[Path]:
    """Folders named like the package: around the URDF, or beside one that is."""
    if package in (".", "..") or "\\" in package:
        return []
    above = [folder, *folder.parents][:LEVELS]
    return [root for x in above for root in ([x] if x.name == package else [x / package]) if root.is_dir()]


def _above(folder: Path) -> list[Path]:
    is_package = folder.name in ("urdf", "robots") or (folder.parent / "package.xml").is_file()
    return [folder.parent] if is_package else []


def _meshes(found: list[Visual], urdf: Path) -> dict[str, tuple[Array, Faces]]:
    """The meshes by the names that the URDF gives them."""
    meshes: dict[str, tuple[Array, Faces]] = {}
    size = 0
    for name in dict.fromkeys(visual.file for visual in found if visual.file):
        path = mesh_file(name, urdf)
        size += path.stat().st_size
        if size > BYTES:
            raise FormatError(f"its meshes have more than {BYTES / 1e6:g} MB together; no more are read").at(str(urdf))
        try:
            vertices, faces = read_triangles(path)
        except DynamisError as error:
            raise error.at(str(path)) from None
        finite: NDArray[np.bool_] = np.asarray(np.isfinite(vertices).all(axis=1))
        faces = faces[np.asarray(finite[faces].all(axis=1))]
        if not len(faces):
            raise FormatError("has no faces").at(str(path))
        meshes[name] = np.nan_to_num(vertices), faces
    return meshes


def coarser(vertices: Array, faces: Faces, most: int) -> tuple[Array, Faces]:
    """A mesh of at most `most` triangles: vertices that share a cell of a grid become one, in their mean.

    The grid gets coarser until they are few enough (vertex clustering, Rossignac and Borrel 1993).
    """
    used, at = np.unique(faces, return_inverse=True)
    vertices, faces = vertices[used], at.reshape(-1, 3)
    low, side = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max()) or 1.0
    cells = float(CELLS)
    while True:
        keys = np.floor((vertices - low) / side * cells).astype(np.int64)
        _, cell = np.unique(keys, axis=0, return_inverse=True)
        corners = cell.reshape(-1)[faces]
        a, b, c = corners.T
        corners = corners[(a != b) & (b != c) & (c != a)]
        first = np.argmin(corners, axis=1)[:, None]
        corners = np.unique(np.take_along_axis(corners, (first + np.arange(3)) % 3, axis=1), axis=0)
        if len(corners) <= most or cells < 2:
            break
        cells *= 0.8
    counts = np.bincount(cell.reshape(-1))
    means = np.stack([np.bincount(cell.reshape(-1), vertices[:, k]) / counts for k in range(3)], axis=1)
    return means, corners


def _drawn(robot: Robot, visual: Visual, meshes: dict[str, tuple[Array, Faces]]) -> dict[str, Any]:
    """The link (-1 for the base), the shape, its matrix in the axes of the link by columns, and its colour."""
    frame = robot.frame(visual.link)
    link = next((k for k, x in enumerate(robot.links) if x.name == frame.link), -1)
    at = _matrix(frame.placement) @ _matrix(visual.placement)
    match visual.shape:
        case "box":
            at = at @ np.diag([*(0.5 * x for x in visual.size), 1.0])
        case "cylinder":
            r, length = visual.size
            at = at @ np.array([[r, 0, 0, 0], [0, r, 0, 0], [0, 0, length, -0.5 * length], [0, 0, 0, 1.0]])
        case "sphere":
            at = at @ np.diag([*(3 * visual.size), 1.0])
        case _:
            at = at @ np.diag([*visual.size, 1.0])
    drawn: dict[str, Any] = {"link": link, "shape": visual.shape, "at": at.T.ravel().tolist(), "colour": visual.colour}
    return drawn | ({"mesh": _packed(*meshes[visual.file])} if visual.file else {})


def _matrix(placement: Placement) -> Array:
    R, p = placement.evaluate(Floats({}))
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = [list(row) for row in R], list(p)
    return matrix


def _packed(vertices: Array, faces: Faces) -> dict[str, Any]:
    """Vertices in 16 bits between the ends of the mesh, faces as numbers of vertices."""
    low, span = vertices.min(axis=0), np.ptp(vertices, axis=0)
    steps = np.rint((vertices - low) / np.where(span > 0, span, 1.0) * 65535).astype("<u2")
    return {"low": low.tolist(), "span": span.tolist(), "vertices": _text(steps), "faces": _text(faces.astype("<u2"))}


def _text(values: NDArray[Any]) -> str:
    return b64encode(np.ascontiguousarray(values).tobytes()).decode()
