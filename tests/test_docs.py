"""What the documents say is what happens."""

import re
import runpy
import subprocess
import tomllib
from pathlib import Path

import pytest

import dynamis
from dynamis.apps.grading.check_answers import check_answers
from dynamis.base.toml_table import parse_toml
from dynamis.model.formats.robot_file.read import read_robot
from dynamis.results import TorqueBudget
from tests.support.pages import DOCS, pages, run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ROBOT_FILE = (ROOT / "docs" / "robot-file.md").read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_readme_links_hold():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_the_readme_is_a_door_sign():
    """Ten lines, one picture, the two commands and a table."""
    text = re.sub(r"```sh.*?```|^\|.*?$|^!.*?$|^```\w*$", "", README, flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in text.splitlines() if line]
    assert len(lines) <= 10
    assert max(map(len, lines)) <= 140
    assert README.count("![") == 1


def test_readme_python_runs(capsys: pytest.CaptureFixture[str]):
    (code,) = blocks(README, "python")
    exec(compile(code, "README.md", "exec"), {})
    assert "payload" in capsys.readouterr().out


PRINTED = {
    "robot-file.md": ("Joint 1 accelerates although its motor holds it back: gravity pulls it along.",),
    "motion.md": ("the target is reached to", "joint"),
    "learning.md": ("u(0) learns from the error of the next sample",),
    "controllers.md": (": holds.",),
    "torque-budget.md": ("of the peak of joint 1 is",),
}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(DOCS)))
def test_the_blocks_of_the_pages_run(page: Path, tmp_path: Path):
    """Python and commands, one after the other, in a folder of their own; what they print is what the page says."""
    text, names, printed = run(page, tmp_path)
    assert text == page.read_text(encoding="utf-8"), "`python -m tests.support.pages` writes the outputs anew"
    assert [text for text in PRINTED.get(str(page.relative_to(DOCS)), ()) if text not in printed] == []
    if page.name == "engine.md":
        assert getattr(names["heavy"], "shape", None) == (10_000, 6)
    if page.name == "torque-budget.md":
        assert isinstance(names["budget"], TorqueBudget)
    if page.name == "learning.md":
        assert (tmp_path / "torque.csv").exists()


def test_ci_runs_the_test_command_of_the_readme():
    main_job, tests = (block.strip() for block in blocks(README, "sh"))
    assert main_job.endswith("dynamis demo")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = [line for line in script.splitlines() if line and not line.startswith("#")]
    assert commands == ["set -euo pipefail", 'cd "$(dirname "$0")/.."', tests]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(path: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_the_robot_file_of_the_docs_loads():
    (text,) = blocks(ROBOT_FILE, "toml")
    robot = read_robot(parse_toml(text, "docs"))
    assert robot.missing_values == ("m1",)


def test_the_answers_of_the_docs():
    text = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    answers = dict(re.findall(r'```text title="([^"]+)"\n(.*?)```', text, re.DOTALL))
    reports = check_answers(dynamis.load("planar-elbow"), answers).reports
    verdicts = ["wrong", "right", "right", "incomplete"]
    assert [report.verdict for report in reports.values()] == verdicts
    assert not any(report.unread for report in reports.values())


def test_every_key_of_the_shipped_files_is_documented():
    known = set(re.findall(r"[A-Za-z_]+", " ".join(re.findall(r"`([^`]*)`", ROBOT_FILE))))

    def keys(table: object) -> set[str]:
        if isinstance(table, dict):  # the keys of a coupling are names of joints
            return set(table).union(*(keys(value) for key, value in table.items() if key != "coupling"))
        return set().union(*map(keys, table)) if isinstance(table, list) else set()

    folder = Path(dynamis.__file__).parent / "robots"
    for path in [*folder.glob("*.toml"), *folder.glob("exercises/*.toml")]:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        parameters = {*data.pop("parameters", {}), *data.pop("values", {})}
        assert keys(data) - parameters <= known, path.name


def test_nothing_speaks_of_a_machine():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    folders = ("/ho" + "me/", "/ro" + "ot/", "/tm" + "p/", "/wo" + "rk/")
    for name in listed:
        path = ROOT / name
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not any(folder in text for folder in folders), name
