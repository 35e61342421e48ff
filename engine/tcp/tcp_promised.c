// SPDX-License-Identifier: MIT
// Octets that the driver keeps for a connection with a slot. Those behind RCV.NXT are acknowledged: the peer's timer measures the
// network, and not how long the responses before them take. Those behind a gap are acknowledged selectively, by the segment that
// brought them (RFC 2018, section 4): Linux counts no duplicate acknowledgment without a block where blocks are permitted.
#include <stddef.h>

#include "connection.h"
#include "segment_out.h"
#include "tcp.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../link/segment.h"
#include "../recovery/recovery.h"
#include "whit/engine.h"

#define UNWILLING 64u    // places for peers that permit no blocks, a power of two

static uint16_t promised_lens[WHIT_HOLDS_FRAMES ? WHIT_CONNECTIONS : 1];    // octets of each slot behind RCV.NXT
static uint32_t unwilling[WHIT_HOLDS_FRAMES && WHIT_SACK ? UNWILLING : 1];    // 0: nobody
static struct whit_tcb *latest;    // the slot of the frame that ended last; NULL: it had none
static struct { uint32_t from, to; } leaving;  // of the acknowledgment that leaves; empty: it has none

#if WHIT_HOLDS_FRAMES
uint16_t promised_len(const struct whit_tcb *tcb)
{
    uintptr_t at = (uintptr_t)tcb - (uintptr_t)whit_slots;    // rx.pending is no slot
    return at < sizeof whit_slots ? promised_lens[tcb - whit_slots] : 0;
}

bool block_told(uint32_t *from, uint32_t *to)
{
    *from = leaving.from;
    *to = leaving.to;
    return leaving.from != leaving.to;
}
#endif

void promised_none(const struct whit_tcb *tcb)
{
    promised_lens[tcb - whit_slots] = 0;
}

void promised_taken(const struct whit_tcb *tcb, uint16_t len)
{
    uint16_t *kept = &promised_lens[tcb - whit_slots];
    *kept = *kept > len ? (uint16_t)(*kept - len) : 0;
}

static uint32_t peer_code(const struct whit_tcb *tcb)
{
    return (tcb->remote_addr ^ (uint32_t)tcb->remote_port << 16 ^ tcb->remote_port) * UINT32_C(0x9e3779b1) | 1;
}

// A connection needs no bit for what nearly every peer permits: those are noted that do not.
void block_permits(bool permitted)
{
    uint32_t code = peer_code(&whit.rx.pending), *place = &unwilling[(code >> 20) % UNWILLING];
    if (!permitted)
        *place = code;
    else if (*place == code)
        *place = 0;
}

static bool permits(const struct whit_tcb *tcb)
{
    uint32_t code = peer_code(tcb);
    return WHIT_SACK && unwilling[(code >> 20) % UNWILLING] != code;
}

void block_set(const struct whit_tcb *known)
{
    leaving.from = seg_seq();
    leaving.to = permits(known) ? leaving.from + whit.rx.payload_len : leaving.from;
}

void block_over(void)
{
    leaving.from = leaving.to = 0;
}

void gap_acknowledge(struct whit_tcb *tcb)
{
    if (!seq_lt(tcb->rcv_nxt + promised_len(tcb), seg_seq())) {
        owe_ack(tcb);
        return;
    }
    block_set(tcb);
    tcp_empty(tcb, tcb->snd_una + (tcb->state == TCB_RESPONSE ? tcb->response.flight : 0), TCP_ACK);
    block_over();
}

void promised_latest(void)
{
    latest = whit.rx.slot;
}

bool whit_input_next(uint32_t *seq)
{
    if (!WHIT_HOLDS_FRAMES || latest == NULL || latest->state == TCB_FREE)
        return false;
    *seq = latest->rcv_nxt + promised_len(latest);
    return true;
}

void whit_input_kept(uint32_t seq)
{
    struct whit_tcb *tcb = latest;
    uint32_t len = seq - tcb->rcv_nxt;
    if (len > WHIT_RCV_WND)
        len = WHIT_RCV_WND;
    if (len <= promised_len(tcb))
        return;
    promised_lens[tcb - whit_slots] = (uint16_t)len;
    owe_ack(tcb);
}
