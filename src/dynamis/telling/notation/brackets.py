"""Which pieces of a formula stand in brackets, and which without a space between them."""

from __future__ import annotations

from dynamis.telling.forms.tree import Number, Product, Sum, Tree, sign_of
from dynamis.telling.formula import COMMA, EQUALS, MINUS, Coordinates, Frac, Group, Op, Piece, Sym, Val, Word
from dynamis.telling.notation.tree_printer import is_trig
from dynamis.telling.symbols import moves, skew

OPENING = Word("[")


def needs_no_space(before: Piece | None, piece: Piece) -> bool:
    """No space inside of a chain such as T_x(l_1) and R[0.6, 0.8, 0](q_1), nor in M(q)."""
    if isinstance(piece, Group) and isinstance(before, Sym | Word):
        step = before == Word("]") or (isinstance(before, Sym) and before.at("") in (*moves.values(), skew, skew.T))
        return step or all(isinstance(inner, Coordinates | Op) for inner in piece.inner)
    return before == OPENING or piece in (OPENING, Word("]"), Word(","))


def is_factor(piece: Piece | None) -> bool:
    """Whether what follows is a factor."""
    return piece is not None and not isinstance(piece, Op) and piece != Word("]")


def ends_with_angle(tree: Tree) -> bool:
    """Whether the last thing that is written is the angle of a sine or a cosine."""
    last = tree.factors[-1] if isinstance(tree, Product) else tree
    return is_trig(last)


def needs_brackets(tree: Tree, before: Piece | None, after: Piece | None) -> bool:
    """A sum that is a factor or is taken away; what begins with a minus sign or a number behind something."""
    if isinstance(before, Val | Sym | Word | Group | Frac) and isinstance(_first(tree), Number) and before != OPENING:
        return True
    free = [side is None or (isinstance(side, Op) and side.sign in ("+", "-", "=", ",")) for side in (before, after)]
    if isinstance(tree, Sum) and (not all(free) or before == MINUS):
        return True
    first = tree.terms[0] if isinstance(tree, Sum) else tree
    return sign_of(first)[0] < 0 and before not in (None, EQUALS, COMMA, OPENING)


def _first(tree: Tree) -> Tree:
    return tree.factors[0] if isinstance(tree, Product) else tree
