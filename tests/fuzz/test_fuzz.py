"""The fuzzer itself: a few thousand inputs find nothing, and what it should find it finds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

if not Path("/proc/self/status").exists():
    pytest.skip("the limits of a worker are those of Linux", allow_module_level=True)

from tests.fuzz import guided
from tests.fuzz.campaign import ROOT, Campaign, save, summary
from tests.fuzz.readers import READERS
from tests.fuzz.worker import make

REGRESSIONS = sorted((Path(__file__).parent / "regressions").glob("*.input"))


def test_every_reader_keeps_its_promises() -> None:
    # Times are for campaigns: here other tests run beside it.
    campaign = Campaign(1500, 1, list(READERS), shrink=False, timed=False, hang=300.0)
    findings = campaign.run()
    assert not findings, summary(findings)
    assert campaign.done == 1500
    # Inputs that are all refused would say little about what comes after reading.
    assert campaign.accepted > 300


def test_inputs_are_the_same_whenever_they_are_made() -> None:
    names = list(READERS)
    first = [make(5, index, names) for index in range(60)]
    assert [(reader.name, data) for reader, data in first] == [
        (reader.name, data) for reader, data in (make(5, index, names) for index in range(60))
    ]
    assert len({data for _, data in first}) > 50


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("raises", "KeyError"),
        ("loops", "slow"),
        ("sleeps", "hang"),
        ("crashes", "crash SIGABRT"),
        ("grows", "memory"),
        ("evaluates", "audit compile"),
        ("writes", "audit writes"),
        ("calls", "audit os.system"),
    ],
)
def test_what_must_not_happen_is_noticed(name: str, signature: str) -> None:
    (finding,) = Campaign(1, 1, [name], shrink=False, prepared=False, hang=5.0 if name == "sleeps" else 60.0).run()
    assert finding.signature.startswith(signature), summary([finding])


def test_another_process_goes_on_after_an_accident() -> None:
    campaign = Campaign(2, 1, ["crashes"], prepared=False)
    assert [finding.index for finding in campaign.run()] == [0, 1]


def test_findings_are_made_small_and_can_be_read_again(tmp_path: Path) -> None:
    findings = Campaign(1, 1, ["raises"], prepared=False).run()
    assert bytes.fromhex(findings[0].data) == b"needle"
    (path,) = save(findings, tmp_path)
    assert path.name.startswith("raises--KeyError")
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--replay", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "KeyError" in done.stdout


def test_what_was_found_before_is_not_found_again() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--replay", *map(str, REGRESSIONS)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("nothing found") == len(REGRESSIONS)


def test_every_reader_gets_its_share() -> None:
    whole = sum(reader.weight for reader in READERS.values())
    assert min(reader.weight for reader in READERS.values()) > 0.02 * whole
    assert READERS["answer"].weight > 0.2 * whole
    assert max(READERS.values(), key=lambda reader: reader.weight).name == "answer"


def test_coverage_guided_fuzzing_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "atheris", None)
    monkeypatch.setattr(sys, "argv", ["guided", "answer"])
    assert guided.main() == 2
    assert "needs atheris; install it with: pip install atheris" in capsys.readouterr().err


def test_coverage_guided_fuzzing_starts_from_inputs_of_the_reader(tmp_path: Path) -> None:
    guided.start_corpus(tmp_path, READERS["state"], 1)
    assert len(list(tmp_path.iterdir())) == guided.SEEDS
    (tmp_path / "own").write_bytes(b"x")
    guided.start_corpus(tmp_path, READERS["state"], 2)
    assert (tmp_path / "start-0").read_bytes() == READERS["state"].make(Random("guided 1 0"))
