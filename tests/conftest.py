"""Tests are deterministic: hypothesis draws the same examples on every run, and pages have their usual width."""

import gc
import os
import sys

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "dynamis",
    max_examples=50,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("thorough", settings.get_profile("dynamis"), max_examples=500, derandomize=False)
settings.load_profile("dynamis")

# Tests and the processes that they start compile each module once, not once per process.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_finish() -> None:
    """Modules and tests live until the end: the garbage collector need not walk over them; over caches seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """GNU Readline, which the workers of pytest-xdist load, sets COLUMNS to that of no terminal."""
    monkeypatch.delenv("COLUMNS", raising=False)
