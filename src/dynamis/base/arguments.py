"""Checks of arguments: each returns the value in its proper type, or raises "X must be ..., got ...".

Booleans are not numbers here, though Python takes True for 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, isfinite, nan
from operator import index
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import UNREADABLE, Array, check_computed, numpy_array
from dynamis.base.errors import ArgumentError, literal


def flag(name: str, value: Any) -> bool:
    """True or False; an array, which is neither, would end in an error of NumPy."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(f"{name} must be True or False, got {literal(value)}", key=name)
    return bool(cast(Any, value))


def integer(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """An integer from `least` to `most`; NumPy's integers are integers too.

    >>> integer("threads", 4)
    4
    """
    check_computed(name, value)
    try:
        count = None if isinstance(value, bool | np.bool_) else index(value)
    except TypeError:
        count = None
    if count is None or count < least or (most is not None and count > most):
        if most is not None:
            allowed = f"an integer from {least} to {most:,}"
        else:
            allowed = {0: "a non-negative integer", 1: "a positive integer"}.get(least, f"an integer >= {least}")
        raise ArgumentError(f"{name} must be {allowed}, got {literal(value)}", key=name)
    return count


def number(
    name: str, value: Any, unit: str = "", *, least: float = -inf, most: float = inf, above: float = -inf
) -> float:
    """A finite number from `least` to `most`, or greater than `above`.

    >>> number("restitution", 0.5, least=0, most=1)
    0.5
    """
    check_computed(name, value)
    x = _real(value)
    if not (isfinite(x) and least <= x <= most and x > above):
        if most < inf:
            allowed = f"a number from {least:g} to {most:g}"
        elif above > -inf:
            allowed = "a positive number" if above == 0 else f"a number > {above:g}"
        else:
            allowed = f"a number >= {least:g}" if least > -inf else "a finite number"
        raise ArgumentError(f"{name} must be {allowed}{f' [{unit}]' if unit else ''}, got {literal(value)}", key=name)
    return x


def positive(name: str, value: Any, unit: str = "") -> float:
    """A finite number above 0.

    >>> positive("duration", 2, "s")
    2.0
    """
    return number(name, value, unit, above=0.0)


def real_array(name: str, values: Any) -> Array | None:
    """An array of real numbers, or None for what is not one."""
    array = numpy_array(name, values)
    return array.astype(np.float64) if array is not None and array.dtype.kind in "iuf" else None


def real_values(name: str, values: Any) -> Array:
    """An array of real numbers; of shape (0,) for what is not one, which the caller's check of the shape refuses."""
    array = real_array(name, values)
    return np.empty(0) if array is None else array


def mapping(name: str, value: Any, example: str) -> Mapping[Any, Any]:
    """A mapping; `example` shows one."""
    if not isinstance(value, Mapping):
        raise ArgumentError(f"{name} must be a mapping such as {example}, got {literal(value)}", key=name)
    return cast("Mapping[Any, Any]", value)


def one_or_more(name: str, values: Any, what: str) -> list[Any]:
    """The entries of a list; a text is one entry, and what cannot be a list is refused.

    >>> one_or_more("quantity", "power", "name"), one_or_more("quantity", ("power", "tool"), "name")
    (['power'], ['power', 'tool'])
    """
    if isinstance(values, str):
        return [values]
    shape: Any = getattr(values, "shape", None)
    if not isinstance(values, Iterable) or isinstance(values, bytes | Mapping) or shape == ():
        raise ArgumentError(f"{name} must be a {what} or a list of {what}s, got {literal(values)}", key=name)
    return list(cast("Iterable[Any]", values))


def finite_row(name: str, values: Any) -> Array:
    """A finite number, or a list of them, as an array (k,) with k >= 1.

    >>> finite_row("limit", 3), finite_row("limit", [1, 2])
    (array([3.]), array([1., 2.]))
    """
    array = real_array(name, values)
    if array is None or array.ndim > 1 or not array.size or not np.isfinite(array).all():
        raise ArgumentError(f"{name} must be a finite number or a list of them, got {literal(values)}", key=name)
    return np.atleast_1d(array)


def per_joint(name: str, values: Any, n: int | None = None, each: str = "joint") -> Array:
    """One finite number per joint (or whatever `each` names): (n,). A single number stands for all of n.

    >>> per_joint("kp", 10, 2), per_joint("start", [10, 20])
    (array([10., 10.]), array([10., 20.]))
    """
    array = real_array(name, values)
    of = "" if n is None else f" ({n} {each}{'s' * (n != 1)})"
    if array is None:
        raise ArgumentError(f"{name} must be one number per {each}{of}, got {literal(values)}", key=name)
    if n is not None and array.ndim == 0:
        array = np.full(n, float(array))
    if array.ndim != 1 or not (array.size if n is None else array.size == n):
        got = f"{array.size} value{'s' * (array.size != 1)}" if array.ndim == 1 else f"shape {array.shape}"
        raise ArgumentError(f"{name} must be one number per {each}{of}, got {got}", key=name)
    if not np.isfinite(array).all():
        raise ArgumentError(f"{name} must be finite, got {literal(array.tolist())}", key=name)
    return array


def joint_array(
    name: str, values: Any, n: int, whose: str, each: str = "joint", *, finite: bool = False
) -> NDArray[Any]:
    """Real values (..., n), one per joint along the last axis; `whose` says which joints there are."""
    array = numpy_array(name, values)
    check_last_axis(name, values, array, n, whose, each)
    assert array is not None
    if finite and not np.isfinite(array).all():
        raise ArgumentError(f"{name} must be finite in every entry", key=name)
    return array


def check_last_axis(name: str, values: Any, array: Any, n: int, whose: str, each: str = "joint") -> None:
    """That an array, lazy or not, holds n real numbers along its last axis; None is what is not an array."""
    if array is None or array.dtype.kind not in "biuf":
        value = values.item() if getattr(values, "ndim", None) == 0 else values
        got = f"an array of type {value.dtype}" if hasattr(value, "dtype") else literal(value)
    elif array.ndim == 0:
        got = "a single number"
    elif array.shape[-1] == n:
        return
    else:
        count = array.shape[-1]  # of a Dask array it may be NaN
        got = f"{count if count == count else 'an unknown number of'} value{'s' * (count != 1)}"
    raise ArgumentError(f"{name} must have one value per {each}, got {got}; {whose}", key=name)


def check_callable_with(name: str, function: Any, *arguments: str) -> None:
    """That a user's function can be called with so many arguments; a raw TypeError would come late otherwise."""
    from inspect import signature

    try:
        own = signature(function)
    except (TypeError, ValueError):  # written in C, say: nobody knows
        return
    try:
        own.bind(*arguments)
    except TypeError:
        needed = ", ".join(arguments)
        raise ArgumentError(f"{name} must be a function of ({needed}), got one of {own}", key=name) from None


def _real(value: Any) -> float:
    """As a float; NaN for what is not a number."""
    try:
        return nan if isinstance(value, bool | np.bool_ | str | bytes) else float(value)
    except UNREADABLE:
        return nan
