"""The formulas of solids in letters, as textbooks print them."""

from __future__ import annotations

import pytest

from dynamis import Body
from dynamis.bodies import exact_body
from dynamis.telling.notation import latex, text

r, h, m = "r", "h", "m"
TEXTBOOK = {
    "sphere": (Body.sphere(r, mass=m), "2/5 m r²", "2/5 m r²"),
    "cylinder": (Body.cylinder(r, h, mass=m), "1/12 m (3 r² + h²)", "1/2 m r²"),
    "hollow cylinder": (
        Body.hollow_cylinder("R", r, h, mass=m),
        "1/12 m (3 R² + 3 r² + h²)",
        "1/2 m (R² + r²)",
    ),
    "hollow sphere": (Body.hollow_sphere("R", r, mass=m), "2/5 m (R⁵ − r⁵)/(R³ − r³)", "2/5 m (R⁵ − r⁵)/(R³ − r³)"),
    "cone": (Body.cone(r, h, mass=m), "3/80 m (4 r² + h²)", "3/10 m r²"),
    "ellipsoid": (Body.ellipsoid(["a", "b", "c"], mass=m), "1/5 m (b² + c²)", "1/5 m (a² + b²)"),
    "capsule": (
        Body.capsule(r, h, mass=m),
        "m (8/5 r³ + 9/4 r² h + r h² + 1/4 h³)/(4 r + 3 h)",
        "m r² (8/5 r + 3/2 h)/(4 r + 3 h)",
    ),
}


@pytest.mark.parametrize("name", TEXTBOOK)
def test_textbook_formulas(name: str):
    body, xx, zz = TEXTBOOK[name]
    inertia = exact_body(body).inertia
    assert (text(inertia.a.x), text(inertia.c.z)) == (xx, zz)


def test_mass_of_a_density():
    assert text(exact_body(Body.cylinder(r, h, density="rho")).mass) == "π ρ r² h"
    assert text(exact_body(Body.hollow_sphere("R", r, density="rho")).mass) == "4/3 π ρ (R³ − r³)"


def test_decimals_stay_decimals():
    """Who gives decimals gets them back, also beside letters; a fraction that was typed stays one."""
    assert text(exact_body(Body.sphere(0.1, mass=m)).inertia.a.x) == "0.004 m"
    assert text(exact_body(Body.sphere("r/5", mass=m)).inertia.a.x) == "2/125 m r²"
    assert text(exact_body(Body.point("2/5*m")).mass) == "2/5 m"
    assert text(exact_body(Body.point("0.4*m")).mass) == "0.4 m"
    assert latex(exact_body(Body.sphere(r, mass=m)).inertia.a.x) == "\\frac{2}{5} m r^{2}"
