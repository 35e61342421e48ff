// SPDX-License-Identifier: MIT
// Digits of a floating point number: the fewest that read back as the same number, or fewer if a column shows fewer.
// The algorithm is that of Steele and White, and of Dybvig and Burger ("Printing Floating-Point Numbers Quickly and
// Accurately", 1996). All arithmetic is exact, on integers of 1152 bits. A page has no floating point instruction, and
// so needs no library of them.
#include <string.h>

#include "number.h"
#include "whit/database.h"

#define WORDS 36    // words of 32 bits: 2^54 times ten to the power of 324, and a digit more
#define FRACTION_BITS 52
#define EXPONENT_BIAS 1075    // the fraction is taken for an integer
#define EXPONENT_MAX 2047

struct big {
    uint8_t cnt;              // words in use; the highest is not 0
    uint32_t words[WORDS];    // the lowest first
};

static void big_of(struct big *big, uint64_t number, uint16_t shift)
{
    *big = (struct big){.cnt = 0};
    for (uint8_t i = 0; i < 64; i++, number >>= 1) {
        if (number & 1) {
            uint16_t bit = (uint16_t)(i + shift);
            big->words[bit / 32] |= (uint32_t)1 << bit % 32;
            big->cnt = (uint8_t)(bit / 32 + 1);
        }
    }
}

static void multiply_by_ten(struct big *big)
{
    uint64_t carry = 0;
    for (uint8_t i = 0; i < big->cnt; i++) {
        carry += (uint64_t)big->words[i] * 10;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        big->words[big->cnt++] = (uint32_t)carry;
}

static uint32_t word(const struct big *big, uint8_t i)
{
    return i < big->cnt ? big->words[i] : 0;
}

// -1, 0, 1: a_times * a + b_times * b is less than c, the same, greater.
static int8_t order(const struct big *a, uint8_t a_times, const struct big *b, uint8_t b_times, const struct big *c)
{
    uint8_t cnt = a->cnt > b->cnt ? a->cnt : b->cnt;
    cnt = cnt > c->cnt ? cnt : c->cnt;
    int8_t order = 0;
    uint64_t carry = 0;
    for (uint8_t i = 0; i < cnt; i++) {
        carry += (uint64_t)word(a, i) * a_times + (uint64_t)word(b, i) * b_times;
        uint32_t low = (uint32_t)carry, other = word(c, i);
        order = low == other ? order : low < other ? -1 : 1;
        carry >>= 32;
    }
    return carry != 0 ? 1 : order;
}

static void subtract(struct big *from, const struct big *what)
{
    uint64_t borrow = 0;
    for (uint8_t i = 0; i < from->cnt; i++) {
        uint64_t left = (uint64_t)from->words[i] - word(what, i) - borrow;
        from->words[i] = (uint32_t)left;
        borrow = left >> 63;
    }
    while (from->cnt != 0 && from->words[from->cnt - 1] == 0)
        from->cnt--;
}

// One more at its last digit.
static void round_up(struct number *number)
{
    while (number->cnt != 0 && number->digits[number->cnt - 1] == '9')
        number->cnt--;
    if (number->cnt != 0) {
        number->digits[number->cnt - 1]++;
        return;
    }
    number->digits[number->cnt++] = '1';
    number->point++;
}

// The number is `rest` / whole. A value nearer to it than gap / whole below, or `above` times that, reads back as it;
// so do the ends, if `even`.
struct interval {
    struct big rest, whole, gap;
    uint8_t above;
    bool even;
};

// True if the next power of ten, `times` of the rest's, is within reach.
static bool reaches(const struct interval *at, uint8_t times)
{
    return order(&at->rest, times, &at->gap, (uint8_t)(times * at->above), &at->whole) >= !at->even;
}

// Appends a digit. True: the number is complete.
static bool next_digit(struct number *number, struct interval *at, bool is_last)
{
    char digit = '0';
    multiply_by_ten(&at->rest);
    multiply_by_ten(&at->gap);
    for (; order(&at->rest, 1, &at->gap, 0, &at->whole) >= 0; digit++)
        subtract(&at->rest, &at->whole);
    number->digits[number->cnt++] = digit;
    bool low = order(&at->rest, 1, &at->gap, 0, &at->gap) < at->even, high = reaches(at, 1);
    if (!low && !high && !is_last)
        return false;
    int8_t half = order(&at->rest, 2, &at->gap, 0, &at->whole);
    bool nearest_is_above = half > 0 || (half == 0 && (digit & 1) != 0);
    if (low != high ? high : nearest_is_above)
        round_up(number);
    return true;
}

bool number_of_real(struct number *number, uint64_t bits, uint8_t most, uint8_t decimals)
{
    uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
    uint16_t exponent = (uint16_t)(bits >> FRACTION_BITS & EXPONENT_MAX);
    bool is_narrow = fraction == 0 && exponent > 1;    // the next number below is half as far as the one above
    *number = (struct number){.minus = bits >> 63 != 0};
    if (exponent == EXPONENT_MAX)
        return false;
    if (exponent == 0 && fraction == 0) {
        number->minus = false;
        return true;
    }
    fraction |= (uint64_t)(exponent != 0) << FRACTION_BITS;
    exponent = (uint16_t)(exponent + (exponent == 0));
    struct interval at = {.above = is_narrow ? 2 : 1, .even = fraction % 2 == 0};
    uint16_t up = exponent > EXPONENT_BIAS ? (uint16_t)(exponent - EXPONENT_BIAS) : 0;
    uint16_t down = exponent < EXPONENT_BIAS ? (uint16_t)(EXPONENT_BIAS - exponent) : 0;
    big_of(&at.rest, fraction, (uint16_t)(up + at.above));
    big_of(&at.whole, 1, (uint16_t)(down + at.above));
    big_of(&at.gap, 1, up);
    for (; reaches(&at, 1); number->point++)
        multiply_by_ten(&at.whole);
    for (; !reaches(&at, 10); number->point--) {    // as long as the first digit would be 0
        multiply_by_ten(&at.rest);
        multiply_by_ten(&at.gap);
    }
    int16_t room = decimals < QUERY_ANY_DIGITS ? (int16_t)(number->point + decimals) : most;
    if (room <= 0) {    // below the last place
        if (room == 0 && order(&at.rest, 2, &at.gap, 0, &at.whole) > 0)
            round_up(number);
        number->minus = number->minus && number->cnt != 0;
        return true;
    }
    while (!next_digit(number, &at, number->cnt + 1 >= room || number->cnt + 1 == REAL_DIGITS)) {
    }
    while (number->cnt != 0 && number->digits[number->cnt - 1] == '0')
        number->cnt--;
    return true;
}
