// SPDX-License-Identifier: MIT
// Output of a generator. Only the octets that are wanted now are stored; all are counted.
#include <stddef.h>
#include <string.h>

#include "response.h"
#include "../core/limits.h"
#include "whit/app.h"
#include "whit/port.h"

struct whit_out *whit_out;
#if WHIT_HAS_REPLIES
struct whit_sha256 *out_hashed;
#endif

#if WHIT_TLS
#define SAID_PRIME UINT32_C(0x7fffffff)
static uint32_t said_keys[2];

void out_init(void)
{
    whit_port_entropy((uint8_t *)said_keys, sizeof said_keys);
    for (uint8_t i = 0; i < 2; i++)
        said_keys[i] = (said_keys[i] & SAID_PRIME >> 1) + 2;
}

static uint32_t said_half(uint32_t half, uint32_t key, uint8_t octet)
{
    uint64_t wide = (uint64_t)half * key + octet + 1;
    uint32_t sum = (uint32_t)(wide & SAID_PRIME) + (uint32_t)(wide >> 31);
    return (sum & SAID_PRIME) + (sum >> 31);
}

static whit_said said_more(whit_said hash, uint8_t octet)
{
    uint32_t high = said_half((uint32_t)(hash >> 32), said_keys[0], octet);
    return (uint64_t)high << 32 | said_half((uint32_t)hash, said_keys[1], octet);
}
#else
static whit_said said_more(whit_said hash, uint8_t octet)
{
    return (uint16_t)((uint16_t)(hash * 40507u) + octet);
}
#endif

// Drops octets outside of a handler that answers: of timers, of init and initGet handlers.
void out_c(char octet)
{
    struct whit_out *out = whit_out;
#if WHIT_HAS_REPLIES
    if (out_hashed != NULL) {
        whit_sha256_add(out_hashed, &octet, 1);
        return;
    }
#endif
    if (out == NULL)
        return;
    whit_position len = out->len, at = (whit_position)(len - out->from);
    if (len >= out->from && at < out->room)
        out->to[at] = (uint8_t)octet;
    out->hash = said_more(out->hash, (uint8_t)octet);
    if (++len != 0)    // the largest number is more than any content may have
        out->len = len;
}

// out_c() for each octet, in fewer instructions.
static void out_run(struct whit_out *out, const uint8_t *octets, uint16_t len)
{
    if (out->kept && out->from == 0 && len <= out->room && out->len <= (whit_position)(out->room - len)) {
        memcpy(out->to + out->len, octets, len);
        out->len = (whit_position)(out->len + len);
        return;
    }
    whit_position skipped = (whit_position)(out->len < out->from ? out->from - out->len : 0), left;
    whit_position at = (whit_position)(out->len + skipped - out->from);
    if (skipped < len && at < out->room) {
        left = (whit_position)(out->room - at);
        memcpy(out->to + at, octets + skipped, left < len - skipped ? left : len - skipped);
    }
    if (!out->kept) {
        whit_said hash = out->hash;
        for (const uint8_t *hashed = octets, *end = octets + len; hashed != end; hashed++)
            hash = said_more(hash, *hashed);
        out->hash = hash;
    }
    left = (whit_position)((whit_position)-1 - out->len);
    out->len = (whit_position)(out->len + (left < len ? left : len));
}

void out_mem(const void *octets, uint16_t len)
{
#if WHIT_HAS_REPLIES
    if (out_hashed != NULL) {
        whit_sha256_add(out_hashed, octets, len);
        return;
    }
#endif
    if (whit_out != NULL)
        out_run(whit_out, octets, len);
}

void out_str(const char *text)
{
    while (*text != 0)
        out_c(*text++);
}

void out_flash(const char *text)
{
    char octet;
    while ((octet = (char)whit_flash_u8((const uint8_t *)text++)) != 0)
        out_c(octet);
}

void out_uint(uint32_t number)
{
    char reversed[10];
    uint8_t cnt = 0;
    do {
        reversed[cnt++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (cnt != 0)
        out_c(reversed[--cnt]);
}

void out_int(int32_t number)
{
    if (number < 0)
        out_c('-');
    out_uint(number < 0 ? UINT32_C(0) - (uint32_t)number : (uint32_t)number);
}

// ---------------------------------------------------------------------------------------- what a protothread waits for

#define DIGITS_MAX 11    // digits of a number, its sign included

uint16_t out_room_left(void)
{
    return whit_out != NULL && whit_out->len < whit_out->limit ? (uint16_t)(whit_out->limit - whit_out->len) : 0;
}

bool whit_pt_c(char octet)
{
    if (out_room_left() == 0)
        return false;
    out_c(octet);
    return true;
}

// Writes a number as a whole, if the longest would fit: it may have changed at the next call.
bool whit_pt_uint(uint32_t number)
{
    if (out_room_left() < DIGITS_MAX)
        return false;
    out_uint(number);
    return true;
}

bool whit_pt_int(int32_t number)
{
    if (out_room_left() < DIGITS_MAX)
        return false;
    out_int(number);
    return true;
}

bool whit_pt_mem(struct whit_pt *pt, const void *octets, uint16_t len)
{
    if (pt->done > len)
        pt->done = len;    // it became shorter during the wait
    uint16_t left = (uint16_t)(len - pt->done), room = out_room_left();
    uint16_t now = left < room ? left : room;
    out_mem((const char *)octets + pt->done, now);
    pt->done = now == left ? 0 : (uint16_t)(pt->done + now);
    return now == left;
}

// Returns the octets from the beginning of `*text` to the position of the thread, or to the end if the text became
// shorter.
static uint16_t written(const struct whit_pt *pt, const char *text, bool flash)
{
    uint16_t at = 0;
    while (at < pt->done && (flash ? (char)whit_flash_u8((const uint8_t *)text + at) : text[at]) != 0)
        at++;
    return at;
}

bool whit_pt_str(struct whit_pt *pt, const char *text)
{
    char octet;
    for (pt->done = written(pt, text, false); (octet = text[pt->done]) != 0; pt->done++)
        if (!whit_pt_c(octet))
            return false;
    pt->done = 0;
    return true;
}

bool whit_pt_flash(struct whit_pt *pt, const char *text)
{
    char octet;
    for (pt->done = written(pt, text, true); (octet = (char)whit_flash_u8((const uint8_t *)text + pt->done)) != 0;
         pt->done++)
        if (!whit_pt_c(octet))
            return false;
    pt->done = 0;
    return true;
}

// ------------------------------------------------------------------------------------------------

// After these octets lie records (persistent.c) and stored contents.
static bool raw(uint16_t address, uint16_t len)
{
    return WHIT_PERSISTENT_RAW == WHIT_PERSISTENT_SIZE || (uint32_t)address + len <= WHIT_PERSISTENT_RAW;
}

bool(persistent_read)(uint16_t address, void *to, uint16_t len)
{
    return raw(address, len) && whit_port_persistent_read(address, to, len);
}

bool(persistent_write)(uint16_t address, const void *from, uint16_t len)
{
    return raw(address, len) && whit_port_persistent_write(address, from, len);
}
