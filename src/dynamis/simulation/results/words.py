"""A simulation as text: tables and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.arguments import integer
from dynamis.document.tables import fixed, short, text_table
from dynamis.errors import UnknownNameError
from dynamis.simulation.results.summary import MUCH, Approach, at_limit, summary

if TYPE_CHECKING:
    from dynamis.simulation.results.result import Simulation

TABLES: tuple[str, ...] = ("all", "summary", "joints", "energy", "events")
MOST_EVENTS = 40
"""More are counted, not listed."""
UNITS = {"period": " s", "stiction_speed": " rad/s or m/s"}
"""Of settings that have the same unit for all joints."""
SEEN = 1e-9
"""What is less than this part of the largest energy did nothing."""


def table(run: Simulation, name: str, decimals: int) -> str:
    """The asked table, or all of them."""
    makers = dict(zip(TABLES[1:], (_summary, _joints, _energy, _events), strict=True))
    if name not in TABLES:
        raise UnknownNameError("table", name, TABLES)
    integer("decimals", decimals, 0, 15)
    if name != "all":
        return makers[name](run, decimals)
    wanted = [make for key, make in makers.items() if key != "events" or run.events]
    return "\n\n".join(make(run, decimals) for make in wanted)


def _summary(run: Simulation, decimals: int) -> str:
    del decimals
    lines = [f"{run.robot.name}: {short(run.duration)} s under {_control(run)}, {len(run.times)} instants kept"]
    lines.append(f"integrated by {_integrator(run.settings)}: {_effort(run)}")
    lines += [f"{key.replace('_', ' ')}: {_shown(run.settings[key])}{UNITS.get(key, '')}" for key in _told(run)]
    if run.ended:
        lines.append(f"ended early: {run.ended}")
    lines += [f"warning: {text}" for text in run.warnings]
    return "\n".join(lines)


def _told(run: Simulation) -> list[str]:
    """The settings that are worth a line: those of the integrator and of the time have been told."""
    silent = {"duration", "integrator", "step", "rtol", "atol"}
    silent |= {key for key in ("restitution", "resolution", "noise") if not np.any(run.settings.get(key, 0.0))}
    if "noise" in silent:
        silent.add("seed")
    if not run.settings.get("stiction_speed"):
        silent.add("stiction_speed")
    return [key for key in run.settings if key not in silent]


def _joints(run: Simulation, decimals: int) -> str:
    found, rows = summary(run), list[list[str]]()
    for j, (name, unit) in enumerate(zip(run.joints, run.units, strict=True)):
        where = _length(run.turns[j])
        positions = (found.start[j], found.end[j], found.lowest[j], found.highest[j])
        speeds = (found.end_velocity[j], found.motors.peak_speed[j])
        torques = (found.motors.peak_torque[j], found.motors.peak_time[j], found.motors.rms_torque[j])
        rows.append([
            str(j + 1), name, *(fixed(x, decimals) for x in positions), where,
            *(fixed(x, decimals) for x in speeds), f"{where}/s", *(fixed(x, decimals) for x in torques), unit,
        ])  # fmt: skip
    header = [
        "", "joint", "q start", "q end", "lowest", "highest", "", "qd end", "peak |qd|", "", "peak tau", "at [s]",
        "RMS tau", "",
    ]  # fmt: skip
    lines = ["How the joints moved, and what the motors gave", text_table(header, rows, left=2)]
    for joint, limit, need, allowed in found.motors.beyond:
        lines.append(f"note: joint {joint} reaches {short(need)} and its {limit} limit is {short(allowed)}")
    if found.approach is not None:
        lines += ["", "How near they came to the goal", _approach(run, found.approach, decimals)]
    return "\n".join(lines)


def _approach(run: Simulation, found: Approach, decimals: int) -> str:
    header = ["", "joint", "goal", "error at the end", "largest error", "RMS error", ""]
    header += ["settled at [s]", "overshoot"] if found.settled is not None else []
    rows: list[list[str]] = []
    for j, name in enumerate(run.joints):
        errors = (found.error[j], found.largest[j], found.rms[j])
        row = [str(j + 1), name, fixed(found.goal[j], decimals), *(f"{x:.3g}" for x in errors)]
        row.append(_length(run.turns[j]))
        if found.settled is not None and found.overshoot is not None:
            row.append(_or_dash(found.settled[j], fixed(found.settled[j], decimals)))
            row.append(_or_dash(found.overshoot[j], f"{100 * found.overshoot[j]:.3g} %"))
        rows.append(row)
    return text_table(header, rows, left=2)


def _energy(run: Simulation, decimals: int) -> str:
    energy = run.energy
    parts = [("kinetic", energy.kinetic), ("potential", energy.potential), ("kinetic + potential", energy.total)]
    parts += [(f"work of {name}", getattr(energy, name)) for name in ("motors", "friction", "loads", "stops")]
    rows = [
        [name, *(fixed(x, decimals) for x in (values[0], values[-1], values.min(), values.max()))]
        for name, values in parts
    ]
    largest = np.abs(energy.error).max()
    notes = [
        f"kinetic + potential - works changes by {energy.error[-1]:.3g} J to the end, {largest:.3g} J at most:",
        f"{energy.drift:.2g} of the largest energy that changed hands, {short(energy.scale)} J",
    ]
    return "\n".join(["Energy [J]", text_table(["", "start", "end", "lowest", "highest"], rows), *notes])


def _events(run: Simulation, decimals: int) -> str:
    if not run.events:
        return "Events\nnone"
    shown = run.events[:MOST_EVENTS]
    rows = [[fixed(event.time, max(decimals, 6)), str(event.joint or ""), event.what] for event in shown]
    lines = ["Events", text_table(["t [s]", "joint", "what"], [[a, b.rjust(5), c] for a, b, c in rows], left=3)]
    if len(run.events) > MOST_EVENTS:
        lines.append(f"... and {len(run.events) - MOST_EVENTS} more, the last at {short(run.events[-1].time)} s")
    return "\n".join(lines)


def sentences(run: Simulation) -> list[str]:
    """What one would tell about the run."""
    found = [f"{run.robot.name} moves for {short(run.duration)} s under {_control(run)}"]
    if run.ended:
        found.append(f"the run ended early: {run.ended}")
    numbers = summary(run)
    if numbers.approach is not None:
        found += _approached(run, numbers.approach)
    peak, fastest = np.abs(numbers.motors.peak_torque), numbers.motors.peak_speed
    for turns, word in ((True, "torque"), (False, "force")):
        of = [j for j in range(run.n) if run.turns[j] is turns and peak[j] > 0]
        if of:
            j = max(of, key=lambda j: peak[j])
            at = short(float(numbers.motors.peak_time[j]))
            found.append(f"the largest {word} is {peak[j]:.3g} {run.units[j]}, of joint {j + 1} at {at} s")
        of = [j for j in range(run.n) if run.turns[j] is turns and fastest[j] > 0]
        if of:
            j = max(of, key=lambda j: fastest[j])
            found.append(f"joint {j + 1} {'turns' if turns else 'slides'} fastest, {fastest[j]:.3g} {_length(turns)}/s")
    share, limited = at_limit(run)
    if limited:
        names = ", ".join(map(str, limited))
        found.append(f"motors at their limit: joint{'s' * (len(limited) > 1)} {names}, {100 * share:.3g} % of the time")
    found += _energies(run)
    if run.events:
        first = run.events[0]
        count = "one event" if len(run.events) == 1 else f"{len(run.events)} events, first"
        found.append(f"{count}: {first.what}, at {first.time:.4g} s")
    if run.accuracy is not None:
        found += [text for text in run.accuracy.sentences() if text not in run.warnings]
    found.append(f"{run.effort.integrator}: {_effort(run)}")
    return [*found, *(f"warning: {text}" for text in run.warnings)]


def _approached(run: Simulation, found: Approach) -> list[str]:
    units = [_length(turns) for turns in run.turns]
    told: list[str] = []
    for unit in dict.fromkeys(units):
        of = [j for j in range(run.n) if units[j] == unit]
        j = max(of, key=lambda j: abs(found.error[j]))
        every = "" if len(of) == run.n else " of those that " + ("turn" if unit == "rad" else "slide")
        told.append(
            f"the joint furthest from its goal{every} is joint {j + 1}: {abs(found.error[j]):.3g} {unit} are left"
        )
    if found.settled is not None and found.overshoot is not None:
        asked = [j for j in range(run.n) if np.isfinite(found.overshoot[j])]  # the others were at their goal
        late = [j for j in asked if np.isnan(found.settled[j])]
        if late:
            names = ", ".join(str(j + 1) for j in late)
            told.append(f"not settled within 2 % by the end: joint{'s' * (len(late) > 1)} {names}")
        elif asked:
            told.append(f"all joints have settled within 2 % after {max(found.settled[asked]):.3g} s")
    return told


def _energies(run: Simulation) -> list[str]:
    energy = run.energy
    if not energy.scale:
        return ["nothing moves: no energy changes hands"]
    words = {"motors": "the motors", "friction": "friction", "loads": "the loads", "stops": "the stops"}
    did: list[str] = []
    for name, who in words.items():
        work = getattr(energy, name)
        if np.abs(work).max() > SEEN * energy.scale:
            verb = "gave" if work[-1] >= 0 else "took"
            did.append(f"{who} {verb} {abs(work[-1]):.3g} J")
    size = f"{energy.drift:.1g} of {energy.scale:.3g} J"
    helped = "" if "step" in run.settings else ": a smaller rtol would help"  # of steps a warning tells
    much = "" if energy.drift < MUCH else f"; that is much{helped}"
    if not did:
        return [f"energy is conserved to {size}{much}"]
    return [f"{', '.join(did)}; the energy balance closes to {size}{much}"]


def _control(run: Simulation) -> str:
    return "no torques" if run.control == "free motion" else run.control or "its control"


def _integrator(settings: dict[str, Any]) -> str:
    how = f"step {_shown(settings['step'])} s" if "step" in settings else ""
    if "rtol" in settings:
        how = f"rtol {_shown(settings['rtol'])}, atol {_shown(settings['atol'])}"
    return f"{settings.get('integrator', 'unknown')}{f' ({how})' if how else ''}"


def _effort(run: Simulation) -> str:
    effort = run.effort
    parts = [f"{effort.steps} step{'s' * (effort.steps != 1)}", f"{effort.rejected} rejected"]
    if effort.evaluations is not None:
        parts.append(f"{effort.evaluations} evaluations of the rates")
    return ", ".join(parts)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return short(value)
    if isinstance(value, list | tuple):
        entries: list[Any] = list(value)  # type: ignore[arg-type]
        same = bool(entries) and all(entry == entries[0] for entry in entries)
        return _shown(entries[0]) if same else ", ".join(_shown(entry) for entry in entries)
    return str(value)


def _length(turns: bool) -> str:
    return "rad" if turns else "m"


def _or_dash(value: float, text: str) -> str:
    return text if np.isfinite(value) else "-"
