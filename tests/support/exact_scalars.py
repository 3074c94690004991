"""Random exact scalars in the symbols of a robot."""

from hypothesis import strategies as st

from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import coordinate, sign_of_velocity
from tests.support.rings import ring

ACCELERATIONS = [coordinate(joint, 2) for joint in ("q1", "q2")]
VELOCITIES = [coordinate(joint, 1) for joint in ("q1", "q2", "q3", "q4")]
RING = ring(
    ("m1", "m2", "l", "g", "pi"),
    joints=("q1", "q2", "q4"),
    angles=("alpha", "1/7*pi"),
    roots=(2,),
    inverses=("l",),
    more=(*ACCELERATIONS, *VELOCITIES, sign_of_velocity("q1"), coordinate("q3")),
)


@st.composite
def scalars(draw: st.DrawFn) -> Exact:
    """Sums of products of a few symbols, with rational factors."""
    total = RING.zero
    for _ in range(draw(st.integers(0, 8))):
        term = RING.number(draw(st.fractions(-3, 3, max_denominator=12)))
        for name in draw(st.lists(st.sampled_from(RING.symbols), max_size=5)):
            term = term * RING.scalar(name)
        total = total + term
    return total * total if len(total) < 5 and draw(st.booleans()) else total
