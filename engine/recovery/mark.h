// SPDX-License-Identifier: MIT
// What becomes of a response's `mode` and `mark` (tcb.h), and of the duplicate acknowledgments that were counted.
#ifndef WHIT_RECOVERY_MARK_H
#define WHIT_RECOVERY_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/tcb.h"

static inline void mark_over(struct whit_tcb *tcb) { tcb->response.mode = MODE_PLAIN; }

// Of what was sent from `before` on, the last octet of the first segment is timed, from `stamp` on.
static inline void mark_times(struct whit_tcb *tcb, uint16_t before)
{
    uint16_t mss = tcb_mss(tcb), flight = tcb->response.flight;
    tcb->response.mode = MODE_TIMING;
    tcb->response.mark = WHIT_HAS_LARGE && flight - before > mss ? (uint16_t)(before + mss) : flight;
}

// All that is in flight is sent again.
static inline void mark_goes_back(struct whit_tcb *tcb)
{
    tcb->response.mode = MODE_RESEND;
    tcb->response.mark = 0;
}

// ... as the timer has expired.
static inline void mark_times_out(struct whit_tcb *tcb)
{
    mark_goes_back(tcb);
    tcb->response.dupacks = 0;
}

// What was sent ends at `end`.
static inline void mark_sent(struct whit_tcb *tcb, uint16_t end)
{
    if (tcb->response.mode == MODE_RESEND) {
        tcb->response.mark = end;
        if (end >= tcb->response.flight)
            mark_over(tcb);
    }
}

// So many octets more are acknowledged. reached: `mark` with them.
static inline void mark_acked(struct whit_tcb *tcb, uint16_t acked, bool reached)
{
    tcb->response.mark = reached ? 0 : (uint16_t)(tcb->response.mark - acked);
    tcb->response.dupacks = 0;
}

#endif
