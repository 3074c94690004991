"""Names and descriptions that are markup somewhere: every page prints them, and compiles."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from html.parser import HTMLParser

import pytest
import typst

from dynamis import Inertia, Joint, Link, Robot
from dynamis.base.printable import in_a_line
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.derivations.robots.methods import METHODS
from dynamis.exact.derive import derive
from dynamis.telling.renderers.page import render

HOSTILE = (
    "j%1", "a&b", "j#1", "a{b", "a}b", "a^b", "a_b", "a~b", "a\\b", "$x$", '"quoted"', "it's", "<b>", "a|b", "`code`",
    "//", "/* a */", "@label", "[1]", "*bold*", "- list", "+ item", "1. one", "= title", "--- rule", "# heading",
    "two\nlines", "a\ttab", "\u202eright to left", "robot \U0001f916", "e\u0301", "\u5173\u8282", "\u05d0", "\u03b8",
    "\\input{/etc/passwd}", "#eval(\"1\")", "<script>alert(1)</script>", "]]>", "-->", "\\end{document}", "$ #x $",
    "x" * 300,
)  # fmt: skip


CHUNK = 11
CHUNKS = range(-(-len(HOSTILE) // CHUNK))


GAP = r"@\{(?:\\hspace\{1em\})?\}"
TABLE, COLUMN = r"\{(?:tabular|longtable)\}", r"l|r|(?:>\{\\raggedright\\arraybackslash\})?p\{[^}]*\}"


@lru_cache
def derivation(chunk: int, method: str = "energies") -> Derivation:
    """The page of a star of pendulums: the hostile texts as names where they are allowed, and as descriptions."""
    texts = HOSTILE[chunk * CHUNK : (chunk + 1) * CHUNK]
    names = [text if text.isprintable() and len(text) < 90 else f"plain {k}" for k, text in enumerate(texts)]
    links = tuple(
        Link(f"{name} {k}", Joint(f"{name}{k}"), mass=f"m{k}", com=("l", 0, 0), inertia=Inertia.of())
        for k, name in enumerate(names, 1)
    )
    described = {f"m{k}": text for k, text in enumerate(texts, 1)}
    robot = Robot(names[0], links, parameters=described | {"g": "", "l": ""}, gravity=(0, "-g", 0))
    return derive(robot.equations(), method, steps=True)


class _Elements(HTMLParser):
    """The elements of a page and its visible text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.text = set[str](), ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_typst_compiles():
    for chunk in CHUNKS:
        page = render(derivation(chunk), "typst")
        assert typst.compile(page.encode()).startswith(b"%PDF")


def test_no_element_of_a_page_comes_from_a_name():
    for chunk in CHUNKS:
        elements = _Elements(render(derivation(chunk), "html"))
        assert elements.tags <= _Elements(render(derivation(chunk), "html").replace("&lt;", "")).tags
        assert not elements.tags & {"b", "script"}
        for text in HOSTILE[chunk * CHUNK : (chunk + 1) * CHUNK]:
            assert in_a_line(text) in elements.text


def check_latex(page: str) -> None:
    """What LaTeX would stumble over: braces, environments, and specials outside of their commands."""
    body = page[page.index("\\begin{document}") :]
    depth = 0
    for token in re.findall(r"\\[A-Za-z]+|\\.|[{}]", body, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0
    assert depth == 0
    assert body.count("\\end{document}") == 1
    assert "\\setcounter{MaxMatrixCols}{100}" in page  # else a matrix of more than ten columns is an error
    assert "\\input" not in body
    assert not re.search(r"(?<!\\)[#%~]", body)
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{([a-z*]+)\}", body):
        assert kind == "begin" or opened.pop() == name
        opened += [name] if kind == "begin" else []
    # A formula's dollar has its partner on the line; & and ^ stand in tables and formulas only.
    for line in body.splitlines():
        assert len(re.findall(r"(?<!\\)\$", line)) % 2 == 0, line
    outside = re.sub(r"(?<!\\)\$[^$]*(?<!\\)\$|(?s:\\begin\{align\*\}.*?\\end\{align\*\})", "", body)
    assert not re.search(r"(?<!\\)[_^]", outside), outside
    rows = re.findall(rf"(?s)\\begin{TABLE}(?:\[l\])?\{{((?:{COLUMN}|{GAP})+)\}}\n(.*?)\n\\end{TABLE}", outside)
    assert len(rows) == len(re.findall(rf"\\begin{TABLE}", outside))
    for columns, table in rows:
        for row in re.split(r" \\\\(?: \\hline)?\n", table):
            assert len(re.findall(r"(?<!\\)&", row)) == len(re.findall(COLUMN, columns)) - 1, row
    assert "&" not in re.sub(rf"(?s)\\begin{TABLE}.*?\\end{TABLE}|\\&", "", outside)
    unusual = {c for c in body if ord(c) > 0xFF}
    assert all(f"\\DeclareUnicodeCharacter{{{ord(c):04X}}}" in page for c in unusual)


@pytest.mark.parametrize("method", METHODS)
def test_latex_has_no_command_from_a_name(method: str):
    for chunk in CHUNKS if method == "energies" else (0,):
        check_latex(render(derivation(chunk, method), "latex"))


def test_markdown_keeps_its_tables_and_has_no_element_from_a_name():
    for chunk in CHUNKS:
        page = render(derivation(chunk), "markdown")
        assert not re.search(r"(?<!\\)[<`]", re.sub(r"\$[^$]*\$", "", page))
        tables = re.findall(r"(?m)^\|.*(?:\n\|.*)*", page)
        assert tables
        for table in tables:
            assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1, table


def test_text_and_json_have_one_line_for_a_row():
    for chunk in CHUNKS:
        page = render(derivation(chunk), "text")
        assert "\u202e" not in page
        for text in HOSTILE[chunk * CHUNK : (chunk + 1) * CHUNK]:
            assert any(in_a_line(text) in line for line in page.splitlines())
        json.loads(render(derivation(chunk), "json"))


@pytest.mark.parametrize("name", ["_i_", "_", "²", "a²b", "٣", "1st"])
def test_names_that_begin_with_no_letter(name: str):
    """They have no symbol of their own, so the joint is q and its number."""
    links = tuple(
        Link(f"link {k}", Joint(joint), mass=1, com=(1, 0, 0), inertia=Inertia.of())
        for k, joint in enumerate((name, "other joint"), 1)
    )
    found = derive(Robot("r", links).equations(), "energies", steps=False)
    assert typst.compile(render(found, "typst").encode()).startswith(b"%PDF")
    symbols = re.findall(r"\\ddot\{([^}]*)", render(found, "latex"))
    assert symbols
    assert all(symbol.isalpha() or symbol.startswith("\\mathrm") for symbol in symbols)


@pytest.mark.parametrize("letter", ["é", "ö", "µ"])
def test_accents_are_text_in_the_formulas_of_latex(letter: str):
    """pdfLaTeX: "Please use \\mathaccent for accents in math mode"."""
    link = Link("a", Joint(letter, "revolute"), "base", 1.0, (0.2, 0, 0), Inertia([[1, 0, 0], [0, 1, 0], [0, 0, 1]]))  # type: ignore[arg-type]
    page = render(derive(Robot("r", (link,)).equations(), "energies"), "latex")
    page = re.sub(r"\\node\[.*", "", page)  # labels of the drawing are text, their symbols are in dollars
    assert f"\\ddot{{\\text{{{letter}}}}}" in page
    assert f"{{{letter}}}" not in page.replace(f"\\text{{{letter}}}", "")
