"""The works that methods follow, from works.toml: as sentences and as BibTeX."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Work:
    """An article, a book, a thesis: its key, its kind, and its fields as BibTeX names them; several authors."""

    key: str
    kind: str
    authors: tuple[str, ...]
    fields: Mapping[str, str]

    def __str__(self) -> str:
        """
        >>> print(works(["mass_matrix"])[0])
        M. W. Walker, D. E. Orin: Efficient Dynamic Computer Simulation of Robotic Mechanisms. Journal of Dynamic \
Systems, Measurement, and Control 104(3), pages 205-211, 1982.
        """
        field = self.fields.get
        names = ", ".join(" ".join(reversed(author.split(", "))) for author in self.authors)
        volume = f" {field('volume')}" if field("volume") else ""
        number = f"({field('number')})" if field("number") else ""
        place = field("journal") or field("booktitle") or field("publisher") or field("school") or field("organization")
        parts = [f"{place or ''}{volume}{number}"]
        parts += [f"{field('edition')} edition"] if field("edition") else []
        parts += [f"pages {field('pages', '').replace('--', '-')}"] if field("pages") else []
        parts += [field("year", "")] if field("year") else []
        thesis = "PhD thesis, " if self.kind == "phdthesis" else ""
        return f"{names}: {field('title')}. {thesis}{', '.join(parts)}."

    def bibtex(self) -> str:
        """An entry of a .bib file; capitals of the title are kept."""
        fields = {"author": " and ".join(self.authors), **self.fields}
        fields |= {"title": f"{{{fields['title']}}}"}
        lines = "".join(f"  {name} = {{{_tex(value)}}},\n" for name, value in fields.items())
        return f"@{self.kind}{{{self.key},\n{lines}}}\n"


def works(methods: Iterable[str]) -> tuple[Work, ...]:
    """The works of methods, each once; methods that follow none are passed over."""
    known, keys = registry()
    return tuple(known[key] for key in dict.fromkeys(key for name in methods for key in keys.get(name, ())))


def references_data(methods: Iterable[str]) -> list[dict[str, str]]:
    """For JSON."""
    return [{"key": work.key, "text": str(work), "bibtex": work.bibtex()} for work in works(methods)]


@cache
def registry() -> tuple[Mapping[str, Work], Mapping[str, tuple[str, ...]]]:
    """The works by their keys, and the keys of every method's works."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    entries = {key: _work(key, entry) for key, entry in sorted(data["works"].items())}
    return MappingProxyType(entries), MappingProxyType({name: tuple(keys) for name, keys in data["methods"].items()})


def method_names() -> tuple[str, ...]:
    """The methods that have works."""
    return tuple(registry()[1])


def _work(key: str, entry: dict[str, Any]) -> Work:
    fields = {name: str(value) for name, value in entry.items() if name not in ("type", "author")}
    return Work(key, entry["type"], tuple(entry["author"]), MappingProxyType(fields))


def _tex(text: str) -> str:
    return text.replace("ø", "{\\o}")
