"""`dynamis studio`: a workbench in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.completion import completed


def command(
    robot: Annotated[
        str | None,
        typer.Argument(metavar="[ROBOT]", help="A shipped robot's name, or a file.", autocompletion=completed("robot")),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; beyond this computer it asks for a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any that is free.")] = 8642,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open no browser.")] = False,
) -> None:
    """Open a workbench in the browser: edit a robot, derive, check answers, move, simulate, learn, export.

    It runs on this computer, without internet, until Ctrl-C. The page keeps your robot; save it as a file from there.
    """
    from dynamis.errors import ArgumentError
    from dynamis.studio.server import Studio

    given = None
    if robot is not None:
        from dynamis.studio.boot import robot_file

        given = robot_file(robot)
    try:
        studio = Studio(host, port, given)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ArgumentError(f"cannot listen at {host}:{port}: {reason}; give another --port", key="port") from None
    studio.workers.start_one()
    print(f"dynamis studio: {studio.address}\nCtrl-C ends it.", flush=True)
    if not no_browser:
        import webbrowser

        webbrowser.open(studio.address)
    try:
        studio.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        studio.server_close()
