"""Answers to two planar arms, checked."""

from __future__ import annotations

import dynamis
from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.judging.report import Report
from dynamis.apps.grading.reading.source import AnswerError

ELBOW = dynamis.load("planar-elbow")
DELUCA = dynamis.load("deluca-2r")


def checked(text: str, robot: dynamis.Robot = ELBOW, seconds: float | None = None) -> Report:
    return check_answer(robot, text, "mine.txt", seconds=seconds)


def faultless(report: Report) -> bool:
    """Whether all that an answer gives was read and is right; entries may be missing."""
    return not report.wrong and not report.unread and not report.unfinished


def statuses(text: str, robot: dynamis.Robot = ELBOW) -> set[str]:
    return {entry.status for entry in checked(text, robot).entries}


def complaint(text: str, robot: dynamis.Robot = ELBOW) -> str:
    """What is said of the first line that cannot be read, or of the file where none can."""
    try:
        return str(checked(text, robot).unread[0])
    except AnswerError as error:
        return str(error)
