"""The formulas of HTML pages: the font that they carry, and lines that a browser can break."""

import re
from base64 import b64decode
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

import dynamis
from dynamis.exact.derive import derive
from dynamis.telling.blocks import Document, Words
from dynamis.telling.renderers import math_font
from dynamis.telling.renderers.page import render

MOST = 75
"""Characters between two breaks: the longest product of the pages below; 600 px in the font of a page."""


def test_a_page_carries_the_glyphs_of_its_formulas():
    page = render(derive(dynamis.load("deluca-2r").equations(), steps=False), "html")
    data = re.search(r"base64,([^)]*)\)", page)
    assert data
    assert len(data[1]) < 40_000
    font = TTFont(BytesIO(b64decode(data[1])))
    assert "MATH" in font
    letters = font.getBestCmap()
    assert {ord(c) for c in "()=+−12𝑞𝑚𝑑𝜏"} <= set(letters)
    assert ord("𝑤") not in letters
    assert page == render(derive(dynamis.load("deluca-2r").equations(), steps=False), "html")


def test_a_page_with_roots_carries_their_sign():
    """A browser draws it for <msqrt>; no character of the page says so."""
    link = dynamis.Link("A", dynamis.Joint("q", axis=(1, 1, 0)), mass="m", com=("x", 0, 0))
    robot = dynamis.Robot("r", (link,), gravity=(0, 0, "-g"), parameters=dict.fromkeys("mxg", ""))
    page = render(derive(robot.equations(), steps=False), "html")
    assert "<msqrt>" in page
    data = re.search(r"base64,([^)]*)\)", page)
    assert data
    assert ord("√") in TTFont(BytesIO(b64decode(data[1]))).getBestCmap()


def test_pages_without_formulas_and_computers_without_the_font(monkeypatch: pytest.MonkeyPatch):
    assert "@font-face" not in render(Document("Words", (Words("No formula."),)), "html")
    found = derive(dynamis.load("cartesian").equations(), steps=False)
    monkeypatch.setattr(math_font, "find_spec", lambda name: None)
    math_font.rule.cache_clear()
    page = render(found, "html")
    math_font.rule.cache_clear()
    assert "@font-face" not in page
    assert "<math" in page


@pytest.mark.parametrize(("name", "steps"), [("genova-3r", True), ("puma560", False)])
def test_a_browser_finds_a_break_in_every_long_sum(name: str, steps: bool):
    page = render(derive(dynamis.load(name).equations(), steps=steps), "html")
    pieces = re.findall(r'<math[^>]*displaystyle="true">(.*?)</math>', page)
    assert len(pieces) > 40
    wide = [piece for piece in pieces if "<mtable>" not in piece and len(re.sub(r"<[^>]*>", "", piece)) > MOST]
    assert not wide
