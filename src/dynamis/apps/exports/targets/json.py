"""The programs themselves as JSON, with an interpreter in plain Python that is their documentation."""

from __future__ import annotations

import json
import re
from typing import Any

from dynamis.apps.exports.exported import Export
from dynamis.apps.exports.template import fill_template
from dynamis.compute.program.program import OPERATIONS

NOTE = (
    "Every function is a list of operations. Operation k computes value k from values before it: [op, a, b], where a "
    "and b are places of values. ['input', name, place] is an entry of an input, ['constant', x] a number. 'results' "
    "has for every output the places of its entries, row by row."
)


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.json and check.py."""
    manifest = export.manifest(vectors=False)
    for entry, function in zip(manifest["functions"], export.functions, strict=True):
        entry["program"] = [_operation(x) for x in function.program.operations]
        entry["results"] = [list(places) for places in function.program.results]
    meanings = {op: meaning for op, (_, meaning) in OPERATIONS.items()}
    data = {"note": NOTE, "operations": meanings, "provenance": export.origin.as_dict(), **manifest}
    return {f"{export.name}.json": _lines(data), "check.py": fill_template("json/check.py.in", NAME=export.name)}


def usage(export: Export) -> str:
    """How to run a program."""
    function = export.functions[0]
    values = ", ".join(f'"{x.name}": [{", ".join(["0.0"] * x.count)}]' for x in function.inputs)
    return (
        f'import json\nfrom check import run\n\nmodel = json.load(open("{export.name}.json"))\n'
        f'run(model["functions"][0], {{{values}}})   # {function.name}'
    )


def _operation(operation: tuple[Any, ...]) -> list[Any]:
    op, a, b, _ = operation
    if op == "input":
        name, place = a.split(":")
        return [op, name, int(place)]
    return [op, *(x for x in (a, b) if x is not None)]


def _lines(data: Any) -> str:
    """JSON with one operation per line."""
    text = json.dumps(data, indent=1, allow_nan=False)
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: "[" + re.sub(r"\s*\n\s*", " ", m[1]) + "]", text) + "\n"
