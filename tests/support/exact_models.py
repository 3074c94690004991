"""Random symbolic robots, and exact scalars evaluated at a state."""

import math

import numpy as np
from hypothesis import strategies as st

import dynamis
from dynamis import Inertia, Joint, Link
from dynamis.compute.mechanics.coupling import coupling_matrix, joint_positions
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.scalars.exact.counterexample import fixed_value
from dynamis.scalars.exact.ring import Exact


def at(scalar: Exact, values: dict[str, float]) -> float:
    """A scalar's polynomial at a point."""
    total = 0.0
    for powers, coefficient in scalar.powers():
        total += float(coefficient) * math.prod(values[symbol] ** e for symbol, e in powers)
    return total


def point(model: ClosedForm, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> dict[str, float]:
    """The symbols of a model at a state of the coordinates, parameters at their values; fixed angles and roots too."""
    robot, values, (A, _) = model.robot, dict[str, float](), coupling_matrix(model.robot)
    for j, x, v, a in zip(robot.joints, joint_positions(robot, q), A @ qd, A @ qdd, strict=True):
        values |= {f"sin({j.name})": np.sin(x), f"cos({j.name})": np.cos(x), j.name: x}
        values |= {f"d({j.name})": v, f"dd({j.name})": a, f"sign(d({j.name}))": np.sign(v)}
    floats = robot.floats()
    for symbol in model.ring.symbols:
        if (number := fixed_value(symbol, model.ring)) is not None:
            values[symbol] = number
        elif symbol.kind == "parameter":
            values[symbol] = floats.parameter(symbol)
        elif symbol.angle is not None:
            values[symbol] = floats.cos_sin_of(symbol.angle)[symbol.kind == "sine"]
    for symbol in model.ring.inverses:
        values[symbol] = 1 / at(model.ring.denominator(symbol), values)
    return values


ANGLES = ["pi/2", "-pi/2", "pi", "pi/6", "-pi/4", "2*pi/3", "pi/12", "pi/7", "0.3", "alpha", "alpha/2", "pi/2 - alpha"]
AXES = [(0, 0, 1), (0, 1, 0), (-1, 0, 0), ("3/5", 0, "4/5"), (1, 1, 0), (1, -2, 2), (1, 0, 2)]
LENGTHS = ["l", "-l/2", 0.25, "2*h", "h/l"]
MASSES = ["m", 2, "m/3"]


@st.composite
def robots(draw: st.DrawFn) -> dynamis.Robot:
    """Trees of one to four links, symbols and numbers mixed, skew axes, odd angles."""
    links: list[Link] = []
    for k in range(draw(st.integers(1, 4))):
        chain = f"T{draw(axes)}({draw(st.sampled_from(LENGTHS))}) R{draw(axes)}({draw(st.sampled_from(ANGLES))})"
        after = f"R{draw(axes)}({draw(st.sampled_from(ANGLES))}) Tx(h)" if draw(st.booleans()) else ""
        kind = draw(st.sampled_from(["revolute", "continuous", "prismatic", "fixed"])) if k else "revolute"
        drive = {"damping": "b", "coulomb": 2, "gear_ratio": 10, "rotor_inertia": "J"} if kind != "fixed" else {}
        joint = Joint(f"q{k}", kind, draw(st.sampled_from(AXES)), chain, after, **drive)
        about = draw(st.sampled_from(["com", "origin"]))
        inertia = Inertia.of(about=about, xx="A", yy=1, zz="A", xy="B", allow_unphysical=True)
        parent = draw(st.sampled_from(["base", *(link.name for link in links)])) if links else "base"
        links.append(Link(f"link{k}", joint, parent, draw(st.sampled_from(MASSES)), ("l", 0.5, "-h"), inertia))
    names = dict.fromkeys(["m", "l", "h", "alpha", "A", "B", "b", "J", "g"], "")
    values = {"m": 2.5, "l": 0.75, "h": "1/3", "alpha": 0.7, "A": 2, "B": 0.1, "b": 0.3, "J": 0.01, "g": 9.81}
    return dynamis.Robot("random", tuple(links), gravity=(0, "g", "-g/2"), parameters=names, values=values)


@st.composite
def planar_robots(draw: st.DrawFn) -> dynamis.Robot:
    """Trees that move in a plane across z or y, with offsets and products of inertia out of it."""
    u = draw(st.sampled_from("zy"))
    others = [axis for axis in "xyz" if axis != u]
    units = {axis: tuple(int(axis == other) for other in "xyz") for axis in "xyz"}
    links: list[Link] = []
    for k in range(draw(st.integers(1, 3))):
        across = f"T{u}({draw(st.sampled_from(LENGTHS))}) " if draw(st.booleans()) else ""
        before = f"{across}T{draw(st.sampled_from(others))}({draw(st.sampled_from(LENGTHS))})"
        turned = f"R{u}({draw(st.sampled_from(ANGLES))}) T{draw(st.sampled_from(others))}(h)"
        kind = draw(st.sampled_from(["revolute", "revolute", "prismatic", "fixed"])) if k else "revolute"
        along = [units[u], tuple(-x for x in units[u])] if kind == "revolute" else [units[axis] for axis in others]
        follows = {"q0": "-1"} if k == 2 and kind == "revolute" and draw(st.booleans()) else {}
        after = turned if draw(st.booleans()) else ""
        joint = Joint(f"q{k}", kind, draw(st.sampled_from(along)), before, after, coupling=follows)
        inertia = Inertia.of(about="com", xx="A", yy=1, zz="A", xy="B", yz="B", allow_unphysical=True)
        parent = draw(st.sampled_from(["base", *(link.name for link in links)])) if links else "base"
        links.append(Link(f"link{k}", joint, parent, draw(st.sampled_from(MASSES)), ("l", "h", 0.5), inertia))
    names = dict.fromkeys(["m", "l", "h", "alpha", "A", "B", "g"], "")
    values = {"m": 2.5, "l": 0.75, "h": "1/3", "alpha": 0.7, "A": 2, "B": 0.1, "g": 9.81}
    gravity = tuple(0 if axis == u else "g" for axis in "xyz")
    return dynamis.Robot("planar", tuple(links), gravity=gravity, parameters=names, values=values)


axes = st.sampled_from("xyz")
