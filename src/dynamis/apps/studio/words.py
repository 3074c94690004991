"""What pages and errors say of options of the command line, in words of the studio, where they are fields and boxes."""

from __future__ import annotations

import re

_WORDS = tuple((re.compile(pattern), words) for pattern, words in (
    (r"dynamis derive \S+ --only (\w+)", r'\1 in the field "only these entries"'),
    (r"leave --method out, or give jacobians", "choose the method energies or jacobians"),
    (r"--only (?=[\"&A-Z])", 'the field "only these entries" with '),
    (r"--only", 'the field "only these entries"'),
    (r"--whole", 'the box "whole formulas"'),
    (r"--spatial", 'the box "in three dimensions"'),
    (r"--seconds (\d[\d.e+]*)", r'\1 in the field "time limit"'),
    (r"--seconds", 'the field "time limit"'),
    (r"under \[values\] in the file, with --set \S+ or with robot\.with_values\([^)]*\)", "under Parameters"),
    (r"give values with --set \S+ or robot\.with_values\([^)]*\)", "give values under Parameters"),
    (r"--set (\S+)=\.\.\.", r"a value for \1 under Parameters"),
    (r"--numeric", 'the parameters as "numbers"'),
    (r"; give --load\b", "; the studio derives without loads"),
    (r"(?<!dynamis derive )(--exact-angles|--memory [\d.]+)", r"dynamis derive \1 on the command line"),
))  # fmt: skip


def own_words(text: str) -> str:
    """A sentence or the HTML of a page.

    >>> own_words('ask for a single entry (--only "M[2,2]") or more time')
    'ask for a single entry (the field "only these entries" with "M[2,2]") or more time'
    >>> own_words("give more time (--seconds 600)")
    'give more time (600 in the field "time limit")'
    """
    if "--" not in text:
        return text
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    return text
