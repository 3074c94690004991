"""The claims of `proof` as people write them, with the letters of the notation."""

from __future__ import annotations

from dynamis.document.formula import DOT, EQUALS, MINUS, PLUS, Coordinates, Group, Prose, Sym, by

_U, _M, _C = Sym("U"), Sym("M"), Sym("C")
_RATE = Coordinates(1)
_DRIVE = (Sym("tau"), MINUS, Sym("friction"))

CLAIM_WORDS: dict[str, Prose] = {
    "Newton-Euler = Euler-Lagrange": ("The torques by Newton-Euler are those by Euler-Lagrange",),
    "M from the kinetic energy = M from the Jacobians": (
        (_M,), " from the kinetic energy is ", (_M,), " from the Jacobians",
    ),
    "M is symmetric": ((_M, EQUALS, Sym("M", transposed=True)),),
    "Mdot - 2 C is skew-symmetric (C by Christoffel symbols)": (
        (Sym("M", "", 1), MINUS, Sym("2"), _C), " is skew-symmetric, with ", (_C,), " by Christoffel symbols",
    ),
    "g = dU/dq": ((Sym("g"), EQUALS, *by((_U,), (Coordinates(0),))), ", from the Newton-Euler torques at rest"),
    "tau = Y pi, linear in the inertial parameters": (
        (Sym("tau"), EQUALS, Sym("Y"), Sym("pi")), ", linear in the inertial parameters (and the drives)",
    ),
    "d(T + U)/dt = qd . (tau - friction)": (
        (Sym("T", "", 1), PLUS, Sym("U", "", 1), EQUALS, _RATE, DOT, Group(_DRIVE)),
        ", the power of the motors less that of friction",
    ),
}  # fmt: skip
