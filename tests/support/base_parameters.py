"""Base parameters that were found in numbers beside the exact ones."""

from __future__ import annotations

import numpy as np
import sympy

from dynamis import Robot
from dynamis.apps.identification.fitting.linear_model import linear_model
from dynamis.exact.closed_form.base_parameters import BaseParameters


def same_space(robot: Robot, exact: BaseParameters) -> None:
    """They have the same names and the same factors."""
    model = linear_model(robot, ())
    assert model.names == tuple(one.name for one in exact.combinations)
    K = np.zeros_like(model.K)
    for i, one in enumerate(exact.combinations):
        K[i, model.all_names.index(one.name)] = 1.0
        for other, ratio in one.others.items():
            K[i, model.all_names.index(other)] = float(sympy.sympify(str(ratio).replace("^", "**")))
    np.testing.assert_allclose(model.K, K, atol=1e-7)
