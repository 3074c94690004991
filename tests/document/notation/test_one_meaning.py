"""No symbol stands for two things on one page: every symbol that is written, with what it stands for."""

from functools import cache

import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.derivations.robots.methods import derive
from dynamis.document.forms.tree import Coordinate, Symbol
from dynamis.document.notation.schools import NOTATIONS
from dynamis.document.notation.symbol_printer import STAND_INS, SymbolPrinter
from dynamis.document.notation.tree_printer import TreePrinter
from dynamis.document.renderers.page import render

METHODS = ("energies", "lagrange", "newton-euler", "coefficients")


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


ROBOTS = {"planar-elbow": dynamis.load, "genova-rp": dynamis.load, "hostile": lambda _: hostile()}


@cache
def derivation(robot: str, method: str):
    return derive(ROBOTS[robot](robot).equations(), method)


@pytest.mark.parametrize("form", ["text", "latex"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("robot", ROBOTS)
def test_every_symbol_has_one_meaning(robot: str, method: str, form: str, monkeypatch: pytest.MonkeyPatch):
    meanings: dict[str, set[str]] = {}

    def note(text: str, meaning: str) -> str:
        meanings.setdefault(text, set()).add(meaning)
        return text

    quantity, scalar, trig = SymbolPrinter.written, TreePrinter.written, TreePrinter._trig

    def written_quantity(self, symbol):
        text = quantity(self, symbol)
        if symbol.meaning in STAND_INS or symbol.transposed or symbol.power != 1:
            return text
        meaning = symbol.meaning.removesuffix(" entry") or "parameter"
        return note(text, f"{meaning} {symbol.index if symbol.meaning else symbol.letter + symbol.index} {symbol.dots}")

    def written_scalar(self, tree):
        text = scalar(self, tree)
        if isinstance(tree, Symbol) and tree.name != "pi":  # the number
            note(text, f"parameter {tree.name} 0")
        if isinstance(tree, Coordinate):
            note(text, f"coordinate {tree.joint} {tree.order}")
        return text

    def written_trig(self, function, angle, power, closed):
        return note(trig(self, function, angle, power, closed), f"{function} {angle} {power}")

    monkeypatch.setattr(SymbolPrinter, "written", written_quantity)
    monkeypatch.setattr(TreePrinter, "written", written_scalar)
    monkeypatch.setattr(TreePrinter, "_trig", written_trig)
    for notation in NOTATIONS:
        meanings.clear()
        render(derivation(robot, method), form, notation)
        assert meanings
        assert {text: said for text, said in meanings.items() if len(said) > 1} == {}, notation
