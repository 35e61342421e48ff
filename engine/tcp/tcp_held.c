// SPDX-License-Identifier: MIT
// Requests that a driver keeps because they found no slot or no room. Their peers would send them again and again, and double their
// timers each time, and a later request that is lost waits for that long. So they are told that the request is here. A peer that was
// told sends nothing more: it is asked whether it is still there (RFC 9293 section 3.8.4), and told when its request is let go.
#include <stddef.h>

#include "connection.h"
#include "../link/segment.h"
#include "tcp.h"
#include "../base/body_block.h"
#include "../base/buffer.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../content/sealed.h"
#include "whit/engine.h"

static uint8_t held;    // of the frame at hand: enum whit_held; 0: nothing was said of it
static bool held_whole;      // of the last one that found no slot, no room or no turn: request_whole()

void whit_input_held(enum whit_held how)
{
    held = WHIT_KEEPS_FRAMES ? (uint8_t)how : 0;
}

void held_over(void)
{
    held = 0;
}

// The body has a length, and no more octets than the frame brought.
static bool body_came(const struct whit_rx *rx)
{
    const struct whit_tcb *t = &rx->pending;
    return WHIT_GIVES_TURNS && WHIT_HAS_BODY && t->request.step == STEP_BODY && (t->request.flags & FLAG_CODING) == 0 && body_of(t)->left <= rx->queued_len;
}

bool request_whole(void)
{
    const struct whit_rx *rx = &whit.rx;
    const uint8_t *record = buffer_reserved() + rx->reserved_len - rx->queued_len;
    return http_complete(&rx->pending) || (WHIT_GIVES_TURNS && http_refused(&rx->pending)) || body_came(rx) ||
           (is_tls(&rx->pending) && rx->queued_len >= TLS_HEADER && load16_be(record + 3) <= rx->queued_len - TLS_HEADER);
}

void held_wants(enum whit_taken why)
{
    frame_waits(why);
    if (WHIT_GIVES_TURNS)
        held_whole = why == WHIT_NO_ROOM || (why != WHIT_WAITS && request_whole());
}

bool whit_input_whole(void) { return held_whole; }

bool held_tells(void) { return held != 0 && held != WHIT_URGE; }
bool held_lets_go(void) { return held == WHIT_LET_GO; }
bool held_urges(void) { return held == WHIT_URGE; }

// What the acknowledgment tells leaves the window's right edge where it was: what comes beyond it is of no connection that is known.
#if WHIT_HOLDS_FRAMES
uint16_t held_window(void)
{
    uint16_t len = held_tells() ? whit.rx.payload_len : 0;
    return len < WHIT_RCV_WND ? (uint16_t)(WHIT_RCV_WND - len) : 0;
}
#endif

void held_answer(void)
{
    struct whit_rx *rx = &whit.rx;
    uint32_t seq = seg_ack(), ack = seg_seq() + rx->payload_len;
    if (!held_tells() || (held != WHIT_LET_GO && !request_whole()))    // who is to send more does so by its own timer
        return;
    if (held != WHIT_LET_GO) {
        tcp_answer(held == WHIT_ASK ? seq - 1 : seq, ack, TCP_ACK);
        return;
    }
    tcp_answer(seq, ack, TCP_RST | TCP_ACK);    // its numbers are those of rx.pending now
    if (HAS_TAGS)
        tag_put(&rx->pending, TAG_RESET);
    if (WHIT_REPEATS != 0)
        repeats_refused();
    frame_waits(WHIT_TAKEN);
}
