// SPDX-License-Identifier: MIT
// Clocks of the Arduino core, and what ports/avr wants to know of memory (entropy.c).
#include <Arduino.h>
#include <Whit.h>

// Octets at the top of RAM that the stack may use; what lies below, behind the last variable, is hashed for the secret.
#define STACK_LEN 1024
#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
__asm__(".global whit_stack_bottom\n"
        ".set whit_stack_bottom, " TEXT(RAMEND) " + 1 - " TEXT(STACK_LEN) "\n");

uint32_t whit_port_now_ms() { return millis(); }

uint32_t whit_port_now_us() { return micros(); }
