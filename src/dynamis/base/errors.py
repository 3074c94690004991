"""Every error that dynamis raises for bad input: one sentence of what, where, what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from datetime import date, time
from decimal import Decimal
from typing import Any, Self

from dynamis.base.faces import option
from dynamis.base.printable import in_a_line, shorten_text, visible

MAX_NAMED = 12
MAX_NAME, MAX_MESSAGE = 100, 2000
"""Characters of a name in a list of them, and of a message whatever it quotes."""


class DynamisError(Exception):
    """The root of all dynamis errors.

    `message` is the sentence; `file` and `line` say where it was found, `link` and `key` which
    entry of the robot it is about. A reader adds the place with `at`.
    """

    def __init__(self, message: str, *, link: str | None = None, key: str | None = None) -> None:
        self.message = shorten_text(message, MAX_MESSAGE)
        super().__init__(self.message)
        self.link = link
        self.key = key
        self.file: str | None = None
        self.line: int | None = None

    def at(self, file: str, line: int | None = None) -> Self:
        """This error with its place; a place that is already known is kept."""
        if self.file is None:
            self.file, self.line = file, line
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """The class, the sentence and the data: Python would call `__init__` with the sentence alone.

        A cause goes along if it is one of Python's own or of ours; others may not survive the way to another process.
        """
        state = dict(self.__dict__)
        if isinstance(self.__cause__, DynamisError) or type(self.__cause__).__module__ == "builtins":
            state |= {"__cause__": self.__cause__, "__suppress_context__": self.__suppress_context__}
        return _restore_error, (type(self), self.args), state

    def __str__(self) -> str:
        message = in_a_line(self.message)
        if self.file is None:
            return message
        file = visible(self.file)
        return f"{file if self.line is None else f'{file}:{self.line}'}: {message}"


def _restore_error(kind: type[DynamisError], args: tuple[Any, ...]) -> DynamisError:
    """An error without its data, which follow (`DynamisError.__reduce__`)."""
    return kind.__new__(kind, *args)


def literal(value: Any) -> str:
    """A value in a sentence, as a file writes it, cut to a line.

    >>> print(literal([Decimal("0.1")]))
    [0.1]
    """
    match value:
        case bool():
            text = str(value).lower()
        case str():
            text = f'"{value}"'
        case Decimal() | date() | time():
            text = str(value)
        case [*entries] if len(entries) <= MAX_NAMED and any(isinstance(entry, Decimal) for entry in entries):
            text = f"[{', '.join(literal(entry) for entry in entries)}]"
        case _:
            try:
                text = repr(value)
            except ValueError:  # Python writes no integers of more than 4300 digits
                text = "an integer of thousands of digits"
    return shorten_text(text)


def name_list(names: Iterable[str]) -> str:
    """Names in a sentence, the first of many only."""
    every = list(names)
    more = f" and {len(every) - MAX_NAMED} more" if len(every) > MAX_NAMED else ""
    return ", ".join(shorten_text(name, MAX_NAME) for name in every[:MAX_NAMED]) + more


class ExpressionError(DynamisError):
    """A value that is neither a number nor an expression over named parameters."""

    def __init__(self, text: str, column: int, problem: str) -> None:
        start = "".join(character if character.isprintable() else " " for character in shorten_text(text))
        super().__init__(f'expression "{start}", column {column}: {problem}')
        self.text = text
        self.column = column


class ModelError(DynamisError):
    """A robot that cannot exist: a negative mass, a cycle, an inertia no body has."""


class FormatError(DynamisError):
    """A file that does not follow its format: an unknown key, a wrong type, a missing table."""


class WriteError(FormatError):
    """A file that cannot be written: its folder is missing or closed, its name too long, the disk full."""


class UnknownNameError(DynamisError):
    """A name that nothing has; `nearest` is the most similar one that exists.

    Of many allowed names the message has the first, and all of them where it is `complete`.
    """

    def __init__(
        self,
        what: str,
        name: object,
        allowed: Iterable[str],
        *,
        key: str | None = None,
        within: str = "",
        complete: bool = False,
    ) -> None:
        self.name = str(name)
        self.allowed = tuple(allowed)
        folded = {name.casefold(): name for name in reversed(self.allowed)}
        close = difflib.get_close_matches(self.name.casefold()[:100], folded, n=1, cutoff=0.5)
        self.nearest = folded[close[0]] if close else None
        where = f" in {within}" if within else ""
        message = f"unknown {what} {literal(str(name))}{where}"
        if self.nearest is not None:
            message += f'; did you mean "{self.nearest}"?'
        if self.allowed:
            message += f" (known: {', '.join(self.allowed) if complete else name_list(self.allowed)})"
        super().__init__(message, key=key)


def check_name(
    what: str, name: object, allowed: Iterable[str], *, key: str | None = None, complete: bool = False
) -> None:
    """Raise an UnknownNameError unless `name` is one of the names that are allowed; a list is not a name."""
    if not isinstance(name, str) or name not in allowed:
        raise UnknownNameError(what, name, allowed, key=key, complete=complete)


class MissingValuesError(DynamisError):
    """Numbers were asked of a robot whose parameters have none; `arguments` are those that need none, where any may."""

    def __init__(self, robot: str, missing: Iterable[str], arguments: Iterable[str] | None = None) -> None:
        self.missing = tuple(missing)
        names, allowed = ", ".join(self.missing), (*(arguments or ()), *self.missing)
        example = ", ".join(f"{name}=..." for name in self.missing[:2])
        super().__init__(
            f'robot "{robot}" has no value for {names}; give it under [values] in the file, '
            f"or with {option('values', example, 'robot.with_values')}"
            + ("" if arguments is None else f", or let it stay an argument: {option('parameters', ','.join(allowed))}")
        )


class MissingMassError(DynamisError):
    """Torques or accelerations were asked of a robot that has no mass to give them; `links` are those without."""

    def __init__(self, robot: str, links: Iterable[str], all_of_them: bool = True) -> None:
        self.links = tuple(links)
        problem = (
            "no link that moves has a mass, so neither motion nor gravity would give a torque"
            if all_of_them
            else "links can move without moving a mass, so their acceleration is not determined"
        )
        super().__init__(
            f'robot "{robot}": {problem} ({name_list(self.links)}); give them a mass, com and inertia '
            "(<inertial> in a URDF); kinematics work without"
        )


class ArgumentError(DynamisError):
    """A value given to a call that the call cannot use: its size, its type, NaN."""


class TooLargeError(DynamisError):
    """Equations that are too large for the time or for the memory that they may take; `reason` says for which."""

    def __init__(self, reason: str, more: str) -> None:
        self.reason = reason
        super().__init__(
            f"{reason}; ask for single entries (model.M[5, 5] is smaller than model.M[0, 0]), put numbers in the place "
            f"of symbols ({option('numeric', call='robot.equations')}), or {more}"
        )


class TimeLimitError(TooLargeError):
    """Equations that are not finished in the time that was given."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        reason = f"the model is not finished in {seconds:g} s"
        super().__init__(reason, f"give more time ({option('seconds', '...', 'robot.equations')})")


class MemoryLimitError(TooLargeError):
    """Equations that need more memory than they may take."""

    def __init__(self, gigabytes: float) -> None:
        self.gigabytes = gigabytes
        reason = f"the model needs more than {gigabytes:.3g} GB of memory"
        super().__init__(reason, f"allow more ({option('memory', '...', 'robot.equations')})")


class UnphysicalWarning(UserWarning):
    """A robot that runs although no real body has its inertia."""
