"""Every formula of the documents, corrected, is equal to ours in the ring: exactly, not at points."""

from typing import Any

import pytest

from dynamis import load
from dynamis.compute.mechanics.kinematics.motion import velocities
from dynamis.compute.mechanics.kinematics.poses import com_position, jacobian, poses
from dynamis.exact.equations import Equations
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.renderers.page import render
from tests.support.documents import CASES, named
from tests.support.formulas import exact


def model_of(name: str) -> Equations:
    return load(name).equations()


def entries(v: Any) -> list[Exact]:
    return list(v)


def column(values: list[Exact]) -> list[list[Exact]]:
    return [[value] for value in values]


def jacobians(model: Equations, link: int) -> dict[str, list[list[Exact]]]:
    """J_v and J_w of a CoM, links from 1."""
    where = poses(model.mechanism, model.state)
    linear, angular = jacobian(model.mechanism, where, link - 1, com_position(model.mechanism, where, link - 1))
    return {
        kind: [[getattr(c, axis) for c in columns] for axis in "xyz"]
        for kind, columns in (("v", linear), ("w", angular))
    }


def quantity_of_xu(model: Equations, name: str) -> Any:
    """What the Xu project calls w1, vc2, F1, n2, Jv1, I2_base, M, V, G."""
    ne = model.newton_euler
    if name in ("M", "V", "G"):
        return {"M": model.M.rows(), "V": column(model.coriolis), "G": column(model.gravity)}[name]
    k = int(name.removesuffix("_base")[-1]) - 1
    if name.startswith("J"):
        return jacobians(model, k + 1)[name[1]]
    if name.endswith("_base"):
        R = poses(model.mechanism, model.state)[k].R
        return [entries(row) for row in R.times(model.mechanism.bodies[k].inertia).times(R.T)]
    motion, net, wrench = ne.motions[k], ne.net[k], ne.wrenches[k]
    vectors = {"w": motion.w, "wd": motion.wd, "v": motion.a, "vc": motion.a_com}
    vectors |= {"F": net.force, "N": net.moment, "f": wrench.force, "n": wrench.moment}
    return entries(vectors[name[:-1]])


@pytest.mark.parametrize("case", [name for name in named("xu-") if name != "xu-trajectory"])
def test_xu(case: str):
    model, quantity = model_of("bar-2r"), CASES[case]["inputs"]["quantity"]
    found = quantity_of_xu(model, quantity)
    assert found == exact(CASES[case]["expected"]["expr"], model)
    if "misprint" in CASES[case]:
        assert found != exact(CASES[case]["misprint"], model)


def test_de_luca_2r():
    model, expected = model_of("deluca-2r"), CASES["deluca-2R-model"]["expected"]
    a = {name: exact(text, model) for name, text in CASES["deluca-2R-coefficients"]["expected"].items()}
    for k, velocity in enumerate(velocities(model.mechanism, model.state), 1):
        assert column(entries(velocity.at(model.mechanism.bodies[k - 1].origin))) == exact(expected[f"v{k}"], model)
        assert column(entries(velocity.v_com)) == exact(expected[f"vc{k}"], model)
        assert model.kinetic_energies[k - 1] == exact(expected[f"T{k}"], model)
    assert model.M.rows() == exact(expected["M"], model, **a)
    assert column(model.coriolis) == exact(expected["c"], model, **a)
    assert model.potential_energy == exact(expected["U"], model, **a)
    assert column(model.gravity) == exact(expected["g"], model, **a)


def test_de_luca_q4():
    model, expected = model_of("deluca-2r"), CASES["deluca-Q4"]["expected"]
    a = {name: exact(text, model) for name, text in CASES["deluca-2R-coefficients"]["expected"].items()}
    assert model.coriolis_matrix == exact(expected["S_skew"], model, **a)
    assert model.mass_matrix_rate == exact(expected["Mdot"], model, **a)


@pytest.mark.parametrize("link", range(1, 7))
def test_stanford_m11(link: int):
    """m11 link by link, the corrected form: the coefficient of the link's mass."""
    model = model_of("stanford")
    expected = exact(CASES[f"deluca-stanford-m11-link{link}"]["expected"]["expr"], model, r3=model.robot.joints[2].name)
    assert model.M[0, 0].derivative(f"m{link}") == expected


@pytest.mark.parametrize("case", [name for name in named("jnadi-") if "-J" in name])
def test_jnadi_jacobians(case: str):
    model, inputs = model_of("niryo-one"), CASES[case]["inputs"]
    assert jacobians(model, inputs["link"])[inputs["kind"]] == exact(CASES[case]["expected"]["J"], model)


def test_jnadi_gravity():
    model = model_of("niryo-one")
    assert column(model.gravity) == exact(CASES["jnadi-eq29-G"]["expected"]["G"], model)


def test_akdogan():
    model, expected = model_of("planar-elbow"), CASES["akdogan-elbow"]["expected"]
    assert model.M.rows() == exact(expected["D"], model)
    assert model.potential_energy == exact(expected["P"], model)
    assert column(model.gravity) == exact(expected["phi"], model)
    for name, text in expected["christoffel"].items():
        i, j, k = (int(digit) for digit in name[1:])
        assert model.christoffel(i, j, k) == exact(text, model)
    for link in (1, 2):
        assert jacobians(model, link)["v"] == exact(expected[f"Jvc{link}"], model)
    cartesian, expected = model_of("cartesian"), CASES["akdogan-cartesian"]["expected"]
    assert cartesian.torques == exact(expected["f"], cartesian)
    assert cartesian.M.rows() == exact(expected["D"], cartesian)


def test_off_axis():
    model, expected = model_of("deluca-2r-offaxis"), CASES["deluca-2R-offaxis"]["expected"]
    assert model.M.rows() == exact(expected["M"], model)


def test_print_shows_matrices_of_formulas():
    """As pages do; `repr` stays one line."""
    model = load("deluca-2r").equations()
    assert repr(model.M) == "<M of deluca-2r, 2 x 2>"
    assert str(model.M) == render(model.M).rstrip()
    assert str(model.M).startswith("    M = │ ")
    assert "𝐓₀₂ = │ " in str(model.transform(0, 2))
    assert "\n" not in repr(model.transform(0, 2))
    assert str(load("cartesian").equations().coriolis) == "[0, 0]"
