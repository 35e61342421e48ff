// SPDX-License-Identifier: MIT
// Congestion control (RFC 5681, 6582) in whole segments: initial window of RFC 6928, slow start that counts octets
// (RFC 3465, at most two segments for an acknowledgment), then one segment a round trip.
#include "full.h"
#include "recovery.h"
#include "../base/packed.h"
#include "../base/peer.h"
#include "../base/state.h"
#include "../base/tcb.h"

#define CWND_MAX 255
#define CWND_INITIAL 10
#define SSTHRESH_CODE_MAX 15    // 192 segments and more: slow start knows no end

// Hosts lose windows and win them back as their clients' kernels do, in CUBIC's region that is as fast as Reno (RFC 9438 section 4.3): 0.7
// is left after a loss, and a round trip brings half a segment. Which of them bring one, bits of snd_una say, as nothing is kept.
#define AS_CUBIC WHIT_KEEPS_WINDOW

static uint8_t ssthresh_of(const struct whit_tcb *tcb)
{
    uint8_t code = tcb->response.ssthresh;
    return code == SSTHRESH_CODE_MAX ? CWND_MAX : (uint8_t)unpacked(code, SSTHRESH_BITS);
}

static void set_cwnd(struct whit_tcb *tcb, uint16_t segments)
{
    tcb->cwnd = (uint8_t)(segments < CWND_MAX ? segments : CWND_MAX);
}

// What a host's connections had in flight together without a loss, and what an acknowledgment of a whole window made of it, each next
// response may have a slot's share of, where it is more than the initial window: until for an RTO they had less than half of it
// (RFC 5681 section 4.1, RFC 7661, RFC 9040). That each slot had as much as the one that is acknowledged is a guess.
static bool window_is_proven(const struct whit_tcb *tcb, uint16_t peer)
{
    return (uint16_t)(now_ticks() - peer_window_at[peer]) <= rtt_times(tcb).rto;
}

static uint16_t window_proven(const struct whit_tcb *tcb)
{
    uint16_t peer = peer_of(tcb);
    return window_is_proven(tcb, peer) ? peer_window[peer] / peer_slot_cnt(peer) : 0;
}

// cwnd: as it was when these octets were in flight.
static void window_used(const struct whit_tcb *tcb, uint32_t octets, uint8_t cwnd)
{
    uint16_t mss = tcb_mss(tcb), peer = peer_of(tcb);
    uint32_t window = (octets + mss - 1) / mss;
    window = (window < cwnd ? window : tcb->cwnd) * peer_slot_cnt(peer);
    if (window > UINT16_MAX)
        window = UINT16_MAX;
    bool proven = window_is_proven(tcb, peer);
    if (proven && window < peer_window[peer] / 2)
        return;
    if (!proven || window > peer_window[peer])
        peer_window[peer] = (uint16_t)window;
    peer_window_at[peer] = now_ticks();
}

// What is left of it for the next response after a loss: as much as for this one (RFC 9040).
static void window_lost(const struct whit_tcb *tcb, uint16_t segments)
{
    uint16_t peer = peer_of(tcb);
    uint32_t window = (uint32_t)segments * peer_slot_cnt(peer);
    if (window < peer_window[peer])
        peer_window[peer] = (uint16_t)window;
}

void recovery_begin(struct whit_tcb *tcb)
{
    uint16_t proven = WHIT_KEEPS_WINDOW ? window_proven(tcb) : 0;
    set_cwnd(tcb, WHIT_LINK_LOCAL ? CWND_MAX : proven > CWND_INITIAL ? proven : CWND_INITIAL);
    tcb->response.ssthresh = SSTHRESH_CODE_MAX;
}

// Their parity, so that no window in octets meets the same answer each time.
static bool brings_one(const struct whit_tcb *tcb)
{
    return (0x6996 >> (tcb->snd_una >> 12 & 15) & 1) != 0;
}

// acked: octets that an acknowledgment outside of recovery covers for the first time; round_trip: it ends one.
void congestion_acked(struct whit_tcb *tcb, uint16_t acked, bool round_trip)
{
    uint8_t ssthresh = ssthresh_of(tcb), before = tcb->cwnd;
    if (tcb->cwnd < ssthresh) {
        uint16_t grown = (uint16_t)(tcb->cwnd + (acked > tcb_mss(tcb) ? 2 : 1));
        set_cwnd(tcb, grown < ssthresh ? grown : ssthresh);
    } else if (round_trip && (!AS_CUBIC || brings_one(tcb))) {
        set_cwnd(tcb, (uint16_t)(tcb->cwnd + 1));
    }
    if (WHIT_KEEPS_WINDOW)
        window_used(tcb, UINT32_C(0) + acked + tcb->response.flight, before);
}

// Of what is in flight a part is left, two segments at least: half (RFC 5681 (4)), or 0.7 (RFC 9438 section 4.6).
void congestion_lost(struct whit_tcb *tcb, bool timeout)
{
    uint16_t segments = tcb->response.flight / tcb_mss(tcb), left = (uint16_t)(AS_CUBIC ? segments * UINT32_C(7) / 10 : segments / 2);
    if (left < 2)
        left = 2;
    uint16_t code = packed(left, SSTHRESH_BITS);
    tcb->response.ssthresh = (code < SSTHRESH_CODE_MAX ? code : SSTHRESH_CODE_MAX) & 15u;
    set_cwnd(tcb, timeout ? 1 : ssthresh_of(tcb) + 3);
    if (WHIT_KEEPS_WINDOW)
        window_lost(tcb, timeout ? 0 : left);
}

void congestion_recovered(struct whit_tcb *tcb, uint16_t sacked)
{
    set_cwnd(tcb, ssthresh_of(tcb) + sacked);
}
