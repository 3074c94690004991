"""CUDA: kernels as PTX, one state per thread; a launcher in CUDA C++ and a runner in Python, which needs CuPy alone."""

from __future__ import annotations

from textwrap import indent

from dynamis.backends.cuda.kernel import Kernel, kernel
from dynamis.backends.cuda.ptx import ptx
from dynamis.exports import words
from dynamis.exports.export import Export, ExportedFunction
from dynamis.exports.syntax import Syntax
from dynamis.exports.targets.c import KEYWORDS, block, declaration
from dynamis.exports.targets.python import SYNTAX as PYTHON

BLOCK = 64
"""Threads of a block, as in backends/cuda."""
PRECISIONS = {"double": "float64", "float": "float32"}
OWN = ("cupy", "numpy", "functools", "Path", "HERE", "BLOCK", "SHARED", "kernel", "run")


def files(export: Export) -> dict[str, str | bytes]:
    """PRECISION/FUNCTION.ptx, NAME.cu with NAME.h, NAME.py and check.py."""
    kernels = {(x.name, real): _kernel(x, real) for x in export.functions for real in PRECISIONS}
    made: dict[str, str | bytes] = {
        f"{real}/{name}.ptx": _ptx(export, name, code) for (name, real), code in kernels.items()
    }
    shared = {real: [kernels[x.name, real].shared for x in export.functions] for real in PRECISIONS}
    module = export.name
    return made | {
        f"{export.name}.h": _header(export),
        f"{export.name}.cu": _launcher(export, shared),
        f"{module}.py": _runner(export, shared),
        "check.py": CHECK.replace("NAME", module),
    }


def usage(export: Export) -> str:
    """The first function in Python and in C++."""
    function, name = export.functions[0], export.name
    inputs = ", ".join(f"cupy.zeros((1000, {x.count}))" for x in function.inputs)
    arrays = ", ".join(x.name for x in (*function.inputs, *function.outputs))
    return (
        f"import cupy\nimport {export.name}\n\n"
        f"{export.name}.{function.name}({inputs})   # 1000 states; float32 computes in single precision\n\n"
        f"// C++: nvcc main.cu {name}.cu -lcuda, with arrays on the device, one row per state\n"
        f'#include "{name}.h"\n'
        f'{name}_kernels kernels;\n{name}_load(&kernels, "double");   // the folder of the .ptx files\n'
        f"{name}_{function.name}(&kernels, n, {arrays}, stream);\n\n"
        "// dynamis tests these kernels on a CPU and with NVIDIA's compilers: run the self-check on your GPU first."
    )


def _kernel(function: ExportedFunction, real: str) -> Kernel:
    """For all GPUs since Volta: a block loads its inputs itself."""
    return kernel(function.program, PRECISIONS[real], [False] * len(function.inputs), BLOCK, copies=False)


def _ptx(export: Export, name: str, code: Kernel) -> str:
    head = "".join(f"// {line}\n" for line in words.head(export))
    return head + ptx(code.ir.replace("@kernel", f"@{export.name}_{name}"), code.architecture)


def _header(export: Export) -> str:
    name = export.name
    parts = [
        block(words.head(export)),
        f"#ifndef {name.upper()}_H\n#define {name.upper()}_H",
        "#include <cuda.h>",
        "/* One state per thread. Arrays are on the device, one row per state, in the precision of the kernels:\n"
        "   double or float. They begin at multiples of 16 bytes, as those of cudaMalloc do. Link with -lcuda. */",
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        f"typedef struct {{\n    CUmodule modules[{len(export.functions)}];\n"
        f"    CUfunction functions[{len(export.functions)}];\n    int single;\n}} {name}_kernels;",
        f'/* Loads the kernels of a folder, "PATH/double" or "PATH/float", on the current device. */\n'
        f"CUresult {name}_load({name}_kernels *kernels, const char *folder);\n"
        f"void {name}_unload({name}_kernels *kernels);",
        *(f"{block(words.interface(export, x))}\n{_prototype(export, x)};" for x in export.functions),
        "#ifdef __cplusplus\n}\n#endif\n\n#endif",
    ]
    return "\n\n".join(parts) + "\n"


def _prototype(export: Export, function: ExportedFunction) -> str:
    names = _arguments(function)
    taken = [f"const void *{names[x.name]}" for x in function.inputs]
    given = [f"void *{names[x.name]}" for x in function.outputs]
    first = (f"const {export.name}_kernels *kernels", "long long states")
    return declaration(f"CUresult {export.name}_{function.name}(", [*first, *taken, *given, "CUstream stream"])


def _arguments(function: ExportedFunction) -> dict[str, str]:
    """Operands by names that C++ allows."""
    names = Syntax(frozenset(KEYWORDS.split())).names(("kernels", "states", "stream", "values", "launch"))
    return {x.name: names(x.name) for x in (*function.inputs, *function.outputs)}


def _launcher(export: Export, shared: dict[str, list[int]]) -> str:
    count, name = len(export.functions), export.name
    table = ",\n    ".join("{" + ", ".join(map(str, shared[real])) + "}" for real in PRECISIONS)
    parts = [
        block(words.head(export)),
        f'#include <stdio.h>\n#include <string.h>\n#include <cuda_runtime.h>\n#include "{name}.h"',
        f"static const unsigned shared[2][{count}] = {{\n    {table}}};",
        f"static const char *const names[{count}] = {{\n    "
        + ",\n    ".join(f'"{x.name}"' for x in export.functions)
        + "};",
        LAUNCH.replace("COUNT", str(count)).replace("BLOCK", str(BLOCK)).replace("NAME", name),
    ]
    for k, function in enumerate(export.functions):
        names = _arguments(function)
        values = ",\n        ".join(f"(void *)&{names[x.name]}" for x in (*function.inputs, *function.outputs))
        parts.append(
            f'extern "C" {_prototype(export, function)}\n{{\n'
            f"    void *values[] = {{\n        (void *)&states,\n        {values}}};\n"
            f"    return launch(kernels, {k}, states, values, stream);\n}}"
        )
    return "\n\n".join(parts) + "\n"


def _runner(export: Export, shared: dict[str, list[int]]) -> str:
    sizes = "\n".join(
        f'    "{x.name}": {{"float64": {shared["double"][k]}, "float32": {shared["float"][k]}}},'
        for k, x in enumerate(export.functions)
    )
    names = Syntax(PYTHON.reserved | frozenset(OWN)).names()
    parts = [
        '"""' + "\n".join(words.head(export)) + '\n"""',
        RUNNER.replace("SIZES", sizes).replace("THREADS", str(BLOCK)).replace("NAME", export.name),
    ]
    for function in export.functions:
        text = "\n    ".join(words.interface(export, function))
        arguments = ", ".join(x.name for x in function.inputs)
        shapes = ", ".join(repr(x.shape) for x in function.outputs)
        parts.append(
            f'def {names(function.name)}({arguments}):\n    """{text}\n    """\n'
            + indent(f'return run("{function.name}", [{arguments}], [{shapes}])', "    ")
        )
    return "\n\n\n".join(parts) + "\n"


LAUNCH = """extern "C" CUresult NAME_load(NAME_kernels *kernels, const char *folder)
{
    char path[1024];
    cudaFree(0);   /* the device's context */
    kernels->single = strlen(folder) >= 5 && !strcmp(folder + strlen(folder) - 5, "float");
    for (int k = 0; k < COUNT; k++) {
        char symbol[256];
        if (snprintf(path, sizeof path, "%s/%s.ptx", folder, names[k]) >= (int)sizeof path)
            return CUDA_ERROR_INVALID_VALUE;
        snprintf(symbol, sizeof symbol, "NAME_%s", names[k]);
        CUresult code = cuModuleLoad(&kernels->modules[k], path);
        if (code == CUDA_SUCCESS) {
            code = cuModuleGetFunction(&kernels->functions[k], kernels->modules[k], symbol);
            if (code != CUDA_SUCCESS) cuModuleUnload(kernels->modules[k]);
        }
        if (code != CUDA_SUCCESS) {
            while (k-- > 0) cuModuleUnload(kernels->modules[k]);
            return code;
        }
    }
    return CUDA_SUCCESS;
}

extern "C" void NAME_unload(NAME_kernels *kernels)
{
    for (int k = 0; k < COUNT; k++) cuModuleUnload(kernels->modules[k]);
}

static CUresult launch(const NAME_kernels *kernels, int k, long long states, void **values, CUstream stream)
{
    if (states <= 0) return CUDA_SUCCESS;
    const unsigned blocks = (unsigned)((states + BLOCK - 1) / BLOCK);
    return cuLaunchKernel(kernels->functions[k], blocks, 1, 1, BLOCK, 1, 1, shared[kernels->single][k], stream,
                          values, 0);
}"""
RUNNER = '''import functools
from pathlib import Path

import cupy
import numpy

HERE = Path(__file__).parent
BLOCK = THREADS
SHARED = {
SIZES
}


@functools.cache
def kernel(name, precision, device):
    """A kernel on a device."""
    folder = {"float64": "double", "float32": "float"}[precision]
    return cupy.RawModule(path=str(HERE / folder / f"{name}.ptx")).get_function(f"NAME_{name}")


def run(name, arrays, shapes):
    """The results of a function, one row per state; leading axes of the arrays broadcast.

    All arrays float32: single precision; otherwise double precision.
    """
    arrays = [cupy.asarray(x) for x in arrays]
    precision = "float32" if all(x.dtype == "float32" for x in arrays) else "float64"
    batch = numpy.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    states = functools.reduce(lambda a, b: a * b, batch, 1)
    inputs = [
        cupy.ascontiguousarray(cupy.broadcast_to(x, (*batch, x.shape[-1])), dtype=precision) for x in arrays
    ]
    # Kernels load 16 bytes at a time.
    inputs = [x if x.data.ptr % 16 == 0 else x.copy() for x in inputs]
    results = [cupy.empty((*batch, *shape), precision) for shape in shapes]
    if states:
        launch = kernel(name, precision, cupy.cuda.Device().id)
        size = SHARED[name][precision]
        launch((-(-states // BLOCK),), (BLOCK,), (numpy.int64(states), *inputs, *results), shared_mem=size)
    return results[0] if len(results) == 1 else tuple(results)'''
CHECK = '''"""Runs every kernel on the states of vectors.json, in double and in single precision: python check.py"""

import json
import math
from pathlib import Path

import cupy

import NAME as robot


def main():
    functions = json.loads((Path(__file__).parent / "vectors.json").read_text())["functions"]
    failed = False
    for function in functions:
        vectors, names = function["vectors"], [output["name"] for output in function["outputs"]]
        shapes = [tuple(output["shape"]) for output in function["outputs"]]
        for precision, tolerance in (("float64", "tolerance"), ("float32", "tolerance_single")):
            arrays, worst = [cupy.asarray(x, dtype=precision) for x in vectors["inputs"].values()], 0.0
            results = robot.run(function["name"], arrays, shapes)
            for name, result in zip(names, results if len(names) > 1 else [results]):
                expected = [x for row in vectors["outputs"][name] for x in row]
                for value, right in zip(cupy.asnumpy(result).flatten().tolist(), expected):
                    error = abs(value - right) / vectors[tolerance][name]
                    worst = max(worst, error if error == error else math.inf)
            mark = "" if worst <= 1 else "  FAILED"
            print(f"{function['name']:32} {precision}: largest error {worst:.3f} of the tolerance{mark}")
            failed = failed or worst > 1
    if failed:
        raise SystemExit("FAILED")
    print("all functions agree with the reference")


if __name__ == "__main__":
    main()
'''
