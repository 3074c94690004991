"""Pictures in their formats: the same marks, whatever the names in them; equal pictures give equal files."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import dynamis
from dynamis.base.printable import visible
from dynamis.telling.blocks import Document, Figure
from dynamis.telling.pictures.picture import LOOKS, Circle, Label, Path, Picture, arrow, picture
from dynamis.telling.pictures.svg import svg
from dynamis.telling.pictures.tex import tikz, tikz_document
from dynamis.telling.pictures.text import (
    FONT_SIZE,
    SCRIPT_SCALE,
    Sign,
    Text,
    expression_text,
    name_text,
    plain_text,
    size,
)
from dynamis.telling.renderers.equation_lines import DRAWING_WIDTH, drawing_scale
from dynamis.telling.renderers.page import render

HOSTILE = "<b>&\"' $x$ \\input{y} % # _ ^ ~ {"
SVG = "{http://www.w3.org/2000/svg}"


Q1 = (Sign("q", "1"),)


def small(text: Text = Q1) -> Picture:
    box = Path(((0, 0), (30, 0), (30, 20)), "joint", closed=True, fill="paper")
    marks = [box, Circle((5, 5), 4, "CoM"), *arrow((0, 0), (40, 0), "load", heads=2), Label(text, (10, 30), "name")]
    return picture(f"a picture of {HOSTILE}", marks)


def test_a_page_holds_all_marks_of_a_picture():
    made = small()
    points = [point for mark in made.marks if isinstance(mark, Path) for point in mark.points]
    left, bottom, right, top = made.labels[0].box
    assert all(0 <= x <= made.width and 0 <= y <= made.height for x, y in points)
    assert left >= 0
    assert bottom >= 0
    assert right <= made.width
    assert top <= made.height


def test_svg_is_xml_and_names_stay_text():
    root = ElementTree.fromstring(svg(small((HOSTILE,))))
    texts = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
    assert texts == [HOSTILE]
    assert [element.tag.removeprefix(SVG) for element in root][1:4] == ["polygon", "circle", "polyline"]
    assert not list(root.iter(f"{SVG}b"))


def test_the_terminal_changes_nothing_in_an_svg():
    drawing = svg(small((Sign("q", "1", "2"), " = ", Sign("a", "1"))))
    assert visible(drawing) == drawing
    page = render(Document("An arm", (Figure("arm", small, schematic=True),)), "typst")
    assert "&#8203;" in page
    assert visible(page) == page


def test_svg_is_drawn_by_a_program_that_we_did_not_write(tmp_path):
    typst = pytest.importorskip("typst")
    (tmp_path / "a.svg").write_text(svg(small((HOSTILE, Sign("alpha", "1", "2")))), encoding="utf-8")
    (tmp_path / "a.typ").write_text('#image("a.svg")', encoding="utf-8")
    assert typst.compile(tmp_path / "a.typ", format="png")[:4] == b"\x89PNG"


PATH = re.compile(
    r"\\path\[[\w=,. ]*\] \(-?[\d.]+,-?[\d.]+\)(?: -- (?:\(-?[\d.]+,-?[\d.]+\)|cycle)| circle\[radius=[\d.]+\])*;"
)
NODE = re.compile(r"\\node\[text=dynamis\w+\] at \(-?[\d.]+,-?[\d.]+\) \{.*\};")


def test_tikz_has_one_command_per_mark_and_balanced_braces():
    made = small((HOSTILE, Sign("alpha", "1", "ext", bold=True)))
    text = tikz(made)
    body = [line for line in text.splitlines() if line.startswith(("\\path", "\\node"))]
    assert len(body) == len(made.marks)
    assert all(PATH.fullmatch(line) or NODE.fullmatch(line) for line in body)
    unescaped = re.sub(r"\\[{}%$#_&]", "", text)
    assert unescaped.count("{") == unescaped.count("}")
    assert unescaped.count("$") % 2 == 0
    assert "\\input" not in text
    assert "\\textbackslash{}input" in text
    assert {f"dynamis{mark.role}" for mark in made.marks} <= set(re.findall(r"\\definecolor\{(\w+)\}", text))
    assert text in tikz_document(made)


def test_png_and_pdf_are_the_same_on_every_run(tmp_path):
    pytest.importorskip("matplotlib")
    from dynamis.telling.figure import save
    from dynamis.telling.pictures.paint import paint

    for name, begin in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
        files = []
        for _ in range(2):
            save(paint(small((HOSTILE, Sign("F", "2/1", "ext", bold=True)))), tmp_path / name)
            files.append((tmp_path / name).read_bytes())
        assert files[0] == files[1]
        assert files[0].startswith(begin)


def test_a_drawing_stands_on_every_page():
    page = Document("An arm", (Figure("arm", lambda: small((HOSTILE,)), caption="An arm & more.", schematic=True),))
    assert "Figure: An arm & more." in render(page)
    assert "Figure: An arm \\& more." in render(page, "markdown")
    assert "<svg" in render(page, "html")
    assert "<figcaption>An arm &amp; more.</figcaption>" in render(page, "html")
    assert "<b>" not in render(page, "html")
    latex = render(page, "latex")
    assert "\\usepackage{tikz}" in latex
    assert "\\begin{tikzpicture}" in latex
    assert "An arm \\& more." in latex
    assert "tikz" not in render(Document("x", ()), "latex")


def test_typst_takes_a_page_with_a_drawing():
    typst = pytest.importorskip("typst")
    page = Document("An arm", (Figure("arm", lambda: small((HOSTILE,)), caption=HOSTILE, schematic=True),))
    text = render(page, "typst")
    assert typst.compile(text.encode(), format="pdf")[:4] == b"%PDF"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q1", (Sign("q", "1"),)), ("theta2", (Sign("theta", "2"),)), ("l_1", (Sign("l", "1"),)),
        ("shoulder_pan", ("shoulder_pan",)), ("a\nb", ("a b",)), ("x" * 99, ("x" * 39 + "…",)),
    ],
)  # fmt: skip
def test_names_as_symbols(name, text):
    assert name_text(name) == text


def test_expressions_as_symbols():
    assert plain_text(expression_text("2*l1 - sqrt(3)/2")) == "2 l1 − sqrt(3)/2"
    assert expression_text("l1") == (Sign("l", "1"),)


def test_longer_texts_are_wider():
    widths = [size((text,))[0] for text in ("i", "ii", "im", "imm", "imm漢")]
    assert widths == sorted(widths)
    assert widths[0] > 0


def test_every_meaning_has_a_look():
    assert all(re.fullmatch("#[0-9A-F]{6}", look.colour) and look.width > 0 for look in LOOKS.values())


@pytest.mark.parametrize("name", ["bar-2r", "puma560", "niryo-one"])
def test_labels_on_paper_can_be_read(name: str):
    """At least 7 points, indices 5, and not wider than the page."""
    picture = dynamis.load(name).draw().picture
    scale = drawing_scale(picture.width, picture.height)
    assert FONT_SIZE * scale >= 7
    assert SCRIPT_SCALE * FONT_SIZE * scale >= 5
    assert scale * picture.width <= DRAWING_WIDTH
    latex = dynamis.load(name).draw().page("latex")
    assert all(float(x) >= 0.71 for x in re.findall(r"\\scalebox\{([\d.]+)\}", latex))
