"""Size, stack and worst-case cycles of exported functions on a Cortex-M4F, counted in their machine code.

    python -m tests.apps.exports.cortex_m4 [ROBOT ...]

counts those of the static library, and those of the C that GCC compiles with -O2. Functions are straight-line code:
every instruction counts once. The library's sine and cosine has one branch, forward, and counts as if it were never
taken; those of C's libm are only numbered. Cycles are those of the Cortex-M4 technical reference manual (ARM DDI 0439,
tables 3-1 and 7-1), without wait states of the memory: 2 for a load or store, 14 for a division or root, 3 for a fused
operation, and one more where the next instruction takes the result of floating-point arithmetic.

It needs arm-none-eabi-gcc and arm-none-eabi-objdump.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import dynamis
from dynamis.library import estimates
from tests.support.export_checks import FUNCTIONS, numeric

COMPILER = "arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -O2"
BRANCH = 4
"""One cycle, and up to three to fill the pipeline."""


ARITHMETIC = ("vadd", "vsub", "vmul", "vnmul", "vfma", "vfms", "vfnma", "vfnms", "vdiv", "vcvt")


@dataclass(frozen=True)
class Code:
    """A function: its bytes, what its frame takes of the stack, its cycles, and the functions that it calls."""

    size: int
    stack: int
    cycles: int
    calls: tuple[str, ...]


def functions(library: Path) -> dict[str, Code]:
    """Every function of a library or an object file, with the cycles and the stack of those in it that it calls."""
    text = subprocess.run(["arm-none-eabi-objdump", "-dr", library], capture_output=True, text=True, check=True).stdout
    alone: dict[str, Code] = {}
    for name, body in re.findall(r"^[0-9a-f]+ <(\w+)>:\n((?:.+\n)*)", text, re.MULTILINE):
        alone[name] = _read(body)
    return {
        name: Code(
            code.size,
            code.stack + max((alone[x].stack for x in code.calls if x in alone), default=0),
            code.cycles + sum(alone[x].cycles for x in code.calls if x in alone),
            tuple(x for x in code.calls if x not in alone),
        )
        for name, code in alone.items()
    }


def _read(body: str) -> Code:
    size = stack = cycles = 0
    made = ""
    for line in body.splitlines():
        match = re.match(r"\s*[0-9a-f]+:\t([0-9a-f ]+?)\s*\t(\S+)(?:\t([^@;]*))?", line)
        if match is None:
            continue
        size += len(match[1].replace(" ", "")) // 2
        mnemonic, operands = match[2].partition(".")[0], (match[3] or "").strip()
        if mnemonic == "" or match[2] == ".word":
            continue
        cycles += _cycles(mnemonic, operands)
        first, _, rest = operands.partition(", ")
        cycles += bool(made) and made in re.findall(r"\bs\d+\b", rest)
        made = first if mnemonic in ARITHMETIC else ""
        if mnemonic in ("push", "stmdb", "vpush"):
            stack += 4 * _registers(operands)
        elif mnemonic == "sub" and first == "sp":
            stack += int(operands.rpartition("#")[2])
    calls = re.findall(r"R_ARM_THM_CALL\s+(\w+)", body)
    return Code(size, stack, cycles, tuple(calls))


def _cycles(mnemonic: str, operands: str) -> int:
    if mnemonic in ("vdiv", "vsqrt"):
        return 14
    if mnemonic in ("vldr", "vstr", "ldr", "str"):
        return 2
    if mnemonic in ("vfma", "vfms", "vfnma", "vfnms", "vmla", "vmls"):
        return 3
    if mnemonic in ("push", "pop", "stmdb", "ldmia", "vpush", "vpop", "ldrd", "strd"):
        return 1 + (2 if mnemonic.endswith("rd") else _registers(operands)) + (BRANCH - 1) * ("pc" in operands)
    return BRANCH if mnemonic in ("b", "bl", "bx", "bls", "bhi") else 1


def _registers(operands: str) -> int:
    """How many registers a list in braces has."""
    count = 0
    for part in operands[operands.index("{") + 1 : operands.index("}")].split(", "):
        numbers = [int(x) for x in re.findall(r"\d+", part)]
        count += numbers[1] - numbers[0] + 1 if "-" in part else 1
    return count


def main(*names: str) -> None:
    """Prints a table in Markdown."""
    print("| robot | function | made by | code [bytes] | stack [bytes] | cycles |\n|---|---|---|---|---|---|")
    for name in names or (*dynamis.robots(), *estimates()):
        with tempfile.TemporaryDirectory() as folder:
            path, robot = Path(folder), numeric(dynamis.load(name))
            stem = dynamis.export(robot, "cortex-m", path / "library", functions=FUNCTIONS).name
            dynamis.export(robot, "c", path / "c", functions=FUNCTIONS)
            command = f"{COMPILER} -I {path}/c -D{stem.upper()}_FLOAT -c -o {path}/c.o {path}/c/{stem}.c"
            subprocess.run(command.split(), check=True)
            for made, file in (("library", path / f"library/cortex-m4f/lib{stem}.a"), ("C", path / "c.o")):
                for function, code in functions(file).items():
                    label = function.removeprefix(f"{stem}_")
                    more = "".join(f" + {n} {x}" for x, n in sorted(Counter(code.calls).items()))
                    cells = (name, label, made, code.size, code.stack, f"{code.cycles}{more}")
                    print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
