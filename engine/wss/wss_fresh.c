// SPDX-License-Identifier: MIT
// No message runs twice. What came lately is remembered; what is as old as something that was forgotten is refused, and so is, after a
// restart, what may have come before it: a time at or above all that came is in persistent memory before the function runs.
#include <string.h>

#include "wss.h"
#include "wss_in.h"
#include "../base/state.h"
#include "whit/port.h"

#define BEHIND_S 300    // a message is as old as this at most
#define AHEAD_S 60      // a client's clock may be ahead by this

struct seen {
    uint32_t created;    // seconds since 1970; 0: none
    uint8_t mark[WSS_MARK];
};
static struct seen seen[WHIT_WSS_SEEN];
static uint32_t floor_s;    // what was made then or before is refused
static uint32_t saved_s;    // the floor after a restart
static uint32_t known_s;    // without a clock: the time was this or later ...
static uint32_t known_ms;   // ... at this time of the engine

void wss_init(void)
{
    memset(seen, 0, sizeof seen);
    if (!whit_port_persistent_read(whit_flash_u16(&whit_wss_floor_at), &floor_s, sizeof floor_s))
        floor_s = UINT32_MAX;    // nobody knows what came
    saved_s = floor_s;
    uint32_t built_s = whit_flash_u32(&whit_wss_built_s);
    known_s = floor_s > built_s ? floor_s : built_s;
    known_ms = whit.now_ms;
}

// Without a clock, a time that has passed: never later than now. The engine's milliseconds go round in 49 days; who is not asked for so
// long believes in an earlier time.
uint32_t wss_now(bool *exact)
{
    uint32_t now_s = whit_port_unix_s(), passed_s = (whit.now_ms - known_ms) / 1000;
    *exact = now_s != 0;
    known_s += passed_s;
    known_ms += passed_s * 1000;
    return *exact ? now_s : known_s;
}

enum wss_fault wss_in_time(uint32_t created)
{
    bool exact;
    uint32_t now_s = wss_now(&exact);
    if (created <= floor_s || (created < now_s && now_s - created > BEHIND_S))
        return WSS_EXPIRED;
    return exact && created > now_s && created - now_s > AHEAD_S ? WSS_EXPIRED : WSS_FINE;
}

static bool save(uint32_t created)
{
    uint32_t to_save = created > UINT32_MAX - WHIT_WSS_STEP_S ? UINT32_MAX : created + WHIT_WSS_STEP_S;
    if (created <= saved_s)
        return true;
    if (!whit_port_persistent_write(whit_flash_u16(&whit_wss_floor_at), &to_save, sizeof to_save))
        return false;
    saved_s = to_save;
    return true;
}

enum wss_fault wss_take(uint32_t created, const uint8_t mark[WSS_MARK])
{
    struct seen *oldest = seen;
    enum wss_fault late = wss_in_time(created);
    if (late != WSS_FINE)
        return late;
    for (struct seen *one = seen; one < seen + WHIT_WSS_SEEN; one++) {
        if (one->created == created && memcmp(one->mark, mark, WSS_MARK) == 0)
            return WSS_FAILED;
        if (one->created < oldest->created)
            oldest = one;
    }
    if (!save(created))
        return WSS_BROKEN;
    // Older than all that are remembered: there is no room for it.
    if (oldest->created >= created)
        return WSS_EXPIRED;
    if (oldest->created > floor_s)
        floor_s = oldest->created;
    oldest->created = created;
    memcpy(oldest->mark, mark, WSS_MARK);
    if (created > known_s)
        known_s = created;
    return WSS_FINE;
}
