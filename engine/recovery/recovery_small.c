// SPDX-License-Identifier: MIT
// Recovery from loss in a small build, for a device at the end of one slow line (tcp.md). It has the timer of RFC 6298,
// and slow start up to the initial window of RFC 5681. It retransmits from the first octet that is not acknowledged.
// Round-trip times belong to the line, not to the peer. recovery_full.c does more.
#include "recovery.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tcb.h"

#define RTO_MIN RTO_INITIAL                     // RFC 6298 (2.4)
#define RETRIES_MAX 7                           // 1+2+4+8+16+32+60 s: more than the 100 s of RFC 9293 MUST-20
#define WINDOW_MAX 4095                         // octets in flight
#define CWND_MAX (WHIT_LINK_LOCAL ? 255 : 4)    // segments
#define UNIT_SHIFT 7    // milliseconds: round trips are measured in units of 128 ms, less than the least RTO
#define UNIT ((1 << UNIT_SHIFT) / TICK_MS)

static struct {
    // eighths and quarters of units; rttvar4 is 0: not measured, srtt8 is an RTO that was backed off, or 0
    uint16_t srtt8, rttvar4;
} line_rtt;

void recovery_init(void)
{
    if (!WHIT_STARTS_ONCE)
        line_rtt.srtt8 = line_rtt.rttvar4 = 0;
}

uint16_t window_code(uint16_t wnd)
{
    return wnd < WINDOW_MAX ? wnd : WINDOW_MAX;
}

uint16_t window_of(const struct whit_tcb *tcb)
{
    return tcb->response.wnd;
}

void recovery_begin(struct whit_tcb *tcb)
{
    tcb->cwnd = CWND_MAX;
}

uint32_t recovery_segments(const struct whit_tcb *tcb)
{
    return tcb->cwnd;
}

uint16_t rtt_rto(const struct whit_tcb *tcb)
{
    uint16_t rto = (uint16_t)(((line_rtt.srtt8 >> 3) + line_rtt.rttvar4) * UNIT);
    if (rto < RTO_MIN)
        rto = RTO_MIN;
    for (uint8_t i = tcb->state == TCB_RESPONSE ? tcb->response.retries : 0; i != 0 && rto < RTO_MAX; i--)
        rto = (uint16_t)(rto * 2);
    return rto < RTO_MAX ? rto : RTO_MAX;
}

CALLED uint8_t now_units(void)
{
    return (uint8_t)(whit.now_ms >> UNIT_SHIFT);
}

static void round_trip_sample(const struct whit_tcb *tcb)
{
    uint16_t sample = (uint8_t)(now_units() - tcb->response.stamp) + 1u;
    if (line_rtt.rttvar4 == 0) {
        line_rtt.srtt8 = (uint16_t)(sample * 8);
        line_rtt.rttvar4 = (uint16_t)(sample * 2);
        return;
    }
    int16_t error = (int16_t)(sample - (line_rtt.srtt8 >> 3));
    line_rtt.srtt8 = (uint16_t)(line_rtt.srtt8 + error);
    line_rtt.rttvar4 = (uint16_t)(line_rtt.rttvar4 - (line_rtt.rttvar4 >> 2) + (error < 0 ? -error : error));
}

void retransmit_arm(struct whit_tcb *tcb)
{
    table_arm(tcb, rtt_rto(tcb));
}

__attribute__((noinline)) static void go_back(struct whit_tcb *tcb)
{
    mark_goes_back(tcb);    // Karn: retransmitted octets are not timed
    tcb->cwnd = 1;
    table_ready(tcb);
}

enum due retransmit_due(struct whit_tcb *tcb)
{
    if (tcb->response.retries >= (tcb->response.wnd == 0 ? PERSIST_RETRIES_MAX : RETRIES_MAX))
        return DUE_GIVE_UP;
    tcb->response.retries++;
    retransmit_arm(tcb);
    if (tcb->response.flight != 0 && tcb->response.wnd != 0)
        count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
    go_back(tcb);    // into a closed window, a probe (RFC 9293 section 3.8.6.1)
    return DUE_NOTHING;
}

void recovery_hurry(void)    // a cable loses little
{
}

bool recovery_silent(struct whit_tcb *tcb)
{
    return tcb->response.retries >= 2;
}

void recovery_heard(struct whit_tcb *tcb)
{
    (void)tcb;
}

uint16_t retransmit_tail(const struct whit_tcb *tcb)    // there is no tail-loss probe
{
    (void)tcb;
    return 0;
}

bool recovery_resends(struct whit_tcb *tcb)
{
    (void)tcb;
    return false;    // go_back() does it
}

void recovery_resent(struct whit_tcb *tcb, uint16_t end)
{
    (void)tcb;
    (void)end;
}

bool recovery_early(struct whit_tcb *tcb)
{
    (void)tcb;
    return false;
}

void recovery_duplicate(struct whit_tcb *tcb)
{
    if (tcb->response.mode == MODE_RESEND || tcb->response.dupacks == 3)
        return;
    if (++tcb->response.dupacks == 3) {
        count(WHIT_COUNT_RETRANSMIT_FAST);
        go_back(tcb);
    }
}

// A round trip longer than the RTO is never measured: every acknowledgment comes after a retransmission. The backed-off
// RTO stays in force until one can be (RFC 6298 section 5, Karn's algorithm).
static void backed_off(const struct whit_tcb *tcb)
{
    uint16_t rto = rtt_rto(tcb);
    if (rto > RTO_KEPT)
        rto = RTO_KEPT;
    line_rtt.srtt8 = (uint16_t)(rto / UNIT * 8);
    line_rtt.rttvar4 = 0;
}

void recovery_acked(struct whit_tcb *tcb, uint16_t acked, bool reached)
{
    (void)acked;
    if (tcb->response.retries != 0 && line_rtt.rttvar4 == 0)
        backed_off(tcb);
    if (tcb->cwnd < CWND_MAX)
        tcb->cwnd++;
    if (tcb->response.mode == MODE_TIMING && reached)
        round_trip_sample(tcb);
    else if (tcb->response.flight != 0)
        return;
    mark_over(tcb);
}

void recovery_sent(struct whit_tcb *tcb, uint16_t before, bool last)
{
    (void)last;
    if (tcb->response.mode == MODE_PLAIN) {
        mark_times(tcb, before);
        tcb->response.stamp = now_units();
    }
    if (before == 0)
        retransmit_arm(tcb);
}
