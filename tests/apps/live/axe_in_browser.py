"""Live reports under axe-core, which looks for what readers with a screen reader or a keyboard miss.

    python -m tests.apps.live.axe_in_browser

installs `axe-core` from npm in a temporary folder; the ordinary tests do without.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import dynamis
from dynamis.files import load_task
from tests.support.browser import Browser
from tests.support.live_pages import UNFOLD

PAGES = {"bar-2r": "two-bar-reach", "puma560": "puma-lift", "stanford": None}
RUN = """const done = arguments[0];
axe.run(document, { resultTypes: ["violations"] }).then((found) => done(
  found.violations.flatMap(({ help, nodes }) => nodes.map(({ html }) => `${help}: ${html.slice(0, 120)}`))));"""


def main() -> int:
    """Prints what it finds in both themes; 1 if there is anything."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "install", "--silent", "--no-fund", "axe-core"], cwd=folder, check=True)
        axe = (Path(folder) / "node_modules/axe-core/axe.min.js").read_text()
        browser = Browser()
        try:
            for name, task in PAGES.items():
                robot, path = dynamis.load(name), Path(folder) / f"{name}.html"
                dynamis.report(robot, None if task is None else load_task(task, robot)).save(path)
                for theme in ("light", "dark"):
                    browser.open(path)
                    browser.run(f"document.documentElement.dataset.theme = '{theme}'; {UNFOLD}")
                    browser.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
                    found = browser.driver.execute_async_script(RUN)
                    count += len(found)
                    print(f"{name} {theme}: {len(found)} violations", *found, sep="\n  ", flush=True)
        finally:
            browser.driver.quit()
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
