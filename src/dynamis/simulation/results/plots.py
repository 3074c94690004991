"""Pictures of a simulation: positions, velocities and torques over time, energies, phase portraits, signals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dynamis.arrays import Array
from dynamis.document.figure import COLOURS, INK, WIDE, grid, label, legend, line, style
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.motion.limits import joint_limits
from dynamis.motion.torque_budget.axes import FEW, POINTS, columns_of, effort, joint_name, time_below
from dynamis.simulation.results.signals import SPEEDS, TORQUES, signal_series

if TYPE_CHECKING:
    from dynamis.simulation.results.result import Simulation

MARKS = 40
"""Up to so many events are marked over the whole height of an axis; more have short marks."""
GOAL = (0, (4, 2))
FAINT = "#888888"
MANY = 12
"""More series than this of one signal share one look."""


def plot(run: Simulation, kind: str) -> Any:
    """The figure of this kind."""
    if kind not in KINDS:
        raise UnknownNameError("plot", kind, KINDS)
    with style():
        return KINDS[kind](run)


def _position(run: Simulation) -> Any:
    limits = joint_limits(run.robot)

    def beside(ax: Any, drawn: Any, j: int, colour: str) -> None:
        if run.goal is not None:
            ax.plot(run.times[drawn], run.goal[drawn, j], color=colour, ls=GOAL, lw=0.9, label="goal")
        if any(event.joint == j + 1 for event in run.events):
            for limit in (limits.lower[j], limits.upper[j]):
                _limit(ax, limit, run.q[:, j], "limit of the joint")

    return _over_time(run, run.q, lambda j: f"position [{_length(run, j)}]", beside)


def _velocity(run: Simulation) -> Any:
    return _over_time(run, run.qd, lambda j: f"velocity [{_length(run, j)}/s]")


def _torque(run: Simulation) -> Any:
    limit: Any = run.settings.get("torque_limit")

    def beside(ax: Any, drawn: Any, j: int, colour: str) -> None:
        del drawn, colour
        if limit is not None:
            for side in (-1.0, 1.0):
                _limit(ax, side * limit[j], run.tau[:, j], "limit of the motor")

    return _over_time(run, run.tau, lambda j: effort(cast(Any, run), j), beside)


def _over_time(
    run: Simulation, values: Array, title: Callable[[int], str],
    beside: Callable[[Any, Any, int, str], None] = lambda ax, drawn, j, colour: None,
) -> Any:  # fmt: skip
    """One value a joint over time: few alike joints on one axis, otherwise one axis a joint."""
    drawn = _some(run)
    if run.n <= FEW and len({title(j) for j in range(run.n)}) == 1:
        figure, (ax,) = grid(1, 1, 2.4, WIDE * 0.72)
        _marks(ax, run, None)
        look = {} if run.goal is None else {"linestyle": "-"}  # the dashes are the goal's
        for j in range(run.n):
            beside(ax, drawn, j, FAINT if run.n == 1 else COLOURS[j])
            line(ax, run.times[drawn], values[drawn, j], j, joint_name(cast(Any, run), j), **look)
        _room(ax, values)
        ax.set_ylabel(title(0))
        ax.set_xlabel("time [s]")
        names = [joint_name(cast(Any, run), j) for j in range(run.n)]
        legend(figure, [ax], 5, [*names, "goal", "limit of the joint", "limit of the motor", "event"])
        return figure
    columns = run.n if run.n <= FEW else columns_of(run.n)
    figure, axes = grid(run.n, columns, 1.6, sharex=True)
    for j, ax in enumerate(axes):
        _marks(ax, run, j)
        beside(ax, drawn, j, COLOURS[1])
        ax.plot(run.times[drawn], values[drawn, j], color=COLOURS[0])
        _room(ax, values[:, j])
        ax.set_title(joint_name(cast(Any, run), j))
        if j % columns == 0 or title(j) != title(j - 1):
            ax.set_ylabel(title(j))
    time_below(axes, columns)
    legend(figure, axes)
    return figure


def _energy(run: Simulation) -> Any:
    """Energies and works that are not zero, and below what of their balance is left."""
    drawn, energy = _some(run), run.energy
    figure, (above, below) = grid(2, 1, 1.9, WIDE * 0.72, sharex=True, height_ratios=(2.2, 1.0))
    t = run.times[drawn]
    for ax in (above, below):
        _marks(ax, run, None)
    line(above, t, energy.kinetic[drawn], 0, "kinetic")
    line(above, t, energy.potential[drawn], 1, "potential")
    above.plot(t, energy.total[drawn], color=INK, lw=1.4, label="kinetic + potential")
    for k, name in enumerate(("motors", "friction", "loads", "stops")):
        work = getattr(energy, name)
        if work.any():
            line(above, t, work[drawn], 2 + k, f"work of {name}")
    above.set_ylabel("energy [J]")
    below.plot(t, energy.error[drawn], color=INK, lw=0.9)
    below.set_ylabel("balance error [J]")
    told = f"kinetic + potential − works, since the start: at most {energy.drift:.1g} of {energy.scale:.3g} J"
    below.set_title(told, loc="right")
    below.set_xlabel("time [s]")
    figure.align_ylabels([above, below])
    names = [line.get_label() for line in above.get_lines()]
    legend(figure, [above, below], 4, [*names, "event"])
    return figure


def _phase(run: Simulation) -> Any:
    """Velocity over position of every joint; a circle where it starts, a square where it ends."""
    drawn = _some(run)
    columns = run.n if run.n <= FEW else columns_of(run.n)
    figure, axes = grid(run.n, columns, 2.0)
    for j, ax in enumerate(axes):
        q, qd = run.q[:, j], run.qd[:, j]
        ax.plot(q[drawn], qd[drawn], color=COLOURS[0], lw=1.0)
        ax.plot(q[0], qd[0], "o", ms=4.5, mfc="white", mec=INK, mew=0.9, label="start")
        ax.plot(q[-1], qd[-1], "s", ms=4, color=COLOURS[1], label="end")
        if run.goal is not None:
            ax.plot(run.goal[-1, j], 0.0, "+", ms=7, mew=1.2, color=COLOURS[2], label="goal at the end")
        ax.margins(0.05)
        ax.set_title(joint_name(cast(Any, run), j))
        ax.set_xlabel(f"position [{_length(run, j)}]")
        if j % columns == 0 or run.turns[j] != run.turns[j - 1]:
            ax.set_ylabel(f"velocity [{_length(run, j)}/s]")
    legend(figure, axes)
    return figure


def _signals(run: Simulation) -> Any:
    """What the controller tells: one axis a signal, and a unit."""
    if not run.signals:
        raise ArgumentError(f"{run.control or 'this control'} has no signals; plot its torque", key="kind")
    drawn = _some(run)
    panels: list[tuple[str, str, list[tuple[str, Array]]]] = []
    for name in run.signals:
        series = signal_series(run, name)
        for unit in dict.fromkeys(unit for _, unit, _ in series):
            panels.append((name, unit, [(number, values) for number, own, values in series if own == unit]))
    figure, axes = grid(len(panels), 1, 1.7, WIDE * 0.72, sharex=True)
    for ax, (name, unit, series) in zip(axes, panels, strict=True):
        _marks(ax, run, None)
        names = run.signal_names.get(name, ())
        named = set(range(len(series)))
        if len(series) > MANY:
            # Of many, those that change most have names.
            changes = [-float(np.ptp(values)) for _, values in series]
            named = set(np.argsort(changes, kind="stable")[: len(COLOURS)].tolist()) if names else set[int]()
        looks = iter(range(len(series)))
        for k, (number, values) in enumerate(series):
            if k not in named:
                ax.plot(run.times[drawn], values[drawn], color=FAINT if names else COLOURS[0], lw=0.7, alpha=0.7)
                continue
            of_joint, of_axis = name in (*TORQUES, *SPEEDS), name.endswith("_error") and len(series) == 3
            word = f"joint {number}" if of_joint and number else "xyz"[k] if of_axis else number
            word = label(names[k]) if names else word or label(name)
            line(ax, run.times[drawn], values[drawn], next(looks) if names else int(number or 1) - 1, word)
        count = f", {len(series)} series" if len(series) > MANY else ""
        ax.set_title(f"{label(name.replace('_', ' '), 60)}{count}")
        ax.set_ylabel(f"[{unit.replace('^2', '²') or 'its own unit'}]")
    time_below(axes, 1)
    legend(figure, axes)
    return figure


def _marks(ax: Any, run: Simulation, j: int | None) -> None:
    """Thin vertical marks at the events: of joint j and of no joint, or all."""
    times = [event.time for event in run.events if j is None or event.joint in (None, j + 1)]
    if times:
        top = 1.0 if len(times) <= MARKS else 0.06
        ax.vlines(times, 0.0, top, transform=ax.get_xaxis_transform(), color=FAINT, lw=0.5, zorder=1, label="event")


def _room(ax: Any, values: Array) -> None:
    """Where all values are zero, an axis that does not look like noise."""
    if not values.any():
        ax.set_ylim(-1.0, 1.0)


def _limit(ax: Any, limit: float, values: Array, label: str) -> None:
    """A limit that the values come near to."""
    span = float(np.ptp(values)) or 1.0
    if np.isfinite(limit) and values.min() - 0.05 * span <= limit <= values.max() + 0.05 * span:
        ax.axhline(limit, color=COLOURS[6], ls=(0, (1, 2)), lw=1.0, label=label)


def _some(run: Simulation) -> Any:
    """Which instants are drawn."""
    count = len(run.times)
    return slice(None) if count <= POINTS else np.unique(np.linspace(0, count - 1, POINTS).astype(int))


def _length(run: Simulation, j: int) -> str:
    return "rad" if run.turns[j] else "m"


KINDS: dict[str, Callable[[Any], Any]] = {
    "position": _position,
    "velocity": _velocity,
    "torque": _torque,
    "energy": _energy,
    "phase": _phase,
    "signals": _signals,
}
