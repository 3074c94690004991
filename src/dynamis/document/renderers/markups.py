"""The four markups of formulas: text, LaTeX, Typst, MathML."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

from dynamis.document.notation.formulas import Markup
from dynamis.document.notation.latex import LATEX as LATEX_DIALECT
from dynamis.document.notation.mathml import MATHML as MATHML_DIALECT
from dynamis.document.notation.names import Name
from dynamis.document.notation.text import UNICODE
from dynamis.document.notation.typst import TYPST as TYPST_DIALECT
from dynamis.document.notation.writer import BREAK
from dynamis.document.renderers.layout import COMBINING, beside, wide

_LOW = dict(zip("ijkl", "ᵢⱼₖₗ", strict=True))
_BOLD = dict(zip("aAαΑ", "𝐚𝐀𝛂𝚨", strict=True))
"""The first letters of the alphabets, and their bold forms."""


def _text_matrix(cells: list[list[str]]) -> str:
    widths = [max(map(wide, column)) for column in zip(*cells, strict=True)]
    rows = ["   ".join(c + " " * (w - wide(c)) for c, w in zip(row, widths, strict=True)) for row in cells]
    return "\n".join(f"│ {row} │" for row in rows)


def _text_bold(name: str, letter: str) -> str:
    for first, bold in _BOLD.items():
        if len(letter) == 1 and 0 <= ord(letter) - ord(first) < 26:
            return name.replace(letter, chr(ord(bold) + ord(letter) - ord(first)), 1)
    return name


def _text_fraction(above: str, below: str) -> str:
    """Of two quantities, which have their brackets, or of a derivative: ∂²T/(∂q₁ ∂q₂)."""
    return f"{above}/({below})" if "∂" in below[1:] else f"{above}/{below}"


def _text_name(name: Name) -> str:
    """m_ij with low letters too, where all of the index has them."""
    if name.subscript and not set(name.subscript) - {*_LOW, *"0123456789,"} and set(name.subscript) & {*_LOW}:
        return UNICODE.name(replace(name, subscript="")) + "".join(
            _LOW.get(c, UNICODE.name(Name("", c))) for c in name.subscript
        )
    return UNICODE.name(name)


TEXT = Markup(
    dialect=replace(UNICODE, name=_text_name),
    signs={
        "+": " + ", "-": " − ", "negative": "−", "=": " = ", "x": " × ", ".": " · ", "partial": "∂", "partial2": "∂²",
        ",": ", ",
    },
    word=lambda text: text,
    bold=_text_bold,
    transposed=lambda name: f"{name}ᵀ",
    fraction=_text_fraction,
    group=lambda inner, tall: f"({inner})",
    total=lambda over: f"Σ{''.join(_LOW.get(c, c) for c in over if c != ',')}",
    matrix=_text_matrix,
    visible=lambda text: re.sub(f"[{COMBINING}]", "", text),
    assemble=beside,
)  # fmt: skip


def _latex_visible(text: str) -> str:
    shown = re.sub(
        r"\\(frac|dot|ddot|mathrm|mathbf|boldsymbol|text|sqrt|quad|Bigl|Bigr|Biggl|Biggr|left|right)\b", "", text
    )
    shown = re.sub(r"\\(sin|cos)\b", "xxx", shown)
    return re.sub(r"[{}_^ &]", "", re.sub(r"\\[a-zA-Z]+", "x", shown))


def _latex_group(inner: str, tall: bool) -> str:
    """Brackets that grow; of a fixed size where a line may end between them."""
    if not tall:
        return f"({inner})"
    if BREAK not in inner:
        return f"\\left({inner}\\right)"
    size = "Big" if "\\frac" in inner else "Bigg"
    return f"\\{size}l({inner}\\{size}r)"


def _latex_matrix(cells: list[list[str]]) -> str:
    return "\\begin{pmatrix} " + " \\\\ ".join(" & ".join(row) for row in cells) + " \\end{pmatrix}"


def _latex_tall(inner: str) -> str:
    return _latex_group(inner, "\\frac" in inner)


LATEX = Markup(
    dialect=replace(LATEX_DIALECT, group=_latex_tall),
    signs={
        "+": " + ", "-": " - ", "negative": "-", "=": " = ", "x": " \\times ", ".": " \\cdot ", "partial": "\\partial ",
        "partial2": "\\partial^{2} ", ",": ", ",
    },
    word=lambda text: f"\\mathrm{{{text}}}" if text.isalpha() else text,
    bold=lambda name, letter: name.replace(letter, f"\\boldsymbol{{{letter}}}", 1),
    transposed=lambda name: f"{name}^{{T}}",
    fraction=lambda above, below: f"\\frac{{{above.strip()}}}{{{below.strip()}}}",
    group=_latex_group,
    total=lambda over: f"\\sum_{{{over}}} ",
    matrix=_latex_matrix,
    visible=_latex_visible,
    space="\\, ",
)  # fmt: skip


def _typst_name(name: Name) -> str:
    """An index ij is two letters, not a word."""
    if set(name.subscript) <= set("ijklc0123456789,") and set(name.subscript) & set("ijkl"):
        return f"{TYPST_DIALECT.name(replace(name, subscript=''))}_({' '.join(name.subscript)})"
    return TYPST_DIALECT.name(name)


def _typst_visible(text: str) -> str:
    shown = re.sub(r"\b(frac|dot\.double|dot|sqrt|bold|mat|thin|quad)\b", "", text)
    return re.sub(r'[_() ";]', "", re.sub(r"\b(?!sin|cos)[a-z]{2,}(\.alt|\.op|\.c)?\b", "x", shown))


TYPST = Markup(
    dialect=replace(TYPST_DIALECT, name=_typst_name),
    signs={
        "+": " + ", "-": " - ", "negative": "-", "=": " = ", "x": " times ", ".": " dot.op ", "partial": "partial ",
        "partial2": "partial^2 ", ",": ", ",
    },
    word=lambda text: f'"{text}"' if text.isalpha() else text,
    bold=lambda name, letter: re.sub(rf"(?<![a-z]){re.escape(letter)}(?![a-z])", f"bold({letter})", name, count=1),
    transposed=lambda name: f"{name}^T",
    fraction=lambda above, below: f"frac({above.strip()}, {below.strip()})",
    group=lambda inner, tall: f"({inner})",
    total=lambda over: f"sum_({over}) ",
    matrix=lambda cells: "mat(" + "; ".join(", ".join(row) for row in cells) + ")",
    visible=_typst_visible,
    space=" thin ",
)  # fmt: skip


def _outer(text: str) -> str:
    """Breaks between elements only, not inside of one."""
    depth, kept = 0, ""
    for chunk in text.split(BREAK):
        kept += (BREAK if kept and depth == 0 else "") + chunk
        depth += len(re.findall(r"<[a-z]", chunk)) - chunk.count("</")
    return kept


def _mathml_bold(name: str, letter: str) -> str:
    """A single letter with its bold form: browsers follow the character, not mathvariant."""
    plain = letter.removeprefix("<mi>").removesuffix("</mi>")
    return name.replace(letter, f"<mi>{_text_bold(plain, plain)}</mi>", 1)


def _mathml_matrix(cells: list[list[str]]) -> str:
    table = "".join(f"<mtr>{''.join(f'<mtd><mrow>{cell}</mrow></mtd>' for cell in row)}</mtr>" for row in cells)
    return f"<mrow><mo>(</mo><mtable>{table}</mtable><mo>)</mo></mrow>"


def _mathml_word(text: str) -> str:
    if text.replace(".", "").isdigit():
        return f"<mn>{text}</mn>"
    if text in "[]":
        return f"<mo>{text}</mo>"
    return f"<mtext>{escape(text)}</mtext>"


MATHML = Markup(
    dialect=replace(MATHML_DIALECT, sum_break=BREAK),
    signs={
        "+": "<mo>+</mo>", "-": "<mo>\u2212</mo>", "negative": "<mo>\u2212</mo>", "=": "<mo>=</mo>", "x": "<mo>×</mo>",
        ".": "<mo>·</mo>", "partial": "<mo>∂</mo>", "partial2": "<msup><mo>∂</mo><mn>2</mn></msup>", ",": "<mo>,</mo>",
    },
    word=_mathml_word,
    bold=_mathml_bold,
    transposed=lambda name: f"<msup><mrow>{name}</mrow><mi>T</mi></msup>",
    fraction=lambda above, below: f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>",
    group=lambda inner, tall: f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>",
    total=lambda over: f"<munder><mo>∑</mo><mtext>{escape(over)}</mtext></munder>",
    matrix=_mathml_matrix,
    visible=lambda text: re.sub(r"<[^>]*>", "", text),
    breaks=_outer,
    space="<mspace width='0.15em'/>",
)  # fmt: skip
MARKUPS = {"text": TEXT, "latex": LATEX, "markdown": LATEX, "html": MATHML, "notebook": MATHML, "typst": TYPST}
"""Of the formulas of every format."""
