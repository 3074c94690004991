"""Do parts fit: with manifold3d for certain, without it what boxes show and what was not checked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dynamis import Body
from dynamis.bodies import exact_body
from dynamis.errors import ModelError
from dynamis.model.bodies import overlap

CUBE = Body.box([0.1, 0.1, 0.1], density=2710).named("cube")
BORE = Body.cylinder(0.01, 0.1, density=2710).named("bore")
SHAFT = Body.cylinder(0.01, 0.3, density=7800).named("shaft")

FITS = {
    "a bored cube": CUBE - BORE,
    "cubes that touch": CUBE + CUBE.at("Tx(0.1)"),
    "a shaft in its bore": (CUBE - BORE).named("block") + SHAFT.at("Rz(0.3)"),
    "the same without names": CUBE - BORE + SHAFT,
    "a cone on a face": CUBE + Body.cone(0.01, 0.1, density=1, axis="x").at("Tx(0.05)"),
    "a ball in a shell": Body.hollow_sphere(0.2, 0.1, density=1) + Body.sphere(0.1, density=1),
    "a point inside": CUBE + Body.point(3),
    "a capsule at its length": Body.capsule(0.1, 0.2, density=1) + CUBE.at("Tz(0.25)"),
    "an ellipsoid beside": Body.ellipsoid([0.1, 0.2, 0.3], density=1) + CUBE.at("Tx(0.151)"),
    "a tube on a tube": Body.hollow_cylinder(0.2, 0.1, 1, density=1) + Body.hollow_cylinder(0.1, 0.05, 1, density=1),
    "a tetrahedron below": CUBE + Body.tetrahedron([[0, 0, -0.05], [1, 0, -1], [0, 1, -1], [0, 0, -2]], density=1),
}
WRONG = {
    "overlap": (CUBE + CUBE.named("other").at("Tx(0.05)"), r'parts "cube" and "other" overlap in about 0.0005 m\^3'),
    "inside": (CUBE + Body.sphere(0.01, density=1), 'parts "cube" and "sphere" overlap .*that mass is counted twice'),
    "too long": (
        CUBE - Body.cylinder(0.01, 0.2, density=1).named("drill"),
        '"drill" lies 50% outside of its body',
    ),
    "elsewhere": (CUBE - BORE.at("Tx(1)"), 'hole "bore" lies 100% outside of its body; take away only what is there'),
    "too large": (CUBE - Body.box([1, 1, 1], density=1), r'hole "box" \(1 m\^3\) is larger than what it is taken from'),
    "twice": (CUBE - BORE - BORE.named("again").at("Tx(0.01)"), 'holes "bore" and "again" overlap .*taken away twice'),
    "deep": (Body.point(1) + (CUBE - BORE.at("Ty(1)")).named("block"), 'hole "bore" lies 100% outside'),
}


@pytest.mark.parametrize("name", FITS)
def test_what_fits(name: str):
    assert FITS[name].fit() == overlap.Fit()


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit(name: str):
    body, message = WRONG[name]
    with pytest.raises(ModelError, match=message):
        body.check()


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_axes_are_those_of_the_formulas(axis: str):
    """A cone's mesh has its CoM where the formula puts it."""
    import manifold3d

    body = Body.cone(0.1, 0.4, density=1, axis=axis).at("Tx(1) Rz(0.4) Rx(0.3)")
    shape = overlap._shape(body, manifold3d)
    mesh = shape.to_mesh64()
    from dynamis.model.bodies.mesh import mesh_integrals

    volume, com, inertia = mesh_integrals(mesh.vert_properties[:, :3], mesh.tri_verts.astype(int))
    found = body.properties()
    assert volume == pytest.approx(found.mass, rel=1e-6)
    assert com == pytest.approx(found.com, abs=1e-6)
    assert inertia == pytest.approx(found.inertia, rel=2e-3, abs=1e-7)


class TestWithoutManifold:
    @pytest.fixture(autouse=True)
    def no_kit(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(overlap, "_kit", lambda: None)

    def test_apart_is_certain(self):
        assert (CUBE + CUBE.at("Tx(0.2)")).fit() == overlap.Fit()
        assert (CUBE + CUBE.at("Tx(0.1)")).fit() == overlap.Fit()

    def test_what_is_not_certain_is_said(self):
        found = (CUBE + CUBE.named("other").at("Tx(0.05)") - BORE).fit()
        assert found.problems == ()
        assert found.unchecked == (
            'whether parts "cube" and "other" overlap (for that: pip install "dynamis[mesh]")',
            'whether hole "bore" lies inside of its body (for that: pip install "dynamis[mesh]")',
        )

    @pytest.mark.parametrize("name", ["elsewhere", "too large"])
    def test_what_is_certainly_wrong(self, name: str):
        body, message = WRONG[name]
        with pytest.raises(ModelError, match=message.replace("100% ", "").split(";")[0]):
            # A copy: how the first fits is known since the tests above.
            body.with_values().check()

    @pytest.mark.parametrize("name", FITS)
    def test_no_false_alarm(self, name: str):
        assert FITS[name].with_values().fit().problems == ()


def test_letters_and_cad_are_not_checked():
    assert (CUBE + Body.sphere("r", mass=1)).fit().unchecked == ("whether parts overlap: the sizes have symbols",)
    found = (CUBE + Body.cad(mass=1, moments=[1, 1, 1])).fit()
    assert found == overlap.Fit((), ("whether CAD data overlaps: it has no shape",))


class TestInPython:
    """Whoever asks a body for its numbers, formulas or link learns that it does not fit."""

    @pytest.mark.parametrize("name", WRONG)
    @pytest.mark.parametrize("ask", [Body.properties, Body.link_values, exact_body])
    def test_every_question_is_refused(self, name: str, ask: Callable[[Body], object]):
        body, message = WRONG[name]
        with pytest.raises(ModelError, match=message):
            ask(body.at("Tx(2) Rz(0.3)"))

    def test_overlap_may_be_allowed(self):
        wrong = CUBE + CUBE.at("Tx(0.05)")
        assert wrong.allowing_overlap().properties().mass == pytest.approx(5.42)
        assert wrong.allowing_overlap().at("Tx(1)").named("block").with_values().properties().mass > 5
        assert exact_body(wrong.allowing_overlap()).mass

    def test_a_sum_with_it_is_looked_at_again(self):
        blend = (CUBE + CUBE.at("Tx(0.05)")).allowing_overlap()
        assert (blend + CUBE.at("Tx(0.15)")).properties().mass > 8
        with pytest.raises(ModelError, match='parts "body" and "cube" overlap'):
            (blend + CUBE.at("Tx(0.1)")).properties()

    def test_letters_of_masses_leave_sizes_known(self):
        wrong = Body.sphere(1, mass="m1").named("a") + Body.sphere(1, mass="m2").named("b").at("Tx(1)")
        with pytest.raises(ModelError, match='parts "a" and "b" overlap'):
            exact_body(wrong)
        assert exact_body(Body.sphere("r", mass=1) + Body.sphere("r", mass=1)).mass

    def test_the_same_name_twice_has_numbers(self):
        with pytest.raises(ModelError, match=r'parts "cube" \(no. 1\) and "cube" \(no. 2\) overlap'):
            (CUBE + CUBE).properties()

    def test_what_was_not_looked_at_is_with_the_numbers(self):
        found = (CUBE + Body.cad(mass=1, moments=[1, 1, 1])).properties()
        assert found.notes == ("whether CAD data overlaps: it has no shape",)
        assert found.seen_from("Tx(1)").notes == found.notes
        assert (CUBE - BORE).properties().notes == ()

    def test_a_place_is_checked_once(self, monkeypatch: pytest.MonkeyPatch):
        body = CUBE - BORE
        body.properties()
        monkeypatch.setattr(overlap, "_shape", None)
        assert body.at("Tx(1)").named("block").properties().mass > 2

    def test_a_hole_of_a_part_larger_than_the_part(self):
        """Although the whole has mass left."""
        part = (CUBE - BORE.at("Tx(0)") - Body.box([0.2, 0.2, 0.2], density=1e4).named("cut")).named("part")
        with pytest.raises(ModelError, match='body "part" has the mass -77'):
            (Body.box([10, 10, 10], density=1).at("Tx(20)") + part).properties()
        with pytest.raises(ModelError, match='body "part" has the mass -77'):
            (Body.box([10, 10, 10], density=1).at("Tx(20)") + part).allowing_overlap().properties()
