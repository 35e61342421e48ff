// SPDX-License-Identifier: MIT
// Congestion control (RFC 5681, 6582) in whole segments: initial window of RFC 6928, slow start that counts octets
// (RFC 3465, at most two segments for an acknowledgment), then one segment a round trip.
#include "full.h"
#include "recovery.h"
#include "../base/packed.h"
#include "../base/tcb.h"

#define CWND_MAX 255
#define CWND_INITIAL 10
#define SSTHRESH_CODE_MAX 15    // 192 segments and more: slow start knows no end

static uint8_t ssthresh_of(const struct whit_tcb *tcb)
{
    uint8_t code = tcb->response.ssthresh;
    return code == SSTHRESH_CODE_MAX ? CWND_MAX : (uint8_t)unpacked(code, SSTHRESH_BITS);
}

static void set_cwnd(struct whit_tcb *tcb, uint16_t segments)
{
    tcb->cwnd = (uint8_t)(segments < CWND_MAX ? segments : CWND_MAX);
}

void recovery_begin(struct whit_tcb *tcb)
{
    tcb->cwnd = WHIT_LINK_LOCAL ? CWND_MAX : CWND_INITIAL;
    tcb->response.ssthresh = SSTHRESH_CODE_MAX;
}

// acked: octets that an acknowledgment outside of recovery covers for the first time; round_trip: it ends one.
void congestion_acked(struct whit_tcb *tcb, uint16_t acked, bool round_trip)
{
    uint8_t ssthresh = ssthresh_of(tcb);
    if (tcb->cwnd < ssthresh) {
        uint16_t grown = (uint16_t)(tcb->cwnd + (acked > tcb_mss(tcb) ? 2 : 1));
        set_cwnd(tcb, grown < ssthresh ? grown : ssthresh);
    } else if (round_trip) {
        set_cwnd(tcb, (uint16_t)(tcb->cwnd + 1));
    }
}

// Half of what is in flight, two segments at least (RFC 5681 (4)).
void congestion_lost(struct whit_tcb *tcb, bool timeout)
{
    uint16_t mss = tcb_mss(tcb);
    uint16_t half = (uint16_t)(tcb->response.flight / mss / 2);
    if (half < 2)
        half = 2;
    uint16_t code = packed(half, SSTHRESH_BITS);
    tcb->response.ssthresh = (code < SSTHRESH_CODE_MAX ? code : SSTHRESH_CODE_MAX) & 15u;
    set_cwnd(tcb, timeout ? 1 : ssthresh_of(tcb) + 3);
}

void congestion_recovered(struct whit_tcb *tcb, uint16_t sacked)
{
    set_cwnd(tcb, ssthresh_of(tcb) + sacked);
}
