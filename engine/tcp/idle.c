// SPDX-License-Identifier: MIT
// Idle kept-alive connections. A tag has no address and no number, only a hash that recognises them in the next
// segment. Closing connections have tags too, for a late or repeated FIN. An address and port have one tag, for their
// last connection.
#include <stddef.h>

#include "internal.h"
#include "tcp.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../tls/tls.h"

#define SWEPT_AT_ONCE 1024u

// Data missing in a tag: the address of its peer. The tag's sum then gives RCV.NXT.
#define IDLES (CLOSES_IDLE ? WHIT_IDLE : 1)    // an image without them does not refer to it
static struct idle {
    uint32_t addr;
    uint16_t port;
    uint8_t source[LINK_ADDRESS];
    bool tls;
} idles[IDLES];
_Static_assert(!CLOSES_IDLE || sizeof(struct idle) + sizeof(struct whit_tag) <= 32,
               "an idle connection is at most 32 octets");

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

// Returns SND.NXT. If no tag knows it, the current segment acknowledges exactly that, or its sum differs.
static uint32_t tag_snd_nxt(const struct whit_tag *tag)
{
#if WHIT_KEEPS_FRAMES
    return tag->snd_nxt;
#else
    (void)tag;
    return seg_ack();
#endif
}

static void tag_sends(struct whit_tag *tag, uint32_t snd_nxt)
{
#if WHIT_KEEPS_FRAMES
    tag->snd_nxt = snd_nxt;
#else
    (void)tag;
    (void)snd_nxt;
#endif
}

static void idle_known(const struct whit_tag *tag, const struct whit_tcb *slot)
{
    struct idle *known = &idles[tag - whit_tags];
    *known = (struct idle){.addr = slot->remote_addr, .port = slot->remote_port, .tls = is_tls(slot)};
    link_known(slot, known->source);
}

// Closes an idle connection by a FIN, if that can leave: the tag is that of a closing one then.
static void idle_ends(struct whit_tag *tag)
{
    const struct idle *known = &idles[tag - whit_tags];
    struct whit_tcb peer = {.remote_addr = known->addr, .remote_port = known->port, .snd_una = tag_snd_nxt(tag)};
    uint8_t last[WHIT_TLS ? TLS_CLOSE_LEN : 1], len = 0;
    if (!repeats_take_fin())
        return;
    set_tls(&peer, known->tls);
    struct hash hash = keyed_hash(&peer, hash_use(&peer, HASH_TAG));
    octet_expected(&peer, tag->mac - mac_of(hash.low, 0, peer.snd_una));
    if (is_tls(&peer))
        len = sealed_idle_last(tag, last);
    repeats_fin(&peer, known->source, last, len);
    tag_sends(tag, peer.snd_una + len + 1);
    tag->mac = mac_of(hash.low, peer.rcv_nxt, tag_snd_nxt(tag));
    tag_close(tag, TAG_CLOSED);
}

// Another connection takes the place. A connection whose request has just arrived may lose it.
static void idle_displaced(struct whit_tag *tag, const struct whit_tcb *by)
{
    const struct idle *known = &idles[tag - whit_tags];
    bool same = known->addr == by->remote_addr && known->port == by->remote_port && known->tls == is_tls(by);
    if (!same && !(whit.rx.origin == ORIGIN_TAG && whit.rx.tag == tag))
        idle_ends(tag);
}

// Returns the units of AGE_MS since tags were swept.
static uint8_t units_late(void)
{
    return (uint8_t)(whit.now_ms / AGE_MS - whit.swept);
}

// Returns the age of a new tag. It makes up for the units that the next sweep subtracts.
static uint8_t age_of_new(void)
{
    uint8_t late = WHIT_KEEP_ALIVE != 0 ? units_late() : 0;
    return (uint8_t)(AGE_IDLE + (late < AGE_LATE ? late : AGE_LATE));
}

const struct whit_tag *tag_put(const struct whit_tcb *tcb, enum tag_end end)
{
    struct hash hash = keyed_hash(tcb, hash_use(tcb, HASH_TAG));
    whit_tuple tuple = (whit_tuple)hash.high;
    struct whit_tag *tag = table_tag(tcb, tuple, true);
    if (tag->age != 0 && !tag->closing && tag->tuple != tuple)
        count(WHIT_COUNT_TAG_EVICTED);
    if (CLOSES_IDLE && tag->age != 0 && !tag->closing)
        idle_displaced(tag, tcb);
    if (WHIT_TLS && TAGS_ARE_FEW) {
        tag->age = 0;
        sealed_idle_wipe();
    }
    uint32_t rcv_nxt = tcb->rcv_nxt;
    if (tcb->peer_fin && end != TAG_RESET)
        rcv_nxt--;    // the peer may retransmit its FIN
    *tag = (struct whit_tag){.mac = mac_of(hash.low, rcv_nxt, snd_max(tcb)),
                             .tuple = tuple,
                             .mss8 = tcb->mss8,
                             .parity = tcb->parity,
                             .age = age_of_new() & 31u};
    tag_sends(tag, snd_max(tcb));
    if (LEAVES_SLOTS)
        tag->turned_away = whit.rx.brings_request;    // the request is not taken, or its connection would be no tag
    if (end != TAG_IDLE)
        tag_close(tag, end);
    else if (CLOSES_IDLE)
        idle_known(tag, tcb);
    return tag;
}

// Notes that the peer has reset its connection. A connection without a request yet takes no living one's place.
void tag_reset(void)
{
    struct whit_rx *rx = &whit.rx;
    if (rx->origin != ORIGIN_COOKIE) {
        tag_close(rx->tag, TAG_RESET);
        return;
    }
    struct hash hash = keyed_hash(&rx->pending, hash_use(&rx->pending, HASH_TAG));
    const struct whit_tag *place = table_tag(&rx->pending, (whit_tuple)hash.high, true);
    if (rx->tag != NULL || place->age == 0 || place->closing)
        tag_put(&rx->pending, TAG_RESET);
}

// Judges a frame that was refused before; it was judged then, unless it came ahead of a gap. ORIGIN_TAG: RCV.NXT lies
// in its data. ORIGIN_OUT_OF_ORDER: octets before it are missing. Else ORIGIN_UNKNOWN. Its acknowledgment is old by any
// number of octets now: from here on, it acknowledges all. `ahead`: the tag's sum less the frame's.
static uint8_t offered_again(const struct whit_tag *tag, uint32_t ahead)
{
    struct whit_rx *rx = &whit.rx;
    uint32_t ack = tag_snd_nxt(tag), old = ahead - mac_of(0, 0, ack) + mac_of(0, 0, seg_ack());
    bool gap = WHIT_HOLDS_FRAMES && 0 - old < WHIT_RCV_WND && old != 0;
    if (!frame_judged() || tag->closing || seg_is_pure() || (old != 0 && old >= rx->payload_len && !gap))
        return ORIGIN_UNKNOWN;
    store32_be(rx->head + 8, ack);
    octet_expected(&rx->pending, rx->pending.rcv_nxt + old);
    all_acknowledged(&rx->pending, ack);
    return gap ? ORIGIN_OUT_OF_ORDER : ORIGIN_TAG;
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
    if (ahead == 0 && exact)
        return tag->closing ? ORIGIN_CLOSING : ORIGIN_TAG;
    uint8_t again = offered_again(tag, ahead);
    if (again != ORIGIN_UNKNOWN)
        return again;
    bool says = !seg_is_pure() || (seg_flags() & (TCP_RST | TCP_SYN)) != 0;
    if (exact && (ahead + 0x8000) >> 16 == 0 && (says && !tag->closing) | (ahead == 1)) {
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
        if (CLOSES_IDLE && tag->age == 1 && !tag->closing)
            idle_ends(tag);    // or else in the next unit
        else if (tag->age != 0)
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

// Makes all tags older by the units that have passed. After a pause of several units they are swept at once.
void tag_sweep(void)
{
    uint8_t units;
    while ((units = units_late()) != 0) {
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

uint16_t tag_sweep_next(void)
{
    return units_late() != 0 ? 0 : (uint16_t)(TICKS(AGE_MS - whit.now_ms % AGE_MS) + 1);
}

// ------------------------------------------------------------------------------------------ idle connections under TLS

// Places for the keys of idle connections under TLS. A place belongs to a tag as long as that tag remembers the same
// connection. With few tags, the keys are wiped before that changes; with many, the place stores the tag's sum.

#if WHIT_TLS
#define IDLE_CNT (WHIT_HTTPS_IDLE != 0 ? WHIT_HTTPS_IDLE : 1)    // an image without them does not refer to it
static struct sealed_idle {
    // Without octets of a record, the place is free. With few tags, its mark is the tag's index.
    struct tls_kept kept;
#if !TAGS_ARE_FEW
    uint32_t mac, tag;
#endif
} idle[IDLE_CNT];

static struct whit_tag *tag_of(const struct sealed_idle *one)
{
#if TAGS_ARE_FEW
    return &whit_tags[one->kept.mark];
#else
    return &whit_tags[one->tag];
#endif
}

static bool is_taken(const struct sealed_idle *one)
{
    const struct whit_tag *tag = tag_of(one);
#if !TAGS_ARE_FEW
    if (one->mac != tag->mac)
        return false;
#endif
    return one->kept.record_half != 0 && tag->age != 0 && !tag->closing;
}

struct tls_kept *sealed_idle_of(const struct whit_tag *tag)
{
    for (struct sealed_idle *one = idle; WHIT_HTTPS_IDLE != 0 && one != idle + IDLE_CNT; one++)
        if (tag_of(one) == tag && is_taken(one))
            return &one->kept;
    return NULL;
}

uint8_t sealed_idle_last(const struct whit_tag *tag, uint8_t *last)
{
    const struct tls_kept *kept = sealed_idle_of(tag);
    if (kept == NULL)
        return 0;
    tls_seal_last(kept, last);
    return TLS_CLOSE_LEN;
}

struct tls_kept *sealed_idle_free(void)
{
    for (struct sealed_idle *one = idle; HAS_TAGS && WHIT_HTTPS_IDLE != 0 && one != idle + IDLE_CNT; one++)
        if (!is_taken(one))
            return &one->kept;
    return NULL;
}

void sealed_idle_wipe(void)
{
    for (struct sealed_idle *one = idle; WHIT_HTTPS_IDLE != 0 && one != idle + IDLE_CNT; one++)
        if (one->kept.record_half != 0 && !is_taken(one))
            whit_wipe(one, sizeof *one);
}

void sealed_idle_mark(struct tls_kept *kept, const struct whit_tag *tag)
{
    struct sealed_idle *one = (struct sealed_idle *)(void *)kept;
#if TAGS_ARE_FEW
    one->kept.mark = (uint16_t)(tag - whit_tags);
#else
    one->mac = tag->mac;
    one->tag = (uint32_t)(tag - whit_tags);
#endif
}
#endif
