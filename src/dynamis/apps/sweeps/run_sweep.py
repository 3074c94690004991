"""The sweep of a file, as something that can be asked for: of a robot, with another payload, or explained only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from pathlib import Path
from typing import TYPE_CHECKING

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.model.payload import Payload
    from dynamis.robot import Robot
    from dynamis.telling.result import Result as Result


@verb
class RunSweep(Verb["Result"]):
    """Sweep a robot over millions of states: largest values and the states that had them, shares, and maps.

    States are drawn from ranges of positions, velocities, loads and parameters, and reduced as they are made. The
    sweeps torque-map, payload-map, reach-map and bearing-map are maps of any robot; a file may also ask for tolerance
    bands of a motion, certified bounds, or a search of designs.

    >>> import dynamis
    >>> run_sweep(dynamis.load("ur5"), "ur5-torque", explain=True).states
    1048576
    """

    answer = "dynamis.apps.sweeps.sweep_file:sweep_of_file"
    file = "dynamis.apps.sweeps.run_sweep:RunSweep.of_file"

    robot: Robot = option("the robot", kind="robot")
    sweep: str | Path = option("name of a shipped sweep, or path of a TOML file", kind="python")
    _: KW_ONLY
    explain: bool = option("only say how many states there are, how long they take and how much room", default=False)
    bracket: bool = option(
        "certified bounds beside the largest and the least values over the whole box, as [bracket] in a file",
        default=False,
    )
    threads: int | None = option("threads; as many as there are cores if left out", default=None, least=1)
    payload: Payload | None = option("a `Payload` in the place of the file's", default=None, kind="payload")
    kept: Path | None = option(
        "file for what is done; an interrupted sweep goes on from there", default=None, kind="python"
    )
    progress: Callable[[str], None] | None = option(
        "is called with a line about how far it is", default=None, kind="python"
    )

    @staticmethod
    def of_file(name: str | Path, robot: Robot, payload: Payload | None = None) -> RunSweep:
        """The sweep of a file; it is read when it is asked."""
        return RunSweep(robot, name, payload=payload)


run_sweep = function(RunSweep, "run_sweep")
