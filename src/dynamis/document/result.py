"""What every result can do with its document: print itself, draw itself, and write itself to files.

A new result is a dataclass with `document()`; it is then a table in the terminal, a table in the notebook, figures, a
page in LaTeX, Typst, Markdown or HTML, JSON, CSV and Parquet.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from dynamis.arguments import integer
from dynamis.document.blocks import Document, Section
from dynamis.errors import ArgumentError, UnknownNameError

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray


class Result(ABC):
    """A result that has a document, and with it all of these."""

    first_plot: ClassVar[str] = ""
    """The figure that `plot` gives without a name; empty for the first one of the document."""

    @abstractmethod
    def document(self) -> Document:
        """What there is to tell."""

    def page(self, form: str = "text", **options: Any) -> str:
        """The document as text of a file: text, latex, markdown, html, typst or json; `options` of `render`."""
        from dynamis.document.renderers.page import render

        return render(self.document(), form, **options)

    def table(self, name: str = "all", decimals: int = 3) -> str:
        """A section of the document by its name as text, or all of it."""
        integer("decimals", decimals, 0, 15)
        from dynamis.document.renderers.page import render

        document = self.document()
        if name != "all":
            document = Document("", (self._section(document, name),), document.numbered, document.ring)
        return render(document, decimals=decimals).rstrip("\n")

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        return self.page("notebook")

    def plot(self, kind: str = "") -> Figure:
        """A matplotlib figure by its name."""
        from dynamis.document.pictures.paint import drawn

        figures = self.document().figures
        if not figures:
            raise ArgumentError(
                "this result has no plot; print it, or write it with page(...) or to_json()", key="kind"
            )
        if kind and kind not in figures:
            raise UnknownNameError("plot", kind, figures, key="kind")
        figure = figures[kind or self.first_plot or next(iter(figures))]
        if figure.missing:
            raise figure.missing
        return drawn(figure.chart())

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """All series as columns by their names with units, in order."""
        columns = self.document().columns
        return {} if columns is None else dict(columns())

    def as_dict(self) -> dict[str, Any]:
        """All but the series as plain data for JSON."""
        return json.loads(self.page("json"))

    def to_json(self, path: str | Path | None = None, history: bool = False) -> str:
        """JSON text, also written to `path`; with `history`, every column too. What is not finite is null."""
        from dynamis.document.series import json_text

        return json_text({**self.as_dict(), "history": self.columns()} if history else self.as_dict(), path)

    def to_csv(self, path: str | Path) -> None:
        """The columns as CSV, one row per sample, units in the header, numbers in full precision."""
        from dynamis.document.series import write_csv

        write_csv(path, self.columns())

    def to_parquet(self, path: str | Path) -> None:
        """The columns as Parquet, one row per sample, units in the column names."""
        from dynamis.document.series import write_parquet

        write_parquet(path, self.columns())

    @staticmethod
    def _section(document: Document, name: str) -> Section:
        sections = document.sections
        if name not in sections:
            raise UnknownNameError("table", name, ("all", *sections))
        if missing := sections[name].missing:
            raise missing
        return sections[name]
