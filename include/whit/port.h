// SPDX-License-Identifier: MIT
// The contract of a machine: functions that the engine calls, and that the linker binds. The first half is required.
// The second half is optional: each part names the feature that makes the engine call it.
//
// Main loop only: the engine calls none of these functions from an interrupt. whit/driver.h sketches the order of
// calls.
#ifndef WHIT_PORT_H
#define WHIT_PORT_H

#include <stdbool.h>
#include <stdint.h>

// The port's header for constants. WHIT_FLASH marks an object in program memory. These functions read it:
// whit_flash_u8, whit_flash_u16, whit_flash_u32, whit_flash_ptr (arguments: address of such an object) and
// whit_flash_copy (to, from, len). whit_flash_ptr has the type of the object that it reads.
#include "whit_flash.h"
#include "whit/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------ required

// Returns milliseconds since an arbitrary moment, modulo 2^32.
uint32_t whit_port_now_ms(void);

// Fills `to` with `len` bytes that an attacker cannot guess, different after each start (RFC 6528 section 3).
// whit_init() calls it first.
void whit_port_entropy(uint8_t *to, uint8_t len);

// ------------------------------------------------------------------------------------------------ optional

// [persistent] or [stored] in app.toml, or WS-Security.
//
// Read and write persistent memory: an array of bytes that survives loss of power. Bytes that were never written are
// zero. A write takes effect as a whole or not at all, also if power fails during the write. False: out of range, or
// the medium failed.
bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len);
bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len);

// [stored] in app.toml.
//
// Writes bytes that take effect with the next whit_port_persistent_write() at the latest. If power fails before that
// one returns, all of them, a part or none may be written. A read returns them at once. A port may buffer the bytes
// where each write goes to a disk; elsewhere it may write them at once. False: out of range, or the medium failed.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len);

// Returns the `octets` argument of whit_driver_put() for bytes in persistent memory (whit/driver.h). If persistent
// memory is mapped: a pointer to them, which the driver reads like RAM. If not: (const uint8_t *)(uintptr_t)address;
// the driver reads them with whit_port_persistent_read() or in its own way.
const uint8_t *whit_port_persistent_at(uint16_t address);

// Idempotent generators.
//
// Returns microseconds, modulo 2^32, of any resolution. The engine measures generators with it.
uint32_t whit_port_now_us(void);

// WS-Security.
//
// Returns seconds since 1970, UTC; 0 if the machine has no clock. Without a clock, the engine derives the time from
// messages of authenticated callers (docs/services.md).
uint32_t whit_port_unix_s(void);

// HTTPS, or services that sign their replies.
//
// Copies the private key to `key`: a scalar of P-256, big-endian. The engine calls it for each signature and wipes its
// copy afterwards. Without a key, the port returns an invalid scalar, and the engine refuses the handshake.
void whit_tls_key(uint8_t key[32]);

// WHIT_HAS_LOG (whit/config.h).
//
// Writes a line of the request log to the console: `len` bytes of printable ASCII, the last one is a line feed. It must
// not wait: if the console is slow, the port drops whole lines and later writes how many.
void whit_port_log(const char *line, uint16_t len);

// WHIT_HAS_PORT_HASH (whit/config.h).
//
// Computes a keyed hash of x and y with the machine's own cipher. Without the key the result is unpredictable. The run
// time does not depend on secrets. key: the same 128 bits until the next start. False: this machine has no cipher.
bool whit_port_hash(const uint32_t key[4], uint32_t x, uint32_t y, uint32_t *low, uint32_t *high);

#ifdef __cplusplus
}
#endif

#endif
