"""Visual meshes of a URDF in the page: where they stand, how large they get, and which files are read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

import dynamis
from dynamis.apps.live.visuals import MAX_FACES, _roots, coarser, mesh_file, visuals
from dynamis.base.errors import DynamisError
from tests.support.collada import BIND, scene
from tests.support.mesh_arm import mesh_arm


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    return mesh_arm(tmp_path)


def test_visuals_stand_on_their_links(urdf: Path) -> None:
    found, problem = visuals(dynamis.load(str(urdf)))
    assert problem == ""
    assert [(x["link"], x["shape"]) for x in found] == [(-1, "cylinder"), (0, "mesh"), (1, "mesh"), (1, "box")]
    base, upper, _, tool = (np.array(x["at"]).reshape(4, 4).T for x in found)
    np.testing.assert_allclose(base @ [0, 0, 0, 1], [0, 0, 0, 1], atol=1e-12)  # from the floor, 0.2 m up
    np.testing.assert_allclose(base @ [0, 0, 1, 1], [0, 0, 0.2, 1], atol=1e-12)
    np.testing.assert_allclose(np.diag(upper), [0.001, 0.001, 0.001, 1])
    np.testing.assert_allclose(tool[:3, 3], [0, 0, 0.35])  # on a fixed joint, which is merged into its parent
    assert found[1]["colour"] == (0.9, 0.5, 0.1)
    assert found[2]["colour"] is None


def test_colours_of_collada_are_those_of_its_materials_unless_the_urdf_gives_one(urdf: Path) -> None:
    (urdf.parents[1] / "meshes/fore.dae").write_text(scene(BIND.format("<translate>0 0 2</translate>")))
    text = urdf.read_text().replace("../meshes/fore.obj", "../meshes/fore.dae")
    urdf.write_text(text)
    *_, fore, bare, _ = visuals(dynamis.load(str(urdf)))[0]
    assert [fore["colour"], bare["colour"]] == [(1.0, 0.25, 0.0), None]
    assert np.add(fore["mesh"]["low"], fore["mesh"]["span"])[2] == pytest.approx(3.0)
    urdf.write_text(text.replace('fore.dae"/></geometry>', 'fore.dae"/></geometry><material name="orange"/>'))
    *_, fore, bare, _ = visuals(dynamis.load(str(urdf)))[0]
    assert fore["colour"] == bare["colour"] == (0.9, 0.5, 0.1)


def test_many_loose_triangles_stay_within_what_the_page_can_number() -> None:
    corners = np.random.default_rng(1).uniform(0, 1, (90_000, 3))
    vertices, faces = coarser(corners, np.arange(90_000).reshape(-1, 3), MAX_FACES)
    assert len(vertices) <= 65_536
    assert len(faces) <= MAX_FACES
    assert faces.max() == len(vertices) - 1


def test_large_meshes_get_coarser() -> None:
    ball = trimesh.creation.icosphere(subdivisions=5)
    vertices, faces = coarser(np.asarray(ball.vertices), np.asarray(ball.faces), 2000)
    assert 600 < len(faces) <= 2000
    np.testing.assert_allclose(np.linalg.norm(vertices, axis=1), 1.0, atol=0.08)
    assert trimesh.Trimesh(vertices, faces).volume == pytest.approx(ball.volume, rel=0.08)
    box = trimesh.creation.box()
    same = coarser(np.asarray(box.triangles).reshape(-1, 3), np.arange(36).reshape(12, 3), MAX_FACES)
    assert [len(x) for x in same] == [8, 12]  # corners that are given once per face are one


def test_only_files_beside_the_urdf_or_in_its_package_are_read(urdf: Path, tmp_path: Path) -> None:
    meshes = urdf.parents[1] / "meshes"
    assert mesh_file("package://arm_description/meshes/upper.stl", urdf) == meshes / "upper.stl"
    assert mesh_file("../meshes/fore.obj", urdf) == meshes / "fore.obj"
    outside = tmp_path / "secret.stl"
    trimesh.creation.box().export(outside)
    (meshes / "link.stl").symlink_to(outside)
    for name in (
        str(outside), f"file://{outside}", "http://example.com/a.stl", "package://arm_description/../secret.stl",
        "../../secret.stl", "package://../secret.stl", "../meshes/link.stl", "package://other/a.stl", "missing.stl",
    ):  # fmt: skip
        with pytest.raises(DynamisError, match=r"is not found beside the file or in its package"):
            mesh_file(name, urdf)


def test_a_folder_with_the_name_of_a_package_is_none(urdf: Path, tmp_path: Path) -> None:
    """The name is a stranger's: without package.xml it may be any folder, such as /etc."""
    (tmp_path / "private").mkdir()
    trimesh.creation.box().export(tmp_path / "private" / "secret.stl")
    for name in ("package://private/secret.stl", f"package://{tmp_path.name}/private/../private/secret.stl"):
        with pytest.raises(DynamisError, match=r"is not found beside the file or in its package"):
            mesh_file(name, urdf)
    assert _roots(urdf.parent, "etc") == [urdf.parent / "etc"]
    assert _roots(urdf.parent, tmp_path.name) == [urdf.parent / tmp_path.name]
    (tmp_path / "private" / "package.xml").write_text("<package/>")
    assert mesh_file("package://private/secret.stl", urdf) == tmp_path / "private" / "secret.stl"
    (urdf.parent / "parts").mkdir()
    trimesh.creation.box().export(urdf.parent / "parts" / "a.stl")
    assert mesh_file("package://parts/a.stl", urdf) == urdf.parent / "parts" / "a.stl"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("../meshes/fore.obj", "../meshes/none.obj", 'the mesh "../meshes/none.obj" is not found'),
        ("../meshes/fore.obj", "arm.urdf", 'a mesh must be a file .stl, .obj, .ply, .glb, .dae, got ".urdf"'),
        ('<box size="0.06 0.06 0.1"/>', "<cone/>", "<geometry> of a visual must be one of box, cylinder, sphere, mesh"),
    ],
)
def test_a_page_without_its_meshes_says_so(urdf: Path, old: str, new: str, sentence: str) -> None:
    urdf.write_text(urdf.read_text().replace(old, new))
    found, problem = visuals(dynamis.load(str(urdf)))
    assert found == []
    assert sentence in problem
    report = dynamis.report(dynamis.load(str(urdf)))
    assert any(sentence in note for note in report.document().notes)


def test_robots_without_a_urdf_have_none() -> None:
    assert visuals(dynamis.load("bar-2r")) == ([], "")
