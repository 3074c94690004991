"""Where the output of a command goes: a page on the terminal or in one file, or a folder of files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dynamis.cli.ending import end_interrupted, fail
from dynamis.cli.provenance import Inputs, command_provenance
from dynamis.cli.terminal import print_marked, remark, warnings_so_far

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance
    from dynamis.telling.blocks import Document
    from dynamis.telling.result import Result

PAGES = {
    ".txt": "text", ".tex": "latex", ".md": "markdown", ".html": "html", ".typ": "typst", ".json": "json",
    ".pdf": "typst",
}  # fmt: skip
"""The format of a page by the suffix of its file; Typst makes the PDF."""
FIGURE = "format of figures"
FIGURES = ("png", "pdf", "svg", "none")
HISTORIES = ("csv", "parquet", "none")
_MATPLOTLIB = "figures need matplotlib", "matplotlib", "figures"
NEEDS = {
    "png": _MATPLOTLIB, "pdf": _MATPLOTLIB, "svg": _MATPLOTLIB,
    "parquet": ("Parquet needs pyarrow", "pyarrow", "history"),
    "gif": ("a GIF needs matplotlib", "matplotlib", "animation"),
    "mp4": ("MP4 needs matplotlib", "matplotlib", "animation"),
}  # fmt: skip
"""For a format: the sentence where its library is missing, the library, and the option that does without."""

File = tuple[str, Callable[[Path], object]]
"""A name, and what writes the file at a path."""


@dataclass(frozen=True)
class PageTarget:
    """Where a page goes, and in which format: to standard output, or to a file."""

    form: str
    output: Path | None = None
    inputs: Mapping[str, Inputs] = field(default_factory=dict[str, Inputs])
    """The files that the command reads, by their kinds."""

    @property
    def printed(self) -> bool:
        """Whether it is text for whoever sits at the terminal."""
        return self.form == "text" and self.output is None

    def text(self, result: Document | Result, width: int | None = None, most: int = 100, **options: Any) -> str:
        """The page; where it is printed it has the weights of the terminal, and its width.

        Without a `width` a page is at most `most` characters wide; `options` of `render`.
        """
        from dynamis.base.writing import is_stream
        from dynamis.cli.terminal import has_colours, page_width
        from dynamis.telling.renderers.page import render

        form = "terminal" if self.printed and has_colours(sys.stdout) else self.form
        room = width or (page_width(most) if self.printed else most)
        streams = self.output is not None and is_stream(self.output)
        origin = None if self.printed or (streams and self.form == "text") else self.provenance
        options = {**options, "pictures": self.output is not None and not streams}
        # Whoever sits at the terminal has read the warnings already.
        seen = self.printed and sys.stdout.isatty()
        warnings = () if seen else None if self.printed else warnings_so_far()
        encoding = (sys.stdout.encoding if self.printed else None) or "utf-8"
        text = render(result, form=form, width=room, provenance=origin, warnings=warnings, encoding=encoding, **options)
        return text.rstrip("\n") + "\n"

    @property
    def provenance(self) -> Provenance:
        """Where the page and the files of the command come from."""
        return command_provenance(**self.inputs)

    def write(self, text: str, title: str, quiet: bool = False) -> None:
        """Print it, or write it to the file and, unless `quiet`, say so; if that fails, print it, and end."""
        from dynamis.base.errors import WriteError
        from dynamis.base.writing import is_stream, write_bytes, write_text

        if self.output is None:
            print_marked(text, end="")
            return
        try:
            if self.output.suffix.lower() == ".pdf":
                from dynamis.telling.renderers.typst import pdf

                write_bytes(self.output, pdf(text))
            elif self.form == "markdown":
                from dynamis.telling.renderers.markdown import write_markdown

                write_markdown(self.output, text)
            else:
                write_text(self.output, text)
        except (WriteError, KeyboardInterrupt) as problem:
            from dynamis.telling.renderers.markdown import picture_files

            print(picture_files(text, "pictures")[0], end="")
            if isinstance(problem, KeyboardInterrupt):
                end_interrupted(f"{self.output} was not written; its text is printed instead")
            fail(problem)
        if not (quiet or is_stream(self.output)):
            print(f"wrote {self.output}: {title}")


TERMINAL = PageTarget("text")


def page_target(name: str | None, as_json: bool, output: Path | None, force: bool, **inputs: Inputs) -> PageTarget:
    """The format of `--as` or `--json`, else the one that the suffix of the file stands for.

    A suffix that stands for another format than the one asked for is refused, and so is a file that is there, unless it
    is forced, or that could not be written. `inputs` are the files that the command reads, by their kinds.
    """
    from dynamis.base.errors import ArgumentError, UnknownNameError
    from dynamis.telling.renderers.page import PAGE_FORMATS

    if name == "pdf" and (output is None or output.suffix.lower() != ".pdf"):
        raise ArgumentError("a PDF is written to a file; give -o page.pdf", key="as")
    name = PAGES.get(f".{name}", name)  # --as tex, as the suffix of a file
    if name is not None and name not in PAGE_FORMATS:
        raise UnknownNameError("format", name, PAGE_FORMATS)
    if as_json and name not in (None, "text", "json"):
        raise ArgumentError(f"--json and --as {name} exclude each other; give one of them", key="as")
    form, option = ("json", "--json") if as_json else (name, f"--as {name}")
    suffix = "" if output is None else output.suffix.lower()
    if form is None and suffix and suffix not in PAGES:
        allowed = ", ".join(PAGES)
        raise ArgumentError(f'the suffix of "{output}" is not that of a page ({allowed}); give --as too', key="output")
    if form is not None and PAGES.get(suffix, form) != form:
        raise ArgumentError(f'{option} and the suffix of "{output}" disagree; give one of them', key="as")
    check_page(output, force)
    return PageTarget(form or PAGES.get(suffix, "text"), output, inputs)


def folder_and_page(output: Path | None) -> tuple[Path | None, Path | None]:
    """`-o` of a command that writes a folder, or, where its name ends like that of a page, this page alone."""
    is_page = output is not None and output.suffix.lower() in PAGES and not os.path.isdir(output)
    return (None, output) if is_page else (output, None)


def check_page(output: Path | None, force: bool) -> None:
    """`check_output` of a page: a PDF of those is made by Typst."""
    if output is not None and output.suffix.lower() == ".pdf" and find_spec("typst") is None:
        from dynamis.base.errors import ArgumentError
        from dynamis.base.extras import install

        raise ArgumentError(f"a PDF needs typst: {install('report')}, or give a .tex or .typ file", key="output")
    check_output(output, force)


def check_output(output: Path | None, force: bool) -> None:
    """Refuse, before the work, a file that is there (unless it is forced) and one that could not be written."""
    if output is None:
        return
    from dynamis.base.errors import ArgumentError
    from dynamis.base.writing import check_file, is_stream

    if str(output) == ".":  # what an empty name becomes
        raise ArgumentError("the name of the output file is missing", key="output")
    if os.path.isdir(output):
        raise ArgumentError(f"{output} is a folder; give the name of a file", key="output")
    if os.path.exists(output) and not force and not is_stream(output):
        raise ArgumentError(f"{output} exists; use --force to overwrite it", key="output")
    check_file(output)


class OutputFolder:
    """The folder of `-o`: tried before the work, and what could be written is told, also where the rest could not be.

    The summaries STEM.txt and STEM.json come last, and the JSON lists the files that belong to it. Those of an earlier
    run go when its first file is replaced. So a folder whose run was killed halfway has no summary.
    """

    def __init__(self, folder: Path | None, stem: str, force: bool, summaries: tuple[str, ...] = ()) -> None:
        """summaries: the names of those of another kind, which `write_all` is given with the files"""
        self.folder = folder
        self.summaries = summaries or (f"{stem}.txt", f"{stem}.json")
        self.names: list[str] = []
        self.problem: BaseException | None = None
        if folder is not None:
            _check_folder(folder, force)

    def write(self, result: Result, files: Iterable[File], provenance: Provenance) -> None:
        """The files, then the summaries of the result as text and as JSON, which say where they come from.

        After a file that cannot be written only the summaries follow.
        """
        from dynamis.base.writing import write_text
        from dynamis.telling.series import json_text

        if self.folder is None:
            return
        self.write_all(files)
        if self.problem is not None and not self.names:
            return
        warnings = warnings_so_far()
        data = json.loads(result.page("json", provenance=provenance, warnings=warnings))
        text = result.page(provenance=provenance, warnings=warnings)
        listed = {**data, "files": [*self.names, *self.summaries]}
        self.write_all(
            [
                (self.summaries[0], lambda path: write_text(path, text)),
                (self.summaries[1], lambda path: json_text(listed, path)),
            ]
        )

    def write_all(self, files: Iterable[File]) -> None:
        """The files in this order, until one cannot be written."""
        from dynamis.base.writing import make_folder

        assert self.folder is not None
        try:
            for name, write in files:
                make_folder((self.folder / name).parent)
                self._write(name, write)
        except (Exception, KeyboardInterrupt) as problem:
            self.problem = self.problem or problem

    def close(self, quiet: bool, interrupted: str = "") -> None:
        """Say what was written, unless `quiet`; what was not is an error, whose exit code is not 0.

        `interrupted` says what Ctrl-C left of the result; empty where the work came to its end.
        """
        from dynamis.base.errors import DynamisError

        stopped = isinstance(self.problem, KeyboardInterrupt)
        if self.problem is not None and not stopped and not isinstance(self.problem, DynamisError):
            raise self.problem
        if interrupted or stopped:
            if not stopped and self.problem is not None:
                remark("error", self.problem)
            missing = ", and not the other files" if stopped and self.names else ""
            end_interrupted(f"{interrupted or 'the result is whole'}; {self.wrote or 'no file was written'}{missing}")
        if self.names and not quiet:
            print(f"\n{self.wrote}")
        if self.problem is not None:
            fail(self.problem)

    @property
    def wrote(self) -> str:
        """`wrote a.csv, a.txt to FOLDER`; empty where no file was written."""
        return f"wrote {', '.join(self.names)} to {self.folder}" if self.names else ""

    def _write(self, name: str, write: Callable[[Path], object]) -> None:
        from dynamis.base.errors import DynamisError
        from dynamis.base.writing import atomic_write, sync

        assert self.folder is not None
        path = self.folder / name
        try:
            with atomic_write(path) as place:
                write(place)
                if not self.names:
                    # The first new file is certain, and the old summaries are no longer true: first the JSON, which
                    # tells that a folder is complete.
                    sync(place)
                    for summary in reversed(self.summaries):
                        (self.folder / summary).unlink(missing_ok=True)
        except DynamisError as error:
            # Its writer knew only the hidden place beside it.
            error.file = str(path)
            raise
        self.names.append(name)


def result_files(
    result: Result,
    figures: str,
    history: str,
    progress: Callable[[str], None],
    provenance: Provenance,
    stem: str = "history",
    draw: Callable[[str], Any] | None = None,
) -> Iterator[File]:
    """The files of a result but its summaries, each made when the one before it is written.

    figures: a format of FIGURES
    history: a format of HISTORIES, for the series
    progress: told what is made
    provenance: where the files come from, for those with a place for it; CSV has none
    stem: the name of the file of the series
    draw: gives the figure of a name; by default `result.figure`
    """
    from dynamis.telling.figure import save

    if history != "none":
        progress(f"samples as {history}")
        parquet = partial(result.to_parquet, provenance=provenance)
        yield f"{stem}.{history}", result.to_csv if history == "csv" else parquet
    if figures == "none":
        return
    names = [figure.name for figure in result.document().figures.values() if not figure.missing]
    for k, name in enumerate(names, 1):
        progress(f"figure {k}: {name}")
        yield f"{k}-{name}.{figures}", partial(save, (draw or result.figure)(name), provenance=provenance)


def figure_format(folder: Path | None, figures: str | None) -> str:
    """The format of the figures in a folder: if none was asked for PNG, or none where matplotlib is missing."""
    if figures is not None or folder is None or find_spec("matplotlib") is not None:
        return figures or "png"
    from dynamis.base.extras import install

    remark("note", f"no figures, which need matplotlib: {install('report')}")
    return "none"


def check_formats(folder: Path | None, *formats: tuple[str, str, Sequence[str]]) -> None:
    """Refuse formats (what, name, known) that nobody knows, and those of a folder whose library is missing."""
    from dynamis.base.errors import ArgumentError, UnknownNameError
    from dynamis.base.extras import install

    for what, name, known in formats:
        if name not in known:
            raise UnknownNameError(what, name, known)
        if folder is not None and name in NEEDS:
            said, library, option = NEEDS[name]
            if find_spec(library) is None:
                raise ArgumentError(f"{said}: {install('report')}, or --{option} none", key=option)


def _check_folder(folder: Path, force: bool) -> None:
    from dynamis.base.errors import ArgumentError
    from dynamis.base.writing import check_folder, is_partial

    check_folder(folder)
    if not force and folder.exists() and not all(map(is_partial, folder.iterdir())):
        raise ArgumentError(f"{folder} exists and is not empty; use --force to write into it", key="output")
