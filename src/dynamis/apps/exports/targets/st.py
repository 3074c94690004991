"""Structured Text of IEC 61131-3: one function block per function, in LREAL, for PLCs.

codesys.st is a dynamic model for CODESYS SoftMotion around the block of the inverse dynamics. It has not been compiled:
its library names the method, AxesStateToTorque, but we had no declaration of it. The body stands; the arguments follow
its siblings in the kinematics, AxesToCartesian and CartesianToAxes: an SMC_ERROR, and axes as AXISPOS_REF, a0 to a5.
"""

from __future__ import annotations

import keyword
from textwrap import wrap

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.syntax import Syntax, comment
from dynamis.apps.exports.targets.python import check
from dynamis.apps.exports.template import fill_template
from dynamis.compute.program.signature import Operand

KEYWORDS = (
    "abs acos action add and any array asin at atan atan2 begin bool by byte case concat configuration constant cos "
    "dint div do dt dword else elsif end_case end_for end_function end_function_block end_if end_program end_repeat "
    "end_struct end_type end_var end_while eq exit exp expt extends f_edge false find final for from function "
    "function_block ge global gt if implements in initial_step insert int interface internal jmp ld le left len limit "
    "lint ln log lreal lt lword max method mid min mod move mul mux namespace ne not null of on or override pointer "
    "priority private program property protected public r_edge read_only real ref reference repeat replace resource "
    "ret retain return right rol ror s sel shl shr sin sint sqrt st step string struct sub super tan task then this "
    "time to tod transition true trunc type udint uint ulint until usint using var var_input var_output var_temp while "
    "with word wstring xor r t d"
)
"""Of the standard and of CODESYS; names differ in more than case."""
LINE_WIDTH = 100
MAX_GROUP_AXES = 6
"""Of an axis group in CODESYS."""


def number(x: float) -> str:
    """A literal: digits on both sides of the point."""
    text = repr(x).upper()
    mantissa, e, exponent = text.partition("E")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


def syntax(export: Export, taken: frozenset[str] = frozenset()) -> Syntax:
    """Names that neither ST nor the self-check, which is Python, keeps for itself."""
    name = export.name
    calls = {
        "sin": "SIN({})", "cos": "COS({})", "sqrt": "SQRT({})", "min": "MIN({}, {})", "max": "MAX({}, {})",
        "sign": f"{name}_SIGN({{}})", "round": f"{name}_RINT({{}})",
    }  # fmt: skip
    own = frozenset((*KEYWORDS.split(), *keyword.kwlist, f"{name}_sign", f"{name}_rint"))
    return Syntax(own | taken, number, calls, folds=True)


def files(export: Export) -> dict[str, str | bytes]:
    """NAME.st, check.py, and codesys.st where there are the inverse dynamics of at most six axes."""
    used = frozenset(op for function in export.functions for op in function.counts)
    parts = [
        "(* " + "\n   ".join(words.head(export)) + " *)",
        *(fill_template(f"st/{op}.st.in", NAME=export.name).rstrip() for op in ("sign", "round") if op in used),
        *(_block(export, function) for function in export.functions),
    ]
    model = next(
        (x for x in export.functions if x.source.quantity and x.source.quantity[0] == "inverse_dynamics"), None
    )
    return {
        f"{export.name}.st": "\n\n".join(parts) + "\n",
        "check.py": check("st", export.name),
        **({"codesys.st": _dynamics(export, model)} if model and export.robot.n <= MAX_GROUP_AXES else {}),
    }


def usage(export: Export) -> str:
    """An instance and its call."""
    function = export.functions[0]
    names = operand_names(export, function)
    first, result = function.inputs[0], function.outputs[0]
    inputs = ", ".join(f"{names[x.name]} := {names[x.name]}" for x in function.inputs)
    return (
        f"VAR\n    {function.name} : {export.name}_{function.name};\n"
        f"    {names[first.name]} : ARRAY[0..{first.count - 1}] OF LREAL;   (* and the other inputs *)\nEND_VAR\n\n"
        f"{function.name}({inputs});\nvalue := {function.name}.{names[result.name]}[0];"
    )


def operand_names(export: Export, function: ExportedFunction) -> dict[str, str]:
    """Operands by names that differ in more than case."""
    names = syntax(export).names()
    return {x.name: names(x.name) for x in (*function.inputs, *function.outputs)}


def _block(export: Export, function: ExportedFunction) -> str:
    names = operand_names(export, function)
    language = syntax(export, frozenset(names.values()))
    body = function.body(language)
    lines = [f"{name} := {names[operand.name]}[{k}];" for name, operand, k in body.loads]
    for name, value in body.statements:
        note = f"  (* {comment(body.notes[name])} *)" if body.notes.get(name) else ""
        lines.append(f"{name} := {language.text(value)};{note}")
    for operand, entries in body.results:
        lines += [f"{names[operand.name]}[{k}] := {language.text(value)};" for k, value in enumerate(entries)]
    local = [name for name, *_ in body.loads] + [name for name, _ in body.statements]
    declared = wrap(", ".join(local), LINE_WIDTH - 16, break_long_words=False, break_on_hyphens=False)
    text = [part for line in lines for part in wrap(line, LINE_WIDTH, subsequent_indent="    ", break_long_words=False,
                                                    break_on_hyphens=False)]  # fmt: skip
    return "\n".join([
        "(* " + "\n   ".join(words.interface(export, function)) + " *)",
        f"FUNCTION_BLOCK {export.name}_{function.name}",
        "VAR_INPUT", *(_array_declaration(names, x) for x in function.inputs), "END_VAR",
        "VAR_OUTPUT", *(_array_declaration(names, x) for x in function.outputs), "END_VAR",
        *(["VAR", *(f"    {line.rstrip(',')} : LREAL;" for line in declared), "END_VAR"] if local else []),
        *text,
        "END_FUNCTION_BLOCK",
    ])  # fmt: skip


def _array_declaration(names: dict[str, str], operand: Operand) -> str:
    return f"    {names[operand.name]} : ARRAY[0..{operand.count - 1}] OF LREAL;"


def _dynamics(export: Export, function: ExportedFunction) -> str:
    """A dynamic model of CODESYS SoftMotion around a block of the inverse dynamics."""
    names = operand_names(export, function)
    units = ["degree" if x.revolute else "metre" for x in export.robot.coordinates]
    state = {"q": "position", "qd": "velocity", "qdd": "acceleration"}
    lines = [f"model.{names[x]}[{k}] := {unit} * {state[x]}.a{k};" for x in state for k, unit in enumerate(units)]
    others = [x for x in function.inputs if x.name not in state]
    lines += [f"model.{names[x.name]} := {names[x.name]};" for x in others]
    lines += ["model();", *(f"torque.a{k} := model.{names['tau']}[{k}];" for k in range(len(units)))]
    arguments = [
        "VAR_INPUT (* set them before the first call *)",
        *(_array_declaration(names, x) for x in others),
        "END_VAR",
    ]
    kept = (("degree", "3.141592653589793 / 180.0", "rad", "revolute"), ("metre", "1.0", "m", "prismatic"))
    scales = [f"    {x} : LREAL := {value}; (* {to} per unit of a {kind} axis *)" for x, value, to, kind in kept
              if x in units]  # fmt: skip
    parts = [
        "(* " + "\n   ".join([*words.head(export), *NOTE.splitlines()]) + " *)",
        f"FUNCTION_BLOCK {export.name}_dynamics IMPLEMENTS SMDYN.ISMDynamics",
        *(arguments if others else []),
        "VAR", f"    model : {export.name}_{function.name};", *scales, "END_VAR",
        "END_FUNCTION_BLOCK", "",
        "METHOD AxesStateToTorque : SMC_ERROR",
        "VAR_IN_OUT CONSTANT", *(f"    {x} : AXISPOS_REF;" for x in state.values()),
        "    params : SMDYN.DynamicsParams; (* not used: gravity and load are those of the model *)", "END_VAR",
        "VAR_IN_OUT", "    torque : AXISPOS_REF;", "END_VAR",
        *lines, "AxesStateToTorque := SMC_ERROR.SMC_NO_ERROR;", "END_METHOD",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


NOTE = """A dynamic model for an axis group of CODESYS SoftMotion, for SMC_GroupSetDynamics.
NOT COMPILED: the declaration of AxesStateToTorque below is not the one of CODESYS, which we did not have; it follows
AxesToCartesian. In CODESYS create the block, let it implement its interface, keep the declaration that it makes for
the method, and take the body from here, with the names of that declaration."""
