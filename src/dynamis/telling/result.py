"""What every result can do with its document: print itself, draw itself, and write itself to files.

A new result is a dataclass with `document()`; it is then a table in the terminal, a table in the notebook, figures, a
page in LaTeX, Typst, Markdown or HTML, JSON, CSV and Parquet, a DataFrame and a Dataset.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dynamis.base.arguments import integer
from dynamis.base.display import Displayable
from dynamis.base.errors import ArgumentError, check_name
from dynamis.base.provenance import Provenance
from dynamis.telling.blocks import Document, Section

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from dynamis.telling.chart import Chart
    from dynamis.telling.pictures.picture import Picture


class Result(Displayable):
    """A result that has a document, and with it all of these."""

    def document(self) -> Document:
        """The result as blocks that know no format: written here, or `page_of(result)` of the module `_page`."""
        return super().document()

    def page(self, form: str = "text", **options: Any) -> str:
        """The document as text of a file: text, latex, markdown, html, typst or json; `options` of `render`.

        At its foot stands where it comes from, `provenance`; on text, which is printed, only where that is given.
        """
        from dynamis.telling.renderers.page import render

        if not isinstance(form, str) or form not in ("text", "terminal", "notebook"):  # type: ignore[redundant-expr]
            options = {"provenance": self._provenance(), **options}
        return render(self, form, **options)

    def _provenance(self) -> Provenance:
        """Of this program, with the hash of the robot where the result has it; a name alone does not tell."""
        owner = self._owner()
        return owner.provenance() if hasattr(owner, "provenance") else Provenance.now()

    def table(self, name: str = "all", decimals: int = 3) -> str:
        """A section of the document by its name as text, or all of it."""
        from dynamis.telling.renderers.page import render

        excerpt = self.excerpt(name)
        warnings = self.robot_warnings if name == "all" else ()
        text = render(excerpt, decimals=integer("decimals", decimals, 0, 15), warnings=warnings)
        return text.rstrip("\n")

    def excerpt(self, name: str = "all") -> Document:
        """A section of the document by its name, or all of it."""
        document = self.document()
        if isinstance(name, str) and name == "all":  # type: ignore[redundant-expr]
            return document
        return Document("", (self._section(document, name),), document.numbered, document.ring)

    def __str__(self) -> str:
        return self.table()

    def plot(self, kind: str = "", *, ax: Any = None, fig: Any = None) -> Any:
        """Draw a figure by its name, else the main one, with pyplot; the Axes, or an array of them.

        A notebook and `plt.show()` show it.

        ax: the Axes to draw in; one per panel where the figure has several
        fig: the Figure or SubFigure to draw in
        """
        from dynamis.telling.pictures.paint import plot

        return plot(self._chart(kind), ax, fig)

    def figure(self, kind: str = "") -> Figure:
        """A figure by its name as a matplotlib Figure of its own, which pyplot does not know: to be saved."""
        from dynamis.telling.pictures.paint import matplotlib_figure

        return matplotlib_figure(self._chart(kind))

    def _chart(self, kind: str) -> Chart | Picture:
        document = self.document()
        figures = document.figures
        if not figures:
            raise ArgumentError(
                "this result has no plot; print it, or write it with page(...) or to_json()", key="kind"
            )
        if not isinstance(kind, str) or kind:  # type: ignore[redundant-expr]
            check_name("plot", kind, figures, key="kind")
        figure = figures[kind or document.main_figure or next(iter(figures))]
        if figure.missing:
            raise figure.missing
        return figure.chart()

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """All series as columns by their names with units, in order."""
        columns = self.document().columns
        return {} if columns is None else dict(columns())

    def as_dict(self) -> dict[str, Any]:
        """All but the series as plain data for JSON."""
        return json.loads(self.page("json", provenance=None))

    def to_json(
        self, path: str | Path | None = None, history: bool = False, provenance: Provenance | None = None
    ) -> str:
        """JSON text, also written to `path`; with `history`, every column too. What is not finite is null."""
        from dynamis.telling.series import json_text

        data = json.loads(self.page("json", provenance=provenance or self._provenance()))
        return json_text({**data, "history": self.columns()} if history else data, path)

    def to_pdf(self, path: str | Path, **options: Any) -> None:
        """The page as PDF, which Typst makes; `options` of `render`."""
        from dynamis.base.writing import write_bytes
        from dynamis.telling.renderers.typst import pdf

        write_bytes(path, pdf(self.page("typst", **options)))

    def to_csv(self, path: str | Path) -> None:
        """The columns as CSV, one row per sample, units in the header, numbers in full precision."""
        from dynamis.telling.series import write_csv

        write_csv(path, self.columns())

    def to_parquet(self, path: str | Path, provenance: Provenance | None = None) -> None:
        """The columns as Parquet, one row per sample, units in the column names."""
        from dynamis.telling.series import write_parquet

        write_parquet(path, self.columns(), provenance or self._provenance())

    def to_pandas(self, table: str = "") -> Any:
        """The series, or a table of the document by the name of its section, as a DataFrame; units in `attrs`."""
        from dynamis.telling.data_frames import data_frame

        return data_frame(self.document(), table)

    def to_xarray(self, table: str = "") -> Any:
        """The series, or a table of the document, as a Dataset; each variable has its unit in `attrs`."""
        from dynamis.telling.data_frames import data_set

        return data_set(self.document(), table)

    @staticmethod
    def _section(document: Document, name: str) -> Section:
        sections = document.sections
        check_name("table", name, ("all", *sections))
        if missing := sections[name].missing:
            raise missing
        return sections[name]
