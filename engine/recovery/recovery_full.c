// SPDX-License-Identifier: MIT
// What acknowledgments tell of losses: fast retransmit (RFC 5681, 5827) and NewReno recovery (RFC 6582). Its windows are
// in congestion.c, its timers in retransmit.c and rtt.c. recovery_small.c does with less.
#include "full.h"
#include "recovery.h"
#include "../base/packed.h"
#include "../base/state.h"
#include "../base/tcb.h"

uint16_t window_code(uint16_t wnd)
{
    return packed(wnd, WND_BITS) & 0xfff;
}

uint16_t window_of(const struct whit_tcb *tcb)
{
    return unpacked(tcb->response.wnd, WND_BITS);
}

// By limited transmit, one segment for each of the first duplicate acknowledgments (RFC 3042).
uint32_t recovery_segments(const struct whit_tcb *tcb)
{
    return tcb->cwnd + (tcb->response.mode <= MODE_TIMING ? tcb->response.dupacks : UINT32_C(0));
}

#define FIRST_AGAIN 1    // `stamp` in MODE_RECOVER: the first segment that is not acknowledged is to be sent again

bool recovery_resends(struct whit_tcb *tcb)
{
    bool resends = tcb->response.mode == MODE_RECOVER && tcb->response.stamp == FIRST_AGAIN;
    if (resends)
        tcb->response.stamp = 0;
    return resends;
}

static void recover(struct whit_tcb *tcb)
{
    count(WHIT_COUNT_RETRANSMIT_FAST);
    congestion_lost(tcb, false);
    tcb->response.mode = MODE_RECOVER;
    tcb->response.mark = tcb->response.flight;
    tcb->response.stamp = FIRST_AGAIN;
}

// Too little is in flight for three duplicates, and nothing more can be sent that would draw them.
bool recovery_early(struct whit_tcb *tcb)
{
    uint16_t mss = tcb_mss(tcb), flight = tcb->response.flight;
    uint8_t dupacks = tcb->response.dupacks;
    if (tcb->response.mode > MODE_TIMING || dupacks == 0 || flight <= mss || flight > (dupacks + 1u) * mss)
        return false;
    recover(tcb);
    return true;
}

void recovery_duplicate(struct whit_tcb *tcb)
{
    uint8_t dupacks = tcb->response.dupacks;
    if (dupacks < 3)
        tcb->response.dupacks = (dupacks + 1u) & 3u;
    if (tcb->response.mode == MODE_RECOVER)
        tcb->cwnd = (uint8_t)(tcb->cwnd < 255 ? tcb->cwnd + 1 : 255);
    else if (tcb->response.mode != MODE_RESEND && (dupacks == 2 || (tcb->response.probed && dupacks < 3)))
        recover(tcb);
}

// NewReno: what follows the acknowledged segment is lost as well (RFC 6582 section 3.2, step 3).
static void partial(struct whit_tcb *tcb, uint16_t acked)
{
    uint16_t segments = acked / tcb_mss(tcb);
    tcb->cwnd = (uint8_t)(tcb->cwnd > segments + 1 ? tcb->cwnd - segments + 1 : 1);
    tcb->response.stamp = FIRST_AGAIN;
}

void recovery_acked(struct whit_tcb *tcb, uint16_t acked, bool reached)
{
    tcb->response.probed = 0;
    if (tcb->response.retries != 0)
        rtt_backed_off(tcb);
    if (tcb->response.mode == MODE_RECOVER) {
        if (reached) {
            congestion_recovered(tcb);
            tcb->response.mode = MODE_PLAIN;
        } else {
            partial(tcb, acked);
        }
        return;
    }
    bool round_trip = tcb->response.mode == MODE_TIMING && reached;
    congestion_acked(tcb, acked, round_trip);
    if (round_trip)
        rtt_sample(tcb);
    if (round_trip || tcb->response.flight == 0)
        tcb->response.mode = MODE_PLAIN;
}

// The timer runs from the first segment of a flight, and from the last.
void recovery_sent(struct whit_tcb *tcb, bool first, bool last)
{
    tcb->response.probed = 0;
    if (tcb->response.mode == MODE_PLAIN)
        rtt_start(tcb, tcb->response.flight);
    if (first || (last && tcb->response.mode <= MODE_TIMING))
        retransmit_arm(tcb);
}
