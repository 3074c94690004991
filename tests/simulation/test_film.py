"""Films: any motion of a robot as a player in a notebook, and as a file."""

from __future__ import annotations

import html
import json
import re

import numpy as np
import pytest

import dynamis
from dynamis.compute.mechanics.coupling import joint_positions
from dynamis.errors import ArgumentError
from dynamis.trajectories import quintic

ARM = dynamis.load("bar-2r")


def played(film) -> dict:
    """The data of the player in a cell."""
    (page,) = re.findall(r'<iframe srcdoc="([^"]*)"', film._repr_html_())
    page = html.unescape(page)
    assert page == film.html()
    assert "http://" not in page.replace("http://www.w3.org", "")
    (data,) = re.findall(r"^.*?(\{\"name\":.*\})[;<]?.*$", page, re.MULTILINE)
    return json.loads(data[: data.rindex("}") + 1])


def test_trajectories_paths_poses_and_simulations_are_filmed(tmp_path):
    swing = quintic([0, 0], [1, 2], 1.0)
    data = played(dynamis.film(ARM, swing))
    assert data["q"][-1] == pytest.approx([1, 2], abs=1e-5)
    middle = len(data["times"]) // 2
    assert data["q"][middle] == pytest.approx(swing.at(data["times"][middle])[0], abs=1e-4)
    path = played(dynamis.film(ARM, [[0, 0], [1, 0], [1, 1]], duration=4, fps=10))
    assert path["times"][-1] == 4
    assert path["q"][len(path["q"]) // 2] == pytest.approx([1, 0], abs=1e-5)
    assert played(dynamis.film(ARM, [0.3, 0.4]))["q"] == [[0.3, 0.4]]
    run = dynamis.simulate(ARM, q0=[0.1, 0.2], duration=0.1)
    assert played(dynamis.film(run))["q"][0] == pytest.approx([0.1, 0.2])
    dynamis.film(ARM, swing, speed=2).save(tmp_path / "swing.html")
    assert "<html" in (tmp_path / "swing.html").read_text(encoding="utf-8")


def test_coupled_joints_are_filmed():
    robot = dynamis.load("parallelogram")
    data = played(dynamis.film(robot, [1.2, -0.9]))
    assert data["q"][0] == pytest.approx(joint_positions(robot, np.array([1.2, -0.9])), abs=1e-5)
    # The rod (link 3) and the forearm (link 4) both reach the joint that closes the loop, the last point.
    points = np.array(data["points"][0]).reshape(-1, 3) * data["unit"]
    last = len(points) - 1
    assert [3, last] in data["figure"]["segments"]
    assert [4, last] in data["figure"]["segments"]
    assert np.linalg.norm(points[last] - points[3]) == pytest.approx(0.45, abs=1e-3)
    assert np.linalg.norm(points[last] - points[4]) == pytest.approx(0.15, abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((ARM,), "film needs a motion"),
        ((ARM, quintic([0], [1], 1.0)), 'the motion has 1 joint, robot "bar-2r" has 2'),
        ((ARM, [[[0, 0]]]), "motion must be one pose"),
        ((ARM, [np.nan, 0]), "motion must be one pose"),
        ((3, [0, 0]), "robot must be a robot"),
    ],
)
def test_what_cannot_be_filmed_ends_in_one_sentence(arguments, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        dynamis.film(*arguments)
