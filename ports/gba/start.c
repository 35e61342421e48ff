// SPDX-License-Identifier: MIT
// From the console's power to main().
#include <stdint.h>

#include "registers.h"

#define WAITSTATES 0x4317    // ROM 3 cycles and 1, prefetched; save memory 8: supported by every cartridge
#define STACK_PAINT 0xc5

extern uint32_t data_start, data_end, data_load, bss_start, bss_end;
extern uint8_t whit_stack_bottom[];

int main(void);

// The cartridge's header. The console's own BIOS compares `logo` with its vendor's picture, which we may not
// distribute: the tool that writes a cartridge adds it. Emulators that skip the BIOS do not check it.
struct cartridge {
    uint32_t branch;    // ARM: b whit_reset
    uint8_t logo[156];
    char title[12], code[4], maker[2];
    uint8_t fixed, unit, device, reserved[7], version;
    uint8_t complement;    // complement of title to version
    uint8_t end[2];
};
#define TITLE_SUM ('W' + 'H' + 'I' + 'T' + 'C' + 'W' + 'H' + 'E' + '0' + '0' + 0x96)
__attribute__((section(".header"), used)) static const struct cartridge cartridge = {
    .branch = 0xea00002e,
    .title = "WHIT",
    .code = {'C', 'W', 'H', 'E'},
    .maker = {'0', '0'},
    .fixed = 0x96,
    .complement = (uint8_t)-(0x19 + TITLE_SUM),
};
_Static_assert(sizeof(struct cartridge) == 0xc0, "the branch leads past the header");

// The stack is painted, so that a look at it later shows how deep it went.
__attribute__((noreturn, used)) static void start(void)
{
    WAITCNT = WAITSTATES;
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end; to++)
        *to = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end; to++)
        *to = 0;

    main();
    for (;;) {
    }
}

// ARM state, as the BIOS leaves it. System mode with interrupts masked: one that is asked for ends a halt all the same.
__attribute__((naked, target("arm"), section(".reset"), used)) void whit_reset(void);
void whit_reset(void)
{
    __asm__ volatile("msr cpsr_c, #0x9f\n"
                     "ldr sp, =whit_stack_top\n"
                     "ldr r0, =whit_stack_bottom\n"
                     "ldr r1, =%c0\n"
                     "1: cmp r0, sp\n"
                     "strlo r1, [r0], #4\n"
                     "blo 1b\n"
                     "ldr r0, =%c1\n"
                     "bx r0\n"
                     ".ltorg\n" ::"i"(STACK_PAINT * 0x01010101u),
                     "i"(start));
}
