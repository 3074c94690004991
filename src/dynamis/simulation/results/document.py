"""What a simulation tells: settings, joints and motors, the energy balance, events, and all of it in sentences."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any, cast

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.numbers import short
from dynamis.motion.torque_budget.document import limit_notes
from dynamis.robot import forward_method
from dynamis.simulation.controllers.catalogue import CATALOGUE
from dynamis.simulation.controllers.law import Controller
from dynamis.simulation.results.charts import CAPTIONS, CHARTS, zeros
from dynamis.simulation.results.result import Simulation
from dynamis.simulation.results.summary import MAX_DRIFT, Approach, Summary, at_limit, summary
from dynamis.telling.blocks import Block, Column, Document, Figure, Items, Note, Section, Table, Words
from dynamis.telling.joints import joint_table
from dynamis.telling.series import motion_columns, numbered_columns

TABLES: tuple[str, ...] = ("all", "summary", "joints", "energy", "events", "sentences")
MOST_EVENTS = 40
"""More are counted, not listed."""
UNITS = {"period": " s", "stiction_speed": " rad/s or m/s"}
"""Units of settings that have the same one for all joints."""
LEAST_WORK = 1e-9
"""Work below this fraction of the largest energy is not mentioned: it is a rounding error."""
ENERGIES = ("kinetic", "potential")
WORK = {"motors": "the motors", "friction": "friction", "loads": "the loads", "stops": "the stops"}
PAYLOADS = {"payloads": "the payloads"}
GRASP = (
    "A payload is grasped and released at the velocity of the tool, without impact: the joints keep their velocities, "
    "and the payload brings its own energy or takes it away."
)


def page_of(run: Simulation) -> Document:
    """Tables, sentences, the conditions of the controller if there are any, figures and series."""
    blocks: list[Block] = [_summary(run), _joints(run), _energy(run), _events(run)]
    blocks.append(Section("", (Items(tuple(sentences(run))),), "sentences"))
    if conditions := run.conditions if run.tells_conditions else ():
        about = "They are about control without loads, samples, limits of the motors and noise."
        title = "Sufficient conditions (a loop may be stable without them)"
        blocks.append(Section(title, (Items((*map(str, conditions), about)),), "conditions"))
    for name, chart in CHARTS.items():
        blocks.append(Figure(name, partial(chart, run), _missing(run, name), CAPTIONS[name]))
    methods = forward_method(run.robot), str(run.settings.get("integrator", "")), *_control_methods(run.controller)
    methods = *methods, *run.methods
    return Document(
        "", tuple(blocks), data=lambda: simulation_data(run), columns=lambda: simulation_columns(run), methods=methods
    )


def _control_methods(controller: Controller | None) -> tuple[str, ...]:
    """The names of a controller, and of the one inside of it, in the catalogue."""
    if controller is None:
        return ()
    name = next((name for name, entry in CATALOGUE.items() if type(controller) is entry.kind), "")
    return name, *_control_methods(getattr(controller, "inner", None))


def _missing(run: Simulation, figure: str) -> ArgumentError | None:
    """Why there is nothing to draw, if so."""
    if figure == "signals" and not run.signals:
        return ArgumentError(f"{run.control or 'this control'} has no signals; plot its torque", key="kind")
    if figure == "tracking-error" and run.goal is None:
        return ArgumentError("this run has no goal, and so no tracking error; plot its position", key="kind")
    if figure in zeros(run):
        return ArgumentError(f'there is no figure "{figure}": it would show zeros alone', key="kind")
    return None


def _summary(run: Simulation) -> Section:
    settings, silent = run.settings, {"duration", "integrator", "step", "rtol", "atol"}
    silent |= {key for key in ("restitution", "resolution", "noise") if not np.any(settings.get(key, 0.0))}
    silent |= {"seed"} if "noise" in silent else set()
    silent |= {"stiction_speed"} if not settings.get("stiction_speed") else set()
    how = f" (step {_setting(settings['step'])} s)" if "step" in settings else ""
    if "rtol" in settings:
        how = f" (rtol {_setting(settings['rtol'])}, atol {_setting(settings['atol'])})"
    lines = [f"integrated by {settings.get('integrator', 'unknown')}{how}: {_effort(run)}"]
    listed = {key: value for key, value in settings.items() if key not in silent}
    lines += [f"{key.replace('_', ' ')}: {_setting(value)}{UNITS.get(key, '')}" for key, value in listed.items()]
    lines += [f"ended early: {run.ended}"] if run.ended else []
    title = f"{run.robot.name}: {short(run.duration)} s under {_control(run)}, {len(run.times)} samples kept"
    return Section(title, (Items(tuple(lines)), *(Note(text, "warning") for text in run.warnings)), "summary")


def _joints(run: Simulation) -> Section:
    x = summary(run)
    motors = x.motors
    table = joint_table(
        run.joints,
        (Column("q start", form="fixed"), x.start),
        (Column("q end", form="fixed"), x.end),
        (Column("lowest", form="fixed"), x.lowest),
        (Column("highest", form="fixed"), x.highest),
        ("unit", run.lengths),
        (Column("qd end", form="fixed"), x.end_velocity),
        (Column("peak |qd|", form="fixed"), motors.peak_speed),
        ("unit", [f"{length}/s" for length in run.lengths]),
        (Column("peak tau", form="fixed"), motors.peak_torque),
        (Column("at", "s", "fixed"), motors.peak_time),
        (Column("RMS tau", form="fixed"), motors.rms_torque),
        ("unit", run.units),
    )
    blocks: list[Block] = [table]
    blocks += limit_notes(motors, run.lengths, run.units, "reaches")
    if x.approach is not None:
        blocks.append(Section("How near they came to the goal", (_approach(run, x.approach),)))
    return Section("How the joints moved, and what the motors gave", tuple(blocks), "joints")


def _approach(run: Simulation, x: Approach) -> Table:
    at_rest: list[tuple[Column, Any]] = []
    if x.settled is not None and x.overshoot is not None:
        at_rest = [(Column("settled at", "s", "fixed"), x.settled), (Column("overshoot", form="%"), x.overshoot)]
    return joint_table(
        run.joints,
        (Column("goal", form="fixed"), x.goal),
        (Column("error at the end", form=".3g"), x.error),
        (Column("largest error", form=".3g"), x.largest),
        (Column("RMS error", form=".3g"), x.rms),
        ("unit", run.lengths),
        *at_rest,
    )


def _energy(run: Simulation) -> Section:
    energy = run.energy
    parts = {name: getattr(energy, name) for name in ENERGIES} | {"kinetic + potential": energy.total}
    parts |= {f"work of {name}": getattr(energy, name) for name in WORK}
    parts |= {"brought by payloads": energy.payloads} if run.payloads else {}
    columns = ["", *(Column(name, form="fixed") for name in ("start", "end", "lowest", "highest"))]
    rows = [(name, *(float(x) for x in (v[0], v[-1], v.min(), v.max()))) for name, v in parts.items()]
    note = (
        f"Energy minus work changes by {energy.error[-1]:.3g} J to the end and by {np.abs(energy.error).max():.3g} J "
        f"at most, {energy.drift:.2g} of the largest energy that changed hands, {short(energy.scale)} J."
    )
    words = (Words(note), *((Words(GRASP),) if run.payloads else ()))
    return Section("Energy [J]", (Table(tuple(columns), tuple(rows)), *words), "energy")


def _events(run: Simulation) -> Section:
    if not run.events:
        return Section("Events", (Words(("none",)),), "events")
    first_events = run.events[:MOST_EVENTS]
    columns = (Column("t", "s", "fixed", decimals=6), Column("joint"), Column("what"))
    table = Table(columns, tuple((float(event.time), event.joint, event.what) for event in first_events))
    more = len(run.events) - MOST_EVENTS
    rest = (f"... and {more} more, the last at {short(run.events[-1].time)} s",) if more > 0 else ()
    return Section("Events", (table, Items(rest)), "events")


def sentences(run: Simulation) -> list[str]:
    """What one would tell about the run."""
    x = summary(run)
    lines = [f"{run.robot.name} moves for {short(run.duration)} s under {_control(run)}"]
    lines += [f"the run ended early: {run.ended}"] if run.ended else []
    lines += _approach_lines(run, x.approach) if x.approach is not None else []
    peak, fastest = np.abs(x.motors.peak_torque), x.motors.peak_speed
    for turns, word, kind in ((True, "torque", "revolute"), (False, "force", "prismatic")):
        of = [j for j in range(run.n) if run.revolute[j] is turns]
        if any(peak[j] > 0 for j in of):
            j = max(of, key=lambda j: peak[j])
            at = short(float(x.motors.peak_time[j]))
            lines.append(f"the largest {word} is {peak[j]:.3g} {run.units[j]}, of joint {j + 1} at {at} s")
        if any(fastest[j] > 0 for j in of):
            j = max(of, key=lambda j: fastest[j])
            lines.append(f"the fastest {kind} joint is joint {j + 1}, {fastest[j]:.3g} {run.lengths[j]}/s")
    share, limited = at_limit(run)
    if limited:
        lines.append(f"motors at their limit: {_list_joints(limited)}, {100 * share:.3g} % of the time")
    lines.append(_balance(run))
    if run.events:
        first = run.events[0]
        count = "one event" if len(run.events) == 1 else f"{len(run.events)} events, first"
        lines.append(f"{count}: {first.what}, at {first.time:.4g} s")
    if run.accuracy is not None:
        lines += [text for text in run.accuracy.sentences() if text not in run.warnings]
    if empty := zeros(run):
        lines.append(f"not drawn, as all values are zero to rounding: {', '.join(empty)}")
    lines.append(f"{run.effort.integrator}: {_effort(run)}")
    return [*lines, *(f"warning: {text}" for text in run.warnings)]


def _approach_lines(run: Simulation, x: Approach) -> list[str]:
    lines: list[str] = []
    for unit in dict.fromkeys(run.lengths):
        of = [j for j in range(run.n) if run.lengths[j] == unit]
        j = max(of, key=lambda j: abs(x.error[j]))
        kind = "" if len(of) == run.n else "revolute " if unit == "rad" else "prismatic "
        lines.append(f"the {kind}joint furthest from its goal is joint {j + 1}: {abs(x.error[j]):.3g} {unit} are left")
    if x.settled is not None and x.overshoot is not None:
        moving = [j for j in range(run.n) if np.isfinite(x.overshoot[j])]  # the others were at their goal
        late = [j + 1 for j in moving if np.isnan(x.settled[j])]
        if late:
            lines.append(f"not settled within 2 % by the end: {_list_joints(late)}")
        elif moving:
            lines.append(f"all joints have settled within 2 % after {max(x.settled[moving]):.3g} s")
    return lines


def _balance(run: Simulation) -> str:
    energy = run.energy
    if not energy.scale:
        return "nothing moves: no energy changes hands"
    work = {who: getattr(energy, name) for name, who in (WORK | PAYLOADS).items()}
    listed = ", ".join(
        f"{who} {'gave' if done[-1] >= 0 else 'took'} {abs(done[-1]):.3g} J"
        for who, done in work.items()
        if np.abs(done).max() > LEAST_WORK * energy.scale
    )
    size = f"{energy.drift:.1g} of {energy.scale:.3g} J"
    advice = "" if "step" in run.settings else ": a smaller rtol would help"  # of steps a warning tells
    size += "" if energy.drift < MAX_DRIFT else f"; that is much{advice}"
    return f"{listed}; the energy balance closes to {size}" if listed else f"energy is conserved to {size}"


def _list_joints(joints: list[int]) -> str:
    return f"joint{'s' * (len(joints) > 1)} {', '.join(map(str, joints))}"


def _control(run: Simulation) -> str:
    return "no torques" if run.control == "free motion" else run.control or "its control"


def _effort(run: Simulation) -> str:
    effort = run.effort
    counts = f"{effort.steps} step{'s' * (effort.steps != 1)}, {effort.rejected} rejected"
    return counts if effort.evaluations is None else f"{counts}, {effort.evaluations} evaluations of the rates"


def _setting(value: Any) -> str:
    if isinstance(value, list | tuple):
        entries = [_setting(entry) for entry in cast("list[Any]", value)]
        return entries[0] if len(set(entries)) == 1 else ", ".join(entries)
    return short(value) if isinstance(value, float) else str(value)


def simulation_columns(run: Simulation) -> dict[str, Array]:
    """Every series by its name with its unit, one value per sample; named as those of a torque budget."""
    columns = {"t [s]": run.times} | motion_columns(run.lengths, run.q, run.qd, run.qdd)
    columns |= numbered_columns("tau", run.tau, run.units)
    columns |= {} if run.goal is None else numbered_columns("goal", run.goal, run.lengths)
    columns |= {f"{part} energy [J]": getattr(run.energy, part) for part in ENERGIES}
    columns |= {f"work of {part} [J]": getattr(run.energy, part) for part in WORK}
    columns |= {"brought by payloads [J]": run.energy.payloads} if run.payloads else {}
    columns["energy error [J]"] = run.energy.error
    for name in run.signals:
        gap = " " if name in run.signal_names else ""
        for own, unit, values in run.signal_series(name):
            columns[f"{name}{gap}{own}{f' [{unit}]' if unit else ''}"] = values
    return columns


def simulation_data(run: Simulation) -> dict[str, Any]:
    """All but the series."""
    energy, accuracy = run.energy, run.accuracy
    names = ("how", "tolerance", "until", "growth", "ended")
    return {
        "robot": run.robot.name, "control": run.control,
        "joints": run.joints, "units": run.units, "revolute": run.revolute,
        "duration": run.duration, "samples": len(run.times), "settings": run.settings, "ended": run.ended,
        "warnings": run.warnings,
        "effort": asdict(run.effort),
        "summary": _summary_data(summary(run)),
        "energy": {
            **{
                x: {"start": getattr(energy, x)[0], "end": getattr(energy, x)[-1]}
                for x in (*ENERGIES, *WORK, *(PAYLOADS if run.payloads else ()))
            },
            "error": {"end": energy.error[-1], "largest": np.abs(energy.error).max()},
            "scale": energy.scale, "drift": energy.drift,
        },
        "events": [asdict(event) for event in run.events],
        "accuracy": None if accuracy is None else {
            **{name: getattr(accuracy, name) for name in names}, "largest": accuracy.difference.max(initial=0.0),
        },
        "sentences": sentences(run),
        "conditions": [asdict(x) for x in run.conditions] if run.tells_conditions else None,
    }  # fmt: skip


def _summary_data(x: Summary) -> dict[str, Any]:
    of_motors = (
        "peak_torque", "peak_time", "rms_torque", "peak_speed", "rms_speed", "motoring", "braking", "energy",
    )  # fmt: skip
    return {
        **{name: getattr(x, name) for name in ("start", "end", "lowest", "highest", "end_velocity")},
        **{name: getattr(x.motors, name) for name in of_motors},
        "goal": None if x.approach is None else asdict(x.approach),
    }
