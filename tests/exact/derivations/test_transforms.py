"""Transforms in symbols are those in numbers, between any two frames; and the names of what is asked for alone."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Force, Frame, Joint, Link, Robot
from dynamis.apps.grading.check import check_answer
from dynamis.base.errors import ArgumentError
from dynamis.compute.quantities.entry_names import KINDS, read_names
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.derivations.robots.aligned import setting_of
from dynamis.exact.derivations.robots.methods import METHODS, MOTION
from dynamis.exact.derivations.robots.sheet import RobotSheet
from dynamis.exact.derivations.robots.transforms import direct_kinematics, link_transforms, many_links
from dynamis.exact.derive import derive, derive_only
from dynamis.telling.blocks import Document, Equation, Section, Words
from dynamis.telling.renderers.page import PAGE_FORMATS, render
from tests.support.coupled_robots import ROBOTS
from tests.support.exact_models import at, point, robots
from tests.support.pinocchio_trees import Reference
from tests.support.strategies import Case
from tests.support.strategies import robots as trees


def equations(derivation: Derivation, title: str = "") -> list[Equation]:
    blocks = [block for step in derivation.steps if title in ("", step.title) for block in step.blocks]
    return [block for block in blocks if isinstance(block, Equation)]


def matrices(derivation: Derivation) -> list[Any]:
    """What the equations of a derivation say."""
    return [part.right for part in equations(derivation)]


@settings(max_examples=20)
@given(st.one_of(robots(), st.sampled_from(list(ROBOTS.values()))), st.data())
def test_between_any_two_frames(robot: Robot, data: st.DataObject):
    """T_ab = T_0a^-1 T_0b of trees, fixed and coupled joints, skew axes; CoM frames and the tool."""
    robot = replace(robot, tool=Frame("tool", robot.links[-1].name, "Rx(pi/6) Tz(1/4)"))
    count = len(robot.links)
    frames = ["0", "tool", *(f"{c}{k}" for c in ("", "c") for k in range(1, count + 1))]
    a, b = data.draw(st.sampled_from(frames)), data.draw(st.sampled_from(frames))
    model, q = robot.equations(), np.linspace(-0.7, 1.1, robot.n)
    values = point(model, q, q, q)

    def pose(frame: str) -> np.ndarray:
        names = {"0": robot.base, "tool": "tool"} | {str(k): link.name for k, link in enumerate(robot.links, 1)}
        com = frame.startswith("c")
        return robot.com_pose(q, names[frame[1:]]) if com else robot.forward_kinematics(q, names[frame])

    def numbers(matrix: list[list[object]]) -> list[list[float]]:
        return [[at(entry, values) for entry in row] for row in matrix]

    wanted = np.linalg.inv(pose(a)) @ pose(b)
    (T,) = matrices(derive_only(model, f"T[{a},{b}]"))
    assert np.allclose(numbers(T), wanted, atol=1e-12)
    assert np.allclose(robot.forward_kinematics(q, b, relative_to=a), wanted, atol=1e-12)
    for k, A in enumerate(matrices(derive_only(model, "A")), 1):
        parent = robot.links[k - 1].parent
        below = np.linalg.inv(robot.forward_kinematics(q, parent)) if parent != robot.base else np.eye(4)
        assert np.allclose(numbers(A), below @ pose(str(k)), atol=1e-12)


def test_a_link_that_has_the_name_of_another_frame():
    """Links "c1" and "1": what could mean two frames is refused, and numbers are numbers on a page of all steps."""
    links = (
        Link("c1", Joint("q1"), mass="m", com=("a", 0, 0)),
        Link("1", Joint("q2", before="Ty(a)"), "c1", "m", (0, 0, "a")),
    )
    model = Robot("r", links, parameters={"m": "", "a": ""}).equations()
    for index, other in (("c1", "the CoM of link 1"), ("1", "link 1")):
        with pytest.raises(ArgumentError, match=f'"{index}" is both the link of that name and {other}; give the link'):
            derive_only(model, f"T[0,{index}]")
    (second,) = matrices(derive_only(model, "T[0,2]"))
    assert second == model.transform(0, 2) == model.transform(0, "1")
    first, *_ = matrices(derive_only(model, "A"))
    assert first == model.transform(0, 1) == model.transform(0, "c1") != second
    page = {e.left.index: e.right for e in equations(derive(model, steps=True), "Direct kinematics")}
    assert [str(row[3]) for row in page["0c1"]] == ["cos(q1)*a", "sin(q1)*a", "0", "1"]
    assert page["02"] == second


def test_a_link_that_is_called_as_the_com_of_a_link_that_there_is_not():
    """c9 and 12 of a robot with two links are the links of these names; T_0c9 would be the CoM of link 9."""
    links = (
        Link("12", Joint("q1"), mass="m", com=("a", 0, 0)),
        Link("c9", Joint("q2", before="Ty(a)"), "12", "m", (0, 0, "a")),
    )
    model = Robot("r", links, parameters={"m": "", "a": ""}).equations()
    for index, number in ("12", 1), ("c9", 2):
        ((left, right),) = ((e.left, e.right) for e in equations(derive_only(model, f"T[0,{index}]")))
        assert right == model.transform(0, number) == model.transform(0, index)
        assert left.index == f"0{number}"
    with pytest.raises(ArgumentError, match=r"there is no c8 among the CoMs of the links, which are c1 to c2"):
        derive_only(model, "T[0,c8]")


STANDARD = """\
cos(q1), -sin(q1)*cos(al), sin(q1)*sin(al), cos(q1)*a
sin(q1), cos(q1)*cos(al), -sin(al)*cos(q1), sin(q1)*a
0, sin(al), cos(al), d
0, 0, 0, 1"""
MODIFIED = """\
cos(q1), -sin(q1), 0, a
sin(q1)*cos(al), cos(q1)*cos(al), -sin(al), -sin(al)*d
sin(q1)*sin(al), sin(al)*cos(q1), cos(al), cos(al)*d
0, 0, 0, 1"""


@pytest.mark.parametrize(("convention", "wanted"), [("standard", STANDARD), ("modified", MODIFIED)])
def test_the_matrices_of_denavit_and_hartenberg(convention: str, wanted: str, tmp_path: Path):
    """All four parameters as symbols, as in the textbooks."""
    (tmp_path / "r.toml").write_text(
        f'[robot]\nname = "r"\nconvention = "{convention}-dh"\n[parameters]\nd = "d"\na = "a"\nal = "al"\n'
        '[[link]]\njoint = "revolute"\nname = "one"\ndh = { theta = 0, d = "d", a = "a", alpha = "al" }\n'
    )
    rows = dynamis.load(tmp_path / "r.toml").equations().transform(0, 1)
    assert "\n".join(", ".join(map(str, row)) for row in rows) == wanted


@pytest.mark.parametrize("method", METHODS)
def test_every_derivation_has_its_transforms(method: str):
    """A_i, T_0i, T_0ci and the tool, with the steps and without them."""
    model = dynamis.load("bar-2r").equations()
    for steps in (False, True) if method in MOTION else (False,):
        derivation = derive(model, method, steps=steps)
        counts = [len(equations(derivation, title)) for title in ("Transforms", "Direct kinematics")]
        assert counts == [2, 4]


@settings(max_examples=10)
@given(st.one_of(robots(), st.sampled_from(list(ROBOTS.values()))))
def test_transforms_without_steps(robot: Robot):
    """What every page and `show` have of any robot are its poses; only long products are not multiplied out."""
    robot = replace(robot, tool=Frame("tool", robot.links[-1].name, "Rx(pi/6) Tz(1/4)"))
    model, q = robot.equations(), np.linspace(-0.7, 1.1, robot.n)
    values = point(model, q, q, q)
    parents, base = (
        list(make) for make in (link_transforms(model, steps=False), direct_kinematics(model, steps=False))
    )
    poses = {"0tool": robot.forward_kinematics(q, "tool")}
    for k, link in enumerate(robot.links, 1):
        poses[f"0{k}"], poses[f"0c{k}"] = robot.forward_kinematics(q, link.name), robot.com_pose(q, link.name)
        poses[str(k)] = robot.forward_kinematics(q, link.name, relative_to=link.parent)
    shown = [part for part in (*parents, *base) if isinstance(part, Equation)]
    assert {part.left.index.replace(",", "") for part in shown} <= set(poses)
    assert len(shown) >= len(robot.links)
    matrices = RobotSheet(robot).as_dict()["transforms"]
    for part in shown:
        left, frames = part.left, part.left.index.replace(",", "")
        if part.right is None:
            continue
        numbers = [[at(entry, values) for entry in row] for row in part.right]
        assert np.allclose(numbers, poses[frames], atol=1e-12)
        name = f"A[{frames}]" if left.letter == "A" else f"T[0,{frames[1:]}]"
        assert matrices.pop(name) == [[str(entry) for entry in row] for row in part.right]
    assert not matrices


@settings(max_examples=5)
@given(trees(joints=(1, 3)))
def test_transforms_are_those_of_pinocchio(case: Case):
    """T_0i and T_0tool of trees in numbers."""
    robot, reference = case.robot(), Reference.of(case)
    model = robot.equations(numeric=True)
    values = point(model, case.q, case.q, case.q)
    pin.forwardKinematics(reference.model, reference.data, reference.q)
    for k in range(len(robot.links)):
        T = [[at(entry, values) for entry in row] for row in model.transform(0, k + 1)]
        assert np.allclose(T, reference.link_pose(k).homogeneous, atol=1e-9)


def test_long_products_and_many_links():
    """T_04 to T_06 of a six-joint arm stay products without steps; a robot of many links has one sentence."""
    puma = dynamis.load("puma560").equations()
    *parts, words = direct_kinematics(puma, steps=False)
    products = [part.left.index for part in parts if isinstance(part, Equation) and part.right is None]
    assert products == ["04", "05", "06", "0c2", "0c3", "0c4", "0c6"]
    assert isinstance(words, Words)
    assert (
        words.prose == "Long products are left as they are; "
        'dynamis.derive_only(robot.equations(), "T[0,4]") multiplies one out.'
    )
    links = tuple(Link(f"l{k}", Joint(f"q{k}"), f"l{k - 1}" if k else "base", 1) for k in range(13))
    (words,) = many_links(Robot("snake", links).equations())
    assert "A[13]" in words.prose
    assert "transforms: dynamis.derive_only(" in str(RobotSheet(Robot("snake", links)))


@settings(max_examples=4)
@given(robots(), st.sampled_from(["text", "latex"]))
def test_wide_matrices_read_back(robot: Robot, form: str):
    """Whole, with named entries, or by entries: what a page has is what `check` reads."""
    last = len(robot.links)
    page = render(derive_only(robot.equations(), f"A, T[0,{last}], Jv[{last}]"), form, width=60)
    report = check_answer(robot, page)
    assert {entry.status for entry in report.entries} == {"equal"}
    assert not report.unread


def test_several_at_once_and_whole_matrices():
    model = dynamis.load("bar-2r").equations()
    derivation = derive_only(model, "M c; g[2], C T[0,c1]")
    assert derivation.title == "M, c, g[2], C and T[0,c1] of bar-2r"
    assert matrices(derivation) == [
        model.M.rows(), model.coriolis, model.gravity[1], model.coriolis_matrix, model.transform(0, "c1"),
    ]  # fmt: skip


def test_long_entries_of_a_matrix_share_their_named_terms():
    model = dynamis.load("niryo-one").equations()
    derivation = derive_only(model, "c")
    names = [(part.left.letter, part.left.index) for part in equations(derivation)]
    assert len(names) == len(set(names))
    assert ("x", "1") in names


@pytest.mark.parametrize("form", PAGE_FORMATS)
def test_every_format_has_transforms(form: str):
    page = render(derive_only(dynamis.load("genova-3r").equations(), "A, T[c2,c1], T[0,tool]"), form)
    assert page.count("sin") > 10


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("M", "M"),
        ("M12", "M[1,2]"),
        ("c121 c1", "christoffel[1,2,1] c[1]"),
        ("T02 T_12 T0c2 T2tool T[tool] T[c1]", "T[0,2] T[1,2] T[0,c2] T[2,tool] T[0,tool] T[0,c1]"),
        ("T T1 T[2]", "T T[1] T[2]"),
        ("J(2, 3),Jv1; Jw_2", "J[2,3] Jv[1] Jw[2]"),
        ("T[0, my frame]", "T[0,my frame]"),
        ("M[1,1], M11 M[1,1]", "M[1,1]"),
    ],
)
def test_names(text: str, names: str):
    assert " ".join(map(str, read_names(text))) == names


def test_a_transform_is_not_taken_for_a_kinetic_energy():
    with pytest.raises(ArgumentError, match=r"T12 may be the transform T\[1,2\] or the kinetic energy T\[12\] "):
        read_names("T12", 12, 12)
    assert str(*read_names("T[12]", 12, 12)) == "T[12]"


def test_every_example_is_an_entry():
    model = dynamis.load("bar-2r").equations(loads=[Force("link2", ("fx", "fy", 0))])
    for kind in KINDS.values():
        for example in kind.examples:
            assert derive_only(model, example).steps


def test_products_in_the_plane_keep_their_steps():
    """CoM frames of four links stay products, also where the other transforms are 3x3."""
    links = tuple(
        Link(f"l{k}", Joint(f"q{k}", before="Tx(a)"), f"l{k - 1}" if k else "base", 1, ("a", 0, 0)) for k in range(4)
    )
    model = Robot("four", links, parameters={"a": ""}).equations()
    plane = setting_of(model).plane
    assert plane is not None
    parts = tuple(plane.flattened(lambda: direct_kinematics(model)))
    page = render(Document("", (Section("", parts),), ring=model.ring))
    assert "𝐓₀c₄ = 𝐓₀₄ Tx(a)\n" in page
    assert {len(part.right) for part in parts if isinstance(part, Equation) and part.right} == {3}
