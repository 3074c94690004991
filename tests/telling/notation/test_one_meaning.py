"""No symbol stands for two things on one page: every symbol that is written, with what it stands for."""

from dataclasses import replace
from functools import cache

import pytest

import dynamis
from dynamis import Force, Inertia, Joint, Link, Robot, ToolWrench
from dynamis.apps.grading.check import check_answer
from dynamis.exact.derive import derive, derive_only
from dynamis.exact.prove import prove_all
from dynamis.telling.forms.tree import Coordinate, Symbol
from dynamis.telling.notation.schools import NOTATIONS
from dynamis.telling.notation.symbol_printer import STAND_INS, SymbolPrinter
from dynamis.telling.notation.tree_printer import TreePrinter
from dynamis.telling.renderers.page import render

METHODS = ("energies", "lagrange", "newton-euler", "free-bodies", "coefficients")


def hostile() -> Robot:
    """Parameters that are called as quantities, entries and cosines are."""
    names = ("g", "c1", "s2", "M", "U1", "T2", "d12", "m12", "phi1", "h", "V1", "G", "L", "P2", "u1", "tau2", "c121")
    links = (
        Link(
            "upper", Joint("q1", damping="phi1", rotor_inertia="h"), "base", "c1", ("s2", "M", 0), Inertia.of(zz="U1")
        ),
        Link("lower", Joint("q2", before="Tx(T2)"), "upper", "d12", ("m12", "V1", 0), Inertia.of(zz="G + L + P2")),
        Link("tip", Joint("q3", before="Tx(c121)"), "lower", "u1", ("tau2", 0, 0)),
    )
    return Robot("hostile", links, gravity=(0, "-g", 0), parameters=dict.fromkeys(names, ""))


def clash(turning: str = "omega1") -> Robot:
    """Symbols of the equations of motion, of steps in the plane, and m1 for another link's mass."""
    names = f"M T1 q m1 m11 c1 tau2 {turning} N2 Ic1zz Q1 E J1 b1 a1 friction g".split()
    first = Joint("theta_one", rotor_inertia="E", damping="J1", coulomb="friction")
    links = (
        Link("c1", first, "base", "T1", ("c1", 0, 0), Inertia.of(zz=f"M + {turning}")),
        Link(
            "c9", Joint("d2", "prismatic", axis=(1, 0, 0)), "c1", "m1 + m11", ("Q1", "b1 + q", 0), Inertia.of(zz="tau2")
        ),
        Link("c3", Joint("r3", before="Tx(a1)"), "c9", "N2", (0, 0, 0), Inertia.of(zz="Ic1zz")),
    )
    return Robot("clash", links, gravity=(0, "-g", 0), parameters=dict.fromkeys(names, ""))


# Forces and moments with symbols of torques, reactions and generalised forces.
LOADS = [
    Force("link1", ("tau1", "f1", 0), point=(0, "Q2", 0), axes="link"),
    ToolWrench("exerted_by_tool", force=("F2", 0, 0)),
]
ROBOTS = {
    "planar-elbow": lambda: dynamis.load("planar-elbow").equations(),
    "genova-rp": lambda: dynamis.load("genova-rp").equations(),
    "hostile": lambda: hostile().equations(),
    "clash": lambda: clash().equations(),
    "loads": lambda: dynamis.load("planar-elbow").equations(loads=LOADS),
}


@cache
def derivation(robot: str, method: str):
    return derive(ROBOTS[robot](), method)


@cache
def stand_ins(robot: str) -> dict[str, str]:
    """What m_1, I_c1zz, ... stand for: a parameter, or whatever the mass of link 1 is."""
    model = ROBOTS[robot]()
    said: dict[str, str] = {}
    for n, body in enumerate(model.mechanism.bodies, 1):
        entries = (
            ("mass", n, body.mass),
            ("rotor inertia", n, body.rotor),
            ("viscous friction", n, body.forces.damping),
        )
        turning = ("inertia", f"c{n},zz", list(list(body.inertia)[2])[2])
        for meaning, index, value in (*entries, ("dry friction", n, body.forces.coulomb), turning):
            symbol = str(value) if str(value) in model.robot.parameters else ""
            said[f"{meaning} {index}"] = f"parameter {symbol} 0" if symbol else f"{meaning} {index}"
    return said


CASES = [
    *(("hostile", method, form) for method in METHODS for form in ("text", "latex")),
    *((robot, method, ("text", "latex")[(n + k) % 2]) for n, robot in enumerate(("planar-elbow", "genova-rp"))
      for k, method in enumerate(METHODS)),
    ("clash", "energies", "typst"), ("clash", "newton-euler", "text"), ("clash", "coefficients", "latex"),
    ("loads", "lagrange", "html"), ("loads", "newton-euler", "text"),
]  # fmt: skip


@pytest.mark.parametrize(("robot", "method", "form"), CASES)
def test_every_symbol_has_one_meaning(robot: str, method: str, form: str, monkeypatch: pytest.MonkeyPatch):
    meanings: dict[str, set[str]] = {}

    def note(text: str, meaning: str) -> str:
        meanings.setdefault(text, set()).add(meaning)
        return text

    quantity, scalar, trig = SymbolPrinter.written, TreePrinter.written, TreePrinter._trig
    general = SymbolPrinter.coordinates

    def written_quantity(self, symbol):
        text = quantity(self, symbol)
        if symbol.transposed or symbol.power != 1:
            return text
        if symbol.meaning in STAND_INS and not symbol.bold:
            said = f"{symbol.meaning} {symbol.index}"
            return note(text, stand_ins(robot).get(said, said))
        meaning = symbol.meaning.removesuffix(" entry") or "parameter"
        return note(text, f"{meaning} {symbol.index if symbol.meaning else symbol.letter + symbol.index} {symbol.dots}")

    def written_scalar(self, tree):
        text = scalar(self, tree)
        if isinstance(tree, Symbol):
            note(text, f"parameter {tree.name} 0")
        if isinstance(tree, Coordinate):
            note(text, f"coordinate {tree.joint} {tree.order}")
        return text

    def written_trig(self, function, angle, power, closed):
        return note(trig(self, function, angle, power, closed), f"{function} {angle} {power}")

    def written_coordinates(self, coordinates):
        return note(general(self, coordinates), f"coordinates {coordinates.index} {coordinates.order}")

    monkeypatch.setattr(SymbolPrinter, "coordinates", written_coordinates)
    monkeypatch.setattr(SymbolPrinter, "written", written_quantity)
    monkeypatch.setattr(TreePrinter, "written", written_scalar)
    monkeypatch.setattr(TreePrinter, "_trig", written_trig)
    for notation in NOTATIONS:
        meanings.clear()
        render(derivation(robot, method), form, notation)
        assert meanings
        assert {text: said for text, said in meanings.items() if len(said) > 1} == {}, notation


@pytest.mark.parametrize("form", ["text", "latex"])
@pytest.mark.parametrize("method", ["energies", "coefficients"])
def test_pages_with_such_names_are_read_back(method: str, form: str):
    for robot, loads in (clash("N1"), ()), (dynamis.load("planar-elbow"), LOADS):
        report = check_answer(robot, render(derive(robot.equations(loads=loads), method), form), loads=loads)
        assert {entry.status for entry in report.entries} == {"equal"}
        assert not report.unread
        assert not report.missing


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        ("tau2", ["τₖ(q, q̇, q̈) = Σⱼ mₖⱼ q̈ⱼ + cₖ + gₖ", "τ₁(q, q̇, q̈) = ", "τ₂(q, q̇, q̈) = "]),
        ("m12 c1", ["τₖ = Σⱼ mₖⱼ(q) q̈ⱼ + cₖ(q, q̇) + gₖ", "τ₁ = "]),
        ("M g1 tau", ["τₖ = Σⱼ mₖⱼ q̈ⱼ + cₖ + gₖ(q)", "τ₁ = "]),
    ],
)
def test_what_one_entry_needs_all_have(names: str, lines: list[str]):
    """Two bars of unit length whose masses are called as quantities are."""
    parameters = dict.fromkeys((*names.split(), "g"), "")
    mass = "+".join(names.split())
    links = (
        Link("upper", Joint("q1"), "base", mass, (1, 0, 0)),
        Link("lower", Joint("q2", before="Tx(1)"), "upper", mass, (1, 0, 0)),
    )
    robot = Robot("r", links, gravity=(0, "-g", 0), parameters=parameters)
    page = render(derive_only(robot.equations(), "tau"))
    for line in lines:
        assert f"    {line}" in page


def test_a_prime_where_there_are_no_arguments():
    """m1 is the mass of link 2, so that m_1 in a rule cannot stand for that of link 1."""
    links = (
        Link("upper", Joint("q1"), "base", "m0", ("a", 0, 0)),
        Link("lower", Joint("q2", before="Tx(a)"), "upper", "m1", ("q", 0, 0)),
    )
    robot = Robot("r", links, parameters={"m0": "", "m1": "", "a": "", "q": ""})
    page = render(derive(robot.equations(), "newton-euler"))
    assert "𝐅₁ = m'₁ 𝐯̇c₁" in page
    assert "= m₀ │" in page
    assert "M(q') q̈' + c(q', q̇') + g(q') = τ" in page
    assert "A prime is on symbols that would look like one of the parameters." in page
    own = {"m1": "", "m2": "", "a": "", "q": ""}
    links = tuple(replace(link, mass=f"m{k}") for k, link in enumerate(links, 1))
    page = render(derive(Robot("r", links, parameters=own).equations(), "newton-euler"))
    assert "𝐅₁ = m₁ 𝐯̇c₁" in page
    assert "A prime" in page  # of q'
    links = tuple(replace(link, com=("a", 0, 0)) for link in links)
    assert "prime" not in render(derive(Robot("r", links, parameters=own).equations(), "newton-euler"))


def test_proofs_tell_their_symbols_from_parameters():
    links = (
        Link("upper", Joint("q1"), "base", "C", ("K", 0, 0)),
        Link("lower", Joint("d2", "prismatic", axis=(1, 0, 0)), "upper", "C", (0, 0, 0)),
    )
    model = Robot("r", links, parameters={"C": "", "K": "", "M": ""}).equations()
    page = render(prove_all(model))
    assert "K" not in page
    assert "is skew-symmetric, with C(q, " in page
    assert "│ C d₂ " in page


def test_forces_of_prismatic_joints_have_their_symbol():
    page = render(derive_only(dynamis.load("genova-rp").equations(), "tau"), "text", "spong")
    assert ("τ₁ = d₁₁" in page, "f₂ = d₂₂" in page, "τ₂" in page) == (True, True, False)
    answer = render(derive(dynamis.load("cartesian").equations(), "lagrange"), "text", "spong")
    assert check_answer(dynamis.load("cartesian"), answer).right


@pytest.mark.parametrize(("notation", "rule"), [("craig", "Gₖ = ∂U/∂qₖ"), ("siciliano", "gₖ = ∂U/∂qₖ")])
def test_a_coordinate_in_general_is_neither_an_angle_nor_a_length(notation: str, rule: str):
    """Of a robot with both kinds of joints; where all are angles, theta_k is every coordinate."""
    assert rule in render(derive_only(dynamis.load("genova-rp").equations(), "g[1]"), notation=notation)
    angles = render(derive_only(dynamis.load("bar-2r").equations(), "g[1]"), notation=notation)
    assert rule.replace("qₖ", f"{'θ' if notation == 'craig' else 'ϑ'}ₖ") in angles
