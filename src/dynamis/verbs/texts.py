"""Values that a person writes as a text: numbers, lists, names, and words in the place of numbers.

Each function takes the name of an option and what was written for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynamis.base.errors import ArgumentError, DynamisError, literal
from dynamis.base.faces import option_name


def numbers(name: str, text: str) -> list[float]:
    """`5,4,3` as a list."""
    from dynamis.model.formats.tasks.state_file import numbers

    return numbers(text.replace("\N{MINUS SIGN}", "-"), option_name(name))


def number_or_list(name: str, text: str) -> Any:
    """`5` is a number, `5,4,3` a list.

    >>> number_or_list("kp", "5"), number_or_list("kp", "5, 4")
    (5.0, [5.0, 4.0])
    """
    try:
        found = numbers(name, text)
    except DynamisError:
        raise ArgumentError(
            f"{option_name(name)} must be a number or a list such as 5,4,3, got {literal(text)}", key=name
        ) from None
    return found[0] if len(found) == 1 else found


def numbers_or(word: str) -> Callable[[str, str], Any]:
    """A number, a list, or this word."""
    return lambda name, text: text if text == word else number_or_list(name, text)


def number_or(*words: str) -> Callable[[str, str], Any]:
    """A number or one of these words, of which `none` is None.

    >>> read = number_or("auto", "none")
    >>> read("cutoff", "20"), read("cutoff", "auto"), read("cutoff", "none")
    (20.0, 'auto', None)
    """

    def read(name: str, text: str) -> float | str | None:
        if text in words:
            return None if text == "none" else text
        try:
            return float(text)
        except ValueError:
            allowed = " or ".join(["a number", *words])
            raise ArgumentError(f"{option_name(name)} must be {allowed}, got {literal(text)}", key=name) from None

    return read


def so_many(count: int) -> Callable[[str, str], list[float]]:
    """So many numbers, of which some may be infinite.

    >>> so_many(3)("plane", "1, pi/2, -inf")
    [1.0, 1.5707963267948966, -inf]
    """

    def read(name: str, text: str) -> list[float]:
        words = [word.strip() for word in text.split(",")]
        if len(words) != count:
            raise ArgumentError(
                f"{option_name(name)} must be {count} numbers separated by commas, got {literal(text)}", key=name
            )
        return [float(word) if word in ("inf", "-inf") else numbers(name, word)[0] for word in words]

    return read


def corners(name: str, text: str) -> tuple[list[float], list[float]]:
    """The lowest and the highest corner of a box."""
    six = so_many(6)(name, text)
    return six[:3], six[3:]


def names(name: str, text: str) -> tuple[str, ...]:
    """Names separated by commas, or `none`.

    >>> names("friction", "viscous, coulomb"), names("friction", "none")
    (('viscous', 'coulomb'), ())
    """
    return () if text == "none" else tuple(word.strip() for word in text.split(",") if word.strip())


def joint_position(name: str, text: str) -> tuple[str, float]:
    """`finger=0.02`; the position is 0 where it is left out."""
    joint, sign, position = text.partition("=")
    try:
        return joint, float(position) if sign else 0.0
    except ValueError:
        raise ArgumentError(
            f"{option_name(name)} must be JOINT or JOINT=Q, such as finger=0.02, got {literal(text)}", key=name
        ) from None


def link_mesh(name: str, text: str) -> tuple[str, str]:
    """`link2=link2.stl`"""
    link, _, mesh = text.partition("=")
    if not link or not mesh:
        raise ArgumentError(
            f"{option_name(name)} must be LINK=MESH, such as link2=link2.stl, got {literal(text)}", key=name
        )
    return link, mesh
