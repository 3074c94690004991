"""What a program or a page of notes says around its formulas.

    m1, m2 = symbols("m1 m2")        a declaration: both names are as they are called
    m1 = p.m1;  q1, q2 = q           a parameter or a coordinate, handed over under its own name
    c2, s2 = cos(q2), sin(q2)        two formulas in one line
    return M @ qdd + c + g           what the function is named for
    plot(t, q);  for k in range(2):  commands and headers, which give no formula
    Coriolis terms:                  words

Places are offsets into the text of one statement. Every search takes time linear in the text, and nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Span = tuple[int, int]
# The marks of docstrings and of comments of several lines, in MATLAB and LaTeX.
_MARK = re.compile(
    r'"""|\'\'\'|^[ \t]*%\{[ \t]*$|^[ \t]*%\}[ \t]*$|\\iffalse\b|\\fi\b|\\(?:begin|end)\{(?:comment|tikzpicture)\}',
    re.MULTILINE,
)
_CLOSER = {"%{": "%}", "\\iffalse": "\\fi", "\\begin{comment}": "\\end{comment}",
           "\\begin{tikzpicture}": "\\end{tikzpicture}"}  # fmt: skip
_COMMAND = re.compile(
    r"(?:syms|clear|clearvars|clc|close|format|import|from|end|endfunction|disp|display|print|pprint|fprintf|sprintf"
    r"|pretty|figure|plot|subplot|hold|title|xlabel|ylabel|legend|pass|if|else|elseif|elif|for|while|switch|case|try"
    r"|except|assert|raise|global|persistent|addpath|warning|error|@\w+)\b(?![ \t]*=(?!=))"
)
# Calls and commands that change none of the names in them.
_HARMLESS = re.compile(
    r"(?:\w{1,20}\.){0,3}(?:print|pprint|disp|display|fprintf|sprintf|pretty|latex|init_printing|init_vprinting|figure"
    r"|plot|subplot|show|title|xlabel|ylabel|legend|assert|assert_allclose|raise|error|warning|import|from|simplify"
    r"|shape|size|class|def|function|matlabFunction|lambdify|save|savez|savetxt|append)\b"
)
_BOUND = re.compile(r"\bfor\b([^=\n]{1,80}?)\bin\b|\bas[ \t]+(\w{1,40})")
_ASSIGNED = re.compile(
    r"([A-Za-z_]\w{0,40})(?:\.\w{1,20}|\[[^\[\]=\n]{0,60}\]|\([^()=\n]{0,60}\)){0,3}\s{0,9}[-+*/@%&|^:]{0,2}=(?!=)"
)
_HEADED = re.compile(r"(?:if|else|elseif|elif|for|while|switch|case|try|except|with)\b")
_EQ = re.compile(r"\s*(?:\w{1,20}\.)?Eq[ \t]*\(")
_HEADER = re.compile(r"(?:function|def|class)\b")
_PYTHON = re.compile(
    r"^(?:import [a-z]|from [a-z][\w.]{0,40} import )|^[ \t]{0,12}def \w{1,40}\([^\n]{0,200}:[ \t]{0,9}$", re.MULTILINE
)
_NUMPY = re.compile(r"\b(?:np|numpy|jnp|torch)\.\w|^[ \t]{0,12}from (?:numpy|jax|torch)\b", re.MULTILINE)
_TWICE = re.compile(r"\w(?:''|\u2032\u2032|\u2033)(?!\w)")
_MATLAB = re.compile(r"\.[*^/]|^[ \t]*(?:syms|function|end)\b|;[ \t]*$", re.MULTILINE)
_MATRIX_CLASS = re.compile(r"\b[mM]at(?:rix)?[ \t]?\(")
_DEF = re.compile(r"def[ \t]+(\w{1,60})")
_RETURN = re.compile(r"return\b[ \t]*")
_DECLARED = re.compile(r"\s*(?:\w{1,30}\.){0,3}(?:symbols|Symbol|dynamicsymbols|sym|Function|var)[ \t]*\(")
_TIME = re.compile(r"\s*(?:\w{1,30}\.){0,3}dynamicsymbols\._t[\s;]*")
_QUOTED = re.compile(r"""["']([^"'\n]*)["']""")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_FREE = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*", re.ASCII)
_DEAL = re.compile(r"\s*deal[ \t]*\(")
# p, p.m1, params(3), p["m1"], link{2}.m: whatever it holds, a name is all that is read.
_HANDED = re.compile(
    r"\s*([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*|\[[^\[\]=]{0,60}\]|\([^()=]{0,60}\)|\{[^{}=]{0,60}\}){0,6}[\s;,.]*", re.ASCII
)
_NUMBERS = re.compile(
    r"(?:[-+*/^().,;\s\[\]\d]|[eE](?=[-+\d])|(?:np\.|math\.|sp\.)?pi\b|deg2rad\b|(?:np|math)\.radians\b)+"
)
_WORD = re.compile(r"(?<![\w\\])[^\W\d_]{3,}(?![\w(])")
_RULE = re.compile(r"[-=*_~#`.\s]+")
_LEAD = re.compile(r"\s*(?:(?:where|with|and|hence|thus|so|then)\b[\s,:]*)+")
_INLINE = re.compile(r"\$([^$]*)\$")
_STEPS = {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}
_FUNCTIONS = ("sin", "cos", "sqrt", "sign", "sgn")


def without_strings(text: str) -> str:
    """Without docstrings and comments of several lines; nothing moves."""
    characters: list[str] = []
    done, opening = 0, None
    for mark in _MARK.finditer(text):
        kind = mark[0].strip()
        if opening is None and kind not in _CLOSER.values():
            characters.append(text[done : mark.start()])
            done, opening = mark.start(), _CLOSER.get(kind, kind)
        elif kind == opening:
            characters.append(re.sub(r"[^\n]", " ", text[done : mark.end()]))
            done, opening = mark.end(), None
    return "".join([*characters, text[done:]])


def is_command(text: str) -> bool:
    """Whether a statement is a command, a header, a call or a name alone, none of which gives a formula."""
    text = text.strip("; \t\n\r\v")
    if text.isdigit() or _COMMAND.match(text) or _HEADER.match(text) or _NAME.fullmatch(text):
        return True
    name = re.match(r"[A-Za-z_][\w.]*\(", text, re.ASCII)
    return name is not None and closing(text, name.end() - 1) == len(text) - 1


def changed_names(text: str) -> list[str]:
    """The names that a statement may give another value, though it is no formula: `for k in x: G[k] = 0`, `G.fill(0)`.

    >>> changed_names("if fast: G[0] = 0"), changed_names("G.fill(0)"), changed_names("print(G)")
    (['G'], ['G'], [])
    >>> changed_names("for k in range(len(G)):"), changed_names("clear G"), changed_names("np.negative(G, out=G)")
    (['k'], ['G'], ['np', 'negative', 'G', 'out'])
    """
    text = text.strip("; \t\n\r\v")
    if _HEADED.match(text):
        bound = [name for match in _BOUND.finditer(text) for name in _NAME.findall(match[1] or match[2])]
        return list(dict.fromkeys([*bound, *(match[1] for match in _ASSIGNED.finditer(text))]))
    if _HARMLESS.match(text) or not re.search(r"\W", text):
        return re.findall(r"\b(\w{1,40})[ \t]?:=", text)
    receiver = re.match(r"(\w{1,40})\.\w{1,40}\(\W*\d*\W*$", text, re.ASCII)
    names = [receiver[1]] if receiver else _NAME.findall(text)
    return [name for name in dict.fromkeys(names) if name not in ("clear", "clearvars", "del")]


def is_python(text: str) -> bool:
    """Whether a text is a program in Python."""
    return _PYTHON.search(text) is not None


def is_numpy(text: str) -> bool:
    """Whether the arrays of a program are NumPy's or its like, whose * multiplies entry by entry."""
    return _NUMPY.search(text) is not None and _MATRIX_CLASS.search(text) is None


def primes(text: str, file: str) -> int:
    """How far ' is the derivative by time: 0 in a program, where it transposes, 1 behind q1, 2 behind a vector, too.

    >>> primes("tau = M*q'' + C*q' + g", ""), primes("T = m1*q1'^2", ""), primes("T = q'*M*q;", "")
    (2, 1, 0)
    """
    if file.endswith((".m", ".py")) or is_python(text):
        return 0
    return 2 if _TWICE.search(text) else int(_MATLAB.search(text) is None)


def is_prose(text: str) -> bool:
    """Whether a statement has words and no formula, or is the rule below a heading."""
    if _RULE.fullmatch(text):
        return True
    return "=" not in text and any(word not in _FUNCTIONS for word in _WORD.findall(text))


def function_name(text: str) -> str | None:
    """The name of the function whose header this is; None if it is none."""
    header = _DEF.match(text.lstrip())
    return header[1] if header else None


def return_start(text: str) -> int | None:
    """Where the formula of `return ...` begins; -1 if it returns only names."""
    blank = len(text) - len(text.lstrip())
    word = _RETURN.match(text, blank)
    if word is None:
        return None
    rest = text[word.end() :].rstrip("; \t\n")
    return -1 if not rest or _name_spans(rest, len(rest)) else word.end()


def lead(text: str) -> int:
    """The length of the words before a formula: `where h = ...`."""
    match = _LEAD.match(text)
    return match.end() if match and "=" in text else 0


def inline_formulas(text: str) -> list[Span]:
    """The formulas of a sentence: `where $h = m_2 l_1 s_2$ and $k = 2$`; none if it is not a sentence."""
    if text.count("$") < 2 or "$$" in text or "=" in _INLINE.sub("", text) or not is_prose(_INLINE.sub(" ", text)):
        return []
    return [match.span(1) for match in _INLINE.finditer(text) if "=" in match[1]]


@dataclass(frozen=True)
class Handed:
    """A name that gets no formula; `called` is the place of the name that it is declared with, if that is said."""

    name: str
    start: int
    called: Span | None = None


def declared_names(text: str, equals: Span) -> list[Handed]:
    """The names of `m1, m2 = symbols("m1 m2")`, each with its text in the quotes."""
    call = _DECLARED.match(text, equals[1])
    names = _name_spans(text, equals[0])
    if names and _TIME.fullmatch(text, equals[1]):
        return [Handed(text[a:b], a) for a, b in names]
    if call is None or not names:
        return []
    quoted = _QUOTED.search(text, call.end())
    spans = [m.span() for m in re.finditer(r"[^\s,]+", quoted[1])] if quoted else []
    rest = text[quoted.end() :] if quoted else ""
    if not quoted or len(spans) != len(names) or re.match(r"\s*,\s*\d", rest):  # ("q1 q2", 1) are velocities
        return [Handed(text[a:b], a) for a, b in names]
    offset = quoted.start(1)
    return [Handed(text[a:b], a, (offset + s, offset + e)) for (a, b), (s, e) in zip(names, spans, strict=True)]


def taken_apart(text: str, equals: Span) -> list[Handed]:
    """The names of `q1, q2 = x`, several with one right side; none if it is not that."""
    names = _name_spans(text, equals[0])
    return [Handed(text[a:b], a) for a, b in names] if len(names) > 1 else []


def holder(text: str) -> str:
    """The p of p.m1, params(3) or p["m1"], which is all of a right side; nothing for anything else."""
    match = _HANDED.fullmatch(text)
    return match[1] if match else ""


def assignments(text: str, equals: Span) -> list[tuple[Span, Span]]:
    """The left and right sides of `c2, s2 = cos(q2), sin(q2)`; none if it is one formula."""
    names = _name_spans(text, equals[0])
    begin, end = equals[1], len(text.rstrip("; \t\n"))
    if deal := _DEAL.match(text, begin):
        begin, end = deal.end(), end - 1
    elif len(names) > 1 and (inner := text[begin:end].strip()) and inner[0] in "([":
        at = begin + len(text[begin:end]) - len(text[begin:end].lstrip())
        begin, end = (at + 1, end - 1) if closing(text, at) == end - 1 else (begin, end)
    if len(names) < 2:
        return []
    parts = list(_parts(text, begin, end))
    return list(zip(names, parts, strict=True)) if len(parts) == len(names) else []


def changed_at_once(text: str, equals: Span) -> list[Span]:
    """The names of `q1, q2 = q2, q1`, which is not the same as one assignment after the other; none for other lines.

    >>> changed_at_once("q1, q2 = q2, q1", (7, 8)), changed_at_once("q1, q2 = q1, q2", (7, 8))
    ([(0, 2), (4, 6)], [])
    """
    names = _name_spans(text, equals[0])
    spans = [span for _, span in assignments(text, equals)] or [(equals[1], len(text))] * len(names)
    words = [set(_FREE.findall(text, a, b)) for a, b in spans]
    before = [text[a:b] for a, b in names]
    is_pair = len(set(spans)) > 1
    used = any(name in those for k, name in enumerate(before) for those in (words[k + 1 :] if is_pair else words))
    return names if len(names) > 1 and used else []


def equation(text: str, equals: Span) -> tuple[str, Span] | None:
    """The torque and the formula of SymPy's `eq1 = Eq(..., tau1)`, whichever comes first."""
    call = _EQ.match(text, equals[1])
    if call is None:
        return None
    parts = list(_parts(text, call.end(), closing(text, call.end() - 1)))
    for k, (a, b) in enumerate(parts):
        name = _QUOTED.search(text, a, b) if _DECLARED.match(text, a, b) else None
        word = (name[1] if name else text[a:b]).strip()
        if len(parts) == 2 and _NAME.fullmatch(word):
            return word, parts[1 - k]
    return None


def parts(text: str) -> list[str]:
    """The right sides of one statement, without MATLAB's deal(...)."""
    deal = _DEAL.match(text)
    begin, end = (deal.end(), closing(text, deal.end() - 1)) if deal else (0, len(text.rstrip("; \t\n")))
    return [text[a:b] for a, b in _parts(text, begin, end)]


def is_number(text: str) -> bool:
    """Whether a right side is made of numbers only."""
    return len(text) < 200 and _NUMBERS.fullmatch(text) is not None and re.search(r"\d|pi", text) is not None


def _name_spans(text: str, end: int) -> list[Span]:
    """The names before an equals sign, one or several with commas; none if it is anything else."""
    left, start = text[:end].rstrip(), len(text) - len(text.lstrip())
    if left[start:][:1] + left[-1:] in ("[]", "()"):
        left, start = left[:-1], start + 1
    spans: list[Span] = []
    for a, b in _parts(left, start, len(left.rstrip(", \t"))) if len(left) - start < 1000 else ():
        word = left[a:b].strip()
        if not _NAME.fullmatch(word):
            return []
        spans.append((begin := left.index(word, a), begin + len(word)))
    return spans


def _parts(text: str, start: int, end: int) -> Iterator[Span]:
    """Parts between the commas outside of brackets."""
    depth, begin = 0, start
    for position in range(start, end):
        depth += _STEPS.get(text[position], 0)
        if text[position] == "," and depth == 0:
            yield begin, position
            begin = position + 1
    yield begin, end


def closing(text: str, opening: int) -> int:
    """The place of the bracket that closes the one at `opening`; -1 if none does."""
    depth = 0
    for position in range(opening, len(text)):
        depth += _STEPS.get(text[position], 0)
        if depth == 0:
            return position
    return -1
