"""Derivations on the page: golden texts, well-formed markup, escaped names."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.exact.derivation import METHODS, MOTION, derive
from dynamis.notation.page import FORMATS, render
from tests.golden import check_golden


@pytest.mark.parametrize(
    ("robot", "method", "notation"),
    [
        ("deluca-2r", "moving-frames", "deluca"),
        ("planar-elbow", "lagrange", "spong"),
        ("bar-2r", "newton-euler", "craig"),
    ],
)
@pytest.mark.parametrize("form", ["text", "latex"])
def test_the_textbook_pages(robot: str, method: str, notation: str, form: str):
    page = render(derive(dynamis.load(robot).equations(), method), form, notation)
    check_golden(f"derive-{robot}.{'txt' if form == 'text' else 'tex'}", page)


def hostile() -> Robot:
    """Names that are markup in every format."""
    link = Link('<b>"&_$#', Joint("q_1"), mass="m", com=("l", 0, 0), inertia=Inertia.of(zz="I", yy="I"))
    return Robot("a<script>_%", (link,), parameters=dict.fromkeys(["m", "l", "I"], ""))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", FORMATS)
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
