"""What readers take: at most 200 MB beside the file, or four times its numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

if not Path("/proc/self/status").exists():
    pytest.skip("the sizes of a process are those of Linux", allow_module_level=True)

from tests.fuzz.campaign import ROOT
from tests.fuzz.memory import CASES


def test_no_reader_takes_more_than_it_may() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.memory"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" s, ok: ") == len(CASES)
