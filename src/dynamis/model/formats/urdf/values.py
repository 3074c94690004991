"""The values in URDF attributes: numbers kept as they are written, angles made exact, origins."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from dynamis.base.errors import UnknownNameError
from dynamis.base.expressions.expression import Expression, Number
from dynamis.base.expressions.parser import as_expression, parse
from dynamis.model.formats.xml_tree import Element
from dynamis.model.placement import Placement, Step

# URDF asks for limits that a robot may not have: from here on a limit means "none".
NO_LIMIT = 10**30
# An angle this close to a multiple of 15 degrees is a rounded one [rad].
ANGLE_TOLERANCE = 1e-11
MAX_CHARACTERS = 80
EXPAND = "expand the file first: xacro robot.urdf.xacro > robot.urdf"
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
Three = tuple[Number, Number, Number]


def number(element: Element, attribute: str) -> Number:
    """A required attribute as the exact decimal that it writes."""
    return decimal(element, attribute, element.require(attribute).strip())


def decimal(element: Element, what: str, text: str) -> Number:
    """The decimal that `text` writes; `what` is its name in errors."""
    if _NOT_FINITE.fullmatch(text):
        element.fail(f'{what} of <{element.tag}> must be a finite number, got "{text}"')
    if "${" in text:
        element.fail(f"{what} of <{element.tag}> is {_quote_text(text)}, which is xacro; {EXPAND}")
    if not _NUMBER.fullmatch(text) or len(text) > MAX_CHARACTERS:
        element.fail(f"{what} of <{element.tag}> must be a number such as 0.5, got {_quote_text(text)}")
    with element.place():
        value = as_expression(Decimal(text), what)
    assert isinstance(value, Number)
    return value


def three(element: Element, attribute: str, default: str | None = None) -> Three:
    """An attribute of three numbers."""
    text = element.attributes.get(attribute, default)
    if text is None:
        text = element.require(attribute)
    parts = text.split()
    if len(parts) != 3:
        element.fail(f'{attribute} of <{element.tag}> must be three numbers such as "0 0 0.5", got {_quote_text(text)}')
    x, y, z = (decimal(element, attribute, part) for part in parts)
    return x, y, z


def origin(parent: Element) -> Placement:
    """<origin xyz rpy>: Trans(xyz) Rz(yaw) Ry(pitch) Rx(roll); none at all is the identity."""
    return translation(parent) * rotation(parent)


def translation(parent: Element) -> Placement:
    return Placement.offset(origin_values(parent, "xyz"))


def rotation(parent: Element) -> Placement:
    roll, pitch, yaw = (angle(value) for value in origin_values(parent, "rpy"))
    return Placement((Step("R", "z", yaw), Step("R", "y", pitch), Step("R", "x", roll))).tidy()


def origin_values(parent: Element, attribute: str) -> Three:
    """xyz [m] or rpy [rad] of the <origin>, zeros where it is left out."""
    element = parent.first("origin") or Element("origin", {}, parent.file, parent.line)
    for name in element.attributes:
        if name not in ("xyz", "rpy"):
            error = UnknownNameError("attribute", name, ("xyz", "rpy"), within="<origin>")
            raise error.at(element.file, element.line)
    return three(element, attribute, "0 0 0")


def angle(value: Number) -> Expression:
    """An angle [rad]: a multiple of pi/12 where it is one to 1e-11, else the decimal itself.

    >>> from fractions import Fraction
    >>> [str(angle(Number(Fraction(text)))) for text in ("1.5707963267948966", "-2.0943951023932", "1.5708", "1e-17")]
    ['pi/2', '-2*pi/3', '1.5708', '0']
    """
    radians = float(value.value)
    twelfths = round(radians * 12 / math.pi) if abs(radians) < 100 else 0
    if abs(radians - twelfths * math.pi / 12) > ANGLE_TOLERANCE:
        return value
    common = math.gcd(twelfths, 12)
    return parse(f"{twelfths // common}*pi/{12 // common}")


def _quote_text(text: str) -> str:
    return f'"{text}"' if len(text) <= 60 else f'"{text[:57]}..."'
