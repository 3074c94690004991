"""Workers with pinned threads, one after the other, and what they find."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from dynamis.errors import DynamisError

PINNED = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS",
)  # fmt: skip


class WorkerError(DynamisError):
    """A process of the benchmark that ended early."""


def findings(task: dict[str, Any], **environment: str) -> Iterator[dict[str, Any]]:
    """What a worker finds, as it finds it."""
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    pinned = dict.fromkeys(PINNED, "1") | {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false", "PYTHONPATH": path}
    command = [sys.executable, "-m", "benchmarks.dynamics.worker", json.dumps(task)]
    with TemporaryFile("w+", errors="replace") as errors:
        worker = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ | pinned | environment
        )
        try:
            for line in worker.stdout or ():
                yield json.loads(line)
        finally:
            if worker.poll() is None and sys.exc_info()[0] is not None:
                worker.kill()
            code = worker.wait()
        if code:
            errors.seek(0)
            last = (errors.read().strip().splitlines() or ["it said nothing"])[-1]
            raise WorkerError(f"the benchmark of {task.get('robot', task['task'])} ended with code {code}: {last}")
