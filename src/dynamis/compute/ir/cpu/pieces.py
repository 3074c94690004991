"""A program's operations as code of bounded length: one function, or several over a frame of values.

What LLVM does in a function grows faster than the function: its blocks are selected and scheduled as graphs, and its
registers are assigned among all values that live in it. So a long program is written in pieces, each of which takes
from the frame what earlier ones put there. A place in the frame is used again when its value is not needed any more.
"""

from __future__ import annotations

from heapq import heappop, heappush

from dynamis.compute.ir.cpu.rows import FEW_ENTRIES, chunks, load, store
from dynamis.compute.ir.cpu.tiles import Tiles
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.ir.sincos import call, together
from dynamis.compute.program.program import Program

MOST_ANGLES = 8
"""Angles whose sines and cosines are written out in a program of one piece: of more they are called."""


class Pieces:
    """The lines of every piece, and the number of vectors in their frame.

    A piece knows of `%last`, the last state of the block, of every operand's `%p0` and step `%s0`, and of `%frame`.
    """

    def __init__(
        self,
        program: Program,
        lanes: Lanes,
        fused: bool,
        limit: int,
        tiles: Tiles | None = None,
        whole: bool = False,
        columns: bool = False,
    ) -> None:
        """
        limit: lines after which a piece ends
        tiles: of the result, from what stands first in the frame
        whole: whether sines and cosines are written where they are used, not called
        columns: whether the entries of an input, and results that are one number, are vectors with one lane per
            state, one after the other
        """
        self._columns = columns
        self.lines: list[list[str]] = []
        self._stay: dict[int, list[int]] = {}
        """The places in the frame of values that tiles are made of."""
        for slot, place in enumerate(tiles.values if tiles else ()):
            self._stay.setdefault(place, []).append(slot)
        self.frame = len(tiles.values) if tiles else 0
        self.numbers: list[float] | None = [] if whole and lanes.size * lanes.width == 64 else None
        """The constants of all pieces, in the order of the table @numbers."""
        self._program, self._lanes, self._fused, self._limit, self._whole = program, lanes, fused, limit, whole
        self._inputs: dict[str, dict[int, int]] = {x.name: {} for x in program.inputs}
        self._turns: dict[int, list[int]] = {}
        """The sines and cosines of a value."""
        for k, (op, a, *_) in enumerate(program.operations):
            if op == "input":
                name, entry = a.split(":")
                self._inputs[name][int(entry)] = k
            elif op in ("sin", "cos"):
                self._turns.setdefault(a, []).append(k)
        zeros = [program.zeros(places) for places in program.results]
        # A chunk of results is stored as soon as its last entry is there, so that few values wait.
        self._ready: dict[int, list[tuple[int, int, tuple[int, ...]]]] = {}
        for k, places in enumerate(program.results):
            for first, chunk in chunks(Code(lanes), places, tiles.rows if tiles else 0):
                blank = any(a <= first and first + len(chunk) <= b for a, b in zeros[k])
                if not blank and not (tiles and first in tiles.chunks):
                    self._ready.setdefault(max(chunk), []).append((len(program.inputs) + k, first, tuple(chunk)))
        self._last = self._last_uses()
        self._slots: dict[int, int] = {}
        self._free: list[int] = []
        self._ends: list[tuple[int, int]] = []
        """A heap of what is in the frame, by its last use."""
        self._begin()
        # Long runs of zeros first, while nothing waits in registers.
        for k, runs in enumerate(zeros, len(program.inputs)):
            for first, end in runs:
                start = self._code.let(f"getelementptr i8, ptr %p{k}, i64 {first * lanes.size}")
                size = (end - first) * lanes.size
                self._code.do(f"call fastcc void @zeros(ptr {start}, i64 %s{k}, i64 %last, i64 {size})")
        for place in self._stay:
            if program.operations[place][0] == "constant":
                self._let(place, self._value(place))
        self._run()
        self._end(len(program.operations))

    def _last_uses(self) -> dict[int, int]:
        """The last operation at which a value is used, in it or in what is stored after it; nothing of unused ones."""
        operations = self._program.operations
        last: dict[int, int] = dict.fromkeys(self._stay, len(operations) + 1)
        for k in reversed(range(len(operations))):
            for _, _, chunk in self._ready.get(k, ()):
                for x in chunk:
                    last.setdefault(x, k)
            op, *places = operations[k]
            if k in last and op not in ("input", "constant"):
                for x in places:
                    if x is not None:
                        last.setdefault(x, k)
        return last

    def _run(self) -> None:
        """The program's operations, sines and cosines of inputs first; after each what is ready then."""
        operations = self._program.operations
        angles = [a for a in self._turns if operations[a][0] == "input"]
        if self._whole and 0 < len(angles) <= MOST_ANGLES:
            pairs = together(self._code, [self._value(a) for a in angles])
            for a, pair in zip(angles, pairs, strict=True):
                self._turned(a, pair)
        else:
            for a in angles:
                self._turn(a)
                self._split(-1)
        for k, (op, *places) in enumerate(operations):
            if op in ("input", "sin", "cos"):
                if k not in self._names and k not in self._slots:
                    self._value(k)
            elif op != "constant" and k in self._last:
                self._let(k, self._code.apply(op, *(self._operand(x) for x in places if x is not None)))
            for operand, first, chunk in self._ready.get(k, ()):
                target, values = self._program.outputs[operand - len(self._program.inputs)], map(self._value, chunk)
                # One by one, a load of all lanes would wait for them: 2 ns per state of a sweep with cells.
                if self._columns and not target.shape:
                    size = self._lanes.size * self._lanes.width
                    self._code.do(f"store {self._lanes.vector} {next(values)}, ptr %p{operand}, align {size}")
                else:
                    store(self._code, self._rows(operand), first, list(values), target.count > FEW_ENTRIES)
                self._split(k - 1)
            self._split(k)

    def _operand(self, place: int) -> str:
        op, a, *_ = self._program.operations[place]
        return self._code.number(a) if op == "constant" else self._value(place)

    def _value(self, place: int) -> str:
        """The name of a value in this piece."""
        op, a, *_ = self._program.operations[place]
        if op == "constant":
            return self._lanes.splat(a)
        if place not in self._names:
            if place in self._slots:
                where = self._slot(self._code, self._slots[place])
                self._names[place] = self._code.let(f"load {self._lanes.vector}, ptr {where}")
            elif op == "input":
                self._load(a.split(":")[0])
            else:
                self._turn(a)
        return self._names[place]

    def _load(self, name: str) -> None:
        """All that is used of an input: when it is first used, so that few values wait during calls of @sincos."""
        k, operand = next((k, x) for k, x in enumerate(self._program.inputs) if x.name == name)
        if self._columns:
            vector, size = self._lanes.vector, self._lanes.size * self._lanes.width
            places = {x: self._code.let(f"getelementptr i8, ptr %p{k}, i64 {x * size}") for x in self._inputs[name]}
            vectors = {x: self._code.let(f"load {vector}, ptr {place}, align {size}") for x, place in places.items()}
        else:
            vectors = load(self._code, self._rows(k), operand.count, set(self._inputs[name]))
        for entry, place in self._inputs[name].items():
            self._let(place, vectors[entry])

    def _turn(self, place: int) -> None:
        """The sine and cosine of a value."""
        self._turned(place, call(self._code, self._value(place)))

    def _turned(self, place: int, pair: list[str]) -> None:
        for k in self._turns[place]:
            self._let(k, pair[self._program.operations[k][0] == "cos"])

    def _rows(self, k: int) -> list[str]:
        """Where the states of an operand begin, one for each lane."""
        if k not in self._begins:
            code = self._code
            if not self._states:
                lanes = range(self._lanes.width)
                self._states = [code.let(f"call i64 @llvm.smin.i64(i64 {lane}, i64 %last)") for lane in lanes]
            steps = [code.let(f"mul i64 {state}, %s{k}") for state in self._states]
            self._begins[k] = [code.let(f"getelementptr i8, ptr %p{k}, i64 {step}") for step in steps]
        return self._begins[k]

    def _let(self, place: int, name: str) -> None:
        self._names[place] = name
        self._made[place] = len(self._code.lines)

    def _slot(self, code: Code, slot: int) -> str:
        return code.let(f"getelementptr {self._lanes.vector}, ptr %frame, i64 {slot}")

    def _begin(self) -> None:
        self._code = Code(self._lanes, fuses=self._fused, numbers=self.numbers)
        self._states: list[str] = []
        self._begins: dict[int, list[str]] = {}
        self._names: dict[int, str] = {}
        self._made: dict[int, int] = {}
        """Where in the piece a value was made."""

    def _split(self, done: int) -> None:
        """Go on in another piece if this one is long; the operations up to `done` are through."""
        if len(self._code.lines) >= self._limit:
            self._end(done)
            self._begin()

    def _end(self, done: int) -> None:
        """What is made here and needed later is put into the frame as soon as it is there."""
        kept: dict[int, list[str]] = {}
        for place, at in self._made.items():
            if self._last.get(place, -1) <= done:
                continue
            if place not in self._stay and not self._free:
                self._free.append(self.frame)
                self.frame += 1
            slots = self._stay.get(place) or [self._free.pop()]
            self._slots[place] = slots[0]
            heappush(self._ends, (self._last[place], place))
            for slot in slots:
                line, where = len(self._code.lines), self._slot(self._code, slot)
                store_it = f"  store {self._lanes.vector} {self._names[place]}, ptr {where}"
                kept.setdefault(at, []).extend([*self._code.lines[line:], store_it])
                del self._code.lines[line:]
        while self._ends and self._ends[0][0] <= done:
            self._free.append(self._slots.pop(heappop(self._ends)[1]))
        lines = self._code.lines
        self.lines.append([x for k in range(len(lines) + 1) for x in (*kept.get(k, ()), *lines[k : k + 1])])
