"""A signature names every argument and result, with shapes and units, loads, gravity and parameters included."""

from __future__ import annotations

import pytest

import dynamis
from dynamis import Force, ToolWrench
from dynamis.compute.quantities.registry import QUANTITIES
from tests.support.functions import function


@pytest.mark.parametrize("name", QUANTITIES)
def test_units_and_names_are_as_many_as_entries(name: str) -> None:
    f = function(dynamis.load("genova-rp"), name, **({"rows": "x y"} if "rows" in QUANTITIES[name].options else {}))
    for operand in (*f.inputs, *f.outputs):
        assert len(operand.units) in (0, operand.count)
        assert len(operand.entries) in (0, operand.count)
    assert len(QUANTITIES[name].units) in (0, len(QUANTITIES[name].outputs))


def test_revolute_and_prismatic() -> None:
    signature = function(dynamis.load("genova-rp"), "mass_matrix").program.signature
    assert str(signature) == "q -> M"
    assert signature.shapes == "(2)->(2,2)"
    assert signature.inputs[0].units == ("rad", "m")
    assert signature.outputs[0].units == ("N m/(rad/s^2)", "N m/(m/s^2)", "N/(rad/s^2)", "N/(m/s^2)")
    assert function(dynamis.load("genova-rp"), "inverse_dynamics").outputs[0].units == ("N m", "N")


def test_loads_gravity_and_parameters_are_operands_of_their_own() -> None:
    robot = dynamis.load("bar-2r")
    loads = [ToolWrench("exerted_by_environment", force=(1, 2, 3)), Force(robot.links[0].name, (1, 0, 0))]
    f, values = robot.engine.loaded_function("inverse_dynamics", {}, (0.0, 0.0, -1.0), loads)
    *_, acting, gravity = f.inputs
    assert (acting.name, acting.shape, gravity.name, gravity.shape) == ("loads", (12,), "gravity", (3,))
    assert acting.entries[:4] == ("load1.force.x", "load1.force.y", "load1.force.z", "load1.moment.x")
    assert acting.units == ("N",) * 3 + ("N m",) * 3 + ("N",) * 3 + ("m",) * 3
    assert gravity.units == ("m/s^2",) * 3
    assert [x.shape for x in values] == [(12,), (3,)]
    parameters = robot.compile(
        "mass_matrix", parameters=["m2", "link2.mass", "link2.com.x", "link2.inertia.zz"]
    ).program
    assert parameters.inputs[-1].entries == ("m2", "link2.mass", "link2.com.x", "link2.inertia.zz")
    assert parameters.inputs[-1].units == ("kg", "kg", "m", "kg m^2")
