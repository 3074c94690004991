"""The message of a model that is too large for its time or memory: what is missing and what to ask for instead."""

from __future__ import annotations

from dynamis.base.errors import TimeLimitError, TooLargeError, literal
from dynamis.base.faces import option
from dynamis.exact.closed_form.closed_form import ClosedForm

MOST_NAMED = 8


def unfinished_message(model: ClosedForm, error: TooLargeError, missing: tuple[str, ...], entry: str = "") -> str:
    """Why a model stopped, what is missing, and what to do; `entry` is one that may be asked for instead."""
    more = f"; and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
    listed = "; ".join(missing[:MOST_NAMED]) + more
    return f"{error.reason}; missing: {listed}; {_instead(model, error, entry)}"


def _instead(model: ClosedForm, error: TooLargeError, entry: str) -> str:
    ways = [f"ask for a single entry ({option('only', literal(entry))})"] if entry else []
    if not model.numeric and model.robot.used_parameters():
        lacking = [name for name in model.robot.missing_values if name in model.robot.used_parameters()]
        numbers = option("values", f"{lacking[0]}=...", "robot.with_values") if lacking else option("numeric")
        ways.append(f"put numbers in the place of symbols ({numbers})")
    if isinstance(error, TimeLimitError):
        ways.append(f"give more time ({option('seconds', f'{max(10 * error.seconds, 1):g}')})")
    else:
        ways.append(f"allow more memory ({option('memory', f'{4 * model.memory:g}')})")
    return _cause(model) + ", ".join(ways[:-1]) + (", or " if len(ways) > 2 else " or " if ways[1:] else "") + ways[-1]


def _cause(model: ClosedForm) -> str:
    """Fixed angles, each of which is a symbol of its own unless it is a multiple of 15 degrees."""
    count = sum(sine in model.ring.numbers for sine, _ in model.ring.angles)
    if not count:
        return ""
    angles = "one fixed angle is" if count == 1 else f"{count} fixed angles are"
    multiple = "a multiple" if count == 1 else "multiples"
    return f"{angles} not {multiple} of 15 degrees and had to be kept as symbols; "
