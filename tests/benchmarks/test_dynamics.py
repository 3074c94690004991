"""The benchmark of dynamics checks before it times and says what is missing; its times are nobody's test."""

from __future__ import annotations

import builtins
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.__main__ import app
from benchmarks.dynamics import counts, length, mujoco_peer, pinocchio_peer, rows, run, toolbox_peer, width
from benchmarks.dynamics.competitor import Competitor, MissingError, batched, error_of
from benchmarks.dynamics.limits import limit, operations_of
from benchmarks.dynamics.report import print_benchmark
from benchmarks.dynamics.rows import Pace, measure
from benchmarks.dynamics.run import Benchmark
from benchmarks.dynamics.subject import QUANTITIES, Subject, robot_named
from benchmarks.dynamics.targets import targets
from benchmarks.dynamics.timing import medians, turn_of
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.cli import main
from tests.support.forked import forked

ROOT = Path(__file__).parents[2]
TINY = Pace(batch=20, rounds=2, turn=1e-4, threads=2)


def subject(quantity: str = "inverse_dynamics", robot: str = "bar-2r") -> Subject:
    return Subject.of(robot_named(robot), quantity, TINY.batch)


def right(of: Subject, threads: int) -> list[Competitor]:
    return [batched("right peer", of.results)]


def wrong(of: Subject, threads: int) -> list[Competitor]:
    return [batched("wrong peer", lambda count: tuple(1.001 * x for x in of.results(count)))]


def absent(of: Subject, threads: int) -> list[Competitor]:
    raise MissingError("Absent is not installed (pip install absent)")


def broken(of: Subject, threads: int) -> list[Competitor]:
    raise RuntimeError("its own\ntrouble")


def test_a_wrong_peer_is_reported_and_not_timed():
    row = measure(subject(), TINY, {"right": right, "wrong": wrong})
    assert "right peer" in row.cells
    assert "wrong peer" not in row.cells
    (note,) = row.notes
    assert note == (
        "wrong peer differs from dynamis in inverse_dynamics of bar-2r: relative error 1.0e-03, more than 1e-08; "
        "it is not timed"
    )


def test_what_is_missing_or_fails_is_said_and_the_rest_goes_on():
    row = measure(subject(), TINY, {"absent": absent, "broken": broken, "right": right})
    assert row.notes == [
        "Absent is not installed (pip install absent)",
        "broken fails in inverse_dynamics of bar-2r: its own trouble",
    ]
    assert set(row.cells) == {"dynamis", "dynamis float32", "dynamis one call", "right peer"}  # too few for two threads


def test_a_wrong_dynamis_is_not_timed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Subject, "plain_results", lambda self, count: tuple(2 * x for x in self.results(count)))
    row = measure(subject(), TINY, {})
    assert not row.cells
    assert "differs from its plain path" in row.notes[0]


@pytest.mark.parametrize(
    "peer", [pinocchio_peer, mujoco_peer, toolbox_peer], ids=lambda module: module.__name__.split(".")[-1]
)
def test_a_library_that_is_not_installed_is_named(peer: Any, monkeypatch: pytest.MonkeyPatch):
    def not_there(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("benchmarks.dynamics.competitor.import_module", not_there)
    with pytest.raises(MissingError, match=r"is not installed \(pip install"):
        peer.competitors(subject(), 1)


@pytest.mark.parametrize("quantity", [q for q in QUANTITIES if q != "operational_inertia"])
def test_pinocchio_agrees(quantity: str):
    pytest.importorskip("pinocchio")
    row = measure(subject(quantity, "chain-3"), TINY, {"Pinocchio": pinocchio_peer.competitors})
    assert not row.notes
    assert row.cells["Pinocchio call"].error < 1e-11
    assert ("Pinocchio batch" in row.cells) <= (quantity in pinocchio_peer.PARALLEL)


def test_the_toolbox_agrees_in_both_conventions():
    pytest.importorskip("roboticstoolbox")
    for robot in ("ur5", "chain-3"):
        row = measure(subject("inverse_dynamics", robot), TINY, {"Toolbox": toolbox_peer.competitors})
        assert not row.notes
        assert row.cells["Toolbox call"].error < 1e-11


def test_rotors_are_in_the_peers():
    pytest.importorskip("pinocchio")
    row = measure(subject("mass_matrix", "puma560"), TINY, {"Pinocchio": pinocchio_peer.competitors})
    assert row.cells["Pinocchio call"].error < 1e-11


def test_errors_are_relative_and_see_what_is_not_finite():
    a = np.array([[100.0, 1.0]])
    assert error_of([a + 1], [a]) == pytest.approx(0.01)
    assert error_of([a[:, :1]], [a]) == float("inf")
    assert error_of([a * np.nan], [a]) == float("inf")


def test_turns_are_interleaved():
    order: list[str] = []
    medians([lambda: order.append("a"), lambda: order.append("b")], 2)
    assert order == ["a", "b"] * 3


def test_a_turn_is_a_part_of_the_batch_or_the_batch_again():
    seen: list[int] = []
    turn, states = turn_of(seen.append, 10, 1e-4, splits=False)
    seen.clear()
    turn()
    assert set(seen) == {10}
    assert sum(seen) == states


def test_who_cannot_do_a_part_is_counted_with_the_whole():
    turn, states = turn_of(lambda count: None, 1000, 0.0, splits=False, least=1000)
    turn()
    assert states == 1000


def test_the_limit_is_what_bytes_and_operations_take():
    of = subject("inverse_dynamics", "ur5")
    found = limit(of, 2)
    assert found.bytes == 192
    assert found.operations == operations_of(of) > 300
    assert found.ns == max(found.memory_ns, found.arithmetic_ns) > 0


def test_every_width_and_form_gives_the_same():
    found = [x["row"] for x in width.rows(["bar-2r"], 20, 1) if "row" in x]
    assert {row["dtype"] for row in found} == {"float64", "float32"}
    assert all(set(row["ns"]) == {"2", "4", "8", "16"} for row in found)


def test_bytecode_beside_machine_code(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DYNAMIS_CACHE", "")
    (first, second) = (x["row"] for x in length.rows([2], 20, 1) if "row" in x)
    assert (first["quantity"], second["quantity"]) == ("inverse_dynamics", "mass_matrix")
    assert first["machine_ns"] > 0 < first["bytecode_ns"]


def test_the_full_puma_has_no_zero():
    robot = counts.full_puma()
    assert robot.cost("inverse_dynamics").signs == 0
    assert all(entry != 0 for link in robot.links for entry in link.com)
    ours = {row["variant"]: row["multiplications"] + row["additions"] for row in counts.rows()}
    assert ours["as it ships"] < ours["full inertias"]


def test_targets_say_what_was_reached():
    cells = {"dynamis": 10.0, "dynamis float32": 5.0, "Pinocchio batch": 299.0, "CasADi C": 60.0}
    row = {
        "robot": "ur5",
        "joints": 6,
        "quantity": "inverse_dynamics",
        "cells": {k: {"ns": x} for k, x in cells.items()},
        "limit": {"ns": 8.5},
    }
    found = {target.what: target.reached for target in targets([row])}
    assert found == {"limit": True, "Pinocchio batch": False, "CasADi C": True, "float32": True}
    assert not targets([row | {"limit": {"ns": 7.9}}])[0].reached


def test_a_worker_that_dies_is_said():
    with pytest.raises(run.WorkerError, match=r"the benchmark of nothing ended with code 1: .*KeyError"):
        list(run.findings({"task": "nothing"}))


def test_names_are_checked():
    with pytest.raises(UnknownNameError, match="ur5"):
        robot_named("ur6")
    with pytest.raises(ArgumentError, match=r"too few for .* 6 rows"):
        subject("operational_inertia")


def test_the_tables_print(capsys: pytest.CaptureFixture[str]):
    found = Benchmark({"cpu": "X", "llvm_cpu": "x", "cores": 2, "vector_bits": 256, "system": "S", "python": "3",
                       "compiler": None, "versions": {"dynamis": "0", "jax": None}})  # fmt: skip
    row = measure(subject("inverse_dynamics", "ur5"), TINY, {"right": right, "absent": absent}).as_json()
    found.take({"row": row}, lambda text: None)
    print_benchmark(found)
    text = capsys.readouterr().out
    assert "limit of inverse_dynamics: 192 bytes" in text
    assert "Absent is not installed" in text
    assert "NOT reached" in text or "reached" in text


def test_json_from_the_command_line(tmp_path: Path):
    words = ["--robots", "bar-2r", "--quantities", "gravity_torque", "--batch", "50", "--quick", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *words], capture_output=True, text=True, check=True, cwd=ROOT
    )
    found = json.loads(done.stdout)
    assert found["machine"]["cores"] >= 1
    assert found["rows"][0]["cells"]["dynamis"]["ns"] > 0
    assert isinstance(found["notes"], builtins.list)


@pytest.mark.parametrize("words", [["--robots", "ur6"], ["--quantities", "inverse"], ["dinamics"]])
def test_bad_names_are_one_sentence(words: list[str]):
    command = [sys.executable, "-m", "benchmarks", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert done.stderr.startswith("error: unknown")
    assert "did you mean" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="needs fork")
def test_ctrl_c_keeps_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def findings(task: dict[str, Any]) -> Any:
        yield {"row": {"robot": task.get("robot", "")}} if task["task"] == "dynamics" else {"machine": {}}
        if task["task"] == "dynamics":
            os.kill(os.getpid(), signal.SIGINT)
            yield {}

    monkeypatch.setattr("benchmarks.dynamics.run.findings", findings)
    monkeypatch.setattr("benchmarks.dynamics.report.print_benchmark", lambda found: print(found.rows))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "dynamics", "--robots", "ur5,panda"])
    done = forked(lambda: main.run(app))
    assert done.out == "[{'robot': 'ur5'}]\n"
    assert done.err == "interrupted: 1 rows were measured before and are printed; no file was written\n"
    assert done.code == 130


def test_all_peers_are_named_in_one_place():
    assert set(rows.ALL) == {"Pinocchio", "MuJoCo", "Toolbox", "CasADi", "JAX"}
