// SPDX-License-Identifier: MIT
// The timer of a response in flight: retransmission (RFC 6298), tail-loss probe (RFC 8985 section 7) and the probe
// of a closed window (RFC 9293 section 3.8.6.1). One deadline serves all three; which it is follows from the state.
#include "full.h"
#include "recovery.h"
#include "../base/limits.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tables.h"
#include "../base/tcb.h"

#define RETRIES_MAX 7    // 1+2+4+8+16+32+60 s: more than the 100 s of RFC 9293 MUST-20; one more where 0.2 s come first
#define RETRIES_MORE 15    // of MORE_TRIES: 24 timeouts, 100 s at least
#define RETRIES_EACH 6     // so many of them are counted each, of those after these every second one
#define SILENT_TRIES 11    // at 20 % loss, a peer that lives leaves so many unanswered in one of some thirty thousand cases
#define SILENT_UNKNOWN 8   // where no round trip was measured, and each takes 300 ms
#define RETRIES_COUNTED 12    // while others wait, timeouts are short, and no number of them ends a response: they may make it give way

// All round trips are shorter than a tick: of RTTVAR there is only what rounding leaves. Hosts need not wait for that.
static bool is_rounded(const struct rtt *times)
{
    return WHIT_KEEPS_WINDOW && times->srtt == 1 && times->over <= 3;
}

// A probe tells a lost last segment from a slow one within about two round trips: two after the first segment, one and
// a half after an acknowledgment, which came a round trip later than what it is for. Who waits with the acknowledgment
// of a lone segment gets the time for it, but only when the response is no longer than a segment. That covers a short
// segment that went ahead: on a slow line its round trip is shorter than the time that the rest needs to leave.
// In recovery nothing is delayed: a peer with a gap answers at once what fills it (RFC 5681 section 4.2), and what is sent
// there again and not acknowledged by RFC 6298's time without a floor is lost. While others wait for a slot or for room, nobody
// is given the time of a delayed acknowledgment, and a probe that is lost begins recovery.
static uint16_t probe_ticks(const struct whit_tcb *tcb, const struct rtt *times)
{
    uint16_t srtt = times->srtt;
    if (srtt == 0 || tcb->response.flight == 0 || tcb->response.wnd == 0 ||
        (tcb->response.mode == MODE_RECOVER || hurried() ? tcb->probed_again : tcb->response.probed) || tcb->response.mode == MODE_RESEND || tcb->response.retries != 0)
        return RTO_MAX;
    uint32_t ticks = srtt + UINT32_C(1);
    if (tcb->response.mode == MODE_RECOVER || tcb->response.probed)
        ticks += is_rounded(times) ? 0 : times->over;
    else
        ticks += tcb->position == 0 ? srtt : srtt / 2;
    if (tcb->position + tcb->response.flight <= tcb_mss(tcb) && tcb->response.mode != MODE_RECOVER && !hurried() &&
        (tcb->position == 0 || tcb->response.mode != MODE_TIMING || tcb->response.mark == tcb->response.flight))
        ticks += DELAYED_ACK;
    ticks <<= tcb->response.probed;
    return (uint16_t)(ticks < RTO_MAX ? ticks : RTO_MAX);
}

bool recovery_silent(struct whit_tcb *tcb)
{
    recovery_hurry();
    struct rtt times = rtt_times(tcb);
    if (tcb->response.retries != 0 && ticks_left(tcb) > times.rto)
        retransmit_arm(tcb);
    return tcb->response.retries >= (tcb->response.wnd == 0 ? 2 : times.over != 0 ? SILENT_TRIES : SILENT_UNKNOWN);
}

void retransmit_arm(struct whit_tcb *tcb)
{
    struct rtt times = rtt_times(tcb);
    uint16_t probe = probe_ticks(tcb, &times);
    table_arm(tcb, probe < times.rto ? probe : times.rto);
}

static bool gives_up(const struct whit_tcb *tcb)
{
    uint8_t most = MORE_TRIES ? RETRIES_MORE : rtt_times(tcb).srtt != 0 ? RETRIES_MAX + 1 : RETRIES_MAX;
    return !hurried() && tcb->response.retries >= most;
}

// probed_again: of the timeouts that are counted by two, there was one.
static void count_try(struct whit_tcb *tcb)
{
    if (MORE_TRIES && tcb->response.wnd != 0 && !hurried() && tcb->response.retries >= RETRIES_EACH) {
        tcb->probed_again = !tcb->probed_again;
        if (tcb->probed_again)
            return;
    }
    if (!hurried() || tcb->response.retries < RETRIES_COUNTED)
        tcb->response.retries++;
}

// The window is closed, or the first segment found no way out.
static enum due window_due(struct whit_tcb *tcb)
{
    if (tcb->response.wnd == 0 ? tcb->response.retries >= PERSIST_RETRIES_MAX : gives_up(tcb))
        return DUE_GIVE_UP;
    count_try(tcb);
    table_arm(tcb, rtt_times(tcb).rto);
    if (tcb->response.wnd == 0) {    // a probe
        mark_times_out(tcb);
    }
    table_ready(tcb);
    return DUE_NOTHING;
}

static enum due timeout_due(struct whit_tcb *tcb)
{
    if (gives_up(tcb))
        return DUE_GIVE_UP;
    count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
    if (tcb->response.mode != MODE_RESEND || tcb->response.mark != 0 || tcb->response.retries == 0)
        congestion_lost(tcb, true);
    count_try(tcb);
    mark_times_out(tcb);
    table_ready(tcb);
    table_arm(tcb, rtt_times(tcb).rto);
    return DUE_NOTHING;
}

void retransmit_soon(struct whit_tcb *tcb)
{
    struct rtt times = rtt_times(tcb);
    if (probe_ticks(tcb, &times) < times.rto)
        table_arm(tcb, times.srtt / 4 + 1);
}

static enum due probe_due(struct whit_tcb *tcb)
{
    if (tcb->response.mode <= MODE_TIMING && (tcb->response.dupacks != 0 || tcb->response.probed)) {
        recovery_lost(tcb);
        table_ready(tcb);
        return DUE_NOTHING;
    }
    count(WHIT_COUNT_TAIL_PROBE);
    tcb->probed_again = tcb->response.probed;
    tcb->response.probed = 1;
    if (tcb->response.mode == MODE_TIMING)
        mark_over(tcb);    // Karn: its acknowledgment could be for either
    retransmit_arm(tcb);
    if (tcb->response.mode != MODE_RECOVER)
        return DUE_TAIL_PROBE;
    recovery_again(tcb);
    table_ready(tcb);
    return DUE_NOTHING;
}

uint16_t retransmit_tail(const struct whit_tcb *tcb)
{
    uint16_t len = segment_len(tcb), flight = tcb->response.flight;
    return flight > tcb_mss(tcb) ? (uint16_t)((flight - 1u) / len * len) : 0;
}

void recovery_heard(struct whit_tcb *tcb)
{
    if (MORE_TRIES && tcb->state == TCB_RESPONSE && tcb->response.retries != 0 && tcb->response.wnd != 0)
        table_arm(tcb, 0);    // the next timeout is now
}

enum due retransmit_due(struct whit_tcb *tcb)
{
    struct rtt times = rtt_times(tcb);
    if (tcb->response.flight == 0 || tcb->response.wnd == 0)
        return window_due(tcb);
    if (probe_ticks(tcb, &times) >= times.rto)
        return timeout_due(tcb);
    if (!tcb->ready)
        return probe_due(tcb);
    retransmit_arm(tcb);    // what it would send next is as good a probe; others have the line
    return DUE_NOTHING;
}
