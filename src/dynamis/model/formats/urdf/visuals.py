"""<visual>s of a URDF: what its links look like. They say nothing of the dynamics, and are read for pictures alone."""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.model.formats.urdf.values import number, origin, three
from dynamis.model.formats.xml_tree import Element, parse_xml
from dynamis.model.placement import Placement

SHAPES = ("box", "cylinder", "sphere", "mesh")
MAX_VISUALS = 500
"""<visual>s of a file that are read."""


@dataclass(frozen=True)
class Visual:
    """A shape on a link; its size [m] is the sides of a box, radius and length, a radius, or the scales of a mesh."""

    link: str
    placement: Placement
    """Of the shape in the frame of the link."""
    shape: str
    size: tuple[float, ...]
    file: str = ""
    """Of a mesh, as the URDF names it."""
    colour: tuple[float, ...] | None = None
    """Red, green and blue from 0 to 1."""


def read_visuals(text: str, file: str) -> list[Visual]:
    """All visuals of a URDF text, in its order; `file` is its name in errors."""
    root = parse_xml(text, file)
    colours = {x.attributes.get("name", ""): colour for x in root.all("material") if (colour := _colour(x))}
    pairs = [(link.require("name"), visual) for link in root.all("link") for visual in link.all("visual")]
    if len(pairs) > MAX_VISUALS:
        root.fail(f"the file has {len(pairs)} visuals; at most {MAX_VISUALS} are drawn")
    return [_visual(name, visual, colours) for name, visual in pairs]


def _visual(link: str, visual: Element, colours: dict[str, tuple[float, ...]]) -> Visual:
    geometry = visual.first("geometry")
    shapes = [] if geometry is None else [x for tag in SHAPES for x in geometry.all(tag)]
    if len(shapes) != 1:
        visual.fail(f"<geometry> of a visual must be one of {', '.join(SHAPES)}")
    (shape,) = shapes
    material = visual.first("material")
    colour = None if material is None else _colour(material) or colours.get(material.attributes.get("name", ""))
    name = shape.require("filename") if shape.tag == "mesh" else ""
    return Visual(link, origin(visual), shape.tag, _size(shape), name, colour)


def _size(shape: Element) -> tuple[float, ...]:
    match shape.tag:
        case "box":
            values = three(shape, "size")
        case "cylinder":
            values = (number(shape, "radius"), number(shape, "length"))
        case "sphere":
            values = (number(shape, "radius"),)
        case _:
            values = three(shape, "scale", "1 1 1")
    return tuple(float(value.value) for value in values)


def _colour(material: Element) -> tuple[float, ...] | None:
    found = material.first("color")
    parts = [] if found is None else found.attributes.get("rgba", "").split()
    try:
        colour = tuple(min(max(float(part), 0.0), 1.0) for part in parts[:3])
    except ValueError:
        return None
    return colour if len(colour) == 3 and all(x == x for x in colour) else None
