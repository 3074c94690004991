"""`dynamis studio`: where it listens, what it says, and its wrong arguments."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from dynamis.apps.studio.server import Studio
from tests.support.command_line import caller


def test_wrong_arguments_are_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    call = caller(monkeypatch, capsys)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"cannot listen at 127.0.0.1, port {port}" in call("studio", "--port", str(port), "--no-browser").err
    assert "cannot listen at no-such-host.invalid" in call("studio", "--host", "no-such-host.invalid").err
    assert 'did you mean "ur5"?' in call("studio", "ur6").err


def test_beyond_this_computer_it_has_a_token() -> None:
    studio = Studio("0.0.0.0", 0)
    try:
        assert len(studio.guard.token) >= 32
        assert studio.address == f"http://127.0.0.1:{studio.guard.port}/?token={studio.guard.token}"
        assert studio.elsewhere.startswith(f"http://{socket.gethostname().lower()}:{studio.guard.port}/?token=")
    finally:
        studio.server_close()
    here = Studio()
    try:
        assert here.address == f"http://127.0.0.1:{here.guard.port}/"
    finally:
        here.server_close()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_starts_answers_and_ends(end: signal.Signals, tmp_path: Path) -> None:
    """By Ctrl-C and by kill alike: it leaves no folder."""
    command = [sys.executable, "-m", "dynamis", "studio", "cartesian", "--no-browser", "--port", "0"]
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        assert "cartesian.toml" in urlopen(address).read().decode()
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(end)
        _, err = process.communicate(timeout=20)
        assert (process.returncode, err, list(tmp_path.iterdir())) == (0, "", [])
