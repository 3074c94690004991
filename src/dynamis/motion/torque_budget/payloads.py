"""A payload that comes and goes along a motion: the robots that hold each, and which of them moves when."""

from __future__ import annotations

from itertools import pairwise
from numbers import Real
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arguments import number
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.model.payload import Payload, payload_words
from dynamis.robot import Robot

Span = tuple[float, float, Payload]
"""From when to when [s] a payload is held."""
NOTHING = Payload(0.0)
"""What an empty gripper holds, so that all robots have the same links."""


def payload_spans(payload: Any) -> tuple[Span, ...]:
    """A payload for all times, or those of a list of (from, until, Payload), checked; a number is a point mass [kg]."""
    if payload is None:
        return ()
    if isinstance(payload, Payload) or _is_number(payload):
        return ((-np.inf, np.inf, _as_payload(payload)),)
    spans: list[Span] = []
    for entry in cast("list[Any]", payload) if isinstance(payload, list | tuple) else [payload]:
        if not isinstance(entry, list | tuple) or len(cast("list[Any]", entry)) != 3 or not _is_payload(entry):
            raise ArgumentError(
                "payload must be a mass [kg], a dynamis.Payload or a list of (from, until, Payload) [s], "
                f"got {literal(entry)}",
                key="payload",
            )
        start, end, held = cast("tuple[Any, Any, Any]", entry)
        start, end = number("the start of a payload", start, "s"), number("the end of a payload", end, "s")
        if end <= start:
            raise ArgumentError(f"a payload is held from {start:g} until {end:g} s; until must be later", key="payload")
        spans.append((start, end, _as_payload(held)))
    spans.sort(key=lambda span: span[0])
    for (_, end, _), (start, _, _) in pairwise(spans):
        if start < end:
            raise ArgumentError(f"two payloads are held at t = {start:g} s; one at a time is held", key="payload")
    joined: list[Span] = []
    for start, end, held in spans:  # one that stays in hand is held once
        again = bool(joined) and joined[-1][1:] == (start, held)
        joined = [*joined[:-1], (joined[-1][0], end, held)] if again else [*joined, (start, end, held)]
    return tuple(joined)


def _is_payload(entry: Any) -> bool:
    return isinstance(entry[2], Payload) or _is_number(entry[2])


def _is_number(x: Any) -> bool:
    return not isinstance(x, bool) and isinstance(x, Real)


def _as_payload(payload: Any) -> Payload:
    return payload if isinstance(payload, Payload) else Payload(payload)


def switching_times(spans: tuple[Span, ...]) -> Array:
    """When payloads come and go [s], and the instants just before, so that both sides are sampled."""
    times = np.array([t for start, end, _ in spans for t in (start, end) if np.isfinite(t)])
    return np.union1d(times, np.nextafter(times, -np.inf))


def span_words(robot: Robot, span: Span) -> str:
    """`payload 2 kg at the tool from 1 to 2.5 s`."""
    start, end, payload = span
    when = f" from {start:g} to {end:g} s" if np.isfinite(end - start) else ""
    return f"{' and '.join(payload_words(payload.held_by(robot))[-1:]) or 'no payload'}{when}"


def with_payloads(robot: Robot, spans: tuple[Span, ...], t: Array) -> tuple[list[Robot], NDArray[np.intp]]:
    """The robot with each payload that it holds at one of the times, and which of them moves when.

    A payload is held from its start until just before its end; at the last time it is still held.
    """
    if not spans:
        return [robot], np.zeros(len(t), np.intp)
    held = [NOTHING] * len(t)
    for start, end, payload in spans:
        for k in np.flatnonzero((t >= start) & ((t < end) | ((t == t[-1]) & (t <= end)))).tolist():
            held[k] = payload
    kinds = list(dict.fromkeys(held))
    place = {payload: k for k, payload in enumerate(kinds)}
    return [payload.held_by(robot) for payload in kinds], np.array([place[x] for x in held], np.intp)
