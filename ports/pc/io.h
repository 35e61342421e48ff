// SPDX-License-Identifier: MIT
// Parts of an IA-32 processor besides memory: ports, counters, flags.
#ifndef IO_H
#define IO_H

#include <stdbool.h>
#include <stdint.h>

static inline void out_8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}
static inline void out_16(uint16_t port, uint16_t value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}
static inline void out_32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline uint8_t in_8(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint16_t in_16(uint16_t port)
{
    uint16_t value;
    __asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint32_t in_32(uint16_t port)
{
    uint32_t value;
    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static inline uint64_t time_stamp(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

struct cpuid {
    uint32_t a, b, c, d;
};

static inline struct cpuid cpuid(uint32_t leaf)
{
    struct cpuid of;
    __asm__ volatile("cpuid" : "=a"(of.a), "=b"(of.b), "=c"(of.c), "=d"(of.d) : "a"(leaf), "c"(0));
    return of;
}
#define CPUID_TSC (1u << 4)    // leaf 1, d
#define CPUID_SSE2 (1u << 26)
#define CPUID_AES (1u << 25)    // leaf 1, c
#define CPUID_RDRAND (1u << 30)

#endif
