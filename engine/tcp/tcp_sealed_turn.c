// SPDX-License-Identifier: MIT
// Which handshake is computed (tcp_turn.c): one at a time; the others wait in their slots. While nobody waits, what the next one needs is.
#include "connection.h"
#include "tcp.h"
#include "../base/limits.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../content/sealed.h"
#include "../link/rx.h"

// Milliseconds go round after 2^32, seconds that a ticket tells must not: it would be young again.
#define ROUND_S (UINT32_MAX / 1000)
#define IS_SECOND_HALF (whit.now_ms >> 31 != 0)
static uint16_t half_rounds;    // of the milliseconds, that began

static struct {
    struct whit_tcb *answered;    // NULL: nobody
    bool others_wait;             // for their turn
    bool all_is_ready;            // for the next one: nothing is computed while nobody waits
#if WHIT_HTTPS_EARLY
    struct whit_tcb *early;       // its answer is there, and its early data is not read yet; NULL: of nobody
#endif
} sealed_turns;

void sealed_init(void)
{
    sealed_turns.answered = NULL;
    sealed_turns.others_wait = sealed_turns.all_is_ready = false;
    half_rounds = IS_SECOND_HALF;
}

void sealed_clock(void) { half_rounds = (uint16_t)(half_rounds + ((half_rounds ^ IS_SECOND_HALF) & 1)); }

bool sealed_awaits(const struct whit_tcb *tcb)
{
    return tcb->state == TCB_REQUEST && is_tls(tcb) && sealed_of(tcb)->tls.kept.phase == TLS_HEARD;
}

void sealed_awaits_turn(struct whit_tcb *tcb)
{
    if (sealed_turns.answered == NULL)
        sealed_turns.answered = tcb;
    else if (sealed_turns.answered != tcb)
        sealed_turns.others_wait = true;
}

// The next slot that waits, after the one that had its sealed_turns.
static void sealed_next(void)
{
    struct whit_tcb *last = sealed_turns.answered, *tcb = last;
    sealed_turns.answered = NULL;
    sealed_turns.all_is_ready = false;
    if (!sealed_turns.others_wait)
        return;
    sealed_turns.others_wait = false;
    do {
        if (++tcb == whit_slots + WHIT_CONNECTIONS)
            tcb = whit_slots;
        if (sealed_awaits(tcb))
            sealed_awaits_turn(tcb);
    } while (tcb != last);
}

void sealed_gone(const struct whit_tcb *tcb)
{
    if (sealed_turns.answered != tcb)
        return;
    tls_give_up();
    sealed_next();
}

void sealed_slice(void)
{
    struct whit_tcb *tcb = sealed_turns.answered;
    if (tcb == NULL) {
        sealed_turns.all_is_ready = !tls_prepare();
        return;
    }
    if (!sealed_awaits(tcb)) {    // its client ended it
        sealed_gone(tcb);
        return;
    }
    struct sealed *s = sealed_of(tcb);
    if (WHIT_HTTPS_EARLY && s->tls.resumed == TLS_RESUMED_EARLY && !rx_rests())
        return;    // early data will be parsed by what a frame is being read by
    tls_work(&s->tls, half_rounds / 2 * ROUND_S + whit.now_ms / 1000);
    if (s->tls.kept.phase == TLS_HEARD)
        return;
    rx_forget(tcb);
#if WHIT_HTTPS_EARLY
    sealed_turns.early = tcb;
#else
    sealed_begin_own(tcb);
#endif
    sealed_next();
}

#if WHIT_HTTPS_EARLY
struct whit_tcb *sealed_turn_over(void)
{
    struct whit_tcb *tcb = sealed_turns.early;
    sealed_turns.early = NULL;
    return tcb;
}
#endif

bool sealed_waits(void) { return sealed_turns.answered != NULL || !sealed_turns.all_is_ready; }
