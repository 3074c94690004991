"""A drawing as a result: a picture with its caption, as SVG, TikZ, PNG, PDF, and as a figure of a page."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dynamis.document.blocks import Block, Document, Figure, Table
from dynamis.document.pictures.picture import Picture
from dynamis.document.pictures.text import plain_text
from dynamis.document.result import Result
from dynamis.errors import ArgumentError
from dynamis.extras import install
from dynamis.provenance import Provenance

SUFFIXES = (".svg", ".pdf", ".png", ".tikz", ".tex")
"""The formats of files: `.tikz` is a tikzpicture to \\input, `.tex` a whole file."""


@dataclass(frozen=True)
class Drawing(Result):
    """A picture [pt], whose title is its caption; a free body also has the table of its forces."""

    robot: str
    name: str
    """`mechanism`, or `free body`."""
    picture: Picture
    forces: Table | None = None

    @property
    def caption(self) -> str:
        """What is drawn, at which q, and with which numbers."""
        return self.picture.title

    def document(self) -> Document:
        """The figure with its caption, and the forces where there are some."""
        blocks: list[Block] = [Figure(self.name, lambda *_: self.picture, caption=self.caption, schematic=True)]
        blocks += [] if self.forces is None else [self.forces]
        return Document("", tuple(blocks), data=self._data)

    def _data(self) -> dict[str, Any]:
        labels = [{"text": plain_text(label.text), "at": [*label.at]} for label in self.picture.labels]
        size = [self.picture.width, self.picture.height]
        data = {"robot": self.robot, "drawing": self.name, "caption": self.caption, "size": size, "labels": labels}
        if self.forces is None:
            return data
        names = [getattr(column, "name", column) for column in self.forces.columns]
        return {**data, "forces": [dict(zip(names, row, strict=True)) for row in self.forces.rows]}

    def svg(self) -> str:
        """An SVG element."""
        from dynamis.document.pictures.svg import svg

        return svg(self.picture)

    def tikz(self) -> str:
        """A tikzpicture, for LaTeX."""
        from dynamis.document.pictures.tex import tikz

        return tikz(self.picture)

    def save(self, path: str | Path, provenance: Provenance | None = None) -> None:
        """Write the picture in the format of the file's name: .svg, .pdf, .png, .tikz or .tex.

        Where it comes from stands in the file's metadata, or in a comment.
        """
        from dynamis.writing import write_text

        suffix, provenance = drawing_suffix(path), provenance or self._provenance()
        if suffix == ".svg":
            from dynamis.document.pictures.svg import svg

            write_text(path, svg(self.picture, provenance))
        elif suffix in (".tikz", ".tex"):
            from dynamis.document.escapes import latex_comment
            from dynamis.document.pictures.tex import tikz, tikz_document

            text = (tikz if suffix == ".tikz" else tikz_document)(self.picture)
            write_text(path, f"{latex_comment(str(provenance))}{text}")
        else:
            from dynamis.document.figure import save

            if find_spec("matplotlib") is None:
                raise ArgumentError(
                    f"a {suffix} needs matplotlib: {install('report')}; .svg, .tikz and .tex need nothing",
                    key="figure",
                )
            save(self.figure(), path, provenance)

    def _repr_svg_(self) -> str:
        return self.svg()


def drawing_suffix(path: str | Path) -> str:
    """The suffix of a drawing's file; an ArgumentError where no format has it."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        name = "no name" if Path(path) == Path() else f'"{path}"'
        raise ArgumentError(f"the name of a drawing must end in {', '.join(SUFFIXES)}, got {name}", key="figure")
    return suffix
