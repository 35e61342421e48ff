// SPDX-License-Identifier: MIT
// Recovery from loss: octets that may be in flight, retransmission, and its times. It updates a response's `mode` and
// `mark` (tcb.h), and counts duplicate acknowledgments.
#ifndef WHIT_RECOVERY_RECOVERY_H
#define WHIT_RECOVERY_RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/tcb.h"
#include "whit/driver.h"

static inline void mark_over(struct whit_tcb *tcb)
{
    tcb->response.mode = MODE_PLAIN;
}

// Times the last octet of the first segment that was sent from `before` on, beginning at `stamp`.
static inline void mark_times(struct whit_tcb *tcb, uint16_t before)
{
    uint16_t mss = tcb_mss(tcb), flight = tcb->response.flight;
    tcb->response.mode = MODE_TIMING;
    tcb->response.mark = WHIT_HAS_LARGE && flight - before > mss ? (uint16_t)(before + mss) : flight;
}

// Retransmits the whole flight.
static inline void mark_goes_back(struct whit_tcb *tcb)
{
    tcb->response.mode = MODE_RESEND;
    tcb->response.mark = 0;
}

// Retransmits it after a timeout.
static inline void mark_times_out(struct whit_tcb *tcb)
{
    mark_goes_back(tcb);
    tcb->response.dupacks = 0;
}

// Notes that the octets sent end at `end`.
static inline void mark_sent(struct whit_tcb *tcb, uint16_t end)
{
    if (tcb->response.mode == MODE_RESEND) {
        tcb->response.mark = end;
        if (end >= tcb->response.flight)
            mark_over(tcb);
    }
}

// Notes that `acked` octets more are acknowledged. reached: `mark` is among them.
static inline void mark_acked(struct whit_tcb *tcb, uint16_t acked, bool reached)
{
    tcb->response.mark = reached ? 0 : (uint16_t)(tcb->response.mark - acked);
    tcb->response.dupacks = 0;
}

// ---------------------------------------------------------------------------------------------- both kinds of recovery

// Loss recovery: octets that may be in flight, retransmission and its timer: recovery_small.c or recovery_full.c.

// Octets of a full segment: a file's begin and end with chunks, unless the link makes its sums.
static inline uint16_t segment_len(const struct whit_tcb *tcb)
{
    uint16_t mss = tcb_mss(tcb);
    return mss < WHIT_CHUNK || (WHIT_HAS_LARGE && whit_driver_large() != 0) ? mss : mss & (uint16_t)~(WHIT_CHUNK - 1u);
}

void recovery_init(void);
void recovery_begin(struct whit_tcb *tcb);    // begins a response
uint16_t window_code(uint16_t wnd);           // SND.WND in 12 bits
uint16_t window_of(const struct whit_tcb *tcb);
static inline void window_update(struct whit_tcb *tcb, uint16_t wnd)
{
    tcb->response.wnd = window_code(wnd) & 0xfffu;
}
// Sets the window to one octet, for a response that no segment of the peer's begins: its window is known to be small.
// One octet may always be sent, and asks for the window.
static inline void window_asks(struct whit_tcb *tcb)
{
    tcb->response.wnd = 1;
}
uint32_t recovery_segments(const struct whit_tcb *tcb);    // segments that may be in flight
// flight has grown from there on; last: to all that there is
void recovery_sent(struct whit_tcb *tcb, uint16_t before, bool last);
// `acked` octets more; reached: `mark` is among them
void recovery_acked(struct whit_tcb *tcb, uint16_t acked, bool reached);
void recovery_duplicate(struct whit_tcb *tcb);    // acknowledgment
// nothing more can be sent: few duplicates are enough (RFC 5827)
bool recovery_early(struct whit_tcb *tcb);
void retransmit_arm(struct whit_tcb *tcb);                   // sets the timer that the response needs now
bool recovery_resends(struct whit_tcb *tcb);                 // the segment at `mark` is due again; it returns true once
void recovery_resent(struct whit_tcb *tcb, uint16_t end);    // it was, up to there

// Selective acknowledgments (RFC 2018): options of the current segment. With WHIT_SACK only.
#define OPTION_SACK 5
void sack_begin(void);                           // begins a segment
uint8_t sack_kind(uint8_t kind);                 // an option that is no MSS; OPTION_SACK: its octets are wanted
void sack_octet(uint8_t octet, uint8_t left);    // an octet of blocks; `left` more octets of the option follow
bool sack_told(void);                            // there was a block
bool sack_permitted(void);                       // our SYN-ACK may permit them, as its SYN did
void sack_permit(bool permitted);                // ... as the SYN did that is answered again

// The timer has expired: what to send or end now.
enum due {
    DUE_NOTHING,       // all is marked in the slot
    DUE_GIVE_UP,       // the peer answered nothing for too long
    DUE_TAIL_PROBE,    // the flight, from retransmit_tail() on (RFC 8985 section 7)
};
void recovery_hurry(void);                     // another connection waits for a slot or for room
bool recovery_silent(struct whit_tcb *tcb);    // a newcomer needs its slot: may it be given up? It hurries its timeouts
// nothing can be sent as yet: if nothing is in flight, recovery is over
static inline void recovery_rests(struct whit_tcb *tcb)
{
    if (tcb->response.flight == 0)
        mark_over(tcb);
}
// the peer repeats its request: a segment that timed out is retransmitted at once
void recovery_heard(struct whit_tcb *tcb);
enum due retransmit_due(struct whit_tcb *tcb);
uint16_t retransmit_tail(const struct whit_tcb *tcb);    // offset from snd_una
uint16_t rtt_rto(const struct whit_tcb *tcb);            // ticks, backed off; not below that of RFC 6298, a second

#endif
