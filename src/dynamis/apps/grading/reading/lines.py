"""An answer file cut into lines: `let`, `given`, and `NAME[row, column] = ...`.

`#` and `%` begin a comment. A line goes on while a bracket or a matrix is open, after `...`, after a
sign, and before one. `M12 = M21 = ...` says both; `g1 = ... = ...` gives two forms, and both are checked.
What a program says around its formulas is that of `programs`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dynamis.apps.grading.reading import programs
from dynamis.apps.grading.reading.branches import Block, ProgramBlocks, block_notes
from dynamis.apps.grading.reading.left_sides import (
    ANSWERABLE,
    LeftSide,
    is_entry,
    is_matrix,
    is_quantity_name,
    left_side,
)
from dynamis.apps.grading.reading.letters import Letters
from dynamis.apps.grading.reading.pages import ready
from dynamis.apps.grading.reading.source import AnswerError, Source
from dynamis.apps.grading.reading.trees import Tree

MAX_LINES = 2000
MAX_SIGNS = 50
# Matched against a line without the blanks before it. No two parts of a pattern here match the same characters, so
# that every match takes time linear in the text.
_NEW = re.compile(r"let\b|given\b|[\w\\{}^,:\s\[\]()$&]*[-+*/]?=")
_KEYWORD = re.compile(r"\w{1,20}\s?=\s?[\w.'\"]{1,20}[,)]")  # positive=True)
_LEAD = r"(?:\s|&|\\quad(?![A-Za-z])|\\qquad(?![A-Za-z])|\\[,;:! ]|\{\})*"
_GOES_ON = re.compile(rf"{_LEAD}(?:[-+*/\u2212\u00b7]|\\cdot(?![A-Za-z])|\\times(?![A-Za-z]))")
_SAME_LEFT = re.compile(rf"{_LEAD}=")
_UNFINISHED = re.compile(r"(?:\.\.\.|=)[\s&$]*\Z")
_SIGN = re.compile(r"(?:[-+*/,(\u2212\u00b7]|\\cdot|\\times)[\s&$]*\Z")
_MATRIX = re.compile(r"\\end\{[bpvBV]?(?:matrix|array)\}[\s\v&$]*\Z")
_DEPTH = re.compile(r"\\begin\b|\\end\b|[\[({})\]]")
_NAMED = re.compile(r"=:\s*(\\?[A-Za-z]\w*)[\s$.,;&]*$")  # c_121 = ... =: h
_EQUALS = re.compile(r"([-+*/]?):?={1,2}")
# Not \\left[0, and no part that matches what its neighbour does.
_ZERO = re.compile(
    r"(?:(?<![\\\w])[A-Za-z_]\w*|(?<=[\w)\]'])\))(?:\[\d{1,2}\])?\[(?:[\d: ]{0,9},)? {0,3}0[\d:, ]{0,9}\]"
)
INDEX = re.compile(r"(?<=[\w)])\[-?\d")
_LEFT_INDEX = re.compile(r"^[ \t]*\w{1,20}((?:\[[\d:, ]{1,12}\]){1,3})[ \t]*[-+*/]?=", re.MULTILINE)
_LAST = re.compile(r"^\s*-(\d{1,2})(?=\s*\]?\s*$)")
_SLICE = re.compile(r"^\s*(\d{1,2})(:?)")
_TORQUE = re.compile(r"\s*\$?(?:\\?tau|\u03c4)(?:_?\{?\(?\[?([1-9\u2081-\u2089])[\])}]?)?[\s$;.,]*")
_CELL = re.compile(r"\\\\|[;,]")
_AROUND = re.compile(r"\\(?:begin|end)\{\w{1,12}\}(?:\{c\})?|\\left|\\right|[\s$\[\](){}_\\.]")
_OPERATOR = re.compile(r"[-+*\u2212]|\\ddot|\S\s\S")
_QUANTITY = re.compile(r"[MGTU]")
_ANNOTATED = re.compile(r"\w{1,40}[ \t]{0,9}:[^=]*")
_ALIAS = re.compile(r"\s*([A-Za-z_]\w{0,40})(?:\.T|\[[^\]]{0,40}\])?[\s;]*")
_REMAINDER = re.compile(r"\s*([A-Za-z_]\w{0,40})[^=%#\n]{0,60}%=")
_WORDS = re.compile(r"[A-Za-z_]\w{0,40}")
_DELETED = re.compile(r"\s*(?:del\b[^=]*$|with\b[^=]*\bas\b)")
_BLANK = " \t$\r\v"
_STEPS = {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}


@dataclass(frozen=True)
class Line:
    """One statement of a file, which may go on over several lines of its text.

    `kind` is let (it defines `name`), given (a condition on the parameter `name`), answer, or handed: a name that comes
    from a declaration or from elsewhere, without a formula. The left side is `left_text`, which begins at `left_start`;
    the right side is the text from `start` to `end`.
    """

    kind: str
    source: Source
    left_text: str
    left_start: int
    start: int
    end: int
    sign: str = ""
    """The operator of +=, -=, *= or /=, which changes what a line above gives."""
    name: str = ""
    left: LeftSide | None = None
    """What an answer is about; None if its left side is not a name with indices."""
    tree: Tree | None = None
    problem: AnswerError | None = None
    """Why it cannot be read; then there is no tree."""
    place: int = 0
    """Of a name that is handed over with others its place among them, from 1."""

    @property
    def right_text(self) -> str:
        """The right side."""
        return self.source.text[self.start : self.end]

    def covers(self, number: int) -> bool:
        """Whether a line of the text, by its number, belongs to it."""
        first, last = (self.source.place(position)[0] for position in (self.left_start, self.end))
        return first <= number <= last

    def error(self, problem: str) -> AnswerError:
        """An error about it, with the place of its left side."""
        return self.source.error(self.left_start, problem)


@dataclass(frozen=True)
class Text:
    """An answer file cut into lines."""

    clean: Source
    """The source with all but formulas blanked."""
    lines: list[Line]
    unread: list[AnswerError]
    """Why some statements are none."""
    words: list[int]
    """The numbers of the lines that have words and no formula."""
    from_zero: bool
    """Whether indices in square brackets count from 0, as in Python."""
    notes: list[str]
    """What is to be said of lines in branches, loops and functions."""


def read_lines(source: Source, letters: Letters, n: int) -> Text:
    """The lines of an answer to a robot with n joints."""
    clean = Source(ready(source.text, letters), source.file, source.text)
    text = Text(clean, [], [], [], counts_from_zero(clean, n), [])
    lines, unread, function, python = text.lines, text.unread, "", is_python_file(clean)
    above, done, branches, blocks = set[str](), 0, ProgramBlocks(clean.text, python), dict[int, Block]()
    for start, end in _spans(clean.text):
        statement = clean.text[start:end]
        function = programs.function_name(statement) or function
        block = branches.enter(start, end)
        try:
            if (at := programs.return_start(statement)) is not None:
                known, stop = is_quantity_name(function, letters), _stop(clean, start + max(at, 0), end)
                if at >= 0 and known:
                    lines.append(Line("answer", clean, f"{function}(q)", start, start + at, stop))
                elif at >= 0 and function and is_matrix(statement[at:]):
                    lines.append(Line("let", clean, function, start, start + at, stop, name=function))
            elif formulas := programs.inline_formulas(statement):
                for a, b in formulas:
                    lines += _statements(clean, letters, start + a, start + b, None)
            elif python and (remainder := _REMAINDER.match(source.text, start, end)):  # % begins no comment here
                lines += _changes(clean, letters, start, [remainder[1]], above)
            elif programs.is_command(statement) or _DELETED.match(statement):
                lines += _changes(clean, letters, start, programs.changed_names(statement), above)
            else:
                if programs.is_prose(statement):
                    text.words.append(clean.place(start + len(statement) - len(statement.lstrip()))[0])
                else:
                    begin = start + programs.lead(statement)
                    for line in _statements(clean, letters, begin, end, lines[-1] if lines else None):
                        lines += _changes_left(line, letters, lines, above, python) or [line]
        except AnswerError as error:
            names = _WORDS.findall(statement.rpartition("=")[0])
            lost = _changes(clean, letters, start, names, above, error)
            lines += lost
            unread += [] if lost else [error]
        blocks |= dict.fromkeys(range(done, len(lines)), block)
        lefts = (left_side(line.left_text[:60], letters) for line in lines[done:])
        above, done = above | {left.key[0] for left in lefts if left is not None}, len(lines)
        if len(lines) + len(unread) + len(text.words) > MAX_LINES:
            raise source.error(start, f"an answer may have at most {MAX_LINES} lines")
    if not any(line.kind == "answer" for line in lines):
        raise unread[0] if unread else source.error(0, "there is no answer to check; write a line such as M[1,1] = ...")
    lines[:] = _without_branches(lines, blocks)
    formulas = [k for k, line in enumerate(lines) if line.problem is None and line.kind != "handed"]
    text.notes.extend(block_notes(clean, [(lines[k].left_start, blocks[k]) for k in formulas]))
    if text.from_zero:
        lines[:] = [_one_based(line, n) for line in lines]
    return text


def _without_branches(lines: Sequence[Line], blocks: Mapping[int, Block]) -> Iterator[Line]:
    """With a problem for lines that are not run, that repeat others in a branch, or change what they give in a loop."""
    places: dict[tuple[str, bool], set[int]] = {}  # a left side -> its blocks, a name -> those of its entries
    heads = [re.split(r"[\[(]", line.left_text)[0].strip() for line in lines]
    for k, line in enumerate(lines):
        places.setdefault((line.left_text, False), set()).add(blocks[k].place)
        places.setdefault((heads[k], True), set()).add(blocks[k].place)
    for k, (line, head) in enumerate(zip(lines, heads, strict=True)):
        block, here = blocks[k].kind, blocks[k].place
        others = places[line.left_text, False] | places.get((head, False), set())
        others = others | (places[head, True] if line.left_text == head else set[int]())
        problem = ""
        if block == "never":
            problem = f"line {line.source.place(here)[0]} keeps this from being run; write it outside of that block"
        elif block == "branch" and others != {here}:
            problem = f"branches are not followed, and {head} is given outside of this one, too; write it once"
        elif block == "loop" and (line.sign or head in _WORDS.findall(line.right_text)):
            problem = f"loops are not followed, and this one changes {head}; write it out"
        yield replace(line, problem=line.error(problem)) if problem and line.problem is None else line


def _changes(
    source: Source,
    letters: Letters,
    start: int,
    names: Iterable[str],
    above: Collection[str],
    problem: AnswerError | None = None,
) -> list[Line]:
    """A line for every quantity that lines above give, and that a statement which cannot be read may change."""
    lefts = {name: left_side(name, letters) for name in dict.fromkeys(names)}
    changed = [name for name, left in lefts.items() if left and left.kind in ANSWERABLE and left.key[0] in above]
    start += len(source.text[start:]) - len(source.text[start:].lstrip())
    lost = [Line("answer", source, name, start, start, start) for name in changed]
    return [
        replace(line, problem=problem or line.error(f"this may change {line.left_text}, and only formulas are read"))
        for line in lost
    ]


def _changes_left(
    line: Line, letters: Letters, lines: Sequence[Line], above: Collection[str], python: bool
) -> list[Line]:
    """The quantities above that a line changes with more than a name on its left: G.flat[0], or another name of G."""
    if line.kind != "answer":
        return []
    names, left = _WORDS.findall(line.left_text), left_side(line.left_text.replace("][", ","), letters)
    is_name = left is not None and (left.index is None or left.kind in ANSWERABLE)
    first = names[:1]
    if is_name and not (python and _ANNOTATED.fullmatch(line.left_text)):
        names = []
    if python and (line.sign or "[" in line.left_text):  # X = G, then X[0] = 0, changes G
        same = (_ALIAS.fullmatch(other.right_text) for other in lines if [other.left_text] == first)
        names += [match[1] for match in same if match]
    return _changes(line.source, letters, line.left_start, names, above)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every line, with its continuation lines."""
    start, position, depth = 0, 0, 0
    ends = [end.start() for end in re.finditer(r"[\n\v]", text)]
    for k, end in enumerate([*ends, len(text)]):
        for token in _DEPTH.findall(text, position, end):
            depth += 1 if token in ("\\begin", "[", "(", "{") else -1
        following = ends[k + 1] if k + 1 < len(ends) else len(text)
        rest = text[end + 1 : following]
        soft = text[end : end + 1] == "\v" and "=" not in rest and rest.strip(_BLANK + "&") != ""
        tail = text[max(start, end - 40) : end]
        is_new = _NEW.match(rest.lstrip()) is not None and not (depth > 0 and _KEYWORD.match(rest.lstrip()))
        # A matrix before its factor: M in one line, \ddot{q} + c + g = \tau in the next.
        is_factor = _MATRIX.search(tail) is not None and "=" not in text[start:end]
        is_open = (depth > 0 or is_factor or _SIGN.search(tail) is not None) and not is_new
        # A matrix before its factor: M in one line, \ddot{q} + c + g = \tau in the next.
        is_factor = _MATRIX.search(tail) is not None and "=" not in text[start:end] and not is_new
        goes_on = (
            is_open or soft or is_factor or _GOES_ON.match(rest) is not None or _UNFINISHED.search(tail) is not None
        )
        position = end + 1
        if not goes_on or position >= len(text):
            if text[start:end].strip(_BLANK + "&\n"):
                yield from _pieces(text, start, end)
            start, depth = position, 0


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A line of MATLAB with several statements: `g(1) = a; g(2) = b`."""
    depth, first, equal = 0, start, False
    last = text.rfind("=", start, end)
    for mark in re.finditer(r"\\.|[\[({;=})\]]", text[start:end]):
        depth += _STEPS.get(mark[0], 0)
        equal = equal or mark[0] == "="
        at = start + mark.end()
        if mark[0] == ";" and depth == 0 and equal and at <= last:
            yield first, at
            first, equal = at, False
    yield first, end


def _statements(source: Source, letters: Letters, start: int, end: int, before: Line | None) -> Iterator[Line]:
    word = re.match(r"\s*(let|given)\b", source.text[start:end])
    if word is None:
        yield from _program_lines(source, start, end) or _answers(source, letters, start, end, before)
        return
    begin, depth = start + word.end(), 0
    for position in range(begin, end):
        depth += _STEPS.get(source.text[position], 0)
        if source.text[position] == "," and depth == 0:
            yield _sides(source, word[1], begin, position)
            begin = position + 1
    yield _sides(source, word[1], begin, end)


def _program_lines(source: Source, start: int, end: int) -> list[Line]:
    """Declarations, names that are handed over, and the formulas of several assignments; none for other lines."""
    text, sign = source.text[start:end], _EQUALS.search(source.text, start, end)
    if sign is None or sign[1]:
        return []
    equals = sign.start() - start, sign.end() - start
    if names := programs.declared_names(text, equals):
        return [_handed_line(source, start, name) for name in names]
    if pair := programs.equation(text, equals):
        left, (a, b) = pair
        return [Line("answer", source, left, start, start + a, _stop(source, start + a, start + b))]
    if spans := programs.changed_at_once(text, equals):
        problem = "its right side uses a name of its left side; write one line for each, with names of their own"
        lines = [Line("answer", source, text[a:b], start + a, start + b, start + b) for a, b in spans]
        return [replace(line, problem=line.error(problem)) for line in lines]
    if pairs := programs.assignments(text, equals):
        return [
            Line("answer", source, text[a:b], start + a, start + c, _stop(source, start + c, start + d))
            for (a, b), (c, d) in pairs
        ]
    lines = [_handed_line(source, start, name) for name in programs.taken_apart(text, equals)]
    return [replace(line, start=start + equals[1], end=end, place=k) for k, line in enumerate(lines, 1)]


def _handed_line(source: Source, start: int, name: programs.Handed) -> Line:
    a, b = name.called or (name.start, name.start)
    return Line("handed", source, name.name, start + name.start, start + a, start + b)


def _is_torques(text: str) -> bool:
    """Whether a text is the column tau1, tau2, ... as MATLAB, SymPy or LaTeX has it."""
    cells = [_AROUND.sub("", cell).replace("\u03c4", "tau") for cell in _CELL.split(text[:2000].rstrip(" ;\n"))]
    return len(cells) > 1 and cells == [f"tau{k}" for k in range(1, len(cells) + 1)]


def _answers(source: Source, letters: Letters, start: int, end: int, before: Line | None) -> Iterator[Line]:
    """One line, with all of its equals signs."""
    signs = list(_EQUALS.finditer(source.text, start, end))
    if len(signs) > MAX_SIGNS:
        raise source.error(signs[MAX_SIGNS].start(), f"a line may have at most {MAX_SIGNS} equals signs")
    if name := _NAMED.search(source.text, start, end):
        *others, last = _answers(source, letters, start, name.start(), before)
        yield from (*others, last, replace(last, kind="let", left_text=name[1], left_start=name.start(1)))
        return
    if len(signs) > 1 and (second := next((sign for sign in signs if sign[1]), None)):
        raise source.error(second.start(), f"{second[0]} cannot share a line with another equals sign")
    if len(signs) == 1 and (torque := _TORQUE.fullmatch(source.text, signs[0].end(), end)):
        left = source.text[start : signs[0].start()]
        if not torque[1] or (_OPERATOR.search(left) and not is_entry(left.strip(), letters)):
            # M(q)*qdd + c + g = tau, m11 qdd1 + m12 qdd2 + c1 + g1 = tau1
            yield Line(
                "answer", source, f"tau{torque[1] or ''}", signs[0].end(), start, _stop(source, start, signs[0].start())
            )
            return
    if len(signs) == 1 and _is_torques(source.text[signs[0].end() : end]):  # M qdd + c + g = [tau1; tau2]
        yield Line("answer", source, "tau", signs[0].end(), start, _stop(source, start, signs[0].start()))
        return
    nameless = before is not None and before.kind == "answer" and _SAME_LEFT.match(source.text, start, end)
    lefts = [replace(before, sign="") if before and nameless else _sides(source, "answer", start, end)]
    for sign, following in pairwise(signs):
        begin, stop = sign.end(), following.start()
        middle = _left_side(source, begin, following)
        if is_entry(middle.left_text.replace("][", ","), letters) or _QUANTITY.fullmatch(middle.left_text):
            lefts.append(middle)
        else:
            yield from (replace(left, start=begin, end=_stop(source, begin, stop)) for left in lefts)
    # "M =" above its entries "M11 = ..." is a heading.
    lefts = [left for left in lefts if is_entry(left.left_text.replace("][", ","), letters)] or lefts
    begin = signs[-1].end()
    yield from (replace(left, start=begin, end=_stop(source, begin, end)) for left in lefts)


def _sides(source: Source, kind: str, start: int, end: int) -> Line:
    equals = _EQUALS.search(source.text, start, end)
    if equals is None:
        blank = len(source.text[start:end]) - len(source.text[start:end].lstrip())
        example = "M[1,1] = m1*l1^2" if kind == "answer" else f"{kind} L1 = l1"
        raise source.error(start + blank, f'"=" is missing; write a line such as {example}')
    return replace(_left_side(source, start, equals), kind=kind, end=_stop(source, equals.end(), end))


def _left_side(source: Source, start: int, equals: re.Match[str]) -> Line:
    """The left side before an equals sign."""
    text = source.text[start : equals.start()]
    if not text.strip(_BLANK + "&\n"):
        raise source.error(equals.start(), 'a name is expected before "="')
    begin = start + len(text) - len(text.lstrip())
    return Line("answer", source, text.strip(), begin, equals.end(), equals.end(), equals[1])


def _stop(source: Source, start: int, end: int) -> int:
    """The end without what belongs to MATLAB or LaTeX: a semicolon, a full stop, a dollar sign."""
    return start + len(source.text[start:end].rstrip(" \t\r\v\n,;$.\\&"))


def is_python_file(source: Source) -> bool:
    """Whether a file is a program in Python, by its text or by its name."""
    return source.file.endswith(".py") or programs.is_python(source.text)


def counts_from_zero(source: Source, n: int) -> bool:
    """Whether an index in square brackets is 0 somewhere, as in Python: M[0, 1], q[0], J[0][1]; or q[-1].

    A program in Python counts from 0 too if none of its indices before an equals sign is the last of n, counted from 1.
    """
    text = source.text
    has_zero = _ZERO.search(text) is not None
    if has_zero or not is_python_file(source) or not INDEX.search(text):
        return has_zero
    if re.search(r"(?<=[\w)])\[-\d", text):
        return True
    return str(n) not in (number for index in _LEFT_INDEX.findall(text) for number in re.findall(r"\d+", index))


def _one_based(line: Line, n: int) -> Line:
    """A line of Python with its left side counted from 1: M[0, 1:3] is M[1, 2:3], M[-1, -1] of two joints M[2, 2]."""
    head, bracket, index = line.left_text.replace("][", ",").partition("[")
    parts = [_SLICE.sub(lambda part: f"{int(part[1]) + 1}{part[2]}", part) for part in index.split(",")]
    parts = [_LAST.sub(lambda part: str(n + 1 - int(part[1])), part) for part in parts]
    return replace(line, left_text=head + bracket + ",".join(parts)) if line.kind == "answer" else line
