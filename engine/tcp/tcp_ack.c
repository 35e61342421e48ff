// SPDX-License-Identifier: MIT
// Acknowledgments of a response in flight: what has arrived, and what the peer's window lets go (RFC 9293 section 3.10.7.4).
#include "connection.h"
#include "../base/body_block.h"
#include "../base/buffer.h"
#include "../base/holds.h"
#include "../base/slots.h"
#include "../base/tcb.h"
#include "../content/content.h"
#include "../recovery/recovery.h"

// All of it is acknowledged, a FIN included.
static bool is_finished(const struct whit_tcb *tcb)
{
    if (tcb->response.flight != 0)
        return false;
    struct extent extent;
    response_extent(tcb, &extent);
    return extent_ended(&extent) && tcb->position == extent.len + connection_ends(tcb);
}

bool response_finished_by(const struct whit_tcb *tcb, uint32_t ack)
{
    if (ALWAYS_CLOSES || tcb->state != TCB_RESPONSE || tcb->response.flight == 0 || ack - tcb->snd_una != tcb->response.flight ||
        connection_ends(tcb) || input_waits(tcb))
        return false;
    struct extent extent;
    response_extent(tcb, &extent);
    return extent_ended(&extent) && tcb->position + tcb->response.flight == extent.len;
}

static void advance(struct whit_tcb *tcb, uint16_t acked)
{
    HOLDS(tcb->state == TCB_RESPONSE && acked <= tcb->response.flight);
    bool reached = tcb->response.mark <= acked;
    octets_acknowledged(tcb, acked);
    response_advance(tcb, acked);
    tcb->response.flight = (uint16_t)(tcb->response.flight - acked);
    mark_acked(tcb, acked, reached);
    recovery_acked(tcb, acked, reached);
    tcb->response.retries = 0;
}

static void window_opens(struct whit_tcb *tcb)
{
    tcb->response.retries = 0;
    if (tcb->response.flight != 0)
        mark_goes_back(tcb);    // a probe that the peer had no room for
}

bool response_acknowledge(struct whit_tcb *tcb, uint32_t ack, uint16_t wnd, bool pure)
{
    uint16_t before = tcb->response.wnd, after = window_code(wnd);
    uint32_t acked = ack - tcb->snd_una;
    if (acked > tcb->response.flight)
        return false;    // an old duplicate
    window_update(tcb, wnd);
    if (acked != 0)
        advance(tcb, (uint16_t)acked);
    else if (((pure && before == after) || (WHIT_SACK && sack_told())) && tcb->response.flight != 0 && after != 0)
        recovery_duplicate(tcb);
    if (before == 0 && after != 0)
        window_opens(tcb);
    if (is_finished(tcb))
        return true;
    table_ready(tcb);
    if (acked != 0 || before != after)
        retransmit_arm(tcb);
    return false;
}
