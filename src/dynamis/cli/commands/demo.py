"""`dynamis demo`: the first minute, a little of everything, and a live report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from dynamis.cli.options import ForceOption, FormatOption, JsonOption, OutputOption
from dynamis.cli.output import PageTarget, check_output, page_target
from dynamis.cli.terminal import Progress, print_marked, warnings_so_far

OWN = "command: dynamis demo"
"""What stands at the foot of a report that this command has written: it may be replaced."""


def command(
    page: FormatOption = None,
    output: OutputOption = None,
    report: Annotated[
        Path, typer.Option(metavar="FILE", help="Where to write the live report, .html; none for no report.")
    ] = Path("dynamis-demo.html"),
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """The first minute: equations proved, exercises, mistakes found, a million torques, a torque budget, a live report.

    The equations of motion of a 2R arm and their proofs, ten exercises beside the printed results, mistakes found in a
    printed derivation, a million torques timed, a torque budget; and a report that computes, whose path is printed.
    """
    from dynamis.base.printable import is_unicode
    from dynamis.cli.demo import FILLS, NOTATION, PLAIN_FILLS, Demo, Part, demo
    from dynamis.telling.blocks import Document

    target = page_target(page, as_json, output, force)
    live = None if str(report) == "none" else report
    if live is not None:
        check_report(live, force)
    fills = FILLS if not target.printed or is_unicode(sys.stdout.encoding or "utf-8") else PLAIN_FILLS
    parts: list[Part] = []
    with Progress("demo") as progress:
        for part in demo(progress, fills):
            parts.append(part)
            if target.printed:
                progress.clear()
                target.write(target.text(Document("", (part.section,)), most=80, notation=NOTATION) + "\n", "")
                sys.stdout.flush()
        result = Demo(tuple(parts))
        if not target.printed:
            target.write(target.text(result, most=80, notation=NOTATION), "a little of everything", quiet=as_json)
        if live is not None:
            progress("a report that computes")
            write_report(live)
    if live is not None and not as_json:
        print_report_path(live, target.printed)
    if not result.right:
        raise typer.Exit(1)


def check_report(path: Path, force: bool) -> None:
    """Refuse, before the work, a file that is not a report of this command, or could not be written."""
    from dynamis.apps.live.live_report import check_format

    check_format(path, (".html",), "report")
    own = path.is_file() and OWN in path.read_text(encoding="utf-8", errors="replace")
    check_output(path, force or own)


def write_report(path: Path) -> None:
    """Write the live report."""
    from dynamis.cli.demo import demo_report

    target = PageTarget("html", path)
    target.write(demo_report().page("html", provenance=target.provenance, warnings=warnings_so_far()), "", quiet=True)


def print_report_path(path: Path, headed: bool) -> None:
    """Say where the live report is, at the end of a printed demo under a heading."""
    from dynamis.base.printable import PLAIN, STRONG
    from dynamis.cli.demo import ARM, MOTION

    if headed:
        title = "A report that computes"
        print_marked(
            f"{STRONG}{title}{PLAIN}\n{STRONG}{'-' * len(title)}{PLAIN}\n\n    dynamis report {ARM} {MOTION}\n"
        )
        print("One file with the arm's model in it: open it in a browser, move a slider.")
    print(f"wrote {path.absolute()}")
