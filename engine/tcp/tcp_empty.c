// SPDX-License-Identifier: MIT
// Segments without data: acknowledgments, what answers a segment without a slot, resets.
#include "connection.h"
#include "segment_out.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../link/link.h"
#include "../link/segment.h"

bool tcp_empty(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags)
{
    bool begun = segment_begin(tcb, seq, flags, 0, 0);
    if (begun)
        link_out_end();
    return begun;
}

void tcp_answer(uint32_t seq, uint32_t ack, uint8_t flags)
{
    whit.rx.pending.snd_una = seq;
    whit.rx.pending.rcv_nxt = ack;
    whit.left_to_do = flags;
}

void tcp_answer_now(void)
{
    tcp_empty(&whit.rx.pending, whit.rx.pending.snd_una, whit.left_to_do);
    whit.left_to_do = 0;
}

void connection_sent(struct whit_tcb *tcb, uint16_t len)
{
    octets_acknowledged(tcb, len);
}

void tcp_reset(const struct whit_tcb *tcb)
{
    // Where the peer stands: at the end of what was sent, or at its beginning when that seems to be lost or was a probe that
    // it had no room for (RFC 5961 section 3).
    bool there = tcb->state == TCB_RESPONSE && tcb->response.retries == 0 && tcb->response.mode != MODE_RESEND;
    uint16_t flight = there ? tcb->response.flight : 0;
    tcp_empty(tcb, tcb->snd_una + flight, TCP_RST | TCP_ACK);
    if (WHIT_REPEATS != 0)
        repeats_rst(tcb);
}
