"""Closed meshes: STL, OBJ, PLY and GLB files through trimesh, with their defects named.

Volume, CoM and inertia are sums over the signed tetrahedra between the origin and each face, so they mean something
only where the faces close a volume and all look outward.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, DynamisError, FormatError, ModelError, literal
from dynamis.base.expressions.expression import Expression, substitute
from dynamis.base.expressions.parser import as_expression
from dynamis.base.extras import import_extra
from dynamis.base.faces import option
from dynamis.model.bodies.density import as_number, density_of, varies
from dynamis.model.bodies.density import number as decimal
from dynamis.model.bodies.shapes import Inertial
from dynamis.model.inertia import Tensor
from dynamis.scalars.floats import number

SUFFIXES = (".stl", ".obj", ".ply", ".glb")
MAX_BYTES = 200_000_000
MAX_FACES = 5_000_000
# Vertices count as equal within 1e-8 of the file's unit, as 64-bit integers that hold no more than 9e18 of them.
MAX_COORDINATE = 1e9
MIN_SCALE, MAX_SCALE = 1e-12, 1e6
EXTRA = "mesh"


@dataclass(frozen=True)
class Mesh:
    """A closed volume as a mesh [m]: `vertices` (k, 3), `faces` (n, 3), and a mass or a density."""

    source: str
    vertices: Array = field(repr=False, compare=False)
    faces: NDArray[np.int64] = field(repr=False, compare=False)
    mass: Expression | None = None
    density: Expression | None = None
    repaired: tuple[str, ...] = ()

    @property
    def volume(self) -> float:
        """The volume [m^3]."""
        return self._unit[0]

    @cached_property
    def inertial(self) -> Inertial:
        """Mass, CoM and inertia about the CoM; numbers times the density."""
        volume, com, tensor = self._unit
        density = self.density if self.density is not None else _mass(self) / decimal(volume)
        mass = _mass(self) if self.density is None else density * decimal(volume)
        rows = [[density * decimal(entry) for entry in row] for row in tensor]
        matrix: Tensor = tuple(tuple(row) for row in rows)  # type: ignore[assignment]
        x, y, z = (decimal(c) for c in com)
        return Inertial(mass, (x, y, z), matrix)

    @cached_property
    def _unit(self) -> tuple[float, Array, Array]:
        return mesh_integrals(self.vertices, self.faces)

    def parameters(self) -> frozenset[str]:
        """The symbols that have no value."""
        return frozenset[str]().union(*(e.parameters() for e in (self.mass, self.density) if e is not None))

    def substituted(self, values: Mapping[str, Expression]) -> Mesh:
        """With values for symbols."""
        mass = None if self.mass is None else substitute(self.mass, values)
        density = None if self.density is None else as_number(substitute(self.density, values))
        return replace(self, mass=mass, density=density)


def mesh_integrals(vertices: Array, faces: NDArray[np.int64]) -> tuple[float, Array, Array]:
    """(volume, centroid, inertia about it for density 1) of the volume that the faces close.

    Each face a, b, c with the middle o of the mesh is a tetrahedron of the signed volume V = a.(b x c)/6, with
    int r r^T dV = V/20 (a a^T + b b^T + c c^T + s s^T), s = a + b + c.
    """
    middle = vertices.mean(axis=0)
    a, b, c = (vertices[faces[:, k]] - middle for k in range(3))
    V = np.einsum("ni,ni->n", a, np.cross(b, c)) / 6
    s = a + b + c
    volume = float(V.sum())
    if volume == 0:
        return 0.0, middle, np.zeros((3, 3))
    centroid = np.einsum("n,ni->i", V, s) / 4 / volume
    J = sum(np.einsum("n,ni,nj->ij", V, p, p) for p in (a, b, c, s)) / 20 - volume * np.outer(centroid, centroid)
    return volume, centroid + middle, np.trace(J) * np.eye(3) - J


def read_mesh(path: str | Path, *, mass: Any = None, density: Any = None, scale: Any = 1, repair: bool = False) -> Mesh:
    """The mesh in a file, `scale` times as large (0.001 for millimetres); an error names its defect."""
    path = Path(path)
    if (mass is None) == (density is None):
        what = "mass and density" if mass is not None else "no mass"
        raise ArgumentError(f"a mesh has {what}; give a mass [kg] or a density [kg/m^3]", key="density")
    content = as_expression(mass, "mass") if density is None else density_of(density)
    if varies(content):
        raise ArgumentError("the density of a mesh is the same everywhere; it has no x, y, z", key="density")
    amount = number(content, {})
    if amount is not None and amount <= 0:
        what = "mass" if density is None else "density"
        raise ModelError(f"{what} of a mesh must be > 0, got {amount:g}", key=what)
    factor = number(as_expression(scale, "scale"), {})
    if factor is None or not MIN_SCALE <= factor <= MAX_SCALE:
        allowed = f"a number from {MIN_SCALE:g} to {MAX_SCALE:g}, such as 0.001 for millimetres"
        raise ArgumentError(f"scale must be {allowed}, got {literal(scale)}", key="scale")
    vertices, faces, repaired = _load_closed_mesh(path, factor, repair)
    return Mesh(path.name, vertices, faces, *((content, None) if density is None else (None, content)), repaired)


def trimesh() -> Any:
    """The trimesh package, or the sentence that says how to get it."""
    return import_extra("trimesh", "meshes need", EXTRA)


def _load_closed_mesh(path: Path, factor: float, repair: bool) -> tuple[Array, NDArray[np.int64], tuple[str, ...]]:
    try:
        mesh, repaired = _load(path, repair)
        repaired += _repair(mesh) if repair else ()
        problem = defect(mesh)
        if problem:
            left = "; repair could not mend it" if repair else f"; mend it, or let repair try ({option('repair')})"
            raise ModelError(f"the mesh {problem}{left}")
    except DynamisError as error:
        raise error.at(str(path)) from None
    return np.asarray(mesh.vertices, dtype=np.float64) * factor, np.asarray(mesh.faces, dtype=np.int64), repaired


def _load(path: Path, repair: bool) -> tuple[Any, tuple[str, ...]]:
    """The mesh in a file with equal vertices merged, and what `repair` took away to get it."""
    vertices, faces = read_triangles(path)
    if len(faces) == 0:
        raise ModelError("the mesh has no faces; a body needs a closed surface")
    finite: NDArray[np.bool_] = np.asarray(np.isfinite(vertices).all(axis=1))
    removed: tuple[str, ...] = ()
    if not finite.all():
        if not repair:
            raise ModelError("the mesh has a vertex that is not finite")
        keep: NDArray[np.bool_] = np.asarray(finite[faces].all(axis=1))
        if not keep.any():
            raise ModelError("the mesh has no face whose vertices are finite")
        removed = (f"took {(~finite).sum()} vertices that are not finite away, with {(~keep).sum()} faces",)
        vertices, faces = np.where(finite[:, None], vertices, 0.0), faces[keep]
    reach = float(np.abs(vertices).max())
    if reach > MAX_COORDINATE:
        raise ModelError(f"the mesh has a coordinate of {reach:.3g}; at most {MAX_COORDINATE:g} is read")
    mesh = trimesh().Trimesh(vertices, faces, process=False)
    mesh.merge_vertices()
    mesh.remove_unreferenced_vertices()
    return mesh, removed


def read_triangles(path: Path) -> tuple[Array, NDArray[np.int64]]:
    """Vertices and faces as the file gives them; there may be none."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FormatError(f'a mesh must be a file {", ".join(SUFFIXES)}, got "{path.suffix}"')
    try:
        if not path.is_file():
            raise FormatError("no such file" if not path.exists() else "is not a regular file")
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}") from None
    if path.stat().st_size > MAX_BYTES:
        raise FormatError(f"has more than {MAX_BYTES / 1e6:g} MB; no more are read")
    package = trimesh()
    options = {"skip_materials": True} if suffix in (".obj", ".ply") else {}
    try:
        # From memory, without a resolver: a mesh file cannot make other files be read.
        data = io.BytesIO(_text_in_utf8(path.read_bytes(), suffix))
        with _quiet():
            mesh = package.load(data, file_type=suffix[1:], force="mesh", process=False, **options)
            vertices, faces = np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64)
    except Exception as error:
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise FormatError(f"is not a mesh that can be read ({reason})") from None
    if len(faces) == 0:
        return vertices, faces
    if len(faces) > MAX_FACES:
        raise FormatError(f"has {len(faces)} faces; at most {MAX_FACES} are read")
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
        raise FormatError("is not a mesh that can be read (a vertex has three coordinates, a face three vertices)")
    wrong = (faces < 0) | (faces >= len(vertices))
    if wrong.any():
        raise FormatError(
            f"is not a mesh that can be read (a face names vertex {faces[wrong][0]}, counted from 0, "
            f"and the mesh has {len(vertices)} vertices)"
        )
    return vertices, faces


@contextmanager
def _quiet() -> Generator[None]:
    """trimesh and NumPy warn of what is refused below, and log tracebacks."""
    import logging

    log, silent = logging.getLogger("trimesh"), logging.NullHandler()
    before, log.propagate = log.propagate, False
    log.addHandler(silent)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.removeHandler(silent)
        log.propagate = before


def _text_in_utf8(data: bytes, suffix: str) -> bytes:
    """OBJ and ASCII STL with the bytes that are not UTF-8 replaced: they stand in names, which are not used."""
    count = int.from_bytes(data[80:84], "little")
    binary = suffix == ".stl" and len(data) == 84 + 50 * count
    if suffix not in (".obj", ".stl") or binary:
        return data
    return data.decode("utf-8", errors="replace").encode("utf-8")


def defect(mesh: Any) -> str:
    """What keeps a mesh from being a body, in words; nothing if it is one."""
    directed: NDArray[np.int64] = np.asarray(mesh.edges, dtype=np.int64)
    edges = np.sort(directed, axis=1)
    # An edge as one number, which sorts faster than a pair.
    n = len(mesh.vertices)
    different, first, count = np.unique(edges[:, 0] * n + edges[:, 1], return_index=True, return_counts=True)
    odd = count != 2
    if odd.any():
        at = ", ".join(f"{x:.4g}" for x in mesh.vertices[edges[first[odd][0], 0]])
        open_edges, many = int((count == 1).sum()), int((count > 2).sum())
        parts = [f"{open_edges} of its {len(different)} edges belong to one face only"] if open_edges else []
        parts += [f"{many} of its edges belong to more than two faces"] if many else []
        return f"is not watertight: {' and '.join(parts)}, the first at ({at})"
    runs = np.unique(directed[:, 0] * n + directed[:, 1], return_counts=True)[1]
    if (runs > 1).any():
        return f"has faces turned against their neighbours, along {int((runs > 1).sum())} of its edges"
    vertices: Array = np.asarray(mesh.vertices, dtype=np.float64)
    volume, _, tensor = mesh_integrals(vertices, np.asarray(mesh.faces, np.int64))
    sides: Array = np.ptp(vertices, axis=0)
    size = float(sides[0] * sides[1] * sides[2])
    if abs(volume) <= 1e-9 * size or size == 0:
        return f"has the volume {volume:.3g}; its faces close no volume"
    if volume < 0:
        return f"is inverted: its faces look inward, so that its volume is {volume:.4g}"
    if np.linalg.eigvalsh(tensor)[0] <= 0:
        return "has a part that looks inward: its inertia is that of no body"
    return ""


def _repair(mesh: Any) -> tuple[str, ...]:
    """Mend what can be mended, and say what was done."""
    package, repairs = trimesh(), list[str]()
    before = len(mesh.faces)
    mesh.update_faces(mesh.nondegenerate_faces() & mesh.unique_faces())
    mesh.remove_unreferenced_vertices()
    if len(mesh.faces) == 0:
        raise ModelError("the mesh has no faces but empty ones; a body needs a closed surface")
    if len(mesh.faces) < before:
        repairs.append(f"took {before - len(mesh.faces)} empty or doubled faces away")
    if not mesh.is_watertight:
        before = len(mesh.faces)
        package.repair.fill_holes(mesh)
        if len(mesh.faces) > before:
            repairs.append(f"closed holes with {len(mesh.faces) - before} faces")
    if not mesh.is_winding_consistent:
        package.repair.fix_winding(mesh)
        repairs.append("turned faces to run as their neighbours")
    if mesh_integrals(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64))[0] < 0:
        mesh.invert()
        repairs.append("turned all faces outward")
    return tuple(repairs)


def _mass(mesh: Mesh) -> Expression:
    assert mesh.mass is not None
    return mesh.mass
