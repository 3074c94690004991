"""The functions of one file: names that a program gives them, and functions to which it gives another meaning.

c = np.cos;  from math import sin as s      c(q1) is cos(q1)
cos = np.sin;  cos = @sin                   cos(q1) is sin(q1)
def cos(x): ...;  cos = lambda x: ...       whatever it computes is not followed: a line that calls it is not read

Nothing is run; where two statements disagree about a name, none of them is believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from dynamis.apps.grading.reading import programs
from dynamis.apps.grading.reading.calls import CALLS
from dynamis.apps.grading.reading.literals import FILLED, NAMES
from dynamis.apps.grading.reading.source import Source
from dynamis.apps.grading.reading.tokens import FORMS, FUNCTIONS, MODULES, Token

WORDS = frozenset((*FUNCTIONS, *CALLS, *NAMES, *FORMS, *FILLED, "pi"))
"""The names that mean something by themselves."""
LIBRARIES = ("sympy", "numpy", "math", "cmath", "jax", "torch", "casadi", "mpmath", "cupy", "autograd", "scipy")
_NAME = r"[A-Za-z_][\w.]{0,40}"
# Matched against one line with single blanks, so that every match takes time linear in the text.
_BOUND = re.compile(
    rf"(?:^|[;:,(=]) ?[\[(]? ?({_NAME}(?: ?, ?{_NAME}){{0,20}}) ?[\])]? ?(?:: ?[A-Za-z][\w.\[\], ]{{0,40}})?"
    r"(?:[-+*/@]|:)?(?==(?!=)([^;]{0,200}))"
)
_FROM = re.compile(r"^[ \t]*from[ \t]+([\w.]{1,60})[ \t]+import[ \t]*(\([^()]*\)|[^\n;(]*)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n;]*)", re.MULTILINE)
_ITEM = re.compile(r"([A-Za-z_][\w.]*)(?:[ \t]+as[ \t]+(\w+))?", re.ASCII)
_HEADER = re.compile(
    r"^[ \t]*(?:def|class|function)[ \t]+((?:[^=\n(]{0,80}=)?[ \t]*\w{1,60})[ \t]*(?:\(([^()\n]{0,400})\))?",
    re.MULTILINE,
)
_TAKEN = re.compile(r"^(?![ \t]*(?:from|import)\b)[^\n]{0,200}?\b(?:for|as)[ \t]+(\w{1,20})\b", re.MULTILINE)
_MACRO = re.compile(r"\\(?:(?:re)?newcommand|providecommand|DeclareMathOperator|def|let)\*?\s*\{?\\([A-Za-z]{1,20})")
_FUNCTION = re.compile(rf"\s*(?:{_NAME}\.|@)?({'|'.join(sorted(WORDS, key=len, reverse=True))})[\s;,]*")
_SYMBOL = re.compile(r"\s*(?:\w{1,20}\.)?(?:sym|Symbol|symbols)\(.*")
_KEYWORD = re.compile(r"\w ?\([^()]*$")


@dataclass(frozen=True)
class FunctionNames:
    """What the names of functions mean in a file, other than by themselves."""

    meanings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name -> the function that it is; nothing where that is not known. `np.` is the module of that name."""
    places: Mapping[str, int] = field(default_factory=dict[str, int])
    """Name -> the place in the text where it first gets that meaning."""

    @property
    def renamed(self) -> dict[str, str]:
        """The functions that are other functions: cos, which is sin."""
        return {name: meaning for name, meaning in self.meanings.items() if meaning and name in WORDS}

    def resolve(self, text: str) -> str:
        """A formula with the functions that its names are: c(q1) is cos(q1)."""
        names = [name for name, meaning in self.meanings.items() if meaning]
        if not names:
            return text
        called = re.compile(rf"(?<![\w.\\])({'|'.join(map(re.escape, names))})(?=[ \t]*\()")
        return called.sub(lambda name: self.meanings[name[1]], text)

    def resolved(self, tokens: list[Token], source: Source) -> list[Token]:
        """The tokens of a formula with the functions that their names are; np.cos is what it is."""
        if not self.meanings:
            return tokens
        return [
            replace(token, text=self.meanings[token.text])
            if self.meanings.get(token.text)
            and following.text == "("
            and source.text.startswith(token.text, token.start)
            else token
            for token, following in zip(tokens, [*tokens[1:], tokens[-1]], strict=True)
        ]

    def check(self, source: Source, start: int, end: int) -> None:
        """Refuses a formula that uses a name whose meaning is not known there."""
        for name, at in self.places.items():
            if self.meanings[name] and at < start:
                continue
            tail = "" if name[-1] == "." else r"\b" if name in WORDS or "." in name else r"(?=[ \t]*\()"
            if use := re.compile(rf"(?<![\w.])\\?{re.escape(name)}{tail}").search(source.text, start, end):
                line = source.place(at)[0]
                what = f'"{name.rstrip(".")}" gets another meaning in line {line}'
                problem = f"{what}, which is not followed; write the function itself"
                raise source.error(use.start(), problem)


def function_names(source: Source) -> FunctionNames:
    """The meanings that the statements of a text give to names of functions."""
    bindings = sorted(_bindings(source), key=lambda binding: binding[1])
    meanings, places = dict[str, str](), dict[str, int]()
    for name, at, meaning in bindings:
        if name in WORDS or "." in name or meaning or name in meanings:
            meanings[name] = meaning if meanings.get(name, meaning) == meaning else ""
            places.setdefault(name, at)
    others = {name for name, meaning in meanings.items() if meaning != name}
    return FunctionNames({name: meanings[name] for name in others}, {name: places[name] for name in others})


def _bindings(source: Source) -> Iterator[tuple[str, int, str]]:
    """Name, place and meaning of every statement that gives a name a meaning."""
    text = source.text
    for match in _FROM.finditer(text):
        known = match[1].split(".")[0] in LIBRARIES
        for item in _ITEM.finditer(match[2]):
            yield item[2] or item[1], match.start(), item[1] if known and item[1] in WORDS else ""
    for match in _IMPORT.finditer(text):
        for item in _ITEM.finditer(match[1]):
            name = f"{item[2] or item[1]}."
            yield name, match.start(), name if item[1].split(".")[0] in LIBRARIES else ""
    for match in _HEADER.finditer(text):
        parameters = (part.split("=")[0].strip() for part in (match[2] or "-").split(","))
        for name in (*re.findall(r"\w+", match[1]), *parameters):
            yield from ((name, match.start(), ""), (f"{name}.", match.start(), ""))
    for match in _TAKEN.finditer(text):
        yield match[1], match.start(), ""
    for match in _MACRO.finditer(source.original or text):
        yield match[1], match.start(), ""
    at = 0
    for line in text.split("\n"):
        short = " ".join(line.split())
        for match in _BOUND.finditer(short) if "=" in short else ():
            if not _KEYWORD.search(short, max(0, match.start(1) - 200), match.start(1)):  # plot(x, cos=True)
                yield from _assignment_meanings(match[1], match[2][1:], at)
        at += len(line) + 1


def _assignment_meanings(left: str, right: str, at: int) -> Iterator[tuple[str, int, str]]:
    """The meanings of `c, s = np.cos, np.sin`, and of `sin = cos = np.sin`."""
    names = [name.strip() for name in left.split(",")]
    rights = programs.parts(right.rpartition("=")[2] if re.fullmatch(r"[\w=. @]+", right) else right)
    rights = rights * len(names) if len(rights) == 1 else rights
    for name, value in zip(names, rights if len(rights) == len(names) else [""] * len(names), strict=True):
        function = _FUNCTION.fullmatch(value)
        if "." in name:
            yield name, at, ""  # np.cos = ...
        elif name in MODULES:
            yield f"{name}.", at, ""
        else:
            yield name, at, function[1] if function else "pi" if name == "pi" and _SYMBOL.fullmatch(value) else ""
