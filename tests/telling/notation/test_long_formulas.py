"""Nothing is cut silently: a page has the whole formula, or the same in named terms; JSON has all terms."""

import json

import pytest

import dynamis
from dynamis.exact.derivations.robots.named_terms import MOST_TERMS, expand_torques, recursive_form
from dynamis.exact.derive import derive, derive_only
from dynamis.telling.renderers.page import PAGE_FORMATS, render


@pytest.mark.parametrize("form", PAGE_FORMATS)
def test_a_torque_below_the_bound_is_written_out(form: str):
    model = dynamis.load("puma560").equations()
    assert 400 < len(model.torques[0]) < MOST_TERMS
    page = render(derive_only(model, "tau[1]"), form)
    assert "terms in all" not in page
    assert "named terms" not in page


@pytest.mark.parametrize("form", PAGE_FORMATS)
def test_a_torque_above_the_bound_is_in_named_terms(form: str):
    page = render(derive_only(dynamis.load("niryo-one").equations(), "tau[1]"), form)
    assert "Written out, it has 2482 terms; this is the recursive form" in " ".join(page.split())
    assert "terms in all" not in page


def test_whole_writes_everything():
    model = dynamis.load("niryo-one").equations()
    page = render(derive_only(model, "tau[2]", whole=True), "text", whole=True)
    assert "named terms" not in page
    assert "terms in all" not in page
    result = derive(model, "energies", steps=False, whole=True).steps[-1]
    assert [len(part.right) for part in result.blocks if part.__class__.__name__ == "Equation"] == [
        len(tau) for tau in model.torques
    ]


def test_json_has_every_term():
    model = dynamis.load("niryo-one").equations()
    page = json.loads(render(derive_only(model, "c[1]", whole=True), "json"))
    assert "terms in all" not in json.dumps(page)


@pytest.mark.parametrize("name", ["deluca-2r", "genova-rp", "stanford", "niryo-one"])
def test_the_parts_of_the_torques_in_named_terms(name: str):
    """The recursion also gives c, g, M and T, each on its own."""
    model = dynamis.load(name).equations()
    ring = model.ring
    assert expand_torques(recursive_form(model, "c"), ring) == list(model.coriolis)
    assert expand_torques(recursive_form(model, "g"), ring) == list(model.gravity)
    assert expand_torques(recursive_form(model, "M", 0, 1), ring) == [model.M[0, 1]]
    assert expand_torques(recursive_form(model, "T"), ring) == [model.kinetic_energy]
    assert expand_torques(recursive_form(model, "tau", 1), ring) == [model.torques[1]]


def test_a_page_that_cuts_a_formula_says_so():
    """On the way of a long derivation; the result is never cut."""
    page = render(derive(dynamis.load("niryo-one").equations()))
    assert "(1849 terms in all)" in page
    assert "whole=True writes them out" in page
    assert "terms in all" not in page[page.index("Equations of motion\n") :].split("Formulas that end")[0]


def test_decimals_of_a_file_stay_readable():
    page = render(derive_only(dynamis.load("puma560").equations(), "M[1,1]"))
    assert "0.0000" not in page.replace("0.00004", "")
    assert "1.348135628 cos(2 q₂)" in page
