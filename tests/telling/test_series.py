"""CSV files: no head is a formula to a spreadsheet."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis.telling.series import text_cell, write_csv
from dynamis.trajectories import quintic

FORMULAS = ["=cmd|' /C calc'!A0", "+1", "-q1", "@sum", "\t=1", "\r=1", "＝1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_like_a_formula_is_a_text(text: str, tmp_path: Path) -> None:
    assert text_cell(text) == f"'{text}"
    write_csv(tmp_path / "x.csv", {"t [s]": np.array([-1.0]), text: np.array([-2.0])})
    with (tmp_path / "x.csv").open(newline="") as file:
        head, row = csv.reader(file)
    assert head == ["t [s]", f"'{text}"]
    assert row == ["-1.0", "-2.0"]


def test_names_of_links_and_joints_in_the_files_of_a_run(tmp_path: Path) -> None:
    robot = dynamis.load("bar-2r")
    links = [
        replace(link, name=f"={link.name}", parent=link.parent if k == 0 else f"={link.parent}",
                joint=replace(link.joint, name=f"@{link.joint.name}"))
        for k, link in enumerate(robot.links)
    ]  # fmt: skip
    hostile = replace(robot, links=tuple(links), tool=None)
    path = quintic([0, 0], [1, 1], 1.0)
    dynamis.torque_budget(hostile, path, samples=11).to_csv(tmp_path / "budget.csv")
    dynamis.simulate(hostile, [0.1, 0.2], duration=0.01).to_csv(tmp_path / "run.csv")
    for name in ("budget.csv", "run.csv"):
        with (tmp_path / name).open(newline="") as file:
            head = next(csv.reader(file))
        assert not [cell for cell in head if cell.startswith(("=", "@", "+", "-"))]
