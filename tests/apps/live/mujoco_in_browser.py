"""The numbers of a live report beside MuJoCo's, both in one Chromium: the UR5 moved by the sliders of its page.

    python -m tests.apps.live.mujoco_in_browser

installs `@mujoco/mujoco` from npm in a temporary folder and serves it to the browser on 127.0.0.1, which the ordinary
tests do without. The page itself is a file, and asks for nothing.
"""

from __future__ import annotations

import http.server
import subprocess
import sys
import tempfile
import threading
from functools import partial
from pathlib import Path

import numpy as np

import dynamis
from dynamis.model.formats.urdf.write import write_urdf
from tests.support.browser import Browser
from tests.support.live_pages import CELLS, MOVE

STATES = 25
TOLERANCE = 6e-4
"""Of a number that the page writes with three decimals."""
PAGE = """<!doctype html><title>MuJoCo</title><script type="module">
import loadMujoco from "/node_modules/@mujoco/mujoco/mujoco.js";
const mujoco = await loadMujoco(), model = mujoco.MjModel.from_xml_string(await (await fetch("/robot.urdf")).text());
model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT.value;
const data = new mujoco.MjData(model);
window.inverse = (q, qd, qdd) => {
  q.forEach((_, i) => { data.qpos[i] = q[i]; data.qvel[i] = qd[i]; data.qacc[i] = qdd[i]; });
  mujoco.mj_inverse(model, data);
  return Array.from(data.qfrc_inverse);
};
</script>"""


class Files(http.server.SimpleHTTPRequestHandler):
    """Files of one folder, silently."""

    extensions_map = {".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html", "": "text/plain"}  # noqa: RUF012

    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> int:
    """Prints the largest difference; 1 if it is more than the page's rounding."""
    rng, robot = np.random.default_rng(1), dynamis.load("ur5")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "package.json").write_text('{"type": "module"}')
        subprocess.run(["npm", "install", "--silent", "--no-fund", "@mujoco/mujoco"], cwd=path, check=True)
        (path / "robot.urdf").write_text(write_urdf(robot))
        (path / "mujoco.html").write_text(PAGE)
        dynamis.report(robot).save(path / "report.html")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = Browser()
        try:
            browser.open(path / "report.html")
            states = rng.uniform(-2, 2, (STATES, 3, robot.n))
            ours = [_page_torques(browser, state) for state in states]
            asked, errors = browser.requests(), browser.errors()
            browser.driver.get(f"http://127.0.0.1:{server.server_port}/mujoco.html")
            browser.wait("return typeof window.inverse === 'function'")
            theirs = [browser.run("return window.inverse(...arguments)", *state.tolist()) for state in states]
        finally:
            browser.driver.quit()
            server.shutdown()
    off, largest = float(np.abs(np.array(ours) - theirs).max()), float(np.abs(theirs).max())
    failed = off > TOLERANCE or bool(asked or errors)
    print(
        f"ur5 {STATES} states: torques of the page within {off:.1e} N m of MuJoCo's (up to {largest:.3g})",
        *(["FAILED", *asked, *errors] if failed else []),
    )
    return int(failed)


def _page_torques(browser: Browser, state: np.ndarray) -> list[float]:
    for group, values in zip(("Positions", "Velocities", "Accelerations"), state.tolist(), strict=True):
        for k, value in enumerate(values):
            browser.run(MOVE, group, k, value)
    return [row[0] for row in browser.run(CELLS, "torques")]


if __name__ == "__main__":
    sys.exit(main())
