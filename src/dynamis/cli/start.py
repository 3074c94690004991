"""Where the command `dynamis` begins: Ctrl-C during the imports ends as it does later, in a sentence."""

from __future__ import annotations

import sys


def run() -> None:
    """The command line."""
    try:
        from dynamis.cli.main import run
    except KeyboardInterrupt:
        print("interrupted: nothing was done", file=sys.stderr)
        sys.exit(130)
    run()
