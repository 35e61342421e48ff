// SPDX-License-Identifier: MIT
// The source of the engine's secret: the processor's generator, if it has one. Otherwise it is the time that a read of
// the timer takes, in steps of the time stamp. Bus and processor have different clocks. Their ratio, the contents of
// caches and the work of the machine's own firmware are unknown outside. SAMPLES of the times are hashed; a tenth of a
// bit each would be enough. Both sources are hashed together, so that a bad generator does no harm.
#include <string.h>

#include "board.h"
#include "io.h"
#include "pc.h"
#include "whit/port.h"

#define STATE_WORDS 4
#define SAMPLES 4096
#define DIFFERENT_MIN 256    // samples that differ from the one before: with fewer the clocks are in step
#define RETRIES 16    // retries of RDRAND (Intel, "Digital Random Number Generator Software Implementation Guide": 10)

static inline uint32_t rotated(uint32_t word, uint8_t by)
{
    return word << by | word >> (32 - by);
}

// A quarter round of ChaCha (RFC 8439, section 2.1).
static void stir(uint32_t s[STATE_WORDS])
{
    s[0] += s[1];
    s[3] = rotated(s[3] ^ s[0], 16);
    s[2] += s[3];
    s[1] = rotated(s[1] ^ s[2], 12);
    s[0] += s[1];
    s[3] = rotated(s[3] ^ s[0], 8);
    s[2] += s[3];
    s[1] = rotated(s[1] ^ s[2], 7);
}

static bool rdrand(uint32_t *word)
{
    uint8_t good = 0;
    for (uint8_t i = 0; i < RETRIES && good == 0; i++)
        __asm__ volatile("rdrand %0\nsetc %1" : "=r"(*word), "=q"(good) : : "cc");
    return good != 0;
}

// Hashes numbers of RDRAND. After a sleep of the processor, some generators repeat one answer for ever.
static bool stir_rdrand(uint32_t s[STATE_WORDS])
{
    uint32_t before = 0, word = 0;
    uint8_t different = 0;
    if ((cpuid(1).c & CPUID_RDRAND) == 0)
        return false;
    for (uint8_t i = 0; i < 16; i++) {
        if (!rdrand(&word))
            return false;
        different = (uint8_t)(different + (word != before));
        before = word;
        s[0] ^= word;
        stir(s);
    }
    return different > 14;
}

static bool stir_jitter(uint32_t s[STATE_WORDS])
{
    uint32_t before = 0, different = 0;
    uint64_t then = time_stamp();
    for (uint16_t i = 0; i < SAMPLES; i++) {
        in_8(PIT);
        uint64_t now = time_stamp();
        uint32_t took = (uint32_t)(now - then);
        different += took != before;
        before = took;
        then = now;
        s[0] ^= took;
        stir(s);
    }
    return different >= DIFFERENT_MIN;
}

static enum entropy_source source;

enum entropy_source entropy_source(void)
{
    return source;
}

// At most 16 octets. The engine calls it once.
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    uint32_t s[STATE_WORDS] = {0x74696857, 0x6f726620, 0x6874206d, 0x676e6968};
    bool jitters = stir_jitter(s), generates = stir_rdrand(s);
    if (!jitters && !generates)
        board_end("no source of entropy; without it nobody is safe from forged connections");
    source = generates ? ENTROPY_RDRAND : ENTROPY_JITTER;
    for (uint8_t i = 0; i < 20; i++) {
        s[i % STATE_WORDS] += i;
        stir(s);
    }
    memcpy(to, s, len < sizeof s ? len : sizeof s);
}
