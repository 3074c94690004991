"""What is done of a sweep: how many slices, and their totals, in memory and in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.errors import ArgumentError, FormatError, literal
from dynamis.motion.trajectories.array_files import read_npz
from dynamis.sweeps.parts import Parts
from dynamis.sweeps.reductions import Totals
from dynamis.writing import binary_file


class Tally:
    """The totals of the first `done` slices: of every case those of whole groups; `group` has those of a begun one."""

    def __init__(self, sweep: Parts) -> None:
        self.sweep, self.done = sweep, 0
        self.totals = [sweep.empty() for _ in sweep.cases]
        self.group: Totals | None = None
        self.whole = True
        """Not while a part is being added."""

    @property
    def states(self) -> int:
        """That are done."""
        if self.done == self.sweep.slices:
            return self.sweep.states
        case, first, _ = self.sweep.slice(self.done)
        return case * self.sweep.points.count + first

    def add(self, part: Totals, slices: int = 1) -> None:
        """Add the totals of the next slices, which are one, or all of a group."""
        self.whole = False
        case, _, _ = self.sweep.slice(self.done)
        end = self.sweep.group_end(self.done)
        if self.group is None:
            self.group = part.copy()
        else:
            self.group.merge(part)
        self.done += slices
        if self.done == end:
            self.totals[case].merge(self.group)
            self.group = None
        self.whole = True

    def write(self, file: Path) -> None:
        """All of it, in the place of what the file had."""
        with binary_file(file) as stream:
            np.savez(stream, key=_numbers(self.sweep.key), done=np.array(self.done), **self._arrays())

    def _arrays(self) -> dict[str, Any]:
        every = {str(case): x for case, x in enumerate(self.totals)} | ({"group": self.group} if self.group else {})
        return {f"{name}.{k}": array for name, x in every.items() for k, array in enumerate(x.arrays)}

    @classmethod
    def read(cls, sweep: Parts, file: Path | None) -> Tally:
        """What a file has; nothing is done where there is no file."""
        tally = cls(sweep)
        if file is None or not file.exists():
            return tally
        most = 2 * sum(array.size for array in tally._arrays().values()) + 1000
        try:
            saved = read_npz(file, None, most + sweep.empty().arrays[0].size)
            if not np.array_equal(saved["key"], _numbers(sweep.key)):
                raise ArgumentError(f"{literal(str(file))} holds another sweep; give another store, or delete it")
            tally.done = int(saved["done"])
            tally.group = sweep.empty() if "group.0" in saved else None
            for name, array in tally._arrays().items():
                array[...] = saved[name]
        except (OSError, ValueError, KeyError, FormatError) as error:
            why = f" ({error})" if isinstance(error, OSError) else ""
            raise ArgumentError(f"{literal(str(file))} is not what a sweep has saved{why}; delete it") from None
        return tally


def _numbers(key: str) -> NDArray[np.uint8]:
    return np.frombuffer(key.encode(), np.uint8)
