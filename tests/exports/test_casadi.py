"""Exports to CasADi: functions that load, with derivatives by CasADi that agree with ours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dynamis

casadi = pytest.importorskip("casadi")


def test_a_function_that_is_loaded_has_names_and_derivatives(tmp_path: Path) -> None:
    robot = dynamis.load("genova-rp")
    dynamis.export(robot, "casadi", tmp_path / "out", functions=["inverse_dynamics", "jacobian:frame=tool"])
    loaded = casadi.Function.load(str(tmp_path / "out" / "genova_rp_inverse_dynamics.casadi"))
    assert (loaded.name(), loaded.name_in(), loaded.name_out()) == (
        "genova_rp_inverse_dynamics", ["q", "qd", "qdd"], ["tau"],
    )  # fmt: skip
    q, qd, qdd = np.array([0.3, 0.4]), np.array([0.5, -0.6]), np.array([0.7, 0.8])
    slope = loaded.factory("slope", loaded.name_in(), ["jac:tau:q"])(q, qd, qdd)
    dtau_dq = robot.inverse_dynamics_derivatives(q, qd, qdd).dtau_dq
    assert np.allclose(np.array(slope), dtau_dq, rtol=1e-12, atol=1e-12)


def test_casadi_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "casadi", None)
    with pytest.raises(dynamis.ArgumentError, match=r'target "casadi" needs casadi: pip install "dynamis\[casadi\]"'):
        _ = dynamis.export(dynamis.load("bar-2r"), "casadi", functions=["gravity_torque"]).files
