// SPDX-License-Identifier: MIT
// The engine as a shared library, driven by a program that owns time and both ends of the link.
#ifndef WHIT_INPROCESS_H
#define WHIT_INPROCESS_H

#include <stdint.h>

#define WHIT_INPROCESS_FRAMES 256
#define WHIT_INPROCESS_FRAME_MAX 1600
#define WHIT_INPROCESS_LARGE_MAX 16384

// Pops the oldest frame that the engine sent. Returns its octets. 0: `capacity` is too small for it, and it stays. -1:
// there is no frame. -2: the engine broke the contract of whit/driver.h, from then on.
int whit_inprocess_take(uint8_t *to, int capacity);

// Enables hardware that sums and cuts segments of up to `payload` octets, WHIT_INPROCESS_LARGE_MAX at most; 0, the
// default: none.
void whit_inprocess_large(int payload);

// Returns the octets of payload of each segment that the last popped frame is to be cut into; 0: it is not such a
// frame.
int whit_inprocess_cut(void);

// Sets the number of queued frames at which the driver refuses: 0..WHIT_INPROCESS_FRAMES, which is the default.
void whit_inprocess_limit(int frames);

// Empties the queue and lifts the limit. Persistent memory stays, as over a reset of a device.
void whit_inprocess_reset(void);

// Sets the return value of whit_port_now_ms().
void whit_inprocess_clock(uint32_t now_ms);

// Simulates the time of an expensive generator, on whit_port_now_us().
void whit_inprocess_spend(uint32_t us);

// The key of HTTPS, of an image with it.
extern uint8_t whit_inprocess_key[32];

// The same seed gives the same entropy.
void whit_inprocess_seed(uint32_t seed);

// Seconds since 1970 at 0 ms of the clock; 0: there is no such clock.
void whit_inprocess_unix(uint32_t unix_s);

// Persistent memory, WHIT_PERSISTENT_SIZE octets. After `n` further writes every write fails; -1: none does.
uint8_t *whit_inprocess_persistent(void);
void whit_inprocess_persistent_fail_after(int n);

// A counter of whit/engine.h, whatever its width.
unsigned whit_inprocess_counter(unsigned counter);

// Copies the lines of the request log since the last call, in a build with one. Returns their octets.
int whit_inprocess_log(char *to, int capacity);

// Times that the application wrote to persistent memory with success.
uint32_t whit_inprocess_persistent_writes(void);

void whit_broken(const char *what);    // engine/core/limits.h

#endif
