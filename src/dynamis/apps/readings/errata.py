"""Errata of a document: what `check` finds in its equations as they are printed, each with what is right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dynamis.apps.grading.judging.formulas import form
from dynamis.apps.grading.judging.report import Report, Verdict
from dynamis.apps.grading.reading.source import AnswerError, UnknownSymbolError
from dynamis.apps.readings.commands import check_printed
from dynamis.apps.readings.printed.equations import answer_path
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Table
from dynamis.telling.forms.tree import Tree
from dynamis.telling.formula import Formula, Prose, Sym, Val
from dynamis.telling.notation import text
from dynamis.telling.notation.matrix_entries import entry_symbol

TOO_MANY = "nothing: this term is printed once too often"
"""What is correct in the place of a term of a sum that does not vanish."""
_NAME = re.compile(r"([A-Za-z]+?)(\d*)(?:\[([\d,]+)\])?")


@dataclass(frozen=True)
class Erratum:
    """A slip: where it is, in what entry, what is printed and what is right; where that is not known, what differs."""

    where: str
    entry: str
    printed: Tree | str
    correct: Tree | str = ""

    def data(self, notation: str) -> dict[str, str]:
        """As text."""
        sides = [side if isinstance(side, str) else text(side, notation) for side in (self.printed, self.correct)]
        return {"where": self.where, "entry": self.entry, "printed": sides[0], "correct": sides[1]}


def errata_table(errata: Sequence[Erratum]) -> Table:
    """Two rows for each slip, what is printed above what is correct; no row repeats its place and its entry."""
    rows: list[tuple[str | Prose, ...]] = []
    where, entry = "", ""
    for slip in errata:
        same = slip.where == where
        place, name = "" if same else slip.where, "" if same and slip.entry == entry else slip.entry
        left = entry_formula(name)
        rows.append((place, (left,) if left else name, "printed", _cell(slip.printed)))
        if slip.correct != "":
            rows.append(("", "", "correct", _cell(slip.correct)))
        where, entry = slip.where, slip.entry
    return Table(("where", "entry", "", "formula"), tuple(rows))


def _cell(side: Tree | str) -> Prose | str:
    return side if isinstance(side, str) else ((Val(side),),)


def entry_formula(name: str) -> Formula:
    """The symbol of an entry that `check` names, such as vdc1[2] or M[1,2]; nothing for a name of the document's own.

    >>> entry_formula("vdc1[2]")
    (Sym(letter='v', index='c1,y', dots=1, transposed=False, bold=False, meaning='velocity', power=1, applied=False),)
    """
    match = _NAME.fullmatch(name)
    if match is None or match[1] not in _SYMBOLS:
        return ()
    symbol, before = _SYMBOLS[match[1]]
    index = before + match[2]
    symbol = symbol.at(index) if index else symbol
    numbers = [int(number) - 1 for number in match[3].split(",")] if match[3] else []
    if len(numbers) == 3:
        return (s.christoffel.at("".join(str(k + 1) for k in numbers)),)
    return (entry_symbol(symbol, numbers[0], numbers[1] if numbers[1:] else None),) if numbers else (symbol,)


_SYMBOLS: dict[str, tuple[Sym, str]] = {
    "M": (s.M, ""), "c": (s.c, ""), "C": (s.C, ""), "g": (s.g, ""), "tau": (s.tau, ""), "Q": (s.Q, ""),
    "T": (s.T, ""), "U": (s.U, ""), "J": (s.J, ""), "Jv": (s.J, "v"), "Jw": (s.J, "w"), "A": (s.link_transform, ""),
    "Ibase": (s.base_inertia, "0"), "w": (s.omega, ""), "wd": (s.omega.dot, ""), "v": (s.v, ""), "vc": (s.v, "c"),
    "vd": (s.v.dot, ""), "vdc": (s.v.dot, "c"), "pc": (s.p, "c"), "F": (s.F, ""), "N": (s.N, ""), "f": (s.f, ""),
    "n": (s.n, ""),
}  # fmt: skip
"""Quantities of `check` -> their symbols, and what stands before the number of the link."""


def misprints(command: str, report: Report) -> list[Erratum]:
    """What is wrong in the printed equations that a `check` command reads, in the order of their lines."""
    slips = [(verdict.line, slip) for verdict in report.wrong for slip in _slips(_place(report, verdict.line), verdict)]
    slips += [(error.line or 1, slip) for error in report.unread for slip in _unread(command, report, error)]
    return [slip for _, slip in sorted(slips, key=lambda pair: pair[0])]


def _slips(where: str, verdict: Verdict) -> list[Erratum]:
    """The printed parts that are to be changed; where these are not short, the whole entry, multiplied out."""
    if verdict.corrections:
        whole = verdict.values is not None and not verdict.values[1]
        return [
            Erratum(where, part.left, part.written, part.correct if whole or text(part.correct) != "0" else TOO_MANY)
            for part in verdict.corrections
        ]
    if verdict.values is not None:
        return [Erratum(where, verdict.name, *map(form, verdict.values))]
    return [Erratum(where, verdict.name, sentence.replace("yours", "printed")) for sentence in verdict.sentences]


def _unread(command: str, report: Report, error: AnswerError) -> list[Erratum]:
    """Of a line with a symbol that the robot does not have: what is right, with that symbol as one more parameter.

    A symbol that is not even a name, such as d_-, stays as it is typed.
    """
    line, (left, _, right) = error.line or 1, error.caret.split("\n")[0].partition("=")
    where = _place(report, line)
    if isinstance(error, UnknownSymbolError) and error.name.isidentifier():
        again = check_printed(command, symbols=(error.name,))
        return [slip for verdict in again.wrong if verdict.line == line for slip in _slips(where, verdict)]
    (verdict,) = check_printed(command, f"{left}= 0").entries
    if verdict.values is None:
        return [Erratum(where, left.strip(), error.problem.partition(";")[0])]
    return [Erratum(where, verdict.name, re.sub(r"[{}\\]", "", right).strip(), form(verdict.values[1]))]


def _place(report: Report, line: int) -> str:
    """The comment above a line of an answer, the number of its equation; else what its first line says."""
    lines = answer_path(report.file).read_text(encoding="utf-8").splitlines()[:line]
    comments = (match[1] for text in reversed(lines) if (match := re.match(r"# (\(.*\))", text)))
    return next(comments, lines[0].partition(": ")[2].partition("; robot ")[0])


def without_details(report: Report) -> Report:
    """Verdicts alone: of what is wrong the errata tell."""
    entries = tuple(replace(verdict, sentences=(), point=None, conditions=()) for verdict in report.entries)
    return replace(report, entries=entries, missing=())
