"""`python -m benchmarks SUBJECT`: dynamis measured beside its peers, in one run."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.parts import Plan
from dynamis.cli.ending import end_interrupted, interruptible
from dynamis.cli.main import run
from dynamis.cli.options import JsonOption
from dynamis.cli.terminal import Progress
from dynamis.telling.series import json_text

SUBJECTS = (
    "dynamics",
    "exact",
    "learning",
    "motion",
    "simulation",
    "sweep",
    "width",
    "length",
    "first-call",
    "counts",
    "large",
    "gpu",
    "export",
    "identification",
    "mistakes",
)
Names = Annotated[str, typer.Option(metavar="NAMES", help="dynamics, learning, mistakes: names with commas between.")]


def command(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help=f"{', '.join(SUBJECTS)}.")] = "dynamics",
    robots: Names = "",
    quantities: Names = "",
    batch: Annotated[int, typer.Option(min=1, help="dynamics: states of a batch.")] = 100_000,
    quick: Annotated[bool, typer.Option("--quick", help="Small batches and few rounds: a look, not a figure.")] = False,
    width: Annotated[bool, typer.Option("--width", help="As the subject width.")] = False,
    length: Annotated[bool, typer.Option("--length", help="As the subject length.")] = False,
    largest: Annotated[int, typer.Option(min=6, max=10, help="exact: joints of the longest chain.")] = 9,
    sdist: Annotated[
        Path | None, typer.Option(help="identification: the source distribution of figaroh 1.0.2.")
    ] = None,
    logs: Annotated[
        Path | None, typer.Option(help="mistakes: a folder of logs of a Panda and a UR10e, see gains_and_zeros.py.")
    ] = None,
    first: Annotated[
        int, typer.Option(help="mistakes: the first seed; thresholds of the verdicts were chosen on smaller ones.")
    ] = 7000,
    counted: Annotated[
        Path | None,
        typer.Option(help="mistakes: a folder that keeps what was counted; another run goes on from there."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure dynamis beside its peers; agreement is checked before anything is timed."""
    from dynamis.base.errors import UnknownNameError

    if subject == "dynamics" and (width or length):
        subject = "width" if width else "length"
    match subject:
        case "dynamics":
            _dynamics(_names(robots), _names(quantities), batch, quick, as_json)
        case "exact":
            _exact(largest, as_json)
        case "learning":
            _learning(_names(robots), quick, as_json)
        case "motion":
            _motion(quick, as_json)
        case "simulation":
            _simulation(quick, as_json)
        case "sweep":
            _sweep(quick, as_json)
        case "gpu":
            _gpu(quick, as_json)
        case "export":
            _export(_names(robots), quick, as_json)
        case "identification":
            _identification(sdist, quick, as_json)
        case "mistakes":
            plan = Plan(1 if quick else 3, first, _names(robots), counted)
            _mistakes(_names(quantities) or ["small", "large"], plan, logs, as_json)
        case "large":
            _large(_names(robots), quick, as_json)
        case "width" | "length" | "first-call" | "counts":
            _small(subject, quick, as_json)
        case _:
            raise UnknownNameError("subject", subject, SUBJECTS)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _dynamics(robots: list[str], quantities: list[str], batch: int, quick: bool, as_json: bool) -> None:

    from benchmarks.dynamics.report import print_benchmark
    from benchmarks.dynamics.rows import QUICK, Pace
    from benchmarks.dynamics.run import benchmark
    from benchmarks.dynamics.subject import QUANTITIES, ROBOTS, is_robot
    from benchmarks.dynamics.this_machine import cores
    from dynamis.base.errors import UnknownNameError

    for name in quantities:
        if name not in QUANTITIES:
            raise UnknownNameError("quantity", name, QUANTITIES, key="quantities")
    for name in robots:
        if not is_robot(name):
            raise UnknownNameError("robot", name, ROBOTS, key="robots")
    pace = replace(QUICK, batch=min(batch, QUICK.batch)) if quick else Pace(batch)
    with Progress("measuring") as progress:
        result = benchmark(robots or ROBOTS, quantities, replace(pace, threads=cores()), progress)
    if as_json:
        print(json_text({"subject": "dynamics", **result.as_json()}))
    else:
        print_benchmark(result)
    if result.interrupted:
        end_interrupted(f"{len(result.rows)} rows were measured before and are printed; no file was written")


def _small(subject: str, quick: bool, as_json: bool) -> None:

    from benchmarks.dynamics.small import SUBJECTS

    measure, show = SUBJECTS[subject]
    with Progress("measuring") as progress:
        rows = measure(quick, progress)
    if as_json:
        print(json_text({"subject": subject, "rows": rows}))
    else:
        show(rows)


def _motion(quick: bool, as_json: bool) -> None:
    from benchmarks.dynamics.report import show
    from benchmarks.motion import AIM, budget_rows, rows

    table = rows(1000, 1) if quick else rows()
    times = table[0].rate / table[1].rate
    budgets = budget_rows(20_000, 1) if quick else budget_rows()
    if as_json:
        data = {"rows": [asdict(row) for row in table], "times": times, "budgets": [asdict(row) for row in budgets]}
        print(json_text({"subject": "motion", **data}))
        return
    cells = [[x.library, f"{x.targets}", f"{x.rate:.0f}", f"{x.success:.2%}", f"{x.worst:.1e}"] for x in table]
    show("inverse kinematics, UR5", ["library", "targets", "targets/s", "solved", "worst error"], cells)
    print(f"{times:.1f} times the rate; one core; every solution was brought back to its target\n")
    cells = [
        [x.robot, f"{x.samples}", f"{x.parts}", f"{x.cores}", f"{x.seconds:.2f}", f"{x.processor:.2f}",
         f"{x.residual:.1e}"]
        for x in budgets
    ]  # fmt: skip
    show("torque budget", ["robot", "samples", "parts", "cores", "clock [s]", "processor [s]", "off"], cells)
    print(f"all parts, shares and reactions, the trajectory included; aim: {AIM:g} s for a million on two idle cores")


def _simulation(quick: bool, as_json: bool) -> None:

    from benchmarks.dynamics.report import show
    from benchmarks.simulation import followings, rows

    with Progress("measuring") as progress:
        table = rows(256, 100, 1, progress) if quick else rows(progress=progress)
        along = followings(1500, 1, progress) if quick else followings(progress=progress)
    if as_json:
        data = [{**asdict(row), "times": row.times, "scaling": row.scaling} for row in table]
        followed = [{**asdict(row), "cost": row.cost} for row in along]
        print(json_text({"subject": "simulation", "rows": data, "following": followed}))
        return
    cells = [
        [x.robot, f"{x.batch}", f"{x.steps}", f"{1e9 / x.ours:.0f}", f"{1e9 / x.mujoco:.0f}", f"{x.times:.1f}",
         f"{x.scaling:.2f}", f"{x.difference:.1e}"]
        for x in table
    ]  # fmt: skip
    header = ["robot", "batch", "steps", "dynamis [ns/step]", "MuJoCo [ns/step]", "times", "2 threads", "apart"]
    show("rollouts", header, cells)
    print("RK4 of 1 ms, PD + gravity compensation, one thread each; aims: 8 times, 1.8 with two threads")
    cells = [
        [x.robot, f"{x.steps}", *(f"{1e6 * t:.2f}" for t in (x.holding, x.following, x.compiled, x.mujoco)),
         f"{x.cost:.2f}", f"{x.difference:.1e}"]
        for x in along
    ]  # fmt: skip
    header = ["robot", "steps", "hold [us/step]", "follow", "rollouts", "MuJoCo", "follow / hold", "apart"]
    show("one robot along a trajectory", header, cells)
    print("simulate and rollouts of one robot, with its stops; aim: follow / hold below 2")


def _export(robots: list[str], quick: bool, as_json: bool) -> None:
    from benchmarks.dynamics.report import show
    from benchmarks.export import ROBOTS, rows, words

    with Progress("measuring") as progress:
        table = rows(*((5, 2) if quick else ()), say=progress, robots=robots or ROBOTS)
    if as_json:
        print(json_text({"subject": "export", "rows": [{**asdict(row), "ratio": row.ratio} for row in table]}))
        return
    cells = [
        [x.robot, x.quantity, *(f"{ns:.0f}" for ns in (x.ours, x.casadi, x.textbook)), f"{x.ratio:.2f}", f"{x.lines}"]
        for x in table
    ]
    header = ["robot", "quantity", "dynamis [ns]", "CasADi", "CasADi, textbook", "ratio", "lines of C"]
    show("exported C", header, cells)
    print(words())


def _gpu(quick: bool, as_json: bool) -> None:
    from benchmarks.dynamics.report import show
    from benchmarks.gpu import measure

    with Progress("measuring") as progress:
        result = measure(quick, progress)
    tables = {key: [asdict(row) for row in result[key]] for key in ("throughputs", "rollouts", "calls")}
    if as_json:
        print(json_text({"subject": "gpu", **result, **tables}))
        return
    print(
        f"{result['device']['gpu']}, {result['device']['date']}; cupy.copyto moves {result['copy'] / 1e12:.2f} TB/s\n"
    )
    cells = [
        [x.robot, x.quantity, x.dtype, f"{x.rate / 1e9:.2f}", f"{x.share:.0%}", f"{x.error:.0e}"]
        for x in result["throughputs"]
    ]
    show("large batches", ["robot", "quantity", "numbers", "G states/s", "of copying", "off"], cells, left=3)
    cells = [[x.robot, x.dtype, f"{x.rate / 1e9:.2f}", f"{x.error:.0e}"] for x in result["rollouts"]]
    show("rollouts, RK4 with PD + gravity", ["robot", "numbers", "G steps/s", "off"], cells, left=2)
    cells = [[x.library, x.quantity, f"{x.batch}", f"{x.rate / 1e6:.1f}"] for x in result["calls"]]
    show("calls from Python, Panda, float32", ["library", "quantity", "batch", "M states/s"], cells, left=2)


def _sweep(quick: bool, as_json: bool) -> None:
    from benchmarks.dynamics.report import show
    from benchmarks.dynamics.this_machine import machine_sentence, this_machine
    from benchmarks.sweep import AIM, MOST_MEMORY, measure

    with Progress("measuring") as progress:
        x = measure(quick, progress)
    machine = this_machine()
    if as_json:
        print(
            json_text(
                {
                    "subject": "sweep",
                    "machine": machine,
                    **asdict(x),
                    "share": x.share,
                    "share_of_core": x.share_of_core,
                    "share_of_whole": x.share_of_whole,
                }
            )
        )
        return
    w = x.whole
    rows = [
        ["engine", f"{x.threads} threads", f"{x.engine:.2f}", ""],
        ["sweep", f"{x.threads} threads", f"{x.sweep:.2f}", f"{x.share:.0%}"],
        ["sweep", f"{w.states:.0e} states to a file", f"{w.seconds / w.states * 1e9:.2f}", f"{x.share_of_whole:.0%}"],
        ["engine", "processor, one thread", f"{x.one_core[1]:.2f}", ""],
        ["sweep", "processor, one thread", f"{x.one_core[0]:.2f}", f"{x.share_of_core:.0%}"],
        *(["sweep", f"cluster of {n}", f"{t:.2f}", f"{x.engine / t:.0%}"] for n, t in x.processes.items()),
    ]
    show("inverse dynamics of the UR5: max, argmax, 60 x 80 cells", ["", "on", "ns per state", "of the engine"], rows)
    print(f"{w.states:.0e} states to a file: {w.seconds:.1f} s, {w.memory:.0f} MB of memory, {w.file:.1f} MB on disk")
    print(f"aims: {AIM:.0%} of the engine's rate, {MOST_MEMORY} MB; {machine_sentence(machine)}")


def _identification(sdist: Path | None, quick: bool, as_json: bool) -> None:
    from benchmarks.dynamics.report import show
    from benchmarks.identification import AIM, beside_figaroh, speed

    row = speed(10_000) if quick else speed()
    result, peers = (None, []) if sdist is None else beside_figaroh(sdist)
    if as_json:
        data = {"speed": asdict(row), "tiago": [asdict(peer) for peer in peers]}
        print(json_text({"subject": "identification", **data}))
        return
    times = (row.first, row.first_processor, row.second, row.second_processor)
    header = ["robot", "samples", "first call [s]", "of the processor", "second call [s]", "of the processor"]
    show("identify", header, [[row.robot, f"{row.samples}", *(f"{x:.2f}" for x in times)]])
    print(f"positions, velocities and torques, the cut-off chosen; aim: {AIM:g} s for 100000 on one idle core\n")
    if result is None:
        print("TIAGo beside FIGAROH: give --sdist, see benchmarks/identification.py")
        return
    cells = [[x.library, f"{x.samples}", f"{x.parameters}", f"{x.error:.8%}", f"{x.seconds:.2f}"] for x in peers]
    show("TIAGo, least squares", ["library", "samples", "parameters", "left of torques", "time [s]"], cells)
    print(f"identify on the same log: {result.relative_error:.2%} left on held-out stretches; its words:")
    print("\n".join(result.words()))


def _mistakes(sizes: list[str], plan: Plan, logs: Path | None, as_json: bool) -> None:
    from benchmarks import gains_and_zeros
    from benchmarks.dynamics.report import show
    from benchmarks.mistakes import study

    with Progress("judging") as progress:
        small = gains_and_zeros.study(plan, logs, progress) if "small" in sizes else []
        rows = study(plan, progress) if "large" in sizes else []
    if as_json:
        small = [asdict(row) for row in small]
        print(json_text({"subject": "mistakes", "rows": [asdict(row) for row in rows], "small": small}))
        return
    header = [
        "log", "mistakes", "logs", "refused", "trusted", "a gain named", "sure", "named at the joint", "not checked",
        "not checked, sure", "15 % wrong unsaid",
    ]  # fmt: skip
    if small:
        cells = [[*map(str, asdict(x).values())] for x in small]
        show("gains from 0.6 to 1.7, zeros from 1 to 10 degrees", header, cells)
    header = [
        "mistake", "logs", "refused", "doubted for a reason", "doubted", "trusted", "wrong, not checked",
        "wrong",
    ]  # fmt: skip
    for short, title in ((False, "logs of 5 s and more"), (True, "logs of 1 and 2 s")) if rows else ():
        cells = [[row.mistake, *map(str, list(asdict(row).values())[2:])] for row in rows if row.short == short]
        show(f"verdicts of identify on {title}", header, cells)


def _large(robots: list[str], quick: bool, as_json: bool) -> None:
    from benchmarks.dynamics.report import figures, show
    from benchmarks.dynamics.this_machine import machine_sentence, this_machine
    from benchmarks.large import BATCH, measure

    with Progress("measuring") as progress:
        result = measure(robots, quick, progress)
    machine = this_machine()
    if as_json:
        rows = [{**asdict(row), "times": row.times} for row in result.rows]
        data = {"machine": machine, "batch": BATCH, "rows": rows, "missing": result.missing, "share": result.share}
        print(json_text({"subject": "large", **data}))
        return
    cells = [
        [x.robot, f"{x.joints}", x.quantity, f"{x.use:.2f}", figures(x.batch / 1e3),
         *("" if t is None else figures(t / 1e3) for t in (x.call, x.pinocchio, x.mujoco)),
         "" if x.times is None else f"{x.times:.1f}"]
        for x in result.rows
    ]  # fmt: skip
    header = ["robot", "joints", "quantity", "until code [s]", "batch [us]", "one call", "Pinocchio", "MuJoCo", "times"]
    show("large robots: us per state", header, cells)
    for note in dict.fromkeys(f"{x.robot}: {note}" for x in result.rows for note in x.notes):
        print(note)
    for name, why in result.missing.items():
        print(f"{name} was left out: {why}")
    print(f"\nresults compared with the peers' before they were timed; {result.share:.0%} of a core at the least")
    print(machine_sentence(machine))


def _learning(robots: list[str], quick: bool, as_json: bool) -> None:
    from benchmarks.dynamics.report import show
    from benchmarks.learning import CORRECTIONS, rows

    with Progress("measuring") as progress:
        table = rows(robots, 0.5, 5e-3, progress) if quick else rows(robots, progress=progress)
    if as_json:
        print(json_text({"subject": "learning", "corrections": CORRECTIONS, "rows": [asdict(row) for row in table]}))
        return
    cells = [
        [x.robot, *(f"{e:.0e}, {100 * u:.2g} %" for e, u in zip(x.errors, x.distances, strict=True)),
         *["diverged"] * (len(CORRECTIONS) - len(x.errors)),
         "converges" if x.without_ahead is None else f"diverges ({x.without_ahead})"]
        for x in table
    ]  # fmt: skip
    show("learning", ["robot", *(f"{k} corrections" for k in CORRECTIONS), "ahead=0"], cells)
    print("tracking error [rad or m], distance from the analytic torque; masses and inertias 20 % off, each by chance")


def _exact(largest: int, as_json: bool) -> None:
    from benchmarks.dynamics.report import show
    from benchmarks.exact import pages, rows

    page_rows, table = list(pages()), list(rows(largest))
    if as_json:
        data = {"rows": [asdict(row) for row in table], "pages": [asdict(row) for row in page_rows]}
        print(json_text({"subject": "exact", **data}))
        return
    cells = [
        [x.robot, f"{x.symbols}", f"{x.mass_matrix:.3f}", f"{x.christoffel:.3f}", f"{x.proved:.3f}", f"{x.terms}",
         "-" if x.memory_gb is None else f"{x.memory_gb:.2f}", "" if x.aim is None else f"{x.aim:g}",
         "" if x.sympy is None else f"{x.sympy:.2f}"]
        for x in table
    ]  # fmt: skip
    header = [
        "robot",
        "symbols",
        "M [s]",
        "+ c and g [s]",
        "+ NE = EL [s]",
        "terms",
        "memory [GB]",
        "aim [s]",
        "SymPy [s]",
    ]
    show("exact equations", header, cells)
    print("every mass, CoM, inertia and length is a symbol; one core; each row in its own process\n")
    cells = [
        [x.robot, f"{x.first:.3f}", f"{x.processor:.3f}", f"{x.repeated:.3f}", f"{x.characters}", f"{x.aim:g}"]
        for x in page_rows
    ]
    header = ["robot", "first [s]", "of the processor [s]", "again [s]", "characters", "aim [s]"]
    show("textbook page (LaTeX)", header, cells)
    print("after import: the robot's file, every step of the derivation, and the page")


app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(interruptible(command))

if __name__ == "__main__":
    run(app)
