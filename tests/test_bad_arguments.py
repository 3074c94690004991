"""Arguments of the wrong kind, to everything that a robot is asked: one sentence each, never an error of Python's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.errors import ArgumentError, DynamisError, UnknownNameError
from dynamis.base.writing import check_path
from dynamis.bodies import exact_body
from dynamis.controllers import PD, controller
from dynamis.grading import check_answers
from dynamis.model.payload import payload_from
from dynamis.trajectories import quintic, sampled, spline, trapezoidal

ROBOT = dynamis.load("bar-2r")
HERE = [0.0, 0.0]
BUDGET = dynamis.torque_budget(ROBOT, quintic(HERE, [1.0, 1.0], 1.0), samples=5)
HUGE = 10**400
WRONG: list[Any] = [
    np.zeros(4), np.zeros((2, 2)), ["mass_matrix"], [], {}, {"a": 1}, None, 3, 2.5, b"tool",
    object(), "text",
]  # fmt: skip
ASKS: dict[str, Callable[[Any], Any]] = {
    "loads": lambda x: ROBOT.inverse_dynamics(HERE, loads=x),
    "loads of a function": lambda x: ROBOT.prepared("inverse_dynamics", loads=x),
    "a load": lambda x: ROBOT.inverse_dynamics(HERE, loads=[x]),
    "the link of a load": lambda x: ROBOT.inverse_dynamics(HERE, loads=[dynamis.Force(x, (0, 0, 1))]),
    "the axes of a load": lambda x: dynamis.Force("link1", (0, 0, 1), axes=x),
    "frame": lambda x: ROBOT.jacobian(HERE, frame=x),
    "frame of a function": lambda x: ROBOT.compile("jacobian", frame=x),
    "frame for CasADi": lambda x: ROBOT.casadi.function("jacobian", frame=x),
    "relative_to": lambda x: ROBOT.forward_kinematics(HERE, relative_to=x),
    "link": lambda x: ROBOT.com_jacobian(HERE, link=x),
    "convention": lambda x: ROBOT.reactions(HERE, convention=x),
    "gravity": lambda x: ROBOT.inverse_dynamics(HERE, gravity=x),
    "compile": lambda x: ROBOT.compile(x),
    "prepared": lambda x: ROBOT.prepared(x),
    "cost": lambda x: ROBOT.cost(x),
    "casadi": lambda x: ROBOT.casadi.function(x),
    "parameters": lambda x: ROBOT.compile("mass_matrix", parameters=x),
    "values": lambda x: ROBOT.with_values(x),
    "a value": lambda x: ROBOT.with_values(m2=x).mass_matrix(HERE),
    "payload": lambda x: ROBOT.with_payload(x).mass_matrix(HERE),
    "a robot to save": lambda x: dynamis.save(x, "arm.toml"),
    "a path": lambda x: dynamis.save(ROBOT, x),
    "a robot to load": lambda x: dynamis.load(x),
    "threads": lambda x: ROBOT.threads(x),
    "dtype": lambda x: ROBOT.compile("mass_matrix").ufunc(x),
    "ax": lambda x: BUDGET.plot(ax=x),
    "ax of a drawing": lambda x: ROBOT.plot(HERE, ax=x),
    "fig": lambda x: BUDGET.plot(fig=x),
    "fig of a drawing": lambda x: ROBOT.plot(HERE, fig=x),
    "plot": lambda x: BUDGET.plot(x),
    "table": lambda x: BUDGET.table(x),
    "format": lambda x: BUDGET.page(x),
    "width": lambda x: BUDGET.page(width=x),
    "table of a frame": lambda x: BUDGET.to_pandas(x),
    "path of a file": lambda x: check_path(x),
    "references": lambda x: ROBOT.references(x),
    "controller": lambda x: controller(x),
    "robot to lint": lambda x: dynamis.lint(x),
    "answer": lambda x: dynamis.check_answer(ROBOT, 3 if isinstance(x, str) else x),
    "answers": lambda x: check_answers(ROBOT, x),
    "body": lambda x: exact_body(x),
    "state of a batch": lambda x: ROBOT.reactions([HERE]).at(x),
}
NOTHING_WRONG = {
    "loads": ([],), "loads of a function": ([],), "relative_to": (None,), "parameters": ([],), "threads": (3,),
    "values": (None, {}), "a value": (3, 2.5), "payload": (3, 2.5),
    "ax": (None,), "ax of a drawing": (None,), "fig": (None,), "fig of a drawing": (None,), "format": ("text",),
    "width": (3,), "path of a file": ("text",), "answers": ({},),
}  # fmt: skip
"""What of the values above is right for some."""


@pytest.mark.parametrize("ask", ASKS)
def test_arguments_of_the_wrong_kind(ask: str) -> None:
    for value in WRONG:
        if any(type(value) is type(right) and value == right for right in NOTHING_WRONG.get(ask, ())):
            ASKS[ask](value)
            continue
        with pytest.raises(DynamisError) as caught:
            ASKS[ask](value)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("ask", "kind", "sentence"),
    [
        (lambda: ROBOT.jacobian(HERE, frame=np.zeros(2)), ArgumentError, "frame must be a name, got array([0., 0.])"),
        (lambda: ROBOT.com_pose(HERE, link=["a"]), ArgumentError, "link must be a name, got ['a']"),
        (lambda: ROBOT.compile(["a"]), UnknownNameError, "unknown quantity \"['a']\" (known: inverse_dynamics, "),
        (
            lambda: ROBOT.inverse_dynamics(HERE, loads=np.zeros(3)),
            ArgumentError,
            "loads must be a list of loads, got array([0., 0., 0.])",
        ),
        (
            lambda: ROBOT.with_values("m2=3"),
            ArgumentError,
            'values must be a mapping of parameters to values, got "m2=3"',
        ),
        (
            lambda: dynamis.save(ROBOT, np.zeros(2)),
            ArgumentError,
            "path must be the name of a file, got array([0., 0.])",
        ),
        (lambda: dynamis.save("bar-2r", "a.toml"), ArgumentError, 'robot must be a dynamis.Robot, got "bar-2r"'),
        (lambda: ROBOT.equations(numeric=np.ones(2)), ArgumentError, "numeric must be True or False, got array("),
        (
            lambda: dynamis.simulate(ROBOT, HERE, duration=0.1, control=lambda t: HERE),
            ArgumentError,
            "control must be a function of (t, q, qd), got one of (t)",
        ),
        (
            lambda: dynamis.simulate(ROBOT, HERE, duration=0.1, events=lambda q, qd: 1.0),
            ArgumentError,
            "events must be a function of (t, q, qd), got one of (q, qd)",
        ),
        (
            lambda: payload_from(1, inertia=[-1.0, 1.0, 1.0]),
            ArgumentError,
            "inertia of a payload must be that of a body, but it is not positive semi-definite",
        ),
    ],
    ids=range(11),
)
def test_sentences(ask: Callable[[], Any], kind: type[DynamisError], sentence: str) -> None:
    with pytest.raises(kind) as caught:
        ask()
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: ROBOT.inverse_dynamics([HUGE, 0]),
        lambda: ROBOT.inverse_dynamics(HERE, [HUGE, 0]),
        lambda: ROBOT.inverse_dynamics(HERE, HERE, [[HUGE, 0]] * 3),
        lambda: ROBOT.threads(2).mass_matrix([HUGE, 0]),
        lambda: ROBOT.inverse_dynamics(HERE, gravity=[HUGE, 0, 0]),
        lambda: ROBOT.compile("mass_matrix", ["m2"])(HERE, [HUGE]),
        lambda: dynamis.simulate(ROBOT, [HUGE, 0], duration=1),
        lambda: dynamis.simulate(ROBOT, HERE, [HUGE, 0], duration=1),
        lambda: dynamis.simulate(ROBOT, HERE, control=PD(1, 1), goal=[HUGE, 0], duration=1),
        lambda: dynamis.simulate(ROBOT, HERE, control=PD([HUGE, 1], 1), goal=HERE, duration=1),
        lambda: dynamis.rollouts(ROBOT, [[HUGE, 0]], duration=1, step=0.01),
        lambda: quintic([HUGE, 0], HERE, 1),
        lambda: trapezoidal(HERE, [1, 1], velocity=HUGE, acceleration=1),
        lambda: spline([[0, 0], [HUGE, 0], [1, 1]], [0, 1, 2]),
        lambda: sampled([0, 1, 2], [[0, 0], [HUGE, 0], [1, 1]]),
        lambda: dynamis.inverse_kinematics(ROBOT, [HUGE, 0, 0]),
        lambda: dynamis.torque_budget(ROBOT, quintic(HERE, [1, 1], 1.0), times=[0, HUGE]),
    ],
    ids=range(17),
)
def test_integers_of_four_hundred_digits(ask: Callable[[], Any]) -> None:
    with pytest.raises(DynamisError) as caught:
        ask()
    assert len(str(caught.value)) < 300


def test_axes_in_space_are_refused_and_rows_of_M_are_named() -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    try:
        with pytest.raises(ArgumentError, match="ax must be plane Axes"):
            ROBOT.plot(HERE, ax=plt.figure().add_subplot(projection="3d"))
    finally:
        plt.close("all")
    M = ROBOT.equations().M
    for index in (0, "x", None, (0, "x"), (0, 2), (0, 0, 0), (True, [0])):
        with pytest.raises(IndexError, match=r"M is 2 x 2; it has no entry .*, and its rows are M.rows\(\)"):
            M[index]  # type: ignore[index]
    assert list(M) == M.rows()


def test_lazy_results_say_that_they_are() -> None:
    q = pytest.importorskip("dask.array").zeros((3, 2))
    for result in (ROBOT.reactions(q), ROBOT.recursion(q), ROBOT.torque_components(q), ROBOT.link_motions(q)):
        for text in (str(result), result._repr_html_(), result.to_json()):
            assert "the values are lazy (Dask) and are not computed here" in text
        with pytest.raises(ArgumentError, match="this result has no table"):
            result.to_pandas()
