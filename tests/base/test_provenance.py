"""Where pages and files come from: the version, the command, the hashes of the files that were read, the date."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest

import dynamis
from dynamis.base.provenance import Provenance, Source
from dynamis.cli.output import result_files
from dynamis.errors import ArgumentError
from dynamis.exact.derivations.robots.sheet import RobotSheet
from dynamis.exact.derive import derive_only
from dynamis.library import file_text
from dynamis.telling.blocks import Document, Words
from dynamis.telling.renderers.page import render
from tests.support.command_line import Call, caller

DATE, EPOCH = "2001-09-09", "1000000000"
FOLDER = Path(dynamis.__file__).parent


def short(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()[:12]


@pytest.fixture
def dynamis_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    monkeypatch.chdir(tmp_path)
    return caller(monkeypatch, capsys)


@pytest.mark.parametrize("suffix", ["txt", "tex", "html", "md", "typ"])
def test_pages_say_at_their_foot_where_they_come_from(dynamis_command: Call, suffix: str):
    shutil.copy(FOLDER / "robots" / "bar-2r.toml", "my_arm.toml")
    file = Path(f"page.{suffix}")
    call = ("inverse", str(Path("my_arm.toml").absolute()), "--q", "0.1,0.2", "-o", str(file))
    assert dynamis_command(*call).code == 0
    text = re.sub(r"[\\{}]", "", file.read_text())
    foot = " ".join(text[text.index("dynamis 0") :].split())
    assert foot.startswith(f"dynamis {version('dynamis')}, {DATE} (UTC); command: dynamis inverse my")
    assert foot.count(f"arm.toml (SHA-256 {short(Path('my_arm.toml'))})") == 1
    assert str(Path.cwd()) not in text
    again = file.read_text()
    file.unlink()
    assert dynamis_command(*call).code == 0
    assert file.read_text() == again


def test_printed_text_has_no_foot_and_json_has_a_key(dynamis_command: Call):
    assert "SHA-256" not in dynamis_command("inverse", "bar-2r", "--q", "0,0").out
    for call in (("inverse", "bar-2r", "--q", "0,0"), ("lint", "bar-2r"), ("derive", "bar-2r", "--only", "g")):
        origin = json.loads(dynamis_command(*call, "--json").out)["provenance"]
        assert origin["version"] == version("dynamis")
        assert (origin["date"], origin["command"]) == (DATE, f"dynamis {' '.join(call)} --json")
        path = FOLDER / "robots" / "bar-2r.toml"
        assert origin["files"] == [
            {"kind": "robot", "name": "bar-2r.toml", "sha256": sha256(path.read_bytes()).hexdigest()}
        ]


def test_folders_and_their_figures_say_where_they_come_from(dynamis_command: Call, tmp_path: Path):
    pillow = pytest.importorskip("PIL.Image")
    parquet = pytest.importorskip("pyarrow.parquet")
    options = ("--samples", "20", "--history", "parquet", "--figures", "none")
    assert dynamis_command("motion", "bar-2r", "two-bar-reach", "-o", "out", *options).code == 0
    task = f"task two-bar-reach.toml (SHA-256 {short(FOLDER / 'motion' / 'tasks' / 'two-bar-reach.toml')})"
    assert task in " ".join(Path("out/budget.txt").read_text().split())
    origin = json.loads(Path("out/budget.json").read_text())["provenance"]
    assert [file["kind"] for file in origin["files"]] == ["robot", "task"]
    assert json.loads(parquet.read_schema("out/history.parquet").metadata[b"dynamis"]) == origin
    robot = dynamis.load("bar-2r")
    ((name, write),) = result_files(robot.draw(), "png", "none", print, robot.provenance())
    write(tmp_path / name)
    assert pillow.open(tmp_path / name).text["Comment"] == str(robot.provenance())


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png", "tikz", "tex"])
def test_drawings_say_where_they_come_from(dynamis_command: Call, suffix: str):
    assert dynamis_command("show", "bar-2r", "--figure", f"arm.{suffix}").code == 0
    data = Path(f"arm.{suffix}").read_bytes()
    assert f"dynamis show bar-2r --figure arm.{suffix}".encode() in data
    assert DATE.encode() in data


@pytest.mark.parametrize("suffix", ["urdf", "toml"])
def test_converted_files_say_so_in_a_comment(dynamis_command: Call, suffix: str):
    """And the robot in them is the same."""
    assert dynamis_command("convert", "bar-2r", f"arm.{suffix}", "--set", "m1=2").code == 0
    text = Path(f"arm.{suffix}").read_text()
    assert "robot bar-2r.toml (SHA-256" in text
    lines = [line for line in text.splitlines() if "SHA-256" not in line]
    assert lines == file_text(dynamis.load("bar-2r").with_values(m1=2), f"x.{suffix}").splitlines()
    assert dynamis.load(f"arm.{suffix}").n == 2


HOSTILE = "a\n\\end{document}</footer><script>--><!-- --!> ]#panic() $x$ % \x1b[31m \u202e .toml"


def test_hostile_names_cannot_leave_the_foot():
    origin = Provenance("1", DATE, HOSTILE, (Source("robot", HOSTILE, "0" * 64),))
    document = Document("t", (Words("x"),))
    pages = {form: render(document, form, provenance=origin) for form in ("html", "latex", "typst", "markdown", "text")}
    assert pages["html"].count("</footer>") == 1
    assert "<script>" not in pages["html"] + pages["markdown"]
    assert pages["latex"].count("\\end{document}") == 1
    assert "\\#panic" in pages["typst"]
    fragments = {form: render(document, form, provenance=origin, fragment=True) for form in ("html", "latex", "typst")}
    assert fragments["html"].count("-->") == 1
    assert fragments["html"].index("-->") > fragments["html"].index(DATE)
    assert all("\x1b" not in page and "\u202e" not in page for page in (*pages.values(), *fragments.values()))
    assert fragments["latex"].splitlines()[0].endswith(".toml (SHA-256 000000000000)")
    assert fragments["typst"].splitlines()[0].endswith(".toml (SHA-256 000000000000)")
    assert "--" not in file_text(dynamis.load("bar-2r"), "x.urdf", str(origin)).partition("<!--")[2].partition("-->")[0]


def test_python_pages_have_the_hash_of_the_robot_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    robot = dynamis.load("bar-2r")
    changed = robot.with_values(m1=5)
    (source,) = changed.provenance().sources
    dynamis.save(changed, tmp_path / "bar-2r.toml")
    assert (source.name, source.digest[:12]) == ("bar-2r.toml", short(tmp_path / "bar-2r.toml"))
    assert source != robot.provenance().sources[0]
    assert str(changed.provenance()) in RobotSheet(changed).page("html")
    assert str(changed.provenance()) in derive_only(changed.equations(), "g[2]").page("html")
    assert DATE in robot.draw().page("latex")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(ArgumentError, match="SOURCE_DATE_EPOCH must be a whole number of seconds"):
        robot.provenance()


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["show", "/users/me/my arm.toml"], "dynamis show 'my arm.toml'"),
        (["show", "~/arm.toml", "--figure=/data/a.svg", "-o/data/x"], "dynamis show arm.toml --figure=a.svg -ox"),
        (["show", "../../me/arm.toml", "C:\\me\\arm.toml"], "dynamis show arm.toml arm.toml"),
        (
            ["show", "data/arm.toml", "--set", "m1=1/2", "--q", "-1,/2"],
            "dynamis show data/arm.toml --set m1=1/2 --q -1,/2",
        ),
    ],
)
def test_commands_do_not_tell_folders(words: list[str], command: str):
    assert Provenance("1", DATE).by_command(["dynamis", *words]).command == command


def test_a_long_file_is_not_read_at_once(tmp_path: Path) -> None:
    """Logs have gigabytes."""
    import tracemalloc

    file = tmp_path / "log.csv"
    file.write_bytes(b"1,2,3\n" * 2_000_000)
    tracemalloc.start()
    source = Source.of_file("log", file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000
    assert source is not None
    assert source.digest == sha256(file.read_bytes()).hexdigest()
