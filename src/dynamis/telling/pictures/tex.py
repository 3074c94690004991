"""A picture as TikZ, for a paper; and the text of its labels in the signs of TeX."""

from __future__ import annotations

import re
from collections.abc import Callable

from dynamis.telling.escapes import latex_characters, latex_text
from dynamis.telling.notation.names import GREEK
from dynamis.telling.pictures.picture import LOOKS, PAPER, TINT, Circle, Label, Mark, Path, Picture, Role
from dynamis.telling.pictures.svg import number
from dynamis.telling.pictures.text import FONT_SIZE, Sign, Text


def tikz(picture: Picture) -> str:
    """The environment `tikzpicture`, for \\input; it needs the package tikz alone."""
    roles: list[Role] = sorted({mark.role for mark in picture.marks})
    font = f"\\fontsize{{{number(FONT_SIZE)}}}{{{number(1.2 * FONT_SIZE)}}}\\selectfont"
    nodes = f"every node/.style={{anchor=base, inner sep=0pt, font={font}}}"
    lines = [f"\\begin{{tikzpicture}}[x=1pt, y=1pt, line join=round, line cap=round, {nodes}]"]
    lines += [f"\\definecolor{{{_colour(role)}}}{{HTML}}{{{LOOKS[role].colour[1:]}}}" for role in roles]
    lines += [f"\\definecolor{{dynamis{name}}}{{HTML}}{{{c[1:]}}}" for name, c in (("paper", PAPER), ("tint", TINT))]
    lines.append(f"\\useasboundingbox (0,0) rectangle ({number(picture.width)},{number(picture.height)});")
    return "\n".join([*lines, *map(_mark, picture.marks), "\\end{tikzpicture}\n"])


def tikz_document(picture: Picture) -> str:
    """A file that LaTeX turns into a page of the size of the picture."""
    body = tikz(picture)
    head = f"\\documentclass[tikz]{{standalone}}\n{latex_characters(body)}"
    return f"{head}\\begin{{document}}\n{body}\\end{{document}}\n"


def tex_text(text: Text, escape: Callable[[str], str]) -> str:
    """Symbols as formulas between dollars, the rest as text that `escape` makes harmless.

    >>> tex_text((Sign("alpha", "1"), " = 90°"), str)
    '$\\\\alpha_{1}$ = 90°'
    """
    return "".join(escape(part) if isinstance(part, str) else _sign(part) for part in text)


def _sign(sign: Sign) -> str:
    letter = f"\\{sign.letter}" if sign.letter in GREEK else sign.letter
    letter = f"\\mathbf{{{letter}}}" if sign.bold else letter
    scripts = "".join(f"{mark}{{{_script(script)}}}" for mark, script in (("_", sign.sub), ("^", sign.sup)) if script)
    return f"${letter}{scripts}$"


def _script(script: str) -> str:
    """Words stand upright."""
    return re.sub(r"[A-Za-z]{2,}", lambda word: f"\\mathrm{{{word[0]}}}", script)


def _mark(mark: Mark) -> str:
    if isinstance(mark, Label):
        text = tex_text(mark.text, lambda part: latex_text(part).replace("−", "$-$").replace("°", "$^\\circ$"))
        return f"\\node[text={_colour(mark.role)}] at {_point(mark.at)} {{{text}}};"
    look = LOOKS[mark.role]
    options = [f"draw={_colour(mark.role)}", f"line width={number(look.width)}pt"]
    if isinstance(mark, Path) and not mark.stroke:
        options = []
    if look.dashes and options:
        marks = zip(("on", "off") * 4, look.dashes, strict=False)
        options.append(f"dash pattern={' '.join(f'{word} {number(x)}pt' for word, x in marks)}")
    if mark.fill != "none":
        options.append(f"fill={_colour(mark.role) if mark.fill == 'ink' else f'dynamis{mark.fill}'}")
    if isinstance(mark, Circle):
        shape = f"{_point(mark.centre)} circle[radius={number(mark.radius)}]"
    else:
        shape = " -- ".join([*map(_point, mark.points), *(["cycle"] if mark.closed else [])])
    return f"\\path[{', '.join(options)}] {shape};"


def _colour(role: Role) -> str:
    return f"dynamis{role.replace(' ', '')}"


def _point(point: tuple[float, float]) -> str:
    return f"({number(point[0])},{number(point[1])})"
