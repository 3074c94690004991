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
STARTING = 900.0
"""Seconds for a worker to import everything, on a busy machine."""


@dataclass
class Worker:
    """One process and what it has to do."""

    plan: Plan
    process: subprocess.Popen[bytes]
    started: float
    read: int = 0
    """Bytes of its findings that were read."""

    begun: bool = False

    def state(self) -> tuple[int, float, int, int, float]:
        found = STATE.unpack((Path(self.plan.folder) / "state").read_bytes())
        self.begun |= found[1] > 0
        return found


@dataclass
class Campaign:
    """`count` inputs of a seed, by `workers` processes, for some of the readers."""

    count: int
    seed: int
    readers: list[str]
    workers: int = 1
    shrink: bool = True
    prepared: bool = True
    timed: bool = True
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
            except KeyboardInterrupt:
                # What was found until here is kept.
                self.done += sum(worker.state()[2] for worker in workers)
            finally:
                for worker in workers:
                    worker.process.kill()
                    worker.process.wait()
        return self.findings

    def _started(self, folder: Path, first: int) -> Worker:
        (folder / "inputs").mkdir(parents=True, exist_ok=True)
        (folder / "findings.jsonl").unlink(missing_ok=True)
        (folder / "state").write_bytes(STATE.pack(first, 0.0, 0, 0, 0.0))
        how = self.shrink, self.prepared, self.timed
        plan = Plan(str(folder), self.seed, first, self.workers, self.count, self.readers, *how)
        # One thread each: others would count against the processor time of an input.
        environment = {
            **os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
            "XDG_CACHE_HOME": str(folder / "inputs" / "cache"),
        }  # fmt: skip
        command = [sys.executable, "-m", "tests.fuzz.worker", json.dumps(asdict(plan))]
        with (folder / "errors").open("wb") as errors:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
            )
        return Worker(plan, process, time.monotonic())

    def _looked_at(self, worker: Worker) -> Worker | None:
        """The worker, another in its place after an accident, or None where it is finished."""
        code = worker.process.poll()
        index, since, done, accepted, processor = worker.state()
        self._collect(worker)
        waited = time.monotonic() - since if since else 0.0
        if code is None and waited < self.hang and (worker.begun or time.monotonic() - worker.started < STARTING):
            return worker
        if code is None:
            worker.process.kill()
            worker.process.wait()
        self.done, self.accepted = self.done + done, self.accepted + accepted
        self.processor += processor
        if code == 0 and index >= self.count:
            return None
        if code is None or code != 0:
            self._accident(worker, code, index)
        following = index + self.workers
        return self._started(Path(worker.plan.folder), following) if following < self.count else None

    def _collect(self, worker: Worker) -> None:
        """The findings that a worker has written since the last look."""
        path = Path(worker.plan.folder) / "findings.jsonl"
        if path.exists():
            whole = path.read_bytes()[worker.read :].rpartition(b"\n")[0]
            self.findings += [Finding(**json.loads(line)) for line in whole.splitlines()]
            worker.read += len(whole) + 1 if whole else 0

    def _accident(self, worker: Worker, code: int | None, index: int) -> None:
        said = (Path(worker.plan.folder) / "errors").read_text("utf-8", "replace")[-2000:]
        if not worker.begun:
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
