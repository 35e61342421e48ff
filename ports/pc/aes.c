// SPDX-License-Identifier: MIT
#include "aes.h"

// Returns SubWord() and RotWord() of a word (FIPS 197, section 5.2).
__attribute__((target("aes"))) static uint32_t substituted(uint32_t word)
{
    __asm__("movd %0, %%xmm0\n"
            "pshufd $0, %%xmm0, %%xmm0\n"
            "aeskeygenassist $0, %%xmm0, %%xmm0\n"
            "psrldq $4, %%xmm0\n"
            "movd %%xmm0, %0"
            : "+r"(word)
            :
            : "xmm0");
    return word;
}

void aes_expand(struct aes_key *to, const uint32_t key[4])
{
    uint32_t *w = to->words, round = 1;
    for (uint8_t i = 0; i < 4 * (AES_ROUNDS + 1); i++) {
        if (i < 4) {
            w[i] = key[i];
        } else if (i % 4 != 0) {
            w[i] = w[i - 4] ^ w[i - 1];
        } else {
            w[i] = w[i - 4] ^ substituted(w[i - 1]) ^ round;
            round = round << 1 ^ (round < 0x80 ? 0 : 0x11b);
        }
    }
}

__attribute__((target("aes"))) void aes_encrypt(const struct aes_key *key, uint32_t x, uint32_t y, uint32_t *low,
                                                uint32_t *high)
{
    uint32_t first, second;
    __asm__("movd %2, %%xmm0\n"
            "movd %3, %%xmm1\n"
            "punpckldq %%xmm1, %%xmm0\n"    // the other two words are 0
            "pxor (%4), %%xmm0\n"
            "aesenc 16(%4), %%xmm0\n"
            "aesenc 32(%4), %%xmm0\n"
            "aesenc 48(%4), %%xmm0\n"
            "aesenc 64(%4), %%xmm0\n"
            "aesenc 80(%4), %%xmm0\n"
            "aesenc 96(%4), %%xmm0\n"
            "aesenc 112(%4), %%xmm0\n"
            "aesenc 128(%4), %%xmm0\n"
            "aesenc 144(%4), %%xmm0\n"
            "aesenclast 160(%4), %%xmm0\n"
            "movd %%xmm0, %0\n"
            "psrldq $4, %%xmm0\n"
            "movd %%xmm0, %1"
            : "=&r"(first), "=r"(second)
            : "r"(x), "r"(y), "r"(key->words), "m"(*key)
            : "xmm0", "xmm1");
    *low = first;
    *high = second;
}
