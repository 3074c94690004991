"""`python -m benchmarks SUBJECT`: dynamis measured beside its peers, in one run."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.ending import end_interrupted, interruptible
from dynamis.cli.main import run
from dynamis.cli.options import JsonOption, print_json

SUBJECTS = ("dynamics", "exact", "motion", "simulation", "width", "length", "first-call", "counts")


def command(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="SUBJECT", help="dynamics, exact, motion, simulation, width, length, first-call, counts."
        ),
    ] = "dynamics",
    robots: Annotated[
        str,
        typer.Option(metavar="NAMES", help="dynamics: ur5, panda, chain-20, ... with commas between."),
    ] = "",
    quantities: Annotated[
        str, typer.Option(metavar="NAMES", help="dynamics: inverse_dynamics, ... with commas between.")
    ] = "",
    batch: Annotated[int, typer.Option(min=1, help="dynamics: states of a batch.")] = 100_000,
    quick: Annotated[bool, typer.Option("--quick", help="Small batches and few rounds: a look, not a figure.")] = False,
    width: Annotated[bool, typer.Option("--width", help="As the subject width.")] = False,
    length: Annotated[bool, typer.Option("--length", help="As the subject length.")] = False,
    largest: Annotated[int, typer.Option(min=6, max=10, help="exact: joints of the longest chain.")] = 9,
    as_json: JsonOption = False,
) -> None:
    """Measure dynamis beside its peers; agreement is checked before anything is timed."""
    from dynamis.errors import UnknownNameError

    if subject == "dynamics" and (width or length):
        subject = "width" if width else "length"
    match subject:
        case "dynamics":
            _dynamics(_names(robots), _names(quantities), batch, quick, as_json)
        case "exact":
            _exact(largest, as_json)
        case "motion":
            _motion(quick, as_json)
        case "simulation":
            _simulation(quick, as_json)
        case "width" | "length" | "first-call" | "counts":
            _small(subject, quick, as_json)
        case _:
            raise UnknownNameError("subject", subject, SUBJECTS)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _print_table(header: list[str], rows: list[list[str]]) -> None:
    from dynamis.document.renderers.layout import text_table

    print(text_table(header, rows, [False, *[True] * (len(header) - 1)]))


def _dynamics(robots: list[str], quantities: list[str], batch: int, quick: bool, as_json: bool) -> None:
    from dataclasses import replace

    from benchmarks.dynamics.report import print_benchmark
    from benchmarks.dynamics.rows import QUICK, Pace
    from benchmarks.dynamics.subject import QUANTITIES, ROBOTS, is_robot
    from benchmarks.dynamics.this_machine import cores
    from benchmarks.dynamics.whole import benchmark
    from dynamis.cli.progress import Progress
    from dynamis.errors import UnknownNameError

    for name in quantities:
        if name not in QUANTITIES:
            raise UnknownNameError("quantity", name, QUANTITIES, key="quantities")
    for name in robots:
        if not is_robot(name):
            raise UnknownNameError("robot", name, ROBOTS, key="robots")
    pace = replace(QUICK, batch=min(batch, QUICK.batch)) if quick else Pace(batch)
    with Progress("measuring") as progress:
        found = benchmark(robots or ROBOTS, quantities, replace(pace, threads=cores()), progress)
    if as_json:
        print_json({"subject": "dynamics", **found.as_json()})
    else:
        print_benchmark(found)
    if found.interrupted:
        end_interrupted(f"{len(found.rows)} rows were measured before and are printed; no file was written")


def _small(subject: str, quick: bool, as_json: bool) -> None:
    from benchmarks.dynamics.small import SUBJECTS
    from dynamis.cli.progress import Progress

    measure, show = SUBJECTS[subject]
    with Progress("measuring") as progress:
        rows = measure(quick, progress)
    if as_json:
        print_json({"subject": subject, "rows": rows})
    else:
        show(rows)


def _motion(quick: bool, as_json: bool) -> None:
    from dataclasses import asdict

    from benchmarks.motion import rows
    from benchmarks.torque_budget import AIM
    from benchmarks.torque_budget import rows as budget_rows

    found = rows(1000, 1) if quick else rows()
    times = found[0].rate / found[1].rate
    budgets = budget_rows(20_000, 1) if quick else budget_rows()
    if as_json:
        data = {"rows": [asdict(row) for row in found], "times": times, "budgets": [asdict(row) for row in budgets]}
        print_json({"subject": "motion", **data})
        return
    cells = [
        [row.library, str(row.targets), f"{row.rate:.0f}", f"{row.success:.2%}", f"{row.worst:.1e}"] for row in found
    ]
    _print_table(["inverse kinematics, UR5", "targets", "targets/s", "solved", "worst error"], cells)
    print(f"\n{times:.1f} times the rate; one core; every solution was brought back to its target\n")
    cells = [
        [row.robot, str(row.samples), str(row.parts), str(row.cores), f"{row.seconds:.2f}", f"{row.processor:.2f}",
         f"{row.residual:.1e}"]
        for row in budgets
    ]  # fmt: skip
    _print_table(["torque budget", "samples", "parts", "cores", "clock [s]", "processor [s]", "off"], cells)
    print(f"\nall parts, shares and reactions, the trajectory included; aim: {AIM:g} s for a million on two idle cores")


def _simulation(quick: bool, as_json: bool) -> None:
    from dataclasses import asdict

    from benchmarks.simulation import rows
    from dynamis.cli.progress import Progress

    with Progress("measuring") as progress:
        found = rows(256, 100, 1, progress) if quick else rows(progress=progress)
    if as_json:
        data = [{**asdict(row), "times": row.times, "scaling": row.scaling} for row in found]
        print_json({"subject": "simulation", "rows": data})
        return
    cells = [
        [row.robot, str(row.batch), str(row.steps), f"{1e9 / row.ours:.0f}", f"{1e9 / row.mujoco:.0f}",
         f"{row.times:.1f}", f"{row.scaling:.2f}", f"{row.difference:.1e}"]
        for row in found
    ]  # fmt: skip
    header = ["rollouts", "batch", "steps", "dynamis [ns/step]", "MuJoCo [ns/step]", "times", "2 threads", "apart"]
    _print_table(header, cells)
    print("\nRK4 of 1 ms, PD + gravity compensation, one thread each; aims: 8 times, 1.8 with two threads")


def _exact(largest: int, as_json: bool) -> None:
    from dataclasses import asdict

    from benchmarks.exact import pages, rows

    written = list(pages())
    found = list(rows(largest))
    if as_json:
        data = {"rows": [asdict(row) for row in found], "pages": [asdict(row) for row in written]}
        print_json({"subject": "exact", **data})
        return
    cells = [
        [
            row.robot, str(row.symbols), f"{row.mass_matrix:.3f}", f"{row.christoffel:.3f}", f"{row.proved:.3f}",
            str(row.terms), "-" if row.memory_gb is None else f"{row.memory_gb:.2f}",
            "" if row.aim is None else f"{row.aim:g}",
            "" if row.sympy is None else f"{row.sympy:.2f}",
        ]
        for row in found
    ]  # fmt: skip
    header = [
        "robot",
        "symbols",
        "M [s]",
        "+ c, g [s]",
        "+ NE = EL [s]",
        "terms",
        "memory [GB]",
        "aim [s]",
        "SymPy [s]",
    ]
    _print_table(header, cells)
    print("\nevery mass, CoM, inertia and length is a symbol; one core; each row in its own process\n")
    cells = [
        [
            row.robot,
            f"{row.first:.3f}",
            f"{row.processor:.3f}",
            f"{row.repeated:.3f}",
            str(row.characters),
            f"{row.aim:g}",
        ]
        for row in written
    ]
    header = ["textbook page (LaTeX)", "first [s]", "of the processor [s]", "again [s]", "characters", "aim [s]"]
    _print_table(header, cells)
    print("\nafter import: the robot's file, every step of the derivation, and the page")


app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(interruptible(command))

if __name__ == "__main__":
    run(app)
