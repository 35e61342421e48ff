// SPDX-License-Identifier: MIT
// Instructions on an emulated Cortex-M3: QEMU counts them as time (-icount shift=0: a nanosecond each), and a timer of
// the board reads that time. Prints a line: a name, and in hexadecimal the instructions of all slices, of the longest
// slice, and the number of slices.
#include <stdint.h>
#include <string.h>

extern uint32_t data_start, data_end, data_load, bss_start, bss_end, whit_stack_top;

#define TIMER ((volatile uint32_t *)0x40000000u)    // CMSDK: control, value, reload
enum { CONTROL, VALUE, RELOAD };
#define TICK 40u    // instructions: of 25 MHz

enum { SYS_WRITE0 = 0x04, SYS_EXIT = 0x18 };
#define APPLICATION_EXIT 0x20026u

static void ask(uint32_t operation, uintptr_t argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register uintptr_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void tell_text(const char *text)
{
    ask(SYS_WRITE0, (uintptr_t)text);
}

static void tell_number(uint32_t number)
{
    char text[10] = " ";
    for (uint8_t i = 0; i < 8; i++)
        text[1 + i] = "0123456789abcdef"[number >> (28 - 4 * i) & 15];
    tell_text(text);
}

static struct slices {
    uint32_t all, longest, cnt;
} slices;

static uint32_t now(void)
{
    return UINT32_MAX - TIMER[VALUE];
}

static void took(uint32_t began)
{
    uint32_t cost = (now() - began) * TICK;
    slices.all += cost;
    slices.longest = cost > slices.longest ? cost : slices.longest;
    slices.cnt++;
}

static void told(const char *name)
{
    tell_text(name);
    tell_number(slices.all);
    tell_number(slices.longest);
    tell_number(slices.cnt);
    tell_text("\n");
    memset(&slices, 0, sizeof slices);
}

int main(void);

_Noreturn static void reset(void)
{
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end; to++)
        *to = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end; to++)
        *to = 0;
    TIMER[RELOAD] = TIMER[VALUE] = UINT32_MAX;
    TIMER[CONTROL] = 1;
    (void)main();
    for (;;)
        ask(SYS_EXIT, APPLICATION_EXIT);
}

__attribute__((section(".vectors"), used)) static const void *const vector_table[16] = {&whit_stack_top,
                                                                                        (const void *)reset};
