"""A process that makes and reads many inputs, and notes what must not happen.

What it is at stands in a small shared file, so that the process that started it knows which input ended it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import mmap
import os
import re
import resource
import signal
import struct
import sys
import time
import traceback
import warnings
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from types import FrameType

from dynamis.errors import DynamisError, UnphysicalWarning
from tests.fuzz.audit import Watch
from tests.fuzz.broken import BROKEN
from tests.fuzz.readers import READERS, Reader, prepare

MEMORY = 1_000_000_000
"""Bytes that one input may take [1 GB]."""
STATE = struct.Struct("<qdqqd")
"""Index of the input, since when (0: before the first), inputs done, those accepted, processor time [s]."""
MESSAGE = 4000
"""Characters of an error, with the name of its file."""
SHRINKING = 10.0
"""Seconds for making the input of a finding smaller."""


@dataclass
class Plan:
    """Which inputs a worker makes: indices `first`, `first + stride`, ... below `end`."""

    folder: str
    seed: int
    first: int
    stride: int
    end: int
    readers: list[str]
    shrink: bool = True
    prepared: bool = True
    """Whether all readers are warmed up first."""
    timed: bool = True
    """Whether inputs that take long are findings."""


@dataclass
class Finding:
    """What was found: the same `signature` is the same mistake. `data` is the input in hex."""

    reader: str
    signature: str
    detail: str
    data: str
    index: int = -1


class TooSlow(BaseException):
    """Raised by the timer in the middle of reading; no reader catches it."""


def reader_named(name: str) -> Reader:
    """One of the readers, or of those that are broken on purpose."""
    return READERS[name] if name in READERS else BROKEN[name]


def make(seed: int, index: int, readers: list[str]) -> tuple[Reader, bytes]:
    """The input with this number: the same whenever and wherever it is made."""
    random = Random(f"{seed} {index}")
    chosen = [reader_named(name) for name in readers]
    reader = random.choices(chosen, [reader.weight for reader in chosen])[0]
    return reader, reader.make(random)


class Bench:
    """Reads inputs under the watch of timer, memory limit and audit hook."""

    def __init__(self, folder: Path, prepared: bool = True, timed: bool = True) -> None:
        self.folder = folder
        self.timed = timed
        os.chdir(folder)
        # What dynamis says of unphysical bodies is not printed a million times; other warnings are findings.
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module=r"(trimesh|scipy|matplotlib|click|typer)\b")
        warnings.simplefilter("ignore", UnphysicalWarning)
        if prepared:
            prepare(folder)
        gc.freeze()
        self.watch = Watch(folder)
        self.expired = False
        self.place = ""
        signal.signal(signal.SIGPROF, self._expire)
        limit = _size("VmSize") + MEMORY + MEMORY // 4
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        self.memory = _size("VmHWM") + MEMORY

    def read(self, reader: Reader, data: bytes) -> tuple[str, str] | None:
        """(signature, detail) of what must not happen; None if all is well. What is slow is slow twice."""
        result = self._read(reader, data)
        return self._read(reader, data) if result and result[0].startswith("slow") else result

    def _read(self, reader: Reader, data: bytes) -> tuple[str, str] | None:
        self.accepted = self.expired = False
        path = reader.put(data, self.folder)
        self.watch.start(data, reader.writes)
        signal.setitimer(signal.ITIMER_PROF, reader.seconds if self.timed else 0)
        try:
            reader.read(path, Random(zlib.crc32(data)))
            self.accepted = True
        except TooSlow:
            pass
        except DynamisError as error:
            if len(str(error)) > MESSAGE:
                return f"message of {type(error).__name__}", f"{len(str(error))} characters"
        except Exception as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            return _signature(error)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            seen = self.watch.stop()
        if self.expired:
            return f"slow in {self.place}", f"more than {reader.seconds:g} s of processor time"
        if seen:
            return f"audit {seen[0][:40]}", "; ".join(seen[:5])
        if (peak := _size("VmHWM")) > self.memory:
            return "memory", f"{peak / 1e9:.2f} GB"
        return None

    def _expire(self, number: int, frame: FrameType | None) -> None:
        if not self.expired:
            self.place = _place(list(traceback.extract_stack(frame)))
        self.expired = True
        raise TooSlow


def _size(field: str) -> int:
    """A size of this process as Linux tells it [bytes]. (ru_maxrss has the peak of the process that started it.)"""
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(f"{field}:"))


def _signature(error: BaseException) -> tuple[str, str]:
    place = _place(traceback.extract_tb(error.__traceback__))
    what = re.sub(r"[^ -~]", "?", str(error))[:200]
    brief = re.sub(r"\d+|'[^']*'", "#", what)[:40] if type(error).__name__ == "BrokenLaw" else ""
    return f"{type(error).__name__} {brief} in {place}", what


def _place(frames: list[traceback.FrameSummary] | traceback.StackSummary) -> str:
    """The innermost function of dynamis."""
    for frame in reversed(frames):
        if "/dynamis/" in frame.filename:
            return f"{frame.filename.rpartition('/dynamis/')[2]}:{frame.lineno} {frame.name}"
    return "nowhere"


def shrink(bench: Bench, reader: Reader, data: bytes, signature: str) -> bytes:
    """A shorter input with the same finding: pieces are taken away, ever smaller ones, while it lasts."""
    until = time.monotonic() + SHRINKING
    size = max(1, len(data) // 2)
    while size and time.monotonic() < until:
        at, shorter = 0, False
        while at < len(data) and time.monotonic() < until:
            candidate = data[:at] + data[at + size :]
            result = bench.read(reader, candidate)
            if result is not None and result[0].split(":")[0] == signature.split(":")[0]:
                data, shorter = candidate, True
            else:
                at += size
        size = size // 2 if not shorter or size == 1 else size
        if size == 1 and not shorter:
            break
    return data


def run(plan: Plan) -> None:
    """Read the inputs of a plan; findings go to findings.jsonl in its folder."""
    folder = Path(plan.folder)
    with (folder / "state").open("r+b") as file:
        state = mmap.mmap(file.fileno(), STATE.size)
    bench = Bench(folder / "inputs", plan.prepared, plan.timed)
    findings: set[str] = set()
    done, accepted, start = 0, 0, time.process_time()
    with (folder / "findings.jsonl").open("a", encoding="utf-8") as out:
        for index in range(plan.first, plan.end, plan.stride):
            state[:] = STATE.pack(index, time.monotonic(), done, accepted, time.process_time() - start)
            reader, data = make(plan.seed, index, plan.readers)
            result = bench.read(reader, data)
            done, accepted = done + 1, accepted + bench.accepted
            if result is None:
                continue
            signature, detail = result
            if signature not in findings:
                findings.add(signature)
                state[:] = STATE.pack(index, time.monotonic() + SHRINKING, done, accepted, time.process_time() - start)
                if plan.shrink:
                    data = shrink(bench, reader, data, signature)
            print(json.dumps(asdict(Finding(reader.name, signature, detail, data.hex(), index))), file=out, flush=True)
            if signature == "memory":
                # The peak stays, so that another process goes on.
                break
        else:
            index = plan.end
    state[:] = STATE.pack(index, time.monotonic(), done, accepted, time.process_time() - start)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        run(Plan(**json.loads(sys.argv[1])))
