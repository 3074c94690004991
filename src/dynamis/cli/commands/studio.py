"""`dynamis studio`: a workbench in the browser."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Annotated

import typer

from dynamis.cli.completion import complete_names

if TYPE_CHECKING:
    from dynamis.apps.studio.server import Studio

DEFAULT_PORT = 8642
"""The same every time, so that a page that is still open finds the next studio."""


def command(
    robot: Annotated[
        str | None,
        typer.Argument(
            metavar="[ROBOT]", help="A shipped robot's name, or a file.", autocompletion=complete_names("robot")
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; beyond this computer a token is required.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help=f"Port; {DEFAULT_PORT} by default, or a free one if that is taken."),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open no browser.")] = False,
) -> None:
    """Open a workbench in the browser: edit a robot, derive, check answers, move, simulate, learn, export.

    It runs on this computer, without internet, until Ctrl-C. The page keeps your robot; save it as a file from there.
    """
    given = None
    if robot is not None:
        from dynamis.apps.studio.boot import robot_file

        given = robot_file(robot)
    studio = _listening(host, port, given)
    studio.workers.start_one()
    print(f"dynamis studio: {studio.address}")
    if studio.everywhere:
        print(f"From another computer: {studio.elsewhere}")
    print("Ctrl-C ends it.", flush=True)
    if not no_browser:
        import webbrowser

        webbrowser.open(studio.address)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended as by Ctrl-C: workers and their folders go, too
    try:
        studio.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        studio.server_close()


def _listening(host: str, port: int | None, robot: tuple[str, str] | None) -> Studio:
    from dynamis.apps.studio.server import Studio
    from dynamis.base.errors import ArgumentError

    try:
        return Studio(host, DEFAULT_PORT if port is None else port, robot)
    except OSError as error:
        if port is None:
            return _listening(host, 0, robot)
        reason = error.strerror or str(error)
        said = f"cannot listen at {host}, port {port}: {reason}; give another --host or --port"
        raise ArgumentError(said, key="port") from None
