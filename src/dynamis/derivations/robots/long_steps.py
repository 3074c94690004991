"""What is too long to be read in one piece: the same quantity in named terms, and a sentence that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dynamis.derivations.robots.recursive import RecursiveForm, recursive_form
from dynamis.document.blocks import Equation, Part, Words
from dynamis.document.formula import Sym
from dynamis.document.renderers.page import MOST_TERMS
from dynamis.equations.equations import Equations
from dynamis.scalars.exact.ring import Exact

# Letters of results on a page -> what the recursion is asked for, and how many joints it needs to know.
_RECURSIVE = {"tau": ("tau", 1), "m": ("M", 2), "c": ("c", 1), "g": ("g", 1), "T": ("T", 0)}


def in_named_terms(model: Equations, parts: Iterable[Part]) -> Iterator[Part]:
    """The parts of a single entry, a long one in its recursive form; Christoffel symbols and J are written out."""
    for part in parts:
        if not isinstance(part, Equation) or not isinstance(part.right, Exact) or len(part.right) <= MOST_TERMS:
            yield part
            continue
        wanted, joints = _RECURSIVE.get(part.left.letter, ("", -1))
        at = _numbers(part.left.index)
        if len(at) != joints:
            yield part
            continue
        form = recursive_form(model, wanted, *at)
        yield from definitions(form, f"it has {len(part.right)} terms")
        yield Equation(part.left, form.torques[0], part.ways[:1])


def definitions(form: RecursiveForm, length: str) -> Iterator[Part]:
    """x_1, x_2, ... and the sentence that introduces them."""
    yield Words((
        f"Written out, {length}; this is the recursive form by Newton-Euler with "
        f"{len(form.definitions)} named terms, each of those before it.",
    ))  # fmt: skip
    for k, (name, tree) in enumerate(form.definitions, 1):
        yield Equation(Sym(re.sub(r"\d+$", "", name), str(k)), tree)


def _numbers(index: str) -> tuple[int, ...]:
    """Joints from 0: 12 and 1,12 as the index of an entry."""
    return tuple(int(k) - 1 for k in (index.split(",") if "," in index else index))
