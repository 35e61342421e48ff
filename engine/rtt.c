// SPDX-License-Identifier: MIT
// Round-trip times (RFC 6298). One octet at a time is timed for a connection; SRTT and RTTVAR belong to the host
// (peer.c), packed in an octet each. The stamp is an octet too: its unit is as long as it must be for the RTO to
// fit into 255, and the RTO does not change while an octet is timed.
#include "packed.h"
#include "recovery.h"

// Nearest code rather than the one below.
static uint8_t pack_time(uint32_t ticks)
{
    ticks += ticks >> (RTT_BITS + 2);
    return (uint8_t)packed((uint16_t)(ticks < 0x7000 ? ticks : 0x7000), RTT_BITS);
}

// Moves a packed average by 1/2^shift towards a sample; by one code at least, else small differences would never count.
static uint8_t averaged(uint8_t code, uint16_t sample, uint8_t shift)
{
    uint16_t old = unpacked(code, RTT_BITS);
    uint8_t moved = pack_time(old + (sample >> shift) - (old >> shift));
    uint8_t target = pack_time(sample);
    if (moved == code && target != code)
        moved = (uint8_t)(target > code ? code + 1 : code - 1);
    return moved;
}

void recovery_init(void)
{
    peer_init();
}

struct rtt rtt_times(const struct whit_tcb *tcb)
{
    uint16_t peer = peer_find(tcb->remote_addr);
    struct rtt times = {0, RTO_INITIAL};
    uint32_t rto = RTO_INITIAL;
    if (peer != WHIT_PEERS && peer_srtt[peer] != 0) {
        times.srtt = unpacked(peer_srtt[peer], RTT_BITS);
        rto = times.srtt + UINT32_C(4) * unpacked(peer_rttvar[peer], RTT_BITS) + 1;
        rto = rto < RTO_MIN ? RTO_MIN : rto;
    }
    for (uint8_t i = tcb->state == TCB_RESPONSE ? tcb->response.retries : 0; i != 0 && rto < RTO_MAX; i--)
        rto *= 2;
    times.rto = (uint16_t)(rto < RTO_MAX ? rto : RTO_MAX);
    return times;
}

uint16_t rtt_rto(const struct whit_tcb *tcb)
{
    return rtt_times(tcb).rto;
}

static uint8_t stamp_shift(const struct whit_tcb *tcb)
{
    uint8_t shift = 0;
    for (uint16_t rto = rtt_rto(tcb); rto > 255; rto >>= 1)
        shift++;
    return shift;
}

void rtt_start(struct whit_tcb *tcb, uint16_t mark)
{
    tcb->response.mode = MODE_TIMING;
    tcb->response.mark = mark;
    tcb->response.stamp = (uint8_t)(now_ticks() >> stamp_shift(tcb));
}

void rtt_sample(struct whit_tcb *tcb)
{
    uint16_t peer = peer_learn(tcb->remote_addr);
    if (peer == WHIT_PEERS)
        return;
    uint8_t shift = stamp_shift(tcb);
    uint16_t sample = (uint16_t)((uint8_t)((now_ticks() >> shift) - tcb->response.stamp) << shift);
    if (sample == 0)
        sample = 1;    // less than a tick: 0 means that nothing is known
    uint16_t srtt = unpacked(peer_srtt[peer], RTT_BITS);
    if (srtt == 0) {
        peer_srtt[peer] = pack_time(sample);
        peer_rttvar[peer] = pack_time((uint16_t)((sample + 1) / 2));
        return;
    }
    peer_rttvar[peer] = averaged(peer_rttvar[peer], srtt > sample ? (uint16_t)(srtt - sample) : (uint16_t)(sample - srtt), 2);
    peer_srtt[peer] = averaged(peer_srtt[peer], sample, 3);
}

// A round trip longer than the RTO is never measured: every acknowledgment comes after a retransmission. The backed-off
// RTO stays in force until one can be (RFC 6298 section 5, Karn's algorithm).
void rtt_backed_off(const struct whit_tcb *tcb)
{
    uint16_t peer = peer_learn(tcb->remote_addr), rto = rtt_rto(tcb);
    if (peer == WHIT_PEERS || peer_srtt[peer] != 0)
        return;
    if (rto > RTO_KEPT)
        rto = RTO_KEPT;
    peer_srtt[peer] = pack_time(rto / 2);
    peer_rttvar[peer] = pack_time(rto / 8);
}
