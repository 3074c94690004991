"""COLLADA texts: a square pyramid of two materials, in a scene of one's own."""

from __future__ import annotations

from typing import Any

POINTS = "1 1 0  -1 1 0  -1 -1 0  1 -1 0  0 0 1"
SIDES = '<triangles count="4" material="skin">{0}<p>0 0 1 0 4 0  1 0 2 0 4 0  2 0 3 0 4 0  3 0 0 0 4 0</p></triangles>'
FLOOR = '<polylist count="1" material="floor">{0}<vcount>4</vcount><p>3 0 2 0 1 0 0 0</p></polylist>'
INPUTS = '<input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>'
MESH = '<instance_geometry url="#pyramid"/>'
BIND = """<node>{0}<instance_geometry url="#pyramid"><bind_material><technique_common>
<instance_material symbol="skin" target="#red"/></technique_common></bind_material></instance_geometry></node>"""
TEXT = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{asset}</asset>
<library_effects><effect id="red-effect"><profile_COMMON><technique><phong>
<diffuse><color>1 0.25 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="red"><instance_effect url="#red-effect"/></material></library_materials>
<library_geometries><geometry id="pyramid"><mesh>
<source id="p"><float_array count="15">{points}</float_array>
<technique_common><accessor stride="3"/></technique_common></source>
<source id="n"><float_array count="3">0 0 1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{faces}</mesh></geometry></library_geometries>
<library_nodes>{nodes}</library_nodes>
<library_visual_scenes><visual_scene id="s">{inside}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def scene(inside: str = MESH, faces: str = SIDES + FLOOR, **parts: Any) -> str:
    """A file whose scene holds `inside`; `parts` are other texts of it: asset, points, nodes."""
    inside = inside if inside.startswith("<node") else f"<node>{inside}</node>"
    given = {"asset": "", "points": POINTS, "nodes": ""} | parts
    return TEXT.format(inside=inside, faces=faces.format(INPUTS), **given)
