// SPDX-License-Identifier: MIT
// The sum that verifies a signature, at once: both numbers in digits that are odd or 0, most of them 0, and some
// negative. Their time depends on the numbers, of which none is a secret.
#ifndef P256_SUM_H
#define P256_SUM_H

#include "p256_multiples.h"

#define DIGITS 257
#define WIDTH_G 6    // bits: digits to 31
#define WIDTH_Q 2    // 1 and -1

static void digits_of(int8_t digits[DIGITS], const uint32_t number[8], uint8_t width)
{
    uint8_t carry = 0;
    memset(digits, 0, DIGITS);
    for (uint16_t at = 0; at < 256;) {
        uint64_t bits = number[at / 32] | (at < 224 ? (uint64_t)number[at / 32 + 1] << 32 : 0);
        uint8_t digit = (uint8_t)((bits >> at % 32 & ((1u << width) - 1)) + carry);
        if ((digit & 1) == 0) {
            at++;
            continue;
        }
        carry = digit >> (width - 1) & 1;
        digits[at] = (int8_t)(digit - (carry << width));
        at = (uint16_t)(at + width);
    }
    digits[256] = (int8_t)carry;
}

static void add_digit(struct whit_p256_check *c, int8_t digit, const uint32_t x[8], const uint32_t y[8])
{
    uint32_t negative[8];
    u256_set32(negative, 0);
    if (digit < 0)
        m256_sub_p(negative, negative, y);
    check_add(c, x, digit < 0 ? negative : y);
}

static bool check_sum(struct whit_p256_check *c, slice_left left)
{
    int8_t digits[2][DIGITS];
    (void)left;
    digits_of(digits[0], c->u[0], WIDTH_G);
    digits_of(digits[1], c->u[1], WIDTH_Q);
    for (uint16_t at = DIGITS; at-- != 0;) {
        int8_t g = digits[0][at], q = digits[1][at];
        point_double(c->x, c->y, c->z);
        if (g != 0)
            add_digit(c, g, p256_multiples[(g < 0 ? -g : g) / 2][0], p256_multiples[(g < 0 ? -g : g) / 2][1]);
        if (q != 0)
            add_digit(c, q, c->point[0], c->point[1]);
    }
    return true;
}

#endif
