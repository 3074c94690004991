"""Numbers as tables and sentences print them."""

from __future__ import annotations

from math import isfinite, isnan


def fixed_decimals(value: float, decimals: int = 2) -> str:
    """A number with fixed decimals; what rounds to zero has no minus sign.

    >>> fixed_decimals(-0.0027), fixed_decimals(-1e-17), fixed_decimals(318.194)
    ('0.00', '0.00', '318.19')
    """
    return f"{value:z.{decimals}f}"


def short(value: float) -> str:
    """A number in at most six digits: `0.5`, `12`, `1.25e-05`."""
    return f"{value:.6g}"


def percent(share: float) -> str:
    """A share of 1 in percent: one decimal below 10 %, a dash where it is not finite.

    >>> percent(0.623), percent(0.0513), percent(-1e-9), percent(float("nan"))
    ('62 %', '5.1 %', '0 %', '-')
    """
    if not isfinite(share):
        return "-"
    text = fixed_decimals(100 * share, 0 if abs(share) >= 0.0995 else 1)
    return f"{'0' if float(text) == 0 else text} %"


def format_number(value: float, form: str, decimals: int) -> str:
    """A number in the `form` of a `Column`: "fixed" with `decimals`, "%", or a format of Python; a dash for NaN.

    >>> format_number(0.5, "fixed", 3), format_number(0.5, "%", 3), format_number(0.5, ".2e", 3)
    ('0.500', '50 %', '5.00e-01')
    """
    if isnan(value):
        return "-"
    if form == "fixed" or (form.startswith(".") and form.endswith("f")):
        return fixed_decimals(value, decimals if form == "fixed" else int(form[1:-1]))
    return percent(value) if form == "%" else f"{value:{form or '.6g'}}"
