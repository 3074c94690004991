"""The tier policy: which form of a program runs when, and when a second thread pays. This is the only place.

A program starts at once in the interpreter; machine code is some fifteen times faster, but takes LLVM about 50 us per
instruction to make (`python -m benchmarks length` measures both). It is made on the spot when the interpreter has run
for about as long as that takes, and before, in another process, for those who call now and then.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from dynamis.compute.program.program import Program

STATES_PER_INSTRUCTION = 10
"""States per instruction of the program from which machine code is made: below, compiling costs more than it saves."""
CALLS_BEFORE_COMPILING = 4500
"""Calls after which machine code pays whatever their states: 4400 to 5000 were measured for 99 to 2776 operations."""
STATES_BEFORE_DISK = 16
"""States from which machine code of an earlier run is looked for: for a UR5 a look takes 170 us, 16 states 320 us."""
CALLS_PER_LOOK = 16
"""Calls between looks at the clock and at the other process: a look takes as long as a tenth of a call."""
COMPILE_TIME_SHARE = 3.0
"""Seconds of another process per second that a function has been in use: it compiles no longer than that."""
SECONDS_PER_PROCESS = 0.15
"""What another process takes to start."""
SECONDS_PER_INSTRUCTION, OF_A_LONG_PROGRAM, LONG_PROGRAM = 50e-6, 20e-6, 16_000
"""What compiling takes, of programs up to this many instructions and of longer ones, whose code is made less well."""
MAX_INSTRUCTIONS = 400_000
"""Instructions up to which machine code is made: this many compile in 8 s; 100 joints have 30 000 to 120 000."""
MOST_ENTRIES = 2**15
"""Entries of all results up to which machine code is made: a block of so many is 1 MB on the stack."""
STATES_PER_SPLIT = 4096
"""States from which a call is split over threads: so many of a UR5 take one thread 57 us, and two as long."""
OPERATIONS_PER_SPLIT = 2_000_000
"""Operations, over all states and runs of a loop, from which it is split over threads."""


def is_long(program: Program) -> bool:
    """Whether a program stays in the interpreter for ever."""
    return program.length > MAX_INSTRUCTIONS or sum(x.count for x in program.outputs) > MOST_ENTRIES


def seconds_to_compile(length: int) -> float:
    """How long another process takes for a program of this length, about."""
    return SECONDS_PER_PROCESS + (SECONDS_PER_INSTRUCTION if length <= LONG_PROGRAM else OF_A_LONG_PROGRAM) * length


class Tiers:
    """What a program has run so far, and so whether machine code pays."""

    def __init__(self, program: Program, clock: Callable[[], float] = monotonic) -> None:
        """clock: the time in seconds."""
        self._length, self._states, self._calls = program.length, 0, 0
        self._clock, self._start = clock, clock()

    def count(self, states: int, calls: int = 1) -> None:
        if not self._calls:
            self._start = self._clock()
        self._past_disk = self._states >= STATES_BEFORE_DISK
        self._states += states
        self._calls += calls

    @property
    def batches_pay(self) -> bool:
        """Whether the states so far took as long as compiling would: what comes next is a large batch, too."""
        return self._states >= STATES_PER_INSTRUCTION * self._length

    @property
    def machine_code_pays(self) -> bool:
        return self.batches_pay or self._calls >= CALLS_BEFORE_COMPILING

    @property
    def looks_on_disk(self) -> bool:
        """Whether this call is the one that looks for machine code of an earlier run."""
        return not self._past_disk and self._states >= STATES_BEFORE_DISK

    @property
    def looks_around(self) -> bool:
        """Whether this call is one of those that look at the clock, or at another process."""
        return self._calls % CALLS_PER_LOOK == 0

    @property
    def another_process_pays(self) -> bool:
        """Whether another process would take at most its share of the time since the first call."""
        return seconds_to_compile(self._length) <= COMPILE_TIME_SHARE * (self._clock() - self._start)
