// SPDX-License-Identifier: MIT
// The engine at a pipe: frames are read from the standard input, and answers written to the standard output
// (tools/whit_lab/instruments/piped.py). The counted part runs inside of measured_turn(), for callgrind's
// --toggle-collect.
//   frames KEY      a file with the key of HTTPS, 32 octets
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

static const struct whit_network network = {
    // Identity of tools/whit_testbed/engine.py
    .mac = {2, 0, 0x5e, 0x10, 0, 1},
    .address = {10, 0, 0, 1},
    .gateway = {0, 0, 0, 0},
    .prefix_len = 8,
};

// One call of the engine; its octets follow.
struct turn {
    uint32_t now_ms;
    uint16_t len;    // octets of a frame; 0: time has passed
    uint16_t counted;
};
_Static_assert(sizeof(struct turn) == 8, "as piped.py packs it");

#define FRAME_MAX 1514
static uint8_t frame[FRAME_MAX];
static uint32_t clock_ms;
static uint8_t key_octets[32];

// Frames of a turn, each behind its length in two octets.
static struct {
    uint8_t octets[1 << 16];
    uint32_t len;
} out;

bool whit_driver_ready(void)
{
    return out.len + 2 + FRAME_MAX <= sizeof out.octets;
}

// it cuts no segments
uint16_t whit_driver_large(void)
{
    return 0;
}

void whit_driver_cut(uint16_t payload)
{
    (void)payload;
}

bool whit_driver_begin(uint16_t len)
{
    if (!whit_driver_ready())
        return false;
    memcpy(out.octets + out.len, &len, 2);
    out.len += 2;
    return true;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    (void)place;
    memcpy(out.octets + out.len, octets, len);
    out.len += len;
}

void whit_driver_end(void)
{
}

uint32_t whit_port_now_ms(void)
{
    return clock_ms;
}

uint32_t whit_port_now_us(void)
{
    return clock_ms * 1000;
}

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    static uint32_t seed = 1;
    while (len-- > 0) {
        seed = seed * 1664525u + 1013904223u;
        *to++ = (uint8_t)(seed >> 24);
    }
}

void whit_tls_key(uint8_t key[32])
{
    memcpy(key, key_octets, sizeof key_octets);
}

static inline void take(uint16_t len)
{
    if (len > 0) {
        whit_input(frame, len, clock_ms);
        whit_input_end(clock_ms);
    } else {
        whit_tick(clock_ms);
    }
    while (whit_output(clock_ms)) {
    }
}

__attribute__((noinline)) void measured_turn(uint16_t len)
{
    take(len);
}

static bool tell(void)
{
    uint32_t head[2] = {whit_next_ms(clock_ms), out.len};
    bool told = fwrite(head, sizeof head, 1, stdout) == 1 && fwrite(out.octets, 1, out.len, stdout) == out.len;
    out.len = 0;
    return told && fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    FILE *key = argc == 2 ? fopen(argv[1], "rb") : NULL;
    struct turn turn;

    if (key == NULL || fread(key_octets, sizeof key_octets, 1, key) != 1) {
        fprintf(stderr, "usage: frames KEY: expected a file with the 32 octets of a key\n");
        return 2;
    }
    fclose(key);
    for (bool begun = false; fread(&turn, sizeof turn, 1, stdin) == 1; begun = true) {
        clock_ms = turn.now_ms;
        if (!begun)
            whit_init(&network, clock_ms);
        if (turn.len > FRAME_MAX || fread(frame, 1, turn.len, stdin) != turn.len)
            return 1;
        if (turn.counted)
            measured_turn(turn.len);
        else
            take(turn.len);
        if (!tell())
            return 1;
    }
    return 0;
}
