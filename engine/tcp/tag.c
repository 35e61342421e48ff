// SPDX-License-Identifier: MIT
// Idle kept-alive connections. A tag holds no address and no number, only what recognises them when the next
// segment brings them along. Closing connections rest here too, for a late or repeated FIN. An address and port have one
// tag, that of their last connection.
#include <stddef.h>

#include "connection.h"
#include "../link/segment.h"
#include "tcp.h"
#include "../base/keyed_hash.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"

// Units of AGE_MS that a tag lives, the one in which it is put down included.
#define AGE_CLOSING (CLOSING_S * 1000 / AGE_MS + 1)
#define SWEPT_AT_ONCE 1024u

// Without the hash, an attacker cannot compute a matching pair of numbers.
static uint32_t mac_of(uint32_t hash, uint32_t rcv_nxt, uint32_t snd_nxt)
{
    return hash + rcv_nxt + (snd_nxt << 16 | snd_nxt >> 16);
}

// After all that was sent.
static uint32_t snd_max(const struct whit_tcb *tcb)
{
    return tcb->snd_una + (tcb->state == TCB_RESPONSE ? tcb->response.flight : 0);
}

__attribute__((noinline)) void tag_close(struct whit_tag *tag, enum tag_end end)
{
    tag->closing = 1;
    tag->mss8 = end;
    tag->age = AGE_CLOSING;
}

const struct whit_tag *tag_put(const struct whit_tcb *tcb, enum tag_end end)
{
    struct hash hash = keyed_hash(tcb, hash_use(tcb, HASH_TAG));
    whit_tuple tuple = (whit_tuple)hash.high;
    struct whit_tag *tag = table_tag(tcb, tuple, true);
    if (tag->age != 0 && !tag->closing && tag->tuple != tuple)
        count(WHIT_COUNT_TAG_EVICTED);
    if (WHIT_TLS && TAGS_ARE_FEW) {
        tag->age = 0;
        sealed_idle_wipe();
    }
    uint32_t rcv_nxt = tcb->rcv_nxt;
    if (tcb->peer_fin && end != TAG_RESET)
        rcv_nxt--;    // the peer's FIN may come again
    *tag = (struct whit_tag){.mac = mac_of(hash.low, rcv_nxt, snd_max(tcb)), .tuple = tuple, .mss8 = tcb->mss8, .parity = tcb->parity, .age = AGE_IDLE};
#if WHIT_KEEPS_FRAMES
    tag->snd_nxt = snd_max(tcb);
#endif
    if (LEAVES_SLOTS)
        tag->turned_away = whit.rx.brings_request;    // which is not taken, or its connection would be no tag
    if (end != TAG_IDLE)
        tag_close(tag, end);
    return tag;
}

// Returns SND.NXT. Where no tag knows it, the segment at hand acknowledges just that, or its sum is another one.
static uint32_t tag_snd_nxt(const struct whit_tag *tag)
{
#if WHIT_KEEPS_FRAMES
    return tag->snd_nxt;
#else
    (void)tag;
    return seg_ack();
#endif
}

// True if the frame at hand was refused, and RCV.NXT lies in its data. It was judged then, unless it came ahead of a gap. What it
// acknowledged is old by any number of octets now: from here on, it acknowledges all. `ahead`: the tag's sum less the frame's.
static bool offered_again(const struct whit_tag *tag, uint32_t ahead)
{
    struct whit_rx *rx = &whit.rx;
    uint32_t ack = tag_snd_nxt(tag), old = ahead - mac_of(0, 0, ack) + mac_of(0, 0, seg_ack());
    if (!frame_judged() || seg_is_pure() || (old != 0 && old >= rx->payload_len))
        return false;
    store32_be(rx->head + 8, ack);
    octets_received(&rx->pending, (uint16_t)old);
    all_acknowledged(&rx->pending, ack);
    return true;
}

__attribute__((noinline)) uint8_t tag_match(void)
{
    struct whit_rx *rx = &whit.rx;
    struct hash hash = keyed_hash(&rx->pending, hash_use(&rx->pending, HASH_TAG));
    struct whit_tag *tag = table_tag(&rx->pending, (whit_tuple)hash.high, false);
    rx->tag = NULL;
    if (tag->age == 0 || tag->tuple != (whit_tuple)hash.high)
        return ORIGIN_UNKNOWN;
    rx->tag = tag;
    tcb_mss_remembered(&rx->pending, tag->mss8);
    rx->pending.parity = tag->parity;
    uint32_t ahead = tag->mac - mac_of(hash.low, seg_seq(), seg_ack());
    bool exact = seg_ack() == tag_snd_nxt(tag);
    if ((ahead == 0 && exact) || (!tag->closing && offered_again(tag, ahead)))
        return tag->closing ? ORIGIN_CLOSING : ORIGIN_TAG;
    if (exact && (ahead + 0x8000) >> 16 == 0 && (!seg_is_pure() && !tag->closing) | (ahead == 1)) {
        octet_expected(&rx->pending, rx->pending.rcv_nxt + ahead);
        return ORIGIN_OUT_OF_ORDER;
    }
    // Our RST was lost, or came where the peer did not take it.
    return tag->closing && tag->mss8 == TAG_RESET ? ORIGIN_UNKNOWN : ORIGIN_WRONG_SEQ;
}

// Makes `cnt` tags older by one unit.
static void older(struct whit_tag *tag, uint32_t cnt)
{
    for (struct whit_tag *end = tag + cnt; tag != end; tag++)
        if (tag->age != 0)
            tag->age--;
}

// Many tags take turns, so that no call is long. True: all of them had their turn.
static bool some_older(void)
{
    static uint32_t next;    // tag whose turn it is
    uint32_t left = WHIT_IDLE - next, cnt = left > SWEPT_AT_ONCE ? SWEPT_AT_ONCE : left;
    older(&whit_tags[next], cnt);
    next = cnt == left ? 0 : next + cnt;
    return next == 0;
}

// Makes all of them older by the units that have gone by. After a pause of several units nobody waits for it to end.
void tag_sweep(void)
{
    uint8_t units;
    while ((units = (uint8_t)(whit.now_ms / AGE_MS - whit.swept)) != 0) {
        bool all = true;
        if (WHIT_IDLE > SWEPT_AT_ONCE)
            all = some_older();
        else
            older(whit_tags, WHIT_IDLE);
        if (all && WHIT_TLS)
            sealed_idle_wipe();
        if (all)
            whit.swept++;
        else if (units == 1)
            return;
    }
}
