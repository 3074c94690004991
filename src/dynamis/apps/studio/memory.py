"""What a worker found last, so that a copy or a download need not compute it again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_last: dict[str, tuple[Hashable, Any]] = {}
T = TypeVar("T")


def cached_result(kind: str, key: Hashable, find: Callable[[], T]) -> T:
    """The result of `find`, or the last one of this kind if its key was the same."""
    before = _last.get(kind)
    if before is None or before[0] != key:
        _last[kind] = before = (key, find())
    return before[1]
