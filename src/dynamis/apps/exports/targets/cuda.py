"""CUDA: kernels as PTX, one state per thread; a launcher in CUDA C++ and a runner in Python, which needs CuPy alone."""

from __future__ import annotations

from textwrap import indent

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.syntax import Syntax
from dynamis.apps.exports.targets.c import KEYWORDS, block, declaration
from dynamis.apps.exports.targets.python import SYNTAX as PYTHON
from dynamis.apps.exports.targets.python import docstring
from dynamis.apps.exports.template import fill_template
from dynamis.compute.ir.cuda.kernel import Kernel, kernel
from dynamis.compute.ir.cuda.ptx import ptx

THREADS_PER_BLOCK = 64
"""Threads of a block, as in compute/backends/cuda."""
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
        "check.py": fill_template("cuda/check.py.in", NAME=module),
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
    return kernel(function.program, PRECISIONS[real], [False] * len(function.inputs), THREADS_PER_BLOCK, copies=False)


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
        fill_template("cuda/launch.cu.in", COUNT=str(count), BLOCK=str(THREADS_PER_BLOCK), NAME=name).rstrip(),
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
        docstring(words.head(export)),
        fill_template("cuda/run.py.in", SIZES=sizes, THREADS=str(THREADS_PER_BLOCK), NAME=export.name).rstrip(),
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
