"""Readers that do what no reader may do, so that tests can see that the fuzzer notices it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.readers import Reader


def _raises(path: Path, random: Random) -> None:
    if b"needle" in path.read_bytes():
        raise KeyError("needle")


def _loops(path: Path, random: Random) -> None:
    while True:
        pass


def _sleeps(path: Path, random: Random) -> None:
    time.sleep(600)


def _crashes(path: Path, random: Random) -> None:
    os.abort()


def _grows(path: Path, random: Random) -> None:
    _ = b"x" * 1_100_000_000


def _evaluates(path: Path, random: Random) -> None:
    eval(path.read_text())


def _writes(path: Path, random: Random) -> None:
    path.with_name("other").write_text("x")


def _calls(path: Path, random: Random) -> None:
    os.system("true")


def _reader(name: str, read: Callable[[Path, Random], Any], data: bytes = b"1 + 1", seconds: float = 0.5) -> Reader:
    return Reader(name, 1, lambda random: data, read, "input", seconds)


BROKEN = {
    reader.name: reader
    for reader in (
        _reader("raises", _raises, b"x" * 300 + b"needle" + b"x" * 300),
        _reader("loops", _loops),
        _reader("sleeps", _sleeps),
        _reader("crashes", _crashes),
        _reader("grows", _grows, seconds=20.0),
        _reader("evaluates", _evaluates),
        _reader("writes", _writes),
        _reader("calls", _calls),
    )
}
