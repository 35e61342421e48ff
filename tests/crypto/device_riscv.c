// SPDX-License-Identifier: MIT
// A RISC-V of QEMU's virt machine, whose emulator has loaded all into RAM, prints by its UART in hexadecimal.
#include <stdint.h>

#include "riscv/machine.h"

#define DONE 0x5555u    // value for the test finisher: the emulation ends with success

int main(void);
void start_telling(void);
void tell(uint8_t octet);
_Noreturn void finish(void);

void start_telling(void)
{
}

void tell(uint8_t octet)
{
    for (int shift = 4; shift >= 0; shift -= 4)
        REGISTER_8(UART0) = (uint8_t)"0123456789abcdef"[octet >> shift & 15];
}

_Noreturn void finish(void)
{
    for (;;)
        REGISTER(TEST) = DONE;
}

// The symbols of the C library's linker script. RAM is zero when the emulator starts.
extern uint8_t __data_start[], __data_end[];
extern const uint8_t __data_source[];

__attribute__((used)) _Noreturn static void start(void)
{
    const uint8_t *from = __data_source;
    for (uint8_t *to = __data_start; to < __data_end; to++)
        *to = *from++;
    (void)main();
    finish();
}

void _start(void);
__attribute__((naked, section(".text.init.enter"), used)) void _start(void)
{
    __asm__("la sp, __stack\n"
            "j start\n");
}
