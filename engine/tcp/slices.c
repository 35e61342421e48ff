// SPDX-License-Identifier: MIT
// Long computations, handshakes and signatures of messages, in slices: one slice in a turn of the main loop, when
// nothing else is to be sent. While frames are received and sent, others get as much time as the slice took.
#include "internal.h"
#include "tcp.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../http/http.h"
#include "whit/port.h"

#if HAS_SLICES
static struct {
    bool busy;           // since the last slice, a frame came or left
    bool proof;          // the last slice was one of a message
    uint32_t next_ms;    // the next slice, then
} turns;

void turns_init(void)
{
    turns.busy = false;
    turns.next_ms = whit.now_ms;
}

void turns_busy(void)
{
    turns.busy = true;
}

bool turns_wait(void)
{
    return (WHIT_TLS && sealed_waits()) || (HAS_PROOFS && proofs_wait());
}

void turns_take(void)
{
    bool others = turns.busy;
    turns.busy = false;
    if (!turns_wait() || (others && (int32_t)(turns.next_ms - whit.now_ms) > 0))
        return;
    uint32_t began_ms = whit_port_now_ms();
    turns.proof = HAS_PROOFS && proofs_wait() && (!WHIT_TLS || !sealed_waits() || !turns.proof);
    if (turns.proof)
        body_slice();
    else if (WHIT_TLS)
        sealed_slice();
    if (WHIT_HTTPS_EARLY)
        sealed_early();
    turns.next_ms = whit.now_ms + 2 * (whit_port_now_ms() - began_ms);
}
#endif
