"""`python -m tests.fuzz.guided READER`: inputs that atheris changes by what they reach in the code.

It starts from inputs of this fuzzer, and keeps those that run lines which none has run before. Findings are the same as
those of `python -m tests.fuzz`: an input with one is saved, and the run ends. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

SEEDS = 300
"""Inputs to start from, where the folder of the corpus has none."""
MISSING = "coverage-guided fuzzing needs atheris; install it with: pip install atheris"


def main() -> int:
    """Exit code 0: nothing was found, 1: something was, 2: atheris is missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("reader", help="one of the readers of tests/fuzz/readers.py")
    parser.add_argument("--runs", type=int, default=100_000, help="how many inputs; -1: until --seconds")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of processor time at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="folder that keeps the inputs between runs")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    asked = parser.parse_args()
    try:
        atheris: Any = import_module("atheris")
    except ImportError:
        print(MISSING, file=sys.stderr)
        return 2
    corpus = (asked.corpus or Path(tempfile.mkdtemp(prefix="guided-"))).resolve()
    findings = asked.findings.resolve()
    with atheris.instrument_imports(include=["dynamis"]):
        from tests.fuzz.campaign import save
        from tests.fuzz.readers import READERS
        from tests.fuzz.worker import Bench, Finding
    if asked.reader not in READERS:
        parser.error(f"unknown reader {asked.reader!r}; known: {', '.join(READERS)}")
    reader = READERS[asked.reader]
    start_corpus(corpus, reader, asked.seed)
    # Counting what is reached takes time of its own, and so does the first time that a line is reached.
    bench = Bench(Path(tempfile.mkdtemp(prefix="guided-")), prepared=True, timed=False)

    done = accepted = 0

    def once(data: bytes) -> None:
        nonlocal done, accepted
        result = bench.read(reader, data)
        done, accepted = done + 1, accepted + bench.accepted
        if result is not None:
            (path,) = save([Finding(reader.name, *result, data.hex())], findings)
            print(f"\n{result[0]}: {result[1]}\nsaved {path}")
        if result is not None or done == asked.runs or time.process_time() > asked.seconds:
            seconds = time.process_time()
            print(
                f"\n{reader.name}: {done} inputs, {accepted} accepted, in {seconds:.0f} s of processor time", flush=True
            )
            os._exit(result is not None)  # atheris has no other way out

    options = [f"-seed={asked.seed}", "-max_len=4096", "-rss_limit_mb=4096", "-timeout=60"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], once)
    atheris.Fuzz()
    return 0


def start_corpus(folder: Path, reader: Any, seed: int) -> None:
    """Inputs of the fuzzer, as files; what is there already stays."""
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        for number, data in enumerate(_made(reader, seed)):
            (folder / f"start-{number}").write_bytes(data)


def _made(reader: Any, seed: int) -> Iterator[bytes]:
    for number in range(SEEDS):
        yield reader.make(Random(f"guided {seed} {number}"))


if __name__ == "__main__":
    sys.exit(main())
