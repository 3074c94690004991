"""Maps of the command line: shipped ones for any robot, maps of sweep files, fronts and loads in them."""

import json
from pathlib import Path

import pytest

import dynamis
from dynamis.apps.sweeps.maps.kinds import KINDS, MapSweep
from dynamis.apps.sweeps.sweep_file import load_sweep, sweeps
from tests.support.command_line import caller

FILE = """map = "torque"
payload = 2.0
[draw]
count = 256
[over]
qd = { box = 1 }
[by]
x = { of = "tool.x", cells = 4 }
z = { of = "tool.z", cells = 4 }
"""


def test_every_map_ships_for_any_robot() -> None:
    robot = dynamis.load("ur5")
    for kind in KINDS:
        assert f"{kind}-map" in sweeps()
        swept = load_sweep(f"{kind}-map", robot)
        assert isinstance(swept, MapSweep)
        assert swept.kind == kind


def test_a_map_from_a_file_as_text_page_and_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call = caller(monkeypatch, capsys, "sweep", "ur5")
    file = tmp_path / "fast.toml"
    file.write_text(FILE)
    assert "torque of q2" in call(str(file)).out
    page = tmp_path / "map.html"
    call(str(file), "-o", str(page))
    assert 'id="data"' in page.read_text()
    assert json.loads(call(str(file), "--json").out)["kind"] == "torque"


def test_fronts_and_loads_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "front.toml"
    file.write_text(
        'quantity = ["gravity_torque", "tool"]\nkeep = [{ pareto = ["tool.radius", "-|gravity_torque.q1|"] }]\n'
        "[draw]\ncount = 256\n[over]\nq = { box = 3 }\nf = { box = 5 }\n"
        '[[load]]\ntool = true\ndirection = "exerted_by_tool"\nforce = ["f", 0, 0]\n'
    )
    swept = load_sweep(file, dynamis.load("bar-2r"))
    assert swept.run()["front"].shape[1] == 2
    assert swept.parts.loads


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('map = "torqe"\n', "torque"),
        ('map = "payload"\nquantity = "power"\n', "quantity"),
        ('map = "reach"\n', "a reach map needs a load"),
    ],
)
def test_wrong_files(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(dynamis.DynamisError, match=sentence):
        load_sweep(file, dynamis.load("ur5"))
