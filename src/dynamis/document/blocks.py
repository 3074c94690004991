"""What there is to tell, as data: a document is a title and blocks, and no block knows a format.

Derivations are made of words, rules and equations; results of tables, notes and figures. `dynamis.document.renderers`
turns a document into text, HTML, LaTeX, Typst, Markdown or JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dynamis.document.chart import Chart
    from dynamis.document.formula import Formula, Prose, Sym, Value
    from dynamis.document.pictures.picture import Picture
    from dynamis.errors import ArgumentError
    from dynamis.scalars.exact.ring import Ring

    Cell = str | int | float | Prose | None
    """A cell of a table: text, a number, text with formulas, or nothing."""


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    prose: Prose | str


@dataclass(frozen=True)
class Items:
    """Short paragraphs, one per line."""

    items: tuple[Prose | str, ...]


@dataclass(frozen=True)
class Note:
    """A remark that a reader must not miss."""

    text: str
    kind: Literal["note", "warning"] = "note"


@dataclass(frozen=True)
class Code:
    """A command or a few lines of a program, as they are typed."""

    text: str


@dataclass(frozen=True)
class Rule:
    """A general rule, which the equations after it use. One with a `label` is numbered, as equations are."""

    formula: Formula
    label: str = ""


@dataclass(frozen=True)
class Equation:
    """left = the rule = the rule with the robot's quantities = right; None where there is only a rule."""

    left: Sym | Formula
    """A symbol; of a scalar also a formula, such as a derivative."""
    right: Value | None
    ways: tuple[Formula, ...] = ()
    frame: str = ""
    """The number of the link in whose axes a vector is; empty for scalars, 0 for base axes."""
    axes: str = "xyz"
    """The axes of the components of a vector."""
    label: str = ""
    """What a `Reference` calls it; an equation that has one is numbered."""

    @property
    def left_side(self) -> Formula:
        """The left side as a formula."""
        return self.left if isinstance(self.left, tuple) else (self.left,)


@dataclass(frozen=True)
class Column:
    """The head of a column: its name, its unit, and how its numbers are printed.

    `form` is empty for a column of text; "fixed" for the decimals that the reader asks for (at least `decimals`),
    "%" for shares of 1 as percentages, or a format specification of Python such as ".3g".
    """

    name: Prose | str = ""
    unit: str = ""
    form: str = ""
    decimals: int = 0
    width: int = 0
    """The least width of text: rows that are printed one by one stay aligned."""
    units: tuple[str, ...] = ()
    """The unit of every row, where they differ; `unit` then names them all."""

    @staticmethod
    def of_units(name: Prose | str, units: Iterable[str], form: str) -> Column:
        """A column whose rows have these units.

        >>> Column.of_units("q", ["m", "rad", "m"], "g").unit
        'm, rad'
        """
        each = tuple(units)
        return Column(name, ", ".join(dict.fromkeys(each)), form, units=each)


@dataclass(frozen=True)
class Table:
    """Rows of cells under their columns.

    The first `keys` columns name a row: where the table is too wide for the page it is split, best at the columns
    `splits`, and every part begins with the keys. A column "unit" is that of the numbers before it: where it says the
    same in every row, the heads say it instead. With `hide_zeros`, rows whose fixed numbers all print as zero are left
    out.
    """

    columns: tuple[Column | Prose | str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    keys: int = 1
    splits: tuple[int, ...] = ()
    hide_zeros: bool = False


@dataclass(frozen=True)
class Figure:
    """A picture by its name; `chart` gives what is drawn, when it is drawn, because that may be large.

    `missing` is the error of whoever asks for it where there is nothing to draw. A `schematic` one is made of lines and
    labels, which HTML, LaTeX and Typst show by themselves, with its title where it has no caption; formats without room
    for it show the caption alone. Its `chart` takes the notation of a page with formulas.
    """

    name: str
    chart: Callable[..., Chart | Picture]
    missing: ArgumentError | None = None
    caption: str = ""
    schematic: bool = False


@dataclass(frozen=True)
class Section:
    """Blocks under a title, found by its `name`.

    Not `finished` where time or memory ended before its last block; `missing` is the error of whoever asks for it
    where there is nothing to show.
    """

    title: str
    blocks: tuple[Block, ...] = ()
    name: str = ""
    finished: bool = True
    missing: ArgumentError | None = None


Part = Words | Rule | Equation | Table
"""What the steps of a derivation are made of."""


@dataclass(frozen=True)
class Document:
    """A title and blocks; sections are numbered on a page that is read from its beginning to its end.

    A document inside of a document (the derivation of one robot in a report on several) keeps the ring of its formulas.

    `data` and `columns` give what JSON and what CSV and Parquet hold; both may be large and are made when asked for.
    """

    title: str
    blocks: tuple[Block, ...]
    numbered: bool = False
    ring: Ring | None = None
    """The ring of the formulas, where there are any."""
    misleading: frozenset[str] = frozenset()
    """Meanings of symbols that look like parameters and stand for something else: "mass" where m1 is not of link 1."""
    data: Callable[[], Mapping[str, Any]] | None = None
    columns: Callable[[], Mapping[str, NDArray[np.float64]]] | None = None
    states: Callable[[], Iterable[Document]] | None = None
    """The documents of all states of a batch, where the blocks are those of the first: DataFrames hold them all."""
    methods: tuple[str, ...] = ()
    """What it was made by, of the methods in document/works.toml: a page ends with the works that they follow."""
    main_figure: str = ""
    """The figure that a notebook shows and `plot` draws without a name; empty for the first one."""
    main_sections: tuple[str, ...] = ()
    """The sections that a notebook keeps open besides the first ones."""

    def titled(self, title: str) -> Document:
        """The document with the title of its first section, or with this one."""
        first, *rest = self.blocks or (None,)
        if isinstance(first, Section) and first.title and not first.missing:
            return replace(self, title=first.title, blocks=(replace(first, title=""), *rest))
        return replace(self, title=title)

    @property
    def sections(self) -> dict[str, Section]:
        """The named sections, in order."""
        return {block.name: block for block in self.blocks if isinstance(block, Section) and block.name}

    @property
    def figures(self) -> dict[str, Figure]:
        """The figures by name, in order."""
        return {block.name: block for block in _inside(self.blocks) if isinstance(block, Figure)}

    @property
    def notes(self) -> frozenset[str]:
        """The remarks in it."""
        return frozenset(block.text for block in _inside(self.blocks) if isinstance(block, Note))

    @property
    def all_methods(self) -> tuple[str, ...]:
        """Its methods, and those of the documents in it."""
        inner = [block.methods for block in _inside(self.blocks) if isinstance(block, Document)]
        return tuple(dict.fromkeys(name for methods in (self.methods, *inner) for name in methods))

    @property
    def rings(self) -> list[Ring]:
        """The rings of its formulas, and of those of the documents in it."""
        inner = [block.ring for block in _inside(self.blocks) if isinstance(block, Document)]
        return [ring for ring in (self.ring, *inner) if ring is not None]


Block = Part | Items | Note | Code | Figure | Section | Document


def _inside(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Section | Document):
            yield from _inside(block.blocks)
