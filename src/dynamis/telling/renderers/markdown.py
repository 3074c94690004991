"""Markdown, with formulas in LaTeX between dollars."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from pathlib import Path
from textwrap import indent
from urllib.parse import quote

from dynamis.base.printable import visible
from dynamis.base.writing import make_folder, write_bytes, write_text
from dynamis.telling.blocks import Figure
from dynamis.telling.escapes import html_comment, markdown_text
from dynamis.telling.renderers.equation_lines import Rows
from dynamis.telling.renderers.latex import latex_aligned
from dynamis.telling.renderers.walk import Page

_DATA = "data:image/svg+xml;base64,"
_PICTURE = re.compile(rf"(?<=\]\(){re.escape(_DATA)}([A-Za-z0-9+/=]*)(?=\))")


class MarkdownPage(Page):
    """Markdown as GitHub and notebooks read it."""

    @property
    def width(self) -> int:
        """Browsers write formulas larger than the text around them."""
        return round(0.9 * self.page_width)

    def title(self, text: str) -> str:
        return f"# {text}"

    def heading(self, text: str, number: int | None, level: int) -> str:
        return f"{'#' * level} {text if number is None else f'{number}. {text}'}"

    def paragraph(self, text: str) -> str:
        return text

    def items(self, texts: list[str]) -> str:
        return "\n".join(f"- {text}" for text in texts)

    def code(self, text: str) -> str:
        return indent(visible(text), "    ")

    def escaped(self, text: str) -> str:
        return markdown_text(text)

    def math(self, text: str) -> str:
        return f"${text}$"

    def chain(self, rows: Rows, number: int | None = None) -> str:
        tag = "" if number is None else f" \\tag{{{number}}}"
        return f"$$\n\\begin{{aligned}}\n{latex_aligned(rows)}\n\\end{{aligned}}{tag}\n$$"

    def footer(self, text: str) -> str:
        return f"---\n\n{text}"

    def comment(self, text: str) -> str:
        return html_comment(text)

    def table(self, header: list[str], rows: list[list[str]], right: list[bool]) -> str:
        lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
        return "\n".join([lines[0], "|" + "".join("---:|" if r else "---|" for r in right), *lines[1:]])


class PicturedMarkdownPage(MarkdownPage):
    """Markdown with its figures inside of it, as data, so that it stands alone."""

    def figure(self, figure: Figure) -> str:
        element, caption = self.svg(figure)
        if not element:
            return super().figure(figure)
        words = f"\n\n{self.paragraph(self.plain('Figure: '))}{caption}" if caption else ""
        return f"![{caption}]({_DATA}{b64encode(element.encode()).decode()}){words}"


def picture_files(page: str, folder: str) -> tuple[str, dict[str, bytes]]:
    """A page with its figures as files in a folder beside it, and these files by their names.

    >>> page, files = picture_files("![arm](data:image/svg+xml;base64,PHN2Zy8+)", "arm_files")
    >>> page, files
    ('![arm](arm_files/figure-1.svg)', {'figure-1.svg': b'<svg/>'})
    """
    files: dict[str, bytes] = {}

    def link(match: re.Match[str]) -> str:
        name = f"figure-{len(files) + 1}.svg"
        files[name] = b64decode(match[1])
        return f"{folder}/{name}"

    return _PICTURE.sub(link, page), files


def write_markdown(path: Path, text: str) -> None:
    """A page of Markdown, and its figures in a folder beside it."""
    folder = path.with_name(f"{path.stem}_files")
    page, files = picture_files(text, quote(folder.name))
    if files:
        make_folder(folder)
    for name, data in files.items():
        write_bytes(folder / name, data)
    write_text(path, page)
