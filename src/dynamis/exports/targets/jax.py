"""JAX: one module of functions on arrays, for one state or a batch, that jit, vmap and grad take as they are."""

from __future__ import annotations

import keyword
from textwrap import wrap

from dynamis.exports import words
from dynamis.exports.export import Export, ExportedFunction
from dynamis.exports.straight_line import Body
from dynamis.exports.syntax import CALLS, Syntax
from dynamis.exports.targets.python import MOST_NAMES, WIDTH, assigned
from dynamis.program.signature import Operand

OWN = ("jnp", "entries", "array", "tuple", "list", "len", "range")
CALLED = {"min": "minimum", "max": "maximum", "round": "rint"}
SYNTAX = Syntax(
    frozenset((*keyword.kwlist, *OWN)),
    calls={op: text.replace(op, f"jnp.{CALLED.get(op, op)}") for op, text in CALLS.items()},
)
HELPERS = '''import jax.numpy as jnp


def entries(x):
    """The entries of an array whose last axis is that of the joints."""
    return tuple(jnp.moveaxis(jnp.asarray(x), -1, 0))


def array(shape, values, *inputs):
    """The values as an array of this shape, behind the axes of the batch that the inputs have."""
    inputs = [jnp.asarray(x) for x in inputs]
    batch = jnp.broadcast_shapes(*(x.shape[:-1] for x in inputs))
    kind = jnp.result_type(float, *inputs)
    stack = jnp.stack([jnp.broadcast_to(jnp.asarray(x, kind), batch) for x in values], axis=-1)
    return stack.reshape(batch + shape)'''


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.py and check.py."""
    module = _module(export)
    parts = [
        '"""' + "\n".join(words.head(export)) + '\n"""',
        HELPERS,
        *(f"\n{_definition(export, function)}" for function in export.functions),
    ]
    return {f"{module}.py": "\n\n".join(parts) + "\n", "check.py": CHECK.replace("NAME", module)}


def usage(export: Export) -> str:
    """Calls on one state and on many, and a derivative."""
    function, module = export.functions[0], _module(export)
    zeros, many = (
        ", ".join(f"jnp.zeros({size.format(x.count)})" for x in function.inputs) for size in ("{}", "(1000, {})")
    )
    return "\n".join([
        f"import jax\nimport jax.numpy as jnp\nimport {module}\n",
        'jax.config.update("jax_enable_x64", True)   # double precision; without it single',
        f"{module}.{function.name}({zeros})",
        f"jax.jit({module}.{function.name})({many})   # a thousand states",
        f"jax.jacfwd({module}.{function.name})({zeros})   # derivatives by {function.inputs[0].name}"
        if function.inputs else "",
    ]).rstrip()  # fmt: skip


def _module(export: Export) -> str:
    name = export.name
    return f"{name}_2" if name in ("jax", "numpy") else name


def _definition(export: Export, function: ExportedFunction) -> str:
    body = function.body(SYNTAX)
    lines = ['"""' + "\n    ".join(words.interface(export, function)) + '\n    """']
    for operand in function.inputs:
        lines += _loads(operand, body)
    for name, value in body.statements:
        lines += assigned(name, SYNTAX.text(value), words.note(body, name, "#"))
    inputs = ", ".join(x.name for x in function.inputs)
    for operand, values in body.results:
        lines += _result(operand, [SYNTAX.text(x) for x in values], inputs)
    lines.append(f"return {', '.join(x.name for x in function.outputs)}")
    return "\n".join([f"def {function.name}({inputs}):", *(f"    {line}" for line in lines)])


def _loads(operand: Operand, body: Body) -> list[str]:
    loads = {place: name for name, source, place in body.loads if source is operand}
    if loads and operand.count <= MOST_NAMES:
        names = ", ".join(loads.get(k, "_") for k in range(operand.count))
        return [f"{names}{',' if operand.count == 1 else ''} = entries({operand.name})"]
    return [f"{name} = jnp.asarray({operand.name})[..., {place}]" for place, name in loads.items()]


def _result(operand: Operand, texts: list[str], inputs: str) -> list[str]:
    """A call of `array` with one row per line."""
    columns = operand.shape[-1] if len(operand.shape) > 1 else 1
    start = f"{operand.name} = array({operand.shape!r}, ["
    end = f"], {inputs})" if inputs else "])"
    whole = start + ", ".join(texts) + end
    if len(whole) <= WIDTH - 4:
        return [whole]
    rows = [", ".join(texts[k : k + columns]) + "," for k in range(0, operand.count, columns)]
    lines = [wrap(row, WIDTH - 8, subsequent_indent="    ", break_long_words=False) for row in rows]
    return [start, *(f"    {part}" for row in lines for part in row), end]


CHECK = '''"""Runs every function of NAME.py on the states of vectors.json: python check.py

All states go in one batch, in double and in single precision. The first function runs under jit and vmap, too, and its
derivative is compared with differences.
"""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")
import NAME  # noqa: E402


def error(results, vectors, names, tolerance):
    """The largest error, as a share of the tolerance."""
    worst = 0.0
    for name, result in zip(names, results if isinstance(results, tuple) else (results,)):
        expected = np.array(vectors["outputs"][name])
        difference = np.abs(np.asarray(result, float).reshape(expected.shape) - expected) / vectors[tolerance][name]
        worst = max(worst, float(np.nan_to_num(difference, nan=np.inf).max(initial=0.0)))
    return worst


def derivative_error(call, inputs):
    """Of jvp along all inputs, from central differences, as a share of what those allow."""
    step = 1e-6
    ones = [jnp.ones_like(x) for x in inputs]
    _, slope = jax.jvp(call, inputs, ones)
    ends = [call(*(x + sign * step for x in inputs)) for sign in (1, -1)]
    pairs = zip(*(jax.tree_util.tree_leaves(x) for x in (slope, *ends)))
    return max(float(jnp.max(jnp.abs(s - (a - b) / (2 * step)) / (1 + jnp.abs(s)))) for s, a, b in pairs) / 1e-4


def main():
    functions = json.loads((Path(__file__).parent / "vectors.json").read_text())["functions"]
    failed = False
    for k, function in enumerate(functions):
        call, vectors = getattr(NAME, function["name"]), function["vectors"]
        names = [output["name"] for output in function["outputs"]]
        double, single = ([jnp.array(vectors["inputs"][x["name"]], kind) for x in function["inputs"]]
                          for kind in (jnp.float64, jnp.float32))
        errors = {
            "f64": error(call(*double), vectors, names, "tolerance"),
            "f32": error(call(*single), vectors, names, "tolerance_single"),
        }
        if k == 0 and double:
            errors["jit"] = error(jax.jit(jax.vmap(call))(*double), vectors, names, "tolerance")
            errors["jvp"] = derivative_error(call, double)
        print(f"{function['name']:32} largest error, of the tolerance:", *(f"{x} {y:.3f}" for x, y in errors.items()))
        failed = failed or max(errors.values()) > 1
    if failed:
        raise SystemExit("FAILED")
    print("all functions agree with the reference")


if __name__ == "__main__":
    main()
'''
