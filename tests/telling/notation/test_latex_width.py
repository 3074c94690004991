"""The width of a formula of LaTeX, against what TeX measures (9 pt, `\\wd` of the line in a box)."""

import pytest

from dynamis.telling.notation.latex_width import latex_width

POINTS = 4.58
"""Points of a character, on average."""
MEASURED = {
    r"= (m_{2} (l_{c2}^{2} + l_{1} l_{c2} \cos q_{2}) + I_{2}) \ddot{q}_{1} + (m_{2} l_{c2}^{2} + I_{2}) \ddot{q}_{2} "
    r"+ m_{2} l_{1} l_{c2} \sin(q_{2}) \dot{q}_{1}^{2} + m_{2} l_{c2} g \cos(q_{1} + q_{2})": 361.3,
    r"\frac{\partial L}{\partial q_{1}} = \frac{\partial T}{\partial q_{1}} - \frac{\partial U}{\partial q_{1}} = "
    r"-((m_{1} l_{c1} + m_{2} l_{1}) g \cos q_{1} + m_{2} l_{c2} g \cos(q_{1} + q_{2}))": 275.2,
    r"\quad {}+ \tfrac{1}{8} (m_{2} l_{2}^{2} + 4 I_{2}) \dot{q}_{2}^{2} - \Bigl(\tfrac{1}{2} m_{1} + m_{2}\Bigr) l_{1}"
    r" g \sin q_{1} - \tfrac{1}{2} m_{2} l_{2} g \sin(q_{1} + q_{2})": 274.1,
    r"Y_{2,\beta{}4} = (2 l_{2} + l_{1} \cos q_{2}) \ddot{q}_{1} + 2 l_{2} \ddot{q}_{2} + l_{1} \sin(q_{2}) "
    r"\dot{q}_{1}^{2} + g_{0} \cos(q_{1} + q_{2})": 256.7,
}


@pytest.mark.parametrize("line", MEASURED)
def test_widths_are_those_of_tex(line: str):
    assert latex_width(line) * POINTS == pytest.approx(MEASURED[line], rel=0.02)
