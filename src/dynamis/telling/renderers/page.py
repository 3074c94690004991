"""A document on the page: text, LaTeX, Markdown, HTML with MathML, Typst, JSON, and what a notebook shows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from dynamis.base.arguments import integer
from dynamis.base.errors import ArgumentError, check_name
from dynamis.base.printable import is_unicode
from dynamis.scalars.exact.limits import no_deadline
from dynamis.telling.blocks import Document, Note
from dynamis.telling.degrees import in_degrees
from dynamis.telling.renderers.html import HtmlPage, NotebookPage
from dynamis.telling.renderers.json import document_data, schema
from dynamis.telling.renderers.latex import LatexFragment, LatexPage
from dynamis.telling.renderers.markdown import MarkdownPage, PicturedMarkdownPage
from dynamis.telling.renderers.text import TerminalPage, TextPage, in_encoding
from dynamis.telling.renderers.typst import TypstPage
from dynamis.telling.renderers.walk import Page
from dynamis.telling.series import plain

if TYPE_CHECKING:
    from dynamis.base.display import Displayable
    from dynamis.base.provenance import Provenance
    from dynamis.telling.notation.formula_printer import FormulaPrinter
    from dynamis.telling.notation.notation import Notation

PAGES: dict[str, type[Page]] = {
    "text": TextPage, "latex": LatexPage, "markdown": MarkdownPage, "html": HtmlPage, "typst": TypstPage,
    "notebook": NotebookPage, "terminal": TerminalPage,
}  # fmt: skip
PAGE_FORMATS = ("text", "latex", "markdown", "html", "typst", "json")
"""The formats of files."""
FRAGMENTS = ("latex", "markdown", "html", "typst")
"""The formats whose files can include others."""
MOST_TERMS = 1000
"""Terms of a formula that are written at most, unless a page is to be whole."""
UNBROKEN_WIDTH = 10**9


def render(
    result: Document | Displayable,
    form: str = "text",
    notation: str | Notation = "dynamis",
    *,
    width: int = 100,
    whole: bool = False,
    decimals: int = 3,
    digits: int | None = None,
    fragment: bool = False,
    degrees: bool = False,
    pictures: bool = False,
    provenance: Provenance | None = None,
    warnings: Iterable[str] | None = None,
    encoding: str = "utf-8",
    kind: type[Page] | None = None,
) -> str:
    """A document, or that of a result, as text of a file.

    form: a format of PAGE_FORMATS, "notebook", or "terminal" for text with marks where it is strong or coloured
    notation: how formulas look, a name of `dynamis.telling.notation.NOTATIONS`, a notation file or a `Notation`
    width: of the text, in characters
    whole: write out every formula; otherwise one of more than MOST_TERMS terms shows its beginning, and the page says
        so (JSON has all terms)
    decimals: of the numbers in tables whose columns leave them open
    digits: of the decimals in formulas, at most; fractions such as 1/12 stay, and JSON has all digits
    fragment: without the head of the file, to be included in another one; LaTeX, Typst, HTML and Markdown
    degrees: angles of tables in degrees; JSON has radians
    pictures: of Markdown: figures as SVG in data URIs; HTML, LaTeX and Typst have them anyway, text has none
    provenance: where the page comes from, at its foot; of a fragment in a comment, of JSON under a key
    warnings: what a reader must not miss, at its head, in JSON among `notes`; by default those of the result's robot
    encoding: of text; what it lacks is spelled, `q1` for q₁
    kind: the class of the page, of a format that is made elsewhere
    """
    if not isinstance(form, str) or form not in PAGES:  # type: ignore[redundant-expr]
        check_name("format", form, PAGE_FORMATS)
    if fragment and form not in FRAGMENTS:
        raise ArgumentError(f"{form} has no fragments; {', '.join(FRAGMENTS)} do", key="fragment")
    width = integer("width", width)
    document = result if isinstance(result, Document) else result.document()
    if warnings is None:
        warnings = () if isinstance(result, Document) else result.robot_warnings
    if form != "json":
        notes = (Note(text, "warning") for text in dict.fromkeys(warnings) if text not in document.notes)
        document = replace(document, blocks=(*notes, *document.blocks))
    if degrees and form != "json":
        document = in_degrees(document)
    cap = None if whole or form == "json" else MOST_TERMS
    with no_deadline(*(ring.deadline for ring in document.rings)) as until:

        def page(kind: type[Page], of: str, width: int) -> Page:
            return kind(
                document,
                lambda inner: _printer(inner, of, notation, cap, until, None if form == "json" else digits),
                width,
                decimals,
            )

        if form in ("text", "terminal") and not is_unicode(encoding):
            text_kind = TerminalPage if form == "terminal" else TextPage
            return page(in_encoding(text_kind, encoding), form, width).written(fragment, provenance)
        if form != "json":
            usual = PicturedMarkdownPage if pictures and form == "markdown" else PAGES[form]
            usual = LatexFragment if fragment and form == "latex" else usual
            return page(kind or usual, form, width).written(fragment, provenance)
        data = document_data(document, page(TextPage, "text", UNBROKEN_WIDTH), page(LatexPage, "latex", UNBROKEN_WIDTH))
        data = {"schema": schema(type(result).__name__), **data}
        if warnings := tuple(warnings):
            data["notes"] = list(dict.fromkeys((*warnings, *data.get("notes", ()))))
        if provenance is not None:
            from dynamis.telling.works import references_data

            references = references_data(document.all_methods)
            data |= {"references": references} if references else {}
            data["provenance"] = provenance.as_dict()
        return json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _printer(
    document: Document, form: str, notation: str | Notation, cap: int | None, until: float, digits: int | None
) -> FormulaPrinter:
    """What writes formulas; imported here, so that documents without formulas need no algebra."""
    from dynamis.telling.notation.formula_printer import LANGUAGES, FormulaPrinter
    from dynamis.telling.notation.schools import as_notation
    from dynamis.telling.notation.tree_printer import Joints

    joints = Joints() if document.ring is None else Joints.of(document.ring.zero)
    joints = replace(joints, misleading=document.misleading)
    return FormulaPrinter(LANGUAGES[form], as_notation(notation), joints, cap, until, digits=digits)
