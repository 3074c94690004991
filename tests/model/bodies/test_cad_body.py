"""CAD data typed in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Body


def test_principal_moments_and_axes():
    """A data sheet of a turned box gives the box back."""
    box = Body.box([0.1, 0.2, 0.4], mass=3).at("Rz(0.4) Rx(-0.9)").properties()
    principal = box.principal
    axes = np.round(principal.axes.T, 5).tolist()
    found = Body.cad(mass=3, moments=principal.moments.tolist(), axes=axes).properties()
    np.testing.assert_allclose(found.inertia, box.inertia, atol=2e-6)
    six = {"xx": 1, "yy": 2, "zz": 2.5, "xy": 0.1}
    assert Body.cad(mass=1, inertia=six).properties().inertia[0, 1] == 0.1


def test_axes_as_a_chain_in_letters():
    found = Body.cad(mass="m", com=["l", 0, 0], moments=["A", "B", "C"], axes="Rz(alpha)")
    assert found.parameters() == {"m", "l", "A", "B", "C", "alpha"}
    numbers = found.with_values(m=1, l=0, A=1, B=2, C=2.5, alpha=0.3).properties()
    np.testing.assert_allclose(numbers.principal.moments, [1, 2, 2.5], rtol=1e-14)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mass": -1, "moments": [1, 1, 1]}, "CAD data has mass -1; a mass is > 0"),
        ({"mass": 1}, "CAD data has neither moments nor inertia; give principal moments"),
        ({"mass": 1, "moments": [1, 1, 3]}, "breaks the triangle inequality"),
        ({"mass": 1, "moments": [1, 2]}, r"moments must be three values \[x, y, z\], got \[1, 2\]"),
        ({"mass": 1, "moments": [1, 1, 1], "axes": [[1, 0, 0], [1, 0, 0], [0, 0, 1]]}, "not unit vectors square"),
        ({"mass": 1, "moments": [1, 1, 1], "axes": "Tx(1)"}, "turned, not moved"),
        ({"mass": 1, "inertia": {"xx": 1, "yx": 2}}, 'unknown key "yx" in inertia'),
        ({"mass": 1, "inertia": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, "is not symmetric"),
        ({"mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1, "xy": 3}}, "often print products with the other sign"),
        ({"mass": 1, "moments": [1, 1, 1], "inertia": {"xx": 1}}, "moments and inertia"),
    ],
)
def test_wrong_data(values: dict[str, Any], message: str):
    with pytest.raises(dynamis.DynamisError, match=message):
        Body.cad(**values)
