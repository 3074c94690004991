"""`dynamis.grading.check_answers`: what can be asked of a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.apps.grading.judging.report import Reports as Reports
    from dynamis.base.errors import DynamisError
    from dynamis.model.loads import Load
    from dynamis.model.robot import RobotModel
    from dynamis.telling.notation.notation import Notation


@verb
class Check(Verb["Reports"]):
    """Check your own M, c, C, g, T, U, tau, Jacobians or Newton-Euler vectors: equal, or what is wrong.

    MATLAB, NumPy and SymPy programs, LaTeX or plain text, which are read and never run. `let L1 = l1` defines a name,
    `given d2 = 0` sets a condition. Several files are several answers; one that cannot be judged does not hide the
    others.

    >>> from dynamis import load
    >>> reports = check_answers(load("planar-elbow"), {"Ann": "g[2] = m2*lc2*g*c12", "Bob": "g[2] ="})
    >>> [(name, report.verdict) for name, report in reports.reports.items()], list(reports.refused)
    ([('Ann', 'incomplete')], ['Bob'])
    """

    answer = "dynamis.apps.grading.check:all_reports"

    robot: RobotModel = option("the robot", kind="loaded robot")
    texts: Mapping[str, str | DynamisError] = option(
        "the answers by their files, lines such as M[1,2] = m2*l1*d2*cos(q2) + I2; or why one cannot be read",
        kind="dynamis.apps.readings.printed.answer_files:ANSWERS", flag="answer", metavar="ANSWER",
        offered="dynamis.apps.readings.printed.equations:printed_answers",
    )  # fmt: skip
    conditions: Mapping[str, str | float] | None = option(
        "numbers or formulas in the place of parameters", default=None, kind="conditions"
    )
    seconds: float | None = option(
        "time limit for reading and comparing; the report then has the entries that were finished", "s", default=None,
        kind="time limit",
    )  # fmt: skip
    loads: Sequence[Load] = option(
        "loads of tau, f and n; their symbols are names that the answer may use", default=(), kind="symbolic loads"
    )
    notation: str | Notation | None = option(
        "the answer's notation, such as a notation file; those that ship are known", default=None, kind="name",
        offered="dynamis.telling.notation.schools:NOTATIONS", metavar="NAME",
    )  # fmt: skip


check_answers = function(Check, "check_answers")
