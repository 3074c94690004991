"""Trajectories from samples: what is met, how it is said, files and their faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamis.base.errors import DynamisError
from dynamis.motion.trajectories.sampled import sampled, sampled_file

T = np.linspace(0, 2, 201)
Q = np.stack([np.sin(T), np.cos(2 * T)], axis=1)
QD = np.stack([np.cos(T), -2 * np.sin(2 * T)], axis=1)
QDD = np.stack([-np.sin(T), -4 * np.cos(2 * T)], axis=1)


@pytest.mark.parametrize(
    ("given_", "tolerance"), [(1, (1e-8, 1e-6, 3e-4)), (2, (1e-8, 1e-6, 1e-3)), (3, (1e-13, 1e-11, 2e-9))]
)
def test_derivatives_converge(given_: int, tolerance: tuple[float, ...]) -> None:
    moving = sampled(T, *[Q, QD, QDD][:given_])
    t = np.linspace(0, 2, 1234)
    exact = (
        np.stack([np.sin(t), np.cos(2 * t)], 1), np.stack([np.cos(t), -2 * np.sin(2 * t)], 1),
        np.stack([-np.sin(t), -4 * np.cos(2 * t)], 1),
    )  # fmt: skip
    for found, wanted, near in zip(moving.at(t), exact, tolerance, strict=True):
        assert np.abs(found - wanted).max() < near
    assert "sampled" in moving.differentiation


@given(seed=st.integers(0, 10**6), how=st.integers(1, 3))
def test_samples_are_met(seed: int, how: int) -> None:
    rng = np.random.default_rng(seed)
    t = np.cumsum(rng.uniform(0.05, 1, int(rng.integers(2, 30))))
    values = rng.uniform(-1, 1, (3, t.size, 2))
    moving = sampled(t, *values[:how])
    found = moving.at(t - t[0])
    assert (found[0] == values[0]).all()
    for k in range(1, how):
        assert np.abs(found[k][:-1] - values[k][:-1]).max() < 1e-9
        assert (found[k][[0, -1]] == values[k][[0, -1]]).all()


def test_files(tmp_path: Path) -> None:
    wanted = sampled(T, Q, QD, QDD).at(T)
    names = "t,q1,q2,qd1,qd2,qdd1,qdd2"
    np.savetxt(
        tmp_path / "a.csv", np.column_stack([T, Q, QD, QDD]), delimiter=",", header=names, comments="", fmt="%.17g"
    )
    np.savez(tmp_path / "a.npz", t=T, q=Q, qd=QD, qdd=QDD)
    for name in ("a.csv", "a.npz"):
        for a, b in zip(sampled_file(tmp_path / name).at(T), wanted, strict=True):
            assert (a == b).all()
    np.save(tmp_path / "b.npy", np.column_stack([T, Q]))
    np.savetxt(tmp_path / "b.csv", np.column_stack([T, Q]), delimiter=",", fmt="%.17g")
    wanted = sampled(T, Q).at(T)
    for name in ("b.csv", "b.npy"):
        for a, b in zip(sampled_file(tmp_path / name).at(T), wanted, strict=True):
            assert (a == b).all()


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("x.csv", "", "x.csv: the file is empty; it has a line t, q1, ... and a line for every sample"),
        ("x.csv", "t,q1\n0,1\n1\n", "x.csv:3: the line has 1 values; the others have 2"),
        ("x.csv", "t,q1\n0,1\n1,a\n", 'x.csv:3: "a" is not a number'),
        (
            "x.csv",
            "t;q1\n0;1\n",
            'x.csv:2: "0;1" is not a number; values are separated by commas, and decimals have a point',
        ),
        ("x.csv", "t,q1,x\n0,1,2\n1,2,3\n", 'x.csv: unknown column "x"; columns are t, q1 ..., qd1 ..., qdd1 ...'),
        ("x.csv", "t,q2\n0,1\n1,2\n", "x.csv: there is no column q1; the columns are t, q2"),
        ("x.csv", "time,q1\n0,1\n1,2\n", "x.csv: the columns are time, q1; one is t, the time [s]"),
        ("x.csv", "0,1\n0,2\n", "x.csv:2: t is 0 s, after 0 s on the line before; times increase"),
        ("x.csv", "t,q1\n0,1\n\n0.2,2\n0.1,3\n", "x.csv:5: t is 0.1 s, after 0.2 s on the line before; times increase"),
        ("x.csv", "t,q1\n0,1\nnan,2\n", "x.csv: time 2 is nan; times are finite numbers [s]"),
        ("x.npy", "nonsense", "x.npy: NumPy cannot read the file as an array of numbers"),
        ("x.dat", "1", 'x.dat: ".dat" is not a format of samples; give a .csv, .npy or .npz file'),
    ],
)
def test_faults_of_files(tmp_path: Path, name: str, text: str, sentence: str, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    with pytest.raises(DynamisError) as caught:
        sampled_file(name)
    assert str(caught.value) == sentence


def test_no_pickles(tmp_path: Path) -> None:
    np.save(tmp_path / "p.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(DynamisError, match="cannot read"):
        sampled_file(tmp_path / "p.npy")
