// SPDX-License-Identifier: MIT
// Acknowledgments of a response in flight: what has arrived, what was lost, what more may be sent
// (RFC 9293 section 3.10.7.4, RFC 5681, RFC 6582).
#include "inner.h"
#include "packed.h"

// All of it is acknowledged, a FIN included.
static bool is_finished(const struct whit_tcb *tcb)
{
    struct extent extent = response_extent(tcb);
    return extent.ended && tcb->response.flight == 0 && tcb->position == ((extent.len + connection_ends(tcb)) & 0xffffff);
}

bool response_finished_by(const struct whit_tcb *tcb, uint32_t ack)
{
    if (tcb->state != TCB_RESPONSE || tcb->response.flight == 0 || ack - tcb->snd_una != tcb->response.flight ||
        connection_ends(tcb) || input_waits(tcb))
        return false;
    struct extent extent = response_extent(tcb);
    return extent.ended && tcb->position + tcb->response.flight == extent.len;
}

// The first segment that is not acknowledged, again. The slot may be gone behind it.
static void resend_first(struct whit_tcb *tcb)
{
    uint16_t window = unpacked(tcb->response.wnd, WND_BITS), flight = tcb->response.flight;
    tcp_resend(tcb, 0, window < flight ? window : flight);
}

static void recover(struct whit_tcb *tcb)
{
    count(WHIT_COUNT_RETRANSMIT_FAST);
    congestion_lost(tcb, false);
    tcb->response.mode = MODE_RECOVER;
    tcb->response.mark = tcb->response.flight;
    resend_first(tcb);
}

static void duplicate(struct whit_tcb *tcb)
{
    uint8_t dupacks = tcb->response.dupacks;
    if (dupacks < 3)
        tcb->response.dupacks = (uint8_t)(dupacks + 1) & 3;
    if (tcb->response.mode == MODE_RECOVER)
        tcb->cwnd = (uint8_t)(tcb->cwnd < 255 ? tcb->cwnd + 1 : 255);
    else if (tcb->response.mode != MODE_RESEND && (dupacks == 2 || (tcb->response.probed && dupacks < 3)))
        recover(tcb);
}

// NewReno: what follows the acknowledged segment is lost as well (RFC 6582 section 3.2, step 3).
static void partial(struct whit_tcb *tcb, uint16_t acked)
{
    uint16_t segments = (uint16_t)(acked / (tcb->mss4 * 4u));
    tcb->cwnd = (uint8_t)(tcb->cwnd > segments + 1 ? tcb->cwnd - segments + 1 : 1);
    resend_first(tcb);
}

static void advance(struct whit_tcb *tcb, uint16_t acked)
{
    uint16_t mark = tcb->response.mark;
    bool reached = mark <= acked;
    tcb->snd_una += acked;
    response_advance(tcb, acked);
    tcb->response.flight = (uint16_t)(tcb->response.flight - acked);
    tcb->response.mark = reached ? 0 : (uint16_t)(mark - acked);
    if (tcb->response.retries != 0)
        rtt_backed_off(tcb);
    tcb->response.retries = 0;
    tcb->response.dupacks = 0;
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
    if (round_trip) {
        rtt_sample(tcb);
        tcb->response.mode = MODE_PLAIN;
    } else if (tcb->response.mode == MODE_RESEND && tcb->response.flight == 0) {
        tcb->response.mode = MODE_PLAIN;
    }
}

static void window_opens(struct whit_tcb *tcb)
{
    tcb->response.retries = 0;
    if (tcb->response.flight != 0) {    // a probe that the peer had no room for
        tcb->response.mode = MODE_RESEND;
        tcb->response.mark = 0;
    }
}

bool response_ack_acceptable(const struct whit_tcb *tcb, uint32_t ack)
{
    uint32_t newest = tcb->snd_una + tcb->response.flight;
    return newest - ack <= tcb->response.flight + UINT32_C(65535);
}

bool response_acknowledge(struct whit_tcb *tcb, uint32_t ack, uint16_t wnd, bool pure)
{
    uint16_t before = tcb->response.wnd, after = packed(wnd, WND_BITS) & 0xfff;
    uint32_t acked = ack - tcb->snd_una;
    if (acked > tcb->response.flight)
        return false;    // an old duplicate
    tcb->response.wnd = after;
    if (acked != 0)
        advance(tcb, (uint16_t)acked);
    else if (pure && before == after && tcb->response.flight != 0 && after != 0)
        duplicate(tcb);
    if (tcb->state == TCB_FREE)
        return false;    // what was to be sent again was not the same: reset
    if (before == 0 && after != 0)
        window_opens(tcb);
    if (is_finished(tcb))
        return true;
    table_ready(tcb);
    if (acked != 0 || before != after)
        retransmit_arm(tcb);
    return false;
}
