// SPDX-License-Identifier: MIT
// X25519 (RFC 7748) for processors that multiply 64 bits by 64. Numbers modulo 2^255 - 19 have five digits of 51 bits;
// the whole ladder is one step. No branch and no address depends on the secret.
#include <string.h>

#include "whit/crypto.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "octets are words");
__extension__ typedef unsigned __int128 wide;
typedef uint64_t number[5];    // reduced: digits below 2^51 + 2^16; of a sum or a difference of such below 2^53

#define LOW51 UINT64_C(0x7ffffffffffff)

static void number_load(number z, const uint8_t from[32])
{
    uint64_t w[4];
    memcpy(w, from, sizeof w);
    z[0] = w[0] & LOW51;
    z[1] = (w[0] >> 51 | w[1] << 13) & LOW51;
    z[2] = (w[1] >> 38 | w[2] << 26) & LOW51;
    z[3] = (w[2] >> 25 | w[3] << 39) & LOW51;
    z[4] = w[3] >> 12 & LOW51;    // the highest bit is not looked at (section 5)
}

static void number_carry(number z)
{
    for (uint8_t i = 0; i < 4; i++) {
        z[i + 1] += z[i] >> 51;
        z[i] &= LOW51;
    }
    z[0] += 19 * (z[4] >> 51);
    z[4] &= LOW51;
}

// Reduces a number below 2^255 - 19. Carried twice it is below 2^255, and `over` is 1 if it is at least 2^255 - 19.
// Then 19 is added, and the bit 255 that this sets is dropped.
static void number_store(uint8_t to[32], const number x)
{
    number z;
    uint64_t w[4], over = 19;
    memcpy(z, x, sizeof z);
    number_carry(z);
    number_carry(z);
#pragma GCC unroll 5
    for (uint8_t i = 0; i < 5; i++)
        over = (z[i] + over) >> 51;
    z[0] += 19 * over;
    for (uint8_t i = 0; i < 4; i++) {
        z[i + 1] += z[i] >> 51;
        z[i] &= LOW51;
    }
    z[4] &= LOW51;
    w[0] = z[0] | z[1] << 51;
    w[1] = z[1] >> 13 | z[2] << 38;
    w[2] = z[2] >> 26 | z[3] << 25;
    w[3] = z[3] >> 39 | z[4] << 12;
    memcpy(to, w, sizeof w);
    whit_wipe(z, sizeof z);
}

static inline void number_add(number z, const number x, const number y)
{
#pragma GCC unroll 5
    for (uint8_t i = 0; i < 5; i++)
        z[i] = x[i] + y[i];
}

// Computes x + 2 (2^255 - 19) - y for a reduced y, so that no digit is negative.
static inline void number_sub(number z, const number x, const number y)
{
    z[0] = x[0] + 2 * (LOW51 - 18) - y[0];
    for (uint8_t i = 1; i < 5; i++)
        z[i] = x[i] + 2 * LOW51 - y[i];
}

// Reduces sums of products below 2^114.
static inline void number_reduce(number z, wide t[5])
{
    uint64_t carry = 0;
#pragma GCC unroll 5
    for (uint8_t i = 0; i < 5; i++) {
        t[i] += carry;
        z[i] = (uint64_t)t[i] & LOW51;
        carry = (uint64_t)(t[i] >> 51);
    }
    z[0] += 19 * carry;
    z[1] += z[0] >> 51;
    z[0] &= LOW51;
}

static inline void number_mul(number z, const number x, const number y)
{
    uint64_t a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], b19 = 19 * b, c19 = 19 * c, d19 = 19 * d, e19 = 19 * e;
    wide t[5];
    t[0] = (wide)a * y[0] + (wide)b19 * y[4] + (wide)c19 * y[3] + (wide)d19 * y[2] + (wide)e19 * y[1];
    t[1] = (wide)a * y[1] + (wide)b * y[0] + (wide)c19 * y[4] + (wide)d19 * y[3] + (wide)e19 * y[2];
    t[2] = (wide)a * y[2] + (wide)b * y[1] + (wide)c * y[0] + (wide)d19 * y[4] + (wide)e19 * y[3];
    t[3] = (wide)a * y[3] + (wide)b * y[2] + (wide)c * y[1] + (wide)d * y[0] + (wide)e19 * y[4];
    t[4] = (wide)a * y[4] + (wide)b * y[3] + (wide)c * y[2] + (wide)d * y[1] + (wide)e * y[0];
    number_reduce(z, t);
}

static inline void number_square(number z, const number x)
{
    uint64_t a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], a2 = 2 * a, b2 = 2 * b, d19 = 19 * d, e19 = 19 * e;
    wide t[5];
    t[0] = (wide)a * a + (wide)b2 * e19 + (wide)(2 * c) * d19;
    t[1] = (wide)a2 * b + (wide)(2 * c) * e19 + (wide)d * d19;
    t[2] = (wide)a2 * c + (wide)b * b + (wide)(2 * d) * e19;
    t[3] = (wide)a2 * d + (wide)b2 * c + (wide)e * e19;
    t[4] = (wide)a2 * e + (wide)b2 * d + (wide)c * c;
    number_reduce(z, t);
}

static inline void number_times(number z, const number x, uint32_t by)
{
    wide t[5];
#pragma GCC unroll 5
    for (uint8_t i = 0; i < 5; i++)
        t[i] = (wide)x[i] * by;
    number_reduce(z, t);
}

static inline void number_swap(number x, number y, uint64_t digit)
{
#pragma GCC unroll 5
    for (uint8_t i = 0; i < 5; i++) {
        uint64_t differs = (x[i] ^ y[i]) & (0 - digit);
        x[i] ^= differs;
        y[i] ^= differs;
    }
}

// z = x^(2^times) * y
static void number_raise(number z, const number x, uint8_t times, const number y)
{
    number power;
    memcpy(power, x, sizeof power);
    while (times-- > 0)
        number_square(power, power);
    number_mul(z, power, y);
    whit_wipe(power, sizeof power);
}

// x^(2^255 - 21), which is 1 / x. A power of 2^n - 1 is n ones.
static void number_invert(number x)
{
    number x11, ones5, a, b;
    number_raise(a, x, 3, x);            // 9
    number_raise(x11, x, 1, a);          // 11
    number_raise(ones5, x11, 1, a);      // 31
    number_raise(a, ones5, 5, ones5);    // 10 ones
    number_raise(b, a, 10, a);           // 20
    number_raise(b, b, 20, b);
    number_raise(a, b, 10, a);    // 50
    number_raise(b, a, 50, a);    // 100
    number_raise(b, b, 100, b);
    number_raise(a, b, 50, a);    // 250
    number_raise(x, a, 5, x11);
    whit_wipe(a, sizeof a);
    whit_wipe(b, sizeof b);
    whit_wipe(ones5, sizeof ones5);
    whit_wipe(x11, sizeof x11);
}

// A digit: (P2, P3) becomes (2 P2, P2 + P3), as section 5 has it.
static inline void ladder_digit(number p[4], const number x1)
{
    number sum, difference, t, u;
    number_add(sum, p[0], p[1]);
    number_sub(difference, p[0], p[1]);
    number_add(t, p[2], p[3]);
    number_sub(u, p[2], p[3]);
    number_mul(t, t, difference);
    number_mul(u, u, sum);
    number_add(p[2], t, u);
    number_square(p[2], p[2]);
    number_sub(p[3], t, u);
    number_square(p[3], p[3]);
    number_mul(p[3], p[3], x1);
    number_square(sum, sum);
    number_square(difference, difference);
    number_mul(p[0], sum, difference);
    number_sub(u, sum, difference);
    number_times(t, u, 121666);
    number_add(t, t, difference);
    number_mul(p[1], u, t);
}

void whit_x25519_begin(struct whit_ladder *ladder, const uint8_t *point)
{
    (void)point;
    memset(ladder, 0, sizeof *ladder);
}

bool whit_x25519_step(struct whit_ladder *ladder, uint8_t result[32], const uint8_t secret[32], const uint8_t *point)
{
    number p[4] = {{1}, {0}, {9}, {1}}, x1 = {9};    // X and Z of both points
    uint64_t digit, before = 0;
    (void)ladder;
    if (point != NULL) {
        number_load(x1, point);
        memcpy(p[2], x1, sizeof x1);
    }
    for (uint8_t at = 254; at != 255; at--, before = digit) {
        digit = at == 254 ? 1 : at < 3 ? 0 : secret[at >> 3] >> (at & 7) & 1;
        number_swap(p[0], p[2], digit ^ before);
        number_swap(p[1], p[3], digit ^ before);
        ladder_digit(p, x1);
    }
    number_invert(p[1]);    // the last digits are 0: nothing is to be swapped back
    number_mul(p[0], p[0], p[1]);
    number_store(result, p[0]);
    whit_wipe(p, sizeof p);
    return true;
}

void whit_x25519_public(uint8_t point[32], const uint8_t secret[32])
{
    (void)whit_x25519_step(NULL, point, secret, NULL);
}

bool whit_x25519(uint8_t shared[32], const uint8_t secret[32], const uint8_t point[32])
{
    static const uint8_t zero[32];
    (void)whit_x25519_step(NULL, shared, secret, point);
    return !whit_equal(shared, zero, sizeof zero);
}
