"""Random solids and placements."""

from __future__ import annotations

from hypothesis import strategies as st

from dynamis import Body

LENGTH = st.floats(0.05, 2).map(lambda x: round(x, 3))
OFFSET = st.floats(-3, 3).map(lambda x: round(x, 3))
POINT = st.tuples(OFFSET, OFFSET, OFFSET)


@st.composite
def solids(draw: st.DrawFn) -> Body:
    a, b, c = draw(LENGTH), draw(LENGTH), draw(LENGTH)
    density = draw(LENGTH)
    match draw(st.integers(0, 6)):
        case 0:
            return Body.box([a, b, c], density=density)
        case 1:
            return Body.cylinder(a, b, density=density, axis=draw(st.sampled_from("xyz")))
        case 2:
            return Body.cone(a, b, density=density, axis=draw(st.sampled_from("xyz")))
        case 3:
            return Body.capsule(a, b, density=density)
        case 4:
            return Body.ellipsoid([a, b, c], mass=density)
        case 5:
            return Body.plate([a, b], mass=density)
        case _:
            return Body.tetrahedron([[0, 0, 0], [a, 0, 0.1], [0, b, 0], [0.1, 0, c]], density=density)


@st.composite
def placements(draw: st.DrawFn) -> str:
    x, y, z = draw(POINT)
    u, v = draw(OFFSET), draw(OFFSET)
    return f"Tx({x}) Ty({y}) Tz({z}) Rz({u}) Rx({v})"
