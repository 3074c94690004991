"""The benchmark as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.dynamics.run import Benchmark
from benchmarks.dynamics.this_machine import machine_sentence

Cells = Sequence[str]
QUIET = 0.9
"""Share of a core below which figures mean little."""


def print_benchmark(benchmark: Benchmark) -> None:
    """One table per robot, the targets, what was left out, and the machine."""
    for robot in dict.fromkeys(row["robot"] for row in benchmark.rows):
        _print_robot([row for row in benchmark.rows if row["robot"] == robot])
    if benchmark.targets:
        cells = [
            [t.robot, t.quantity, t.what, f"{'<=' if t.at_most else '>='} {t.wanted:g}", figures(t.found),
             "reached" if t.reached else "NOT reached"]
            for t in benchmark.targets
        ]  # fmt: skip
        show("targets", ["robot", "quantity", "times", "wanted", "found", ""], cells, left=3)
    for note in benchmark.notes:
        print(note)
    share = min((row["share"] for row in benchmark.rows), default=1.0)
    if share < QUIET:
        print(f"others were at work on this machine: this process had {share:.0%} of a core at times; measure again")
    print(f"\n{machine_sentence(benchmark.machine)}")
    print("robots without friction; agreement with every peer was checked before it was timed; medians of turns;")
    print("one thread by processor time, several by the clock on the wall")


def _print_robot(rows: list[dict[str, Any]]) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row["cells"]))
    with_limit = any(row["limit"] for row in rows)
    header = ["quantity", "states", *(name.replace(" ", "\n") for name in columns), *(["limit"] if with_limit else [])]
    cells = [[row["quantity"], str(row["batch"]), *(_cell(row, name) for name in columns)] for row in rows]
    for row, line in zip(rows, cells, strict=True):
        if with_limit:
            line.append(_limit(row))
    show(f"{rows[0]['robot']}, {rows[0]['joints']} joints: ns per state (times dynamis on one thread)", header, cells)
    first = next((row for row in rows if row["limit"]), None)
    if first:
        print(limit_sentence(first["quantity"], first["limit"]))


def limit_sentence(quantity: str, limit: dict[str, Any]) -> str:
    """How the limit of a quantity was found."""
    return (
        f"limit of {quantity}: {limit['bytes']} bytes at {limit['bytes_a_ns']:.0f} bytes/ns are "
        f"{limit['memory_ns']:.1f} ns; {limit['operations']} operations at {limit['operations_a_ns']:.0f} a ns, all "
        f"fused in pairs, are {limit['arithmetic_ns']:.1f} ns"
    )


def _cell(row: dict[str, Any], name: str) -> str:
    cell = row["cells"].get(name)
    if cell is None:
        return ""
    if name.startswith("dynamis"):
        return figures(cell["ns"])
    return f"{figures(cell['ns'])} ({figures(cell['ratio'])}x)"


def _limit(row: dict[str, Any]) -> str:
    """The limit, and how many times as long dynamis takes."""
    if not row["limit"]:
        return ""
    ns, ours = row["limit"]["ns"], row["cells"].get("dynamis")
    return figures(ns) if ours is None else f"{figures(ns)} ({figures(ours['ns'] / ns)}x)"


def figures(value: float) -> str:
    """Three figures, never an exponent: 0.85, 24.1, 1450."""
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def show(title: str, header: Cells, rows: Sequence[Cells], left: int = 1) -> None:
    """A Rich table, as wide as it needs to be."""
    table = Table(
        title=title, title_justify="left", title_style="bold", header_style="bold", box=SIMPLE_HEAD, pad_edge=False
    )
    for k, name in enumerate(header):
        table.add_column(Text(name), justify="left" if k < left else "right")
    for row in rows:
        table.add_row(*row)
    console = Console()
    needed = console.measure(table, options=console.options.update(max_width=1000)).maximum
    Console(width=max(console.width, needed)).print(table)
