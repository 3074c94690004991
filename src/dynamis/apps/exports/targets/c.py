"""C99: a header and a source without dependency, allocation or state, a C++17 header, a self-check and its Makefile."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.straight_line import Body
from dynamis.apps.exports.syntax import Syntax, comment
from dynamis.apps.exports.template import fill_template
from dynamis.base.arrays import Array
from dynamis.compute.program.signature import Operand

KEYWORDS = (
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const "
    "consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do "
    "double dynamic_cast else enum explicit export extern false float for friend goto if import inline int long "
    "module mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register "
    "reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile "
    "wchar_t while xor xor_eq "
)
"""Of C and of C++, which includes the header."""
HELPERS = {
    "sign": "static real sign(real x) { return x > 0 ? (real)1 : x < 0 ? (real)-1 : x; }",
    "min": "static real least(real a, real b) { return b < a ? b : a; }",
    "max": "static real greatest(real a, real b) { return b > a ? b : a; }",
}
CALLS = {
    "sin": "SIN({})", "cos": "COS({})", "sqrt": "SQRT({})", "round": "RINT({})", "sign": "sign({})",
    "min": "least({}, {})", "max": "greatest({}, {})",
}  # fmt: skip
MACROS = (
    "AVR DOMAIN FP_FAST_FMA FP_FAST_FMAF FP_FAST_FMAL FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL "
    "FP_ZERO HUGE HUGE_VAL HUGE_VALF HUGE_VALL INFINITY MATH_ERREXCEPT MATH_ERRNO MAXFLOAT M_1_PI M_2_PI M_2_SQRTPI "
    "M_3PI_4 M_E M_INVLN2 M_IVLN10 M_LN10 M_LN2 M_LN2HI M_LN2LO M_LOG10E M_LOG2E M_LOG2_E M_PI M_PI_2 M_PI_4 M_SQRT1_2 "
    "M_SQRT2 M_SQRT3 M_SQRTPI M_TWOPI NAN NULL OVERFLOW PLOSS SING TLOSS UNDERFLOW X_TLOSS cosf i386 linux "
    "math_errhandling rintf signgam sinf sqrtf unix "
)
"""Of math.h and of compilers, which replace names by values."""
OWN = ("real", "R", "SIN", "COS", "SQRT", "RINT", "sign", "least", "greatest", "sin", "cos", "sqrt", "rint", "I")
STATE = ("qd", "qdd", "tau")
FIXED = "\xa0"
"""A space at which no line is broken."""


def number(x: float) -> str:
    """A literal in the precision of the macro."""
    return f"-R({-x!r})" if x < 0 else f"R({x!r})"


SYNTAX = Syntax(frozenset((*KEYWORDS.split(), *MACROS.split(), *OWN)), number, CALLS)


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.h, NAME.c, NAME.hpp, check.c and Makefile."""
    name = export.name
    bodies = [function.body(SYNTAX) for function in export.functions]
    return {
        f"{name}.h": header(export, bodies), f"{name}.c": _source(export, bodies), f"{name}.hpp": _cpp(export),
        "check.c": _check(export), "Makefile": fill_template("c/Makefile.in", NAME=name, MACRO=name.upper()),
    }  # fmt: skip


def usage(export: Export) -> str:
    """A program that calls the first function."""
    return program(export, f"cc -O2 main.c {export.name}.c -lm")


def program(export: Export, command: str) -> str:
    """A program that calls the first function, and the command that compiles it."""
    function, name = export.functions[0], export.name
    arrays = "".join(f"    {name}_real {x.name}[{x.count}] = {{0}};\n" for x in (*function.inputs, *function.outputs))
    arguments = ", ".join(x.name for x in (*function.inputs, *function.outputs))
    return (
        f'/* {command} */\n#include "{name}.h"\n\n'
        f"int main(void)\n{{\n{arrays}    {name}_{function.name}({arguments});\n    return 0;\n}}"
    )


def prototype(export: Export, function: ExportedFunction, real: str) -> str:
    """The function's head, without what follows it."""
    taken = [f"const {real} {x.name}[{x.count}]" for x in function.inputs]
    given = [f"{real} {x.name}[{x.count}]" for x in function.outputs]
    return declaration(f"void {export.name}_{function.name}(", [*taken, *given])


def declaration(start: str, arguments: Sequence[str]) -> str:
    """A function's head, broken between its arguments, whose names stay whole.

    >>> len(declaration("void f(", ["const " + 100 * "a" + "_real q[2]", "double tau[2]"]).split("\\n"))
    2
    """
    text = start.replace(" ", FIXED) + ", ".join(x.replace(" ", FIXED) for x in arguments) + ")"
    return "\n".join(wrap(text, 100, subsequent_indent=" " * 8, break_long_words=False)).replace(FIXED, " ")


def block(lines: Sequence[str]) -> str:
    """A comment."""
    return "/* " + "\n   ".join(lines) + " */"


def rows(values: Array, indent: int) -> str:
    """The initialiser of an array of states."""
    between = ",\n" + " " * indent
    return f"{{\n{' ' * indent}" + between.join(f"{{{', '.join(map(repr, row))}}}" for row in values.tolist()) + "}"


def header(export: Export, bodies: Sequence[Body | None], precision: str = "") -> str:
    """NAME.h, for "double" or "float", or with the macro that chooses; a body tells of the stack of its function."""
    name = export.name
    real, guard = f"{name}_real", f"{name.upper()}_H"
    parts = [
        block(words.head(export)),
        f"#ifndef {guard}\n#define {guard}",
        f"typedef {precision} {real};"
        if precision
        else f"/* double, or float with -D{name.upper()}_FLOAT for this header and {name}.c alike */\n"
        f"#ifdef {name.upper()}_FLOAT\ntypedef float {real};\n#else\ntypedef double {real};\n#endif",
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        "/* No allocation, no globals: every function may run in several threads at once, and in interrupts.\n"
        "   A result may take the place of an input. */",
    ]
    for function, body in zip(export.functions, bodies, strict=True):
        parts.append(f"{block(words.interface(export, function, body))}\n{prototype(export, function, real)};")
    return "\n\n".join([*parts, "#ifdef __cplusplus\n}\n#endif", "#endif"]) + "\n"


def _source(export: Export, bodies: Sequence[Body]) -> str:
    used = frozenset(op for body in bodies for op in body.operations)
    macros = {"sin": "SIN", "cos": "COS", "sqrt": "SQRT", "round": "RINT"}
    single, double = ["#define R(x) x##f"], ["#define R(x) x"]
    for op, macro in macros.items():
        if op in used:
            function = macro.lower()
            single.append(f"#define {macro}(x) {function}f(x)")
            double.append(f"#define {macro}(x) {function}(x)")
    precision = [f"#ifdef {export.name.upper()}_FLOAT", *single, "#else", *double, "#endif"]
    parts = [
        block(words.head(export)),
        f'#include <math.h>\n#include "{export.name}.h"',
        f"typedef {export.name}_real real;\n" + "\n".join(precision),
        *(HELPERS[op] for op in HELPERS if op in used),
        *(_definition(export, *pair) for pair in zip(export.functions, bodies, strict=True)),
    ]
    return "\n\n".join(parts) + "\n"


def _definition(export: Export, function: ExportedFunction, body: Body) -> str:
    lines = [f"const real {name} = {operand.name}[{k}];" for name, operand, k in body.loads]
    read = {operand.name for _, operand, _ in body.loads}
    lines += [f"(void){x.name};" for x in function.inputs if x.name not in read]
    for name, value in body.statements:
        note = f"  /* {comment(body.notes[name])} */" if body.notes.get(name) else ""
        lines.append(f"const real {name} = {SYNTAX.text(value)};{note}")
    for operand, entries in body.results:
        lines += [f"{operand.name}[{k}] = {SYNTAX.text(value)};" for k, value in enumerate(entries)]
    lines = [part for line in lines for part in wrap(line, 108, subsequent_indent="    ", break_long_words=False)]
    return "\n".join([prototype(export, function, "real"), "{", *(f"    {line}" for line in lines), "}"])


def _cpp(export: Export) -> str:
    name = export.name
    space = SYNTAX.names()(name)
    parts = [
        block(words.head(export)),
        f"#ifndef {name.upper()}_HPP\n#define {name.upper()}_HPP",
        f'#include <array>\n#include <cstddef>\n#include "{name}.h"',
        f"/* The functions of {name}.h on std::array, in C++17; velocities and the like left out are zero. */",
        f"namespace {space} {{",
        f"using real = {name}_real;\ntemplate <std::size_t N> using array = std::array<real, N>;",
        *(_overload(export, function) for function in export.functions),
        f"}}  // namespace {space}\n\n#endif",
    ]
    return "\n\n".join(parts) + "\n"


def _overload(export: Export, function: ExportedFunction) -> str:
    optional = all(x.name in ("q", *STATE) for x in function.inputs)
    arguments = ", ".join(
        f"const array<{x.count}>& {x.name}{' = {}' if optional and x.name in STATE else ''}" for x in function.inputs
    )
    inputs = [f"{x.name}.data()" for x in function.inputs]
    if len(function.outputs) == 1:
        (output,) = function.outputs
        given, result, name = _array(output), "", output.name
        outputs = [f"{name}.data()"]
    else:
        given, name = f"{function.name}_results", "results"
        members = "".join(f"    {_array(x)} {x.name};\n" for x in function.outputs)
        result = f"struct {given} {{\n{members}}};\n\n"
        outputs = [f"results.{x.name}.data()" for x in function.outputs]
    call = f"{export.name}_{function.name}({', '.join([*inputs, *outputs])});"
    return (
        f"{result}[[nodiscard]] inline {given} {function.name}({arguments})\n"
        f"{{\n    {given} {name}{{}};\n    {call}\n    return {name};\n}}"
    )


def _array(operand: Operand) -> str:
    return f"array<{operand.count}>"


def _check(export: Export) -> str:
    checks = "\n\n".join(_vector_check(export, x) for x in export.functions)
    calls = "\n".join(f"    failed |= check_{x.name}();" for x in export.functions)
    return fill_template("c/check.c.in", NAME=export.name, CHECKS=checks, CALLS=calls)


def _vector_check(export: Export, function: ExportedFunction) -> str:
    v, real = function.vectors, f"{export.name}_real"
    states = len(v.outputs[0])
    lines = [f"static int check_{function.name}(void)", "{", "    double worst = 0;", "    int k, i;"]
    for operand, values in zip((*function.inputs, *function.outputs), (*v.inputs, *v.outputs), strict=True):
        lines.append(f"    static const double {operand.name}_[{states}][{operand.count}] = {rows(values, 8)};")
    lines.append(f"    for (k = 0; k < {states}; k++) {{")
    lines += [f"        {real} {x.name}[{x.count}];" for x in (*function.inputs, *function.outputs)]
    lines += [
        f"        for (i = 0; i < {x.count}; i++) {x.name}[i] = ({real}){x.name}_[k][i];" for x in function.inputs
    ]
    arguments = ", ".join(x.name for x in (*function.inputs, *function.outputs))
    lines.append(f"        {export.name}_{function.name}({arguments});")
    for x, double, single in zip(function.outputs, v.tolerances, v.single, strict=True):
        tolerance = f"sizeof({real}) == sizeof(double) ? {double:.3e} : {single:.3e}"
        lines.append(f"        worst = compare({x.name}, {x.name}_[k], {x.count}, {tolerance}, worst);")
    lines += ["    }", f'    return report("{function.name}", worst);', "}"]
    return "\n".join(lines)
