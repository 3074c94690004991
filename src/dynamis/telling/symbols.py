"""The symbols of robot dynamics: what each stands for, and its letter, unless a notation has another.

Formulas are written in these: `M`, `omega.at(2)`, `omega.at(2).dot`, `R.at(1).T`. A notation (`Notation.symbols`)
gives its own letters by the meanings: {"mass matrix": "B", "mass matrix entry": "b"}. Vectors, and the matrices that
rotate or weigh them, are bold, so that no parameter looks like them. PLACES says where each symbol stands: two that
may look the same in one place cannot have the same letter.
"""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.telling.formula import Sym


def _vector(letter: str, meaning: str) -> Sym:
    return Sym(letter, bold=True, meaning=meaning)


# The equations of motion: M qdd + c + g + friction = tau + Q.
M, m = Sym("M", meaning="mass matrix"), Sym("m", meaning="mass matrix entry")
c, C = Sym("c", meaning="Coriolis vector"), Sym("C", meaning="Coriolis matrix")
christoffel = Sym("c", meaning="Christoffel symbol")
repeated = Sym("", meaning="repeated Christoffel symbol")
S1, S2 = Sym("S'", meaning="skew factorisation"), Sym("S''", meaning="other factorisation")
N1, N2 = Sym("N'", meaning="Mdot - 2 S'"), Sym("N''", meaning="Mdot - 2 S''")
E = Sym("E", meaning="residual of skew symmetry")
christoffel_matrix = Sym("C", meaning="Christoffel matrix")
g = Sym("g", meaning="gravity vector")
tau, u = Sym("tau", meaning="torque"), Sym("u", meaning="joint torque")
force = Sym("tau", meaning="force of a prismatic joint")
friction = Sym("friction", meaning="friction torque")
Q = Sym("Q", meaning="generalised force of the loads")
T, U = Sym("T", meaning="kinetic energy"), Sym("U", meaning="potential energy")
L = Sym("L", meaning="Lagrangian")
# Bold, because the number pi stands in fixed angles.
Y, pi = Sym("Y", meaning="regressor"), _vector("pi", "inertial parameters")
J = Sym("J", meaning="Jacobian")

# Links and joints.
mass, inertia = Sym("m", meaning="mass"), _vector("I", "inertia")
base_inertia = _vector("I", "inertia in base axes")
rotor = Sym("J", meaning="rotor inertia")
viscous, dry = Sym("b", meaning="viscous friction"), Sym("h", meaning="dry friction")
stiffness = Sym("kappa", meaning="stiffness")
gravity = _vector("g", "gravity acceleration")
R, k = _vector("R", "rotation"), _vector("k", "joint axis")
moves = {"R": Sym("R", meaning="elementary rotation"), "T": Sym("T", meaning="elementary translation")}
link_transform, transform = _vector("A", "link transform"), _vector("T", "transform")
p, v, omega = _vector("p", "position"), _vector("v", "velocity"), _vector("omega", "angular velocity")
z = _vector("z", "joint axis in base axes")
r_com, r = _vector("r", "CoM offset"), _vector("r", "frame offset")
e, d = _vector("e", "joint offset"), _vector("d", "joint point offset")
F, N = _vector("F", "net force"), _vector("N", "net moment")
f, n = _vector("f", "joint force"), _vector("n", "joint moment")
load_force, load_moment = _vector("f", "load force"), _vector("n", "load moment")
load_at_com, load_about_com = _vector("F", "load force at the CoM"), _vector("N", "load moment about the CoM")
r_load = _vector("r", "point of a load")

# Bodies.
com, point, element = _vector("c", "CoM"), _vector("p", "point"), _vector("r", "mass element")
A, S = _vector("A", "rotated inertia"), _vector("S", "parallel-axis term")
distance = _vector("d", "distance from the CoM")
euler = _vector("J", "Euler matrix")
skew = _vector("S", "skew-symmetric matrix of the angular velocity")
rho, V = Sym("rho", meaning="density"), Sym("V", meaning="volume")


@dataclass(frozen=True)
class Place:
    """Where a symbol stands: its indices (k a number, c of a CoM, x an axis, v of velocities), bold, on which pages."""

    letter: str
    shapes: frozenset[str]
    bold: bool = False
    page: str = "robot"


def _place(symbol: Sym, *shapes: str, page: str = "robot") -> tuple[str, Place]:
    return symbol.meaning, Place(symbol.letter, frozenset(shapes), symbol.bold, page)


PLACES = dict((
    _place(M, ""), _place(m, "kk"), _place(c, "", "k"), _place(C, "", "kk"), _place(christoffel, "kkk"),
    _place(repeated, "", "k"), _place(g, "", "k"), _place(tau, "", "k"), _place(u, "k"), _place(friction, "", "k"),
    _place(Q, "", "k"), _place(T, "", "k"), _place(U, "", "k"), _place(L, ""), _place(Y, "", "kp"), _place(pi, ""),
    _place(J, "", "vk", "kk"), _place(mass, "k", page=""), _place(inertia, "k", page=""), _place(rotor, "k"),
    _place(viscous, "k"), _place(dry, "k", "sk", "ok"), _place(stiffness, "k"),
    _place(gravity, "", "k"), _place(R, "k", "kk", page=""), _place(k, "k"),
    _place(moves["R"], "x"), _place(moves["T"], "x"), _place(link_transform, "k"), _place(transform, "kk"),
    _place(p, "", "k", "ck"), _place(v, "k", "ck", "kk"), _place(omega, "k", "kk"), _place(z, "k"), _place(r_com, "ck"),
    _place(r, "k"), _place(e, "k"), _place(d, "k"), _place(F, "k"), _place(N, "k"), _place(f, "k"), _place(n, "k"),
    *(_place(symbol, "", "kk") for symbol in (S1, S2, N1, N2, E)), _place(christoffel_matrix, "k"),
    _place(base_inertia, "kk"), _place(skew, "of omega", page=""),
    *(_place(x, "load") for x in (load_force, load_moment, load_at_com, load_about_com, r_load)),
    *(_place(symbol, "", "k", page="body") for symbol in (com, point, element, A, S, distance, euler, rho, V)),
))  # fmt: skip
"""Meaning -> where its symbol stands."""
MEANINGS = frozenset({*PLACES, force.meaning, *(f"{x.meaning} entry" for x in (c, C, g, tau))})
"""What a notation may have letters for."""
ARGUMENTS = {
    **dict.fromkeys((x.meaning for x in (M, m, christoffel, christoffel_matrix, g, U, J, Q)), ("q",)),
    **dict.fromkeys((x.meaning for x in (c, C, T, L, S1, S2, N1, N2, E)), ("q", "qd")),
    **dict.fromkeys((x.meaning for x in (Y, tau, u)), ("q", "qd", "qdd")),
    friction.meaning: ("qd",),
}
"""What is a function of the state; the arguments are written where a symbol would look like another one without."""
