"""Meshes: four formats, defects by name, repair, and what happens without the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

import dynamis
from dynamis import Body
from dynamis.bodies.mesh import SUFFIXES


@pytest.fixture(scope="module")
def ball() -> Any:
    return trimesh.creation.icosphere(subdivisions=3)


def written(mesh: Any, path: Path) -> Path:
    mesh.export(path)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_formats(ball: Any, suffix: str, tmp_path: Path):
    moved = ball.copy()
    moved.apply_translation([1, 2, 3])
    found = Body.mesh(written(moved, tmp_path / f"ball{suffix}"), density=2).properties()
    assert found.mass == pytest.approx(2 * moved.volume, rel=1e-6)
    np.testing.assert_allclose(found.com, [1, 2, 3], atol=1e-6)
    np.testing.assert_allclose(found.inertia, 2 * moved.moment_inertia, atol=1e-5)


def test_far_from_the_origin_nothing_is_lost(ball: Any, tmp_path: Path):
    """The integrals are about the middle of the mesh, so a far mesh keeps its inertia."""
    near = Body.mesh(written(ball, tmp_path / "a.ply"), mass=1).properties()
    far = ball.copy()
    far.vertices = np.asarray(ball.vertices, dtype=np.float32).astype(float)
    from dynamis.bodies.mesh import mesh_integrals

    _, _, inertia = mesh_integrals(far.vertices + 1000.0, np.asarray(far.faces))
    assert np.abs(inertia / ball.volume - near.inertia).max() < 1e-6


def test_scale_and_letters(ball: Any, tmp_path: Path):
    path = written(ball, tmp_path / "ball.stl")
    small = Body.mesh(path, density="rho", scale=0.001)
    assert small.parameters() == {"rho"}
    found = small.with_values(rho=1e9).properties()
    assert found.mass == pytest.approx(ball.volume, rel=1e-6)
    by_mass = Body.mesh(path, mass=3).properties()
    assert by_mass.mass == pytest.approx(3, rel=1e-14)
    assert by_mass.inertia[0, 0] == pytest.approx(0.4 * 3, rel=0.02)


def test_not_watertight(ball: Any, tmp_path: Path):
    ball = ball.copy()
    ball.update_faces(np.arange(len(ball.faces)) > 0)
    path = written(ball, tmp_path / "open.stl")
    with pytest.raises(
        dynamis.ModelError,
        match=r"open.stl: the mesh is not watertight: 3 of its 1920 edges belong to one face only, the first at \(-",
    ):
        Body.mesh(path, density=1)
    body = Body.mesh(path, density=1, repair=True)
    assert getattr(body.content, "repaired", None) == ("closed holes with 1 faces",)
    assert body.properties().mass == pytest.approx(4.1527, abs=1e-4)


def test_inverted(ball: Any, tmp_path: Path):
    ball = ball.copy()
    ball.invert()
    path = written(ball, tmp_path / "inside-out.stl")
    with pytest.raises(dynamis.ModelError, match=r"is inverted: its faces look inward, so that its volume is -4\.153"):
        Body.mesh(path, density=1)
    assert Body.mesh(path, density=1, repair=True).properties().mass == pytest.approx(4.1527, abs=1e-4)


def test_faces_against_each_other(ball: Any, tmp_path: Path):
    faces = np.array(ball.faces)
    faces[5] = faces[5][::-1]
    path = written(trimesh.Trimesh(ball.vertices, faces, process=False), tmp_path / "mixed.ply")
    with pytest.raises(dynamis.ModelError, match="has faces turned against their neighbours, along 3 of its edges"):
        Body.mesh(path, density=1)
    assert Body.mesh(path, density=1, repair=True).properties().mass == pytest.approx(4.1527, abs=1e-4)


def test_no_volume(tmp_path: Path):
    flat = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    path = written(flat, tmp_path / "flat.ply")
    with pytest.raises(dynamis.ModelError, match="has the volume 0; its faces close no volume"):
        Body.mesh(path, density=1)


def test_two_bodies_in_one_file(ball: Any, tmp_path: Path):
    other = ball.copy()
    other.apply_translation([5, 0, 0])
    scene = trimesh.Scene([ball, other])
    found = Body.mesh(written(scene, tmp_path / "two.glb"), density=1).properties()
    np.testing.assert_allclose(found.com, [2.5, 0, 0], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.stl", b"hello", "the mesh has no faces|is not a mesh"),
        ("a.glb", b"hello", "is not a mesh that can be read"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n", "is not a mesh|has no faces|not watertight"),
        ("a.ply", b"\x00\x01", "is not a mesh that can be read"),
        ("a.step", b"", 'a mesh must be a file .stl, .obj, .ply, .glb, got ".step"'),
    ],
)
def test_files_that_are_no_meshes(name: str, text: bytes, message: str, tmp_path: Path):
    (tmp_path / name).write_bytes(text)
    with pytest.raises(dynamis.DynamisError, match=message):
        Body.mesh(tmp_path / name, density=1)


def test_wrong_words(ball: Any, tmp_path: Path):
    path = written(ball, tmp_path / "ball.stl")
    for values, message in (
        ({}, "a mesh has no mass; give a mass"),
        ({"mass": 1, "density": 2}, "a mesh has mass and density; give a mass"),
        ({"density": "x"}, "the density of a mesh is the same everywhere"),
        ({"density": -1}, "density of a mesh must be > 0, got -1"),
        ({"density": 1, "scale": 0}, "scale must be a number from 1e-12"),
    ):
        with pytest.raises(dynamis.DynamisError, match=message):
            Body.mesh(path, **values)
    with pytest.raises(dynamis.FormatError, match="no such file"):
        Body.mesh(tmp_path / "none.stl", density=1)


def test_an_obj_reads_no_other_file(ball: Any, tmp_path: Path):
    secret = tmp_path / "secret.mtl"
    secret.write_text("newmtl x\nmap_Kd secret.png\n")
    path = written(ball, tmp_path / "ball.obj")
    path.write_text("mtllib secret.mtl\nusemtl x\n" + path.read_text())
    assert Body.mesh(path, density=1).properties().mass == pytest.approx(4.1527, abs=1e-4)


def test_without_trimesh(ball: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = written(ball, tmp_path / "ball.stl")
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(dynamis.ArgumentError, match=r'meshes need trimesh: pip install "dynamis\[mesh\]"'):
        Body.mesh(path, density=1)


def box_obj() -> bytes:
    text = trimesh.creation.box().export(file_type="obj")
    return text.encode() if isinstance(text, str) else bytes(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (box_obj() + b"f 1 2 99\n", r"is not a mesh that can be read"),
        (box_obj() + b"f 1 2 -99\n", r"is not a mesh that can be read"),
        (b"v 0 0\nv 1 0\nv 1 1\nf 1 2 3\n", r"a vertex has three coordinates"),
        (b"v 1e308 0 0\nv 0 1e308 0\nv 0 0 1\nf 1 2 3\n", r"a coordinate of 1e\+308; at most 1e\+09 is read"),
    ],
    ids=["missing vertex", "missing vertex from the end", "two coordinates", "overflow"],
)
@pytest.mark.parametrize("repair", [False, True])
def test_broken_files(text: bytes, message: str, repair: bool, tmp_path: Path):
    path = tmp_path / "a.obj"
    path.write_bytes(text)
    with pytest.raises(dynamis.DynamisError, match=message):
        Body.mesh(path, density=1, repair=repair)


def test_faces_that_name_missing_vertices(tmp_path: Path):
    path = tmp_path / "a.ply"
    head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    faces = "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    path.write_text(f"{head}{faces}0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n")
    with pytest.raises(dynamis.FormatError, match=r"a face names vertex 7, counted from 0, and the mesh has 3"):
        Body.mesh(path, density=1)


@pytest.mark.parametrize("suffix", [".obj", ".stl"])
def test_bytes_that_are_not_utf8(suffix: str, tmp_path: Path):
    text = box_obj() if suffix == ".obj" else trimesh.exchange.stl.export_stl_ascii(trimesh.creation.box()).encode()
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"# \xe4\n" + text if suffix == ".obj" else text.replace(b"solid ", b"solid \xe4", 1))
    assert Body.mesh(path, density=1).properties().mass == pytest.approx(1)


def test_repair_says_that_it_drops_vertices(tmp_path: Path):
    path = tmp_path / "a.obj"
    path.write_bytes(box_obj() + b"v nan 0 0\nf 1 2 9\n")
    with pytest.raises(dynamis.ModelError, match="a vertex that is not finite"):
        Body.mesh(path, density=1)
    content: Any = Body.mesh(path, density=1, repair=True).content
    assert content.repaired == ("took 1 vertices that are not finite away, with 1 faces",)


def test_nothing_is_logged_about_a_broken_file(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    path = tmp_path / "a.stl"
    text = trimesh.exchange.stl.export_stl_ascii(trimesh.creation.box())
    path.write_text(text.replace("normal", "normal x", 1))
    assert Body.mesh(path, density=1).properties().mass == pytest.approx(1)
    assert caplog.records == []
