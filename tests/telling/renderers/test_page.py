"""Derivations on the page: golden texts, well-formed markup, escaped names."""

import json
import re
import time
import xml.etree.ElementTree as ET
from base64 import b64decode
from dataclasses import replace

import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.derivations.robots.methods import METHODS, MOTION
from dynamis.exact.derivations.robots.named_terms import MOST_TERMS
from dynamis.exact.derive import derive, derive_only
from dynamis.telling.blocks import Code, Document, Equation, Section
from dynamis.telling.forms import simplest
from dynamis.telling.notation.formula_printer import LANGUAGES, FormulaPrinter
from dynamis.telling.notation.schools import NOTATIONS
from dynamis.telling.notation.tree_printer import Joints
from dynamis.telling.renderers.equation_lines import Rows, plan
from dynamis.telling.renderers.page import PAGE_FORMATS, PAGES, render
from tests.support.command_line import caller
from tests.support.golden_files import check_golden


@pytest.mark.parametrize(
    ("robot", "method", "notation"),
    [
        ("deluca-2r", "moving-frames", "deluca"),
        ("planar-elbow", "energies", "spong"),
        ("cartesian", "lagrange", "spong"),
        ("bar-2r", "newton-euler", "craig"),
    ],
)
@pytest.mark.parametrize("form", ["text", "latex"])
def test_the_textbook_pages(robot: str, method: str, notation: str, form: str):
    # Without the drawing, whose last digits differ from machine to machine.
    page = render(replace(derive(dynamis.load(robot).equations(), method), scheme=None), form, notation)
    check_golden(f"derive-{robot}.{'txt' if form == 'text' else 'tex'}", page)


def hostile() -> Robot:
    """Names that are markup in every format."""
    link = Link('<b>"&_$#', Joint("q_1"), mass="m", com=("l", 0, 0), inertia=Inertia.of(zz="I", yy="I"))
    return Robot("a<script>_%", (link,), parameters=dict.fromkeys(["m", "l", "I"], ""))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", PAGE_FORMATS)
def test_every_method_in_every_format(method: str, form: str):
    page = render(derive(hostile().equations(), method), form)
    assert "Proof" in page or form == "json" or method not in MOTION
    if form == "html":
        assert "<script>" not in page
        body = page[page.index("<body>") :].replace("</html>", "")
        ET.fromstring(body)
    if form == "json" and method in MOTION:
        assert json.loads(page)["steps"][-1]["title"] == "Equations of motion"
    if form in ("latex", "markdown"):
        assert page.count("{") - page.count("\\{") == page.count("}") - page.count("\\}")
        assert page.count("\\begin{") == page.count("\\end{")
    if form == "latex":
        # Between the columns of a table & has spaces on both sides; in an equation it stands before = or a space.
        assert not re.search(r"(?<!\\)[#%]|(?<!\\)&(?![ =]|\\quad)|(?<![ \\\n])&(?!\\quad|=)", page)


@pytest.mark.parametrize("name", dynamis.robots())
def test_every_shipped_robot_has_a_page(name: str):
    page = render(derive(dynamis.load(name).equations(), steps=False), "text", width=80)
    assert max(map(len, page.splitlines())) <= 110
    assert "The torques by Newton-Euler are those by Euler-Lagrange: proved" in page


def planar(form: str, notation: str, method: str = "energies") -> str:
    return render(derive(dynamis.load("planar-elbow").equations(), method), form, notation)


@pytest.mark.parametrize("method", MOTION)
@pytest.mark.parametrize("notation", ["craig", "siciliano"])
def test_prose_and_rules_use_the_letters_of_the_notation(notation: str, method: str):
    """No q where the notation has theta, and no names of code."""
    page = planar("text", notation, method)
    assert not re.search(r"\bq\d|qd|q[\u0307\u0308]?[₁-₉ᵢⱼₖ]|\btau\b|dU/dq|Mdot", page)
    assert ("q\u0307" in page) == (notation == "siciliano")  # the vector of all coordinates is q there
    assert {"craig": "θ̈₁", "siciliano": "ϑ̈₁"}[notation] in page


def test_rule_quantities_and_result_stand_under_each_other():
    page = planar("text", "spong")
    assert (
        """
    c₁₂₁ = 1/2 ∂d₁₁/∂q₂
         = 1/2 (−2 m₂ l₁ lc₂ sin q₂)
         = h
         = −m₂ l₁ lc₂ sin q₂
"""
        in page
    )
    assert "    2     link2  link1  q₂     revolute  Tx(l₁) Rz(q₂)" in page
    assert "    d₁₁ = ∂²T₁/∂q̇₁² + ∂²T₂/∂q̇₁²" in page


def test_rules_are_mathematics_in_every_markup():
    assert "c_{ijk} &= \\tfrac{1}{2}\\, \\Bigl(\\frac{\\partial d_{kj}}{\\partial q_{i}}" in planar("latex", "spong")
    assert "c_(i j k) &= inline(frac(1, 2)) thin (frac(partial d_(k j), partial q_(i))" in planar("typst", "spong")
    indices = "<mrow><mi>k</mi><mi>j</mi></mrow>"
    assert f"<mfrac><mrow><mo>∂</mo><msub><mi>d</mi>{indices}</msub></mrow>" in planar("html", "spong")
    spatial = derive(dynamis.load("planar-elbow").equations(), "newton-euler", spatial=True)
    assert "\\times \\left(\\begin{pmatrix}" in render(spatial, "latex", "spong")


@pytest.mark.parametrize("method", MOTION)
def test_every_format_has_the_same_equations_in_the_same_order(method: str):
    """What stands from rule to result, and how many equals signs that is; on paper short lines stand side by side.

    In a matrix, a format with more room has no more entries by their names.
    """
    found = derive(dynamis.load("genova-3r").equations(), method)
    parts = [part for step in found.steps for part in step.blocks if isinstance(part, Equation)]
    joints = Joints.of(found.ring.zero)
    plans: dict[str, list[object]] = {}
    names: dict[str, list[int]] = {}
    for form, page_of in PAGES.items():
        scribe = FormulaPrinter(LANGUAGES[form], NOTATIONS["spong"], joints, MOST_TERMS)
        page = page_of(found.document(), lambda _, scribe=scribe: scribe, 100, 3)
        planned = [plan(part, page.as_text, 100, page.matrix_width) for part in parts]
        equals = [_equals(page.equation(part), scribe.language.signs["="]) for part in parts]
        plans[form] = [(ways, named is None, count) for (ways, named), count in zip(planned, equals, strict=True)]
        names[form] = [len(named or ()) for _, named in planned]
    assert all(lines == plans["text"] for lines in plans.values())
    assert all(sum(counts) <= sum(names["text"]) for counts in names.values())
    assert sum(names["html"]) < sum(names["text"])


def _equals(rows: Rows, sign: str) -> int:
    """Those of the equation itself, not of the entries that a matrix only names."""
    whole = [lines for k, (left, lines) in enumerate(rows) if k == 0 or not left]
    return len(whole) + sum(line.count(sign) for lines in whole for line in lines)


def test_the_energy_with_its_quantities_stands_in_every_format():
    """HTML had no line for it: it could not be broken into lines there."""
    half = '<mrow><mfrac displaystyle="false"><mn>1</mn><mn>2</mn></mfrac>'
    assert re.search(f"<mo>=</mo></mrow></math></td><td><math[^>]*>{half}", planar("html", "spong"))
    chains = {
        "latex": re.findall(r"\\begin\{align\*\}.*?\\end\{align\*\}", planar("latex", "spong"), re.DOTALL),
        "typst": re.findall(r"(?:^|\[)\$ .*? \$", planar("typst", "spong"), re.DOTALL | re.MULTILINE),
        "html": re.findall('<div class="equation.*?</div>', planar("html", "spong"), re.DOTALL),
    }
    signs = {"latex": "=", "typst": "=", "html": "<mo>=</mo>"}
    counts = {form: sum(chain.count(signs[form]) for chain in found) for form, found in chains.items()}
    assert counts["latex"] == counts["typst"] == counts["html"] > 100
    assert planar("typst", "spong").count("#table(") == planar("typst", "spong").count("table.header(") > 1


def test_a_claim_about_nothing_says_so():
    page = render(derive(dynamis.load("cartesian").equations(), steps=False))
    assert "0 terms" not in page
    assert "is skew-symmetric, with C by Christoffel symbols: proved (both sides are zero)." in page


def finished_too_late(name: str) -> Derivation:
    """A derivation that is complete, and whose time was over at its end."""
    model = dynamis.load(name).equations(seconds=1000)
    found = derive(model)
    deadline = model.ring.deadline
    assert deadline is not None
    deadline.end = time.monotonic() - 1
    return found


@pytest.mark.parametrize("form", ["text", "html", "typst"])
def test_a_page_after_its_time_has_no_search(form: str, monkeypatch: pytest.MonkeyPatch):
    """Formulas as they come, rule and result only, and a sentence that says so; then the clock is as before."""
    found = finished_too_late("genova-3r")
    monkeypatch.setattr(simplest, "shortest", lambda *given: pytest.fail("a search after the time"))
    monkeypatch.setattr(simplest, "factor_terms", lambda *given: pytest.fail("a search after the time"))
    page = render(found, form)
    assert "not in their shortest" in " ".join(page.split())
    assert found.ring.deadline is not None
    assert found.ring.deadline.over


def test_a_page_in_time_does_not_speak_of_it():
    model = dynamis.load("planar-elbow").equations(seconds=1000)
    assert "shortest" not in render(derive(model))
    assert json.loads(render(derive(model), "json"))["shortest_forms"] is True
    late = json.loads(render(finished_too_late("planar-elbow"), "json"))
    assert (late["finished"], late["shortest_forms"]) == (True, False)


def test_what_is_begun_after_the_time_has_the_first_terms():
    """Each of them is a term of the whole."""
    whole = dynamis.load("puma560").equations().torques[0]
    assert len(whole) > 500
    begun = whole.first_terms(40)
    assert len(begun) == 40
    assert begun.terms().items() <= whole.terms().items()
    assert whole.first_terms(10**6) == whole


@pytest.mark.parametrize("form", ["text", "latex", "markdown", "html", "typst"])
def test_documents_in_a_document_keep_the_symbols_of_their_robots(form: str):
    """The formulas of each are written as they are on a page of their own."""
    pages = [derive_only(dynamis.load(name).equations(), "M[1,2]").document() for name in ("deluca-2r", "planar-elbow")]
    report = Document("Two arms", (Section("First", (Code("a <b> $c$ \\d"), pages[0])), pages[1]))
    text = render(report, form)
    for page in pages:
        assert _formulas(render(page, form)) <= _formulas(text)
    data = json.loads(render(report, "json"))
    assert [data["sections"][0]["documents"][0]["title"], data["documents"][0]["title"]] == [p.title for p in pages]


def _formulas(text: str) -> set[str]:
    """Lines with an equals sign, but those of headings and of the head of a page."""
    lines = (line.strip() for line in text.splitlines())
    return {line for line in lines if "=" in line[1:] and not re.search("<title>|==|@font", line)}


def test_markdown_has_its_pictures(tmp_path, monkeypatch, capsys):
    """In a file beside the page; in data inside of it where they are asked for; printed Markdown has their captions."""
    monkeypatch.chdir(tmp_path)
    cli = caller(monkeypatch, capsys)
    assert cli("show", "bar-2r", "-o", "my arm.md").code == 0
    assert "](my%20arm_files/figure-1.svg)" in (tmp_path / "my arm.md").read_text()
    picture = (tmp_path / "my arm_files" / "figure-1.svg").read_text()
    assert picture == dynamis.load("bar-2r").draw().svg()
    printed = cli("show", "bar-2r", "--as", "markdown").out
    assert "svg" not in printed
    inside = dynamis.load("bar-2r").draw().page("markdown", pictures=True)
    assert b64decode(inside.split("base64,")[1].split(")")[0]).decode() == picture
    (tmp_path / "other_files").write_text("a file")
    refused = cli("show", "bar-2r", "-o", "other.md")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "base64" not in refused.out


def test_a_page_without_a_title_has_that_of_its_first_section():
    page = render(Document("", (Section("first"), Section("second"))), "html")
    assert re.findall(r"<(title|h[1-6])>(.*?)</\1>", page) == [("title", "first"), ("h1", "first"), ("h2", "second")]
