"""Maps beside closed forms of two links, what their cells tell, and their pages."""

import json
import re
from dataclasses import replace
from pathlib import Path
from warnings import catch_warnings, simplefilter

import numpy as np
import pytest

import dynamis
from dynamis import ToolWrench, sweep
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.sweeps import bearing_map, box, grid, payload_map, reach_map, sobol, torque_map

G, M1, M2, L1, L2, D1, D2, EFFORT1, EFFORT2 = 9.81, 3.0, 2.0, 0.5, 0.4, 0.25, 0.2, 60.0, 20.0


@pytest.fixture(scope="module")
def arm() -> dynamis.Robot:
    """Two links in a vertical plane, x to the right and y up."""
    values = {"m1": M1, "m2": M2, "l1": L1, "l2": L2, "d1": D1, "d2": D2, "I1": 0.02, "I2": 0.01}
    robot = dynamis.load("deluca-2r").with_values(**values)
    efforts = (dynamis.Limits(effort=EFFORT1), dynamis.Limits(effort=EFFORT2))
    links = [replace(x, joint=replace(x.joint, limits=y)) for x, y in zip(robot.links, efforts, strict=True)]
    return replace(robot, links=tuple(links))


def payloads(q: np.ndarray) -> np.ndarray:
    """(..., 2): what each joint allows at rest, by the closed form."""
    c1, c12 = np.cos(q[..., 0]), np.cos(q.sum(-1))
    lever = np.stack([L1 * c1 + L2 * c12, L2 * c12], -1)
    own = G * np.stack([M1 * D1 * c1 + M2 * (L1 * c1 + D2 * c12), M2 * D2 * c12], -1)
    return (np.array([EFFORT1, EFFORT2]) - np.sign(lever) * own) / (G * np.abs(lever))


def test_the_payload_of_two_links_beside_the_closed_form(arm: dynamis.Robot) -> None:
    made = payload_map(
        arm, over={"q": box(-np.pi, np.pi)}, draw=grid(401), by={"x": ("tool.x", 20), "y": ("tool.y", 20)}
    )
    worst = min(
        (EFFORT1 - G * (M1 * D1 + M2 * (L1 + D2))) / (G * (L1 + L2)), (EFFORT2 - G * M2 * D2) / (G * L2)
    )  # fmt: skip
    assert np.isclose(np.nanmin(made.layer("payload in every posture").values), worst, rtol=1e-12)
    layer, limiting = made.layer("payload"), made.layer("limiting joint")
    assert layer.index is not None
    for cell in np.argwhere(layer.reached)[::7]:
        k = tuple(cell)
        allowed = payloads(made.sweep.state(int(layer.index[k]))["q"])
        assert np.isclose(allowed.min(), layer.values[k], rtol=1e-9)
        assert limiting.names[int(limiting.values[k]) - 1] == f"q{allowed.argmin() + 1}"
    x, y = (float(axis.centres[k]) for axis, k in zip(made.sweep.axes, (15, 9), strict=True))
    told = made.at(x=x, y=y)
    assert told["payload"].endswith(" kg")
    np.testing.assert_allclose(arm.forward_kinematics(told["state"]["q"])[:2, 3], [x, y], atol=0.1)


def test_reach_with_a_wrench_is_where_the_payload_suffices(arm: dynamis.Robot) -> None:
    options = {"over": {"q": box(-np.pi, np.pi)}, "draw": grid(201), "by": {"x": ("tool.x", 16), "y": ("tool.y", 16)}}
    mass = 10.0
    held = reach_map(arm, [ToolWrench("exerted_by_environment", force=(0, -G * mass, 0))], **options).layer("reached")
    payload = payload_map(arm, **options).layer("payload").values
    reached = np.isfinite(payload)
    np.testing.assert_array_equal(held.values[reached] == 1, payload[reached] >= mass)
    assert 0 < (held.values == 1).sum() < reached.sum()
    push = ToolWrench("exerted_by_environment", force=("fx", 0, 0))
    pushed = reach_map(arm, [push], {"fx": box(5)}, draw=sobol(64))
    assert pushed.sweep.ranges.dimensions[-1].label == "fx"


def test_torques_and_bearings_of_a_robot_in_space() -> None:
    robot = dynamis.load("ur5")
    torques = torque_map(robot, draw=sobol(2**12))
    assert [x.name for x in torques.sweep.axes] == ["r", "z"]
    assert torques.layers[0].name == "torque over its limit"
    k = np.unravel_index(np.nanargmax(torques.layer("torque of q2").values), torques.layers[0].values.shape)
    layer = torques.layer("torque of q2")
    assert layer.index is not None
    state = torques.sweep.state(int(layer.index[k]))
    np.testing.assert_allclose(abs(robot.gravity_torque(state["q"])[1]), layer.values[k], rtol=1e-12)
    bearings = bearing_map(robot, {"qd": box(1)}, draw=sobol(2**12))
    assert bearings.layer("q1: axial force").unit == "N"
    assert bearings.layer("q1: tilting moment").unit == "N m"
    assert "torque of q6" in str(torques)


def test_joints_that_bear_nothing_are_zero_and_not_drawn() -> None:
    """A vertical joint at rest has a torque of 1e-17; a prismatic joint has a force."""
    made = torque_map(dynamis.load("ur5"), draw=sobol(2**12))
    assert set(made.layer("torque of q1").values[made.layer("torque of q1").reached]) == {0.0}
    assert "0 in every cell: torque of q1, torque of q6." in made.words()
    panels = [x for x in made.figure("map").axes if x.get_title()]
    assert [x.get_title() for x in panels] == [
        "torque over its limit", *(f"torque of q{k}" for k in (2, 3, 4, 5))
    ]  # fmt: skip
    assert {x.get_aspect() for x in panels} == {1.0}
    slides = torque_map(dynamis.load("stanford"), {"q.q3": box(0.1, 1)}, draw=sobol(2**10))
    assert slides.layer("force of q3").unit == "N"
    assert sorted(x.label for x in slides.sweep.ranges.dimensions) == [f"q.q{k}" for k in range(1, 7)]
    with pytest.raises(
        ArgumentError, match=r'gives no limits of q\.q3; give a box of numbers, such as "q\.q3": box\(0'
    ):
        torque_map(dynamis.load("stanford"))
    bearings = bearing_map(dynamis.load("ur5"), draw=sobol(2**10))
    assert any(x.startswith("The figure has the first 12 layers of 14; a page has all") for x in bearings.words())


def test_a_map_of_three_axes_has_sections_and_points(arm: dynamis.Robot) -> None:
    robot = dynamis.load("ur5")
    made = torque_map(robot, draw=sobol(2**12), by={axis: (f"tool.{axis}", 6) for axis in "xyz"})
    document = made.document()
    assert list(document.figures) == ["sections", "points"]
    bars = [bar for x in made.figure("sections").axes for bar in x.child_axes]
    assert [x.get_ylabel() for x in bars] == ["%"] * 3
    assert made.figure("points").axes
    assert "only marks" in made.page("latex", pictures=True)
    line = payload_map(arm, over={"q": box(1)}, draw=sobol(2**10), by={"x": ("tool.x", 9)})
    first, _, named, *_ = line.figure().axes
    assert (len(first.lines), len(named.get_images())) == (1, 1)  # names are colours, not numbers


def test_the_page_asks_for_nothing_and_has_every_cell(arm: dynamis.Robot, tmp_path: Path) -> None:
    made = payload_map(
        arm, over={"q": box(-np.pi, np.pi)}, draw=sobol(2**12), by={"x": ("tool.x", 7), "y": ("tool.y", 5)}
    )
    made.save(tmp_path / "map.html")
    text = (tmp_path / "map.html").read_text()
    assert "default-src 'none'" in text
    assert not re.search(r"https?://(?!www\.w3\.org)", text.split("<footer")[0].split("<script")[0])
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])  # type: ignore[index]
    assert len(data["layers"][0]["values"]) == 35
    assert data["layers"][2]["names"] == ["q1", "q2"]
    assert len(json.loads(made.to_json())["layers"]) == 3
    with pytest.raises(ArgumentError, match=r"must end in \.html, \.pdf, \.md"):
        made.save(tmp_path / "map.docx")


def test_wrong_input(arm: dynamis.Robot) -> None:
    made = torque_map(arm, over={"q": box(1)}, draw=sobol(64), by={"x": ("tool.x", 3)})
    with pytest.raises(UnknownNameError, match='unknown layer "torque of q3" in the torque map; did you mean'):
        made.layer("torque of q3")
    with pytest.raises(UnknownNameError, match='unknown axis "z" in the torque map'):
        made.at(z=1)
    with pytest.raises(ArgumentError, match="x = 9 is outside of the map"):
        made.at(x=9)
    with pytest.raises(ArgumentError, match="at needs x"):
        made.at()
    with pytest.raises(ArgumentError, match="a reach map needs a load"):
        reach_map(arm, [])
    with pytest.raises(ArgumentError, match="largest_payload needs limits of effort"):
        payload_map(dynamis.load("bar-2r"), draw=sobol(64))
    with pytest.raises(ArgumentError, match=r"a map is of one value of link1\.mass"):
        torque_map(arm, over={"link1.mass": [1, 2]})
    with pytest.raises(ArgumentError, match=r"none of the 64 states is in the cells: tool\.x from 5 to 6 m"):
        torque_map(arm, over={"q": box(1)}, draw=sobol(64), by={"x": ("tool.x", 3, 5, 6)})
    nowhere = sweep(arm, "tool", {"q": box(1)}, sobol(64), {"x": ("tool.x", 3, 5, 6)}, ["max", "min", "mean"])
    with catch_warnings():
        simplefilter("error")  # NumPy's about slices without a number
        assert "64 states are in none of the cells" in str(nowhere.report(nowhere.run()))
    with pytest.raises(ArgumentError, match="a map has one to three axes, got 4"):
        torque_map(arm, by=dict.fromkeys("abcd", ("tool.x", 2)))
