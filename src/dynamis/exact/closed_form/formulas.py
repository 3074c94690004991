"""Scalars of a model as a notebook shows them: formulas, folded where they are long; lists of them stay lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from dynamis.base.display import Displayable
from dynamis.scalars.exact.ring import SHORT_LINE, Exact, Ring
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling.blocks import Document, Equation, Words
from dynamis.telling.formula import Sym, Val, Value
from dynamis.telling.notation.latex import LATEX, latex
from dynamis.telling.notation.schools import as_notation
from dynamis.telling.notation.symbol_printer import SymbolPrinter
from dynamis.telling.notation.tree_printer import Joints
from dynamis.telling.renderers.page import render
from dynamis.telling.symbols import J

MOST_TERMS = 1000
"""Terms that a notebook gets as LaTeX; more of them would take its browser minutes."""


class Formulas(list[Any], Displayable):
    """A vector, a matrix or several of them, as (nested) lists of exact scalars; a notebook shows the named `parts`."""

    def __init__(self, values: Iterable[Any], ring: Ring, *parts: tuple[Sym, Value]) -> None:
        super().__init__(values)
        self.ring, self.parts = ring, parts

    def document(self) -> Document:
        """One equation per part; without parts the entries alone."""
        blocks = tuple(Equation(symbol, value) for symbol, value in self.parts)
        return Document("", blocks or (Words(((Val([*self]),),)),), ring=self.ring)

    @property
    def terms(self) -> int:
        """How long all entries are together."""
        return sum(map(len, _scalars([value for _, value in self.parts] or [*self])))

    def __repr__(self) -> str:
        plain = not self or (isinstance(self[0], Exact | list) and self.terms <= SHORT_LINE)
        text = str([*self]) if plain else ""
        short = 0 < len(text) <= SHORT_LINE and "<" not in text  # of a scalar that is long
        return text if short else f"<{_shape(self)} formulas, {self.terms} terms>"

    def __str__(self) -> str:
        short, first = repr(self), self[0] if self else None
        several = not self.parts and isinstance(first, list) and isinstance(first[0], list)
        is_short = not short.startswith("<") and not isinstance(first, list)
        return short if several or is_short else formula_text(self)

    def _repr_latex_(self) -> str | None:
        return latex_of(self.ring, self.parts) if self.parts else None


def formula_text(value: Displayable) -> str:
    """Formulas as the text of a page; in a few words where a reader would wait for it."""
    blocks = value.document().blocks
    terms = sum(map(len, _scalars([block.right for block in blocks if isinstance(block, Equation)])))
    return render(value).rstrip("\n") if terms <= MOST_TERMS else repr(value)


def formulas(value: Any, ring: Ring) -> Any:
    """A list as formulas without names; anything else as it is."""
    entries: list[Any] = value
    return Formulas(entries, ring) if isinstance(value, list) else value


def jacobian_parts(linear: list[Vector[Exact]], angular: list[Vector[Exact]], link: int) -> list[tuple[Sym, Value]]:
    """J_v and J_w of a link from their columns."""
    return [
        (J.at(f"{of}{link}"), [list(row) for row in zip(*columns, strict=True)])
        for of, columns in (("v", linear), ("w", angular))
    ]


def latex_of(ring: Ring, parts: Iterable[tuple[Sym, Value]]) -> str | None:
    """Equations as LaTeX between dollars; None where they are too long for a notebook."""
    rows = [*parts]
    if sum(len(scalar) for _, value in rows for scalar in _scalars(value)) > MOST_TERMS:
        return None
    left = SymbolPrinter(LATEX, as_notation("dynamis"), Joints.of(ring.one))
    lines = " \\\\ ".join(f"{left.written(symbol)} &= {latex(value, symbol=symbol)}" for symbol, value in rows)
    return f"$\\begin{{aligned}} {lines} \\end{{aligned}}$"


def mime_bundle(scalar: Exact) -> dict[str, str]:
    """One scalar as MathML and LaTeX."""
    page = Document("", (Words(((Val(scalar),),)),), ring=scalar.ring)
    bundle = {"text/html": render(page, "notebook")}
    return bundle if len(scalar) > MOST_TERMS else {**bundle, "text/latex": f"${latex(scalar)}$"}


def _scalars(values: Any) -> Iterator[Exact]:
    if isinstance(values, Exact):
        yield values
    elif isinstance(values, list | tuple | Vector | Matrix):
        for value in cast("Iterable[Any]", values):
            yield from _scalars(value)


def _shape(values: Any) -> str:
    """`2 x 2`."""
    if not isinstance(values, list):
        return ""
    entries: list[Any] = [*values]
    inner = _shape(entries[0]) if entries else ""
    return f"{len(entries)} x {inner}" if inner else str(len(entries))
