"""The programs themselves as JSON, with an interpreter in plain Python that is their documentation."""

from __future__ import annotations

import json
import re
from typing import Any

from dynamis.exports import words
from dynamis.exports.export import Export
from dynamis.program.program import OPERATIONS

NOTE = (
    "Every function is a list of operations. Operation k computes value k from values before it: [op, a, b], where a "
    "and b are places of values. ['input', name, place] is an entry of an input, ['constant', x] a number. 'results' "
    "has for every output the places of its entries, row by row."
)


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.json and check.py."""
    manifest = words.manifest(export, vectors=False)
    for entry, function in zip(manifest["functions"], export.functions, strict=True):
        entry["program"] = [_operation(x) for x in function.program.operations]
        entry["results"] = [list(places) for places in function.program.results]
    meanings = {op: meaning for op, (_, meaning) in OPERATIONS.items()}
    data = {"note": NOTE, "operations": meanings, "provenance": export.origin.as_dict(), **manifest}
    return {f"{export.name}.json": _lines(data), "check.py": CHECK.replace("NAME", export.name)}


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


CHECK = '''"""Runs the programs of NAME.json on the states of vectors.json, in plain Python: python check.py"""

import json
import math
from pathlib import Path

OPERATIONS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "neg": lambda a: -a, "sin": math.sin, "cos": math.cos, "sqrt": math.sqrt,
    "sign": lambda a: (a > 0) - (a < 0), "min": lambda a, b: b if b < a else a,
    "max": lambda a, b: b if b > a else a, "round": round,
}


def run(function, inputs):
    """The outputs of a function, by name, for inputs by name: flat lists, matrices row by row."""
    values = []
    for op, *operands in function["program"]:
        if op == "input":
            name, place = operands
            values.append(inputs[name][place])
        elif op == "constant":
            values.append(operands[0])
        else:
            values.append(OPERATIONS[op](*(values[k] for k in operands)))
    return {
        output["name"]: [values[k] for k in places]
        for output, places in zip(function["outputs"], function["results"])
    }


def main():
    here = Path(__file__).parent
    functions = json.loads((here / "NAME.json").read_text())["functions"]
    worst = 0.0
    for function, checked in zip(functions, json.loads((here / "vectors.json").read_text())["functions"]):
        vectors = checked["vectors"]
        states = len(next(iter(vectors["outputs"].values())))
        for k in range(states):
            results = run(function, {name: rows[k] for name, rows in vectors["inputs"].items()})
            for name, values in results.items():
                for value, expected in zip(values, vectors["outputs"][name][k]):
                    error = abs(value - expected) / vectors["tolerance"][name]
                    worst = max(worst, error if error == error else math.inf)
        print(f"{function['name']}: {states} states, largest error {worst:.3f} of the tolerance so far")
    if worst > 1:
        raise SystemExit("FAILED")
    print("all functions agree with the reference")


if __name__ == "__main__":
    main()
'''
