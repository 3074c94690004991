"""Exports to Rust: the crate without the standard library, and names."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import dynamis
from dynamis import Joint, Link, Robot


def test_the_crate_without_std(tmp_path: Path) -> None:
    """Without std it needs core alone: it is compiled as a library, and nothing in it is unsafe or unused."""
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    robot = Robot("Type", (Link("arm", Joint("fn"), mass=1, com=(1, 0, 0)),))
    result = dynamis.export(robot, "rust", tmp_path / "out", functions=["gravity_torque", "potential_energy"])
    assert 'name = "type_2"' in str(result.files["Cargo.toml"])
    assert "pub fn gravity_torque(q: &[Real; 1]) -> [Real; 1] {" in str(result.files["src/functions.rs"])
    assert ") -> Real {" in str(result.files["src/functions.rs"])
    command = ["rustc", "--edition", "2021", "--crate-type", "rlib", "--emit", "metadata", "-D", "warnings",
               "--check-cfg", 'cfg(feature, values("std"))', "-o", "x.rmeta", "src/lib.rs"]  # fmt: skip
    ran = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
