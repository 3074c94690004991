"""`--film`: a film among the files of the folder of `-o`, or in a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from dynamis.cli.completion import complete_names
from dynamis.cli.output import File, check_formats, check_output
from dynamis.cli.terminal import Progress

FORMATS = ("html", "gif", "mp4", "none")
FilmOption = Annotated[
    str,
    typer.Option(
        "--film",
        "--animation",
        metavar="FILE|FORMAT",
        help="Film the motion: a file such as falls.html, .gif or .mp4; or html, gif, mp4 (needs ffmpeg) or none, the "
        "film in the folder of -o.",
        autocompletion=complete_names("film"),
    ),
]


@dataclass(frozen=True)
class FilmTarget:
    """Where a film goes: `form` is that of the one in the folder."""

    form: str
    file: Path | None = None

    def files(self, save: Callable[[Path], object], progress: Progress) -> Iterator[File]:
        """The film in the folder, if there is one."""
        if self.form != "none":
            progress(f"animation as {self.form}")
            yield f"animation.{self.form}", save

    def write(self, save: Callable[[Path], object], title: str, quiet: bool) -> None:
        """Write the file, and say so, unless `quiet`."""
        from dynamis.base.writing import is_stream

        if self.file is not None:
            save(self.file)
            if not quiet and not is_stream(self.file):
                print(f"wrote {self.file}: {title}")


def film_target(word: str, folder: Path | None, force: bool) -> FilmTarget:
    """What `--film` asks for; refused before the work where it cannot be written."""
    from dynamis.base.errors import ArgumentError

    form = Path(word).suffix.lower().removeprefix(".")
    file = Path(word) if form in FORMATS[:-1] else None
    form = word if file is None else form
    if form not in FORMATS:
        raise ArgumentError(
            f'--film must be html, gif, mp4 or none, or a file that ends in .html, .gif or .mp4, got "{word}"',
            key="film",
        )
    check_formats(file or folder, ("animation", form, FORMATS))
    check_output(file, force)
    if form == "mp4" and (file or folder) is not None:
        from dynamis.simulation.animation.drawing import check_ffmpeg

        check_ffmpeg()
    return FilmTarget(form) if file is None else FilmTarget("none", file)
