"""COLLADA: triangles of every kind, where nodes put them, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from dynamis.base.errors import FormatError
from dynamis.model.bodies.mesh import mesh_integrals
from dynamis.model.formats.collada import Part, read_collada
from tests.support.collada import BIND, FLOOR, MESH, SIDES, scene

POLYGONS = '<polygons count="2">{0}<p>0 0 1 0 4 0</p><p>1 0 2 0 4 0</p></polygons>'
STRIP = '<tristrips count="1">{0}<p>2 0 3 0 4 0 0 0</p></tristrips>'
FAN = '<trifans count="1">{0}<p>3 0 2 0 1 0 0 0</p></trifans>'


def triangles(parts: list[Part]) -> np.ndarray:
    return np.concatenate([part.vertices[part.faces] for part in parts])


def volume(parts: list[Part]) -> float:
    corners = triangles(parts).reshape(-1, 3)
    return mesh_integrals(corners, np.arange(len(corners)).reshape(-1, 3))[0]


@pytest.mark.parametrize("faces", [SIDES + FLOOR, POLYGONS + STRIP + FAN, SIDES + FAN + '<lines count="1">{0}</lines>'])
def test_every_kind_of_face_closes_the_same_pyramid(faces: str) -> None:
    parts = read_collada(scene(faces=faces), "a.dae")
    assert volume(parts) == pytest.approx(4 / 3)
    assert len(triangles(parts)) == 6


@pytest.mark.parametrize(
    ("inside", "asset", "apex"),
    [
        (MESH, "", (0, 0, 1)),
        (MESH, '<unit meter="0.001"/><up_axis>Y_UP</up_axis>', (0, 0, 0.001)),  # axes of a URDF are those of the file
        (f"<translate>1 2 3</translate>{MESH}", "", (1, 2, 4)),
        (f"<rotate>1 0 0 90</rotate><translate>0 0 1</translate>{MESH}", "", (0, -2, 0)),
        (f"<scale>1 1 5</scale><node><translate>1 0 0</translate>{MESH}</node>", "", (1, 0, 5)),
        (f"<matrix>0 0 1 7 1 0 0 0 0 1 0 0 0 0 0 1</matrix>{MESH}", "", (8, 0, 0)),
        ('<rotate>0 0 1 90</rotate><instance_node url="#far"/>', "", (0, 4, 1)),
    ],
)
def test_nodes_and_units_place_the_mesh(inside: str, asset: str, apex: tuple[float, ...]) -> None:
    nodes = f'<node id="far"><translate>4 0 0</translate>{MESH}</node>'
    (first, _) = read_collada(scene(inside, asset=asset, nodes=nodes), "a.dae")
    np.testing.assert_allclose(first.vertices[4], apex, atol=1e-12)


def test_colours_and_meshes_without_a_scene() -> None:
    skin, floor = read_collada(scene(BIND.format("")), "a.dae")
    assert (skin.colour, floor.colour) == ((1.0, 0.25, 0.0), None)
    alone = scene().replace('<scene><instance_visual_scene url="#s"/></scene>', "")
    assert volume(read_collada(alone, "a.dae")) == pytest.approx(4 / 3)
    assert read_collada(scene(faces=""), "a.dae") == []


DOUBLES = "".join(
    f'<node id="n{k}"><instance_node url="#n{k + 1}"/><instance_node url="#n{k + 1}"/></node>' for k in range(40)
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<svg/>", "its first element is <svg>"),
        (f'<!DOCTYPE x [<!ENTITY a "b">]>{scene()[21:]}', "has a DOCTYPE"),
        (scene('<instance_geometry url="http://example.com/a.dae#m"/>'), "names another file"),
        (scene('<instance_geometry url="file:///etc/passwd"/>'), "names another file"),
        (scene('<instance_geometry url="#none"/>'), 'names "#none", which the file does not have'),
        (scene(points="1 2 x"), "<float_array> is not a list of numbers"),
        (scene(points="1 2"), "<float_array> has 2 numbers"),
        (scene(points="0 0 1"), "a face names a vertex that is not among the 1 of the mesh"),
        (scene(faces=FLOOR.replace(">4<", ">5<")), "<vcount> does not add up to the 4 vertices"),
        (scene(f"<rotate>1 0 0</rotate>{MESH}"), "<rotate> must have 4 numbers"),
        (scene(f"<skew>1 0 0</skew>{MESH}"), "<skew> is not read"),
        (scene('<instance_node url="#n0"/>', nodes=DOUBLES + f'<node id="n40">{MESH}</node>'), "too many nodes"),
        (scene('<instance_node url="#a"/>', nodes='<node id="a"><instance_node url="#a"/></node>'), "too deep"),
    ],
)  # fmt: skip
def test_refused(text: str, sentence: str) -> None:
    with pytest.raises(FormatError, match=r"^a\.dae") as raised:
        read_collada(text, "a.dae")
    assert sentence in str(raised.value)
