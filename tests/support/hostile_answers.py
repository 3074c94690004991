"""Checks the answers on its standard input (JSON: [text, seconds] pairs), and prints what each costs, one line each.

Run as a program of its own, so that a test can end it: `python -m tests.support.hostile_answers`.
"""

from __future__ import annotations

import json
import sys
import time

import dynamis
from dynamis.apps.grading.check import check_answer


def main() -> None:
    robot = dynamis.load("planar-elbow")
    check_answer(robot, "M11 = 1")  # imports and the model are not what is measured
    for text, seconds in json.load(sys.stdin):
        start = time.process_time()
        try:
            report = check_answer(robot, text, seconds=seconds)
            outcome = f"{len(report.entries)} entries"
        except dynamis.DynamisError as error:
            outcome = type(error).__name__
        print(json.dumps([time.process_time() - start, outcome]), flush=True)


if __name__ == "__main__":
    main()
