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

from dynamis.apps.live.numbers import matrix
from dynamis.base.arrays import Array
from dynamis.base.errors import DynamisError, FormatError, literal
from dynamis.base.toml_table import path_below, read_text
from dynamis.model.bodies.mesh import SUFFIXES, read_triangles
from dynamis.model.formats.collada import MAX_BYTES as COLLADA_BYTES
from dynamis.model.formats.collada import Colour, Faces, read_collada
from dynamis.model.formats.urdf.visuals import Visual, read_visuals
from dynamis.robot import Robot

MAX_FACES = 30_000
"""Triangles of all meshes of a page: some 400 kB. Larger ones are made coarser."""
MAX_MESH_BYTES = 300_000_000
"""Of all mesh files that are read."""
GRID_CELLS = 2048
"""Of a mesh along its longest side: vertices in one cell are one."""
FOLDER_LEVELS = 8
"""Folders above the URDF in which a package is looked for."""
MAX_COLOURS = 12
"""Of a mesh file; one with more is drawn in the first of them."""
MAX_CORNER_RATIO = 4
MOST_VERTICES = 65_536
"""Of a mesh in the page: their numbers have 16 bits."""

Shell = tuple[Array, Faces, Colour]
"""Triangles of one colour."""


def visuals(robot: Robot) -> tuple[list[dict[str, Any]], str]:
    """What the page draws instead of solids between the frames, and a sentence where it cannot; both may be empty."""
    path = Path(robot.file) if robot.file.lower().endswith(".urdf") else None
    if path is None or not path.is_file():
        return [], ""
    try:
        found = read_visuals(read_text(path), str(path))
        meshes = _meshes(found, path)
        total = sum(len(faces) for visual in found if visual.file for _, faces, _ in meshes[visual.file])
        share = min(1.0, MAX_FACES / max(total, 1))
        small = {
            name: [(*coarser(vertices, faces, max(60, int(share * len(faces)))), c) for vertices, faces, c in shells]
            for name, shells in meshes.items()
        }
        return [drawn for visual in found for drawn in _draw_visual(robot, visual, small)], ""
    except DynamisError as error:
        return [], f"the visual meshes of the URDF are not drawn: {error}"


def mesh_file(name: str, urdf: Path) -> Path:
    """The file that a URDF names: below its own folder, or below the package of `package://NAME/...`.

    Below the folder above it, too, where that looks like a package: package/urdf/robot.urdf names ../meshes/link.stl.
    """
    folder = urdf.resolve().parent
    if name.startswith("package://"):
        package, _, inside = unquote(name.removeprefix("package://")).partition("/")
        places = [(root, inside) for root in _roots(folder, package)]
    else:
        places = [(folder, name), *((root, name[3:]) for root in _above(folder) if name.startswith("../"))]
    for root, inside in places:
        path = path_below(root, inside)
        if path is not None and path.is_file():
            return path
    raise FormatError(f"the mesh {literal(name)} is not found beside the file or in its package").at(str(urdf))


def _roots(folder: Path, package: str) -> list[Path]:
    """Folders named like the package: that of the URDF, below it, around or beside it.

    What is around or beside must look like a package: any folder of this computer may have a name that a file gives.
    """
    if path_below(folder, package) is None or len(Path(package).parts) != 1:
        return []
    around = folder.parents[: FOLDER_LEVELS - 1]
    packages = [root for x in around for root in (x, x / package) if (root / "package.xml").is_file()]
    return [root for root in (folder, *_above(folder), folder / package, *packages) if root.name == package]


def _above(folder: Path) -> list[Path]:
    is_package = folder.name in ("urdf", "robots") or (folder.parent / "package.xml").is_file()
    return [folder.parent] if is_package else []


def _meshes(found: list[Visual], urdf: Path) -> dict[str, list[Shell]]:
    """The meshes by the names that the URDF gives them."""
    meshes: dict[str, list[Shell]] = {}
    size = 0
    for name in dict.fromkeys(visual.file for visual in found if visual.file):
        path = mesh_file(name, urdf)
        size += path.stat().st_size
        if size > MAX_MESH_BYTES:
            raise FormatError(f"its meshes have more than {MAX_MESH_BYTES / 1e6:g} MB together; no more are read").at(
                str(urdf)
            )
        shells = [(*_finite(vertices, faces), colour) for vertices, faces, colour in _shells(path)]
        meshes[name] = [shell for shell in shells if len(shell[1])]
        if not meshes[name]:
            raise FormatError("has no faces").at(str(path))
    return meshes


def _shells(path: Path) -> list[Shell]:
    """What a mesh file has, by colour: COLLADA has materials, the other formats are read without them."""
    if path.suffix.lower() not in (*SUFFIXES, ".dae"):
        allowed = ", ".join((*SUFFIXES, ".dae"))
        raise FormatError(f'a mesh must be a file {allowed}, got "{path.suffix}"').at(str(path))
    if path.suffix.lower() != ".dae":
        try:
            return [(*read_triangles(path), None)]
        except DynamisError as error:
            raise error.at(str(path)) from None
    parts = read_collada(read_text(path, COLLADA_BYTES), str(path))
    colours = list(dict.fromkeys(part.colour for part in parts))
    if len(colours) > MAX_COLOURS:
        return [(*_join_meshes([(x.vertices, x.faces) for x in parts]), colours[0])]
    return [(*_join_meshes([(x.vertices, x.faces) for x in parts if x.colour == c]), c) for c in colours]


def _join_meshes(meshes: list[tuple[Array, Faces]]) -> tuple[Array, Faces]:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    faces = [x + start for (_, x), start in zip(meshes, starts[:-1], strict=True)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(faces)


def _finite(vertices: Array, faces: Faces) -> tuple[Array, Faces]:
    finite: NDArray[np.bool_] = np.asarray(np.isfinite(vertices).all(axis=1))
    return np.nan_to_num(vertices), faces[np.asarray(finite[faces].all(axis=1))]


def coarser(vertices: Array, faces: Faces, most: int) -> tuple[Array, Faces]:
    """A mesh of at most `most` triangles: vertices that share a cell of a grid become one, in their mean.

    The grid gets coarser until they are few enough (vertex clustering, Rossignac and Borrel 1993).
    """
    used, at = np.unique(faces, return_inverse=True)
    vertices, faces = vertices[used], at.reshape(-1, 3)
    low, side = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max()) or 1.0
    cells = float(GRID_CELLS)
    while True:
        x, y, z = np.floor((vertices - low) / side * cells).astype(np.int64).T
        _, cell = np.unique(x + (GRID_CELLS + 1) * (y + (GRID_CELLS + 1) * z), return_inverse=True)
        a, b, c = (corners := cell.reshape(-1)[faces]).T
        corners = corners[(a != b) & (b != c) & (c != a)]
        if len(corners) <= MAX_CORNER_RATIO * most:  # those that are there twice are looked for among few
            first = np.argmin(corners, axis=1)[:, None]
            corners = np.unique(np.take_along_axis(corners, (first + np.arange(3)) % 3, axis=1), axis=0)
        kept, corners = np.unique(corners, return_inverse=True)
        corners = corners.reshape(-1, 3)
        excess = max(len(corners) / most, len(kept) / MOST_VERTICES)
        if excess <= 1 or cells < 2:
            break
        cells *= min(0.8, max(0.3, excess**-0.5))  # triangles are as many as squares of a surface
    counts = np.bincount(cell.reshape(-1))
    means = np.stack([np.bincount(cell.reshape(-1), vertices[:, k]) / counts for k in range(3)], axis=1)
    return means[kept], corners


def _draw_visual(robot: Robot, visual: Visual, meshes: dict[str, list[Shell]]) -> list[dict[str, Any]]:
    """The link (-1 for the base), the shape, its matrix in the axes of the link by columns, and its colour.

    A mesh is one such shape for every colour that its file gives, unless the URDF gives it one.
    """
    frame = robot.frame(visual.link)
    link = next((k for k, x in enumerate(robot.links) if x.name == frame.link), -1)
    at = matrix(frame.placement) @ matrix(visual.placement)
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
    return [drawn] if not visual.file else [
        drawn | {"mesh": _pack_mesh(vertices, faces), "colour": visual.colour or colour}
        for vertices, faces, colour in meshes[visual.file]
        if len(faces)
    ]  # fmt: skip


def _pack_mesh(vertices: Array, faces: Faces) -> dict[str, Any]:
    """Vertices in 16 bits between the ends of the mesh, faces as numbers of vertices."""
    low, span = vertices.min(axis=0), np.ptp(vertices, axis=0)
    steps = np.rint((vertices - low) / np.where(span > 0, span, 1.0) * 65535).astype("<u2")
    return {"low": low.tolist(), "span": span.tolist(), "vertices": _text(steps), "faces": _text(faces.astype("<u2"))}


def _text(values: NDArray[Any]) -> str:
    return b64encode(np.ascontiguousarray(values).tobytes()).decode()
