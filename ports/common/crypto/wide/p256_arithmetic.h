// SPDX-License-Identifier: MIT
// P-256's arithmetic for processors that multiply 64 bits by 64. It replaces functions of p256-m, which use words of 32
// bits: the functions below have other names, and the same arguments and results. The rest of p256-m, its numbers
// included, is unchanged. As there, no branch and no address depends on a secret.
#ifndef P256_ARITHMETIC_H
#define P256_ARITHMETIC_H

#define SLICE 4000    // multiplications: some 200 instructions each
typedef uint16_t slice_left;
#define P256_SUM "wide/p256_sum.h"

#define m256_mul slow_mul
#define m256_mul_p slow_mul_p
#define m256_add slow_add
#define m256_add_p slow_add_p
#define m256_sub slow_sub
#define m256_sub_p slow_sub_p
#define m256_prep slow_prep
#define m256_done slow_done
#define m256_set32 slow_set32
#define m256_to_bytes slow_to_bytes
#define m256_from_bytes slow_from_bytes
#define point_check slow_point_check
#define point_double slow_double
#define point_add slow_point_add
#define point_from_bytes slow_point_from_bytes
#define ecdsa_m256_from_hash slow_from_hash
#define MBEDTLS_PSA_P256M_DRIVER_ENABLED
#include "p256-m.c"
#undef m256_mul
#undef m256_mul_p
#undef m256_add
#undef m256_add_p
#undef m256_sub
#undef m256_sub_p
#undef m256_prep
#undef m256_done
#undef m256_set32
#undef m256_to_bytes
#undef m256_from_bytes
#undef point_check
#undef point_double
#undef point_add
#undef point_from_bytes
#undef ecdsa_m256_from_hash

#include "limbs.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "two words of 32 bits are one of 64");

// Both moduli, and the factor of Montgomery's reduction modulo n: -1 / n modulo 2^64. Modulo p that is 1.
static const uint64_t limbs_p[4] = {0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001};
static const uint64_t limbs_n[4] = {0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000};
#define REDUCES_N UINT64_C(0xccd1c8aaee00bc4f)

INLINE void limbs_add(uint64_t z[4], const uint64_t y[4], const uint64_t m[4])
{
    limbs_reduce(z, limbs_more(z, y), m);
}

INLINE void limbs_sub(uint64_t z[4], const uint64_t y[4], const uint64_t m[4])
{
    uint64_t all = 0 - limbs_less(z, y), back[4] = {m[0] & all, m[1] & all, m[2] & all, m[3] & all};
    (void)limbs_more(z, back);
}

// z = (low + high * 2^256) / 2^256 modulo p. The remainder of the folded low half is at most p.
INLINE void limbs_end_p(uint64_t z[4], uint64_t low[4], const uint64_t high[4])
{
    limbs_fold_p(&low[0], &low[1], &low[2], &low[3]);
    limbs_fold_p(&low[1], &low[2], &low[3], &low[0]);
    limbs_fold_p(&low[2], &low[3], &low[0], &low[1]);
    limbs_fold_p(&low[3], &low[0], &low[1], &low[2]);
    uint64_t carry = limbs_more(low, high);
    limbs_reduce(low, carry, limbs_p);
    memcpy(z, low, 32);
}

// z = x y / 2^256 modulo p.
static void limbs_mul_p(uint64_t z[4], const uint64_t x[4], const uint64_t y[4])
{
    uint64_t low[4], high[4];
    limbs_product(low, high, x, y);
    limbs_end_p(z, low, high);
}

static void limbs_square_p(uint64_t z[4], const uint64_t x[4])
{
    uint64_t low[4], high[4];
    limbs_square(low, high, x);
    limbs_end_p(z, low, high);
}

static void limbs_mul_n(uint64_t z[4], const uint64_t x[4], const uint64_t y[4])
{
    uint64_t low[4], high[4];
    limbs_product(low, high, x, y);
#pragma GCC unroll 4
    for (uint8_t i = 0; i < 4; i++) {    // n[3] is 2^64 - 2^32, n[2] 2^64 - 1
        uint64_t by = low[0] * REDUCES_N;
        u128 t = (u128)by * limbs_n[0] + low[0];
        t = (t >> 64) + (u128)by * limbs_n[1] + low[1];
        low[0] = (uint64_t)t;
        t = (t >> 64) + (u128)by * limbs_n[2] + low[2];
        low[1] = (uint64_t)t;
        t = (t >> 64) + (u128)by * limbs_n[3] + low[3];
        low[2] = (uint64_t)t;
        low[3] = (uint64_t)(t >> 64);
    }
    uint64_t carry = limbs_more(low, high);
    limbs_reduce(low, carry, limbs_n);
    memcpy(z, low, 32);
}

// ---------------------------------------------------------------------------------------------- by the names of p256-m

static const uint64_t *limbs_of(const m256_mod *mod)
{
    return mod == &p256_p ? limbs_p : limbs_n;
}

INLINE void limbs_load(uint64_t z[4], const uint32_t x[8])
{
    memcpy(z, x, 32);
}

static void m256_mul(uint32_t z[8], const uint32_t x[8], const uint32_t y[8], const m256_mod *mod)
{
    uint64_t a[4], b[4];
    limbs_load(a, x);
    limbs_load(b, y);
    if (mod == &p256_p)
        limbs_mul_p(a, a, b);
    else
        limbs_mul_n(a, a, b);
    memcpy(z, a, sizeof a);
}

static void m256_mul_p(uint32_t z[8], const uint32_t x[8], const uint32_t y[8])
{
    m256_mul(z, x, y, &p256_p);
}

static void m256_add(uint32_t z[8], const uint32_t x[8], const uint32_t y[8], const m256_mod *mod)
{
    uint64_t a[4], b[4];
    limbs_load(a, x);
    limbs_load(b, y);
    limbs_add(a, b, limbs_of(mod));
    memcpy(z, a, sizeof a);
}

static void m256_sub_p(uint32_t z[8], const uint32_t x[8], const uint32_t y[8])
{
    uint64_t a[4], b[4];
    limbs_load(a, x);
    limbs_load(b, y);
    limbs_sub(a, b, limbs_p);
    memcpy(z, a, sizeof a);
}

static void m256_prep(uint32_t z[8], const m256_mod *mod)
{
    m256_mul(z, z, mod->R2, mod);
}

static void m256_done(uint32_t z[8], const m256_mod *mod)
{
    static const uint32_t one[8] = {1};
    m256_mul(z, z, one, mod);
}

static void m256_set32(uint32_t z[8], uint32_t x, const m256_mod *mod)
{
    u256_set32(z, x);
    m256_prep(z, mod);
}

static void m256_to_bytes(uint8_t to[32], const uint32_t z[8], const m256_mod *mod)
{
    uint32_t number[8];
    u256_cmov(number, z, 1);
    m256_done(number, mod);
    u256_to_bytes(to, number);
}

static void ecdsa_m256_from_hash(uint32_t z[8], const uint8_t *hash, size_t len)
{
    (void)len;    // 32
    u256_from_bytes(z, hash);
    ecdsa_m256_mod_n(z);
    m256_prep(z, &p256_n);
}

// A coordinate, below p.
static int coordinate_from_bytes(uint32_t z[8], const uint8_t from[32])
{
    uint32_t t[8];
    u256_from_bytes(z, from);
    if (u256_sub(t, z, p256_p.m) == 0)
        return -1;
    m256_prep(z, &p256_p);
    return 0;
}

// Returns 0 if y^2 = x^3 - 3 x + b. The point is no secret.
static int point_from_bytes(uint32_t x[8], uint32_t y[8], const uint8_t from[64])
{
    uint64_t a[4], b[4], cube[4], square[4], differs = 0;
    if (coordinate_from_bytes(x, from) != 0 || coordinate_from_bytes(y, from + 32) != 0)
        return -1;
    limbs_load(a, x);
    limbs_load(b, y);
    limbs_square_p(square, b);
    limbs_square_p(cube, a);
    limbs_mul_p(cube, cube, a);
    for (uint8_t i = 0; i < 3; i++)
        limbs_sub(cube, a, limbs_p);
    limbs_load(b, p256_b);
    limbs_add(cube, b, limbs_p);
    for (uint8_t i = 0; i < 4; i++)
        differs |= square[i] ^ cube[i];
    return differs == 0 ? 0 : -1;
}

// Doubles (x, y, z), in Jacobian coordinates. The point at infinity, whose z is 0, stays.
//
//   m = 3 (x + z^2) (x - z^2), s = 4 x y^2, x' = m^2 - 2 s, y' = m (s - x') - 8 y^4, z' = 2 y z
static void point_double(uint32_t px[8], uint32_t py[8], uint32_t pz[8])
{
    uint64_t x[4], y[4], z[4], m[4], s[4], t[4];
    limbs_load(x, px);
    limbs_load(y, py);
    limbs_load(z, pz);
    limbs_square_p(s, z);
    memcpy(t, x, sizeof t);
    limbs_sub(t, s, limbs_p);
    limbs_add(s, x, limbs_p);
    limbs_mul_p(t, s, t);
    memcpy(m, t, sizeof m);
    limbs_add(m, t, limbs_p);
    limbs_add(m, t, limbs_p);
    limbs_mul_p(z, y, z);
    limbs_add(z, z, limbs_p);
    limbs_square_p(y, y);
    limbs_add(y, y, limbs_p);    // 2 y^2
    memcpy(t, y, sizeof t);
    limbs_add(t, t, limbs_p);
    limbs_mul_p(s, x, t);
    limbs_square_p(y, y);
    limbs_add(y, y, limbs_p);    // 8 y^4
    limbs_square_p(x, m);
    limbs_sub(x, s, limbs_p);
    limbs_sub(x, s, limbs_p);
    limbs_sub(s, x, limbs_p);
    limbs_mul_p(s, s, m);
    limbs_sub(s, y, limbs_p);
    memcpy(px, x, sizeof x);
    memcpy(py, s, sizeof s);
    memcpy(pz, z, sizeof z);
}

// (x1, y1, z1) += (x2, y2, 1): h = x2 z1^2 - x1, r = y2 z1^3 - y1, x' = r^2 - h^3 - 2 x1 h^2, y' = r (x1 h^2 - x') - y1
// h^3, z' = h z1. Where both are the same point, or one the negative of the other, z' is 0; x' too where they are the
// same.
static void point_add(uint32_t px[8], uint32_t py[8], uint32_t pz[8], const uint32_t qx[8], const uint32_t qy[8])
{
    uint64_t x[4], y[4], z[4], h[4], r[4], t[4], u[4];
    limbs_load(z, pz);
    limbs_load(u, qx);
    limbs_square_p(t, z);
    limbs_mul_p(h, t, u);
    limbs_mul_p(t, t, z);
    limbs_load(u, qy);
    limbs_mul_p(r, t, u);
    limbs_load(x, px);
    limbs_load(y, py);
    limbs_sub(h, x, limbs_p);
    limbs_sub(r, y, limbs_p);
    limbs_mul_p(z, z, h);
    limbs_square_p(t, h);
    limbs_mul_p(h, t, h);
    limbs_mul_p(t, t, x);
    limbs_square_p(x, r);
    limbs_sub(x, h, limbs_p);
    limbs_sub(x, t, limbs_p);
    limbs_sub(x, t, limbs_p);
    limbs_mul_p(y, y, h);
    limbs_sub(t, x, limbs_p);
    limbs_mul_p(t, t, r);
    limbs_sub(t, y, limbs_p);
    memcpy(px, x, sizeof x);
    memcpy(py, t, sizeof t);
    memcpy(pz, z, sizeof z);
}

#endif
