"""A verb: what can be asked of dynamis, declared once, as a frozen dataclass whose fields are its options.

    @verb
    class Fall(Verb["Simulation"]):
        '''How a robot falls.'''

        robot: Robot = option("the robot", kind="robot")
        duration: float = option("how long", "s", default=1.0, least=0)
        answer = "dynamis.simulation.falling:let_fall"

    fall = function(Fall)

From the declaration come the function of Python with its signature and its table of arguments, and, in `dynamis.verbs`,
the command, the keys of its file, the form of the studio, the schema of JSON and the table in the docs. So a
declaration imports nothing that is heavy; what answers it has a name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from pkgutil import resolve_name
from textwrap import fill
from typing import Any, ClassVar, Generic, ParamSpec, Self, TypeVar, cast, dataclass_transform, get_args

from dynamis.base.errors import ArgumentError, UnknownNameError

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
ARGUMENT_COLUMN, DOCSTRING_WIDTH = 16, 116
"""Of the table of arguments in the docstring of a function."""
OF_ROBOT = "(robot)"
"""The end of a place whose names depend on the robot: `dynamis.model.robot:names(robot)`."""


@dataclass(frozen=True)
class Option:
    """What is known of a field of a verb besides its name, its type and its default."""

    help: str
    unit: str = ""
    least: float | None = None
    most: float | None = None
    choices: str = ""
    """Where its names are: `dynamis.simulation.runs.events:POLICIES`, a tuple, a mapping or a function."""
    offered: str = ""
    """Likewise, names that are offered of something that may have others, too; those of a `(robot)` depend on it."""
    file: str = ""
    """Its key in the file of the verb, such as `start.q`."""
    kind: str = ""
    """What it is where its type does not say so: a key of `dynamis.verbs.kinds.KINDS`. `python` has no other face."""
    flag: str = ""
    """Its name on the command line, where that is not its own."""
    metavar: str = ""


def option(
    help: str, unit: str = "", *, default: Any = MISSING, least: float | None = None, most: float | None = None,
    choices: str = "", offered: str = "", file: str = "", kind: str = "", flag: str = "", metavar: str = "",
) -> Any:  # fmt: skip
    """A field of a verb; its parts are those of `Option`."""
    about = {"option": Option(help, unit, least, most, choices, offered, file, kind, flag, metavar)}
    return field(metadata=about) if default is MISSING else field(default=default, metadata=about)


@dataclass_transform(frozen_default=True, field_specifiers=(option,))
def verb(kind: type[T]) -> type[T]:
    """A class as a declaration."""
    return dataclass(frozen=True, repr=False, eq=False)(kind)


@dataclass(frozen=True)
class Declared:
    """A field of a verb."""

    name: str
    type: str
    """As it is written: `float | None`."""
    default: Any
    about: Option

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def written(self) -> str:
        """Its name where it is typed."""
        return self.about.flag or self.name

    @property
    def plain(self) -> str:
        """`float`, `int`, `bool` or `str`; empty for what has another type."""
        name = self.type.removesuffix(" | None")
        return name if name in ("float", "int", "bool", "str") else ""

    def names(self) -> list[str]:
        """What it may be, where that is one of some names."""
        return names_at(self.about.choices)


def names_at(places: str) -> list[str]:
    """The names at a place, or at several with blanks between them: in a tuple, in a mapping, or from a function."""
    found: list[str] = []
    for place in places.split():
        holder: Any = resolve_name(place)
        found += cast("Iterable[str]", holder() if callable(holder) else holder)
    return found


def declared_options(kind: type[Any]) -> dict[str, Declared]:
    """The fields of a verb by their names.

    >>> @verb
    ... class Wait(Verb[None]):
    ...     seconds: float = option("how long", "s", default=1.0)
    >>> declared_options(Wait)["seconds"].plain
    'float'
    """
    known = ((x, x.metadata.get("option")) for x in fields(kind))
    return {x.name: Declared(x.name, str(x.type), x.default, about) for x, about in known if about is not None}


def file_keys(kind: type[Any]) -> dict[str, dict[str, Declared]]:
    """The fields that stand in the file of a verb, by table and key; "" is the file itself."""
    tables: dict[str, dict[str, Declared]] = {}
    for x in declared_options(kind).values():
        table, _, key = x.about.file.rpartition(".")
        if key:
            tables.setdefault(table, {})[key] = x
    return tables


@dataclass(frozen=True)
class Origin:
    """The file that a verb was read from."""

    file: str = ""
    lines: Mapping[str, int | None] = field(default_factory=dict[str, int | None])
    """The line of every option that stands there."""
    changed: frozenset[str] = frozenset()
    """Options that were changed later, and so are not the file's."""
    degrees: bool = False
    """Whether it speaks degrees, and so tables of the result that are printed."""


class Verb(Generic[R]):
    """What is asked; `run` answers it."""

    answer: ClassVar[str]
    """The function that answers it, `module:function`; it is imported when it is asked, for it may be heavy."""
    file: ClassVar[str] = ""
    """What reads its file, of a verb that has one: `module:function`, of the path, the robot and the payload."""
    origin: ClassVar[Origin] = Origin()

    def run(self, **changes: Any) -> R:
        """The result, with other options where they are given; what is wrong in a file is told with its line."""
        asked = self.changed(**changes) if changes else self
        origin = asked.origin
        try:
            return cast("R", resolve_name(asked.answer)(asked))
        except (ArgumentError, UnknownNameError) as error:
            if not origin.file or error.key is None or error.key in origin.changed:
                raise
            raise error.at(origin.file, origin.lines.get(error.key)) from None

    def reporting_to(self, progress: Callable[[str], None]) -> Self:
        """The same, which tells what it does next, where it can."""
        return self.changed(progress=progress) if "progress" in declared_options(type(self)) else self

    def changed(self, **changes: Any) -> Self:
        """The same with other options."""
        origin = replace(self.origin, changed=self.origin.changed | changes.keys())
        return cast("Self", replace(cast("Any", self), **changes)).read_from(origin)

    def read_from(self, origin: Origin) -> Self:
        """The same, with the file that it was read from."""
        self.__dict__["origin"] = origin
        return self


def function(kind: Callable[P, Verb[R]], name: str = "") -> Callable[P, R]:
    """The function of a verb: it takes its fields as arguments, and gives its result; it is called as its class is."""

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            asked = kind(*args, **kwargs)
        except TypeError as error:  # of the call: a declaration checks nothing else
            raise TypeError(str(error).replace(f"{own.__name__}.__init__()", f"{call.__name__}()")) from None
        return asked.run()

    own = cast("type[Verb[R]]", kind)
    call.__name__ = call.__qualname__ = name or own.__name__.lower()
    call.__module__ = own.__module__
    call.__wrapped__ = kind  # type: ignore[attr-defined]
    call.__doc__ = docstring(own)
    (returns,) = get_args(own.__dict__["__orig_bases__"][0])
    returns = getattr(returns, "__forward_arg__", returns)
    call.__signature__ = inspect.signature(own).replace(return_annotation=returns)  # type: ignore[attr-defined]
    return call


def quiet(what: str) -> None:
    """Progress that nobody hears of."""


def docstring(kind: type[Verb[Any]]) -> str:
    """What `help` says of the function of a verb: its prose, its arguments, its examples."""
    prose, mark, examples = inspect.cleandoc(kind.__doc__ or "").partition(">>> ")
    return f"{prose.rstrip()}\n\n{arguments(kind)}\n\n{mark}{examples}".rstrip()


def arguments(kind: type[Any]) -> str:
    """A line per argument, wrapped."""
    return "\n".join(
        fill(
            f"{name:<{ARGUMENT_COLUMN - 1}} {sentence(x)}",
            DOCSTRING_WIDTH,
            subsequent_indent=" " * ARGUMENT_COLUMN,
            break_on_hyphens=False,
        )
        for name, x in declared_options(kind).items()
    )


def sentence(x: Declared) -> str:
    """What an option is, its unit and its default: `how long [s]; 1 by default`."""
    unit = f" [{x.about.unit}]" if x.about.unit else ""
    untold = x.required or (x.default in (None, False, True, (), "") and not isinstance(x.default, int | float))
    usual = "" if untold or isinstance(x.default, bool) else f"; {x.default!r} by default"
    return f"{x.about.help}{unit}{usual}"
