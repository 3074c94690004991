"""`Simulation.animate`: a page with a player (HTML), a GIF, or an MP4."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dynamis.base.arguments import positive
from dynamis.base.errors import ArgumentError
from dynamis.base.provenance import Provenance
from dynamis.base.writing import check_file
from dynamis.simulation.animation.frames import Animation, Run, animation

MAX_FRAMES = {".html": 1500, ".gif": 600, ".mp4": 3600}
"""A longer animation has fewer frames per second: they bound the size of the file."""


def animate(run: Run, path: str | Path, fps: float, speed: float, provenance: Provenance | None = None) -> None:
    """Write the animation in the format of the file's name; the file says where it comes from."""
    fps, speed = positive("fps", fps, "1/s"), positive("speed", speed, "1")
    suffix = Path(path).suffix.lower()
    if suffix not in MAX_FRAMES:
        raise ArgumentError(
            f'the name of an animation must end in {", ".join(MAX_FRAMES)}, got "{path}"', key="path"
        )  # fmt: skip
    check_file(path)
    from dynamis.simulation.animation import drawing, page

    writers: dict[str, Callable[[Animation, Path], None]] = {
        ".html": page.write, ".gif": drawing.write_gif, ".mp4": drawing.write_mp4,
    }  # fmt: skip
    if suffix == ".mp4":
        drawing.check_ffmpeg()
    film = animation(run, fps, speed, MAX_FRAMES[suffix])
    writers[suffix](replace(film, provenance=provenance or run.robot.provenance()), Path(path))
