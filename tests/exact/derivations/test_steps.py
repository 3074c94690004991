"""Every line of a derivation is true: the rule with the robot's quantities in it gives the result."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Force, Joint, Link, Moment, ToolWrench
from dynamis.base.errors import ArgumentError
from dynamis.exact.derivations.derivation import MOST_SUBSTITUTED, Derivation
from dynamis.exact.derivations.robots.methods import MOTION
from dynamis.exact.derivations.robots.plane import plane_of, why_spatial
from dynamis.exact.derive import derive, derive_only
from dynamis.exact.proof.laws import sentence
from dynamis.model.placement import Placement
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Words
from dynamis.telling.forms.tree import Coordinate, expand
from dynamis.telling.formula import Formula, Frac, Group, Op, Sym, Val, Word
from tests.support.coupled_robots import ROBOTS
from tests.support.exact_models import planar_robots, robots
from tests.support.joint_forces import random_forces
from tests.support.symbolic_loads import loads_on, planar_loads_on


def worth(formula: Formula, ring: Ring) -> Any:
    """The value of a formula without names: sums of cross and dot products of products."""
    total: Any = None
    for sign, part in split(formula, "+-"):
        value = vectors(part, ring)
        value = scale(ring.number(-1), value) if sign == "-" else value
        total = value if total is None else add(total, value)
    return total


def split(formula: Formula, signs: str) -> list[tuple[str, Formula]]:
    parts: list[tuple[str, list[Any]]] = [("+", [])]
    for piece in formula:
        if isinstance(piece, Op) and piece.sign in signs:
            parts = parts if parts[-1][1] else parts[:-1]
            parts.append((piece.sign, []))
        else:
            parts[-1][1].append(piece)
    return [(sign, tuple(part)) for sign, part in parts]


def vectors(part: Formula, ring: Ring) -> Any:
    """From the left: a x b, a . b; what follows a product without a sign multiplies it."""
    value: Any = None
    for sign, factors in split(part, "x."):
        right = product(factors, ring)
        if value is None:
            value = right
        elif sign == "x":
            value = cross(value, right)
        else:
            value = sum((x * y for x, y in zip(value, right, strict=True)), start=ring.zero)
    return value


def cross(a: Any, b: Any) -> Any:
    """a x b in three dimensions, or in two: of vectors, or of a scalar and a vector."""
    if isinstance(a, Exact):
        return [-a * b[1], a * b[0]]
    if len(a) == 2:
        return a[0] * b[1] - a[1] * b[0]
    return [a[k - 2] * b[k - 1] - a[k - 1] * b[k - 2] for k in range(3)]


def product(factors: Formula, ring: Ring) -> Any:
    values = [piece_worth(piece, ring) for piece in factors]
    value = values[-1]
    for left in reversed(values[:-1]):
        value = times(left, value)
    return value


def piece_worth(piece: Any, ring: Ring) -> Any:
    match piece:
        case Val(value) if isinstance(value, Exact | list):
            return value
        case Val(value):
            return expand(value, ring)
        case Group(inner):
            return worth(inner, ring)
        case Word(text):
            return ring.number(Fraction(text))
        case Frac((Word(above),), (Word(below),)):
            return ring.number(Fraction(int(above), int(below)))
    raise AssertionError(piece)


def times(a: Any, b: Any) -> Any:
    if isinstance(a, Exact):
        return scale(a, b)
    if isinstance(a[0], list) and isinstance(b[0], list):
        return [list(row) for row in zip(*(times(a, list(column)) for column in zip(*b, strict=True)), strict=True)]
    if isinstance(a[0], list):
        return [sum((x * y for x, y in zip(row, b, strict=True)), start=row[0].ring.zero) for row in a]
    return scale(b, a)


def scale(number: Exact, b: Any) -> Any:
    return number * b if isinstance(b, Exact) else [scale(number, x) for x in b]


def add(a: Any, b: Any) -> Any:
    return a + b if isinstance(a, Exact) else [add(x, y) for x, y in zip(a, b, strict=True)]


def with_coordinates(formula: Formula, robot: dynamis.Robot, ring: Ring) -> Formula:
    """The formula with the rates of coupled joints in terms of the coordinates: qd_3 = qd_1 - qd_2."""
    rows = {joint.name: row for joint, row in zip(robot.joints, robot.couplings, strict=True) if joint.coupling}
    pieces: list[Any] = []
    for piece in formula:
        match piece:
            case Val(Coordinate(joint, order)) if joint in rows and order:
                terms = [
                    expand(Coordinate(robot.coordinates[k].name, order), ring) * ring.number(Fraction(str(factor)))
                    for k, factor in rows[joint].factors
                ]
                pieces.append(Val(sum(terms, start=ring.zero)))
            case Group(inner):
                pieces.append(replace(piece, inner=with_coordinates(inner, robot, ring)))
            case _:
                pieces.append(piece)
    return tuple(pieces)


def check(derivation: Derivation, robot: dynamis.Robot) -> int:
    count, ring = 0, derivation.ring
    for step in derivation.steps:
        for part in step.blocks:
            if isinstance(part, Equation) and len(part.ways) == 2:
                way = with_coordinates(part.ways[1], robot, ring)
                assert worth(way, ring) == part.right, (step.title, part.left)
                count += 1
    return count


@pytest.mark.parametrize("method", MOTION)
@pytest.mark.parametrize("name", dynamis.robots())
def test_every_substitution_gives_its_result(name: str, method: str):
    robot = dynamis.load(name)
    model = robot.equations()
    assert check(derive(model, method), robot) > (10 if model.n > 2 else 4)


@pytest.mark.parametrize("method", MOTION)
def test_every_substitution_with_forces_of_joints(method: str):
    """Stribeck friction, offsets, springs, in numbers and in symbols."""
    numbers = random_forces(np.random.default_rng(0), 2).on(dynamis.load("planar-elbow"))
    fields: Any = {"stribeck": "hs", "stribeck_speed": "v", "friction_offset": "ho", "stiffness": "k", "rest": "r"}
    links = [replace(x, joint=replace(x.joint, **fields)) for x in numbers.links]
    names = {**numbers.parameters, **dict.fromkeys(fields.values(), "")}
    symbols = replace(numbers, links=tuple(links), parameters=names)
    for robot in (numbers, symbols):
        model = robot.equations()
        derivation = derive(model, method)
        assert check(derivation, robot) > 4
        assert "stribeck" in str(derivation)


@settings(max_examples=12)
@given(robots(), st.sampled_from(MOTION))
def test_every_substitution_on_any_robot(robot: dynamis.Robot, method: str):
    """Trees, fixed and sliding joints, skewed axes."""
    check(derive(robot.equations(numeric=True), method), robot)


@settings(max_examples=8)
@given(st.data(), robots(), st.sampled_from(["energies", "newton-euler"]))
def test_every_substitution_under_loads(data: st.DataObject, robot: dynamis.Robot, method: str):
    """Loads reduced to the CoM, f_n+1 and n_n+1 carried inward, J^T w; however long the line is."""
    robot = robot.with_tool("Ry(pi/3) Tx(l)", robot.links[-1].name)
    model = robot.equations(numeric=True, loads=data.draw(loads_on(robot)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dynamis.exact.derivations.derivation.MOST_SUBSTITUTED", 10**9)
        found = derive(model, method)
    check(found, model.robot)
    equations = [e for step in found.steps for e in step.blocks if isinstance(e, Equation)]
    if method == "newton-euler":
        last = str(len(model.mechanism.bodies) + 1)
        exerted = {e.left: e.right for e in equations if isinstance(e.left, Sym) and e.left.index == last}
        assert exerted[s.f.at(last)] == list(model.tool_wrench.force)
        assert exerted[s.n.at(last)] == list(model.tool_wrench.moment)
    else:
        assert [e.right for e in equations if e.left == s.Q] == [model.load_torques]


@pytest.mark.parametrize("entry", ["M[1,1]", "M[1,2]", "c[1]", "C[1,2]", "christoffel[1,2,1]", "g[2]", "T[2]", "U[2]"])
def test_the_substitutions_of_single_entries(entry: str):
    for name in ("planar-elbow", "genova-rp", "genova-3r", "deluca-2r-offaxis"):
        check(derive_only(dynamis.load(name).equations(), entry), dynamis.load(name))


@pytest.mark.parametrize("method", MOTION)
def test_every_step_has_a_name_and_every_equation_its_rule(method: str):
    """What has no rule is given (R_i), or is zero, or follows from a rule that stands before it."""
    found = derive(dynamis.load("planar-elbow").equations(), method)
    assert len({step.title for step in found.steps}) == len(found.steps)
    named = [e for step in found.steps for e in step.blocks if isinstance(e, Equation)]
    bare = {e.left.letter for e in named if not e.ways and isinstance(e.left, Sym)} - {
        "a",
        "M",
        "C",
        "J",
        "c",
        "g",
        "R",
        "tau",
    }
    assert bare <= {"v", "m"}
    # The Jacobians of all links follow from rules that stand before them.
    ruled = [e for e in named if not (method == "jacobians" and isinstance(e.left, Sym) and e.left.letter == "J")]
    assert sum(len(e.ways) >= 2 for e in ruled) > len(ruled) / 3


def test_long_substitutions_are_left_out():
    found = derive(dynamis.load("stanford").equations())
    short = [e for step in found.steps for e in step.blocks if isinstance(e, Equation) and len(e.ways) == 1]
    assert short
    assert "is left out where these have more than" in str(found.steps[0].blocks)
    assert str(MOST_SUBSTITUTED) in str(found.steps[0].blocks)


def test_a_robot_is_not_a_model():
    """It has no letters yet; the sentence says how it gets them."""
    robot: Any = dynamis.load("deluca-2r")
    for ask in (derive, lambda model: derive_only(model, "M[1,1]")):
        with pytest.raises(
            ArgumentError, match=r"derive takes a model, not <Robot deluca-2r.*give it robot.equations\(\)"
        ):
            ask(robot)


def test_one_way_of_counting_terms():
    """`prove` and the page say the same number."""
    model = dynamis.load("deluca-2r").equations()
    proof = model.prove()[0]
    assert "(23 terms on each side" in str(proof)
    assert "".join(map(str, sentence(proof))).endswith("proved (23 terms on each side).")


@settings(max_examples=12)
@given(st.data(), planar_robots(), st.sampled_from([method for method in MOTION if method != "jacobians"]))
def test_planar_arms_in_two_dimensions(data: st.DataObject, robot: dynamis.Robot, method: str):
    """Every line is true there, and every result is the spatial one without what is across the plane."""
    model = robot.equations()
    if data.draw(st.booleans()):
        normal = "xyz"[plane_of(model).normal]  # type: ignore[union-attr]
        robot = robot.with_tool(f"T{normal}(h) R{normal}(alpha)", robot.links[-1].name)
        model = robot.equations(loads=data.draw(planar_loads_on(robot, "xyz".index(normal))))
        robot = model.robot
    flat, whole = derive(model, method), derive(model, method, spatial=True)
    check(flat, robot)
    plane = plane_of(model)
    assert plane is not None
    (section,) = (step for step in flat.steps if step.title == "Plane")
    assert len(section.blocks) == 1
    steps = [step for step in flat.steps if step.title != "Plane"]
    assert [step.title for step in steps] == [step.title for step in whole.steps]
    pairs = [pair for a, b in zip(steps, whole.steps, strict=True) for pair in zip(a.blocks, b.blocks, strict=True)]
    for planar, spatial in pairs:
        if isinstance(spatial, Equation):
            assert isinstance(planar, Equation)
            assert planar.right == projected(spatial, plane.normal, plane.axes)


def squared(vector: Any) -> Exact:
    """The square of a scalar, or of the length of a vector."""
    first, *rest = [x * x for x in (vector if isinstance(vector, list) else [vector])]
    return sum(rest, start=first)


def projected(equation: Equation, normal: int, axes: tuple[int, int]) -> Any:
    """What two dimensions have of the result of an equation."""
    right: Any = equation.right
    if isinstance(equation.left, Sym) and equation.left.letter == "J":
        assert not equation.left.index.startswith("v") or not any(right[normal])
        return [right[k] for k in (axes if equation.left.index.startswith("v") else (normal,))]
    if not isinstance(right, list) or not isinstance(equation.left, Sym) or not equation.left.bold:
        return right
    if equation.left.letter in ("omega", "N", "n"):
        assert equation.left.letter != "omega" or not any(right[k] for k in axes)
        return right[normal]
    kept = (*axes, 3) if len(right) == 4 else axes
    return [[right[i][j] for j in kept] for i in kept] if isinstance(right[0], list) else [right[k] for k in kept]


@pytest.mark.parametrize(
    ("load", "reason"),
    [
        (Force("link2", (0, 0, "F")), "load 1 does not act in it"),
        (Moment("link1", ("nx", 0, "nz"), "link"), "load 1 does not act in it"),
        (ToolWrench("exerted_by_tool", (0, "fy", 0), axes="world"), "the axes of its tool do not lie in it"),
        (Force("link2", ("F", 0, 0), point=(0, 0, "r")), ""),
    ],
)
@pytest.mark.parametrize("method", ["energies", "newton-euler"])
def test_a_load_out_of_the_plane_says_why_vectors_have_three_components(load: Any, reason: str, method: str):
    robot = dynamis.load("planar-elbow").with_tool("Tx(l2) Rz(pi/2) Rx(pi/2)", "link2")
    found = derive(robot.equations(loads=[load]), method)
    (section,) = (step for step in found.steps if step.title == "Plane")
    (words,) = section.blocks
    said = f"The arm moves in the plane of x and y, but {reason}, so that vectors have three components."
    assert (words.prose == said) == bool(reason)
    assert reason or "What the bearings carry besides is not written" in str(words)
    check(found, robot)


def test_which_arms_are_planar():
    planes = {name: plane_of(dynamis.load(name).equations()) for name in dynamis.robots()}
    planar = {name: plane.bearings for name, plane in planes.items() if plane is not None}
    assert planar == dict.fromkeys(
        ("bar-2r", "cartesian", "deluca-2r", "deluca-2r-offaxis", "genova-2r", "parallelogram", "planar-elbow"), False
    )
    level = plane_of(ROBOTS["level hand"].equations())
    assert level is not None
    assert level.bearings  # gravity has a component across the plane
    assert plane_of(ROBOTS["double angle"].equations()) is None


def test_why_an_arm_that_moves_in_a_plane_is_not_calculated_there():
    models = {name: dynamis.load(name).equations() for name in dynamis.robots()}
    reasons = {name: why_spatial(model, plane_of(model)) for name, model in models.items()}
    assert {name: said for name, said in reasons.items() if said} == {"genova-rp": TWISTED}
    loads = [Force("link1", ("F", 0, 0))]
    (section,) = (s for s in derive(dynamis.load("genova-rp").equations(loads=loads)).steps if s.title == "Plane")
    assert section.blocks == (Words(TWISTED),)


TWISTED = (
    "The arm moves in a plane, but the axes of the frames of its links do not lie in it, so that vectors have three "
    "components."
)


QUARTER_TURNS = ("Rx(pi/2)", "Rx(pi/2) Rz(pi)", "Rx(pi)", "Ry(pi/2) Rx(pi/2)")


@settings(max_examples=10)
@given(
    planar_robots(),
    st.sampled_from([*QUARTER_TURNS, "Rx(0.3) Ry(pi/3)"]),
    st.sampled_from([method for method in MOTION if method != "jacobians"]),
)
def test_frames_that_leave_the_plane(robot: dynamis.Robot, turn: str, method: str):
    """The same motion with the frame of the first link turned: by quarter turns it is calculated in the plane."""
    back = " ".join(f"{step[:3]}-{step[3:]}" for step in reversed(turn.split()))
    first, *others = robot.links
    links = [replace(first, joint=replace(first.joint, after=first.joint.after * Placement.parse(turn)))]
    for link in others:
        on_it = Placement.parse(back) if link.parent == first.name else Placement()
        before = on_it * link.joint.before
        links.append(replace(link, joint=replace(link.joint, before=before)))
    model = replace(robot, links=tuple(links)).equations()
    assert plane_of(model) is None
    assert why_spatial(model, None) == TWISTED
    flat, whole = derive(model, method), derive(model, method, spatial=True)
    check(flat, robot)
    (section,) = (step for step in flat.steps if step.title == "Plane")
    assert (section.blocks == (Words(TWISTED),)) == (turn not in QUARTER_TURNS)
    steps = [step for step in flat.steps if step.title != "Plane"]
    both = [[e for step in x for e in step.blocks if isinstance(e, Equation)] for x in (steps, whole.steps)]
    for planar, spatial in zip(*both, strict=True):
        if isinstance(planar.right, Exact) and isinstance(spatial.right, Exact):
            assert planar.right == spatial.right
        elif isinstance(planar.left, Sym) and planar.left.letter in ("omega", "v", "F"):  # nothing is across the plane
            assert squared(planar.right) == squared(spatial.right)
    leaving = Link("leaving", Joint("away", axis=(1, 1, 1)), links[-1].name, "m")
    model = replace(robot, links=(*links, leaving)).equations()
    assert why_spatial(model, plane_of(model)) == ""
