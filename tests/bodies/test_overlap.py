"""Do parts fit: with manifold3d for certain, without it what boxes show and what was not checked."""

from __future__ import annotations

import pytest

from dynamis import Body, ModelError
from dynamis.bodies import overlap
from dynamis.bodies.overlap import check_fit, require_fit

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
    assert check_fit(FITS[name]) == overlap.Fit()


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit(name: str):
    body, message = WRONG[name]
    with pytest.raises(ModelError, match=message):
        require_fit(body)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_axes_are_those_of_the_formulas(axis: str):
    """A cone's mesh has its CoM where the formula puts it."""
    import manifold3d

    body = Body.cone(0.1, 0.4, density=1, axis=axis).at("Tx(1) Rz(0.4) Rx(0.3)")
    shape = overlap._shape(body, manifold3d)
    mesh = shape.to_mesh64()
    from dynamis.bodies.mesh import mesh_integrals

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
        assert check_fit(CUBE + CUBE.at("Tx(0.2)")) == overlap.Fit()
        assert check_fit(CUBE + CUBE.at("Tx(0.1)")) == overlap.Fit()

    def test_what_is_not_certain_is_said(self):
        found = check_fit(CUBE + CUBE.named("other").at("Tx(0.05)") - BORE)
        assert found.problems == ()
        assert found.unchecked == (
            'whether parts "cube" and "other" overlap (for that: pip install "dynamis[mesh]")',
            'whether hole "bore" lies inside of its body (for that: pip install "dynamis[mesh]")',
        )

    @pytest.mark.parametrize("name", ["elsewhere", "too large"])
    def test_what_is_certainly_wrong(self, name: str):
        body, message = WRONG[name]
        with pytest.raises(ModelError, match=message.replace("100% ", "").split(";")[0]):
            require_fit(body)

    @pytest.mark.parametrize("name", FITS)
    def test_no_false_alarm(self, name: str):
        assert check_fit(FITS[name]).problems == ()


def test_letters_and_cad_are_not_checked():
    assert check_fit(CUBE + Body.sphere("r", mass=1)).unchecked == ("whether parts overlap: the sizes have letters",)
    found = check_fit(CUBE + Body.cad(mass=1, moments=[1, 1, 1]))
    assert found == overlap.Fit((), ("whether CAD data overlaps: it has no shape",))
