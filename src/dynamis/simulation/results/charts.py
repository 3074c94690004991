"""Figures of a simulation: positions, velocities and torques over time, energies, phase portraits, signals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.model.joint_limits import joint_limits
from dynamis.simulation.controllers.law import EFFORT, SPEED
from dynamis.simulation.results.result import Simulation
from dynamis.telling.chart import (
    MAX_SHARED_JOINTS,
    TIME,
    Chart,
    Level,
    Line,
    Marks,
    Panel,
    joint_names,
    shorten_label,
    some,
)
from dynamis.telling.joints import joint_chart

MAX_TALL_MARKS = 40
"""Up to so many events are marked over the whole height of a panel; more have short marks."""
MAX_STYLED_SERIES = 12
"""More series than this of one signal share one look."""
MOST_NAMES = 7
"""So many of many series have a name: one per colour."""
ROUNDING_ERROR = 1e-11
"""Angles [rad] and lengths [m] below it are what a run of many steps leaves of zero; exact tracking shows 1e-13."""
LIMITS = ("limit of the joint", "limit of the motor")


def _position(run: Simulation) -> Chart:
    limits = joint_limits(run.robot)

    def beside(j: int) -> list[Any]:
        hit = any(event.joint == j + 1 for event in run.events)
        ends = [x for x in (limits.lower[j], limits.upper[j]) if hit and _near(x, run.q[:, j])]
        return [Level(x, LIMITS[0]) for x in ends]

    return _over_time(run, run.q, [f"position [{length}]" for length in run.lengths], beside, run.goal)


def _tracking_error(run: Simulation) -> Chart:
    """Goal − q."""
    return _over_time(run, tracking_error(run), [f"tracking error [{length}]" for length in run.lengths])


def _velocity(run: Simulation) -> Chart:
    return _over_time(run, run.qd, [f"velocity [{length}/s]" for length in run.lengths])


def _torque(run: Simulation) -> Chart:
    limit: Any = run.settings.get("torque_limit")

    def beside(j: int) -> list[Any]:
        both = [] if limit is None else [-limit[j], limit[j]]
        return [Level(x, LIMITS[1]) for x in both if _near(x, run.tau[:, j])]

    efforts = [
        f"{'torque' if turns else 'force'} [{unit}]" for turns, unit in zip(run.revolute, run.units, strict=True)
    ]
    return _over_time(run, run.tau, efforts, beside)


def _over_time(
    run: Simulation,
    values: Array,
    titles: list[str],
    beside: Callable[[int], list[Any]] = lambda j: [],
    goal: Array | None = None,
) -> Chart:
    """One value per joint over time: a few alike joints share a panel, others have their own."""
    samples = some(len(run.times))
    t = run.times[samples]
    if run.n <= MAX_SHARED_JOINTS and len(set(titles)) == 1:
        marks, names = _events(run, None), joint_names(run.joints)
        for j, name in enumerate(names):
            if goal is not None:
                marks.append(
                    Line(t, goal[samples, j], "goal", "goal of one")
                    if run.n == 1
                    else Line(t, goal[samples, j], "goal", "goal", colour=j)
                )
            # With a goal the dashes are the goal's.
            marks += [*beside(j), Line(t, values[samples, j], name, j, straight=run.goal is not None)]
        low, high = _room(values)
        together = Panel(tuple(marks), x=TIME, y=titles[0], low=low, high=high)
        return Chart((together,), 1, 2.4, narrow=True, order=(*names, "goal", *LIMITS, "event"), legend_columns=5)

    def panel(j: int, name: str) -> Panel:
        marks = _events(run, j)
        if goal is not None:
            marks.append(Line(t, goal[samples, j], "goal", "goal", colour=1))
        marks += [*beside(j), Line(t, values[samples, j], "", "solid")]
        low, high = _room(values[:, j])
        return Panel(tuple(marks), name, TIME, titles[j], low=low, high=high)

    return joint_chart(run.joints, panel, 1.6, share_x=True)


def _energy(run: Simulation) -> Chart:
    """Energies, and work that is not zero, and below what of their balance is left."""
    energy, samples = run.energy, some(len(run.times))
    t = run.times[samples]
    lines = [Line(t, energy.kinetic[samples], "kinetic", 0), Line(t, energy.potential[samples], "potential", 1)]
    lines.append(Line(t, energy.total[samples], "kinetic + potential", "total"))
    for k, name in enumerate(("motors", "friction", "loads", "stops", "payloads"), 2):
        work, words = getattr(energy, name), "brought by" if name == "payloads" else "work of"
        lines += [Line(t, work[samples], f"{words} {name}", k)] if work.any() else []
    title_below = f"energy − work, since the start: at most {energy.drift:.1g} of {energy.scale:.3g} J"
    above = Panel((*_events(run, None), *lines), x=TIME, y="energy [J]")
    error = Line(t, energy.error[samples], "", "thin")
    below = Panel((*_events(run, None), error), title_below, TIME, "balance error [J]", side="right")
    order = (*(line.label for line in lines), "event")
    return Chart((above, below), 1, 1.9, narrow=True, order=order, legend_columns=4, heights=(2.2, 1.0), share_x=True)


def _phase(run: Simulation) -> Chart:
    """Velocity over position of every joint; a circle where it starts, a square where it ends."""
    samples = some(len(run.times))

    def panel(j: int, name: str) -> Panel:
        q, qd, length = run.q[:, j], run.qd[:, j], run.lengths[j]
        marks = [
            Line(q[samples], qd[samples], "", "solid"), Line([q[0]], [qd[0]], "start", "start"),
            Line([q[-1]], [qd[-1]], "end", "end"),
        ]  # fmt: skip
        if run.goal is not None:
            marks.append(Line([run.goal[-1, j]], [0.0], "goal at the end", "target"))
        return Panel(tuple(marks), name, f"position [{length}]", f"velocity [{length}/s]", margin=0.05)

    return joint_chart(run.joints, panel, 2.0)


def _signals(run: Simulation) -> Chart:
    """What the controller tells, but zeros: one panel per signal and unit; estimates beside the true values."""
    samples, law, panels = some(len(run.times)), run.controller, list[Panel]()
    titles: Mapping[str, str] = {} if law is None else law.signal_titles
    # With a payload that comes and goes, no one value is the true one.
    truth: Mapping[str, Sequence[float] | Array] = {} if law is None or run.payloads else law.signal_truth(run.robot)
    for name, signal in run.signals.items():
        if not signal.any():
            continue
        series = run.signal_series(name)
        true_values = truth.get(name, [None] * len(series))
        for unit in dict.fromkeys(unit for _, unit, _ in series):
            alike = [
                (own, values, true) for (own, its, values), true in zip(series, true_values, strict=True) if its == unit
            ]
            count = f", {len(alike)} series" if len(alike) > MAX_STYLED_SERIES else ""
            title = f"{shorten_label(titles.get(name, name.replace('_', ' ')), 60)}{count}"
            y = f"[{unit.replace('^2', '²') or 'its own unit'}]"
            panels.append(Panel((*_events(run, None), *_signal_marks(run, name, alike, samples)), title, TIME, y))
    return Chart(tuple(panels), 1, 1.7, share_x=True, legends="beside")


def _signal_marks(
    run: Simulation, name: str, series: list[tuple[str, Array, float | None]], samples: Any
) -> list[Line | Level]:
    names, t = name in run.signal_names, run.times[samples]
    with_names = list(range(len(series)))
    if len(series) > MAX_STYLED_SERIES:
        # Of many, those that change most have names.
        changes = [-float(np.ptp(values)) for _, values, _ in series]
        with_names = sorted(int(k) for k in np.argsort(changes, kind="stable")[:MOST_NAMES]) if names else []
    marks: list[Line | Level] = []
    for k, (own, values, true) in enumerate(series):
        if k not in with_names:
            marks.append(Line(t, values[samples], "", "faint" if names else "many"))
            continue
        look = with_names.index(k) if names else int(own or 1) - 1
        word = own or shorten_label(name)
        if not names:
            of_joint = run.signal_units.get(name) in (EFFORT, SPEED)
            of_axis = name.endswith("_error") and len(series) == 3
            word = f"joint {own}" if of_joint and own else "xyz"[k] if of_axis else word
        marks.append(Line(t, values[samples], word, look))
        marks += [] if true is None else [Level(true, "true value", "truth", colour=look)]
    return marks


def _events(run: Simulation, j: int | None) -> list[Any]:
    """Marks at the events: of joint j and of no single coordinate, or all."""
    times = tuple(x.time for x in run.events if j is None or not isinstance(x.joint, int) or x.joint == j + 1)
    return [Marks(times, "event", tall=len(times) <= MAX_TALL_MARKS)] if times else []


def _room(values: Array) -> tuple[float | None, float | None]:
    """Where all values of a panel are zero, a range that does not look like noise."""
    return (None, None) if values.any() else (-1.0, 1.0)


def tracking_error(run: Simulation) -> Array:
    """goal - q, (k, n); zero where there is no goal."""
    return np.zeros_like(run.q) if run.goal is None else run.goal - run.q


def zeros(run: Simulation) -> list[str]:
    """The figures that would show zeros alone, or what rounding leaves of them."""
    rounding = ROUNDING_ERROR * max(1.0, float(np.abs(run.q).max()))
    still, signals = bool(np.abs(run.qd).max() * run.duration <= rounding), list(run.signals.values())
    empty = {
        "tracking-error": run.goal is not None and bool(np.abs(tracking_error(run)).max() <= rounding),
        "velocity": still, "torque": not run.tau.any(), "energy": not run.energy.scale, "phase": still,
        "signals": bool(signals) and not any(signal.any() for signal in signals),
    }  # fmt: skip
    return [name for name, nothing in empty.items() if nothing]


def _near(limit: float, values: Array) -> bool:
    """Whether the values come near to a limit."""
    span = 0.05 * (float(np.ptp(values)) or 1.0)
    return bool(np.isfinite(limit) and values.min() - span <= limit <= values.max() + span)


CHARTS: dict[str, Callable[[Simulation], Chart]] = {
    "position": _position,
    "tracking-error": _tracking_error,
    "velocity": _velocity,
    "torque": _torque,
    "energy": _energy,
    "phase": _phase,
    "signals": _signals,
}
CAPTIONS = {
    "position": "Positions of the joints, and their goals.",
    "tracking-error": "Distance of each joint from its goal.",
    "velocity": "Velocities of the joints.",
    "torque": "Torques of the motors.",
    "energy": "Kinetic and potential energy and the work done; below, the error of the energy balance.",
    "phase": "Velocity over position of every joint.",
    "signals": "Signals of the controller; estimates beside their true values.",
}
