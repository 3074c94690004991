"""Answers by their files: names of printed equations, paths, or standard input."""

from __future__ import annotations

import sys
from typing import Any

from dynamis.apps.readings.printed.equations import answer_path
from dynamis.base.errors import DynamisError
from dynamis.base.toml_table import decoded_text, read_text
from dynamis.base.verb import Declared
from dynamis.verbs.kind import Given, Kind, Spelling
from dynamis.verbs.subject import Subject


class AnswerFiles(Kind):
    """The texts of answers; one that cannot be read is its error, unless it is the only one."""

    is_text = False

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        text = "Files with lines such as M[1,2] = m2*l1*d2*cos(q2) + I2; - is standard input; some ship, as xu-arm."
        return (
            Spelling(x.written, str, text, x.about.metavar, x.about.offered, repeated=True, positional=True),
        )  # fmt: skip

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        names = given[x.written]
        texts: dict[str, str | DynamisError] = {}
        for name in names:
            try:
                texts["standard input" if name == "-" else name] = _text(name)
            except DynamisError as error:
                if len({*names}) == 1:
                    raise
                texts[name] = error
        return texts

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": {"type": "string"}}


ANSWERS = AnswerFiles()


def _text(name: str) -> str:
    """The text of an answer; `-` is standard input."""
    if name == "-":
        return decoded_text(sys.stdin.buffer, "standard input", lenient=True)
    return read_text(answer_path(name), lenient=True)
