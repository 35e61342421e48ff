// SPDX-License-Identifier: MIT
// The vectors of vectors.h on another processor: the results are sent octet by octet, and compared by test_devices.py.
#include <stdint.h>
#include <string.h>

#include "whit/crypto.h"
#include "whit_flash.h"

// Functions of the machine.
void start_telling(void);
void tell(uint8_t octet);
_Noreturn void finish(void);

// Runs of octets: an operation, the length of the rest in two octets, the lengths of its first two arguments, the
// arguments.
static const uint8_t vectors[] WHIT_FLASH = {
#include "vectors.h"
};

static uint8_t octets[700], out[700];
static struct whit_rsa_key rsa_key;    // key of the following signatures

static void tell_all(const uint8_t *from, uint16_t len)
{
    while (len-- > 0)
        tell(*from++);
}

// One of two suites, which have the same calls.
static const struct suite {
    void (*begin)(struct whit_aead *, const struct whit_aead_key *, const uint8_t *, uint16_t);
    void (*seal)(struct whit_aead *, const struct whit_aead_key *, uint8_t *, const uint8_t *, uint16_t);
    void (*open)(struct whit_aead *, const struct whit_aead_key *, uint8_t *, const uint8_t *, uint16_t);
    void (*end)(struct whit_aead *, const struct whit_aead_key *, uint8_t *);
} chacha = {whit_aead_begin, whit_aead_seal, whit_aead_open, whit_aead_end},
  gcm = {whit_gcm_begin, whit_gcm_seal, whit_gcm_open, whit_gcm_end};

static void aead(const struct suite *by, const struct whit_aead_key *key, uint8_t data_len, const uint8_t *text,
                 uint16_t len)
{
    struct whit_aead state;
    uint8_t tag[16];
    uint16_t half = len / 2;
    by->begin(&state, key, text - data_len, data_len);
    by->seal(&state, key, out, text, half);
    by->seal(&state, key, out + half, text + half, len - half);
    by->end(&state, key, tag);
    tell_all(out, len);
    tell_all(tag, sizeof tag);
    by->begin(&state, key, text - data_len, data_len);
    by->open(&state, key, out, out, len);
    tell_all(out, len);
}

static void run(uint8_t operation, uint16_t len)
{
    const uint8_t *first = octets + 2, *second = first + octets[0], *third = second + octets[1];
    uint16_t third_len = len - 2 - octets[0] - octets[1];
    struct whit_sha256 sha;
    struct whit_aead_key key;
    switch (operation) {
    case 's':
        whit_sha256_begin(&sha);
        whit_sha256_add(&sha, third, third_len);
        whit_sha256_end(&sha, out);
        break;
    case 'h':
        whit_hkdf_extract(out, first, octets[0], third, third_len);
        whit_hkdf_expand(out, 32, out, second, octets[1]);
        break;
    case 'x':
        out[0] = whit_x25519(out, first, second) ? out[0] : (uint8_t)~out[0];
        break;
    case 'p':
        (void)whit_p256_sign(out, first, second);
        tell_all(out + 32, 32);
        break;
    case 'k':
        memcpy(&rsa_key, third, sizeof rsa_key);
        return;
    case 'r':
        tell(whit_rsa_verify(third, &rsa_key, first));
        return;
    case 'v':
        memset(out, whit_p256_verify(first, second, third), 32);
        break;
    default:
        memcpy(key.key, first, sizeof key.key);
        memcpy(key.nonce, first + sizeof key.key, sizeof key.nonce);
        aead(operation == 'g' ? &gcm : &chacha, &key, octets[1], third, third_len);
        return;
    }
    tell_all(out, 32);
}

int main(void)
{
    start_telling();
    for (uint32_t at = 0; at < sizeof vectors;) {
        uint16_t len = (uint16_t)(whit_flash_u8(vectors + at + 1) << 8 | whit_flash_u8(vectors + at + 2));
        whit_flash_copy(octets, vectors + at + 3, len);
        run(whit_flash_u8(vectors + at), len);
        at += 3 + len;
    }
    finish();
}
