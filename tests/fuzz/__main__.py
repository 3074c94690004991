"""`python -m tests.fuzz --count 1000000 --seed 7`: see README.md beside this file."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.campaign import Campaign, save, summary
from tests.fuzz.readers import READERS
from tests.fuzz.worker import Bench, reader_named


def main() -> int:
    """Exit code 0: nothing was found, 1: something was."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz every reader of dynamis.")
    parser.add_argument("--count", type=int, default=10_000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", action="append", choices=sorted(READERS), help="only this reader; may be repeated")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument(
        "--findings", type=Path, default=Path("fuzz-findings"), help="folder for the inputs of findings"
    )
    parser.add_argument(
        "--replay", type=Path, nargs="+", help="read these files again; their names begin with the reader"
    )
    asked = parser.parse_args()
    if asked.replay:
        return replay(asked.replay, asked.reader[0] if asked.reader else None)
    start = time.monotonic()
    campaign = Campaign(asked.count, asked.seed, asked.reader or list(READERS), asked.workers)
    findings = campaign.run(progress=True)
    seconds = time.monotonic() - start
    per_second, per_processor = campaign.done / seconds, campaign.done / max(campaign.processor, 1e-9)
    print(f"\n{campaign.done} inputs, {campaign.accepted} accepted, {len(findings)} findings in {seconds:.0f} s")
    print(f"{per_second:.0f} inputs per second, {per_processor:.0f} per second of a processor")
    if not findings:
        return 0
    print(summary(findings))
    for path in save(findings, asked.findings):
        print(f"saved {path}")
    return 1


def replay(paths: list[Path], name: str | None) -> int:
    """Read files again, each in this process."""
    found = 0
    inputs = [(path, reader_named(name or path.name.split("--")[0]), path.read_bytes()) for path in paths]
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        bench = Bench(Path(folder))
        for path, reader, data in inputs:
            result = bench.read(reader, data)
            found += result is not None
            print(f"{path}: {'nothing found' if result is None else f'{result[0]}: {result[1]}'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
