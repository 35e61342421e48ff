// SPDX-License-Identifier: MIT
// The engine's keyed hash by AES, on processors that have it: one block of address, port and zeros, of whose cipher
// text half is taken. Otherwise the engine has its own.
#include "aes.h"
#include "io.h"
#include "whit/port.h"

#define CR0_EMULATION 4u    // emulation of the coprocessor
#define CR0_MONITOR 2u
#define CR4_SSE 0x200u    // instructions on registers of 128 bits

static struct aes_key expanded;
static enum { NOT_ASKED, NONE, READY } cipher;

static void open_cipher(const uint32_t key[4])
{
    struct cpuid has = cpuid(1);
    cipher = NONE;
    if ((has.c & CPUID_AES) == 0 || (has.d & CPUID_SSE2) == 0)
        return;
    uintptr_t cr0, cr4;
    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("mov %0, %%cr0" : : "r"((cr0 & ~CR0_EMULATION) | CR0_MONITOR));
    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    __asm__ volatile("mov %0, %%cr4" : : "r"(cr4 | CR4_SSE));
    aes_expand(&expanded, key);
    cipher = READY;
}

bool whit_port_hash(const uint32_t key[4], uint32_t x, uint32_t y, uint32_t *low, uint32_t *high)
{
    if (cipher == NOT_ASKED)
        open_cipher(key);
    if (cipher == NONE)
        return false;
    aes_encrypt(&expanded, x, y, low, high);
    return true;
}
