"""What a reviewer broke once."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis import ArgumentError, Inertia, Joint, Link, Robot
from dynamis.backends.llvm import cache
from dynamis.backends.tiers import STATES_PER_SPLIT


def states(count: int, n: int = 6) -> list[np.ndarray]:
    return list(np.random.default_rng(3).uniform(-1, 1, (3, count, n)))


def test_pruning_leaves_files_that_are_not_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNAMIS_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "_LIMIT", 100)
    thesis = tmp_path / "thesis.pdf"
    thesis.write_bytes(b"x" * 1000)
    os.utime(thesis, (0, 0))
    (tmp_path / ("a" * 64)).write_bytes(b"x" * 1000)
    cache.write("b" * 64, b"y" * 10)
    assert thesis.exists()
    assert not (tmp_path / ("a" * 64)).exists()
    assert cache.read("b" * 64) == b"y" * 10


def test_an_entry_that_is_no_object_file_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNAMIS_CACHE", str(tmp_path))
    q, qd, qdd = states(3)
    usual = dynamis.load("ur5").compile("inverse_dynamics")(q, qd, qdd)
    (entry,) = tmp_path.iterdir()
    cache.write(entry.name, b"no code at all")
    np.testing.assert_array_equal(dynamis.load("ur5").compile("inverse_dynamics")(q, qd, qdd), usual)
    assert cache.read(entry.name) != b"no code at all"


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e6, -1e300])
def test_a_state_does_not_change_with_its_neighbours(bad: float) -> None:
    f = dynamis.load("ur5").compile("inverse_dynamics")
    q, qd, qdd = states(40)
    usual = f(q, qd, qdd)
    q[17, 2] = bad
    others = np.arange(40) != 17
    np.testing.assert_array_equal(f(q, qd, qdd)[others], usual[others])


def _split_in_a_child(results: multiprocessing.Queue[float]) -> None:
    q, qd, qdd = states(STATES_PER_SPLIT + 1)
    results.put(float(dynamis.load("ur5").threads(2).inverse_dynamics(q, qd, qdd).sum()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_threads_after_a_fork() -> None:
    q, qd, qdd = states(STATES_PER_SPLIT + 1)
    expected = float(dynamis.load("ur5").threads(2).inverse_dynamics(q, qd, qdd).sum())
    context = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[float] = context.Queue()
    child = context.Process(target=_split_in_a_child, args=(results,))
    child.start()
    assert results.get(timeout=60) == expected
    child.join(60)
    assert child.exitcode == 0


def test_the_longest_name_of_a_link_owns_a_parameter() -> None:
    body = Inertia.of(xx=1, yy=1, zz=1)
    links = (Link("a", Joint("q1"), mass=1, inertia=body), Link("a.b", Joint("q2"), "a", 2, (1, 0, 0), body))
    f = Robot("dotted", links).compile("mass_matrix", parameters=["a.b.mass"])
    np.testing.assert_allclose(f([0.0, 0.0], [3.0])[1, 1], 4.0)


def test_a_function_can_be_sent_to_another_process() -> None:
    f = dynamis.load("ur5").compile("inverse_dynamics")
    q, qd, qdd = states(3)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(f))(q, qd, qdd), f(q, qd, qdd))


def test_functions_in_dead_cycles_are_collected() -> None:
    q, qd, qdd = (x[0] for x in states(1))
    for _ in range(20):
        robot = dynamis.load("bar-2r")
        single = robot.compile("mass_matrix").call_one_state
        cycle: list[object] = [single, robot]
        cycle.append(cycle)
        del robot, cycle
        gc.collect()
        assert single(np.zeros(2)).shape == (2, 2)
    assert dynamis.load("ur5").inverse_dynamics(q, qd, qdd).shape == (6,)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda r: r.casadi.com_jacobian, "com_jacobian needs a link; give it as link=..."),
        (lambda r: r.compile("mass_matrix", parameters=None), "parameters must be a list of names, got None"),
        (
            lambda r: r.compile("mass_matrix").ufunc("int32"),
            'unknown dtype "int32"; did you mean "float32"? (known: float64, float32)',
        ),
        (lambda r: r.compile("mass_matrix")(np.zeros(2), threads=0), "threads must be a positive integer, got 0"),
        (
            lambda r: r.compile("mass_matrix", parameters=["m2"])(np.zeros((50, 2)), np.ones((7, 1))),
            "q and parameters have shapes (50, 2), (7, 1), which do not fit together",
        ),
    ],
    ids=range(5),
)
def test_wrong_calls(ask: object, sentence: str) -> None:
    with pytest.raises(dynamis.DynamisError) as caught:
        ask(dynamis.load("bar-2r"))  # type: ignore[operator]
    assert str(caught.value) == sentence


def test_wrong_out() -> None:
    with pytest.raises(ArgumentError, match=r"^mass_matrix: (?!mass_matrix)"):
        dynamis.load("bar-2r").mass_matrix(np.zeros(2), out=np.zeros(3))
