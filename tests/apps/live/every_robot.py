"""The live report of every shipped robot and task in Chromium: nothing overflows, no plot is empty, no formula is bare.

    python -m tests.apps.live.every_robot [ROBOT...]

prints seconds, size and what is wrong; the ordinary tests look at some of them.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import dynamis
from dynamis.library import exercises, robots
from dynamis.motion.tasks.task import load_task
from tests.support.browser import Browser
from tests.support.live_pages import page_problems

TASKS = {"bar-2r": "two-bar-reach", "niryo-one-estimated": "niryo-lift", "panda": "panda-line", "puma560": "puma-lift"}
MEGABYTES = 3.0


def main(names: list[str]) -> int:
    """1 if a page has a problem."""
    failed = False
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name in names or dict.fromkeys((*robots(), *TASKS, *exercises())):
                for task in (None, *([TASKS[name]] if name in TASKS else [])):
                    path = Path(folder) / f"{name}-{task}.html"
                    begun, robot = time.perf_counter(), dynamis.load(name)
                    dynamis.report(robot, None if task is None else load_task(task, robot)).save(path)
                    seconds, size = time.perf_counter() - begun, path.stat().st_size / 1e6
                    problems = page_problems(browser, path)
                    problems += [f"{size:.1f} MB"] if size > MEGABYTES else []
                    failed |= bool(problems)
                    print(f"{name:20} {task or '':14} {seconds:5.1f} s {size:5.2f} MB", *problems, flush=True)
    finally:
        browser.driver.quit()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
