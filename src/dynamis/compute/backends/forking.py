"""Locks at a fork: the child has none of its parent's threads, so a lock that one of them holds would never open."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from functools import cached_property
from threading import RLock
from typing import Any

_held: list[AbstractContextManager[Any]] = []


def hold_at_forks(*locks: AbstractContextManager[Any], first: bool = False) -> None:
    """Before a fork these locks are waited for; after it they are free on both sides.

    They are taken in one order, that of threads which need several: those that are `first`, then the others as they
    came. In another order a fork and a thread could wait for each other.
    """
    place = 0 if first else len(_held)
    _held[place:place] = locks


def _acquire() -> None:
    for lock in _held:
        lock.__enter__()


def _release() -> None:
    for lock in reversed(_held):
        lock.__exit__(None, None, None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_acquire, after_in_parent=_release, after_in_child=_release)


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
