"""TOML as a stranger may write it: extreme numbers, deep nesting and long files end in a sentence, and soon."""

from __future__ import annotations

import pytest

from dynamis.base.errors import DynamisError, FormatError
from dynamis.base.toml_table import Lines, parse_toml
from dynamis.library import load
from dynamis.model.formats.frame_conventions import split_chain
from dynamis.model.formats.tasks.motion_file import read_task
from dynamis.model.formats.tasks.state_file import read_state
from dynamis.simulation.simulation_file import read_simulation

HUGE = "9" * 400


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "a = 1\nx = 1e9999999999999999999",
            'f.toml:2: the exponent of "1e9999999999999999999" is too large; a number is below 1e300 in size',
        ),
        (
            "x = -2e-9999999999999999999",
            'f.toml:1: the exponent of "-2e-9999999999999999999" is too large; a number is below 1e300 in size',
        ),
        (f"[a]\nx = 0x{'f' * 5000}", 'f.toml:2: "x" has too many digits; a number has at most 60'),
        (f"[[a]]\n[[a]]\nx = [1, {HUGE}]", 'f.toml:3: "x" has too many digits; a number has at most 60'),
        (f"\nx = {'1' * 5000}", "f.toml:2: has an integer of more than 4300 digits; a number has at most 60"),
        ("x = " + "[" * 60 + "]" * 60, "f.toml:1: is nested too deeply"),
        ("x = " + "{a = " * 60 + "1" + "}" * 60, "f.toml:1: is nested too deeply"),
        ("x = " + "[" * 100_000, "f.toml: is nested too deeply"),
    ],
)
def test_extremes_of_toml(text: str, sentence: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_toml(text, "f.toml")
    assert str(caught.value) == sentence


@pytest.mark.parametrize("key", ["duration", "control.period", "start.q", "control.goal", "gravity", "integrator.step"])
def test_400_digits_in_a_simulation(key: str) -> None:
    text = f'{key} = {HUGE}\ncontrol.kind = "pd"\n'
    with pytest.raises(DynamisError, match="has too many digits"):
        read_simulation(parse_toml(text, "s.toml"), load("bar-2r"))


def test_400_digits_in_a_state_and_a_task() -> None:
    robot = load("bar-2r")
    with pytest.raises(DynamisError, match=r"s.toml:1: .* has too many digits"):
        read_state(parse_toml(f"q = [0, {HUGE}]", "s.toml"), robot)
    with pytest.raises(DynamisError, match=r"t.toml:3: .* has too many digits"):
        read_task(parse_toml(f'[motion]\nkind = "cubic"\ngoal = [{HUGE}, 0]', "t.toml"), robot)


def test_lines_of_many_arrays() -> None:
    """Every header is looked at once: this took the square of their number, half a minute."""
    count = 20_000
    text = "".join(f"[[a{k}]]\nx = 1\n" for k in range(count))
    lines = Lines.of(text, "f.toml")
    assert lines.line((f"a{count - 1}", 0, "x")) == 2 * count


def test_lines_of_arrays_inside_arrays() -> None:
    text = "[[a]]\n[[a.b]]\n[[a.b]]\nx = 1\n[[a]]\n[[a.b]]\nx = 2\n[a.b.c]\ny = 3\n"
    lines = Lines.of(text, "f.toml")
    assert [lines.line(("a", 0, "b", 1, "x")), lines.line(("a", 1, "b", 0, "x"))] == [4, 7]
    assert lines.line(("a", 1, "b", 0, "c", "y")) == 9


def test_a_chain_of_many_joints_and_long_steps() -> None:
    """A step is searched for its own names, not for those of all joints: this took ten seconds."""
    names = [f"q{k}" for k in range(1, 801)]
    turns = " ".join(f"Rz({name})" for name in names)
    frames, rest = split_chain(f"{turns} {' '.join(['Tz(' + 'a+' * 90 + 'a)'] * 190)}", names)
    assert len(frames) == 800
    assert len(rest.steps) == 190
