"""The processors that libraries are made for: their code, the flags that GCC has for them, and what emulates them."""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.apps.exports.machine_code import boards
from dynamis.compute.ir.portable.machine import Machine


@dataclass(frozen=True)
class Processor:
    """A processor: the folder of its library, its code, GCC's flags for it, and how a self-check is linked and run."""

    name: str
    machine: Machine
    flags: str
    run: str
    """The command that runs a program, whose path takes the place of {}."""
    link: str = ""


@dataclass(frozen=True)
class Family:
    """Processors that have a compiler in common, and what a self-check needs to start and to end on them."""

    compiler: str
    processors: tuple[Processor, ...]
    board: str
    link: str = ""
    script: str = ""
    """For the linker, where there is no operating system."""
    alone: bool = False
    """Whether memory is so small that functions are checked one at a time."""


BARE = "-ffreestanding -nostdlib -T board.ld"
ARM = "qemu-system-arm -nographic -semihosting -kernel {} 2>&1 -M"
RISC_V = "-M virt -bios none -nographic -kernel {}"
SMALL, LARGE = (f"-Wl,--defsym=stack_top={top}" for top in ("0x20004000", "0x20400000"))

FAMILIES = {
    "cortex-m": Family(
        "arm-none-eabi-gcc",
        (
            Processor(
                "cortex-m0plus", Machine("thumbv6m-unknown-none-eabi", "float", "cortex-m0plus", soft=True),
                "-mthumb -mcpu=cortex-m0plus", f"{ARM} microbit", SMALL,
            ),
            Processor(
                "cortex-m3", Machine("thumbv7m-unknown-none-eabi", "float", "cortex-m3", soft=True),
                "-mthumb -mcpu=cortex-m3", f"{ARM} mps2-an385", LARGE,
            ),
            # A fused operation takes three cycles there, a product and a sum one each.
            Processor(
                "cortex-m4f", Machine("thumbv7em-unknown-none-eabihf", "float", "cortex-m4"),
                "-mthumb -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard", f"{ARM} mps2-an386", LARGE,
            ),
            Processor(
                "cortex-m7", Machine("thumbv7em-unknown-none-eabihf", "double", "cortex-m7", fuses=True),
                "-mthumb -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard", f"{ARM} mps2-an500", LARGE,
            ),
        ),
        boards.CORTEX_M, BARE, boards.CORTEX_M_SCRIPT,
    ),
    "riscv": Family(
        "riscv64-unknown-elf-gcc",
        (
            Processor(
                "rv32imac", Machine("riscv32-unknown-elf", "float", features="+m,+a,+c", abi="ilp32", soft=True),
                "-march=rv32imac -mabi=ilp32", f"qemu-system-riscv32 {RISC_V}",
            ),
            Processor(
                "rv32imafc", Machine("riscv32-unknown-elf", "float", "", "+m,+a,+f,+c", fuses=True, abi="ilp32f"),
                "-march=rv32imafc -mabi=ilp32f", f"qemu-system-riscv32 {RISC_V}",
            ),
            Processor(
                "rv64gc", Machine("riscv64-unknown-elf", "double", "", "+m,+a,+f,+d,+c", True, "lp64d", reloc="pic"),
                "-march=rv64gc -mabi=lp64d -mcmodel=medany", f"qemu-system-riscv64 {RISC_V}",
            ),
        ),
        boards.RISC_V, BARE, boards.RISC_V_SCRIPT,
    ),
    "avr": Family(
        "avr-gcc",
        (
            # Its return address has three bytes on the stack; LLVM reckons with two.
            Processor(
                "atmega2560", Machine("avr", "float", "atmega2560", soft=True, gap=9),
                "-mmcu=atmega2560", "timeout 300 simavr -m atmega2560 -f 16000000 {}",
            ),
        ),
        boards.AVR, alone=True,
    ),
    "aarch64": Family(
        "aarch64-linux-gnu-gcc",
        (
            Processor(
                "elf", Machine("aarch64-unknown-linux-gnu", "double", fuses=True, reloc="pic"),
                "", "qemu-aarch64 {}", "-static",
            ),
        ),
        boards.HOST,
    ),
    "x86-64": Family(
        "cc", (Processor("elf", Machine("x86_64-unknown-linux-gnu", "double", reloc="pic"), "-m64", "{}"),), boards.HOST
    ),
}  # fmt: skip
"""By the name of the target."""
