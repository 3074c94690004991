"""What commands write with -o: tried before the work, whole or not at all, never lost without a word."""

from __future__ import annotations

import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from dynamis.cli import main
from dynamis.simulation.learning.trial import Trials
from dynamis.simulation.runs.flow import Flow
from tests.support.command_line import Call, caller
from tests.support.forked import (
    NO_MOUNT,
    Ended,
    at_every_change,
    dynamis,
    forked,
    killed_at,
    on_small_disk,
    without_room,
)

LOG = Path(__file__).parents[1] / "data" / "logs" / "bar-2r.csv"
"""Two bars that swing for six seconds, with noise of 0.02 N m."""
OLD = "of an earlier run\n"
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs fork and /proc")


@dataclass(frozen=True)
class Command:
    """A command that writes, the files that it writes, and the function that does its work."""

    words: str
    files: tuple[str, ...]
    work: str
    shown: str
    """Some of what it prints without -o."""

    def at(self, place: Path) -> list[str]:
        """Its words with its output at the place: the folder, or a file in it."""
        output = str(place if len(self.files) > 1 else place / self.files[0])
        return [*self.words.replace("OUTPUT", output).split(), *([] if "OUTPUT" in self.words else ["-o", output])]


COMMANDS = {
    "inertia": Command(
        "inertia cylinder radius=r height=h mass=m", ("page.txt",),
        "dynamis.exact.derivations.bodies.body_inertia.body_inertia", "principal axes",
    ),
    "derive": Command(
        "derive bar-2r --only M[1,1]", ("page.txt",),
        "dynamis.exact.derivations.robots.methods.derivation", "M[1,1] of bar-2r",
    ),
    "prove": Command(
        "prove cartesian", ("page.txt",), "dynamis.exact.proof.all_proofs.all_proofs",
        "M is symmetric",
    ),
    "documents": Command(
        "documents", ("page.txt",), "dynamis.apps.readings.reading.load_reading", "does the tasks of a document",
    ),
    "state": Command(
        "state bar-2r --q 1,2 --only M", ("page.txt",),
        "dynamis.motion.single_states.parts_of_state.tell_state", "mass matrix",
    ),
    "inverse": Command(
        "inverse bar-2r --q 1,2", ("page.txt",),
        "dynamis.motion.single_states.torques_at_state.torques", "tau [N m]",
    ),
    "check": Command(
        "check deluca-2r deluca-2r", ("page.txt",), "dynamis.apps.grading.check.all_reports", "against deluca-2r",
    ),
    "show": Command(
        "show bar-2r", ("page.txt",), "dynamis.motion.single_states.sheet_or_drawing.show_robot", "2 joints, 2 links"
    ),
    "lint": Command("lint deluca-2r", ("page.txt",), "dynamis.library.read", "2 links checked, 0 findings"),
    "robots": Command("robots", ("page.txt",), "dynamis.cli.robot_files.shipped_files", "niryo-one"),
    "references": Command(
        "references newton-euler", ("page.txt",), "dynamis.telling.references.references", "luh1980",
    ),
    "demo": Command("demo --report none", ("page.txt",), "dynamis.cli.demo.demo", "dynamis documents"),
    "convert": Command("convert bar-2r OUTPUT", ("robot.toml",), "dynamis.library.read", 'name = "bar-2r"'),
    "simulate": Command(
        "simulate bar-2r double-pendulum --duration 0.05 --samples 200 --no-check --figures none",
        ("history.csv", "animation.html", "simulation.txt", "simulation.json"),
        "dynamis.simulation.one_run.run_simulation",
        "energy is conserved",
    ),
    "motion": Command(
        "motion bar-2r two-bar-reach --samples 101 --figures none", ("history.csv", "budget.txt", "budget.json"),
        "dynamis.motion.torque_budget.budget_of_motion.budget_motion", "of the peak of joint 1 is load 1",
    ),
    "export": Command(
        "export bar-2r --to json --functions gravity_torque", ("bar_2r.json", "check.py", "vectors.json", "README.md"),
        "dynamis.apps.exports.traced_export.export_functions", "bar-2r in json",
    ),
    "report": Command("report cartesian", ("page.ipynb",), "dynamis.apps.live.report_on.report_on", "dynamis.load"),
    "excite": Command(
        "excite bar-2r --iterations 3 --figures none", ("trajectory.csv", "excitation.txt", "excitation.json"),
        "dynamis.apps.identification.excitation.exciting_motion.find_exciting_motion",
        "Held back by limits of velocity",
    ),
    "identify": Command(
        f"identify bar-2r {LOG} --cutoff 20 --no-physical --figures none",
        ("robot.toml", "robot.urdf", "samples.csv", "identification.txt", "identification.json"),
        "dynamis.apps.identification.from_logs.identify_from_logs", "What to trust",
    ),
    "sweep": Command(
        "sweep bar-2r two-bar-gravity --figures none", ("sweep.nc", "sweep.txt", "sweep.json"),
        "dynamis.apps.sweeps.sweep_file.load_sweep", "40,401 states, drawn by grid(201)",
    ),
    "learn": Command(
        "learn bar-2r two-bar-reach --period 0.01 --trials 2 --figures none",
        ("torque.csv", "learning.txt", "learning.json"),
        "dynamis.simulation.learning.repeated_trials.run_trials", "Ended: all 2 trials",
    ),
}  # fmt: skip
FOLDERS = [name for name, command in COMMANDS.items() if "--figures" in command.words]
every = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller(monkeypatch, capsys)


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    """Once for all the processes that are copied from this one."""
    for command in COMMANDS.values():
        resolve_name(command.work)
    for name in (
        "exact.derivations.bodies.question",
        "telling.renderers.page",
        "simulation.animation.page",
        "simulation.learning.result",
        "apps.readings.reading",
        "cli.robot_files",
    ):
        resolve_name(f"dynamis.{name}")


@pytest.fixture(autouse=True)
def small_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dynamis.cli.demo.TIMED_STATES", 1000)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with results of an earlier run."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


def fill(folder: Path, command: Command) -> dict[str, bytes]:
    for name in command.files:
        (folder / name).write_text(OLD)
    return held(folder)


def held(folder: Path) -> dict[str, bytes]:
    """What a reader finds there."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".dynamis-")}


def test_every_command_that_writes_is_here() -> None:
    callbacks = [command.callback for command in main.app.registered_commands]
    writes = [x for x in callbacks if x is not None and "output" in inspect.signature(x).parameters]
    assert {x.__module__.rsplit(".", 1)[-1] for x in writes} == set(COMMANDS)


@linux
@every
def test_kill_leaves_whole_files_and_no_summary_of_other_files(command: Command, tmp_path: Path, place: Path) -> None:
    old = fill(place, command)
    states: list[dict[str, bytes]] = []

    def look() -> None:
        # Reading is no change, so this does not call itself.
        states.append(held(place))

    def run() -> None:
        try:
            at_every_change(place, look, lambda: dynamis(*command.at(place), "--force"))()
        finally:
            (tmp_path / "states").write_bytes(pickle.dumps([*states, held(place)]))

    assert forked(run).code == 0
    states = pickle.loads((tmp_path / "states").read_bytes())
    new = states[-1]
    assert set(new) == set(command.files)
    assert len(states) > 4
    for state in states:
        assert all(state[name] in (old[name], new[name]) for name in state)
        assert set(command.files) - set(state) <= set(command.files[-2:])
        # Where there is a summary, it is that of all the files.
        if command.files[-1] in state:
            assert state == (old if state[command.files[-1]] == old[command.files[-1]] else new)
    # These are what kill leaves: a real one, in the middle.
    fill(place, command)
    step = len(states) // 2
    assert forked(killed_at(step, place, lambda: dynamis(*command.at(place), "--force"))).code == -signal.SIGKILL
    assert held(place).keys() == states[step - 1].keys()
    assert all(text in (old[name], new[name]) for name, text in held(place).items() if not name.endswith(".json"))


def refused(done: Ended, command: Command, place: Path, reason: str) -> None:
    assert done.err == f"error: {place / command.files[0]}: cannot be written: {reason}\n"
    assert done.code == 2
    assert command.shown in done.out
    assert "wrote" not in done.out


@linux
@every
def test_a_full_disk_leaves_the_old_files_and_shows_the_result(command: Command, place: Path) -> None:
    def run() -> None:
        old = fill(place, command)
        try:
            with (place / "filler").open("wb", buffering=0) as file:
                while file.write(b"x" * 1024):
                    pass
        except OSError:
            pass
        try:
            dynamis(*command.at(place), "--force")
        finally:
            assert {name: text for name, text in held(place).items() if name != "filler"} == old
            assert len(list(place.iterdir())) == len(old) + 1

    done = forked(on_small_disk(place, 65536, run))
    if done.code == NO_MOUNT:
        pytest.skip("no disk may be mounted here; the test below has files that cannot grow")
    refused(done, command, place, "No space left on device")


@linux
@every
def test_files_that_cannot_grow_leave_the_old_ones_and_show_the_result(command: Command, place: Path) -> None:
    old = fill(place, command)
    done = forked(without_room(64, lambda: dynamis(*command.at(place), "--force")))
    refused(done, command, place, "File too large")
    assert held(place) == old
    assert len(list(place.iterdir())) == len(old)


@linux
@pytest.mark.parametrize("name", ["simulate", "derive"])
def test_json_that_cannot_be_written_is_printed_alone(name: str, place: Path) -> None:
    words = [word.replace("page.txt", "page.json") for word in COMMANDS[name].at(place)]
    done = forked(without_room(64, lambda: dynamis(*words, "--json")))
    assert done.code == 2
    assert "error" not in json.loads(done.out)
    assert done.err.count("\n") == 1


@linux
def test_what_could_be_written_is_kept_and_listed(place: Path) -> None:
    command = COMMANDS["simulate"]
    fill(place, command)
    room = 8_000  # enough for all but the animation
    done = forked(without_room(room, lambda: dynamis(*command.at(place), "--force", "--samples", "11")))
    assert done.err == f"error: {place / 'animation.html'}: cannot be written: File too large\n"
    assert done.code == 2
    kept = ["history.csv", "simulation.txt", "simulation.json"]
    assert done.out.endswith(f"\nwrote {', '.join(kept)} to {place}\n")
    assert json.loads((place / "simulation.json").read_text())["files"] == kept
    assert (place / "animation.html").read_text() == OLD
    assert len((place / "history.csv").read_text().splitlines()) == 12


def interrupting(real: Callable[..., Any], wanted: Callable[..., bool] = lambda *_: True) -> Callable[..., Any]:
    """The function, in the midst of which Ctrl-C is pressed."""

    def run(*arguments: Any, **more: Any) -> Any:
        if wanted(*arguments):
            os.kill(os.getpid(), signal.SIGINT)
        return real(*arguments, **more)

    return run


@linux
@every
def test_ctrl_c_in_the_work_is_said_and_touches_no_file(
    command: Command, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = fill(place, command)
    monkeypatch.setattr(command.work, interrupting(resolve_name(command.work)))
    done = forked(lambda: dynamis(*command.at(place), "--force"))
    assert done == Ended(130, "", "interrupted: the command was not finished, and no file was written\n")
    assert {path.name: path.read_bytes() for path in place.iterdir()} == old


@linux
@pytest.mark.parametrize("output", [True, False])
def test_ctrl_c_keeps_the_run_until_then(output: bool, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: list[float] = []

    def late(_: Flow, t: float, *__: Any) -> bool:
        if t > 0.02 and not pressed:
            pressed.append(t)
            return True
        return False

    monkeypatch.setattr(Flow, "rate", interrupting(Flow.rate, late))
    command = COMMANDS["simulate"]
    done = forked(lambda: dynamis(*(command.at(place) if output else command.words.split())))
    assert done.code == 130
    assert "ended early: interrupted at t = 0.0" in done.out
    files = ", ".join(command.files)
    assert done.err.startswith("interrupted: the run until t = 0.0")
    assert done.err.endswith(f"s is kept; {f'wrote {files} to {place}' if output else 'no file was written'}\n")
    assert done.err.count("\n") == 1
    assert set(held(place)) == (set(command.files) if output else set())


@linux
def test_ctrl_c_keeps_the_trials_until_then(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count: list[int] = []

    def second(*_: Any) -> bool:
        count.append(1)
        return len(count) == 2

    monkeypatch.setattr(Trials, "run", interrupting(Trials.run, second))
    command = COMMANDS["learn"]
    done = forked(lambda: dynamis(*command.at(place)))
    assert done.code == 130
    assert done.err == f"interrupted: 1 of 2 trials are kept; wrote {', '.join(command.files)} to {place}\n"
    assert json.loads((place / "learning.json").read_text())["ended"] == "interrupted after trial 1"


@linux
@pytest.mark.parametrize("name", FOLDERS)
def test_ctrl_c_in_the_writing_keeps_the_files_until_then(
    name: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("dynamis.telling.figure.save", stop)
    command = COMMANDS[name]
    words = [word if word != "none" else "png" for word in command.at(place)]
    done = forked(lambda: dynamis(*words))
    samples = next(k for k, file in enumerate(command.files) if file.endswith((".csv", ".nc")))
    kept = [*command.files[: samples + 1], *command.files[-2:]]
    assert done.code == 130
    assert done.err == (
        f"interrupted: the result is whole; wrote {', '.join(kept)} to {place}, and not the other files\n"
    )
    assert command.shown in done.out
    assert {path.name for path in place.iterdir()} == set(kept)


@linux
def test_ctrl_c_of_a_process_of_its_own(place: Path) -> None:
    words = "learn bar-2r two-bar-reach --period 0.01 --trials 100000 --patience 0 --ahead 1 --figures none -o"
    process = subprocess.Popen(
        [sys.executable, "-m", "dynamis", *words.split(), str(place)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    for _ in range(4):  # the head, its rule and two trials
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.endswith(f" of 100000 trials are kept; wrote torque.csv, learning.txt, learning.json to {place}\n")
    assert len(json.loads((place / "learning.json").read_text())["trials"]) >= 2


@every
def test_output_is_tried_before_the_work(
    command: Command, tmp_path: Path, place: Path, cli: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("the work has started")

    monkeypatch.setattr(command.work, work)
    (tmp_path / "file").write_text(OLD)
    fill(place, command)
    one_file = len(command.files) == 1
    attempts: list[tuple[Path, str]] = [
        (tmp_path / "file" / "x", "is not a folder"),
        (tmp_path / ("x" * 300), f"the name has {300} bytes; a file name has at most 255"),
        (place, "use --force to"),
    ]
    if one_file:
        attempts.append((tmp_path / "missing", "there is no folder"))
    for folder, sentence in attempts:
        done = cli(*command.at(folder))
        assert (done.code, done.out) == (2, "")
        assert sentence in done.err
        assert done.err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"file", "place"}
    with pytest.raises(AssertionError, match="the work has started"):
        cli(*command.at(place), "--force")
    assert set(held(place).values()) == {OLD.encode()}


@pytest.mark.parametrize("name", FOLDERS)
def test_words_are_checked_before_the_work(name: str, place: Path, cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("the work has started")

    command = COMMANDS[name]
    monkeypatch.setattr(command.work, work)
    monkeypatch.setenv("PATH", str(place))  # without ffmpeg
    words = {"--figures": "bmp"} | ({"--table": "everything"} if name not in ("identify", "excite") else {})
    words |= {"--history": "xlsx"} if name not in ("learn", "sweep") else {}
    words |= {"--animation": "mp4"} if name == "simulate" else {}
    for option, word in words.items():
        done = cli(*command.at(place), option, word)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    monkeypatch.setattr("dynamis.cli.output.find_spec", lambda library: None)
    done = cli(*command.at(place), "--figures", "png")
    assert done.err == 'error: figures need matplotlib: pip install "dynamis[report]", or --figures none\n'
    if name not in ("learn", "sweep"):
        done = cli(*command.at(place), "--figures", "none", "--history", "parquet")
        assert done.err == 'error: Parquet needs pyarrow: pip install "dynamis[report]", or --history none\n'


@pytest.mark.parametrize("name", FOLDERS)
def test_without_matplotlib_a_folder_has_all_but_figures(
    name: str, place: Path, cli: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asked for figures; that the results can be written needs no extra."""
    command = COMMANDS[name]
    monkeypatch.setattr("dynamis.cli.output.find_spec", lambda library: None)
    done = cli(*(word for word in command.at(place) if word not in ("--figures", "none")))
    assert done.code == 0, done.err
    assert 'note: no figures, which need matplotlib: pip install "dynamis[report]"\n' in done.err
    assert set(held(place)) == set(command.files)


def test_what_a_killed_run_was_writing_does_not_fill_a_folder(place: Path, cli: Call) -> None:
    (place / ".dynamis-0123456789abcdef.csv").write_text("half")
    command = COMMANDS["motion"]
    assert cli(*command.at(place)).code == 0
    assert json.loads((place / "budget.json").read_text())["files"] == list(command.files)


@linux
def test_a_page_can_go_to_a_pipe_or_to_standard_output(place: Path) -> None:
    words = COMMANDS["derive"].words.split()
    printed = forked(lambda: dynamis(*words))
    assert forked(lambda: dynamis(*words, "-o", "/dev/stdout")) == printed
    assert forked(lambda: dynamis(*words, "-o", "/dev/null")) == Ended(0, "", "")
    assert list(place.iterdir()) == []


@linux
@pytest.mark.parametrize("late", [0.0, 0.02])
def test_ctrl_c_in_the_second_run_keeps_the_first(late: float, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moments: list[str] = []
    compare = resolve_name("dynamis.simulation.one_run.accuracy")

    def comparing(*arguments: Any) -> Any:
        moments.append("second run")
        return compare(*arguments)

    def second(_: Flow, t: float, *__: Any) -> bool:
        if moments == ["second run"] and t >= late:
            moments.append("pressed")
            return True
        return False

    monkeypatch.setattr("dynamis.simulation.one_run.accuracy", comparing)
    monkeypatch.setattr(Flow, "rate", interrupting(Flow.rate, second))
    command = COMMANDS["simulate"]
    done = forked(lambda: dynamis(*[word for word in command.at(place) if word != "--no-check"]))
    assert done.code == 130
    assert done.err == (
        "interrupted: the whole run is kept, but the second run that checks it was not finished; "
        f"wrote {', '.join(command.files)} to {place}\n"
    )
    assert json.loads((place / "simulation.json").read_text())["ended"] == ""
