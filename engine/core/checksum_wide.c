// SPDX-License-Identifier: MIT
// The sum of octets in RAM, by words as wide as the machine's registers: fast, where checksum_small.c is small.
#include <stddef.h>

#include "checksum.h"
#include "octets.h"

#define ALIGNED_MIN 64    // least length for which aligning the start pays

// Numbers in the machine's order. Their sum has its octets in this order too (RFC 1071 section 2 (B)).
typedef size_t __attribute__((may_alias)) aligned_word;
struct wire_word {
    size_t number;
} __attribute__((packed, may_alias));

// With the carry, which comes round.
static inline size_t add_word(size_t wide, size_t word)
{
    wide += word;
    return wide + (wide < word);
}

static inline size_t half_word(const uint8_t *octets)
{
    return ((const struct wire16 *)(const void *)octets)->number;
}

// From a long row of octets, those in front of the first word.
static const uint8_t *align(const uint8_t *octets, uint16_t *len, bool *odd, size_t *wide, uint16_t *sum)
{
    if (((uintptr_t)octets & 1) != 0) {
        *sum = checksum_add(*sum, *odd ? *octets : (uint16_t)(*octets << 8));
        *odd = !*odd;
        octets++;
        --*len;
    }
    for (; (uintptr_t)octets % sizeof(aligned_word) != 0; octets += 2) {
        *wide += half_word(octets);
        *len = (uint16_t)(*len - 2);
    }
    return octets;
}

static uint16_t sum_of_words(size_t wide, bool odd)
{
    uint64_t words = wide;
    words = (words >> 32) + (uint32_t)words;
    uint16_t sum = checksum_fold((uint32_t)((words >> 16) + (uint16_t)words));
    return REVERSED != odd ? checksum_swap(sum) : sum;
}

uint16_t checksum_octets(uint16_t sum, const uint8_t *octets, uint16_t len, bool odd)
{
    size_t wide = 0;
    if (len >= ALIGNED_MIN) {
        octets = align(octets, &len, &odd, &wide, &sum);
        for (; len >= 4 * sizeof(size_t); len = (uint16_t)(len - 4 * sizeof(size_t)), octets += 4 * sizeof(size_t)) {
            const aligned_word *words = (const void *)octets;
            wide = add_word(add_word(add_word(add_word(wide, words[0]), words[1]), words[2]), words[3]);
        }
    }
    for (; len >= sizeof(size_t); len = (uint16_t)(len - sizeof(size_t)), octets += sizeof(size_t))
        wide = add_word(wide, ((const struct wire_word *)(const void *)octets)->number);
    if ((len & 4) != 0) {    // a word has 8
        wide = add_word(wide, ((const struct wire32 *)(const void *)octets)->number);
        octets += 4;
    }
    if ((len & 2) != 0) {
        wide = add_word(wide, half_word(octets));
        octets += 2;
    }
    if ((len & 1) != 0)
        wide = add_word(wide, REVERSED ? *octets : (size_t)*octets << 8);
    return checksum_add(sum, sum_of_words(wide, odd));
}

// Five numbers have no carry where a register has 64 bits.
static inline size_t add_number(size_t wide, const struct wire32 *number)
{
    return sizeof wide > sizeof number->number ? wide + number->number : add_word(wide, number->number);
}

// The sum before it goes first, so that one fold is enough.
uint16_t checksum_20(uint16_t sum, const uint8_t *octets)
{
    const struct wire32 *words = (const void *)octets;
    size_t wide = add_number(add_number(REVERSED ? checksum_swap(sum) : sum, &words[0]), &words[1]);
    uint64_t carried = add_number(add_number(add_number(wide, &words[2]), &words[3]), &words[4]);
    uint16_t all = checksum_fold(checksum_halves((uint32_t)carried) + (uint32_t)(carried >> 32));
    return REVERSED ? checksum_swap(all) : all;
}
