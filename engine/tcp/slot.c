// SPDX-License-Identifier: MIT
// The life of a slot. The first octet of a request takes it; it is freed when its connection is idle, gone, or evicted.
// A tag remains of the connection then.
#include <stddef.h>

#include "internal.h"
#include "../core/buffer.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../outgoing/outgoing.h"
#include "../recovery/recovery.h"
#include "../response/response.h"
#include "whit/engine.h"

void connection_open(struct whit_tcb *tcb, uint32_t rcv_nxt, uint32_t snd_nxt)
{
    bool tls = is_tls(tcb);
    *tcb = (struct whit_tcb){
        .remote_addr = tcb->remote_addr, .remote_port = tcb->remote_port, .rcv_nxt = rcv_nxt, .snd_una = snd_nxt};
    set_tls(tcb, tls);
    request_begin(tcb);
}

// True if the slot may be evicted for a newcomer. Its request is not complete after a while, its peer has been silent
// for a while, or its generator has waited for a while. strictly: also if its peer takes less than a segment at a time.
static bool stalled(struct whit_tcb *tcb, uint16_t patience, bool strictly)
{
    uint16_t ticks;
    if (WHIT_HAS_BODY && body_idle(tcb, &ticks))
        return ticks >= STALLED;
    if (is_tls(tcb) && sealed_rests(tcb))
        return strictly || sealed_rested(tcb);
    if (is_tls(tcb) && sealed_awaits(tcb))
        return false;    // it waits for our answer
    if (tcb->state == TCB_REQUEST)
        return (int16_t)(uint16_t)(tcb->deadline - now_ticks()) <=
               (int16_t)(TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000)) - patience);
    if (tcb->state != TCB_RESPONSE)
        return false;
    return recovery_silent(tcb) ||
           (WHIT_HAS_THREADS && response_waits(tcb) && tcb->response.polls >= STALLED / THREAD_POLL) ||
           (strictly && window_of(tcb) < tcb_mss(tcb));
}

static bool keeps(const struct whit_tcb *tcb)
{
    uint16_t len;
    for (uint8_t kind = BLOCK_ARGUMENTS; kind < BLOCK_KIND_CNT; kind++)
        if (buffer_find(tcb, (enum block_kind)kind, &len) != NULL)
            return true;
    return false;
}

static uint32_t taken_ms[WHIT_KEEPS_FRAMES ? WHIT_CONNECTIONS : 1];    // time at which each slot was taken

// True if an active slot may be evicted for a newcomer that has waited. It was served for a while, and nothing of ours
// is waited for.
static bool served(const struct whit_tcb *tcb)
{
    return whit.now_ms - taken_ms[tcb - whit_slots] >= SERVED_MS && tcb->state != TCB_FREE && !tcb_waits(tcb) &&
           !(is_tls(tcb) && sealed_awaits(tcb));
}

// The slot of the host that has most comes first, of these the one that was taken first.
static bool comes_before(const struct whit_tcb *tcb, const struct whit_tcb *other)
{
    uint16_t more = peer_slot_cnt(peer_of(tcb)), less = peer_slot_cnt(peer_of(other));
    return more > less || (more == less && (int32_t)(taken_ms[tcb - whit_slots] - taken_ms[other - whit_slots]) < 0);
}

// Evicts one of 16 slots for a newcomer; these 16 change with time, so that all slots have their turn. room: for a slot
// that finds no room; the evicted slot has a part of the shared buffer. If newcomers have found no slot for a while, an
// active slot may be evicted too: its host has other slots, and the newcomer's has none. If the driver urges, it is the
// slot that was served longest.
static bool evict(bool room)
{
    const struct whit_tcb *opened = &whit.rx.pending;
    bool urged = WHIT_KEEPS_FRAMES && held_urges();
    bool strictly =
        urged || (!room && whit.crowded_since != 0 && !tick_lt(now_ticks(), (uint16_t)(whit.crowded_since + CROWDED)));
    bool stranger = (WHIT_CONNECTIONS > 1 || urged) && strictly && peer_slots(opened->remote_addr) == 0;
    uint16_t patience =
        urged || (!room && (WHIT_KEEPS_FRAMES ? request_whole() : http_complete(opened))) ? STALLED / 2 : STALLED;
    struct whit_tcb *longest = NULL;
    uint16_t cursor = WHIT_CONNECTIONS > 16 ? now_ticks() % WHIT_CONNECTIONS : 0;
    for (uint8_t turns = WHIT_CONNECTIONS < 16 ? WHIT_CONNECTIONS : 16; turns != 0; turns--) {
        struct whit_tcb *tcb = &whit_slots[cursor];
        cursor = WHIT_CONNECTIONS > 16 ? (uint16_t)((cursor + 1) % WHIT_CONNECTIONS) : (uint16_t)(cursor + 1);
        if (room && (tcb == whit.rx.slot || !keeps(tcb)))
            continue;
        if (urged && stranger && served(tcb) && (longest == NULL || comes_before(tcb, longest)))
            longest = tcb;
        if ((stalled(tcb, patience, strictly) || (stranger && peer_slots(tcb->remote_addr) > 1))) {
            if (is_tls(tcb) && sealed_rests(tcb))
                sealed_dismiss(tcb);
            else
                connection_kill(tcb, WHIT_COUNT_SLOT_EVICTED);
            return true;
        }
    }
    if (WHIT_KEEPS_FRAMES && longest != NULL)
        connection_kill(longest, WHIT_COUNT_SLOT_EVICTED);
    return WHIT_KEEPS_FRAMES && longest != NULL;
}

void connection_make_room(void)
{
    evict(true);
}

static uint16_t turned_away;    // tick at which a request found no slot last; 0: that is long ago

static void turn_away(void)
{
    count(WHIT_DROP_NO_SLOT);
    held_wants(WHIT_NO_SLOT);
    if (LEAVES_SLOTS) {
        turned_away = now_ticks() | 1;
        if (whit.rx.origin == ORIGIN_TAG)
            whit.rx.tag->turned_away = 1;
    }
}

bool connection_gives_way(uint8_t more)
{
    if (!LEAVES_SLOTS)
        return WHIT_KEEPS_FRAMES && whit.crowded_since != 0;
    if (turned_away == 0)
        return false;
    if ((uint16_t)(now_ticks() - turned_away) >= TURNED_AWAY)
        turned_away = 0;
    uint8_t left = 0;
    for (const struct whit_tcb *tcb = whit_slots; tcb != whit_slots + WHIT_CONNECTIONS; tcb++)
        left = (uint8_t)(left + (tcb->state == TCB_FREE));
    if (left >= WHIT_CONNECTIONS / 2 + more)
        return false;
    count(WHIT_DROP_NO_SLOT);
    return true;
}

__attribute__((noinline)) bool connection_room(void)
{
    bool room = (WHIT_HAS_BODY || WHIT_TLS) && whit.left_to_do == LEFT_ROOM;
    whit.left_to_do = 0;
    if (!(WHIT_KEEPS_FRAMES && held_tells()) && evict(room))
        return !room;
    if (!room) {
        turn_away();
        if (whit.crowded_since == 0)
            whit.crowded_since = now_ticks() | 1;
    }
    if (WHIT_HOLDS_FRAMES && whit.rx.origin != ORIGIN_SLOT)
        held_answer();
    return false;
}

void connection_starved(void)
{
    count(WHIT_DROP_NO_BUFFER);
    held_wants(whit.rx.origin == ORIGIN_SLOT ? WHIT_WAITS : WHIT_NO_ROOM);
    if (WHIT_HAS_BODY || WHIT_TLS)
        whit.left_to_do = LEFT_ROOM;
}

struct whit_tcb *connection_take(const struct whit_tcb *opened)
{
    struct whit_tcb *tcb = table_take(opened);
    if (tcb == NULL)
        return NULL;
    whit.crowded_since = 0;
    *tcb = *opened;
    link_learn(tcb);
    if (WHIT_KEEPS_FRAMES)
        taken_ms[tcb - whit_slots] = whit.now_ms;
    if (WHIT_HOLDS_FRAMES)
        promised_none(tcb);
    table_arm(tcb, TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000)));
    return tcb;
}

void connection_release(struct whit_tcb *tcb)
{
    rx_forget(tcb);
    if (is_tls(tcb))
        sealed_wipe(tcb);
    for (uint8_t kind = BLOCK_ARGUMENTS; kind < BLOCK_KIND_CNT; kind++)
        buffer_free(tcb, kind);
    if (WHIT_CLIENTS != 0)
        clients_over(tcb);
    table_release(tcb);
}

void connection_dead(struct whit_tcb *tcb)
{
    METER_RESPONSE(tcb);
    if (WHIT_HAS_LOG) {
        log_why(tcb, WHY_RESET);
        log_ended(tcb);
    }
    if (HAS_TAGS)
        tag_put(tcb, TAG_RESET);
    connection_release(tcb);
}

void connection_kill(struct whit_tcb *tcb, enum whit_counter why)
{
    count(why);
    if (WHIT_HAS_LOG)
        log_why(tcb, why == WHIT_COUNT_GIVEN_UP ? WHY_GIVEN_UP : WHY_EVICTED);
    tcp_reset(tcb);
    connection_dead(tcb);
}

void connection_changed(struct whit_tcb *tcb)
{
    if (WHIT_HAS_LOG)
        log_why_name(tcb, WHIT_HAS_STORED && content_is_stored(tcb) ? WHY_REWRITTEN : WHY_CHANGED, WHIT_NAME_GET);
    connection_kill(tcb, WHIT_COUNT_CHANGED);
}
