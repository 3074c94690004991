"""Many inputs in worker processes: those that end, hang or grow are noticed, replaced, and their inputs kept."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.fuzz.worker import STATE, Finding, Plan, make

ROOT = Path(__file__).parents[2]
HANG = 20.0
"""Seconds of waiting for one input, after which its process is ended. (The limit of processor time is the readers'.)"""
STARTING = 180.0
"""Seconds for a worker to import everything, on a busy machine."""


@dataclass
class Worker:
    """One process and what it has to do."""

    plan: Plan
    process: subprocess.Popen[bytes]
    started: float
    done: int = 0
    """Inputs of the processes before this one."""

    def state(self) -> tuple[int, float, int, int, float]:
        return STATE.unpack((Path(self.plan.folder) / "state").read_bytes())


@dataclass
class Campaign:
    """`count` inputs of a seed, by `workers` processes, for some of the readers."""

    count: int
    seed: int
    readers: list[str]
    workers: int = 1
    shrink: bool = True
    prepared: bool = True
    hang: float = HANG
    findings: list[Finding] = field(default_factory=list[Finding])
    done: int = 0
    accepted: int = 0
    processor: float = 0.0

    def run(self, progress: bool = False) -> list[Finding]:
        """All findings; progress is told on stderr."""
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            workers = [self._started(Path(folder) / str(k), k) for k in range(self.workers)]
            try:
                while workers:
                    time.sleep(0.2)
                    workers = [w for worker in workers if (w := self._looked_at(worker)) is not None]
                    if progress:
                        self._tell(workers, time.monotonic() - start)
            finally:
                for worker in workers:
                    worker.process.kill()
                    worker.process.wait()
        return self.findings

    def _started(self, folder: Path, first: int) -> Worker:
        (folder / "inputs").mkdir(parents=True, exist_ok=True)
        (folder / "state").write_bytes(STATE.pack(first, 0.0, 0, 0, 0.0))
        plan = Plan(str(folder), self.seed, first, self.workers, self.count, self.readers, self.shrink, self.prepared)
        # One thread each: others would count against the processor time of an input.
        environment = {
            **os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
            "XDG_CACHE_HOME": str(folder / "inputs" / "cache"),
        }  # fmt: skip
        command = [sys.executable, "-m", "tests.fuzz.worker", json.dumps(asdict(plan))]
        with (folder / "errors").open("wb") as errors:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=errors, stderr=errors)
        return Worker(plan, process, time.monotonic())

    def _looked_at(self, worker: Worker) -> Worker | None:
        """The worker, another in its place after an accident, or None where it is finished."""
        index, since, done, accepted, processor = worker.state()
        code = worker.process.poll()
        waited = time.monotonic() - since if since else 0.0
        if code is None and waited < self.hang and (since or time.monotonic() - worker.started < STARTING):
            return worker
        if code is None:
            worker.process.send_signal(signal.SIGKILL)
            worker.process.wait()
        self._collect(worker, done, accepted, processor)
        if code == 0 and index >= self.count:
            return None
        if code is None or code != 0:
            self._accident(worker, code, index, bool(since))
        return (
            self._started(Path(worker.plan.folder), index + self.workers) if index + self.workers < self.count else None
        )

    def _collect(self, worker: Worker, done: int, accepted: int, processor: float) -> None:
        self.done, self.accepted, self.processor = (
            self.done + done,
            self.accepted + accepted,
            self.processor + processor,
        )
        path = Path(worker.plan.folder) / "findings.jsonl"
        if path.exists():
            self.findings += [Finding(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]
            path.unlink()

    def _accident(self, worker: Worker, code: int | None, index: int, begun: bool) -> None:
        said = (Path(worker.plan.folder) / "errors").read_text("utf-8", "replace")[-2000:]
        if not begun:
            raise RuntimeError(f"a worker did not start (exit code {code}):\n{said}")
        reader, data = make(self.seed, index, self.readers)
        signature = "hang" if code is None else f"crash {signal.Signals(-code).name if code < 0 else code}"
        self.findings.append(Finding(reader.name, signature, said[-300:], data.hex(), index))

    def _tell(self, workers: list[Worker], seconds: float) -> None:
        states = [worker.state() for worker in workers]
        done = self.done + sum(state[2] for state in states)
        processor = self.processor + sum(state[4] for state in states)
        rate = done / seconds if seconds else 0.0
        left = (self.count - done) / rate if rate else 0.0
        text = f"{done}/{self.count}  {rate:.0f}/s, {done / processor if processor else 0:.0f} per processor second"
        print(f"\r{text}, {left:.0f} s left, {len(self.findings)} findings   ", end="", file=sys.stderr, flush=True)


def summary(findings: list[Finding]) -> str:
    """One line for each kind of finding, the most frequent first."""
    counts = Counter((finding.reader, finding.signature) for finding in findings)
    first = {(f.reader, f.signature): f for f in reversed(findings)}
    return "\n".join(
        f"{count:6} {reader}: {signature}: {first[reader, signature].detail[:150]!r}"
        for (reader, signature), count in counts.most_common()
    )


def save(findings: list[Finding], folder: Path) -> list[Path]:
    """A file for each kind of finding, its input as it is; its name begins with the reader, for --replay."""
    folder.mkdir(parents=True, exist_ok=True)
    smallest: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        key = finding.reader, finding.signature
        if key not in smallest or len(finding.data) < len(smallest[key].data):
            smallest[key] = finding
    paths: list[Path] = []
    for finding in smallest.values():
        digest = hashlib.sha256(finding.signature.encode()).hexdigest()[:6]
        words = re.sub(r"[^A-Za-z0-9.]+", "-", finding.signature)[:60].strip("-")
        paths.append(folder / f"{finding.reader}--{words}-{digest}.input")
        paths[-1].write_bytes(bytes.fromhex(finding.data))
    return paths
