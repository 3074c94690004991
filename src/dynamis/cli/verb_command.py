"""The command of a verb: its options are those of the declaration and those of its output.

`VerbCommand` makes the signature that Typer reads, and asks. `PageCommand` is one whose result is a page, on the
terminal or in a file; that of a `FolderCommand` may also go to a folder of files, where Ctrl-C and a full disk cost no
more than they must. What one verb alone does, it overrides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from inspect import Parameter, Signature, cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from dynamis.base.faces import speaking
from dynamis.base.verb import Verb
from dynamis.cli import options
from dynamis.cli.completion import complete_names, completed_at
from dynamis.cli.output import (
    FIGURE,
    FIGURES,
    HISTORIES,
    OutputFolder,
    PageTarget,
    check_formats,
    figure_format,
    folder_and_page,
    page_target,
    result_files,
)
from dynamis.cli.terminal import Progress
from dynamis.verbs.command_line import CommandLine
from dynamis.verbs.kind import Spelling
from dynamis.verbs.outputs import OUTPUTS
from dynamis.verbs.request import build_verb, spellings
from dynamis.verbs.words import flags

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance
    from dynamis.cli.output import File
    from dynamis.telling.result import Result

Values = dict[str, Any]
STATE = "An exercise brings its own state, gravity and loads; what is given here replaces them."
"""What the help of questions about a state says."""


def parameter(one: Spelling) -> Parameter:
    """An option of a declaration as Typer reads it."""
    kind: Any = list[one.type] if one.repeated else one.type
    shown: dict[str, Any] = {"help": one.help, "metavar": one.metavar or None, "min": one.least, "max": one.most}
    shown["autocompletion"] = completed_at(one.choices) if one.choices else None
    if one.positional:
        usual: list[Any] = [] if one.default is None else [[]]
        return own_parameter(one.name, Annotated[kind, typer.Argument(**shown)], *usual)
    if one.required:
        return own_parameter(one.name, Annotated[kind, typer.Option(*flags(one), **shown)])
    unset = one.default is None
    first, *others = flags(one)
    first += f"/--no-{first[2:]}" if unset and one.type is bool else ""
    about = typer.Option(first, *others, **shown)
    return own_parameter(one.name, Annotated[kind | None if unset else kind, about], one.default)


def own_parameter(name: str, kind: Any, default: Any = Parameter.empty) -> Parameter:
    """An option that a command has besides those of its verb."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


class VerbCommand:
    """A verb on the command line."""

    verb: ClassVar[type[Verb[Any]]]
    name: ClassVar[str] = ""
    """What is typed; as its class is called if left out."""
    reads: ClassVar[str] = ""
    """What its file is: a kind of `completion.NAMES`; empty for a verb without one."""
    file_help: ClassVar[str] = ""
    may_lack_file: ClassVar[bool] = False
    more_help: ClassVar[str] = ""
    """What its help says besides the prose of the verb."""
    has_json: ClassVar[bool] = True

    def __init__(self) -> None:
        self.spellings = spellings(self.verb)

    def __call__(self, **values: Any) -> None:
        raise NotImplementedError

    @property
    def command(self) -> Any:
        """What Typer takes: a function with the signature and the docstring of the verb."""

        face = CommandLine({x.name: x.about.flag for x, _ in self.spellings.values() if x.about.flag})

        def command(**values: Any) -> None:
            with speaking(face):
                self(**values)

        known = [one for _, one in self.spellings.values()]
        shown = [parameter(one) for one in known if one.positional]
        if self.reads:
            name = self.reads.upper()
            about: Any = typer.Argument(
                metavar=f"[{name}]" if self.may_lack_file else name, help=self.file_help,
                autocompletion=complete_names(self.reads),
            )  # fmt: skip
            may_lack = own_parameter("file", Annotated[Path | None, about], None)
            shown.insert(1, may_lack if self.may_lack_file else own_parameter("file", Annotated[Path, about]))
        shown += [parameter(one) for one in known if not one.positional and one.name != "values"]
        shown += self.more()
        shown += [parameter(one) for one in known if one.name == "values"]
        if self.has_json:
            shown.append(parameter(OUTPUTS["as_json"]))
        command.__signature__ = Signature(shown)  # type: ignore[attr-defined]
        command.__module__ = type(self).__module__
        command.__annotations__ = {x.name: x.annotation for x in shown}
        prose = cleandoc(self.verb.__doc__ or "").partition("\n\n>>> ")[0]
        command.__doc__ = f"{prose}\n\n{self.more_help}".rstrip()
        return command

    def more(self) -> list[Parameter]:
        """The options besides those of the declaration."""
        return []

    def asked(self, values: Values) -> Any:
        """The verb with the options of the command line."""
        return build_verb(self.verb, {name: values[name] for name in self.spellings}, values.get("file") or "")


class PageCommand(VerbCommand):
    """A verb whose result is a page."""

    outputs: ClassVar[tuple[str, ...]] = ()
    """The options of its page besides its format and its file, of `OUTPUTS`."""
    inputs: ClassVar[tuple[str, ...]] = ("robot",)
    """The options that name files, which its page tells."""
    doing: ClassVar[str] = ""
    """What the terminal says meanwhile; its name if left out."""
    decimals: ClassVar[int] = 3
    most: ClassVar[int] = 100
    """Characters in a line, where the width is not given."""

    def more(self) -> list[Parameter]:
        names = ("page", "output", "force", *self.outputs)
        shown = (one for name, one in OUTPUTS.items() if name in names)
        return [parameter(replace(one, default=self.decimals) if one.name == "decimals" else one) for one in shown]

    def __call__(self, **values: Any) -> None:
        inputs = {name: values[name] for name in self.inputs}
        target = page_target(values["page"], values["as_json"], values["output"], values["force"], **inputs)
        self.prepare(values, target)
        question = self.asked(values)
        with Progress(self.doing or self.verb.__name__.lower()) as progress:
            result = self.answer(question, progress)
            progress("the page")
            text = target.text(result, values.get("width"), self.most, **self.rendering(question, values))
        self.tell(question, result, text, target)
        self.end(result)

    def prepare(self, values: Values, target: PageTarget) -> None:
        """What is refused before the work, and what follows from the target."""

    def answer(self, question: Any, progress: Progress) -> Any:
        """The result."""
        return question.reporting_to(progress).run()

    def rendering(self, question: Any, values: Values) -> dict[str, Any]:
        """Options of `render`."""
        shown = {name: values[name] for name in ("digits", "decimals", "fragment") if name in self.outputs}
        if "notation" in self.outputs:
            from dynamis.telling.notation.schools import as_notation

            shown["notation"] = as_notation(values["notation"])
        return shown | ({"degrees": question.origin.degrees} if "degrees" in self.spellings else {})

    def tell(self, question: Any, result: Any, text: str, target: PageTarget) -> None:
        """Print the page, or write it."""
        target.write(text, self.title(result))

    def title(self, result: Any) -> str:
        """What its page is called when it is written."""
        raise NotImplementedError

    def end(self, result: Any) -> None:
        """What the result means for the exit code."""


class FolderCommand(VerbCommand):
    """A verb whose result goes to the terminal, to a page, or to a folder of files."""

    stem: ClassVar[str]
    """The name of its summaries in the folder."""
    series: ClassVar[str] = "history"
    """The name of the file of its samples."""
    tables: ClassVar[str] = ""
    """Where the names of its tables are."""
    table_help: ClassVar[str] = ""
    table: ClassVar[str] = "all"
    decimals: ClassVar[int | None] = 3
    degrees: ClassVar[bool] = False
    """Whether its tables have angles, which may be in degrees."""
    samples: ClassVar[bool] = True
    """Whether the format of its samples can be chosen."""

    def more(self) -> list[Parameter]:
        shown: dict[str, tuple[Any, Any]] = {
            "output": (options.FolderOption, None),
            "page": (options.FormatOption, None),
        }
        if self.tables:
            shown["table"] = (
                Annotated[str, typer.Option(help=self.table_help, autocompletion=completed_at(self.tables))],
                self.table,
            )  # fmt: skip
        if self.decimals is not None:
            shown["decimals"] = (options.DecimalsOption, self.decimals)
        if self.degrees:
            shown["degrees"] = (
                Annotated[bool, typer.Option("--degrees", help="Angles of the printed tables in degrees.")], False,
            )  # fmt: skip
        shown["figures"] = (options.FiguresOption, None)
        if self.samples:
            shown["history"] = (options.HistoryOption, "csv")
        shown["force"] = (options.ForceOption, False)
        return [own_parameter(name, kind, default) for name, (kind, default) in shown.items()]

    def __call__(self, **values: Any) -> None:
        from dynamis.base.verb import names_at

        place, file = folder_and_page(values["output"])
        values["figures"] = figure_format(place, values["figures"])
        choices = [(FIGURE, values["figures"], FIGURES)]
        choices += [("format of samples", values["history"], HISTORIES)] if self.samples else []
        choices += [("table", values["table"], tuple(names_at(self.tables)))] if self.tables else []
        check_formats(place, *choices)
        self.prepare(place, values)
        target = page_target(values["page"], values["as_json"], file, values["force"], **self.inputs(values))
        folder = OutputFolder(place, self.stem, values["force"])
        question = self.asked(values)
        with Progress(self.name or self.verb.__name__.lower()) as progress:
            result, note = self.answer(question, values, target, folder, progress)
            text = self.text(result, question, values, target)
            folder.write(result, self.files(result, values, progress, target.provenance), target.provenance)
        self.tell(result, text, target, values)
        folder.close(target.form == "json", note)

    def inputs(self, values: Values) -> dict[str, Any]:
        """The files that it reads, by what pages call them."""
        return {"robot": values["robot"], **({"task": values["file"]} if self.reads else {})}

    def prepare(self, place: Path | None, values: Values) -> None:
        """What is refused before the work."""

    def answer(
        self, question: Any, values: Values, target: PageTarget, folder: OutputFolder, progress: Progress
    ) -> tuple[Any, str]:
        """The result, and what Ctrl-C left of it; empty where it came to its end."""
        return question.run(progress=progress), ""

    def text(self, result: Any, question: Any, values: Values, target: PageTarget) -> str:
        """Its page."""
        shown = result if target.form == "json" else self.excerpt(result, values)
        return target.text(shown, **self.rendering(question, values))

    def excerpt(self, result: Result, values: Values) -> Any:
        """What is shown of it."""
        return result.excerpt(values["table"]) if self.tables else result

    def rendering(self, question: Any, values: Values) -> Mapping[str, Any]:
        """Options of `render`."""
        shown = {} if self.decimals is None else {"decimals": values["decimals"]}
        return shown | ({"degrees": values["degrees"] or question.origin.degrees} if self.degrees else {})

    def files(self, result: Any, values: Values, progress: Progress, origin: Provenance) -> Iterator[File]:
        """The files of the folder but its summaries, each made when the one before it is written."""
        history = values["history"] if self.samples else "csv"
        yield from result_files(result, values["figures"], history, progress, origin, self.series)

    def tell(self, result: Any, text: str, target: PageTarget, values: Values) -> None:
        """Print the page, or write it."""
        target.write(text, self.title(result))

    def title(self, result: Any) -> str:
        """What its page is called when it is written."""
        raise NotImplementedError
