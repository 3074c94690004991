"""Random loads with symbols: a tool wrench, a force at a point and a moment; in space and in a plane."""

from hypothesis import strategies as st

from dynamis import Force, Moment, Robot, ToolWrench
from dynamis.model.loads import Load

VALUES = {
    "fx": 1.5, "fy": -2.0, "fz": 0.7, "nx": 0.3, "ny": -0.4, "nz": 0.9, "F": 3.0, "beta": 0.6, "r": 0.25,
}  # fmt: skip


@st.composite
def loads_on(draw: st.DrawFn, robot: Robot) -> list[Load]:
    """A tool wrench, a force at a point and a moment, in either axes, on any link."""
    links, axes = st.sampled_from([link.name for link in robot.links]), st.sampled_from(["world", "link"])
    force, point_in = ("F*cos(beta)", "F*sin(beta)", -2), draw(axes)
    return [
        ToolWrench(
            draw(st.sampled_from(["exerted_by_tool", "exerted_by_environment"])), ("fx", "fy", "fz"),
            ("nx", 0, "nz"), draw(st.sampled_from(["world", "tool"])),
        ),
        Force(draw(links), force, draw(axes), ("r", "-r/2", "1/3"), point_in),
        Moment(draw(links), (0, "ny", "2*nz"), draw(axes)),
    ]  # fmt: skip


@st.composite
def planar_loads_on(draw: st.DrawFn, robot: Robot, normal: int) -> list[Load]:
    """The same for a robot that moves across an axis: forces across it, at any height, and moments about it."""
    links, axes = st.sampled_from([link.name for link in robot.links]), st.sampled_from(["world", "link"])
    force, moment = ["fx", "fy", "F"], [0, 0, 0]
    force[normal], moment[normal] = 0, "nz"
    direction = draw(st.sampled_from(["exerted_by_tool", "exerted_by_environment"]))
    return [
        ToolWrench(direction, tuple(force), tuple(moment), draw(st.sampled_from(["world", "tool"]))),
        Force(draw(links), tuple(force), draw(axes), ("r", "-r/2", "1/3"), draw(axes)),
        Moment(draw(links), tuple(moment), draw(axes)),
    ]
