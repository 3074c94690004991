"""Design search: the front of a planar 3R beside its closed form, one aim, wrong input."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.sweeps import DesignFront, box, design_search, sobol

EXAMPLE = Path(__file__).parents[4] / "examples" / "design_search.py"
BOXES = {"L1": box(0.2, 0.8), "L2": box(0.2, 0.6)}


def least_torque(reach: float) -> float:
    """Of the example's arm, stretched out: g (rho L^2 / 2 + m (2 l1 + l2) + p L), so that length belongs outside."""
    l3 = min(0.4, reach - 0.4)
    l2 = min(0.8, max(0.2, reach - 0.2 - l3))
    return 9.81 * (4 * reach**2 / 2 + 2 * (2 * (reach - l2 - l3) + l2) + 1.5 * reach)


def test_the_front_of_a_3r_beside_the_closed_form() -> None:
    found: DesignFront = runpy.run_path(str(EXAMPLE))["found"]
    ratio = found.values[:, 1] / [least_torque(x) for x in found.values[:, 0]]
    assert ratio.min() > 1 - 1e-9
    assert ratio.max() < 1.1
    assert np.median(ratio) < 1.02
    assert found.values[0, 0] < 0.55
    assert found.values[-1, 0] > 1.95
    one = found.robots()[3]
    np.testing.assert_allclose(one.forward_kinematics(np.zeros(3))[0, 3], found.designs[3].sum(), rtol=1e-12)
    assert len(found.figure().axes) == 1
    assert "designs" in found.as_dict()


def test_one_aim_has_one_best_design() -> None:
    arm = dynamis.load("bar-2r")
    found = design_search(arm, "tool", BOXES, {"q": box(3)}, "max tool.radius", sobol(64), trials=600, seed=2)
    np.testing.assert_allclose(found.designs, [[0.8, 0.6]], rtol=1e-3)
    again = design_search(arm, "tool", BOXES, {"q": box(3)}, "max tool.radius", sobol(64), trials=600, seed=2)
    np.testing.assert_array_equal(found.tried, again.tried)


def test_designs_are_computed_in_parts_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    arm, told = dynamis.load("bar-2r"), list[tuple[int, int]]()

    def front() -> DesignFront:
        return design_search(
            arm, "gravity_torque", BOXES, {"q": box(3)}, "-peak q1", sobol(64), trials=200,
            progress=lambda done, all: told.append((done, all)),
        )  # fmt: skip

    together = front()
    assert told == sorted(told)
    assert 190 < told[-1][0] <= told[-1][1] == 200
    monkeypatch.setattr("dynamis.apps.sweeps.search.design_search.BATCH_STATES", 3 * 64)
    np.testing.assert_array_equal(front().tried, together.tried)


def test_wrong_input() -> None:
    arm = dynamis.load("bar-2r")
    over = {"q": box(1)}
    with pytest.raises(ArgumentError, match="a design is swept over at most 4,194,304 states, got 1,073,741,824"):
        design_search(arm, "tool", BOXES, over, "max tool.x", sobol(2**30))
    with pytest.raises(ArgumentError, match="parameters must be boxes of design parameters"):
        design_search(arm, "tool", {"L1": 3}, over, "max tool.x")  # type: ignore[dict-item]
    with pytest.raises(ArgumentError, match='"L1" is both a design parameter and swept'):
        design_search(arm, "tool", BOXES, {"q": box(1), "L1": box(1, 2)}, "max tool.x")
    with pytest.raises(UnknownNameError, match=r'unknown value "tool\.w"'):
        design_search(arm, "tool", BOXES, over, "max tool.w")
    with pytest.raises(UnknownNameError, match='unknown reduction "maks"; did you mean "max"'):
        design_search(arm, "tool", BOXES, over, "maks tool.x")
    with pytest.raises(ArgumentError, match=r'an aim is such as "max tool\.radius"'):
        design_search(arm, "tool", BOXES, over, "tool.x")
    with pytest.raises(ArgumentError, match="a search has one or two aims, got 3"):
        design_search(arm, "tool", BOXES, over, ["max tool.x"] * 3)
    with pytest.raises(UnknownNameError, match="unknown parameter"):
        design_search(arm, "tool", {"L7": box(1, 2)}, over, "max tool.x")
