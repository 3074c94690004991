"""Robots with other inertial parameters: the way back from `inertial_parameters`, and errors of all masses."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.base.errors import ArgumentError, ModelError, UnphysicalWarning
from dynamis.errors import MissingMassError
from tests.support.closeness import close
from tests.support.strategies import Case, robots


@settings(max_examples=30)
@given(robots())
def test_the_way_back(case: Case) -> None:
    """The robot that is made from pi has pi, and the same torques and mass matrix."""
    robot = case.robot()
    pi = robot.inertial_parameters()
    again = robot.with_inertial_parameters(pi)
    assert again is not robot
    close(again.inertial_parameters(), pi, scale=1 + np.abs(pi).max())
    state = case.q, case.qd, case.qdd
    tau = robot.inverse_dynamics(*state)
    close(again.inverse_dynamics(*state), tau, scale=1 + np.abs(tau).max(initial=0))
    M = robot.mass_matrix(case.q)
    close(again.mass_matrix(case.q), M, scale=1 + np.abs(M).max(initial=0))


def test_parameters_of_another_robot() -> None:
    """tau = Y pi with the regressor of the geometry and the new pi; rotors and friction stay."""
    robot, rng = dynamis.load("puma560"), np.random.default_rng(3)
    pi = robot.inertial_parameters() * rng.uniform(0.9, 1.1, 60)
    state = rng.uniform(-1, 1, (3, 6))
    drives = robot.inverse_dynamics(*state) - robot.regressor(*state) @ robot.inertial_parameters()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnphysicalWarning)
        changed = robot.with_inertial_parameters(pi)
    close(changed.inverse_dynamics(*state), robot.regressor(*state) @ pi + drives)


@pytest.mark.parametrize("name", ["planar-elbow", "genova-2r", "stanford", "bar-2r"])
def test_planar_links_with_one_moment_stay_without_warning(name: str) -> None:
    robot = dynamis.load(name)
    robot = robot.with_values(dict.fromkeys(robot.missing_values, 0.5))
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnphysicalWarning)
        again = robot.with_inertial_parameters(robot.inertial_parameters())
    close(again.inertial_parameters(), robot.inertial_parameters())


def test_what_no_body_has() -> None:
    arm = Robot("arm", (Link("arm", Joint("q1"), mass=1, com=(1, 0, 0), inertia=Inertia.of(xx=1, yy=1, zz=1)),))
    with pytest.warns(UnphysicalWarning, match="triangle"):
        arm.with_inertial_parameters([1, 1, 0, 0, 1, 2, 9, 0, 0, 0])
    with pytest.raises(ModelError, match="mass -1"):
        arm.with_inertial_parameters([-1, 0, 0, 0, 1, 1, 1, 0, 0, 0])
    with pytest.raises(ArgumentError, match=re.escape('link "arm" has first moments [1.0, 0.0, 0.0] but mass 0')):
        arm.with_inertial_parameters([0, 1, 0, 0, 1, 1, 1, 0, 0, 0])
    massless = arm.with_inertial_parameters(np.zeros(10))
    assert not massless.inertial_parameters().any()


@pytest.mark.parametrize(
    ("parameters", "got"),
    [
        (np.zeros(19), "an array of shape (19,)"),
        (np.zeros((2, 10)), "an array of shape (2, 10)"),
        (["a"] * 20, "got ["),
        ([np.nan] * 20, "got ["),
        (None, "got None"),
        ("m", 'got "m"'),
    ],
)
def test_lengths_and_values_are_checked(parameters: Any, got: str) -> None:
    arm = dynamis.load("bar-2r")
    sentence = 'parameters must be 20 finite numbers, ten per link of robot "bar-2r"'
    with pytest.raises(ArgumentError, match=re.escape(sentence)) as error:
        arm.with_inertial_parameters(parameters)
    assert got in str(error.value)
    assert error.value.key == "parameters"


def test_parameters_that_are_all_zero_are_missing_masses() -> None:
    arm = dynamis.load("bar-2r")
    empty = arm.with_inertial_parameters(0 * arm.inertial_parameters())
    for verb in (empty.inverse_dynamics, empty.mass_matrix, empty.gravity_torque):
        with pytest.raises(MissingMassError, match="no link that moves has a mass"):
            verb([0.1, 0.2])
