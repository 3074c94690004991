"""References as a result: the works that some methods follow, to print and to cite."""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.base.errors import check_name
from dynamis.telling.blocks import Document, Items, Table
from dynamis.telling.result import Result
from dynamis.telling.works import Work, references_data, registry, works


@dataclass(frozen=True)
class References(Result):
    """The works that some methods follow; print it, or `bibtex()` for a .bib file."""

    methods: tuple[str, ...]

    @property
    def works(self) -> tuple[Work, ...]:
        """Each once, in the order of the methods."""
        return works(self.methods)

    def bibtex(self) -> str:
        """The text of a .bib file."""
        return "\n".join(work.bibtex() for work in self.works)

    def _short(self) -> str:
        return f"{len(self.works)} works, {len(self.methods)} method{'s' * (len(self.methods) != 1)}"

    def document(self) -> Document:
        """The works, one sentence each, and which method follows which."""
        rows = tuple((name, ", ".join(work.key for work in works([name]))) for name in self.methods)
        blocks = Table(("method", "works"), rows), Items(tuple(f"{work.key}: {work}" for work in self.works))
        return Document("", blocks, data=lambda: {"methods": dict(rows), "references": references_data(self.methods)})


def references(*methods: str) -> References:
    """The works that methods follow, by the names of quantities, derivations, controllers, integrators, motions.

    Without a name: all of them. `robot.references` knows what a robot takes for its forward dynamics.
    """
    known = registry()[1]
    for name in methods:
        check_name("method", name, known, key="methods")
    return References(methods or tuple(known))
