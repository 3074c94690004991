"""Logs with mistakes, and how verdicts on them are counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks import gains_and_zeros
from benchmarks.gains_and_zeros import PAIRS, SINGLE, Counts, judge
from benchmarks.mistaken_logs import RIGHT, Case, cases, recorded, scara
from benchmarks.mistakes import VERDICTS, verdict
from benchmarks.parts import Plan
from dynamis.base.arrays import Array
from dynamis.library import load


def test_every_mistake_is_doubted_or_leaves_the_torques_right() -> None:
    verdicts = {case.mistake: verdict(case) for case in cases(load("bar-2r"), "5 s", 3000)}
    assert set(verdicts.values()) <= set(VERDICTS) - {"wrong"}
    assert {verdicts[name] for name in RIGHT} == {"trusted"}
    assert verdicts["30 samples"] in ("refused", "named", "doubted")
    assert {verdicts[name] for name in ("degrees", "milliseconds")} == {"refused"}
    named = ("mN m", "torques of the wrong sign", "a torque of the wrong sign", "torques 50 ms late", "a gain of 3")
    assert {verdicts[name] for name in named} == {"named"}


def test_the_true_torques_are_in_the_coordinates_of_the_log() -> None:
    """Where positions are wrong, what a log leaves of the true torques is the same as without the mistake."""
    right, *others = cases(scara(), "1 s", 3000)

    def left(case: Case) -> Array:
        still = np.zeros_like(case.log["q"])
        return np.sort(case.log["tau"] - case.torque((case.log["q"], still, still)), axis=1)

    wrong = [x for x in others if "zero" in x.mistake or "position" in x.mistake or x.mistake == "joints exchanged"]
    assert len(wrong) == 6
    for case in wrong:
        np.testing.assert_allclose(left(case), left(right), atol=1e-9, err_msg=case.mistake)


@pytest.mark.parametrize(("name", "seed"), [("stanford", 1), ("puma560", 1)])
def test_zeros_that_are_not_told_raise_no_alarm(name: str, seed: int) -> None:
    """Of wrist joints, whose links bear so little that friction makes their zero 90 +- 15 degrees."""
    assert verdict(recorded(load(name), "20 s", seed)) == "trusted"


def test_small_mistakes_are_counted_at_their_joints() -> None:
    """On the logs of one arm: what is sure is named, and no joint is wrong without a word."""
    counts: dict[tuple[str, str], Counts] = {}
    judge(recorded(load("ur5"), "10 s", 3000), "simulated", {}, 3000, counts)
    right, *wrong = (counts[key] for key in sorted(counts))
    assert (right.count, right.trusted, right.gains_named, right.wrong) == (1, 1, 0, 0)
    assert sum(one.count for one in wrong) == SINGLE + PAIRS
    assert sum(one.sure for one in wrong) == sum(one.named for one in wrong) > 0
    assert not any(one.wrong for one in wrong)


def test_a_study_goes_on_where_it_was_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of parts are kept by robot, motion and seeds, and added up as if they were counted at once."""
    monkeypatch.setattr(gains_and_zeros, "MOTIONS", ("5 s",))
    told: list[str] = []
    plan = Plan(1, 3000, ("bar-2r",), tmp_path)
    first = gains_and_zeros.study(plan, None, told.append)
    assert told == ["bar-2r, 5 s"]
    assert [file.name for file in tmp_path.iterdir()] == ["small, bar-2r, 5 s, 3000-3000.json"]
    monkeypatch.setattr(gains_and_zeros, "judge", None)
    assert gains_and_zeros.study(plan, None, told.append) == first
    assert (first[0].mistakes, first[0].count) == ("1 none", 1)
