"""Wrong arguments of everything public about sweeps: one sentence of ours, whatever is given."""

import warnings
from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError, sweep
from dynamis.apps.sweeps.sweep_file import load_sweep
from dynamis.errors import UnphysicalWarning, WriteError
from dynamis.files import load_task
from dynamis.sweeps import (
    box,
    bracket,
    correlated,
    design_search,
    exceeds,
    grid,
    histogram,
    latin_hypercube,
    lattice,
    normal,
    pareto,
    quantile,
    samples,
    sobol,
    tolerance_bands,
    torque_map,
    triangular,
)

Calls = dict[str, Callable[[Any], Any]]
WRONG: list[Any] = [
    None, True, 0, -1, 2**70, 10**400, 0.5, nan, inf, 1e308, 1j, "", "x", b"x", [], [nan], ["x"], [[1, 2], [3]], {},
    {3: 3}, {"q": nan}, {"m1": [1, nan]}, {"q": [1, 2, 3]}, {"q": "limits"}, {"a": ("tool.x", nan)},
    {"count": ("tool.x", 3)}, object(), np.zeros(0), np.zeros((2, 2)), np.array("x"), lambda: 0, box(1),
]  # fmt: skip
COVARIANCE = [[0.01, 0], [0, 0.01]]


@pytest.fixture(scope="module")
def robot() -> dynamis.Robot:
    return dynamis.load("bar-2r")


def put(name: str, function: Callable[..., Any], *usual: Any) -> Calls:
    """One call for each argument, the others as usual."""
    return {
        f"{name} {k}": lambda w, k=k: function(*usual[:k], w, *usual[k + 1 :]) for k in range(len(usual))
    }  # fmt: skip


def named(function: Callable[..., Any], **usual: Any) -> Calls:
    return {f"{function.__name__} {key}": lambda w, key=key: function(**(usual | {key: w})) for key in usual}


def calls(robot: dynamis.Robot) -> Calls:
    """A call for every argument of everything public; sweeps are made as far as their folds."""
    x = sweep(robot, "gravity_torque", {"q": box(1)}, sobol(8))
    budget = load_task("two-bar-reach", robot).budget()
    brackets, plan = bracket(x, 0.0), torque_map(robot, draw=sobol(64))

    def swept(**changes: Any) -> Any:
        asked = {"robot": robot, "quantity": "gravity_torque", "over": {"q": box(1)}, "draw": sobol(8)} | changes
        return sweep(**asked).parts.folds

    def over(value: Any, key: Any = "q") -> Any:
        return swept(over={"q": value} if isinstance(key, str) and key == "q" else {"q.q2": box(1), key: value})

    def names(w: Any) -> Any:
        return over(correlated([1, 1], COVARIANCE), ("m1", w)) if w.__hash__ else None

    sequences = (sobol, lattice, latin_hypercube)
    return {
        **{f"sweep {key}": lambda w, key=key: swept(**{key: w})
           for key in ("robot", "quantity", "over", "draw", "by", "keep", "loads", "frame")},
        "quantities": lambda w: swept(quantity=["power", w]), "kept": lambda w: swept(keep=["max", w]),
        "axis": lambda w: swept(by={"a": w}),
        **put("axis", lambda *a: swept(by={"a": a}), "q.q1", 3, -1, 1),
        "position": over, "parameter": lambda w: over(w, "m1"), "names": names,
        "box": lambda w: over(box(w)), "boxes": lambda w: over(box([w, 0], [1, 1])),
        **put("box", lambda *a: over(box(*a)), -1, 1), **put("normal", lambda *a: over(normal(*a)), 0, 1),
        **put("triangular", lambda *a: over(triangular(*a)), 0, 1, 2),
        **put("correlated", lambda *a: over(correlated(*a), ("m1", "m2")), [1, 1], COVARIANCE),
        **{f"{draw.__name__} count": lambda w, draw=draw: swept(draw=draw(w)) for draw in (*sequences, grid)},
        **{f"{draw.__name__} seed": lambda w, draw=draw: swept(draw=draw(4, w)) for draw in sequences},
        **put("samples", lambda *a: swept(over={}, draw=samples(*a)), [[0, 1.0]], None),
        "exceeds": lambda w: swept(keep=[exceeds(w)]),
        **put("histogram", lambda *a: swept(keep=[histogram(*a)]), 3, -1, 1),
        **put("quantile", lambda *a: swept(keep=[quantile(*a)]), 0.5, 20),
        **put("pareto", lambda *a: swept(keep=[pareto(*a)]), "q1", "q2", 20),
        **put("values", x.values, 0, 3), "state": x.state, "report": x.report,
        **{f"run {key}": lambda w, key=key: x.run(**{key: w}) for key in ("client", "store", "threads", "progress")},
        "run kept": lambda w: x.run(kept=None if isinstance(w, str) else w),
        **named(bracket, swept=x, seconds=0.0, tolerance=0.01, sides="max"),
        **put("of", brackets.of, "q1", "max"),
        **named(design_search, robot=robot, quantity="gravity_torque", parameters={"L1": box(0.3, 0.9)},
                over={"q": box(1)}, aims="-peak q1", draw=sobol(8), trials=128, seed=0),
        **named(tolerance_bands, robot=robot, budget=budget, over={"m1": box(0.9, 1.1)}, draw=sobol(8),
                share=0.9),
        **named(torque_map, robot=robot, over=None, by=None, draw=sobol(8), loads=(), client=None),
        "layer": plan.layer, "at": lambda w: plan.at(x=w, y=0), "save": plan.save, "page": plan.page,
        **named(load_sweep, name="two-bar-gravity", robot=robot, payload=None, bracketed=False),
    }  # fmt: skip


def test_wrong_arguments_are_told_in_one_sentence(robot: dynamis.Robot) -> None:
    """Each of the wrong values is some argument's right one: what is accepted is not looked at here."""
    big = (2**70, 10**400)  # trials that would take long
    odd, refused = list[str](), dict[str, int]()
    for name, call in calls(robot).items():
        for wrong in WRONG[name.endswith("draw") :]:  # None is the usual draw, which takes long
            if name == "design_search trials" and isinstance(wrong, int) and wrong in big:
                continue
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    call(wrong)
            except DynamisError as error:
                refused[name] = refused.get(name, 0) + 1
                if "\n" in str(error) or len(str(error)) > 400:
                    odd.append(f"{name}: {error}")
            except Exception as error:
                odd.append(f"{name}: {type(error).__name__} for {wrong!r:.40}: {error}")
    assert not odd, odd[:10]
    assert min(refused.values()) > len(WRONG) / 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"over": {"q": [0, nan]}}, "must be a box, a distribution, a finite number or a list of 2, got [0, nan]"),
        ({"over": {"q": box(1), "m1": [1, inf]}}, 'over["m1"] must be a box, a distribution, a finite number or'),
        ({"over": {"q": box(1), "payload.mass": [1]}}, "has no payload, and no payload.mass: give it one first, with"),
        ({"over": {"q": box(1), "m1": box(-1, 1)}}, 'over takes m1 to -1: link "link1" has mass -1; a mass is >= 0'),
        ({"over": {"q": box(1), "m1": [0, 1, -2]}}, "over takes m1 to -2: link"),
        ({"over": {"q": box(1), "m1": -3}}, "over takes m1 to -3: link"),
        ({"over": {"q": box(1), "m1": normal(1, 0.5)}}, "over takes m1 to -0.20"),
        ({"over": {("m1", "m2"): correlated([1, 1], [[0.25, 0], [0, 0.01]])}}, "over takes m1 to -0.20"),
        ({"over": {}, "draw": samples({"q": [[0, 1], [1, 0]], "m1": [1, -2]})}, "over takes m1 to -2: link"),
        ({"over": {"q": correlated([0] * 3, np.eye(3))}}, "over has 2 values for a correlated distribution of 3"),
        ({"over": {"q": box(1), "q.q1": 0}}, '"q.q1" is swept twice'),
        ({"over": 3}, 'over must be a mapping such as {"q": box("limits")}, got 3'),
        ({"draw": 1000}, "draw must be sobol(n), grid(n), samples(...) or another draw, got 1000"),
        ({"draw": grid(10**15)}, "this grid has 1e+30 points; a sweep has at most 2^52 = 4.5e15"),
        ({"by": {"max": ("q.q1", 3)}}, '"max" is a name that results have already; give this axis of by another'),
        ({"by": {"bin2": ("q.q1", 3)}}, '"bin2" is a name that results have already'),
        ({"quantity": []}, "quantity must be a name or a list of names, got none"),
        ({"quantity": ["power", "power"]}, 'quantity "power" is named twice'),
        ({"keep": 3}, "keep must be a reduction or a list of reductions, got 3"),
        ({"robot": 3}, "robot must be a robot, such as dynamis.load(...) returns, got 3"),
    ],
)  # fmt: skip
def test_sentences(robot: dynamis.Robot, change: dict[str, Any], sentence: str) -> None:
    asked = {"robot": robot, "quantity": "gravity_torque", "over": {"q": box(1)}, "draw": sobol(64)} | change
    with pytest.raises(DynamisError) as error:
        sweep(**asked)
    assert sentence in str(error.value)


def test_ranges_that_are_no_bodys_are_warned_about() -> None:
    """As robots of the same numbers are; masses that are spread far from 0 are not."""
    ur5, q = dynamis.load("ur5"), {"q": box(1)}
    with pytest.warns(
        UnphysicalWarning, match=r"over takes forearm\.inertia\.xx to 1: .* breaks the triangle inequality"
    ):
        sweep(ur5, "gravity_torque", q | {"forearm.inertia.xx": box(0, 1)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        over = q | {"forearm.mass": normal(2.3, 0.4), "wrist_1.mass": box(0, 2), "d1": box(-1, 1)}
        sweep(ur5, "gravity_torque", over, sobol(1000))


def test_correlated_positions(robot: dynamis.Robot) -> None:
    covariance = [[0.5, 0.4], [0.4, 0.5]]
    for key in ("q", ("q.q1", "q.q2")):
        x = sweep(robot, "gravity_torque", {key: correlated([1, -1], covariance)}, sobol(4096), keep=["mean", "argmax"])
        q = x.values(0, 4096)
        np.testing.assert_allclose(np.cov(q.T), covariance, rtol=0.02)
        np.testing.assert_allclose(x.run()["mean"], robot.gravity_torque(q).mean(0), atol=1e-12)
        assert x.state(7)["q"].tolist() == q[7].tolist()
    first = sweep(robot, "gravity_torque", {"q": normal(0, 1)}, sobol(1000)).state(0)["q"]
    np.testing.assert_allclose(first, -3.2905, atol=1e-4)  # the quantile of 1/2000, not 8 standard deviations away
    both = {("q.q1", "q.q2"): correlated([0, 0], covariance)}
    assert torque_map(robot, both, draw=sobol(64)).sweep.ranges.groups
    mixed = sweep(robot, "gravity_torque", {("q.q2", "m1"): correlated([0, 1], [[0.5, 0.01], [0.01, 0.01]])}, sobol(64))
    assert mixed.state(3).keys() == {"q", "m1"}


def test_stores_and_files(robot: dynamis.Robot, tmp_path: Path) -> None:
    x = sweep(robot, "gravity_torque", {"q": box(1)}, sobol(8))
    for store in ("a.nc", "a.zarr"):
        with pytest.raises(WriteError, match=r'cannot be written: there is no folder ".*missing"'):
            x.run(store=tmp_path / "missing" / store)
    assert not list(tmp_path.iterdir())
    with pytest.raises(DynamisError, match="data must be what run of this sweep gives"):
        x.report(sweep(robot, "gravity_torque", {"q": box(2)}, sobol(8)).run())
