"""WebAssembly: a module without imports, an ES module around it, its TypeScript types, and a self-check for Node."""

from __future__ import annotations

import json
import struct

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.machine_code import wasm
from dynamis.apps.exports.syntax import Syntax
from dynamis.apps.exports.targets.c import block
from dynamis.apps.exports.template import fill_template, text
from dynamis.compute.ir.portable.machine import Machine, object_file
from dynamis.compute.ir.portable.program import helpers, loop, module
from dynamis.compute.ir.portable.sincos import table

MACHINE = Machine("wasm32-unknown-unknown", "double", features="+multivalue", abi="experimental-mv", level=0)
"""LLVM's optimiser confuses the results of a call that has two, here sine and cosine; browsers optimise by themselves.

https://github.com/llvm/llvm-project/issues/98323"""
TRIG_TABLE_OFFSET = 64
"""Where the table of the sine and cosine stands in memory [bytes]; not at 0, which LLVM takes for no address."""
STATES_OFFSET = 1024
"""Where the states begin [bytes]."""
MIN_MEMORY_PAGES = 4
"""Memory for the states of one run over a batch: as much as fits in the cache of a core."""
KEYWORDS = (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends "
    "false finally for function if implements import in instanceof interface let new null package private protected "
    "public return static super switch this throw true try typeof undefined var void while with yield async of"
)
OWN = "joints binder bind copy statesOf instance bytes files url Numbers"
RESERVED = frozenset(f"{KEYWORDS} {OWN}".split())
"""Of JavaScript and TypeScript, and what the module has itself."""
SYNTAX = Syntax(RESERVED)
BIND = "wasm/bind.mjs"
"""The ES module that makes functions of arrays of what a WebAssembly module exports."""


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.wasm, NAME.mjs, NAME.d.mts, package.json, check.mjs, and index.html: a page that computes."""
    name = export.name
    return {
        f"{name}.wasm": module_bytes(export), f"{name}.mjs": _wrapper(export), f"{name}.d.mts": _types(export),
        "check.mjs": fill_template("wasm/check.mjs.in", NAME=name),
        "index.html": fill_template("wasm/index.html.in", NAME=name),
        "package.json": _package(export),
    }  # fmt: skip


def usage(export: Export) -> str:
    """How a web page or a program calls the first function."""
    function = export.functions[0]
    (name, *_) = _names(export)
    arguments = ", ".join(f"[{', '.join(['0'] * x.count)}]" for x in function.inputs)
    results = ", ".join(x.name for x in function.outputs)
    results = results if len(function.outputs) == 1 else f"{{ {results} }}"
    return (
        f'import {{ {name} }} from "./{export.name}.mjs";\n\n'
        f"const {results} = {name}({arguments});\n\n"
        "// Many states at once: their entries one state after the other. An input of one state is that of all."
    )


def _names(export: Export) -> list[str]:
    names = SYNTAX.names()
    return [names(x.name) for x in export.functions]


def module_bytes(export: Export) -> bytes:
    """The module itself; `signatures` has its functions."""
    names, programs = _names(export), [x.program for x in export.functions]
    parts = [loop(x, name, MACHINE, "") for x, name in zip(programs, names, strict=True)]
    own = helpers(MACHINE, "", programs, f"ptr inttoptr (i32 {TRIG_TABLE_OFFSET} to ptr)")
    code = object_file(module([*parts, *own.values()], MACHINE, ""), MACHINE)
    words = table(MACHINE.scalar)
    return wasm.module(
        code, names, {TRIG_TABLE_OFFSET: struct.pack(f"<{len(words)}I", *words)} if own else {}, _pages(export)
    )


def signatures(export: Export) -> list[tuple[str, list[list[str | int]], list[list[str | int]]]]:
    """What `bind` of bind.mjs takes: per function its name, and names and counts of its inputs and outputs."""
    sides = ([[[x.name, x.count] for x in side] for side in (f.inputs, f.outputs)] for f in export.functions)
    return [(name, inputs, outputs) for name, (inputs, outputs) in zip(_names(export), sides, strict=True)]


def _pages(export: Export) -> int:
    """Room for one state of every function at least."""
    most = max(sum(8 * y.count for y in (*x.inputs, *x.outputs)) for x in export.functions)
    return max(MIN_MEMORY_PAGES, -(-(STATES_OFFSET + most) // 65536))


def _wrapper(export: Export) -> str:
    joints = json.dumps([x.name for x in export.robot.coordinates])
    parts = [
        block(words.head(export)),
        fill_template("wasm/load.mjs.in", FIRST=str(STATES_OFFSET // 8), NAME=export.name).rstrip(),
        text(BIND).replace("export ", "").rstrip(),
        f"/** The joints, in the order of every array. */\nexport const joints = {joints};",
    ]
    for function, (name, inputs, outputs) in zip(export.functions, signatures(export), strict=True):
        call = f'bind("{name}", {json.dumps(inputs)}, {json.dumps(outputs)})'
        parts.append(f"{_comment(export, function)}\nexport const {name} = {call};")
    return "\n\n".join(parts) + "\n"


def _types(export: Export) -> str:
    parts = [
        block(words.head(export)),
        "/** The entries of one state, or of many, one state after the other. */\n"
        "export type Numbers = ArrayLike<number>;",
        "/** The joints, in the order of every array. */\nexport const joints: readonly string[];",
    ]
    for function, name in zip(export.functions, _names(export), strict=True):
        outputs = "; ".join(f"{x.name}: Float64Array" for x in function.outputs)
        result = "Float64Array" if len(function.outputs) == 1 else f"{{ {outputs} }}"
        own = SYNTAX.names()
        taken = ", ".join(f"{own(x.name)}: Numbers" for x in function.inputs)
        arguments = f"{taken}, {own('out')}?: {result}"
        parts.append(f"{_comment(export, function)}\nexport function {name}({arguments}): {result};")
    return "\n\n".join(parts) + "\n"


def _comment(export: Export, function: ExportedFunction) -> str:
    lines = words.interface(export, function)
    return "/**\n" + "\n".join(f" * {x}" for x in lines) + "\n */"


def _package(export: Export) -> str:
    name = export.name
    data = {
        "name": f"{name.lower().replace('_', '-')}-dynamics", "version": "1.0.0", "type": "module",
        "exports": {".": {"types": f"./{name}.d.mts", "default": f"./{name}.mjs"}}, "types": f"./{name}.d.mts",
        "files": [f"{name}.mjs", f"{name}.d.mts", f"{name}.wasm"], "scripts": {"test": "node check.mjs"},
    }  # fmt: skip
    return json.dumps(data, indent=2) + "\n"
