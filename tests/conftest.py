"""Tests are deterministic: hypothesis draws the same examples on every run, and pages have their usual width."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "dynamis",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("dynamis")


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """GNU Readline, which the workers of pytest-xdist load, sets COLUMNS to that of no terminal."""
    monkeypatch.delenv("COLUMNS", raising=False)
