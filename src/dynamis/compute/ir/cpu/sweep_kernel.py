"""A program run on states that are made from their index, and reduced at once: nothing is stored per state.

`@sweep` makes points of the unit cube in fixed point, rows of a table changed by a base: row r of block b is
table[r] ^ base[b] or table[r] + base[b], modulo 2^64; a box takes them to states. The program takes a state to `values`
and to the number of a `cell`, and every fold takes the values into the entries of that cell. Two cells come after those
of the map: for states outside of it, and for the rows that fill up the last vector.

States are made in groups, then folded. A row of values, filled up to whole registers, is one vector: a fold is a few
instructions for all of them. Extremes change seldom, so that `width` states are compared first, and only where one is
new (or NaN) looked at one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.compute.ir.cpu import kernel
from dynamis.compute.ir.folds import Box, Fold, Term
from dynamis.compute.ir.lanes import Code, Lanes
from dynamis.compute.program.program import Program

GROUP_VECTORS, GROUP_BYTES = 8, 16_384
"""Vectors of states that are made before any is folded, and the most bytes of their values, which stay in the first
cache. A fold reads a row of values as one vector, which has to wait for the stores of its parts if it comes right after
them: the UR5's map of torques takes 10.5 to 11.6 ns per state with groups of 1, 9.6 with 2, 9.2 with 4 and 8, 9.1 with
16."""


def row_words(values: int, lanes: Lanes) -> int:
    """Words of a row: values, and zeros up to a whole register."""
    return -(-values // lanes.width) * lanes.width


def module(program: Program, lanes: Lanes, fused: bool, box: Box | None, folds: Sequence[Fold]) -> str:
    """The IR of @sweep(table, bases, block rows, rows, index of the first row, cells, arrays).

    With a box the table is that of `in_columns`; without one its rows are states, and there are no bases.
    """
    return "\n".join(
        [kernel.block(program, lanes, fused, columns=box is not None), _Sweep(program, lanes, box, folds).ir()]
    )


def in_columns(table: NDArray[Any], lanes: Lanes) -> NDArray[Any]:
    """A table of points as the machine reads it: of `width` rows each column side by side; the last row fills it up."""
    w, (rows, d) = lanes.width, table.shape
    full = np.concatenate([table, np.broadcast_to(table[-1], (-rows % w, d))])
    return np.ascontiguousarray(full.reshape(-1, w, d).transpose(0, 2, 1))


class _Sweep:
    def __init__(self, program: Program, lanes: Lanes, box: Box | None, folds: Sequence[Fold]) -> None:
        self.box, self.folds, self.lanes = box, folds, lanes
        self.d, self.v = program.inputs[0].count, program.outputs[0].count
        self.row = row_words(self.v, lanes)
        self.group = min(GROUP_VECTORS, max(1, GROUP_BYTES // (8 * lanes.width * self.row)))
        self.kinds, self.places, self.mask = (f"<{self.row} x {kind}>" for kind in ("double", "i64", "i1"))
        self.code = Code(lanes)

    def ir(self) -> str:
        seldom = [(k, fold) for k, fold in self._numbered() if fold.kind in ("max", "min", "nan")]
        parts = [self._sweep(seldom), self._one_by_one(seldom) if seldom else ""]
        if any(term.size for fold in self.folds for term in fold.pair):
            parts.append("declare double @llvm.fabs.f64(double)")
        if self.row > self.lanes.width:  # sines declare that of a register
            parts.append(f"declare i1 @llvm.vector.reduce.or.v{self.row}i1({self.mask})")
        return "\n".join(parts)

    def _numbered(self) -> list[tuple[int, Fold]]:
        """The folds, each with the number of its first array."""
        numbers, at = list[tuple[int, Fold]](), 0
        for fold in self.folds:
            numbers.append((at, fold))
            at += fold.arrays
        return numbers

    def _sweep(self, seldom: Sequence[tuple[int, Fold]]) -> str:
        code, w, d = self.code, self.lanes.width, self.d
        points = code.let(f"alloca [{w * d} x double], align 64")
        values = code.let(f"alloca [{self.group * w * self.row} x double], align 64")
        numbers = code.let(f"alloca [{w} x double], align 64")
        cells = code.let(f"alloca [{self.group * w} x i64], align 64")
        for lane in range(self.group * w):
            where = code.let(f"getelementptr i8, ptr {values}, i64 {8 * lane * self.row}")
            code.do(f"store {self.kinds} zeroinitializer, ptr {where}, align 64")
        code.do("br label %block.test")
        code.label("block.test")
        code.do("%b = phi i64 [0, %entry], [%b.next, %block.end]")
        code.do("%done = phi i64 [0, %entry], [%done.next, %block.end]")
        more = code.let("icmp slt i64 %done, %rows")
        code.do(f"br i1 {more}, label %block, label %end")
        code.label("block")
        left = code.let("sub i64 %rows, %done")
        here = code.let(f"call i64 @llvm.smin.i64(i64 {left}, i64 %block_rows)")
        code.do("br label %row.test")
        code.label("row.test")
        code.do("%i = phi i64 [0, %block], [%i.next, %rows.end]")
        again = code.let(f"icmp slt i64 %i, {here}")
        code.do(f"br i1 {again}, label %rows.body, label %block.end")
        code.label("rows.body")
        code.do(f"%i.next = add i64 %i, {self.group * w}")
        group_end = code.let(f"call i64 @llvm.smin.i64(i64 {here}, i64 %i.next)")
        code.do("br label %made")
        code.label("made")
        code.do("%m = phi i64 [%i, %rows.body], [%m.next, %made]")
        last, own, places = self._chunk("%m", group_end, values, cells)
        start = code.let(f"getelementptr i8, ptr %table, i64 {code.let(f'mul i64 %m, {8 * d}')}")
        if self.box is None:
            points, final = start, last
        else:  # the table is filled up, so that every lane has a state
            self._points(self.box, start, points)
            final = str(w - 1)
        code.do(
            f"call fastcc void @block(i64 {final}, ptr {points}, i64 {8 * d}, ptr {own}, i64 {8 * self.row}, "
            f"ptr {numbers}, i64 8)"
        )
        self._cells(numbers, places, last)
        code.do(f"%m.next = add i64 %m, {w}")
        code.do(f"br i1 {code.let(f'icmp slt i64 %m.next, {group_end}')}, label %made, label %folded")
        code.label("folded")
        code.do("%f = phi i64 [%i, %made], [%f.next, %folded.end]")
        last, own, places = self._chunk("%f", group_end, values, cells)
        index = code.let(f"add i64 %index, {code.let('add i64 %done, %f')}")
        where = [code.let(f"load i64, ptr {self._at(places, 8 * lane)}") for lane in range(w)]
        rows = [code.let(f"load {self.kinds}, ptr {self._at(own, 8 * lane * self.row)}, align 64") for lane in range(w)]
        self._often(where, rows, index)
        if seldom:
            new = self._new(seldom, where, rows)
            code.do(f"br i1 {new}, label %seldom, label %folded.end")
            code.label("seldom")
            code.do(f"call fastcc void @one_by_one(ptr {own}, ptr {places}, i64 {index}, i64 {last}, ptr %arrays)")
        code.do("br label %folded.end")
        code.label("folded.end")
        code.do(f"%f.next = add i64 %f, {w}")
        code.do(f"br i1 {code.let(f'icmp slt i64 %f.next, {group_end}')}, label %folded, label %rows.end")
        code.label("rows.end")
        code.do("br label %row.test")
        code.label("block.end")
        code.do("%b.next = add i64 %b, 1")
        code.do("%done.next = add i64 %done, %block_rows")
        code.do("br label %block.test")
        code.label("end")
        code.do("call i32 @feclearexcept(i32 63)")
        code.do("ret void")
        head = "ptr %table, ptr %bases, i64 %block_rows, i64 %rows, i64 %index, double %cells, ptr %arrays"
        return f"define void @sweep({head}) {{\nentry:\n" + "\n".join(code.lines) + "\n}\n"

    def _chunk(self, first: str, end: str, values: str, cells: str) -> tuple[str, str, str]:
        """Of `width` rows that begin with the `first`: the last lane that has one, and where values and cells are."""
        code, w = self.code, self.lanes.width
        rest = code.let(f"sub i64 {code.let(f'sub i64 {end}, {first}')}, 1")
        last = code.let(f"call i64 @llvm.smin.i64(i64 {rest}, i64 {w - 1})")
        away = code.let(f"sub i64 {first}, %i")
        return (
            last,
            self._at_number(values, f"mul i64 {away}, {8 * self.row}"),
            self._at_number(cells, f"mul i64 {away}, 8"),
        )

    def _at(self, start: str, offset: int) -> str:
        return self.code.let(f"getelementptr i8, ptr {start}, i64 {offset}")

    def _at_number(self, start: str, offset: str) -> str:
        return self.code.let(f"getelementptr i8, ptr {start}, i64 {self.code.let(offset)}")

    def _load(self, kind: str, start: str, offset: str) -> str:
        where = self._at_number(start, offset)
        return self.code.let(f"load {kind}, ptr {where}, align 8")

    def _filled(self, kind: str, value: str, count: int) -> str:
        """A vector with the same value in every entry."""
        one = self.code.let(f"insertelement <{count} x {kind}> poison, {kind} {value}, i32 0")
        zeros = f"<{count} x i32> zeroinitializer"
        return self.code.let(f"shufflevector <{count} x {kind}> {one}, <{count} x {kind}> poison, {zeros}")

    def _points(self, box: Box, start: str, points: str) -> None:
        """Of every dimension, one lane per state: the upper 52 bits as the digits of a number from 1 to 2, less 1."""
        code, w, number = self.code, self.lanes.width, self.lanes.number
        base = self._at_number("%bases", f"mul i64 %b, {8 * self.d}")
        for k, (least, width) in enumerate(zip(box.least, box.width, strict=True)):
            row = code.let(f"load <{w} x i64>, ptr {self._at(start, 8 * k * w)}, align 8")
            same = self._filled("i64", code.let(f"load i64, ptr {self._at(base, 8 * k)}"), w)
            bits = code.let(f"{box.way} <{w} x i64> {row}, {same}")
            digits = code.let(f"lshr <{w} x i64> {bits}, {_splat('i64', '12', w)}")
            digits = code.let(f"or <{w} x i64> {digits}, {_splat('i64', str(0x3FF << 52), w)}")
            real = code.let(f"bitcast <{w} x i64> {digits} to <{w} x double>")
            x = code.let(f"fsub <{w} x double> {real}, {_splat('double', '1.0', w)}")
            x = code.let(f"fmul <{w} x double> {x}, {_splat('double', number(width), w)}")
            x = code.let(f"fadd <{w} x double> {x}, {_splat('double', number(least), w)}")
            code.do(f"store <{w} x double> {x}, ptr {self._at(points, 8 * k * w)}, align 64")

    def _cells(self, numbers: str, cells: str, last: str) -> None:
        """The numbers of cells as integers: that after the last for what is outside, and one more past the end."""
        code, w = self.code, self.lanes.width
        number = code.let(f"load <{w} x double>, ptr {numbers}, align 64")
        outside = self._filled("double", "%cells", w)
        below = code.let(f"fcmp olt <{w} x double> {number}, {outside}")
        inside = code.let(f"and <{w} x i1> {below}, {code.let(f'fcmp oge <{w} x double> {number}, zeroinitializer')}")
        number = code.let(f"select <{w} x i1> {inside}, <{w} x double> {number}, <{w} x double> {outside}")
        high = self._filled("i64", last, w)
        real = code.let(f"icmp sle <{w} x i64> <{', '.join(f'i64 {k}' for k in range(w))}>, {high}")
        none = code.let(f"fadd <{w} x double> {outside}, {_splat('double', '1.0', w)}")
        number = code.let(f"select <{w} x i1> {real}, <{w} x double> {number}, <{w} x double> {none}")
        code.do(
            f"store <{w} x i64> {code.let(f'fptosi <{w} x double> {number} to <{w} x i64>')}, ptr {cells}, align 64"
        )

    def _entry(self, array: int, words: int, cell: str, arrays: str = "%arrays") -> str:
        """Where an array has the words of a cell."""
        start = self.code.let(f"load ptr, ptr {self._at(arrays, 8 * array)}")
        return self.code.let(f"getelementptr i8, ptr {start}, i64 {self.code.let(f'mul i64 {cell}, {8 * words}')}")

    def _new(self, seldom: Sequence[tuple[int, Fold]], cells: list[str], rows: list[str]) -> str:
        """Whether one of the states has an extreme or a NaN."""
        code, found = self.code, ""
        for cell, row in zip(cells, rows, strict=True):
            for array, fold in seldom:
                if fold.kind == "nan":
                    here = code.let(f"fcmp uno {self.kinds} {row}, {row}")
                else:
                    best = code.let(f"load {self.kinds}, ptr {self._entry(array, self.row, cell)}, align 64")
                    here = code.let(f"fcmp {_THAN[fold.kind]} {self.kinds} {row}, {best}")
                found = code.let(f"or {self.mask} {found}, {here}") if found else here
        return code.let(f"call i1 @llvm.vector.reduce.or.v{self.row}i1({self.mask} {found})")

    def _often(self, cells: list[str], rows: list[str], index: str) -> None:
        """The folds that every state changes."""
        for array, fold in self._numbered():
            for lane, (cell, row) in enumerate(zip(cells, rows, strict=True)):
                if fold.kind in ("max", "min", "nan"):
                    continue
                if fold.kind == "front":
                    places = [self._entry(array + k, fold.bins + 2, cell) for k in range(3)]
                    self._front(fold, places, row, self.code.let(f"add i64 {index}, {lane}"))
                    continue
                where = self._entry(array, fold.words(self.row, self.v), cell)
                if fold.kind == "count":
                    self._add("i64", where, "1")
                elif fold.kind == "sum":
                    self._add(self.kinds, where, row)
                elif fold.kind == "squares":
                    away = self.code.let(f"fsub {self.kinds} {row}, {self._constants(fold)}")
                    self._add(self.kinds, where, self.code.let(f"fmul {self.kinds} {away}, {away}"))
                elif fold.kind == "beyond":
                    limits = self._constants(fold)
                    up = self.code.let(f"fcmp ogt {self.kinds} {row}, {limits}")
                    down = self.code.let(f"fcmp ogt {self.kinds} {self.code.let(f'fneg {self.kinds} {row}')}, {limits}")
                    out = self.code.let(f"or {self.mask} {up}, {down}")
                    self._add(self.places, where, self.code.let(f"zext {self.mask} {out} to {self.places}"))
                else:
                    self._bins(fold, where, row)

    def _constants(self, fold: Fold) -> str:
        numbers = [*fold.numbers, *[0.0] * (self.row - self.v)]
        return "<" + ", ".join(f"double {self.lanes.number(x)}" for x in numbers) + ">"

    def _add(self, kind: str, where: str, what: str) -> None:
        op = "fadd" if "double" in kind else "add"
        before = self.code.let(f"load {kind}, ptr {where}, align 8")
        self.code.do(f"store {kind} {self.code.let(f'{op} {kind} {before}, {what}')}, ptr {where}, align 8")

    def _bins(self, fold: Fold, where: str, row: str) -> None:
        for k in range(self.v):
            x = self.code.let(f"extractelement {self.kinds} {row}, i32 {k}")
            word = self._bin(x, fold.numbers[2 * k : 2 * k + 2], fold.bins)
            word = self.code.let(f"add i64 {word}, {k * (fold.bins + 2)}")
            self._add("i64", self.code.let(f"getelementptr i64, ptr {where}, i64 {word}"), "1")

    def _bin(self, x: str, numbers: tuple[float, ...], bins: int) -> str:
        """Bin 0 is for what is below the first edge, the last for what is not below the last edge, and for NaN."""
        code, number = self.code, self.lanes.number
        least, scale = numbers
        top = number(bins + 1.0)
        away = code.let(f"fmul double {code.let(f'fsub double {x}, {number(least)}')}, {number(scale)}")
        place = code.let(f"fadd double {away}, 1.0")
        low = code.let(f"fcmp olt double {place}, 1.0")
        within = code.let(f"fcmp olt double {place}, {top}")
        up = code.let(f"select i1 {within}, double {place}, double {top}")
        return code.let(f"fptosi double {code.let(f'select i1 {low}, double 0.0, double {up}')} to i64")

    def _front(self, fold: Fold, places: list[str], row: str, index: str) -> None:
        code = self.code
        u, w = (self._term(term, row) for term in fold.pair)
        word = self._bin(u, fold.numbers, fold.bins)
        best, where, first = (code.let(f"getelementptr i64, ptr {x}, i64 {word}") for x in places)
        greatest, before, its_u = (
            code.let(f"load {kind}, ptr {x}, align 8")
            for kind, x in (("double", best), ("i64", where), ("double", first))
        )
        more, same = (code.let(f"fcmp {how} double {w}, {greatest}") for how in ("ogt", "oeq"))
        further = code.let(f"and i1 {same}, {code.let(f'fcmp ogt double {u}, {its_u}')}")
        real = code.let(f"fcmp ord double {u}, {u}")
        new = code.let(f"and i1 {code.let(f'or i1 {more}, {further}')}, {real}")
        for kind, x, old, at in (
            ("double", w, greatest, best),
            ("i64", index, before, where),
            ("double", u, its_u, first),
        ):
            code.do(f"store {kind} {code.let(f'select i1 {new}, {kind} {x}, {kind} {old}')}, ptr {at}, align 8")

    def _term(self, term: Term, row: str) -> str:
        x = self.code.let(f"extractelement {self.kinds} {row}, i32 {term.place}")
        if term.size:
            x = self.code.let(f"call double @llvm.fabs.f64(double {x})")
        return self.code.let(f"fneg double {x}") if term.negative else x

    def _one_by_one(self, seldom: Sequence[tuple[int, Fold]]) -> str:
        """@one_by_one: extremes and NaN of `width` states, in the order of their indices."""
        code = self.code = Code(self.lanes)
        code.do("br label %lane")
        code.label("lane")
        code.do("%l = phi i64 [0, %entry], [%l.next, %lane]")
        cell = self._load("i64", "%cells", "mul i64 %l, 8")
        row = self._load(self.kinds, "%values", f"mul i64 %l, {8 * self.row}")
        index = self._filled("i64", code.let("add i64 %index, %l"), self.row)
        for array, fold in seldom:
            where = self._entry(array, fold.words(self.row, self.v), cell)
            if fold.kind == "nan":
                odd = code.let(f"fcmp uno {self.kinds} {row}, {row}")
                some = code.let(f"call i1 @llvm.vector.reduce.or.v{self.row}i1({self.mask} {odd})")
                self._add("i64", where, code.let(f"zext i1 {some} to i64"))
                continue
            places = self._entry(array + 1, self.row, cell)
            best = code.let(f"load {self.kinds}, ptr {where}, align 64")
            better = code.let(f"fcmp {_THAN[fold.kind]} {self.kinds} {row}, {best}")
            new = code.let(f"select {self.mask} {better}, {self.kinds} {row}, {self.kinds} {best}")
            code.do(f"store {self.kinds} {new}, ptr {where}, align 64")
            before = code.let(f"load {self.places}, ptr {places}, align 64")
            chosen = code.let(f"select {self.mask} {better}, {self.places} {index}, {self.places} {before}")
            code.do(f"store {self.places} {chosen}, ptr {places}, align 64")
        code.do("%l.next = add i64 %l, 1")
        more = code.let("icmp sle i64 %l.next, %last")
        code.do(f"br i1 {more}, label %lane, label %end")
        code.label("end")
        code.do("ret void")
        head = "ptr %values, ptr %cells, i64 %index, i64 %last, ptr %arrays"
        return (
            f"define internal fastcc void @one_by_one({head}) noinline {{\nentry:\n" + "\n".join(code.lines) + "\n}\n"
        )


_THAN = {"max": "ogt", "min": "olt"}


def _splat(kind: str, value: str, count: int) -> str:
    return "<" + ", ".join([f"{kind} {value}"] * count) + ">"
