// SPDX-License-Identifier: MIT
// Numbers of 256 bits in words of 64, the least first: sums, differences and columns of products. A compiler keeps no
// carry between two statements of C; on x86-64 these few instructions are written out.
#ifndef LIMBS_H
#define LIMBS_H

#include <stdint.h>

__extension__ typedef unsigned __int128 u128;
#if defined __x86_64__ && !defined LIMBS_IN_C
#define LIMBS_WRITTEN_OUT 1
#else
#define LIMBS_WRITTEN_OUT 0
#endif
#define INLINE static inline __attribute__((always_inline))    // numbers stay in registers

// z += y; returns the carry. limbs_less: z -= y; returns the borrow.
INLINE uint64_t limbs_more(uint64_t z[4], const uint64_t y[4])
{
#if LIMBS_WRITTEN_OUT
    uint64_t carry = 0;
    __asm__("addq %5, %0\n\tadcq %6, %1\n\tadcq %7, %2\n\tadcq %8, %3\n\tadcq $0, %4"
            : "+&r"(z[0]), "+&r"(z[1]), "+&r"(z[2]), "+&r"(z[3]), "+&r"(carry)
            : "rme"(y[0]), "rme"(y[1]), "rme"(y[2]), "rme"(y[3])
            : "cc");
    return carry;
#else
    u128 t = 0;
    for (uint8_t i = 0; i < 4; i++) {
        t += (u128)z[i] + y[i];
        z[i] = (uint64_t)t;
        t >>= 64;
    }
    return (uint64_t)t;
#endif
}

INLINE uint64_t limbs_less(uint64_t z[4], const uint64_t y[4])
{
#if LIMBS_WRITTEN_OUT
    uint64_t borrow = 0;
    __asm__("subq %5, %0\n\tsbbq %6, %1\n\tsbbq %7, %2\n\tsbbq %8, %3\n\tadcq $0, %4"
            : "+&r"(z[0]), "+&r"(z[1]), "+&r"(z[2]), "+&r"(z[3]), "+&r"(borrow)
            : "rme"(y[0]), "rme"(y[1]), "rme"(y[2]), "rme"(y[3])
            : "cc");
    return borrow;
#else
    uint64_t borrow = 0;
    for (uint8_t i = 0; i < 4; i++) {
        u128 t = (u128)z[i] - y[i] - borrow;
        z[i] = (uint64_t)t;
        borrow = (uint64_t)(t >> 64) & 1;
    }
    return borrow;
#endif
}

// z modulo m, where z + carry * 2^256 is below 2 m.
INLINE void limbs_reduce(uint64_t z[4], uint64_t carry, const uint64_t m[4])
{
    uint64_t less[4] = {z[0], z[1], z[2], z[3]};
#if LIMBS_WRITTEN_OUT
    __asm__("subq %5, %0\n\tsbbq %6, %1\n\tsbbq %7, %2\n\tsbbq %8, %3\n\tsbbq $0, %4\n\t"
            "cmovcq %9, %0\n\tcmovcq %10, %1\n\tcmovcq %11, %2\n\tcmovcq %12, %3"
            : "+&r"(less[0]), "+&r"(less[1]), "+&r"(less[2]), "+&r"(less[3]), "+&r"(carry)
            : "rme"(m[0]), "rme"(m[1]), "rme"(m[2]), "rme"(m[3]), "rm"(z[0]), "rm"(z[1]), "rm"(z[2]), "rm"(z[3])
            : "cc");
    for (uint8_t i = 0; i < 4; i++)
        z[i] = less[i];
#else
    uint64_t keep = 0 - (limbs_less(less, m) & ~carry);
    for (uint8_t i = 0; i < 4; i++)
        z[i] = less[i] ^ (keep & (less[i] ^ z[i]));
#endif
}

// Montgomery's reduction modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1, of the lowest word of four: t + t0 p = t - t0 +
// t0 2^96 + t0 p3 2^192. The lowest word is dropped, and a new highest one takes its place.
INLINE void limbs_fold_p(uint64_t *t0, uint64_t *t1, uint64_t *t2, uint64_t *t3)
{
    const uint64_t p3 = 0xffffffff00000001;
#if LIMBS_WRITTEN_OUT
    uint64_t low = *t0, high;
    __asm__("mulq %5\n\taddq %6, %0\n\tadcq %7, %1\n\tadcq %%rax, %2\n\tadcq $0, %%rdx"
            : "+&r"(*t1), "+&r"(*t2), "+&r"(*t3), "+&a"(low), "=&d"(high)
            : "rm"(p3), "r"(*t0 << 32), "r"(*t0 >> 32)
            : "cc");
    *t0 = high;
#else
    u128 over = (u128)*t0 * p3, c = (u128)*t1 + (*t0 << 32);
    *t1 = (uint64_t)c;
    c = (c >> 64) + *t2 + (*t0 >> 32);
    *t2 = (uint64_t)c;
    c = (c >> 64) + *t3 + (uint64_t)over;
    *t3 = (uint64_t)c;
    *t0 = (uint64_t)(over >> 64) + (uint64_t)(c >> 64);
#endif
}

// A step along a product: the low word of x * y + add + *carry, whose high word is the next carry.
INLINE uint64_t limbs_along(uint64_t x, uint64_t y, uint64_t add, uint64_t *carry)
{
#if LIMBS_WRITTEN_OUT
    uint64_t high;
    __asm__("mulq %3\n\taddq %4, %0\n\tadcq $0, %1\n\taddq %2, %0\n\tadcq $0, %1"
            : "+&a"(x), "=&d"(high)
            : "r"(*carry), "rm"(y), "rm"(add)
            : "cc");
    *carry = high;
    return x;
#else
    u128 sum = (u128)x * y + add + *carry;
    *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
#endif
}

// A column of a product: c += x * y, and twice that.
INLINE void column_add(uint64_t c[3], uint64_t x, uint64_t y)
{
#if LIMBS_WRITTEN_OUT
    __asm__("mulq %4\n\taddq %%rax, %0\n\tadcq %%rdx, %1\n\tadcq $0, %2"
            : "+&r"(c[0]), "+&r"(c[1]), "+&r"(c[2]), "+&a"(x)
            : "rm"(y)
            : "rdx", "cc");
#else
    u128 product = (u128)x * y, low = ((u128)c[1] << 64 | c[0]) + product;
    c[0] = (uint64_t)low;
    c[1] = (uint64_t)(low >> 64);
    c[2] += low < product;
#endif
}

INLINE void column_add_twice(uint64_t c[3], uint64_t x, uint64_t y)
{
#if LIMBS_WRITTEN_OUT
    __asm__(
        "mulq %4\n\taddq %%rax, %0\n\tadcq %%rdx, %1\n\tadcq $0, %2\n\taddq %%rax, %0\n\tadcq %%rdx, %1\n\tadcq $0, %2"
        : "+&r"(c[0]), "+&r"(c[1]), "+&r"(c[2]), "+&a"(x)
        : "rm"(y)
        : "rdx", "cc");
#else
    column_add(c, x, y);
    column_add(c, x, y);
#endif
}

INLINE uint64_t column_end(uint64_t c[3])
{
    uint64_t word = c[0];
    c[0] = c[1];
    c[1] = c[2];
    c[2] = 0;
    return word;
}

// low + high * 2^256 = x y
INLINE void limbs_product(uint64_t low[4], uint64_t high[4], const uint64_t x[4], const uint64_t y[4])
{
    uint64_t c[3] = {0};
    column_add(c, x[0], y[0]);
    low[0] = column_end(c);
    column_add(c, x[0], y[1]);
    column_add(c, x[1], y[0]);
    low[1] = column_end(c);
    column_add(c, x[0], y[2]);
    column_add(c, x[1], y[1]);
    column_add(c, x[2], y[0]);
    low[2] = column_end(c);
    column_add(c, x[0], y[3]);
    column_add(c, x[1], y[2]);
    column_add(c, x[2], y[1]);
    column_add(c, x[3], y[0]);
    low[3] = column_end(c);
    column_add(c, x[1], y[3]);
    column_add(c, x[2], y[2]);
    column_add(c, x[3], y[1]);
    high[0] = column_end(c);
    column_add(c, x[2], y[3]);
    column_add(c, x[3], y[2]);
    high[1] = column_end(c);
    column_add(c, x[3], y[3]);
    high[2] = c[0];
    high[3] = c[1];
}

INLINE void limbs_square(uint64_t low[4], uint64_t high[4], const uint64_t x[4])
{
    uint64_t c[3] = {0};
    column_add(c, x[0], x[0]);
    low[0] = column_end(c);
    column_add_twice(c, x[0], x[1]);
    low[1] = column_end(c);
    column_add_twice(c, x[0], x[2]);
    column_add(c, x[1], x[1]);
    low[2] = column_end(c);
    column_add_twice(c, x[0], x[3]);
    column_add_twice(c, x[1], x[2]);
    low[3] = column_end(c);
    column_add_twice(c, x[1], x[3]);
    column_add(c, x[2], x[2]);
    high[0] = column_end(c);
    column_add_twice(c, x[2], x[3]);
    high[1] = column_end(c);
    column_add(c, x[3], x[3]);
    high[2] = c[0];
    high[3] = c[1];
}

#endif
