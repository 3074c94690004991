"""Exports to FMI: the unit in FMPy moves as `dynamis.simulate` does. FMPy: pip install fmpy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest

import dynamis
from dynamis.errors import ArgumentError


def test_what_the_unit_offers() -> None:
    robot = dynamis.load("genova-rp")
    result = dynamis.export(robot, "fmu", functions=["step", "mass_matrix"], parameters=["payload", "gravity"])
    with ZipFile(BytesIO(bytes(result.files["genova_rp.fmu"]))) as archive:
        tree = ElementTree.fromstring(archive.read("modelDescription.xml"))
        build = ElementTree.fromstring(archive.read("sources/buildDescription.xml"))
        assert all(f"sources/{x.get('name')}" in archive.namelist() for x in build.iter("SourceFile"))
    variables = {x.get("name"): x for x in tree.iter("Float64")}
    assert [int(x.get("valueReference") or "") for x in variables.values()] == list(range(len(variables)))
    assert (variables["q[2]"].get("unit"), variables["tau[2]"].get("causality")) == ("m", "input")
    assert float(variables["gravity[2]"].get("start") or "nan") == pytest.approx(-9.81)
    assert float(variables["payload_mass"].get("start") or "nan") == 0.0
    assert "mass_matrix.M[2,1]" in variables


def test_a_step_is_needed() -> None:
    with pytest.raises(ArgumentError, match="needs a step among its functions, such as functions=step"):
        _ = dynamis.export(dynamis.load("bar-2r"), "fmu", functions=["mass_matrix"]).files


def test_the_unit_moves_as_simulate_does(tmp_path: Path) -> None:
    fmpy: Any = pytest.importorskip("fmpy")
    if shutil.which("cc") is None:
        pytest.skip("cc is not installed")
    from fmpy.validation import validate_fmu

    robot = dynamis.load("bar-2r")
    dynamis.export(robot, "fmu", tmp_path / "out", functions=["step", "kinetic_energy"], parameters=["payload"])
    subprocess.run([sys.executable, "pack.py"], cwd=tmp_path / "out", check=True, capture_output=True, timeout=60)
    unit = str(tmp_path / "out" / "bar_2r.fmu")
    assert validate_fmu(unit) == []
    start = {"q[1]": 0.5, "q[2]": 0.3, "tau[1]": 1.0, "payload_mass": 0.5, "longest_step": 0.002}
    names = ["q[1]", "q[2]", "qd[1]", "qd[2]", "kinetic_energy.T"]
    run = fmpy.simulate_fmu(unit, stop_time=1.0, output_interval=0.01, start_values=start, output=names)
    loaded = robot.with_payload("0.5")
    own = dynamis.simulate(loaded, [0.5, 0.3], control=[1.0, 0.0], duration=1.0, step=0.002, samples=101)
    assert np.allclose(run["time"], own.times, atol=1e-12)
    assert np.allclose(np.stack([run["q[1]"], run["q[2]"]], 1), own.q, atol=1e-9)
    assert np.allclose(np.stack([run["qd[1]"], run["qd[2]"]], 1), own.qd, atol=1e-9)
    assert np.allclose(run["kinetic_energy.T"], loaded.kinetic_energy(own.q, own.qd), atol=1e-8)
