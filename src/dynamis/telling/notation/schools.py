"""Whose notation: the schools that ship with dynamis, and notation files.

A school is a file in `dynamis/notations/`, in the format that anybody can write one in (docs/notation.md).
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from dynamis.base.errors import DynamisError, literal
from dynamis.base.shipped_files import Shipped
from dynamis.base.toml_table import Table, parse_toml, read_text
from dynamis.telling.forms.order import Layout
from dynamis.telling.notation.names import GREEK
from dynamis.telling.notation.notation import LETTERS, Notation

SHIPPED = Shipped("notation", "notations")
# A notation has some forty meanings: a file of several thousand lines is not one.
MAX_BYTES = 50_000
MAX_ABOUT = 300
_NAMES = {letter: name for name, letter in GREEK.items()}
_LAYOUT = tuple(field.name for field in fields(Layout) if field.name != "decimals")


def read_notation(path: str | Path) -> Notation:
    """The notation of a file; errors name the file and the line."""
    table = parse_toml(read_text(Path(path), MAX_BYTES), str(path))
    about = table.text("about", "")
    if len(about) > MAX_ABOUT:
        table.fail("about", f"about has {len(about)} characters; at most {MAX_ABOUT} are allowed")
    start = NOTATIONS[table.choice("like", sorted(NOTATIONS))] if "like" in table else Notation("")
    given = {key: table.table(key, {}) for key in ("letters", "symbols", "arguments", "sums", "equation")}
    letters = {key: _letter(given["letters"], key) for key in LETTERS if key in given["letters"]}
    given["letters"].allowed_keys += LETTERS
    symbols = {meaning: _letter(given["symbols"], meaning) for meaning in given["symbols"].data}
    arguments = {meaning: _arguments(given["arguments"], meaning) for meaning in given["arguments"].data}
    layout = {key: given["sums"].flag(key) for key in _LAYOUT if key in given["sums"]}
    given["sums"].allowed_keys += _LAYOUT
    coriolis = given["equation"].choice("coriolis", ("vector", "matrix"), start.coriolis)
    table.allowed_keys += ["like"]
    for part in (table, given["letters"], given["sums"], given["equation"]):
        part.done()
    try:
        return replace(
            start,
            name=Path(path).stem,
            **letters,
            coriolis="matrix" if coriolis == "matrix" else "vector",
            layout=replace(start.layout, **layout),
            symbols={**start.symbols, **symbols},
            arguments={**start.arguments, **arguments},
        )
    except DynamisError as error:
        where = next((part for part in given.values() if error.key in part.data), table)
        raise error.at(str(path), where.line(error.key)) from None


def _letter(table: Table, key: str) -> str:
    """A symbol; Greek letters by their names."""
    symbol = table.text(key)
    return _NAMES.get(symbol, symbol)


def _arguments(table: Table, meaning: str) -> tuple[str, ...]:
    values: list[Any] = table.array(meaning)
    if not all(isinstance(value, str) for value in values):
        table.fail(meaning, f'the arguments of "{meaning}" must be a list such as ["q", "qd"], got {literal(values)}')
    return tuple(values)


NOTATIONS: dict[str, Notation] = {}
NOTATIONS.update((name, read_notation(SHIPPED.path(name))) for name in SHIPPED.names())
"""The notations that ship with dynamis, by name."""


def as_notation(notation: str | Notation) -> Notation:
    """A notation by its name, or from its file; an unknown name suggests the nearest."""
    if isinstance(notation, Notation):
        return notation
    return NOTATIONS[str(notation)] if str(notation) in NOTATIONS else read_notation(SHIPPED.path(notation))
