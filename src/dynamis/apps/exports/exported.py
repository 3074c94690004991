"""A robot's functions as code in another language, in a folder that proves itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from dynamis.apps.exports.functions import Function
from dynamis.apps.exports.readable import ClosedForm, readable
from dynamis.apps.exports.straight_line import Body, straight_line
from dynamis.apps.exports.syntax import Syntax, module_name
from dynamis.apps.exports.target import TARGETS
from dynamis.apps.exports.vectors import Vectors, vectors
from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option
from dynamis.base.provenance import Provenance
from dynamis.base.writing import check_folder, is_partial, make_folder, write_bytes
from dynamis.compute.program.program import Program
from dynamis.compute.program.signature import Operand
from dynamis.robot import Robot
from dynamis.scalars.floats import number
from dynamis.telling.blocks import Code, Document, Section, Table, Words
from dynamis.telling.result import Result

COUNTED = {"*": "multiplications", "+": "additions", "/": "divisions", "sqrt": "square roots"}
STYLES = ("fast", "readable")
PAYLOAD = ("payload.mass", "payload.com.x", "payload.com.y", "payload.com.z")
"""What `payload` among the parameters stands for: a point mass in the tool frame."""


@dataclass(frozen=True)
class ExportedFunction:
    """A function with its program; `name` is an identifier in every language."""

    name: str
    source: Function
    program: Program
    form: ClosedForm | None = None
    """Of the readable style, where the function has one."""

    @property
    def about(self) -> str:
        return self.source.about

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return self.program.inputs

    @property
    def outputs(self) -> tuple[Operand, ...]:
        return self.program.outputs

    @cached_property
    def vectors(self) -> Vectors:
        """The test vectors."""
        return vectors(self.source, self.program)

    def body(self, syntax: Syntax) -> Body:
        """The straight-line form in names that the language allows; operands keep theirs."""
        names = syntax.names(x.name for x in (*self.inputs, *self.outputs))
        return readable(self.form, self.program.signature, names) if self.form else straight_line(self.program, names)

    @cached_property
    def counts(self) -> Counter[str]:
        """How many operations of each kind one call takes; "-" counts as "+"."""
        return self.body(Syntax(frozenset())).counts()

    @property
    def call(self) -> str:
        """`q, qd, qdd -> tau`"""
        return str(self.program.signature)

    @property
    def operations(self) -> str:
        """How many operations of each kind one call takes."""
        counts = self.counts
        counted = {word[:-1] if counts[op] == 1 else word: counts[op] for op, word in COUNTED.items()}
        counted["sines and cosines"] = counts["sin"] + counts["cos"]
        counted["others"] = sum(counts[op] for op in ("sign", "min", "max", "round"))
        return ", ".join(f"{count} {word}" for word, count in counted.items() if count) or "no operations"


@dataclass(frozen=True)
class Export(Result):
    """An export: the robot, its functions, and the target. `files` are those of its folder."""

    robot: Robot
    to: str
    style: str
    functions: tuple[ExportedFunction, ...]
    nominal: Mapping[str, float | None]
    """The robot's own values of the parameters that are arguments."""
    origin: Provenance

    @property
    def check(self) -> str:
        """The command that runs the self-check, inside the folder."""
        return TARGETS[self.to].check

    @property
    def name(self) -> str:
        """The robot's name as an identifier, for files and modules."""
        return module_name(self.robot.name)

    @cached_property
    def files(self) -> dict[str, str | bytes]:
        """The code and its self-check, the test vectors and a README, by name."""
        import json

        made = self._module.files(self)
        data = json.dumps({"provenance": self.origin.as_dict(), **self.manifest()}, indent=1, allow_nan=False) + "\n"
        return {**made, "vectors.json": data, "README.md": self.page("markdown", provenance=self.origin)}

    @property
    def contents(self) -> dict[str, bytes]:
        """The bytes of every file."""
        return {name: x.encode() if isinstance(x, str) else x for name, x in self.files.items()}

    def write(self, folder: str | Path, force: bool = False) -> None:
        """The folder with all files; one that has others is an error, unless `force`."""
        path = Path(folder)
        contents = self.contents
        check_folder(path)
        if not force and path.exists():
            others = [x.name for x in path.iterdir() if not is_partial(x)]
            if others:
                raise ArgumentError(
                    f"{path} exists and is not empty; use {option('force')} to write into it", key="output"
                )
        for name, content in contents.items():
            make_folder((path / name).parent)
            write_bytes(path / name, content)

    @property
    def _module(self) -> Any:
        return import_module(f"dynamis.apps.exports.targets.{TARGETS[self.to].home}")

    def arrays(self) -> Iterator[tuple[str, str, str, str]]:
        """Every array once: name, shape, unit and entries; where two have one name, the functions too."""
        users: dict[tuple[str, str, str], list[str]] = {}
        named: dict[tuple[str, str, str], str] = {}
        for one in self.functions:
            for x in (*one.inputs, *one.outputs):
                key = x.name, "x".join(map(str, x.shape)) or "1", unit(x)
                users.setdefault(key, []).append(one.name)
                named[key] = named.get(key) or entries(x)
        often = Counter(name for name, _, _ in users)
        for key, functions in users.items():
            name, size, measure = key
            yield f"{name} of {', '.join(functions)}" if often[name] > 1 else name, size, measure, named[key]

    def manifest(self, vectors: bool = True) -> dict[str, Any]:
        """All about an export but its code, for JSON: every function, and the test vectors."""
        return {
            "robot": self.robot.name,
            "target": self.to,
            "style": self.style,
            "joints": [{"name": x.name, "unit": "rad" if x.revolute else "m"} for x in self.robot.coordinates],
            "functions": [
                {
                    "name": x.name,
                    "about": x.about,
                    "inputs": [_operand(y) for y in x.inputs],
                    "outputs": [_operand(y) for y in x.outputs],
                    "operations": dict(x.counts),
                    **({"vectors": _vectors(x)} if vectors else {}),
                }
                for x in self.functions
            ],
        }

    def document(self) -> Document:
        """What there is, how to call it, and how to check it."""
        rows = tuple((x.name, x.call, x.operations) for x in self.functions)
        arrays = tuple(self.arrays())
        needs = (*TARGETS[self.to].tools, *TARGETS[self.to].packages)
        return Document(
            f"{self.robot.name} in {self.to}: {TARGETS[self.to].about}",
            (
                Section("Functions", (Table(("function", "takes and gives", "operations"), rows),)),
                Section("Arrays", (
                    Table(("array", "shape", "unit", "entries"), arrays),
                    Words(f"{TARGETS[self.to].arrays} Units are SI: rad, m, s, kg, N, N m."),
                )),
                Section("How to call it", (Code(self._module.usage(self)),)),
                Section("How to check it", (
                    Code(self.check),
                    Words(
                        "It runs every function on the states of vectors.json and compares the results with those of "
                        "the plain reference of dynamis, within the tolerances there."
                        + (f" It needs {', '.join(needs)}." if needs else "")
                    ),
                )),
            ),
            data=lambda: {**self.manifest(vectors=False), "files": list(self.files)},
        )  # fmt: skip


def unit(operand: Operand) -> str:
    """The unit of all entries, or those that there are; empty where none is declared."""
    units = list(dict.fromkeys(operand.units))
    return ", ".join(units[:3]) + (", ..." if len(units) > 3 else "")


def entries(operand: Operand, nominal: Mapping[str, float | None] | None = None) -> str:
    """The names of the entries, with units for parameters, and the robot's own values."""
    if operand.name != "parameters":
        return ", ".join(operand.entries)
    named: list[str] = []
    for name, one in zip(operand.entries, operand.units, strict=True):
        own = (nominal or {}).get(name)
        named.append(f"{name}{f' [{one}]' if one else ''}{'' if own is None else f' ({own:.6g} in the model)'}")
    return ", ".join(named)


def _operand(operand: Operand) -> dict[str, Any]:
    return {
        "name": operand.name,
        "shape": list(operand.shape),
        "entries": list(operand.entries),
        "units": list(operand.units),
    }


def _vectors(function: ExportedFunction) -> dict[str, Any]:
    v = function.vectors

    def named(operands: Sequence[Operand], values: Sequence[Any]) -> dict[str, Any]:
        return {x.name: y if isinstance(y, float) else y.tolist() for x, y in zip(operands, values, strict=True)}

    return {
        "inputs": named(function.inputs, v.inputs),
        "outputs": named(function.outputs, v.outputs),
        "tolerance": named(function.outputs, v.tolerances),
        "tolerance_single": named(function.outputs, v.single),
    }


def own_values(export: Export, operand: Operand) -> list[float | None]:
    """The robot's own gravity or parameters, None where it has no value; of another operand zeros."""
    if operand.name == "gravity":
        return [number(x, export.robot.values) for x in export.robot.gravity]
    if operand.name == "parameters":
        return [export.nominal.get(x) for x in operand.entries]
    return [0.0] * operand.count
