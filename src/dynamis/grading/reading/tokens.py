"""An answer's text as tokens: plain, SymPy and MATLAB syntax, Unicode or LaTeX.

Unicode: Greek letters, indices, dots and powers as characters, `m\u2082 cos(\u03b8\u2081) \u2212 q\u0307\u2081\u00b2`.
LaTeX symbols become the names that plain text has: `\\dot{\\theta}_1` is dtheta1, `l_{c1}` is lc1,
`s_{23-4}` is s23-4. Adjacent letters are a product (`ds_{23}`) unless they are a known name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from dynamis.document.notation.names import GREEK
from dynamis.grading.reading.source import Source

MAX_TOKENS = 20_000
MAX_NAME = 60
"""A longer text is not searched for names side by side."""
ACCENTS = {"dot": ("d", ""), "ddot": ("dd", ""), "bar": ("", "b"), "overline": ("", "b")}
LATEX_NAMES = {"ell": "l", "omega": "w", "vartheta": "theta"}
"""LaTeX commands that are not read as the names that they are."""
IGNORED_ACCENTS = ("hat", "vec", "mathrm", "mathbf", "mathit", "boldsymbol", "text", "bm", "operatorname")
FUNCTIONS = ("sin", "cos", "sqrt", "sign", "sgn")
MODULES = ("sp", "sympy", "sym", "smp", "sy", "sm", "np", "numpy", "math", "jnp", "torch", "ca", "cs", "casadi")
FORMS = ("simplify", "trigsimp", "expand", "factor", "nsimplify")
"""They change how a formula looks, not what it is."""
_SKIP = re.compile(
    r"(?:\s|\{\}|\\[,;:! ]"
    r"|\\(?:left|right|[bB]igg?[lr]?|quad|qquad|displaystyle|limits)(?![A-Za-z])|\$|~|\.\.\.[^\n]*\n"
    r"|\.(?:simplify|expand|trigsimp|factor|doit|copy|evalf|tolist|form_lagranges_equations)\(\))+"
)
# The point of 2.*m2 and 2.^2 is that of MATLAB's operator.
_LATEX_NUMBER = re.compile(r"\d+(?:\.(?![*/^'])\d*)?|\.\d+", re.ASCII)
_NUMBER = re.compile(rf"(?:{_LATEX_NUMBER.pattern})(?:[eE][+-]?\d+)?", re.ASCII)
_OPERATOR = re.compile(r"\*\*|\.\^|\.\*|\./|\\\\|[-+*/^()\[\]{},;&:@]")
_TRANSPOSE = re.compile(
    r"\.?'|\u2032|\.T\b|\.transpose\(\)|\^(?:T\b|\\top(?![A-Za-z])|\{(?:T|\\top|\\mathsf\{T\}|\\mathrm\{T\})\})"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_METHOD = re.compile(r"\.(diff|jacobian|dot|cross|item|flatten|ravel|squeeze|reshape)(?=\()")
_ATTRIBUTE = re.compile(r"\.(mass_matrix|forcing)\b(?!\()")
_MODULE = re.compile(
    rf"(?:{'|'.join(MODULES)})\.(?=[A-Za-z])"
    r"|[A-Za-z]\w{0,20}\.(?=(?:sin|cos|sqrt|array|asarray|Matrix|zeros|pi|Rational|LagrangesMethod)\b)",
    re.ASCII,
)
_FORM = re.compile(rf"(?:{'|'.join(FORMS)})[ \t]*(?=\()", re.ASCII)
_UPRIGHT = re.compile(r"\\(?:mathrm|operatorname\*?|text|mathop)\s*\{\s*(sin|cos|sqrt|sign|sgn)\s*\}")
_CUT = re.compile(r"\u2026|\\[clv]?dots(?![A-Za-z])")
_FUNCTION = re.compile(r"(?:sin|cos|sqrt|sign|sgn)(?![A-Za-z_0-9])|(?:Sin|Cos|Sqrt|Sign)(?=\[)", re.ASCII)
_JOINED = re.compile(r"(?<=[0-9\u2080-\u2089])(?=[^\W\d_])")
_LETTERS = re.compile(rf"([A-Za-z]{{1,{MAX_NAME}}})(\d*)", re.ASCII)
_BARE = re.compile(rf"[A-Za-z]{{1,{MAX_NAME}}}\d{{1,{MAX_NAME}}}[A-Za-z]{{1,{MAX_NAME}}}\d*(?![A-Za-z0-9_])", re.ASCII)
_RATE = re.compile(r"'{1,2}(?=_)")
_BRACED = re.compile(r"\s*\{\s*((?:[A-Za-z0-9]|\\?_)+)\s*\}", re.ASCII)
_SPELLINGS = {"**": "^", "\\cdot": "*", "\\times": "*"}
LETTER = "A-Za-z_\u0370-\u03ff\u1e00-\u1eff"
NAME = re.compile(f"[{LETTER}][{LETTER}0-9\u2080-\u209c\u1d62-\u1d6a\u2c7c\u0307\u0308]*")
POWER = re.compile("\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
FRACTION = re.compile("[\u00bc-\u00be\u2150-\u215e]")
"""\u00bd, \u2153 and their like."""
ROOT = "\u221a"
SIGNS = {"\u2212": "-", "\u00b7": "*", "\u22c5": "*", "\u00d7": "*", "\u2217": "*"}


@dataclass(frozen=True)
class Token:
    """A token: `kind` is number, name, command, operator, method, attribute or end; `start` is its place."""

    kind: str
    text: str
    start: int


def is_latex(text: str) -> bool:
    """Whether a text is LaTeX: it has a command or a braced index."""
    return re.search(r"\\[A-Za-z]|[_^]\{", text) is not None


def products_need_no_sign(text: str) -> bool:
    """In LaTeX, and in formulas with Unicode indices and powers, adjacent names are a product."""
    has_characters = ROOT in text or NAME.search(text) is not None or POWER.search(text) is not None
    return is_latex(text) or (not text.isascii() and has_characters)


def stem_and_number(name: str) -> tuple[str, str]:
    """`theta1` as theta and 1."""
    stem = name.rstrip("0123456789")
    return stem, name[len(stem) :]


def ascii_name(text: str) -> str:
    """A name in plain letters: the dots of a rate in front, the index behind, Greek letters by name.

    >>> [ascii_name(x) for x in ("q\u0307\u2081", "\u03b8\u0308\u2082", "t\u0307h\u0307\u2081", "lc\u2082", "\u03c4_1")]
    ['dq1', 'ddtheta2', 'dth1', 'lc2', 'tau_1']
    """
    flat = unicodedata.normalize("NFKD", text)
    # Two dots are two marks of one letter: a word has its dot on each of its letters.
    dots = "dd" if "\u0308" in flat or "\u0307\u0307" in flat else "d" * ("\u0307" in flat)
    letters = (character for character in flat if character not in "\u0307\u0308")
    return dots + "".join(map(_letter, letters))


def spellings(symbol: str) -> tuple[str, ...]:
    """A symbol of a notation as it is read from plain text, from Unicode and from LaTeX.

    >>> spellings("q"), spellings("vartheta")
    (('q',), ('vartheta', 'theta'))
    """
    names = symbol, ascii_name(GREEK.get(symbol, symbol)), LATEX_NAMES.get(symbol, symbol)
    return tuple(dict.fromkeys(names))


def _letter(character: str) -> str:
    name = unicodedata.name(character, "")
    if not name.startswith("GREEK "):
        return character
    word = name.split("LETTER ")[-1].split(" ")[0].lower()
    return word if "SMALL" in name else word.capitalize()


def tokenize(source: Source, start: int, end: int, is_known: Callable[[str], bool]) -> list[Token]:
    """The tokens of a part of the text; `is_known` says which names exist."""
    tokens = _Reader(source, start, end, is_known).tokens()
    if len(tokens) > MAX_TOKENS:
        raise source.error(
            tokens[MAX_TOKENS].start, f"an entry may have at most {MAX_TOKENS} numbers, names and operators"
        )
    return [*tokens, Token("end", "", end)]


class _Reader:
    def __init__(self, source: Source, start: int, end: int, is_known: Callable[[str], bool]) -> None:
        self.source, self.start = source, start
        self.text = source.text[start:end]
        self.end = len(self.text)
        self.position: int = 0
        self.latex = is_latex(self.text)
        self.is_known = cache(is_known)

    def tokens(self) -> list[Token]:
        tokens: list[Token] = []
        while self.skip() and len(tokens) <= MAX_TOKENS:
            if power := POWER.match(self.text, self.position):
                number = unicodedata.normalize("NFKD", power[0]).replace("\u2212", "-")  # \u207b\u00b9 is -1
                signs = "^-" if number[0] == "-" else "^"
                tokens += [Token("operator", sign, self.start + power.start()) for sign in signs]
                tokens.append(self.take("number", number.lstrip("-"), power.end()))
            elif fraction := FRACTION.match(self.text, self.position):  # in brackets: 1/2 of a2^2 is not 1/(2 a2^2)
                top, bottom = unicodedata.normalize("NFKD", fraction[0]).split("\u2044")
                spelled = ("operator", "("), ("number", top), ("operator", "/"), ("number", bottom), ("operator", ")")
                tokens += [Token(kind, text, self.start + self.position) for kind, text in spelled]
                self.position += 1
            elif self.text[self.position] == "\u2033":  # two primes in one character
                tokens += [Token("operator", "'", self.start + self.position)] * 2
                self.position += 1
            else:
                start = self.start + self.position  # that of np.cos, not of its cos: [a - np.cos(q1)] is one entry
                tokens.append(replace(self.token(), start=start))
        return tokens

    def skip(self) -> bool:
        """Skips what has no meaning; False at the end."""
        blank = _SKIP.match(self.text, self.position)
        self.position = blank.end() if blank else self.position
        return self.position < self.end

    def token(self) -> Token:
        if module := _MODULE.match(self.text, self.position):
            self.position = module.end()
        if form := _FORM.match(self.text, self.position):
            self.position = form.end()
        start = self.position
        if upright := _UPRIGHT.match(self.text, start):
            return self.take("command", upright[1], upright.end())
        if self.text[start] == ROOT:
            return self.take("command", "sqrt", start + 1)
        if number := (_LATEX_NUMBER if self.latex else _NUMBER).match(self.text, start):
            return self.take("number", number[0], number.end())
        if function := _FUNCTION.match(self.text, start):
            return self.take("name", function[0].lower(), function.end())
        if self.latex and self.text[start] != "\\" and _LETTERS.match(self.text, start):
            return Token("name", self.symbol(), self.start + start)
        if name := NAME.match(self.text, start):
            length = self.first_name(name[0])
            return self.take("name", ascii_name(name[0][:length]), start + length)
        if self.text[start] in SIGNS:
            return self.take("operator", SIGNS[self.text[start]], start + 1)
        if transpose := _TRANSPOSE.match(self.text, start):
            return self.take("operator", "'", transpose.end())
        if method := _METHOD.match(self.text, start):
            return self.take("method", method[1], method.end())
        if attribute := _ATTRIBUTE.match(self.text, start):
            return self.take("attribute", attribute[1], attribute.end())
        if operator := _OPERATOR.match(self.text, start):
            return self.take("operator", _SPELLINGS.get(operator[0], operator[0]), operator.end())
        if _CUT.match(self.text, start):
            raise self.error(start, "this formula is cut short; give all of it, or leave the entry out")
        if command := _COMMAND.match(self.text, start):
            if command[0] in _SPELLINGS:
                return self.take("operator", _SPELLINGS[command[0]], command.end())
            if command[1] in (*FUNCTIONS, "frac", "tfrac", "dfrac", "begin", "end"):
                return self.take("command", command[1], command.end())
            return Token("name", self.symbol(), self.start + start)
        character = self.text[start]
        text = f'"{character}"' if character.isprintable() else f"the character U+{ord(character):04X}"
        raise self.error(start, f"{text} is not allowed here; use numbers, names, + - * / ^ ( )")

    def first_name(self, text: str) -> int:
        """The length of the first name in `m2l1`, which is a product where nothing is called so."""
        if len(text) > MAX_NAME:
            return len(text)
        places = [0, *(joint.start() for joint in _JOINED.finditer(text)), len(text)]
        ends = {len(text): len(text)}  # from each place to the end of the first name there
        for k in range(len(places) - 2, -1, -1):
            start, last = places[k], len(text)
            if not self.is_known(ascii_name(text[start:])):
                cuts = (cut for cut in places[-2:k:-1] if self.is_known(ascii_name(text[start:cut])))
                last = next((cut for cut in cuts if self.is_known(ascii_name(text[cut : ends[cut]]))), last)
            ends[start] = last
        return ends[0]

    def error(self, position: int, problem: str) -> Exception:
        return self.source.error(self.start + position, problem)

    def take(self, kind: str, text: str, end: int) -> Token:
        token = Token(kind, text, self.start + self.position)
        self.position = end
        return token

    def symbol(self, depth: int = 0) -> str:
        """A LaTeX symbol with its accents and index, as a plain name."""
        self.skip()
        start = self.position
        if depth > 8 or start >= self.end:
            raise self.error(start, "a symbol is expected here")
        if command := _COMMAND.match(self.text, start):
            self.position = command.end()
            if command[1] in ACCENTS or command[1] in IGNORED_ACCENTS:
                before, after = ACCENTS.get(command[1], ("", ""))
                if command[1] in IGNORED_ACCENTS and (word := self.word()):
                    return word
                inner = self.braced(depth)
                stem, digits = stem_and_number(inner)
                return before + stem + after + digits + self.index()
            return LATEX_NAMES.get(command[1], command[1]) + self.index()
        letters = _LETTERS.match(self.text, start)
        if letters is None:
            raise self.error(start, "a symbol is expected here")
        bare = _BARE.match(self.text, start)
        if bare and bare.end() > letters.end() and self.is_known(bare[0]):
            self.position = bare.end()  # rc2x and I2yy, as SymPy has them
            return bare[0]
        self.position = letters.end()
        if rate := _RATE.match(self.text, letters.end()):  # q''_1
            self.position = rate.end()
            return "d" * len(rate[0]) + letters[0] + self.index()
        name = letters[0] + self.index()
        if len(letters[1]) == 1 or self.is_known(name):
            return name
        # Adjacent letters: the longest known name, else one letter, is a factor of its own.
        length = next((k for k in range(len(letters[1]) - 1, 1, -1) if self.is_known(letters[1][:k])), 1)
        self.position = start + length
        return letters[1][:length]

    def word(self) -> str:
        """The known name of `\\mathrm{mass}_{1}`; nothing if it is not one."""
        start = self.position
        if braced := _BRACED.match(self.text, start):
            self.position = braced.end()
            if self.is_known(name := braced[1].replace("\\_", "_") + self.index()):
                return name
        self.position = start
        return ""

    def braced(self, depth: int) -> str:
        self.skip()
        if not self.text.startswith("{", self.position):
            return self.symbol(depth + 1) if depth < 8 else ""
        opening, self.position = self.position, self.position + 1
        inner = self.symbol(depth + 1)
        self.skip()
        if not self.text.startswith("}", self.position):
            raise self.error(opening, 'this "{" holds more than one symbol, or "}" is missing')
        self.position += 1
        return inner

    def index(self) -> str:
        """The subscript of a symbol: `_1`, `_{c1}`, `_{23-4}`, `_{2(12)}`."""
        if not self.text.startswith("_", self.position):
            return ""
        at = self.position + 1
        if self.text.startswith("{", at):
            depth = 0
            for end in range(at, min(self.end, at + 40)):
                depth += {"{": 1, "}": -1}.get(self.text[end], 0)
                if depth == 0:
                    self.position = end + 1
                    return re.sub(r"[^\w()\-]|_", "", self.text[at:end].replace("\\omega", "w"))
            raise self.error(at, 'the "}" of this index is missing')
        if at >= self.end or not self.text[at].isalnum():
            raise self.error(self.position, "an index is expected after _")
        self.position = at + 1
        return self.text[at]
