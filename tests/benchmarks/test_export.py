"""The benchmark of exported C compares results before it times them."""

import pytest

from benchmarks.dynamics.casadi_peer import c_compiler
from benchmarks.export import rows


def test_exported_c_and_casadis_agree():
    pytest.importorskip("casadi")
    if c_compiler() is None:
        pytest.skip("there is no C compiler")
    (row,) = rows(1, 1, lambda text: None, ["bar-2r"], ["gravity_torque"])
    assert row.ours > 0
    assert row.ratio == row.ours / row.casadi
