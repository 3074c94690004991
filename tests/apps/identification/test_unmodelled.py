"""What friction that the model lacks makes of torques in other motions."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.gains_and_zeros import torques_off
from benchmarks.mistaken_logs import recorded, tree
from dynamis.identification import identify
from dynamis.library import load
from tests.support.logs import log


@pytest.mark.parametrize(("number", "motion", "seed"), [(1, "10 s, small", 9005), (0, "10 s", 9002), (0, "20 s", 9002)])
def test_friction_of_another_kind(number: int, motion: str, seed: int) -> None:
    """What is expected elsewhere is what there is, although filtered torques of the log leave a third of it."""
    case = recorded(tree(number), motion, seed)
    result = identify(case.robot, case.log, physical=False)
    off = torques_off(result, case)
    worst = int(np.argmax(off))
    assert off[worst] > 0.15 > 2 * result.errors.shares[worst]
    np.testing.assert_array_less(off, 1.2 * result.errors.expected)
    assert result.joints[worst] not in result.trusted
    assert len(result.trusted) == len(result.joints) - 1
    said = next(text for text in result.words() if text.startswith("Use with care"))
    assert result.joints[worst] in said


def test_noise_does_not_grow() -> None:
    """White noise of the torques is as large elsewhere, and no friction is read into it."""
    result = identify(load("bar-2r"), log(load("bar-2r"), noise=0.1))
    np.testing.assert_allclose(result.errors.unmodelled, 0.1, rtol=0.1)


def test_exact_logs_lack_nothing() -> None:
    robot = load("puma560")
    errors = identify(robot, log(robot)).errors
    assert (errors.unmodelled < 1e-6 * errors.variation.max()).all()
