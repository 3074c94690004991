"""Commands of a reading, as they are typed after `dynamis`, and their results.

A reading says what it shows by the command that a reader would type. Here are the few verbs and options that the
readings use; tests compare each result with that of the command line.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dynamis.document.result import Result
from dynamis.errors import UnknownNameError
from dynamis.library import load
from dynamis.robot import Robot
from dynamis.single_states.exercises import shipped_exercise

Options = dict[str, list[str]]
"""The values of each option, in order; a flag has none."""
FLAGS = ("steps", "spatial", "words", "reactions", "compare-gravity", "no-gravity", "design")


def result_of(command: str) -> Result:
    """The result of a command such as `derive deluca-2r --only "M[1,1]"`."""
    verb, *words = shlex.split(command)
    if verb not in VERBS:
        raise UnknownNameError("verb", verb, VERBS)
    names: list[str] = []
    options: Options = {}
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            name = word.removeprefix("--")
            options.setdefault(name, []).extend([] if name in FLAGS else [next(rest)])
        else:
            names.append(word)
    return VERBS[verb](options, *names)


def _robot(name: str, options: Options) -> Robot:
    return load(name).with_values(dict(_values(options)))


def _values(options: Options) -> list[tuple[str, str]]:
    """The NAME=VALUE of --set."""
    parts = (text.partition("=") for text in options.get("set", []))
    return [(name.strip(), value.strip()) for name, _, value in parts]


def _derive(options: Options, name: str) -> Result:
    from dynamis.derivations.robots.methods import derive, derive_only
    from dynamis.formats.tasks.state_file import parse_load
    from dynamis.model.loads import with_load_symbols
    from dynamis.model.with_numbers import with_numbers

    robot = _robot(name, options)
    loads = [one for text in options.get("load", []) for one in parse_load(text, robot, symbols=True)]
    robot = with_numbers(with_load_symbols(robot, loads), [name for name, _ in _values(options)])
    model = robot.equations(loads=loads)
    if entries := options.get("only"):
        return derive_only(model, entries[0])
    return derive(model, *options.get("method", ()), steps="steps" in options, spatial="spatial" in options)


def _prove(options: Options, name: str) -> Result:
    from dynamis.equations.proof.proofs import prove_all

    return prove_all(_robot(name, options).equations(), "design" in options)


def _check(options: Options, name: str, answer: str) -> Result:
    from dynamis.grading.check import check_answer
    from dynamis.readings.printed.equations import answer_path
    from dynamis.toml_table import read_text

    return check_answer(load(name), read_text(answer_path(answer)), answer, dict(_values(options)))


def _inverse(options: Options, name: str) -> Result:
    from dynamis.single_states.state_torques import state_torques

    exercise = shipped_exercise(name)
    state = {key: getattr(exercise, key) for key in ("q", "qd", "qdd", "loads", "gravity")}
    return state_torques(
        Robot.from_model(exercise.robot),
        **state,
        words="words" in options,
        reactions="parent_tip" if "reactions" in options else None,
    )


def _state(options: Options, name: str) -> Result:
    from dynamis.single_states.robot_state import robot_state

    exercise = shipped_exercise(name)
    state = {key: getattr(exercise, key) for key in ("q", "qd", "qdd", "loads", "gravity")}
    only = options["only"][0]
    return robot_state(Robot.from_model(exercise.robot), **state, only=only, convention="parent_tip")


def _inertia(options: Options, name: str, *words: str) -> Result:
    from dynamis.derivations.bodies.question import find_body

    return replace(find_body(name, list(words)), steps="steps" in options)


def _motion(options: Options, name: str, task: str) -> Result:
    from dynamis.motion.tasks.task import load_task

    motion = load_task(task, load(name))
    return (replace(motion, gravity=False) if "no-gravity" in options else motion).budget()


def _simulate(options: Options, name: str, task: str) -> Result:
    from dynamis.simulation.task import load_simulation

    return load_simulation(task, load(name)).simulate(check=True)


def _learn(options: Options, name: str, task: str) -> Result:
    from dynamis.model.inertial_parameters import with_mass_error
    from dynamis.motion.tasks.task import load_task
    from dynamis.simulation.learning.learn import learn

    robot = load(name)
    motion = load_task(task, robot)
    percent, period, trials = (float(options[key][0]) for key in ("mass-error", "period", "trials"))
    return learn(
        robot, motion.trajectory, model=with_mass_error(robot, percent), loads=motion.loads, gravity=motion.gravity,
        period=period, trials=int(trials),
    )  # fmt: skip


def _show(options: Options, name: str) -> Result:
    from dynamis.model.description import RobotDescription

    return RobotDescription(_robot(name, options))


VERBS: dict[str, Callable[..., Any]] = {
    "derive": _derive, "prove": _prove, "check": _check, "inverse": _inverse, "state": _state, "inertia": _inertia,
    "motion": _motion, "simulate": _simulate, "learn": _learn, "show": _show,
}  # fmt: skip
