// SPDX-License-Identifier: MIT
// A hello is young when the age that the client tells of its ticket is about the one that we know (section 8.3). As long as it is, it is
// remembered (section 8.2), so that early data is read once at most: when there is no place left to remember it, it is not read.
// Tickets of before a restart are no good, so nothing need be remembered for longer.
#include "tls_early.h"

#include <string.h>

#include "../base/octets.h"

#define EARLY_AGE_S 10    // between both ages, at most

static struct {
    uint16_t mark;      // of the binder; 0: this place was never taken
    uint16_t when_s;
} early_seen[EARLY_SEEN];

void early_start(void) { memset(early_seen, 0, sizeof early_seen); }

static bool is_young(uint32_t told_ms, uint32_t made_s, uint32_t now_s)
{
    return now_s - made_s - told_ms / 1000 + EARLY_AGE_S <= 2 * EARLY_AGE_S;
}

static bool is_new(const uint8_t binder[32], uint32_t now_s)
{
    uint16_t mark = load16_be(binder) | 1;
    uint16_t at = EARLY_SEEN;
    for (uint16_t i = 0; i < EARLY_SEEN; i++) {
        bool is_old = (uint16_t)(now_s - early_seen[i].when_s) > 2 * EARLY_AGE_S;
        if (early_seen[i].mark == 0 || is_old)
            at = i;
        else if (early_seen[i].mark == mark)
            return false;
    }
    if (at == EARLY_SEEN)
        return false;
    early_seen[at].mark = mark;
    early_seen[at].when_s = (uint16_t)now_s;
    return true;
}

bool early_accepts(const struct tls_hello *hello, uint32_t age_add, uint32_t made_s, uint32_t now_s)
{
    return is_young(load32_be(hello->ticket + TLS_TICKET) - age_add, made_s, now_s) && is_new(hello->binder, now_s);
}
