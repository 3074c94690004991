"""Bounds on the steps and the memory of a run, checked before it starts."""

from __future__ import annotations

from dynamis.errors import ArgumentError

MAX_STEPS = 1_000_000_000
"""Of one run: at 0.2 us, the least that a compiled step takes, minutes; in Python, days."""
MAX_BYTES = 8_000_000_000
"""Of the states that a run keeps."""


def check_steps(duration: float, step: float, what: str = "step") -> None:
    """Whether so many steps, or samples of a control, may be taken."""
    count = duration / step  # infinite where it overflows
    if count > MAX_STEPS:
        number = f"{count:.3g}" if count < float("inf") else "more than 1e308"
        raise ArgumentError(
            f"{duration:g} s with a {what} of {step:g} s take {number} steps; at most {MAX_STEPS:.0e} are allowed: "
            f"give a longer {what} or a shorter duration",
            key=what,
        )


def check_kept(count: int, keep: int, robots: int, size: int) -> None:
    """Whether the states of so many robots, of `size` numbers each, can be kept after every `keep` steps."""
    times = count // keep + 2
    needed = 2 * 8 * times * robots * size  # the states, and the array that they are joined to
    if needed > MAX_BYTES:
        least = -(-keep * needed // MAX_BYTES)
        raise ArgumentError(
            f"keep={keep} keeps {times:,} states of {robots:,} robots, {needed / 1e9:.3g} GB; {MAX_BYTES / 1e9:g} GB "
            f"are allowed: give keep={least} or more",
            key="keep",
        )
