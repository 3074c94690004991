"""Numbers at the ticks of charts: they tell the ticks apart, however small the range is."""

import re

import numpy as np
import pytest

from dynamis.telling.chart import Chart, Line, Panel
from dynamis.telling.figure import draw, svg

T = np.linspace(0.0, 1.0, 11)


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 0.021), (-0.0041, 0.0012), (0.9961, 1.0002), (-3e-5, 2e-5), (-40.0, 3000.0)]
)
def test_ticks_are_apart(low: float, high: float) -> None:
    """As many numbers as ticks, at equal steps, and no -0."""
    panel = Panel((Line(T, low + (high - low) * T, "torque"),), x="time [s]", y="torque [N m]")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg(draw(Chart((panel,)))))
    labels = texts[texts.index("time [s]") + 1 : texts.index("torque [N m]")]
    ticks = [float(label.replace("−", "-")) for label in labels if re.fullmatch(r"−?[\d.]+", label)]
    steps = np.diff(ticks)
    assert len(ticks) >= 3
    assert np.all(steps > 0)
    assert np.allclose(steps, steps[0])
    assert not any(re.fullmatch(r"−0[.0]*", label) for label in labels)


def test_logarithmic_ticks_are_numbers() -> None:
    """Plain ones, also within a decade; a power of ten at every tick is hard to read."""
    panel = Panel((Line(T, np.geomspace(110, 430, 11), "number"),), x="iteration", y="condition", logarithmic=True)
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg(draw(Chart((panel,)))))
    assert {"200", "300", "400"} <= set(texts)
