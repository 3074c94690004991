"""Text from strangers is safe to print, in errors and in descriptions."""

from __future__ import annotations

import pytest

from dynamis import FormatError, ModelError
from dynamis.formats.robot_file.read import read_robot
from dynamis.printable import encodable, in_a_line, visible
from dynamis.robot import Robot
from dynamis.toml_table import parse_toml

HOSTILE = "\x1b]0;title\x07\x1b[2J\x00\x08\x7f\x9b31m\u202ereversed\u2066\u2028\ufeff\r"


def is_safe(text: str) -> bool:
    return visible(text) == text


def test_every_control_character_is_shown() -> None:
    shown = visible(HOSTILE)
    assert is_safe(shown)
    assert shown.startswith(r"\u001b]0;title\u0007\u001b[2J\u0000\u0008\u007f\u009b31m\u202ereversed\u2066")
    assert visible("a\tb\nc τ₁ 中 é\u2062") == "a\tb\nc τ₁ 中 é\u2062"
    assert visible("\udc80") == r"\udc80"


def test_errors_are_one_safe_line() -> None:
    error = FormatError(f'unknown key "{HOSTILE}\nerror: fake"').at(f"{HOSTILE}.toml", 3)
    assert is_safe(str(error))
    assert "\n" not in str(error)
    assert HOSTILE in error.message


def test_a_number_of_many_digits_is_cut() -> None:
    assert str(ModelError(f"mass {'123' * 100}; a mass is > 0")) == "mass 123123123123...(300 digits); a mass is > 0"
    assert in_a_line(f"0.{'1' * 60}") == f"0.{'1' * 60}"


def test_a_printed_robot_is_safe() -> None:
    quoted = "".join(f"\\u{ord(c):04x}" for c in HOSTILE)
    text = f"""
[robot]
name = "arm"
convention = "offset"
description = "{quoted}"
source = "{quoted}"
[parameters]
m = "{quoted}"
[[link]]
name = "upper"
joint = "revolute"
axis = [0, 0, 1]
mass = "m"
"""
    robot = Robot.from_model(read_robot(parse_toml(text, "arm.toml")))
    assert HOSTILE in robot.description
    assert is_safe(str(robot))
    assert str(robot).count(r"\u001b]0;title") == 3


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("q₁ q̇₂ q̈₁₂", "q1 qd2 qdd12"), ("Ṁ − 2 C", "Md - 2 C"), ("m₁ lc₁²", "m1 lc1^2"),
        ("τ θ ϑ π Ω", "tau theta theta pi Omega"),
        ("Mᵀ · ∂U/∂q", "M^T * dU/dq"), ("𝐠 = 0", "g = 0"), ("│ … ×", "| ... x"), ("plain", "plain"), ("中", r"\u4e2d"),
        ("Nørsett, Müller, Łoś, Weiß", "Norsett, Muller, Los, Weiss"), ("ẍ ẋ ∫ ≈", "xdd xd int ~"),
        ("t\u0307h\u0307₁² t\u0308h\u0308₂", "thd1^2 thdd2"),
        ("T = Σᵢ Tᵢ, Σᵢⱼ cᵢⱼₖ, Σ", "T = sum_i Ti, sum_ij cijk, Sigma"),
    ],
)  # fmt: skip
def test_spelled_for_a_terminal_without_the_characters(text: str, plain: str) -> None:
    assert encodable(text, "ascii") == plain
    assert encodable(text, "utf-8") == text
    assert encodable(text, "no such encoding") == text


def test_characters_that_an_encoding_has_stay() -> None:
    assert encodable("τ₁ = m₁ l²", "latin-1") == "tau1 = m1 l²"
    assert encodable("τ₁", "iso8859-7") == "τ1"
