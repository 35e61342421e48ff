// SPDX-License-Identifier: MIT
// The contract of a machine: functions that the engine calls, and that the linker binds. The first half is required.
// The second half is optional: each part names the feature that makes the engine call it.
//
// Main loop only: the engine calls none of these from an interrupt. whit/driver.h sketches the order of calls.
#ifndef WHIT_PORT_H
#define WHIT_PORT_H

#include <stdbool.h>
#include <stdint.h>

// The port's own header for constants: WHIT_FLASH marks an object that lives in program memory, and
// whit_flash_u8, whit_flash_u16, whit_flash_u32, whit_flash_ptr (arguments: address of such an object) and
// whit_flash_copy (to, from, len) read it; whit_flash_ptr has the type of the object that it reads.
#include "whit_flash.h"
#include "whit/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------ required

// Milliseconds since an arbitrary moment, modulo 2^32.
uint32_t whit_port_now_ms(void);

// Fills `to` with octets that an attacker cannot guess, different after each start (RFC 6528 section 3). whit_init()
// calls it first.
void whit_port_entropy(uint8_t *to, uint8_t len);

// ------------------------------------------------------------------------------------------------ optional

// [persistent] or [stored] in app.toml, or WS-Security.
//
// Persistent memory: an array of octets that survives loss of power. Octets that were never written are zero.
// A write takes effect as a whole or not at all, also if power fails meanwhile. False: out of range, or the medium
// failed.
bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len);
bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len);

// [stored] in app.toml.
//
// A write that takes effect with the next whit_port_persistent_write() at the latest: power that fails before that one
// returns may leave all of it, parts of it or nothing. A read returns it at once. Where each write goes to a disk, it
// waits; elsewhere it may be a write.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len);

// The `octets` of whit_driver_put() that are in persistent memory (whit/driver.h). If persistent memory is mapped: a
// pointer to them, and the driver reads them like RAM. If not: (const uint8_t *)(uintptr_t)address, and the driver
// reads them with whit_port_persistent_read() or in its own way.
const uint8_t *whit_port_persistent_at(uint16_t address);

// Idempotent generators.
//
// Microseconds, modulo 2^32, of any resolution: measures the run of a generator.
uint32_t whit_port_now_us(void);

// WS-Security.
//
// Seconds since 1970, UTC, or 0 where there is no clock that tells: then time is counted from what callers who have
// proved themselves say (docs/services.md).
uint32_t whit_port_unix_s(void);

// HTTPS, or services that sign their replies.
//
// The key, a scalar of P-256, big-endian. The engine asks for it when it makes a signature, and forgets it then. Where
// nobody has put a key, the port gives what is no such scalar, and the handshake is refused.
void whit_tls_key(uint8_t key[32]);

// WHIT_HAS_LOG (whit/config.h).
//
// Writes a line of the request log to the console: `len` octets of printable ASCII, the last one is a line feed. It
// must not wait: where the console is slow, the port drops whole lines and says later how many.
void whit_port_log(const char *line, uint16_t len);

// WHIT_HAS_PORT_HASH (whit/config.h).
//
// A keyed hash of x and y by the machine's own cipher: whoever does not know the key can foretell nothing of it. Its
// time depends on no secret. key: the same 128 bits until the next start. False: this machine has none.
bool whit_port_hash(const uint32_t key[4], uint32_t x, uint32_t y, uint32_t *low, uint32_t *high);

#ifdef __cplusplus
}
#endif

#endif
