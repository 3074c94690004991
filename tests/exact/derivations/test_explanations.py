"""Terms in words: each kind that is on the page once, before its first formula, and no other."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import dynamis
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.derivations.robots.explanations import EXPLANATIONS, coefficient_meanings
from dynamis.exact.derivations.robots.methods import METHODS
from dynamis.exact.derive import derive, derive_only
from dynamis.exact.equations import Equations
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Document, Equation, Rule, Words
from dynamis.telling.renderers.page import render
from tests.support.command_line import caller

ROBOTS = ("bar-2r", "cartesian", "genova-rp")
ALIAS = {s.force.meaning: s.tau.meaning}


def model_of(name: str) -> Equations:
    return dynamis.load(name).equations()


def added(plain: Derivation, explained: Derivation) -> list[list[object]]:
    """Per step what stands in it beside the blocks of the plain one, which are all there, in their order."""
    new: list[list[object]] = []
    for before, after in zip(plain.steps, explained.steps, strict=True):
        blocks = [block for block in after.blocks if block not in before.blocks]
        assert [block for block in after.blocks if block in before.blocks] == list(before.blocks)
        new.append(blocks)
    return new


def meanings(derivation: Derivation) -> set[str]:
    """What is in formulas, read from how they print."""
    blocks = [block for step in derivation.steps for block in step.blocks if isinstance(block, Rule | Equation)]
    names = {name for block in blocks for name in re.findall(r"meaning='([^']+)'", repr(block))}
    return {ALIAS.get(name, name.removesuffix(" entry")) for name in names} & set(EXPLANATIONS)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("method", ["energies", "newton-euler", "jacobians", "lagrange", "coefficients", "regressor"])
def test_every_kind_on_the_page_is_explained_once(name: str, method: str):
    model = model_of(name)
    plain = derive(model, method)
    sentences = [text for blocks in added(plain, derive(model, method, explain=True)) for text in blocks]
    texts = {kind: render(Document("", tuple(words(kind, model)), ring=model.ring)) for kind in meanings(plain)}
    page = [render(Document("", (block,), ring=model.ring)) for block in sentences]  # type: ignore[arg-type]
    for kind, text in texts.items():
        count = sum(_letters(text) == _letters(one) for one in page)
        # Where a notation has c, the C qd or the sum of Christoffel symbols that others write is not on the page.
        assert count == 1 or (kind in (s.C.meaning, s.christoffel.meaning) and count == 0), (kind, count)
    extra = 2 if any(step.title == "Dynamic coefficients" for step in plain.steps) else 0
    assert len(page) - extra <= len(texts)
    assert len(page) - extra >= len(texts) - 2


def words(kind: str, model: Equations) -> list[Words]:
    return [Words(EXPLANATIONS[kind](model))]


def _letters(text: str) -> str:
    """The words, without symbols: a planar arm has fewer bold ones."""
    return " ".join(re.findall(r"[A-Za-z]{3,}", text))


@pytest.mark.parametrize(("name", "unit", "other"), [("bar-2r", "[N m]", "[N]"), ("cartesian", "[N]", "[N m]")])
def test_units_are_those_of_the_joints(name: str, unit: str, other: str):
    model = model_of(name)
    new = "".join(str(block) for blocks in added(derive(model), derive(model, explain=True)) for block in blocks)
    assert unit in new
    assert other not in new


def test_zeros_are_told():
    page = derive(model_of("cartesian"), explain=True).page(width=1000)
    assert "come from the velocities. For this robot they are zero." in page
    assert "coupling inertia" not in page
    assert "Those with the square" not in page


def test_coefficients_say_what_they_stand_for():
    model = model_of("bar-2r")
    lines = [render(Document("", words_of, ring=model.ring)).strip() for words_of in _each(coefficient_meanings(model))]
    assert lines[:3] == [
        "a₁ is the constant part of the inertia about the axis of joint 1, in m₁₁.",
        "a₂ is the part that changes with the posture in m₁₁, m₁₂.",
        "a₃ is the constant part of the inertia about the axis of joint 2, in m₁₂, m₂₂.",
    ]
    assert len(lines) == model.coefficients.p


def _each(prose: list[Any]) -> list[tuple[Words]]:
    return [(Words(one),) for one in prose]


def test_single_entries_and_other_notations():
    only = derive_only(model_of("bar-2r"), "c[1]", explain=True)
    assert "centrifugal" in only.page(width=1000)
    page = derive_only(model_of("bar-2r"), "M", explain=True).page(width=1000, notation="siciliano")
    assert "The mass matrix B" in page
    assert "bᵢᵢ is the inertia" in page


def test_the_command_explains_in_every_format(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    call = caller(monkeypatch, capsys, "derive")
    for form in ("text", "latex", "html", "typst", "markdown"):
        text = call("bar-2r", "--only", "g", "--explain", "--as", form).out
        assert "hold the robot against its weight" in " ".join(text.split()), form
    data = json.loads(call("bar-2r", "--only", "g", "--explain", "--json").out)
    assert "hold the robot against" in data["steps"][0]["words"]
    assert "hold the robot" not in call("bar-2r", "--only", "g").out


def test_every_method_can_be_explained():
    assert all(derive(model_of("bar-2r"), method, steps=False, explain=True).steps for method in METHODS)
