"""In which format a verb writes its page."""

from __future__ import annotations

from pathlib import Path

SUFFIXES = {
    ".txt": "text", ".tex": "latex", ".md": "markdown", ".html": "html", ".typ": "typst", ".json": "json",
}  # fmt: skip
HELP = "text, latex, markdown, html, typst or json; without it that of the file's suffix, or text."


def page_form(asked: str | None, as_json: bool, output: Path | None) -> str:
    """The format of `--as` or `--json`, else the one that the suffix of the file stands for.

    A suffix that stands for another format than the one asked for is refused.
    """
    from dynamis.document.renderers.page import FORMATS
    from dynamis.errors import ArgumentError, UnknownNameError

    if asked is not None and asked not in FORMATS:
        raise UnknownNameError("format", asked, FORMATS)
    if as_json and asked not in (None, "text", "json"):
        raise ArgumentError(f"--json and --as {asked} exclude each other; give one of them", key="as")
    form, option = ("json", "--json") if as_json else (asked, f"--as {asked}")
    suffix = "" if output is None else output.suffix.lower()
    known = SUFFIXES.get(suffix)
    if form is None and suffix and known is None:
        allowed = ", ".join(SUFFIXES)
        raise ArgumentError(f'the suffix of "{output}" is not that of a page ({allowed}); give --as too', key="output")
    if form is not None and known not in (None, form):
        raise ArgumentError(f'{option} and the suffix of "{output}" disagree; give one of them', key="as")
    return form or known or "text"
