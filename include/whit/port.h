// SPDX-License-Identifier: MIT
// What a machine gives to the engine.
#ifndef WHIT_PORT_H
#define WHIT_PORT_H

#include <stdbool.h>
#include <stdint.h>

// The port's own header for constants: WHIT_FLASH marks an object that lives in program memory, and
// whit_flash_u8, whit_flash_u16, whit_flash_u32, whit_flash_ptr (arguments: address of such an object) and
// whit_flash_copy (to, from, len) read it; whit_flash_ptr has the type of the object that it reads.
#include "whit_flash.h"

#ifdef __cplusplus
extern "C" {
#endif

// Milliseconds since some moment, wraps.
uint32_t whit_port_now_ms(void);

// Microseconds, wraps; tells what a generator costs. May have any grain. Only applications with an idempotent generator need it.
uint32_t whit_port_now_us(void);

// Fills `to` with octets that an attacker cannot guess, different after each start (RFC 6528 section 3).
void whit_port_entropy(uint8_t *to, uint8_t len);

// Persistent memory: an array of octets that outlives power. Never-written octets are zero.
// A write is whole or not there, also when power goes in its middle. False: out of range, or the medium failed.
bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len);
bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len);

// What a span's `octets` are for octets of persistent memory (whit/driver.h). Where it is ordinary memory, their address in
// it, and a driver reads them as RAM. Where it is not, (const uint8_t *)(uintptr_t)address, and a driver of such a machine
// reads them with whit_port_persistent_read() or as it knows to.
const uint8_t *whit_port_persistent_at(uint16_t address);

#ifdef __cplusplus
}
#endif

#endif
