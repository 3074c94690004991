"""Locks at a fork: the child has none of its parent's threads, so a lock that one of them holds would never open."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from functools import cached_property
from threading import RLock
from typing import Any


def hold_at_forks(*locks: AbstractContextManager[Any]) -> None:
    """Before a fork these locks are waited for, in this order; after it they are free on both sides."""

    def acquire() -> None:
        for lock in locks:
            lock.__enter__()

    def release() -> None:
        for lock in reversed(locks):
            lock.__exit__(None, None, None)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=acquire, after_in_parent=release, after_in_child=release)


def _renew_locks() -> None:
    """New locks in the cached properties of our classes: Python 3.11 has one in each, for all objects of its class."""
    modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "dynamis"]
    classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    members = [member for kind in classes for member in vars(kind).values()]
    properties: list[Any] = [member for member in members if isinstance(member, cached_property)]
    for one in properties:
        one.lock = RLock()


if hasattr(os, "register_at_fork") and sys.version_info < (3, 12):
    os.register_at_fork(after_in_child=_renew_locks)
