"""`check_answer`: the student's equations against the exact model, entry by entry.

>>> from dynamis import load
>>> report = check_answer(load("planar-elbow"), "g[2] = m2*lc2*g*cos(q1 - q2)")
>>> report.right, report.entries[0].name
(False, 'g[2]')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dynamis.apps.grading.check_answers import Check
from dynamis.apps.grading.common_ring import CommonRing
from dynamis.apps.grading.judging.entries import Entry, find_entries, losses, missing_entries
from dynamis.apps.grading.judging.formulas import FormulaStyle
from dynamis.apps.grading.judging.judges import Grader, judge, other_factorisations
from dynamis.apps.grading.judging.other_frames import other_frames
from dynamis.apps.grading.judging.report import Report, Reports, Verdict
from dynamis.apps.grading.judging.without_role import without_role
from dynamis.apps.grading.reading.answer import TOO_DEEP, read_answer
from dynamis.apps.grading.reading.answer_values import AnswerValues
from dynamis.apps.grading.reading.letters import Letters, letters_of
from dynamis.apps.grading.reading.lines import Line
from dynamis.apps.grading.reading.names import coefficient_names, strip_underscores
from dynamis.apps.grading.reading.pages import is_document, leaves_out_zeros
from dynamis.apps.grading.reading.source import AnswerError, Source
from dynamis.base.errors import (
    ArgumentError,
    DynamisError,
    FormatError,
    MemoryLimitError,
    TimeLimitError,
    literal,
    name_list,
)
from dynamis.base.faces import option
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.model.loads import Load, with_load_symbols
from dynamis.model.robot import RobotModel
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.schools import as_notation

MAX_CHARACTERS = 200_000


class NotJudgedError(DynamisError):
    """An answer on which `check` itself failed: neither right nor wrong."""

    def __init__(self, file: str, what: str) -> None:
        super().__init__(
            f"this answer was not judged, as dynamis failed on it ({what}), which is a mistake of ours; "
            "please report it with the answer"
        )
        self.at(file)


class AnswerTimeError(DynamisError):
    """An answer that is too large to be read in the given time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"the answer was not read within {seconds:g} s; give fewer or shorter entries, or more time "
            f"({option('seconds', f'{10 * seconds:g}')})"
        )
        self.seconds = seconds


def check_answer(
    robot: RobotModel,
    text: str,
    file: str = "answer",
    conditions: Mapping[str, str | float] | None = None,
    seconds: float | None = None,
    loads: Sequence[Load] = (),
    notation: str | Notation | None = None,
) -> Report:
    """Compare the answers in `text` with the model; `conditions` put numbers or formulas in the place of parameters.

    `notation`, a name, a file or a `Notation`, is that of the answer; the symbols of all that ship are read anyhow.
    Under `loads` tau, f and n are those with them; their symbols are names that the answer may use.
    With `seconds` it stops after that time; the report then has the entries that were finished.
    """
    if not isinstance(text, str):  # type: ignore[redundant-expr]
        raise ArgumentError(f"text must be the text of an answer, got {literal(text)}", key="text")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    source, letters = Source(text, file), letters_of(None if notation is None else as_notation(notation))
    if len(text) > MAX_CHARACTERS:
        raise FormatError(
            f"an answer may have at most {MAX_CHARACTERS} characters, got {len(text)}; give fewer entries, or "
            "several files; of a page of a derivation, the one without its steps"
        ).at(file)
    robot = with_load_symbols(robot, loads)
    ring = CommonRing(ClosedForm(robot, seconds=seconds, loads=tuple(loads)), coefficient_names(text, robot))
    try:
        ring.check_time()  # which starts the clock
        values, every, unread = _read(source, ring, conditions or {}, letters)
        pairs = list(zip(every, [None] * len(every) if is_document(text) else losses(every, values), strict=True))
        entries = [entry for entry, loss in pairs if loss is None]
        nameless = [(line.name, source.place(line.left_start)[0]) for line in without_role(values, entries)]
        lost = {entry.name: loss for entry, loss in pairs if loss is not None}
    except TimeLimitError as late:
        raise AnswerTimeError(late.seconds) from None
    except RecursionError:
        raise source.error(0, TOO_DEEP) from None
    grader = Grader(values, entries)
    verdicts, without_verdict, frames = dict[int, Verdict](), list[str](), tuple[str, ...]()
    try:
        for k, entry in enumerate(entries):
            try:
                verdicts[k] = judge(grader.case(entry))
            except (ArgumentError, MemoryLimitError) as error:
                unread.append(source.error(entry.start, f"{entry.name}: {error.message}"))
                without_verdict.append(entry.name)
            except AnswerError as error:
                unread.append(error)
                without_verdict.append(entry.name)
        verdicts = other_factorisations(grader, verdicts)
        frames = other_frames(grader, verdicts)
    except TimeLimitError:
        pass
    if unread and not verdicts and not lost:
        raise unread[0]
    return Report(
        robot=robot.name,
        file=file,
        entries=list(verdicts.values()),
        notes=(*_notes(grader), *frames, *_losses(lost)),
        unfinished=[entry.name for entry in entries[max(verdicts, default=-1) + 1 :]],
        seconds=seconds,
        unread=unread,
        without_role=nameless,
        missing=[*missing_entries(entries, values, leaves_out_zeros(text)), *without_verdict],
    )


def all_reports(asked: Check) -> Reports:
    """A report on every answer; one that cannot be judged does not hide the others."""
    texts = asked.texts
    if not isinstance(texts, Mapping):  # type: ignore[redundant-expr]
        raise ArgumentError(f"texts must be a dictionary of answers by their names, got {literal(texts)}", key="texts")
    for file, text in texts.items():
        if not isinstance(text, str | DynamisError):  # type: ignore[redundant-expr]
            raise ArgumentError(f"the answer of {literal(file)} must be a text, got {literal(text)}", key="texts")
    school = None if asked.notation is None else as_notation(asked.notation)
    reports, refused = dict[str, Report](), dict[str, DynamisError]()
    for file, text in texts.items():
        try:
            if isinstance(text, DynamisError):
                raise text
            reports[file] = check_answer(asked.robot, text, file, asked.conditions, asked.seconds, asked.loads, school)
        except DynamisError as error:
            refused[file] = error
        except Exception as error:
            refused[file] = NotJudgedError(file, f"{type(error).__name__}: {str(error)[:100]}")
            refused[file].__cause__ = error
    return Reports(asked.robot.name, reports, refused)


def _read(
    source: Source, ring: CommonRing, conditions: Mapping[str, str | float], letters: Letters
) -> tuple[AnswerValues, list[Entry], list[AnswerError]]:
    """The values of an answer, in a ring that has its half angles; its entries, and what cannot be read."""
    while True:
        try:
            values = AnswerValues(read_answer(source, ring, conditions, letters), ring)
            entries, unread = find_entries(values)
        except AnswerError:
            if not ring.missing_halves:
                raise
        else:
            if not ring.missing_halves:
                return values, entries, unread
        ring = replace(ring, halved=ring.halved | ring.missing_halves)


def _losses(lost: Mapping[str, Line]) -> list[str]:
    """The sentences about entries that have no verdict, as a line that cannot be read changes them."""
    lines = {line.source.place(line.left_start)[0]: "" for line in lost.values()}
    names = {k: [name for name, line in lost.items() if line.source.place(line.left_start)[0] == k] for k in lines}
    return [f"line {k} changes {name_list(names[k])} and cannot be read: no verdict on what is above it" for k in lines]


def _notes(grader: Grader) -> tuple[str, ...]:
    """How the answer was read: conditions, rows of Jacobians, definitions, names that are defined more than once."""
    values, answer = grader.values, grader.answer
    notes = [note for entry in grader.entries for note in (entry.target.note, entry.target.reading) if note]
    if fixed := values.conditions(len(answer.lines)):
        everywhere = all(values.conditions(entry.line) == fixed for entry in grader.entries)
        listed = ", ".join(f"{name} = {FormulaStyle().short(value)}" for name, value in fixed.items())
        notes.append(f"compared for {listed}{'' if everywhere else ' in the lines below it'}")
    notes += answer.notes({strip_underscores(answer.lines[entry.line].name) for entry in grader.entries})
    for lines in answer.lets.values():
        same = [values.values[k] for k in lines if k in values.values]
        if any(value != same[0] for value in same):
            name = answer.lines[lines[0]].name
            notes.append(f"{name} is defined more than once: each line uses the last definition above it")
    return tuple(dict.fromkeys(notes))
