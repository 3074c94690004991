"""Static libraries with a C header for other processors, one folder per processor, and a self-check in an emulator.

Every function is an object file of its own, so that a linker takes what is called. Sines, cosines and roots are ours:
nothing is needed but the compiler's own library (libgcc) where there is no floating-point unit.
"""

from __future__ import annotations

from dynamis.apps.exports.exported import Export, ExportedFunction
from dynamis.apps.exports.machine_code.archive import archive
from dynamis.apps.exports.machine_code.processors import FAMILIES, Family, Processor
from dynamis.apps.exports.targets import c
from dynamis.apps.exports.template import fill_template
from dynamis.compute.ir.portable.machine import Machine, object_file
from dynamis.compute.ir.portable.program import function, helpers, module


def files(export: Export) -> dict[str, str | bytes]:
    """PROCESSOR/NAME.h and PROCESSOR/libNAME.a of every processor of the family; check.c, board.c and Makefile."""
    family = FAMILIES[export.to]
    made: dict[str, str | bytes] = {}
    for processor in family.processors:
        made[f"{processor.name}/{export.name}.h"] = c.header(
            export, [None] * len(export.functions), processor.machine.scalar
        )
        made[f"{processor.name}/lib{export.name}.a"] = library(export, processor.machine)
    made |= {"check.c": _check(export), "board.c": family.board, "Makefile": _makefile(export, family)}
    return made | ({"board.ld": family.script} if family.script else {})


def usage(export: Export) -> str:
    """How to compile and link with the library of every processor."""
    family, folders = FAMILIES[export.to], [x.name for x in FAMILIES[export.to].processors]
    command = f"{family.compiler} FLAGS -O2 -I FOLDER main.c -L FOLDER -l{export.name}"
    if len(folders) == 1:
        flags = family.processors[0].flags
        return c.program(export, " ".join(command.replace("FLAGS", flags).replace("FOLDER", folders[0]).split()))
    width = max(map(len, folders))
    flags = [f"\n   {x.name:{width}}  {x.machine.scalar:6}  {x.flags}" for x in family.processors]
    return c.program(export, f"{command}\n   FOLDER, its numbers, FLAGS:{''.join(flags)}")


def library(export: Export, machine: Machine) -> bytes:
    """The static library of all functions."""
    parts = {
        f"{export.name}_{x.name}": function(x.program, f"{export.name}_{x.name}", machine, export.name)
        for x in export.functions
    }
    parts |= helpers(machine, export.name, [x.program for x in export.functions])
    return archive([
        (f"{name}.o", name, object_file(module([text], machine, export.name), machine)) for name, text in parts.items()
    ])  # fmt: skip


def _check(export: Export) -> str:
    checks = [f"{_vector_check(export, x)}" for x in export.functions]
    calls = [f"    failed |= check_{x.name}();" for x in export.functions]
    each = ["\n\n".join(_add_guards(checks)), "".join(f"{x}\n" for x in _add_guards(calls))]
    return fill_template("library/check.c.in", NAME=export.name, CHECKS=each[0], CALLS=each[1])


def _add_guards(texts: list[str]) -> list[str]:
    """Every text, or with -DONLY=K the one of function K."""
    return [f"#if !defined(ONLY) || ONLY == {k}\n{text}\n#endif" for k, text in enumerate(texts)]


def _vector_check(export: Export, one: ExportedFunction) -> str:
    v, operands = one.vectors, (*one.inputs, *one.outputs)
    states = len(v.outputs[0])
    lines: list[str] = []
    for x, values in zip(operands, (*v.inputs, *v.outputs), strict=True):
        lines.append(f"static FLASH real {one.name}_{x.name}[{states}][{x.count}] = {c.rows(values, 4)};")
    lines += [f"static int check_{one.name}(void)", "{", "    real worst = 0;", "    int k;"]
    lines.append(f"    for (k = 0; k < {states}; k++) {{")
    lines += [f"        real {x.name}[{x.count}];" for x in operands]
    lines += [f"        copy({x.name}, {one.name}_{x.name}[k], {x.count});" for x in one.inputs]
    lines.append(f"        {export.name}_{one.name}({', '.join(x.name for x in operands)});")
    for x, double, single in zip(one.outputs, v.tolerances, v.single, strict=True):
        tolerance = f"TOLERANCE({double:.3e}, {single:.3e})"
        lines.append(f"        worst = compare({x.name}, {one.name}_{x.name}[k], {x.count}, {tolerance}, worst);")
    lines += ["    }", f'    return report("{one.name}", worst);', "}"]
    return "\n".join(lines)


def _makefile(export: Export, family: Family) -> str:
    names = [x.name for x in family.processors]
    rules = [f"check-{x.name}:\n\t{_steps(export, family, x)}" for x in family.processors]
    return "\n\n".join([
        "# make check: links the self-check with the library of every processor, and runs it.",
        f"COMPILER ?= {family.compiler}\nCFLAGS ?= -O1",
        f"check: {' '.join(f'check-{x}' for x in names)}",
        *rules,
        f"clean:\n\trm -f {' '.join(f'{x}/check' for x in names)}",
        f".PHONY: check clean {' '.join(f'check-{x}' for x in names)}\n",
    ])  # fmt: skip


def _steps(export: Export, family: Family, processor: Processor) -> str:
    name, program = processor.name, f"{processor.name}/check"
    words = ("$(COMPILER)", processor.flags, "$(CFLAGS)", family.link, processor.link, "-I", name, "-o", program)
    build = " ".join(x for x in words if x) + f" check.c board.c -L {name} -l{export.name}"
    build += " -lgcc" if "-nostdlib" in family.link else ""
    run = processor.run.format(program)
    if not family.alone:
        return f"{build}\n\t{run}"
    # The emulator always ends well, with lines and colours of its own around the text.
    numbers = " ".join(map(str, range(len(export.functions))))
    said = f"sed 's/.\\[[0-9]*m//g; s/\\.$$//' | grep -a 'largest\\|agree\\|FAILED' | tee {name}/check.txt"
    return (
        f"@for k in {numbers}; do \\\n\t  {build} -DONLY=$$k || exit 1; \\\n\t  {run} 2>&1 | {said}; \\\n"
        f"\t  grep -q 'agree' {name}/check.txt || exit 1; \\\n\tdone"
    )
