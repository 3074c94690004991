"""FMI 3.0: the robot as a co-simulation unit, whose steps are those of the exported C.

All values of an instance lie in one array; the value reference of a variable is its place there. The file NAME.fmu has
the sources; `make` adds the library for the machine at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from math import isnan, nan
from xml.sax.saxutils import quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction, own_values
from dynamis.apps.exports.functions import STEP
from dynamis.apps.exports.syntax import Names, comment
from dynamis.apps.exports.targets import c
from dynamis.apps.exports.template import fill_template, text
from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option
from dynamis.compute.program.signature import Operand

STATE = {"q": "q_after", "qd": "qd_after", "memory": "memory_after"}
"""What a step changes, and the results that replace it."""
INPUTS = ("tau", "goal_q", "goal_qd", "goal_qdd")
LONGEST_STEP = 1e-3
"""[s] unless the user sets another: an arm of 1 Hz then moves through 1000 steps per period."""


@dataclass(frozen=True)
class Part:
    """Variables side by side: an operand of the step, or a result of another function."""

    operand: Operand
    place: int
    causality: str
    names: tuple[str, ...]
    starts: tuple[float, ...] = ()

    @property
    def end(self) -> int:
        return self.place + self.operand.count


@dataclass(frozen=True)
class Unit:
    """The step, its variables, and the functions that observe the state."""

    step: ExportedFunction
    settable: dict[str, Part]
    longest: int
    """The place of the longest step."""
    observers: tuple[tuple[ExportedFunction, tuple[Part, ...]], ...]
    count: int


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.fmu, its sources, check.c, check_unit.c, Makefile and pack.py."""
    unit, name, code = _unit(export), export.name, c.files(export)
    sources: dict[str, str | bytes] = {
        f"sources/{name}.h": code[f"{name}.h"], f"sources/{name}.c": code[f"{name}.c"],
        "sources/fmi.h": text("fmu/fmi.h"), f"sources/{name}_unit.c": _source(export, unit),
    }  # fmt: skip
    described: dict[str, str | bytes] = {
        "modelDescription.xml": _description(export, unit),
        "sources/buildDescription.xml": fill_template("fmu/buildDescription.xml.in", NAME=name),
    }
    return {
        f"{name}.fmu": _zip({**described, **sources}), **sources, "check.c": code["check.c"],
        "check_unit.c": _check(export, unit), "Makefile": fill_template("fmu/Makefile.in", NAME=name),
        "pack.py": fill_template("fmu/pack.py.in", NAME=name),
    }  # fmt: skip


def usage(export: Export) -> str:
    """The library for this machine, and a run with FMPy."""
    first = [part.names[0] for part in _unit(export).settable.values() if part.causality == "input"][:1]
    starts = ", ".join(['"q[1]": 0.5', *(f'"{name}": 1.0' for name in first)])
    return (
        f"make   # compiles the unit for this machine and adds it to {export.name}.fmu\n\n"
        "# Python, with FMPy\nimport fmpy\n\n"
        f'fmpy.simulate_fmu("{export.name}.fmu", stop_time=1.0, output_interval=0.01,\n'
        f'                  start_values={{{starts}}}, output=["q[1]", "qd[1]"])'
    )


def _unit(export: Export) -> Unit:
    step = next((x for x in export.functions if "q_after" in [y.name for y in x.outputs]), None)
    if step is None:
        raise ArgumentError(
            f'target "fmu" needs a step among its functions, such as {option("functions", STEP)} or '
            f"{option('functions', f'{STEP}:control=pd-gravity')}",
            key="functions",
        )
    names, place = Names(("time", "longest_step", *STATE, *INPUTS)), 1
    settable: dict[str, Part] = {}
    for operand in sorted(step.inputs, key=lambda x: x.name not in STATE):
        if operand.name == "h":
            continue
        kind = "input" if operand.name in INPUTS else "parameter"
        if operand.name in STATE:
            kind = "local" if operand.name == "memory" else "output"
        named = tuple(_names(operand.name, operand))
        if operand.name == "parameters":
            named = tuple(names(x) for x in operand.entries)
        settable[operand.name] = Part(operand, place, kind, named, _starts(export, operand))
        place += operand.count
    longest, end = place, place + 1
    observers: list[tuple[ExportedFunction, tuple[Part, ...]]] = []
    for function in export.functions:
        if "q_after" in [x.name for x in function.outputs] or any(x.name not in settable for x in function.inputs):
            continue
        title, results = names(function.name), list[Part]()
        for operand in function.outputs:
            results.append(Part(operand, end, "output", tuple(_names(f"{title}.{operand.name}", operand))))
            end += operand.count
        observers.append((function, tuple(results)))
    return Unit(step, settable, longest, tuple(observers), end)


def _names(title: str, operand: Operand) -> list[str]:
    """q[1], q[2]; M[1,1], M[1,2]; a scalar by its title."""
    indices: list[tuple[int, ...]] = [()]
    for n in operand.shape:
        indices = [(*index, k) for index in indices for k in range(1, n + 1)]
    return [f"{title}[{','.join(map(str, index))}]" if index else title for index in indices]


def _starts(export: Export, operand: Operand) -> tuple[float, ...]:
    """The robot's own values; those that it does not have are NaN, with which no step succeeds."""
    return tuple(nan if x is None else x for x in own_values(export, operand))


def _description(export: Export, unit: Unit) -> str:
    units = {x for part in unit.settable.values() for x in part.operand.units if x} | {"s"}
    units |= {x for _, parts in unit.observers for part in parts for x in part.operand.units if x}
    lines = [_variable("time", 0, "independent", "continuous", "s", "")]
    for part in unit.settable.values():
        lines += _variables(part, "tunable" if part.causality == "parameter" else "continuous")
    longest = _variable("longest_step", unit.longest, "parameter", "tunable", "s", f'start="{LONGEST_STEP}"')
    lines.append(longest)
    calculated = [part for _, parts in unit.observers for part in parts]
    for part in calculated:
        lines += _variables(part, "continuous")
    outputs = [part for part in (*unit.settable.values(), *calculated) if part.causality == "output"]
    structure = [f'<Output valueReference="{k}"/>' for part in outputs for k in range(part.place, part.end)]
    structure += [f'<InitialUnknown valueReference="{k}"/>' for part in calculated for k in range(part.place, part.end)]
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(comment(export.robot.name))}'
        f' instantiationToken="{_token(unit)}" generationTool="dynamis {export.origin.version}"'
        f' description={quoteattr(" ".join(words.head(export)))} variableNamingConvention="structured">',
        f'<CoSimulation modelIdentifier="{export.name}" canHandleVariableCommunicationStepSize="true"'
        ' canGetAndSetFMUState="true" canSerializeFMUState="true"/>',
        "<UnitDefinitions>", *(f"<Unit name={quoteattr(x)}/>" for x in sorted(units)), "</UnitDefinitions>",
        '<DefaultExperiment startTime="0" stopTime="1" stepSize="0.01"/>',
        "<ModelVariables>", *lines, "</ModelVariables>",
        "<ModelStructure>", *structure, "</ModelStructure>",
        "</fmiModelDescription>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _variables(part: Part, variability: str) -> list[str]:
    starts = [("NaN" if isnan(x) else repr(x)) for x in part.starts]
    lines: list[str] = []
    for k, name in enumerate(part.names):
        operand = part.operand
        about = f"{operand.name} of {operand.entries[k]}" if k < len(operand.entries) else ""
        more = [f"description={quoteattr(comment(about))}"] if about else []
        more += ['initial="exact"'] if starts and part.causality in ("output", "local") else []
        more += [f'start="{starts[k]}"'] if starts else []
        unit = operand.units[k] if k < len(operand.units) else ""
        lines.append(_variable(name, part.place + k, part.causality, variability, unit, " ".join(more)))
    return lines


def _variable(name: str, place: int, causality: str, variability: str, unit: str, more: str) -> str:
    measured = f" unit={quoteattr(unit)}" if unit else ""
    return (
        f'<Float64 name="{name}" valueReference="{place}" causality="{causality}" variability="{variability}"'
        f"{measured}{' ' if more else ''}{more}/>"
    )


def _token(unit: Unit) -> str:
    """Of all that the unit computes."""
    programs = [unit.step.program, *(function.program for function, _ in unit.observers)]
    return "{" + sha256(" ".join(x.digest for x in programs).encode()).hexdigest() + "}"


def _source(export: Export, unit: Unit) -> str:
    name = export.name
    starts = [0.0, *(x for part in unit.settable.values() for x in part.starts), LONGEST_STEP]
    starts += [0.0] * (unit.count - len(starts))
    values = c.wrap(", ".join("NAN" if isnan(x) else repr(x) for x in starts), 100)
    states = [part for key, part in unit.settable.items() if key in STATE]
    given = [_place(unit, x) for x in unit.step.inputs]
    results = [_place(unit, x, {after: key for key, after in STATE.items()}) for x in unit.step.outputs]
    observed: list[str] = []
    for function, parts in unit.observers:
        arguments = [*(_place(unit, x) for x in function.inputs), *(f"v + {x.place}" for x in parts)]
        observed.append(f"    {name}_{function.name}({', '.join(arguments)});")
    call = f"{name}_{unit.step.name}({', '.join(given + results)});"
    places = {"COUNT": unit.count, "SETTABLE": unit.longest + 1, "LONGEST": unit.longest, "STATES": states[0].place,
              "STATES_END": states[-1].end}  # fmt: skip
    return "\n\n".join([
        c.block(words.head(export)),
        f'#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n#include "fmi.h"\n#include "{name}.h"',
        "\n".join([f'#define TOKEN "{_token(unit)}"', *(f"#define {key} {value}" for key, value in places.items())]),
        "static const double START[COUNT] = {\n    " + "\n    ".join(values) + "};",
        f"static void step(double *v, const double *h)\n{{\n    {call}\n}}",
        "static void observe(double *v)\n{\n" + "\n".join(["    (void)v;", *observed]) + "\n}",
        "EXPORTED fmi3Status fmi3Reset(Pointer instance);",
        text("fmu/unit.c"),
    ])  # fmt: skip


def _place(unit: Unit, operand: Operand, after: dict[str, str] | None = None) -> str:
    key = (after or {}).get(operand.name, operand.name)
    return "h" if key == "h" else f"v + {unit.settable[key].place}"


def _check(export: Export, unit: Unit) -> str:
    """The step through the interface of FMI, on its test vectors."""
    function, v = unit.step, unit.step.vectors
    states = len(v.outputs[0])
    tables: list[str] = []
    for x, rows in zip((*function.inputs, *function.outputs), (*v.inputs, *v.outputs), strict=True):
        tables.append(f"static const double {x.name}[{states}][{x.count}] = {c.rows(rows, 4)};")
    sets = [f"        set(unit, {unit.settable[x.name].place}, {x.name}[k], {x.count});"
            for x in function.inputs if x.name != "h"]  # fmt: skip
    back = {after: key for key, after in STATE.items()}
    gets: list[str] = []
    for x, most in zip(function.outputs, v.tolerances, strict=True):
        place = unit.settable[back[x.name]].place
        gets.append(f"        worst = compare(unit, {place}, {x.name}[k], {x.count}, {most:.3e}, worst);")
    return fill_template(
        "fmu/check_unit.c.in", TOKEN=_token(unit), COUNT=str(states), LONGEST=str(unit.longest),
        SETS="\n".join(sets), GETS="\n".join(gets), TABLES="\n".join(tables),
    )  # fmt: skip


def _zip(parts: dict[str, str | bytes]) -> bytes:
    """An archive that is the same for the same parts."""
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return stream.getvalue()
