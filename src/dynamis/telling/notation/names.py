"""Names as they are written: a letter and its subscript."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

# LaTeX command -> Unicode letter; Typst uses the command without its backslash.
GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "ϕ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ",
    "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
_LETTERS = {letter: name for name, letter in GREEK.items()}
_GREEK_START = re.compile("(" + "|".join(sorted(GREEK, key=len, reverse=True)) + r")(?![a-z])(.*)$")

_WORD = re.compile(r"([^\W\d_]{2,})(.*)$")
# lc1, rc2x, dc1, zb3, Jm1, Tc1, fv2, df, and the axes of Ixx, Izz1, mx2, dy.
_USUAL = re.compile(r"[A-Za-z](?:[bcefmnpv]|[xyz]{1,2})\d*[xyz]{0,2}")


@dataclass(frozen=True)
class Name:
    """A letter (or a Greek letter's name, or a word) with its subscript and the dots above it."""

    letter: str
    subscript: str = ""
    dots: int = 0
    own: str = ""
    commas: bool = False
    """Whether text too has the comma of the subscript: Y of joint 1 and mx2 is Y₁,mx₂."""

    @property
    def plain(self) -> str:
        """The name as it was given, or letter and subscript in a row."""
        return self.own or self.letter + self.subscript.replace(",", "")

    def without_primes(self) -> tuple[Name, str]:
        """S'' as S and two primes."""
        letter = self.letter.rstrip("'") or self.letter
        return replace(self, letter=letter), self.letter[len(letter) :]


def split(name: str) -> Name:
    """A parameter's name taken apart.

    Only a single letter has a subscript of letters, and only one that is usual; several letters are a word.

    >>> [(name.letter, name.subscript) for name in map(split, ("m1", "I1xx", "lc2", "l_1", "alpha2", "mass2"))]
    [('m', '1'), ('I', '1,xx'), ('l', 'c2'), ('l', '1'), ('alpha', '2'), ('mass', '2')]
    """
    if name.endswith("'"):
        return Name(name)
    if name[0] in _LETTERS:
        return Name(_LETTERS[name[0]], _subscript(name[1:]), own=name)
    if "_" in name.strip("_"):
        head, _, tail = name.partition("_")
        first = split(head)
        return Name(first.letter, ",".join(part for part in (first.subscript, *tail.split("_")) if part), own=name)
    if greek := _GREEK_START.match(name):
        return Name(greek.group(1), _subscript(greek.group(2)), own=name)
    word, rest = _WORD.match(name), _subscript(name[1:])
    if word is None or _USUAL.fullmatch(name):
        return Name(name[0], rest, own=name)
    return Name(word.group(1), _subscript(word.group(2)), own=name)


def _subscript(text: str) -> str:
    """1xx -> 1,xx; c2 stays."""
    text = text.strip("_")
    match = re.fullmatch(r"(\d+)([A-Za-z]+)", text)
    return f"{match.group(1)},{match.group(2)}" if match else text


def joint_number(joint: str, numbers: Mapping[str, int]) -> int | None:
    """The number that a joint's name ends with, where all joints have one of their own; else its place."""
    own = _own_number(joint, tuple(numbers or (joint,)))
    return numbers.get(joint) if own is None else own


@lru_cache(maxsize=1024)
def _own_number(joint: str, names: tuple[str, ...]) -> int | None:
    ends = [int(match.group(1)) for name in names if (match := re.search(r"(\d+)$", name))]
    # A coupled joint is called as joints are; a fixed angle such as 3/10 or alpha7 is not one.
    own = re.search(r"(\d+)$", joint) if joint in names else re.fullmatch(r"(?:q|theta|th|θ)_?(\d+)", joint)
    if len(ends) == len(names) == len(set(ends)) and own and (joint in names or int(own.group(1)) not in ends):
        return int(own.group(1))
    return None
