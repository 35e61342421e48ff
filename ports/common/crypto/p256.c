// SPDX-License-Identifier: MIT
// ECDSA on P-256 by p256-m (tools/whit/setup/libraries.py), as a part of this unit: its arithmetic, driven in slices.
// As there, no branch and no address depends on a secret. The scalar of a nonce is that of RFC 6979, section 3.2, with
// one difference. An input above the group's order, one in 2^32, is not reduced before it is hashed. It is as
// unpredictable.
#include <string.h>

#include "whit/crypto.h"

#include "p256_arithmetic.h"    // includes p256-m.c

// Never called: its callers in p256-m are not in the image.
psa_status_t psa_generate_random(uint8_t *to, size_t len)
{
    (void)to;
    (void)len;
    return -1;
}

void mbedtls_platform_zeroize(void *secret, size_t len)
{
    whit_wipe(secret, (uint16_t)len);
}

#define OF_LADDER 19
#define OF_INVERSE 2
enum { LADDER_END = 255, INVERSE_P_END = LADDER_END + 256, INVERSE_N_END = INVERSE_P_END + 256 };
#define CANDIDATES 4    // one in 2^32 is no scalar

// K and V of RFC 6979.
struct drbg {
    uint8_t key[32], value[32];
};

// K = HMAC_K(V || mark || more), V = HMAC_K(V).
static void drbg_step(struct drbg *drbg, uint8_t mark, const uint8_t *key, const uint8_t *input)
{
    struct whit_sha256 sha;
    whit_hmac_begin(&sha, drbg->key, sizeof drbg->key);
    whit_sha256_add(&sha, drbg->value, sizeof drbg->value);
    whit_sha256_add(&sha, &mark, 1);
    if (key != NULL) {
        whit_sha256_add(&sha, key, 32);
        whit_sha256_add(&sha, input, 32);
    }
    whit_hmac_end(&sha, drbg->key, sizeof drbg->key, drbg->key);
    whit_hkdf_extract(drbg->value, drbg->key, sizeof drbg->key, drbg->value, sizeof drbg->value);
    whit_wipe(&sha, sizeof sha);
}

static bool is_scalar(uint32_t scalar[8], const uint8_t octets[32])
{
    int wrong = scalar_from_bytes(scalar, octets);
    CT_UNPOISON(&wrong, sizeof wrong);
    return wrong == 0;
}

bool whit_p256_begin(struct whit_p256 *p, const uint8_t key[32], const uint8_t input[32])
{
    struct drbg drbg;
    bool done = is_scalar(p->k, key);
    memset(drbg.key, 0, sizeof drbg.key);
    memset(drbg.value, 1, sizeof drbg.value);
    drbg_step(&drbg, 0, key, input);
    drbg_step(&drbg, 1, key, input);
    for (uint8_t left = CANDIDATES; done; left--) {
        whit_hkdf_extract(drbg.value, drbg.key, sizeof drbg.key, drbg.value, sizeof drbg.value);
        if (is_scalar(p->k, drbg.value))
            break;
        done = left > 1;
        drbg_step(&drbg, 0, NULL, NULL);
    }
    whit_wipe(&drbg, sizeof drbg);
    p->step = 0;
    return done;
}

// scalar_mult() of p256-m, step by step: R = 2 R +- P'. The sign depends on which of k and n - k is odd; P' is the
// generator or its negative. Between two steps, R is kept.
static void ladder_step(struct whit_p256 *p)
{
    uint32_t odd[8], negative[8], y[8];
    uint32_t negate = ~p->k[0] & 1;
    uint16_t at = (uint16_t)(LADDER_END - p->step);
    u256_sub(odd, p256_n.m, p->k);
    u256_cmov(odd, p->k, 1 - negate);
    u256_set32(y, 0);
    m256_sub_p(negative, y, p256_gy);
    if (p->step == 0) {
        u256_cmov(p->x, p256_gx, 1);
        u256_cmov(p->y, p256_gy, 1);
        u256_cmov(p->y, negative, negate);
        m256_set32(p->z, 1, &p256_p);
    }
    uint32_t bit = odd[at / 32] >> at % 32 & 1;
    u256_cmov(y, p256_gy, bit ^ negate);
    u256_cmov(y, negative, (1 - bit) ^ negate);
    point_double(p->x, p->y, p->z);
    point_add(p->x, p->y, p->z, p256_gx, y);
    zeroize(odd, sizeof odd);
}

// m256_inv() of p256-m, one digit of the exponent m - 2, which is no secret: z = y^(m - 2). y becomes its powers.
static void inverse_step(uint32_t z[8], uint32_t y[8], uint16_t digit, const m256_mod *mod)
{
    uint32_t limb = digit < 32 ? mod->m[0] - 2 : mod->m[digit / 32];
    if ((limb >> digit % 32 & 1) != 0)
        m256_mul(z, z, y, mod);
    m256_mul(y, y, y, mod);
}

static void inverse_begin(struct whit_p256 *p, const uint32_t of[8], const m256_mod *mod)
{
    u256_cmov(p->y, of, 1);
    m256_set32(p->z, 1, mod);
}

bool whit_p256_step(struct whit_p256 *p)
{
    for (slice_left left = SLICE; p->step < INVERSE_N_END; p->step++) {
        uint8_t cost = p->step < LADDER_END ? OF_LADDER : OF_INVERSE;
        if (left < cost)
            return false;
        left -= cost;
        if (p->step < LADDER_END)
            ladder_step(p);
        else if (p->step < INVERSE_P_END)
            inverse_step(p->z, p->y, p->step - LADDER_END, &p256_p);
        else
            inverse_step(p->z, p->y, p->step - INVERSE_P_END, &p256_n);
        if (p->step == LADDER_END - 1) {
            inverse_begin(p, p->z, &p256_p);
        } else if (p->step == INVERSE_P_END - 1) {    // r, an integer
            m256_mul_p(p->z, p->z, p->z);
            m256_mul_p(p->x, p->x, p->z);
            m256_done(p->x, &p256_p);
            ecdsa_m256_mod_n(p->x);
            m256_prep(p->k, &p256_n);
            inverse_begin(p, p->k, &p256_n);
        }
    }
    memcpy(p->k, p->z, sizeof p->k);
    zeroize(p->y, sizeof p->y + sizeof p->z);
    return true;
}

bool whit_p256_finish(uint8_t signature[64], const uint32_t inverse[8], const uint32_t r[8], const uint8_t key[32],
                      const uint8_t digest[32])
{
    uint32_t s[8], e[8], prepared[8];
    if (!is_scalar(s, key))
        return false;
    u256_cmov(prepared, r, 1);
    CT_UNPOISON(prepared, sizeof prepared);
    u256_to_bytes(signature, prepared);
    m256_prep(prepared, &p256_n);
    m256_prep(s, &p256_n);
    ecdsa_m256_from_hash(e, digest, 32);
    m256_mul(s, prepared, s, &p256_n);
    m256_add(s, e, s, &p256_n);
    m256_mul(s, inverse, s, &p256_n);
    CT_UNPOISON(s, sizeof s);
    m256_to_bytes(signature + 32, s, &p256_n);
    return u256_diff0(prepared) != 0 && u256_diff0(s) != 0;    // neither of which anybody has seen
}

bool whit_p256_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32])
{
    struct whit_p256 p;
    if (!whit_p256_begin(&p, key, digest))
        return false;
    while (!whit_p256_step(&p)) {
    }
    bool done = whit_p256_finish(signature, p.k, p.x, key, digest);
    whit_wipe(&p, sizeof p);
    return done;
}

// --------------------------------------------------------------------------------- to verify: nothing here is a secret

enum { CHECK_INVERSE_END = 256, CHECK_END = CHECK_INVERSE_END + 256 };

bool whit_p256_check_begin(struct whit_p256_check *c, const uint8_t signature[64], const uint8_t point[64],
                           const uint8_t digest[32])
{
    c->step = 0;
    if (!is_scalar(c->r, signature) || !is_scalar(c->y, signature + 32) ||
        point_from_bytes(c->point[0], c->point[1], point) != 0)
        return false;
    ecdsa_m256_from_hash(c->u[0], digest, 32);
    u256_cmov(c->u[1], c->r, 1);
    m256_prep(c->u[1], &p256_n);
    m256_prep(c->y, &p256_n);
    m256_set32(c->z, 1, &p256_n);
    return true;
}

// z is the inverse of s: u = (e / s, r / s), and a sum begins that is nothing yet.
static void check_scalars(struct whit_p256_check *c)
{
    for (uint8_t i = 0; i < 2; i++) {
        m256_mul(c->u[i], c->u[i], c->z, &p256_n);
        m256_done(c->u[i], &p256_n);
    }
    u256_set32(c->x, 0);
    u256_set32(c->z, 0);
}

// Adds points. point_add() of p256-m handles neither the point at infinity, whose z is 0, nor its own point or the
// negative of that. For these two it makes z = 0; for its own point x = 0 as well.
static void check_add(struct whit_p256_check *c, const uint32_t x[8], const uint32_t y[8])
{
    bool empty = u256_diff0(c->z) == 0;
    if (!empty)
        point_add(c->x, c->y, c->z, x, y);
    if (!empty && (u256_diff0(c->z) != 0 || u256_diff0(c->x) != 0))
        return;
    u256_cmov(c->x, x, 1);
    u256_cmov(c->y, y, 1);
    m256_set32(c->z, 1, &p256_p);
    if (!empty)
        point_double(c->x, c->y, c->z);
}

#include P256_SUM

// True if the sum's x, X / Z^2 modulo p, is r modulo n: r, or r + n if r + n is below p.
static bool check_ends(struct whit_p256_check *c)
{
    if (u256_diff0(c->z) == 0)
        return false;
    m256_mul_p(c->z, c->z, c->z);
    for (uint8_t i = 0; i < 2; i++) {
        u256_cmov(c->y, c->r, 1);
        m256_prep(c->y, &p256_p);
        m256_mul_p(c->y, c->y, c->z);
        if (u256_diff(c->y, c->x) == 0)
            return true;
        if (u256_add(c->r, c->r, p256_n.m) != 0 || u256_sub(c->y, c->r, p256_p.m) == 0)
            return false;
    }
    return false;
}

bool whit_p256_check_step(struct whit_p256_check *c, bool *holds)
{
    slice_left left = SLICE;
    for (; c->step < CHECK_INVERSE_END; c->step++) {
        if (left < OF_INVERSE)
            return false;
        left -= OF_INVERSE;
        inverse_step(c->z, c->y, c->step, &p256_n);
        if (c->step == CHECK_INVERSE_END - 1)
            check_scalars(c);
    }
    if (!check_sum(c, left))
        return false;
    *holds = check_ends(c);
    return true;
}

bool whit_p256_verify(const uint8_t signature[64], const uint8_t point[64], const uint8_t digest[32])
{
    struct whit_p256_check c;
    bool holds = false;
    if (!whit_p256_check_begin(&c, signature, point, digest))
        return false;
    while (!whit_p256_check_step(&c, &holds)) {
    }
    return holds;
}
