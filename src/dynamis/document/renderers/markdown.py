"""Markdown, with formulas in LaTeX between dollars."""

from __future__ import annotations

from textwrap import indent

from dynamis.document.escapes import html_comment, markdown_text
from dynamis.document.renderers.equation_lines import Rows
from dynamis.document.renderers.latex import latex_aligned
from dynamis.document.renderers.walk import Page
from dynamis.printable import visible


class MarkdownPage(Page):
    """Markdown as GitHub and notebooks read it."""

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

    def plain(self, text: str) -> str:
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
