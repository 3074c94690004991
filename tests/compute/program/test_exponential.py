"""exp(-x) in sums and products, beside the mathematics library."""

from __future__ import annotations

import numpy as np

from dynamis.compute.backends.backend import backend_for
from dynamis.compute.program.exponential import exponential_decay
from dynamis.compute.program.program import program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace


def test_it_is_right_to_the_rounding_of_one_and_stays_between_0_and_1() -> None:
    trace = Trace()
    value = exponential_decay(trace.input("x:0"), trace)
    decay = backend_for().function("decay", program([Operand("x", (1,))], [(Operand("y", (1,)), [value])]), "test")
    x = np.concatenate([np.linspace(0, 45, 100_001), 10.0 ** np.arange(-20, 300, 10)])
    found = np.ravel(decay(x[:, None]))
    assert np.abs(found - np.exp(-x)).max() < 3e-16
    assert found.min() >= 0
    assert found.max() == 1
    assert np.isnan(decay(np.array([[np.nan]]))).all()
