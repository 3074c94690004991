"""A derivation on the page: text, LaTeX, Markdown, HTML with MathML, Typst, JSON."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import fill, indent

from dynamis.exact.derivation import Derivation, Equation, Symbol
from dynamis.exact.proof import Proof
from dynamis.notation.latex import latex
from dynamis.notation.mathml import mathml
from dynamis.notation.text import text
from dynamis.notation.typst import typst

# Letters of an equation that a printed page has room for.
PAPER = 66
_TEXT = {"omega": "ω", "omegadot": "ω̇", "vdot": "v̇", "tau": "τ"}
_LATEX = {"omega": "\\omega", "omegadot": "\\dot{\\omega}", "vdot": "\\dot{v}", "tau": "\\tau"}
_TYPST = {"omega": "omega", "omegadot": "dot(omega)", "vdot": "dot(v)", "tau": "tau"}
_LATEX_HEAD = """\\documentclass{article}
\\usepackage{amsmath}
\\usepackage[margin=2cm]{geometry}
\\allowdisplaybreaks
\\begin{document}
"""
_HTML_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>dynamis</title>
<style>body { font-family: serif; max-width: 60em; margin: 2em auto; } math { margin: 0.8em 0; }</style></head><body>
"""


@dataclass(frozen=True)
class Page:
    """How a format writes a title, a heading, a paragraph, an equation; and what stands around all."""

    title: Callable[[str], str]
    heading: Callable[[int, str], str]
    words: Callable[[str], str]
    equation: Callable[[Equation], str]
    around: tuple[str, str] = ("", "")


def render(derivation: Derivation, form: str = "text", convention: str = "spong", width: int = 100) -> str:
    """The derivation in a format of FORMATS, in the notation of a school."""
    if form == "json":
        return _json(derivation, convention)
    page = PAGES[form](convention, width)
    parts = [page.title(derivation.title)]
    for number, step in enumerate(derivation.steps, 1):
        parts += [page.heading(number, step.title), page.words(step.words), *map(page.equation, step.equations)]
    parts += [page.heading(len(derivation.steps) + 1, "Proof"), *(page.words(_sentence(p)) for p in derivation.proofs)]
    before, after = page.around
    return f"{before}{chr(10).join(f'{part}{chr(10)}' for part in parts)}{after}"


def _sentence(proof: Proof) -> str:
    """A proof in words, without the time it took, so that a page is always the same."""
    if proof.counterexample is not None:
        return str(proof)
    return f"{proof.claim}: equal in normal form, {proof.terms} terms compared."


def _text_page(convention: str, width: int) -> Page:
    def equation(e: Equation) -> str:
        index = f"_{e.left.index}" if e.left.index else ""
        left = f"    {_TEXT.get(e.left.letter, e.left.letter)}{index} ="
        right = text(e.right, convention, width - 10)
        if not isinstance(e.right, list):
            return f"{left} {indent(right, '    ').lstrip()}"
        return f"{left}\n{indent(right, '        ')}"

    return Page(
        title=lambda t: f"{t}\n{'=' * len(t)}",
        heading=lambda n, t: f"{n}. {t}",
        words=lambda t: indent(fill(t, width - 3), "   "),
        equation=equation,
    )


def _latex_left(s: Symbol) -> str:
    frame = f"{{}}^{{{s.frame}}}" if s.frame else ""
    index = f"_{{{s.index}}}" if s.index else ""
    return f"{frame}{_LATEX.get(s.letter, s.letter)}{index}"


def _latex_equation(e: Equation, convention: str, width: int) -> str:
    return f"{_latex_left(e.left)} = {latex(e.right, convention, width)}"


def _latex_page(convention: str, width: int) -> Page:
    return Page(
        title=lambda t: f"\\section*{{{_plain_latex(t)}}}",
        heading=lambda n, t: f"\\subsection*{{{n}. {_plain_latex(t)}}}",
        words=_plain_latex,
        equation=lambda e: f"\\[\n{_latex_equation(e, convention, min(width, PAPER))}\n\\]",
        around=(_LATEX_HEAD, "\\end{document}\n"),
    )


def _markdown_page(convention: str, width: int) -> Page:
    return Page(
        title=lambda t: f"# {_plain_markdown(t)}",
        heading=lambda n, t: f"## {n}. {_plain_markdown(t)}",
        words=_plain_markdown,
        equation=lambda e: f"$$\n{_latex_equation(e, convention, width)}\n$$",
    )


def _html_page(convention: str, width: int) -> Page:
    def equation(e: Equation) -> str:
        name = html.escape(_TEXT.get(e.left.letter, e.left.letter))
        named = (
            f"<msub><mi>{name}</mi><mi>{html.escape(e.left.index)}</mi></msub>" if e.left.index else f"<mi>{name}</mi>"
        )
        left = f"<mrow>{named}<mo>=</mo></mrow>"
        head, body = mathml(e.right, convention).split(">", 1)
        return f"{head}>{left}{body}"

    return Page(
        title=lambda t: f"<h1>{html.escape(t)}</h1>",
        heading=lambda n, t: f"<h2>{n}. {html.escape(t)}</h2>",
        words=lambda t: f"<p>{html.escape(t)}</p>",
        equation=equation,
        around=(_HTML_HEAD, "</body></html>\n"),
    )


def _typst_page(convention: str, width: int) -> Page:
    def equation(e: Equation) -> str:
        index = f'_("{e.left.index}")' if e.left.index else ""
        left = f"{_TYPST.get(e.left.letter, e.left.letter)}{index}"
        return f"$ {left} = {typst(e.right, convention, min(width, PAPER))} $"

    return Page(
        title=lambda t: f"= {_plain_typst(t)}",
        heading=lambda n, t: f"== {n}. {_plain_typst(t)}",
        words=_plain_typst,
        equation=equation,
        around=("#set page(margin: 2cm)\n#show math.equation: set block(breakable: true)\n\n", ""),
    )


PAGES: dict[str, Callable[[str, int], Page]] = {
    "text": _text_page,
    "latex": _latex_page,
    "markdown": _markdown_page,
    "html": _html_page,
    "typst": _typst_page,
}
FORMATS = (*PAGES, "json")


def _plain_latex(t: str) -> str:
    """A text that LaTeX prints as it is."""
    special = {"\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}"}
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in t)


def _plain_markdown(t: str) -> str:
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#$|" else c for c in t)


def _plain_typst(t: str) -> str:
    return "".join(f"\\{c}" if c in "\\#$*_`<>@=~[]" else c for c in t)


def _json(derivation: Derivation, convention: str) -> str:
    def equation(e: Equation) -> dict[str, object]:
        rows = e.right if isinstance(e.right, list) else [e.right]
        values = [x for row in rows for x in (row if isinstance(row, list) else [row])]
        return {
            "letter": e.left.letter, "index": e.left.index, "frame": e.left.frame,
            "latex": _latex_equation(e, convention, 10**9), "text": [text(x, convention, 10**9) for x in values],
        }  # fmt: skip

    steps = [
        {"title": s.title, "words": s.words, "equations": [equation(e) for e in s.equations]} for s in derivation.steps
    ]
    proofs = [{"claim": p.claim, "holds": p.holds, "terms": p.terms} for p in derivation.proofs]
    return (
        json.dumps({"title": derivation.title, "steps": steps, "proofs": proofs}, indent=2, ensure_ascii=False) + "\n"
    )
