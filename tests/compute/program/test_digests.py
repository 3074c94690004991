"""The programs of shipped robots are those that they were, operation by operation.

A change here is a change of what every backend computes. Where it is meant, `python -m tests.support.program_digests`
writes the new digests, and the commit says what is better.
"""

from __future__ import annotations

import json

import pytest

from tests.support.program_digests import FILE, ROBOTS, digest

KNOWN = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ROBOTS)
def test_programs_are_the_same(name: str) -> None:
    assert digest(name) == KNOWN[name]


def test_every_digest_is_of_a_robot() -> None:
    assert sorted(KNOWN) == sorted(ROBOTS)
