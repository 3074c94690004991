"""Commands of a reading, as they are typed after `dynamis`, and their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dynamis.apps.grading.check_answers import Check
from dynamis.apps.grading.judging.report import Report
from dynamis.exact.derivations.robots.sheet import RobotSheet
from dynamis.telling.result import Result
from dynamis.verbs.words import verb_of


def result_of(command: str) -> Result:
    """The result of a command such as `derive deluca-2r --only "M[1,1]"`."""
    asked = verb_of(command)
    if isinstance(asked, Check):
        return _report(asked)
    result = asked.run()
    # A page of a reading draws its robots at its beginning.
    return replace(result, drawn=False) if isinstance(result, RobotSheet) else result


def check_printed(command: str, answer: str | None = None, symbols: Sequence[str] = ()) -> Report:
    """The report of a `check` command on another answer, or with symbols that the robot does not have."""
    asked = verb_of(command)
    assert isinstance(asked, Check)
    robot = replace(asked.robot, parameters={**asked.robot.parameters, **dict.fromkeys(symbols, "")})
    texts = asked.texts if answer is None else dict.fromkeys(asked.texts, answer)
    return _report(asked.changed(robot=robot, texts=texts))


def _report(asked: Check) -> Report:
    """The report on the one answer of a command."""
    result = asked.run()
    for error in result.refused.values():
        raise error
    (report,) = result.reports.values()
    return report
