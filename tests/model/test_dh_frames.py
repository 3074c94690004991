"""The table of D-H parameters gives back the frames that it was read from."""

import numpy as np
import pytest

import dynamis
from dynamis.base.expressions.parser import as_expression, parse
from dynamis.model.dh_frames import dh_convention, dh_parameters
from dynamis.scalars.floats import number

ROBOTS = [name for name in dynamis.robots() if dh_convention(dynamis.load(name))]


def turn(axis: int, angle: float) -> np.ndarray:
    cosine, sine = np.cos(angle), np.sin(angle)
    matrix = np.eye(4)
    first, second = (1, 2) if axis == 0 else (0, 1)
    matrix[[first, second, first, second], [first, second, second, first]] = cosine, cosine, -sine, sine
    return matrix


def shift(axis: int, length: float) -> np.ndarray:
    matrix = np.eye(4)
    matrix[axis, 3] = length
    return matrix


@pytest.mark.parametrize("name", ROBOTS)
def test_the_table_gives_the_frames(name: str):
    robot = dynamis.load(name)
    rng = np.random.default_rng(3)
    lengths = {parameter: rng.uniform(0.1, 1) for parameter in robot.missing_values}
    robot = robot.with_values(**lengths) if lengths else robot
    q = rng.uniform(-1, 1, robot.n)
    names = [coordinate.name for coordinate in robot.coordinates]
    values = {**robot.values, **dict(zip(names, map(as_expression, q), strict=True))}
    frame = np.eye(4)
    for link in robot.links:
        texts = dh_parameters(link.joint)
        theta, d, a, alpha = (number(parse(texts[k]), values) for k in ("theta", "d", "a", "alpha"))
        along_z, along_x = shift(2, d) @ turn(2, theta), shift(0, a) @ turn(0, alpha)
        frame = frame @ (along_x @ along_z if dh_convention(robot) == "modified" else along_z @ along_x)
        assert np.allclose(frame, robot.forward_kinematics(q, link.name), atol=1e-12)
