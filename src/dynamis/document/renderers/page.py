"""A derivation on the page: text, LaTeX, Markdown, HTML with MathML, Typst, JSON."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from math import inf

from dynamis.document.blocks import MOST_TERMS, Derivation, Equation, Rule, Step, Table, Words
from dynamis.document.claim_words import CLAIM_WORDS
from dynamis.document.formula import Prose
from dynamis.document.notation.conventions import convention as named_convention
from dynamis.document.notation.formulas import Markup, Scribe
from dynamis.document.notation.numerals import KEPT_DIGITS, MOST_DIGITS
from dynamis.document.notation.writer import Joints
from dynamis.document.renderers.markups import LATEX, TEXT
from dynamis.document.renderers.page_formats import MARKUPS, PAGES, Page, latex_aligned, latex_page, text_page
from dynamis.scalars.exact.proof import Proof
from dynamis.scalars.exact.ring import Ring

FORMATS = (*PAGES, "json")
NORMAL_FORM = (
    "Both sides of every claim were brought to normal form, in which two expressions are equal if and only if they "
    "have the same terms."
)


CUT = (
    "Formulas that end with … are only begun here. --whole writes them out; --only gives one of them alone, a long one "
    "in named terms; more --seconds give their time to those that came too late."
)

ROUNDED = (
    f"Numbers of more than {MOST_DIGITS} digits are rounded to {KEPT_DIGITS} on this page; the proofs are about the "
    "exact ones, which --whole and JSON have."
)

PLAIN = (
    "The time was over before this page was written: from there on formulas stand as they come, not in their shortest "
    "form, and without the lines between rule and result. More --seconds give their time to them."
)


def render(
    derivation: Derivation, form: str = "text", convention: str = "spong", width: int = 100, whole: bool = False
) -> str:
    """The derivation in a format of FORMATS, in the notation of a school.

    A formula on the way of more than MOST_TERMS terms shows its beginning, and the page says so, unless it is to be
    `whole`. JSON has all terms.
    """
    joints = Joints.of(derivation.ring.zero)
    with _unhurried(derivation.ring) as until:

        def scribe(markup: Markup) -> Scribe:
            cap = None if whole or form == "json" else MOST_TERMS
            return Scribe(markup, named_convention(convention), joints, cap, until)

        if form == "json":
            return _json(derivation, latex_page(scribe(LATEX), 10**9), text_page(scribe(TEXT), 10**9))
        return _written(derivation, PAGES[form](scribe(MARKUPS[form]), width))


def _written(derivation: Derivation, page: Page) -> str:
    """Title, steps, proofs, and what is missing."""
    title = page.plain(derivation.title)
    parts = [page.title(title)]
    for number, step in enumerate(derivation.steps, 1):
        parts += [page.heading(number, page.plain(step.title)), *map(page.part, step.parts)]
    number = len(derivation.steps) + 1
    if derivation.proofs:
        parts += [page.heading(number, "Proof"), page.paragraph(page.plain(NORMAL_FORM))]
        parts += [page.paragraph(page.words(sentence(proof))) for proof in derivation.proofs]
        number += 1
    if page.scribe.plain:
        parts += [page.paragraph(page.plain(PLAIN))]
    if page.scribe.cut:
        parts += [page.paragraph(page.plain(CUT))]
    if page.scribe.rounded:
        parts += [page.paragraph(page.plain(ROUNDED))]
    if derivation.stopped:
        parts += [page.heading(number, "Not finished"), page.paragraph(page.plain(_capital(derivation.stopped)))]
    return page.whole(title, "\n".join(f"{part}\n" for part in parts))


@contextmanager
def _unhurried(ring: Ring) -> Generator[float]:
    """When the time of a derivation is over. What is finished is written nevertheless, so its ring may go on."""
    deadline = ring.deadline
    if deadline is None:
        yield inf
        return
    seconds, end = deadline.seconds, deadline.end
    deadline.seconds, deadline.end = inf, None
    try:
        yield inf if end is None else end
    finally:
        deadline.seconds, deadline.end = seconds, end


def sentence(proof: Proof) -> Prose:
    """A proof in words, without the time it took, so that a page is always the same."""
    claim = CLAIM_WORDS.get(proof.claim, (proof.claim,))
    if proof.counterexample is not None:
        return "False: ", *claim, f"; {proof.counterexample}."
    if not proof.terms:
        return *claim, ": proved (both sides are zero)."
    return *claim, f": proved ({proof.terms} term{'s' if proof.terms > 1 else ''} on each side)."


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _json(derivation: Derivation, latex: Page, text: Page) -> str:
    def equation(e: Equation) -> dict[str, object]:
        right = [] if e.right is None else text.scribe.scalars(e.right)
        return {
            "letter": f"{e.left.letter}{'dot' * e.left.dots}", "index": e.left.index, "frame": e.frame,
            "latex": f"\\begin{{aligned}} {latex_aligned(latex.equation(e))} \\end{{aligned}}", "text": right,
            "rules": [text.scribe.inline(way) for way in e.ways],
        }  # fmt: skip

    def step(s: Step) -> dict[str, object]:
        return {
            "title": s.title,
            "finished": s.finished,
            "words": " ".join(text.words(part.prose) for part in s.parts if isinstance(part, Words)),
            "rules": [latex.scribe.inline(part.formula) for part in s.parts if isinstance(part, Rule)],
            "tables": [
                {"header": part.header, "rows": [[text.words(cell) for cell in row] for row in part.rows]}
                for part in s.parts
                if isinstance(part, Table)
            ],
            "equations": [equation(part) for part in s.parts if isinstance(part, Equation)],
        }

    proofs = [{"claim": p.claim, "holds": p.holds, "terms": p.terms} for p in derivation.proofs]
    found = {
        "title": derivation.title, "finished": not derivation.missing, "missing": derivation.missing,
        "stopped": derivation.stopped, "steps": [step(s) for s in derivation.steps], "proofs": proofs,
        "shortest_forms": not (latex.scribe.plain or text.scribe.plain),
        "whole": not (latex.scribe.cut or text.scribe.cut),
    }  # fmt: skip
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
