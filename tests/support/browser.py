"""Chromium for the tests of live pages: `python -m tests.support.browser` installs it by apt where it can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
MISSING = "the tests of live pages need Chromium and its driver: apt-get install chromium chromium-driver"
OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--window-size=1280,900",
)  # fmt: skip
"""WebGL without a graphics card."""


def programs() -> tuple[str, str] | None:
    """Chromium and its driver; None where one of them is missing."""
    chromium = next(filter(None, map(shutil.which, PROGRAMS)), None)
    driver = shutil.which("chromedriver")
    return (chromium, driver) if chromium and driver else None


class Browser:
    """A headless Chromium that remembers what a page says and asks for."""

    def __init__(self) -> None:
        found = programs()
        if found is None:
            pytest.fail(MISSING) if os.environ.get("CI") else pytest.skip(MISSING)
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = found[0]
        for option in OPTIONS:
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(found[1]))

    def open(self, file: Path, width: int = 1280) -> None:
        """A page from a file, when its script has started."""
        self.resize(width)
        self.driver.get_log("performance")
        self.driver.get(file.as_uri())
        self.wait("return document.documentElement.dataset.ready === 'yes'")

    def resize(self, width: int) -> None:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a script."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, seconds: float = 60.0) -> Any:
        """The first true value of a script; what the page said where there is none."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, (script, self.errors())
            time.sleep(0.05)
        return value

    def errors(self) -> list[str]:
        """What stands in the console."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """The addresses that pages asked for, but the file itself and data inside of it."""
        import json

        sent: list[str] = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                sent.append(message["params"]["request"]["url"])
        return [url for url in sent if not url.startswith(("file:", "data:"))]


def install() -> int:
    """Install Chromium by apt where that is possible; say what to install where it is not."""
    if programs():
        return 0
    apt, sudo = shutil.which("apt-get"), shutil.which("sudo")
    may = [] if hasattr(os, "geteuid") and os.geteuid() == 0 else [sudo, "-n"] if sudo else None
    if apt and may is not None:
        for words in (["update", "-qq"], ["install", "-y", "-qq", "chromium", "chromium-driver"]):
            subprocess.run([*may, apt, *words], check=False, stdout=subprocess.DEVNULL, timeout=600)
    if not programs():
        print(MISSING, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(install())
