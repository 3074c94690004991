"""Drawings of robots: what is drawn is where kinematics puts it, labels keep apart, any robot can be drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Force, Joint, Link, Moment, Robot, ToolWrench
from dynamis.base.expressions.expression import Expression
from dynamis.base.expressions.parser import parse
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.exact.derive import derive
from dynamis.model.dh_frames import dh_convention
from dynamis.model.link import NO_INERTIA
from dynamis.telling.blocks import Document, Figure
from dynamis.telling.drawing.drawing import Drawing
from dynamis.telling.drawing.numbers import free_numbers
from dynamis.telling.pictures.text import plain_text
from dynamis.telling.renderers.page import render
from tests.support.drawings import check, crossed
from tests.support.large_robots import chain, star
from tests.support.strategies import coupled, robots

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")
SHIPPED = (
    "bar-2r", "cartesian", "deluca-2r", "deluca-2r-offaxis", "genova-2r", "genova-3r", "genova-rp", "niryo-one",
    "panda", "parallelogram", "planar-elbow", "puma560", "stanford", "ur5",
)  # fmt: skip


def texts(drawing: Drawing) -> list[str]:
    return sorted(plain_text(label.text) for label in drawing.picture.labels)


@pytest.mark.parametrize("name", SHIPPED)
def test_labels_of_shipped_robots_keep_apart(name):
    robot = dynamis.load(name)
    for q in (None, 0.4 + 0.3 * np.arange(robot.n)):
        drawing = robot.draw(q)
        check(drawing)
        assert crossed(drawing) == []
    # Stretched arms lie over themselves.
    check(robot.draw(np.zeros(robot.n)))
    tool = ToolWrench("exerted_by_tool", force=(1, -2, 3), moment=(0, 0, 1))
    check(robot.draw(loads=[tool], reactions=True))


@settings(max_examples=8)
@given(robots(joints=(1, 8), loads=True), st.integers(0, 9))
def test_labels_of_any_robot_keep_apart(case, seed):
    robot = case.robot()
    given_loads = {"loads": case.loads, "gravity": case.gravity_given}
    check(robot.draw(case.q, case.qd, case.qdd, reactions=True, **given_loads))
    check(robot.draw())
    if robot.n > 1:
        check(coupled(case, seed)[0].draw())


def test_a_small_load_has_a_true_minus_sign_in_its_exponent():
    push = ToolWrench("exerted_by_tool", force=(3e-7, 0, 0), moment=(0, 0, 0))
    labels = [plain_text(label.text) for label in dynamis.load("bar-2r").draw([0.5, 0.7], loads=[push]).picture.labels]
    assert any("3e−07 N" in label for label in labels)
    assert not any("-" in label for label in labels)


def test_a_flat_arm_is_drawn_to_scale_and_the_joints_stand_on_their_points():
    robot = dynamis.load("bar-2r").with_values(L1=0.5, L2=0.25)
    q = [0.5, 0.7]
    picture = robot.draw(q).picture
    base, elbow = (np.array(mark.centre) for mark in picture.marks if getattr(mark, "radius", 0) == 5)
    tips = [path.points[-1] for path in picture.paths("link")]
    scale = np.linalg.norm(elbow - base) / 0.5
    tool = robot.forward_kinematics(q)[:2, 3]
    assert min(np.linalg.norm(base + scale * tool - tip) for tip in tips) < 0.05
    angle = np.arctan2(*(elbow - base)[::-1])
    assert angle == pytest.approx(q[0], abs=1e-3)


def test_what_a_textbook_names_is_named():
    assert texts(dynamis.load("deluca-2r").draw([0.5, 0.7])) == [
        "C1", "C2", "a1 = l1", "a2 = l2", "d1", "d2", "g", "q1", "q2", "x0", "x1", "x2", "y0", "y1", "y2",
    ]  # fmt: skip
    stanford = texts(dynamis.load("stanford").draw([-0.9, -0.1, 0.3, -0.2, 0.5, -0.7]))
    assert {"d1 = r1", "d2 = r2", "d6 = r6", "α1 = −90°", "α2 = 90°", "z0", "x0", "y0", "z6", "q3", "C6"} <= set(
        stanford
    )
    assert {"l_c1", "l_c2", "l1", "l2"} <= set(texts(dynamis.load("planar-elbow").draw()))
    coupled_arm = texts(dynamis.load("parallelogram").draw())
    assert {"q3 = q1 − q2", "q4 = −q1 + q2", "a", "b", "l"} <= set(coupled_arm)
    assert {"l1 + l2", "l3", "d", "q6"} <= set(texts(dynamis.load("niryo-one").draw()))


def test_a_notation_names_coordinates_and_lengths():
    assert {"θ1", "θ2", "L1", "a1 = L1"} & set(texts(dynamis.load("deluca-2r").draw(notation="craig"))) == {
        "θ1", "θ2", "a1 = L1",
    }  # fmt: skip
    assert {"θ1", "d2"} <= set(texts(dynamis.load("genova-rp").draw(notation="craig")))
    with pytest.raises(UnknownNameError, match="unknown notation"):
        dynamis.load("deluca-2r").draw(notation="crag")


def test_derivations_begin_with_the_drawing():
    derivation = derive(dynamis.load("genova-2r").equations())
    html = derivation.page("html", notation="craig")
    assert html.index("<svg") < html.index("Assumptions")
    assert "kinematic scheme at q" in html
    assert "tikzpicture" in derivation.page("latex")
    assert "kinematic scheme" not in derivation.page()
    assert "<svg" not in derive(dynamis.load("genova-2r").equations(), steps=False).page("html")
    too_many = Document("", (Figure("mechanism", lambda: chain(45).draw().picture, schematic=True),))
    assert "<svg" not in render(too_many, "html")


def test_a_centre_of_mass_beside_its_link_hangs_on_it():
    """Those of links 2 and 4 of the Stanford arm lie on their links."""
    picture = dynamis.load("stanford").draw().picture
    strings = picture.paths("body")
    assert len(strings) == 4
    discs = [mark.centre for mark in picture.marks if getattr(mark, "role", "") == "CoM" and hasattr(mark, "centre")]
    assert all(min(np.hypot(x - u, y - v) for u, v in discs) < 0.05 for x, y in (p.points[-1] for p in strings))
    assert dynamis.load("deluca-2r").draw().picture.paths("body") == ()


def test_frames_and_dimensions_can_be_left_out():
    robot = dynamis.load("puma560")
    assert texts(robot.draw(frames=False, dimensions=False)) == [
        *(["C2", "C3"]), *[t for t in texts(robot.draw(frames=False, dimensions=False)) if t.startswith("C4")],
        *[t for t in texts(robot.draw(frames=False, dimensions=False)) if t.startswith("C5")],
        *[t for t in texts(robot.draw(frames=False, dimensions=False)) if t.startswith("C6")],
        "g", "q1", "q2", "q3", "q4", "q5", "q6",
    ]  # fmt: skip
    assert "z3" in texts(robot.draw())
    assert "a2" in texts(robot.draw())


def test_loads_and_reactions_are_arrows():
    robot = dynamis.load("genova-2r")
    loads = [Force("link2", (0, -30, 0), point=(0.4, 0, 0)), Moment("link1", (0, 0, 5))]
    drawing = robot.draw([0.3, 0.4], loads=loads, reactions=True)
    assert {"F = 30 N", "M = 5 N m", "F_1/0", "M_1/0", "F_2/1", "M_2/1"} <= set(texts(drawing))
    (shaft, *_), heads = drawing.picture.paths("load"), [p for p in drawing.picture.paths("load") if p.closed]
    (x0, y0), (x1, y1) = shaft.points[0], shaft.points[-1]
    assert x0 == pytest.approx(x1, abs=0.02)
    assert y1 < y0
    assert len(heads) == 2
    assert drawing.picture.paths("reaction")
    two = [Force("link2", (1, 0, 0)), Force("link2", (0, 2, 0))]
    assert {"F1 = 1 N", "F2 = 2 N"} <= set(texts(robot.draw([0.3, 0.4], loads=two)))
    symbolic = robot.draw([0.3, 0.4], loads=[Force("link2", ("fx", 0, 0))])
    assert "F" in texts(symbolic)
    assert "fx = 10" in symbolic.caption


@settings(max_examples=8)
@given(robots(joints=(1, 5)))
def test_millimetres_and_kilometres_give_one_picture(case):
    """Lengths times 1024 are the same floats with other exponents, so nothing but the caption may change."""
    robot = case.robot()
    prismatic = np.array([not joint.revolute for joint in robot.coordinates], dtype=bool)
    large = scaled(robot, parse("1024"))
    pictures = large.draw(np.where(prismatic, 1024 * case.q, case.q)).picture, robot.draw(case.q).picture
    one, other = (replace(picture, title="") for picture in pictures)
    assert one == other


def scaled(robot: Robot, factor: Expression) -> Robot:
    def longer(placement):
        steps = [replace(s, amount=s.amount * factor) if s.kind == "T" else s for s in placement.steps]
        return replace(placement, steps=tuple(steps))

    links = []
    for link in robot.links:
        joint = replace(link.joint, before=longer(link.joint.before), after=longer(link.joint.after))
        links.append(replace(link, joint=joint, com=tuple(x * factor for x in link.com), inertia=NO_INERTIA))
    assert robot.tool is not None
    return replace(robot, links=tuple(links), tool=replace(robot.tool, placement=longer(robot.tool.placement)))


@pytest.mark.parametrize("q", [1e-9, 1e9, 1e50])
def test_any_q_can_be_drawn(q):
    """Whole turns look like none; a rod of any length takes one page."""
    check(dynamis.load("parallelogram").draw([q, -q]))
    check(dynamis.load("stanford").draw([q] * 6))
    with pytest.raises(ArgumentError, match=r'robot "stanford" has points beyond 1e\+100 m at this q'):
        dynamis.load("stanford").draw([1e200] * 6)


@pytest.mark.parametrize("gravity", [(0, 0, 0), (9.81, 0, 0), (0, 0, 9.81), (5, 3, -7)])
def test_robots_on_walls_and_ceilings(gravity):
    """Up on the page is against gravity, and the arm stays on its side of the mounting plane."""
    drawing = dynamis.load("ur5").with_gravity(gravity).draw()
    check(drawing)
    arrows = drawing.picture.paths("gravity")
    assert bool(arrows) == any(gravity)
    if arrows:
        (x0, y0), (x1, y1) = arrows[0].points
        assert (x0, y1 < y0) == (pytest.approx(x1, abs=0.02), True)


def test_a_picture_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setattr("dynamis.telling.drawing.drawing.find_spec", lambda name: None)
    drawing = dynamis.load("bar-2r").draw()
    with pytest.raises(ArgumentError, match=r'a .png needs matplotlib: pip install "dynamis\[report\]"; .svg'):
        drawing.save(tmp_path / "a.png")
    drawing.save(tmp_path / "a.svg")


def test_equal_robots_give_equal_drawings():
    assert dynamis.load("ur5").draw() == dynamis.load("ur5").draw()


def test_joints_in_one_point_are_drawn_apart():
    """A spherical wrist: three drums, each on its axis, none over another one."""
    picture = dynamis.load("stanford").draw([-0.6, -0.1, 0.3, -0.2, 0.5, -0.7]).picture
    drums = [path for path in picture.paths("joint") if path.fill == "paper" and len(path.points) > 8]
    middles = [np.mean(path.points, axis=0) for path in drums]
    assert len(drums) == 5  # and a sleeve
    assert min(np.linalg.norm(a - b) for a, b in combinations(middles, 2)) > 8


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "continuous", "fixed"])
def test_a_link_without_length_can_be_drawn(kind):
    robot = Robot("point", (Link("only", Joint("j", kind)),))
    check(robot.draw())
    check(robot.draw(np.zeros(robot.n)))
    check(robot.free_body("only"))


def test_hostile_names_are_text():
    name = '<b>$"&%_'
    links = (Link(name, Joint(name, before="Tx(1)"), mass=1), Link("b", Joint("x" * 90, before="Ty(1)"), name, mass=1))
    drawing = Robot(name, links).draw()
    check(drawing)
    assert name in texts(drawing)
    assert "q2" in texts(drawing)
    assert "<b>" not in drawing.svg()
    assert "<b>" not in drawing.page("html")


def test_what_has_no_value_is_drawn_with_a_number_that_the_caption_tells():
    robot = dynamis.load("deluca-2r-offaxis")
    chosen = {name: float(value) for name, value in free_numbers(robot).items()}
    assert chosen["l1"] == 1
    assert chosen["rc1x"] == -0.5
    assert chosen["m1"] == 1
    assert "Drawn with l1 = 1, l2 = 1, rc1x = −0.5" in robot.draw().caption
    half = robot.with_values(l1=0.2)
    assert float(free_numbers(half)["l2"]) == pytest.approx(0.2)


def test_conventions_of_frames():
    known = {name: dh_convention(dynamis.load(name)) for name in SHIPPED}
    assert {name for name, kind in known.items() if kind == "standard"} == {
        "deluca-2r", "deluca-2r-offaxis", "puma560", "stanford", "ur5",
    }  # fmt: skip
    assert known["panda"] == "modified"
    assert known["niryo-one"] == known["genova-3r"] == ""


def test_many_links_have_no_frames_and_too_many_are_refused():
    check(chain(16).draw())
    assert not [text for text in texts(chain(12).draw()) if text.startswith("x")]
    for robot in (chain(100), star(60)):
        with pytest.raises(ArgumentError, match=r"has \d+ links; a drawing has room for 40"):
            robot.draw()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"q": [1]}, "q must have one value per joint, got 1 value"),
        ({"q": [[1, 2], [3, 4]]}, "q must be one state for a drawing, got shape"),
        ({"q": [np.nan, 0]}, "q must be finite for a drawing"),
        ({"loads": [Force("forearm", (1, 0, 0))]}, 'unknown link or frame "forearm"'),
        ({"gravity": (1, 2)}, "gravity must be True, False or three finite values"),
    ],
)
def test_bad_arguments_end_in_one_sentence(arguments, message):
    with pytest.raises((ArgumentError, UnknownNameError), match=message):
        dynamis.load("bar-2r").draw(**arguments)


def test_formats_of_files(tmp_path):
    drawing = dynamis.load("bar-2r").draw([0.5, 0.7])
    for name, begin in (("a.svg", "<svg"), ("a.tikz", "\\begin{tikzpicture}"), ("a.tex", "\\documentclass[tikz]")):
        drawing.save(tmp_path / name)
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert re.sub(r"^% dynamis .*\n", "", text).startswith(begin)
    with pytest.raises(ArgumentError, match=r'must end in .svg, .pdf, .png, .tikz, .tex, got "a.jpg"'):
        drawing.save("a.jpg")
    assert drawing._repr_svg_().startswith("<svg")
    assert "<svg" in drawing._repr_html_()
    data = drawing.as_dict()
    assert data["robot"] == "bar-2r"
    assert "q1" in [label["text"] for label in data["labels"]]
