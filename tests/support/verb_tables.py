"""The options of every verb as tables, for docs/verbs.md: from the declarations, which are the only list of them."""

from __future__ import annotations

import re

from dynamis.base.verb import Declared, declared_options
from dynamis.verbs.catalogue import PLACES, verb_named
from dynamis.verbs.kinds import kind_of
from dynamis.verbs.words import flags
from tests.support.pages import DOCS

PAGE = DOCS / "verbs.md"
_TABLE = re.compile(r"(<!-- options of ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def page() -> str:
    """The page with its tables as they are now."""
    text = PAGE.read_text(encoding="utf-8")
    assert {name for _, name, _ in _TABLE.findall(text)} == {*PLACES}, "docs/verbs.md has a table per verb"
    return _TABLE.sub(lambda found: f"{found[1]}\n{table(found[2])}\n{found[3]}", text)


def table(name: str) -> str:
    """A row per option: its name in Python and JSON, on the command line and in a file, what it is, its default."""
    kind = verb_named(name)
    rows = ["| Python, JSON | command line | file | what | default |", "|---|---|---|---|---|"]
    for x in declared_options(kind).values():
        if x.name == "robot":
            continue
        written = kind_of(x).spellings(x, bool(kind.file and x.about.file))
        typed = ", ".join(f"`{one.metavar if one.positional else flags(one)[0]}`" for one in written)
        key = f"`{x.about.file}`" if x.about.file else ""
        rows.append(f"| `{x.name}` | {typed} | {key} | {_what(x)} | {_default(x)} |")
    return "\n".join([*rows, ""])


def _what(x: Declared) -> str:
    unit = f" [{x.about.unit}]" if x.about.unit else ""
    return f"{x.about.help}{unit}".replace("|", r"\|")


def _default(x: Declared) -> str:
    return "" if x.required or x.default in (None, ()) else f"`{x.default!r}`"
