"""What a self-check needs of the machine that it runs on: a start, a line of text out, an end. No C library."""

CORTEX_M = """/* A Cortex-M in QEMU: the vector table, the floating-point unit, text and exit by semihosting. */
extern char stack_top;
int main(void);

static int host(int operation, const void *value)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = value;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void put(const char *text) { host(0x04, text); }

void reset(void)
{
#ifdef __ARM_FP
    *(volatile unsigned *)0xE000ED88 |= 0xFu << 20;
    __asm__ volatile("dsb\\n isb");
#endif
    host(0x18, (const void *)(main() ? 0x20023 : 0x20026));
    for (;;) { }
}

static void fault(void)
{
    put("FAILED: the processor stopped\\n");
    host(0x18, (const void *)0x20023);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    &stack_top, (const void *)reset, (const void *)fault, (const void *)fault};
"""
CORTEX_M_SCRIPT = """/* Code at 0, as QEMU's boards have it; the stack ends at stack_top, which the Makefile sets. */
ENTRY(reset)
SECTIONS
{
    .text 0 : { KEEP(*(.vectors)) *(.text*) *(.rodata*) }
    .ARM.exidx : { *(.ARM.exidx*) }
    .data 0x20000000 : { *(.data*) *(.bss*) }
}
"""
RISC_V = """/* QEMU's board virt: the stack, the floating-point unit, text by its serial port, an exit. */
int main(void);

void put(const char *text)
{
    while (*text) *(volatile char *)0x10000000 = *text++;
}

__attribute__((used)) static void run(void)
{
    *(volatile unsigned *)0x100000 = main() ? 0x13333 : 0x5555;
    for (;;) { }
}

__attribute__((naked, used, section(".start"))) void start(void)
{
#ifdef __riscv_flen
    __asm__("li t0, 0x6000\\n csrs mstatus, t0");
#endif
    __asm__("la sp, stack_top\\n j run");
}
"""
RISC_V_SCRIPT = """ENTRY(start)
SECTIONS
{
    .text 0x80000000 : { KEEP(*(.start)) *(.text*) *(.rodata*) *(.srodata*) *(.data*) *(.sdata*) *(.bss*) *(.sbss*) }
    stack_top = 0x80800000;
}
"""
AVR = """/* An AVR in simavr: text by the serial port; it ends when the processor sleeps without interrupts. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

void put(const char *text)
{
    while (*text) {
        while (!(UCSR0A & (1 << UDRE0))) { }
        UDR0 = *text++;
    }
}

__attribute__((destructor)) static void finish(void)
{
    cli();
    sleep_mode();
}
"""
HOST = """/* A computer with an operating system. */
#include <stdio.h>

void put(const char *text) { fputs(text, stdout); }
"""
