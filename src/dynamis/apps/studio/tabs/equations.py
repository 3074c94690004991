"""The equations of motion: derived, copied, proved; and the user's own, checked line by line."""

from __future__ import annotations

from typing import Any

from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.judging.report import Report
from dynamis.apps.studio.memory import cached_result
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.told import fragment
from dynamis.base.errors import ArgumentError, literal
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.derivations.robots.methods import METHODS
from dynamis.exact.derive import DEFAULT_METHOD, derive, derive_only
from dynamis.exact.equations import Equations
from dynamis.exact.prove import prove_all
from dynamis.telling.notation.schools import NOTATIONS

DEFAULT_SECONDS, MOST_SECONDS, MEMORY_LIMIT = 60.0, 3600.0, 2.0
"""Of the closed form [s], [GB]; what is not finished then is named."""
VALUES = ("symbols", "numbers", "all symbols")
"""What the parameters are: the symbols of the file, their numbers, or a symbol for every value."""


def derive_equations(request: Request) -> dict[str, Any]:
    """The page of a derivation, section by section."""
    told = _derivation(request)
    return {**fragment(told, folded=True, notation=_notation(request)), "stopped": str(told.stopped or "")}


def latex(request: Request) -> dict[str, Any]:
    """The same in LaTeX, to be put into a document."""
    text = _derivation(request).page("latex", fragment=True, notation=_notation(request), provenance=None)
    return {"text": text}


def prove_laws(request: Request) -> dict[str, Any]:
    """The laws of the equations, each proved or refuted."""
    proofs = prove_all(_model(request), request.flag("design"), request.progress)
    return {**fragment(proofs, notation=_notation(request)), "holds": proofs.holds}


def check_answer_text(request: Request) -> dict[str, Any]:
    """The verdicts on an answer, by line and as a page."""
    text = request.text("answer")
    if not text.strip():
        raise ArgumentError("the answer is empty; write lines such as M[1,2] = ...", key="answer")
    report = check_answer(request.robot(), text, "answer", seconds=DEFAULT_SECONDS, notation=_notation(request))
    return {**fragment(report), "verdict": report.verdict, "lines": _lines(report, text)}


def _lines(report: Report, text: str) -> dict[int, dict[str, str]]:
    """By line of the answer: right, wrong, not read or without an entry, and the words about it."""
    lines: dict[int, dict[str, str]] = {}
    for error in report.unread:
        if error.line is not None:
            lines[error.line] = {"status": "unread", "words": error.message}
    for entry in report.entries:
        words = f"{entry.name}: {entry.stated if entry.right else '; '.join((entry.status, *entry.details[:1]))}"
        before = lines.get(entry.line)
        status = "wrong" if not entry.right or (before and before["status"] == "wrong") else "right"
        lines[entry.line] = {"status": status, "words": f"{before['words']}; {words}" if before else words}
    for k, line in enumerate(text.split("\n"), 1):
        if line.strip() and k not in lines:
            lines[k] = {"status": "plain", "words": "no entry to check"}
    return lines


def _derivation(request: Request) -> Derivation:
    """The whole, or single entries of it where the page names some."""
    method, only = request.choice("method", METHODS, DEFAULT_METHOD), request.text("only").strip()
    explain, whole = request.flag("explain"), request.flag("whole")
    steps, spatial = request.flag("steps"), request.flag("spatial")
    key = (*request.robot_file, request.text("values", VALUES[0]), method, only, steps, spatial, _seconds(request))

    def find() -> Derivation:
        model = _model(request)
        if only:
            return derive_only(model, only, method, progress=request.progress, whole=whole, explain=explain)
        return derive(
            model, method, steps=steps, spatial=spatial, whole=whole, explain=explain, progress=request.progress
        )

    return cached_result("derivation", (*key, explain, whole), find)


def _model(request: Request) -> Equations:
    values = request.choice("values", VALUES, VALUES[0])
    robot = request.robot()
    robot = robot.symbolic(keep_zeros=False) if values == "all symbols" else robot
    return robot.equations(values == "numbers", _seconds(request), MEMORY_LIMIT)


def _seconds(request: Request) -> float:
    text = request.text("seconds").strip()
    try:
        seconds = float(text or DEFAULT_SECONDS)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise ArgumentError(
            f"the time limit must be a positive number up to {MOST_SECONDS:g} s, got {literal(text)}", key="seconds"
        )
    return seconds


def _notation(request: Request) -> str:
    return request.choice("notation", NOTATIONS, "dynamis")
