"""The command line as its user meets it: output, exit codes, sentences, JSON."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import Call, caller
from tests.support.feet import without_foot
from tests.support.golden_files import check_golden


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("robots.txt", ["robots"]),
        ("show-puma560.txt", ["show", "puma560"]),
        ("show-deluca-2r.txt", ["show", "deluca-2r"]),
        ("show-niryo-one.txt", ["show", "niryo-one"]),
        ("inverse-exercise.txt", ["inverse", "exercise-3.1-gravity", "--reactions"]),
        (
            "inverse-compare.txt",
            ["inverse", "genova-2r", "--q", "20,40", "--degrees", "--compare-gravity", "--reactions"],
        ),
        ("state-genova-rp.txt", ["state", "genova-rp", "--q", "0.3,-0.2", "--qd", "1,0.5"]),
        ("inverse-puma560.txt", ["inverse", "puma560", "--q", "0,pi/4,-pi/2,0,0.1,0", "--qd", "1,1,1,1,1,1"]),
    ],
)
def test_texts_that_people_see(cli, name: str, arguments: list[str]):
    found = cli(*arguments)
    assert found.code == 0
    check_golden(name, f"{without_foot(found.out)}\n" if name.endswith(".tex") else found.out)


def test_inverse_as_json_in_full_precision(cli):
    found = cli("inverse", "exercise-2.1-gravity", "--json", "--reactions", "--compare-gravity")
    data = json.loads(found.out)
    assert data["tau"] == pytest.approx([318.19361813, 38.67347216], rel=1e-9)
    assert data["tau_without_gravity"] == pytest.approx([4.364123872239665, 1.395501133626708], rel=1e-12)
    assert data["units"] == ["N m", "N m"]
    assert data["reactions"]["convention"] == "parent_tip"
    assert len(data["reactions"]["force"]) == 2


def test_loads_change_the_torque_by_their_moment(cli):
    def tau(*more: str) -> list[float]:
        return json.loads(cli("inverse", "genova-2r", "--q", "0,0", "--json", *more).out)["tau"]

    free = tau()
    pushed = tau("--load", "link=link2 force=0,-10,0 point=0.8,0,0", "--load", "link=link1 moment=0,0,5")
    assert pushed == pytest.approx([free[0] + 18 - 5, free[1] + 8])
    tool = tau("--load", "tool force=0,-10,0 direction=exerted_by_environment")
    assert tool == pytest.approx([free[0] + 18, free[1] + 8])
    opposite = tau("--load", "tool force=0,10,0 direction=exerted_by_tool")
    assert opposite == pytest.approx(tool)
    assert tau("--no-gravity") == [0, 0]
    assert tau("--gravity", "0,-19.62,0") == pytest.approx([2 * free[0], 2 * free[1]])


def test_a_state_file_with_several_states(cli, tmp_path: Path):
    state = tmp_path / "state.toml"
    state.write_text('degrees = true\nq = [[0, 0], [90, 0]]\n[[load]]\nlink = "link2"\nforce = [0, -10, 0]\n')
    found = cli("inverse", "genova-2r", "--state", str(state), "--reactions")
    assert found.code == 0
    assert "state 2: reactions" in found.out
    assert "q [deg]" in found.out
    assert "q [deg]" in cli("state", "genova-2r", "--state", str(state)).out
    data = json.loads(cli("inverse", "genova-2r", "--state", str(state), "--json").out)
    assert data["tau"][1] == pytest.approx([0, 0], abs=1e-12)


def test_set_gives_a_symbolic_robot_its_numbers(cli):
    found = cli("inverse", "cartesian", "--q", "0,0", "--qdd", "0,3", "--set", "m1=1", "--set", "m2=2", "--json")
    assert json.loads(found.out)["tau"] == pytest.approx([3 * 9.81, 6])


def test_convert_keeps_the_dynamics(cli, tmp_path: Path):
    urdf, toml = tmp_path / "puma.urdf", tmp_path / "puma.toml"
    assert cli("convert", "puma560", str(urdf)).code == 0
    assert cli("convert", "puma560", str(toml)).code == 0
    state = ["--q", "0.1,0.2,0.3,0.4,0.5,0.6", "--qd", "1,2,3,1,2,3", "--qdd", "3,2,1,3,2,1", "--json"]
    expected = json.loads(cli("inverse", "puma560", *state).out)["tau"]
    for path in (urdf, toml):
        assert json.loads(cli("inverse", str(path), *state).out)["tau"] == pytest.approx(expected, rel=1e-12)
    again = cli("convert", "puma560", str(urdf))
    assert again.code == 2
    assert again.err.endswith("exists; use --force to overwrite it\n")


def test_long_numbers_and_skew_axes_fit_the_page(cli, tmp_path: Path):
    body = '<inertial><mass value="1.23456789"/><origin xyz="0.123456789 0.1 -0.333333333"/>'
    body += '<inertia ixx="0.112345678" iyy="0.112345678" izz="0.112345678" ixy="1e-9" ixz="0" iyz="-0.012345678"/>'
    body += "</inertial>"
    links = "".join(f'<link name="link{k}">{body}</link>' for k in range(4))
    joints = "".join(
        f'<joint name="joint{k}" type="revolute"><parent link="link{k - 1}"/><child link="link{k}"/>'
        '<origin xyz="0.123456789 0.2 0.333333333333" rpy="0.123456789 0.2 0.785398"/>'
        '<axis xyz="0.267261 0.534522 0.801784"/><limit lower="-3.14159265358979" upper="3.14159265358979"/></joint>'
        for k in range(1, 4)
    )
    (tmp_path / "skew.urdf").write_text(f'<robot name="skew">{links}{joints}</robot>')
    found = cli("show", str(tmp_path / "skew.urdf"))
    assert max(map(len, found.out.splitlines())) <= 100
    assert "1  joint1  Tx(0.123457) Ty(0.2) Tz(0.333333) Rz(0.785398) Ry(0.2) Rx(0.123457)" in found.out
    assert found.out.endswith('dynamis derive skew.urdf --only "T[0,2]" multiplies one out.\n')
    exact = json.loads(cli("show", str(tmp_path / "skew.urdf"), "--json").out)
    assert exact["links"][0]["joint"]["before"].startswith("Tx(0.123456789) Ty(0.2) Tz(0.333333333333)")


@pytest.mark.filterwarnings("default")
def test_a_warning_is_shown_once(cli):
    found = cli("inverse", "genova-rp", "--q", "0,0", "--set", "m1=3")
    assert found.code == 0
    assert len(found.err.splitlines()) == 1
    assert found.err.count('link "link1"') == found.err.count('link "link2"') == 1


def test_show_as_json_has_expressions_and_values(cli):
    data = json.loads(cli("show", "genova-2r", "--json").out)
    assert data["links"][0]["mass"] == {"expression": "m1", "value": 22.0}
    assert data["links"][0]["inertia_about_com"][2][2] == 0.4


def test_coupled_joints_are_counted_apart_from_coordinates(cli, tmp_path: Path):
    assert re.search(r"parallelogram +RRRR \(2 independent\)  numeric", cli("robots").out)
    data = json.loads(cli("robots", "--json").out)
    assert list(data) == ["schema", "robots", "exercises", "bodies", "provenance"]
    robot = next(robot for robot in data["robots"] if robot["name"] == "parallelogram")
    assert (robot["joints"], robot["coordinates"], robot["kinds"]) == (4, 2, ["revolute"] * 4)
    out = tmp_path / "arm.toml"
    assert cli("convert", "parallelogram", str(out)).out.endswith(": parallelogram, 4 joints (2 independent)\n")
    data = json.loads(cli("convert", "parallelogram", str(out), "--force", "--json").out)
    assert data.pop("provenance")["files"][0]["name"] == "parallelogram.toml"
    assert data == {"schema": "dynamis/conversion/1", "file": str(out), "robot": "parallelogram", "joints": 4}


def test_lint_says_clean_or_finds(cli):
    clean = cli("lint", "ur5")
    assert (clean.code, clean.out) == (0, "ur5: 6 links checked, 0 findings\n")
    found = cli("lint", "genova-2r", "--json")
    assert found.code == 1
    assert [f["key"] for f in json.loads(found.out)["findings"]] == ["inertia", "inertia"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "pumma560"], 'error: unknown robot "pumma560"; did you mean "puma560"?'),
        (["show", "nothing.toml"], "error: nothing.toml: no such file"),
        (["inverse", "genova-2r", "--state", "nothing.toml"], "error: nothing.toml: no such file"),
        (["check", "planar-elbow", "nothing.txt"], "error: nothing.txt: no such file"),
        (
            ["inverse", "puma560", "--q", "1,2,3"],
            'error: q must have one value per joint, got 3 values; robot "puma560" has 6 joints (q1, q2',
        ),
        (
            ["inverse", "genova-2r", "--q", "1,2", "--qd", "1"],
            "error: qd must have one value per joint, got 1 value; robot",
        ),
        (
            ["inverse", "genova-2r", "--q", "1,1e999"],
            'error: --q: expression "1e999", column 1: a number is below 1e300',
        ),
        (
            ["inverse", "genova-2r", "--q", "1,nan"],
            'error: --q: expression "nan", column 1: nan is not a finite number',
        ),
        (["inverse", "genova-2r"], "error: no state: give --q with 2 values, or --state FILE"),
        (
            ["inverse", "genova-2r", "--q", "1,2", "--load", "link=arm force=1,2,3"],
            "error: --load 'link=arm force=1,2,3': unknown link or frame",
        ),
        (["inverse", "genova-2r", "--q", "1,2", "--convention", "base"], 'error: unknown convention "base"'),
        (
            ["inverse", "genova-2r", "--q", "1,2", "--gravity", "1,2"],
            "error: gravity must be True, False or three finite values [m/s^2], got [1.0, 2.0]",
        ),
        (["inverse", "deluca-2r", "--q", "1,2"], 'error: robot "deluca-2r" has no value for l1, '),
        (["inverse", "genova-2r", "--q", "1,2", "--set", "m3=1"], 'error: unknown parameter "m3" in robot "genova-2r"'),
        (["inverse", "genova-2r", "--q", "1,2", "--set", "m1"], 'error: --set "m1" is not NAME=VALUE, such as m1=2.5'),
        (
            ["convert", "puma560", "puma.dae"],
            'error: ".dae" is not a kind of robot file; write a .toml or .urdf file',
        ),
        (["convert", "deluca-2r", "arm.urdf"], 'error: robot "deluca-2r" has no value for'),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(cli, arguments: list[str], sentence: str):
    found = cli(*arguments)
    last = found.err.strip().splitlines()[-1]
    assert (found.code, last[: len(sentence)]) == (2, sentence)
    assert "Traceback" not in found.err


def test_an_error_as_json(cli):
    found = cli("show", "pumma560", "--json")
    assert json.loads(found.out)["error"]["message"].startswith('unknown robot "pumma560"')


def test_help_does_not_wait_for_numpy():
    code = "import sys; import dynamis.cli.main; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_usage_errors_exit_with_2(cli):
    assert cli("inverze").code == 2
    assert cli("inverse", "puma560", "--decimals", "99").code == 2


def test_an_exercise_keeps_its_gravity_and_loads_when_its_state_is_changed(cli):
    state = ["--q", "0.349066,0.698132", "--qd", "0.2,0.15", "--qdd", "0.1,0.085", "--json", "--reactions"]
    found = json.loads(cli("inverse", "exercise-2.1", *state).out)
    assert found["tau"] == pytest.approx([4.364123872239665, 1.395501133626708], rel=1e-12)
    assert found["gravity"] is False
    assert found["reactions"]["convention"] == "parent_tip"


def test_a_state_beyond_the_limits_is_remarked(cli):
    found = cli("inverse", "puma560", "--q", "3,0,0,0,0,0")
    assert "note: joint 1 (q1) at 3 is beyond its limits -2.79253 .. 2.79253" in found.out
    assert "note" not in cli("inverse", "puma560", "--q", "0,0,0,0,0,0").out


def test_the_steps_of_the_recursion(cli):
    found = cli("inverse", "bar-2r", "--q", "0.3,0.4", "--qd", "1,2", "--qdd", "0.1,0.2", "--steps", "--decimals", "3")
    check_golden("inverse-steps.txt", found.out)
    data = json.loads(cli("inverse", "bar-2r", "--q", "0.3,0.4", "--steps", "--json").out)
    assert set(data["recursion"]) == {"w", "wd", "vd", "vdc", "F", "N", "f", "n"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--q", "1,2", "--state", "x.toml"], "error: --q and --state exclude each other"),
        (["--q", "1,2", "--gravity", "1,2,3", "--no-gravity"], "error: --gravity and --no-gravity exclude each other"),
        (["--q", "1,2", "--no-gravity", "--compare-gravity"], "error: --no-gravity and --compare-gravity exclude"),
        (["--q", "1,2", "--qd", ""], 'error: --qd: "" has an empty place; give numbers separated by commas'),
    ],
)
def test_options_that_contradict(cli, options: list[str], sentence: str):
    found = cli("inverse", "genova-2r", *options)
    assert found.code == 2
    assert found.err.strip().splitlines()[-1].startswith(sentence)


def test_files_that_are_not_files(cli, tmp_path: Path):
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    zero = tmp_path / "zero.toml"
    zero.symlink_to("/dev/zero")
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    for path, text in ((pipe, "is not a regular file"), (zero, "is not a regular file"), (folder, "is a folder")):
        found = cli("show", str(path))
        assert (found.code, text in found.err) == (2, True)
    found = cli("show", "a" * 5000)
    assert found.code == 2
    assert "cannot be read" in found.err
    assert len(found.err) < 300


def test_a_full_disk_is_said():
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "dynamis", "robots"], stdout=out, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot write the output")


def test_version(cli):
    assert cli("--version").out.startswith("dynamis 0.")


def test_derive_writes_a_page(cli, tmp_path: Path):
    page = tmp_path / "elbow.tex"
    found = cli("derive", "planar-elbow", "--as", "latex", "--steps", "-o", str(page))
    assert found.code == 0
    assert page.read_text().startswith("\\documentclass")
    assert cli("derive", "planar-elbow", "-o", str(page)).code == 2
    assert "m₂ lc₂² + I₂" in cli("derive", "planar-elbow", "--steps").out
    wrong = cli("derive", "planar-elbow", "--method", "lagrangian")
    assert wrong.err.startswith('error: unknown method "lagrangian"; did you mean "lagrange"?')


def test_prove_says_what_it_proved(cli):
    data = json.loads(cli("prove", "planar-elbow", "--json").out)
    assert all(proof["holds"] for proof in data["proofs"])
    assert [f["skew"] for f in data["factorisations"]] == [True, False, False]
    assert "proved" in cli("prove", "puma560", "--numeric").out
    slow = cli("prove", "panda", "--all-symbols", "--seconds", "0.001")
    assert (slow.code, "is not finished in 0.001 s" in slow.err) == (2, True)


def test_ctrl_c_during_the_imports_is_a_sentence() -> None:
    """In the first second there was a traceback of imports."""
    code = (
        "import runpy, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder())\n"
        "runpy.run_module('dynamis', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted: nothing was done\n")
