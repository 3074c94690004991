"""COLLADA (.dae): the triangles of a scene, in metres, with the colours of their materials.

Only what a picture needs is read: meshes, the nodes that place them, diffuse colours. The file is read alone: what
names another file is refused. Axes are those of the file whatever its <up_axis> says, which is how ROS takes the meshes
of a URDF: TIAGo's collision meshes say Y_UP and lie as they are within 2 % of the STL files of the same links, turned
up to 79 % away.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from math import radians

import numpy as np
from numpy.typing import NDArray

from dynamis.arrays import Array
from dynamis.errors import FormatError
from dynamis.formats.xml_tree import Element, parse_xml

MAX_BYTES = 60_000_000
MAX_CORNERS = 15_000_000
"""Of the triangles of the whole scene, and of its vertices: nodes may place one mesh many times."""
MAX_NODES = 20_000
"""Nodes of the scene, those that stand for others counted as often as they do."""
PRIMITIVES = ("triangles", "polylist", "polygons", "trifans", "tristrips")
"""Lines and points are left out."""
SHADERS = ("phong", "lambert", "blinn", "constant")

Faces = NDArray[np.int64]
Colour = tuple[float, ...] | None


@dataclass(frozen=True)
class Part:
    """Triangles of one material: vertices [m], faces, and red, green and blue from 0 to 1 where the file says so."""

    vertices: Array
    faces: Faces
    colour: Colour


def read_collada(text: str, file: str) -> list[Part]:
    """The parts of the scene of a COLLADA text, or of all its meshes where it has no scene."""
    root = parse_xml(text, file, MAX_BYTES, MAX_BYTES)
    if root.tag != "COLLADA":
        root.fail(f"is not a COLLADA file: its first element is <{root.tag}>")
    return [*_Scene(root).parts()]


class _Scene:
    """What a file defines, by id, and what its scene places where."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.ids = {x.attributes["id"]: x for x in root.walk() if "id" in x.attributes}
        self.nodes = self.corners = 0
        self.meshes: dict[int, list[tuple[str, Array, Faces]]] = {}

    def parts(self) -> Iterator[Part]:
        asset = self.root.first("asset")
        unit = None if asset is None else asset.first("unit")
        metre = 1.0 if unit is None else _numbers(unit, unit.attributes.get("meter", "1"), 1)[0]
        scene = self.root.first("scene")
        start = None if scene is None else scene.first("instance_visual_scene")
        if start is None:
            meshes = [x for library in self.root.all("library_geometries") for x in library.all("geometry")]
            yield from (part for mesh in meshes for part in self.placed(mesh, np.diag([metre] * 3 + [1.0]), {}))
        else:
            yield from self.inside(self.target(start), np.diag([metre] * 3 + [1.0]), 0)

    def target(self, element: Element, key: str = "url") -> Element:
        """The element that another one names."""
        name = element.require(key)
        if not name.startswith("#"):
            element.fail(f'<{element.tag}> names another file, "{name[:80]}"; a mesh must be in one file')
        if name[1:] not in self.ids:
            element.fail(f'<{element.tag}> names "{name[:80]}", which the file does not have')
        return self.ids[name[1:]]

    def inside(self, node: Element, at: Array, depth: int) -> Iterator[Part]:
        """The parts of a node, whose axes are `at` in those of the scene."""
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > 100:
            node.fail("the scene has too many nodes, or they lie too deep in each other")
        for child in node.children:
            match child.tag:
                case "matrix" | "translate" | "rotate" | "scale":
                    at = at @ _transform(child)
                case "lookat" | "skew":
                    child.fail(f"<{child.tag}> is not read; use <matrix>")
                case "node":
                    yield from self.inside(child, at, depth + 1)
                case "instance_node":
                    yield from self.inside(self.target(child), at, depth + 1)
                case "instance_geometry":
                    yield from self.placed(self.target(child), at, self.colours(child))
                case "instance_controller":
                    skin = self.target(child).first("skin")
                    if skin is not None:
                        yield from self.placed(self.target(skin, "source"), at, self.colours(child))
                case _:
                    pass

    def placed(self, geometry: Element, at: Array, colours: dict[str, Colour]) -> Iterator[Part]:
        """The triangles of a mesh, by the symbols of their materials."""
        mesh = geometry.first("mesh")
        if mesh is None:
            return
        if id(mesh) not in self.meshes:
            self.meshes[id(mesh)] = [*self.triangles(mesh)]
        for symbol, vertices, faces in self.meshes[id(mesh)]:
            self.corners += faces.size + vertices.size
            if self.corners > MAX_CORNERS:
                mesh.fail(f"the scene has more than {MAX_CORNERS // 3} triangles and vertices; no more are read")
            yield Part(vertices @ at[:3, :3].T + at[:3, 3], faces, colours.get(symbol))

    def triangles(self, mesh: Element) -> Iterator[tuple[str, Array, Faces]]:
        for primitive in (x for x in mesh.children if x.tag in PRIMITIVES):
            inputs = {x.attributes.get("semantic", ""): x for x in primitive.all("input")}
            if "VERTEX" not in inputs:
                primitive.fail(f"<{primitive.tag}> has no input of its vertices")
            points = self.positions(self.target(inputs["VERTEX"], "source"))
            offsets = [int(_numbers(x, x.attributes.get("offset", "0"), 1)[0]) for x in primitive.all("input")]
            offset = int(_numbers(primitive, inputs["VERTEX"].attributes.get("offset", "0"), 1)[0])
            if not 0 <= min(offsets) <= max(offsets) < 100:
                primitive.fail("the offset of an input must be from 0 to 99")
            faces = offset_column(primitive, max(offsets) + 1, offset)
            if faces.size and not 0 <= faces.min() <= faces.max() < len(points):
                primitive.fail(f"a face names a vertex that is not among the {len(points)} of the mesh")
            yield primitive.attributes.get("material", ""), points, faces

    def positions(self, vertices: Element) -> Array:
        """The points of a <vertices>."""
        found = next((x for x in vertices.all("input") if x.attributes.get("semantic") == "POSITION"), None)
        if found is None:
            vertices.fail("<vertices> has no input of positions")
        source = self.target(found, "source")
        array = source.first("float_array")
        if array is None:
            source.fail("<source> has no <float_array>, which is required")
        common = source.first("technique_common")
        accessor = None if common is None else common.first("accessor")
        step = 3 if accessor is None else int(_numbers(accessor, accessor.attributes.get("stride", "3"), 1)[0])
        values = _numbers(array, array.text)
        if not 3 <= step <= 100 or len(values) % step:
            array.fail(f"<float_array> has {len(values)} numbers, which are not {step} for every vertex, at least 3")
        return values.reshape(-1, step)[:, :3]

    def colours(self, instance: Element) -> dict[str, Colour]:
        """The diffuse colours of the materials of an instance, by their symbols; None where there is a texture."""
        bind = instance.first("bind_material")
        common = None if bind is None else bind.first("technique_common")
        used = [] if common is None else common.all("instance_material")
        return {x.attributes.get("symbol", ""): self.colour(x) for x in used}

    def colour(self, used: Element) -> Colour:
        effect = self.target(used, "target").first("instance_effect")
        profile = None if effect is None else self.target(effect).first("profile_COMMON")
        technique = None if profile is None else profile.first("technique")
        shader = None if technique is None else next((x for x in technique.children if x.tag in SHADERS), None)
        diffuse = None if shader is None else shader.first("diffuse")
        colour = None if diffuse is None else diffuse.first("color")
        if colour is None:
            return None
        return tuple(np.clip(np.nan_to_num(_numbers(colour, colour.text)[:3]), 0, 1).tolist())


def offset_column(primitive: Element, stride: int, offset: int) -> Faces:
    """The triangles of a primitive: its indices come in groups of `stride`, of which one names the vertex."""
    runs: list[Faces] = []
    for p in primitive.walk():  # <ph>: a polygon with holes, which are filled
        if p.tag == "p":
            indices = _indices(p)
            if len(indices) % stride:
                p.fail(f"<p> has {len(indices)} indices, which are not {stride} for every vertex")
            runs.append(indices.reshape(-1, stride)[:, offset])
    if not runs:
        return np.zeros((0, 3), np.int64)
    match primitive.tag:
        case "triangles":
            corners = np.concatenate(runs)
            return corners[: len(corners) // 3 * 3].reshape(-1, 3)
        case "polylist":
            vcount = primitive.first("vcount")
            counts = np.zeros(0, np.int64) if vcount is None else _indices(vcount)
            corners = np.concatenate(runs)
            if (counts < 0).any() or int(counts.sum()) != len(corners):
                primitive.fail(f"<vcount> does not add up to the {len(corners)} vertices of <p>")
            return corners[_fans(counts)]
        case "tristrips":
            strips = [np.stack([x[:-2], x[1:-1], x[2:]], axis=1) for x in runs if len(x) > 2]
            for strip in strips:
                strip[1::2] = strip[1::2, ::-1]  # every other triangle of a strip turns the other way
            return np.concatenate(strips) if strips else np.zeros((0, 3), np.int64)
        case _:
            return np.concatenate(runs)[_fans(np.array([len(x) for x in runs]))]


def _indices(element: Element) -> NDArray[np.int64]:
    """Whole numbers."""
    values = _numbers(element, element.text)
    if not (np.abs(values) < 2**31).all():  # NaN among them
        element.fail(f"<{element.tag}> has an index that no vertex has")
    return values.astype(np.int64)


def _fans(counts: Faces) -> Faces:
    """Polygons of so many corners each, one after the other, as triangles around the first corner of each."""
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    inner = np.maximum(counts - 2, 0)
    start = np.repeat(first, inner)
    k = np.arange(len(start)) - np.repeat(np.cumsum(inner) - inner, inner)
    return np.stack([start, start + k + 1, start + k + 2], axis=1).astype(np.int64)


def _transform(element: Element) -> Array:
    values = _numbers(element, element.text, {"matrix": 16, "rotate": 4}.get(element.tag, 3))
    at = np.eye(4)
    match element.tag:
        case "matrix":
            return values.reshape(4, 4)
        case "translate":
            at[:3, 3] = values
        case "scale":
            at[:3, :3] = np.diag(values)
        case _:
            length = float(np.linalg.norm(values[:3])) or 1.0
            x, y, z = values[:3] / length
            cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            angle = radians(values[3])
            at[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return at


def _numbers(element: Element, text: str, count: int | None = None) -> Array:
    """The numbers of a text, with blanks between them; finite ones where there must be `count`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # NumPy warns of what it cannot read, and gives the numbers before it
            values = np.fromstring(text, dtype=np.float64, sep=" ") if text.strip() else np.zeros(0)
    except (ValueError, DeprecationWarning):
        raise FormatError(f"<{element.tag}> is not a list of numbers").at(element.file, element.line) from None
    if count is not None and (len(values) != count or not np.isfinite(values).all()):
        element.fail(f"<{element.tag}> must have {count} numbers, got {text.strip()[:60]!r}")
    return values
