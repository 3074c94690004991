"""Options of what is shown: where a page goes, and how it looks. They change no result."""

from __future__ import annotations

from pathlib import Path

from dynamis.verbs.kind import Spelling

NOTATIONS = "dynamis.telling.notation.schools:NOTATIONS"
OUTPUTS = {
    one.name: one
    for one in (
        Spelling(
            "notation", str,
            "How equations look: dynamis, bejczy, craig, deluca, genova, jnadi, siciliano, spong or a notation file.",
            "NAME", NOTATIONS, default="dynamis",
        ),
        Spelling(
            "digits", int, "Digits of decimals on the page, at most; JSON has all of them.", least=1, most=15
        ),
        Spelling("decimals", int, "Decimals in the tables.", least=0, most=15, default=3),
        Spelling(
            "page", str,
            "text, latex, markdown, html, typst or json; without it that of the file's suffix (or .pdf), or text.",
            "FORMAT", "dynamis.telling.renderers.page:PAGE_FORMATS",
        ),
        Spelling("output", Path, "Write to a file.", "FILE", also="output"),
        Spelling("force", bool, "Overwrite files that exist.", default=False),
        Spelling("fragment", bool, "Without the head of the file, to include it in another one.", default=False),
        Spelling(
            "width", int, "Width of the text in characters; that of the terminal if left out.", least=40, most=1000
        ),
        Spelling("as_json", bool, "Print JSON instead of tables.", default=False),
    )
}  # fmt: skip
"""By their names."""
