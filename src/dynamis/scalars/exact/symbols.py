"""The symbols of exact scalars: what each of them stands for, and the text that it is printed as.

| kind | text | stands for |
|---|---|---|
| parameter | m1 | the parameter `of`, or a name given to a term; `meaning` is what it measures, if that is known |
| pi | pi | pi |
| coordinate | q1, d(q1), dd(q1) | the coordinate of the joint `of`, its velocity (`order` 1), its acceleration (2) |
| sign | sign(d(q1)) | the sign of the velocity of the joint `of` |
| stribeck | stribeck(d(q1)) | the curve s exp(-(v/v0)^2) of the velocity v of the joint `of`, s its sign |
| sine, cosine | sin(q1), cos(1/7*pi) | of the angle `of`: that of a joint, or the fixed `angle` |
| half sine, half cosine | sin(q1/2), cos(q1/2) | of half the angle of the joint `of` |
| root | sqrt(2) | the square root of `radicand` |
| inverse | 1/l1, 1/(a + b) | the inverse of a parameter, or of the sum `below` |

A symbol is a string, its text, so that points and tables can be asked for it by name: point["m1"], point["cos(q1)"].
What it stands for is never read from the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Literal

from dynamis.base.expressions.expression import Expression, Number, Pi, Product

Kind = Literal[
    "parameter", "pi", "coordinate", "sign", "stribeck", "sine", "cosine", "half sine", "half cosine", "root", "inverse"
]
Meaning = Literal["", "mass", "inertia", "length", "distance", "gravity", "friction", "force", "moment"]
"""What a parameter measures: a length between joints, a distance of a CoM, a force of a load, ..."""
Below = tuple[tuple[tuple[tuple["Symbol", int], ...], Fraction], ...]
"""A denominator as terms: (powers of symbols, coefficient)."""


class Symbol(str):
    """One symbol; the functions of this module make them."""

    __slots__ = ("angle", "below", "kind", "meaning", "of", "order")
    kind: Kind
    of: str
    order: int
    angle: Expression | None
    below: Below
    meaning: Meaning

    def __new__(
        cls,
        text: str,
        kind: Kind = "parameter",
        of: str | None = None,
        order: int = 0,
        angle: Expression | None = None,
        below: Below = (),
        meaning: Meaning = "",
    ) -> Symbol:
        symbol = super().__new__(cls, text)
        symbol.kind, symbol.of, symbol.order = kind, text if of is None else of, order
        symbol.angle, symbol.below, symbol.meaning = angle, below, meaning
        return symbol

    @property
    def is_rate(self) -> bool:
        """Whether it is a velocity, an acceleration, or a function of a velocity."""
        return self.is_of_velocity or (self.kind == "coordinate" and self.order > 0)

    @property
    def is_of_velocity(self) -> bool:
        """Whether it is a named odd function of a joint's velocity: its sign, or the curve of Stribeck friction."""
        return self.kind in ("sign", "stribeck")

    @property
    def moves(self) -> bool:
        """Whether it changes in a motion: a coordinate, a rate, a sine or cosine of a joint's angle."""
        return self.kind == "coordinate" or self.is_of_velocity or self.is_half or (self.is_trig and self.angle is None)

    @property
    def is_half(self) -> bool:
        """Whether it is the sine or the cosine of half a joint's angle."""
        return self.kind in ("half sine", "half cosine")

    @property
    def is_trig(self) -> bool:
        """Whether it is a sine or a cosine."""
        return self.kind in ("sine", "cosine")

    @property
    def is_sum(self) -> bool:
        """Whether it is the inverse of more than one parameter."""
        return self.kind == "inverse" and self.inverted is None

    @property
    def inverted(self) -> Symbol | None:
        """The parameter that this is the inverse of, if it is that of one."""
        if len(self.below) == 1 and self.below[0][1] == 1 and len(self.below[0][0]) == 1:
            symbol, power = self.below[0][0][0]
            return symbol if power == 1 and not (symbol.is_trig or symbol.kind == "root") else None
        return None

    @property
    def ascii(self) -> str:
        """What FLINT calls it, whose names are ASCII; a joint may be called θ1."""
        return self if self.isascii() else self.encode("ascii", "backslashreplace").decode()

    @property
    def place(self) -> int:
        """Inverses of sums, half angles, sines, roots, inverses: what relations remove; cosines; all others."""
        if self.is_half:
            return 1
        if self.kind == "inverse":
            return 0 if self.is_sum else 4
        return {"sine": 2, "root": 3, "cosine": 5}.get(self.kind, 6)

    @property
    def is_number(self) -> bool:
        """Whether it stands for one number."""
        match self.kind:
            case "root" | "pi":
                return True
            case "sine" | "cosine":
                return self.angle is not None and not self.angle.parameters()
            case "inverse":
                return all(below.is_number for powers, _ in self.below for below, _ in powers)
            case _:
                return False

    @property
    def radicand(self) -> int:
        """What stands under a root."""
        return int(self.of)


PI = Symbol("pi", "pi")


def parameter(name: str, meaning: Meaning = "") -> Symbol:
    """A parameter by its name; pi is pi."""
    return PI if name == "pi" else Symbol(name, meaning=meaning)


def coordinate(joint: str, order: int = 0) -> Symbol:
    """A joint's coordinate (order 0), velocity (1) or acceleration (2)."""
    return Symbol(f"{'d' * order}({joint})" if order else joint, "coordinate", joint, order)


def sign_of_velocity(joint: str) -> Symbol:
    """The sign of a joint's velocity."""
    return Symbol(f"sign(d({joint}))", "sign", joint)


def stribeck_curve(joint: str) -> Symbol:
    """The curve of a joint's Stribeck friction, a function of its velocity."""
    return Symbol(f"stribeck(d({joint}))", "stribeck", joint)


def joint_angle(joint: str) -> tuple[Symbol, Symbol]:
    """Sine and cosine of a joint's angle."""
    return Symbol(f"sin({joint})", "sine", joint), Symbol(f"cos({joint})", "cosine", joint)


def half_angle(joint: str) -> tuple[Symbol, Symbol]:
    """Sine and cosine of half a joint's angle."""
    return Symbol(f"sin({joint}/2)", "half sine", joint), Symbol(f"cos({joint}/2)", "half cosine", joint)


def fixed_angle(angle: Expression) -> tuple[Symbol, Symbol]:
    """Sine and cosine of an angle that no joint changes: a number, or an expression in parameters."""
    text = angle_text(angle)
    return Symbol(f"sin({text})", "sine", text, angle=angle), Symbol(f"cos({text})", "cosine", text, angle=angle)


def angle_text(angle: Expression) -> str:
    """The text of a fixed angle; numbers in it are fractions.

    >>> angle_text(Number(Fraction(3, 10))), angle_text(Product(Number(Fraction(1, 5)), Pi()))
    ('3/10', '1/5*pi')
    """
    match angle:
        case Number(value):
            return str(value)
        case Product(Number(value), Pi()):
            return f"{value}*pi"
        case _:
            return str(angle)


def root(radicand: int) -> Symbol:
    """The square root of a prime."""
    return Symbol(f"sqrt({radicand})", "root", str(radicand))


def inverse(below: Symbol | Below) -> Symbol:
    """The inverse of a parameter, or of a sum of terms.

    >>> a, b = parameter("a"), parameter("b")
    >>> inverse(a), inverse(((((a, 1),), Fraction(2)), (((b, 2),), Fraction(-1))))
    ('1/a', '1/(2*a - b^2)')
    """
    if isinstance(below, Symbol):
        return Symbol(f"1/{below}", "inverse", below, below=((((below, 1),), Fraction(1)),))
    scale = lcm(*(number.denominator for _, number in below))
    integral = tuple((powers, number * scale) for powers, number in below)
    text = _sum_text(integral)
    return Symbol(f"1/{text}", "inverse", text, below=integral)


def _sum_text(terms: Sequence[tuple[tuple[tuple[Symbol, int], ...], Fraction]]) -> str:
    """`(2*a - b^2)`."""
    text = ""
    for powers, number in terms:
        factors = [f"{symbol}^{e}" if e > 1 else str(symbol) for symbol, e in powers]
        text += (" + " if number > 0 else " - ") if text else "-" * (number < 0)
        text += "*".join([*([str(abs(number))] if abs(number) != 1 or not factors else []), *factors])
    return f"({text})"
