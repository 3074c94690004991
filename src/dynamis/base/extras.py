"""Packages of the extras, imported where they are needed; where one is missing a sentence names its extra.

Extras are named, and not packages: they know which versions dynamis works with.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dynamis.base.errors import ArgumentError


def install(extra: str) -> str:
    """The command that installs an extra.

    >>> print(install("report"))
    pip install "dynamis[report]"
    """
    return f'pip install "dynamis[{extra}]"'


def import_extra(module: str, needs: str, extra: str, key: str | None = None) -> Any:
    """The module; `needs` begins the sentence where it is missing: "a PDF needs"."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise ArgumentError(f"{needs} {package}: {install(extra)}", key=key) from None
