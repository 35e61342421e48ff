// SPDX-License-Identifier: MIT
// Signatures of messages that are whole are verified in slices, as handshakes are computed: one message after the other, in the order of
// their slots. What is kept of a proof stands in the message's own block, so that who goes away leaves nothing behind. How
// many may wait of one host, http_body.c knows.
#include "body.h"
#include "reader.h"
#include "soap_security.h"
#include "../base/body_block.h"
#include "../base/limits.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"

static struct {
    struct whit_tcb *at;    // whose turn it is; NULL: nobody's yet
    bool waits;             // there may be some
} proofs;

void proof_awaited(void) { proofs.waits = true; }

bool proofs_wait(void) { return proofs.waits; }

// The next slot that waits, from the one on that had its turn.
static struct whit_tcb *proof_next(void)
{
    struct whit_tcb *tcb = proofs.at != NULL ? proofs.at : whit_slots;
    for (uint16_t i = WHIT_CONNECTIONS; i != 0; i--) {
        if (body_proves(tcb))
            return tcb;
        if (++tcb == whit_slots + WHIT_CONNECTIONS)
            tcb = whit_slots;
    }
    return NULL;
}

struct whit_tcb *proof_slice(void)
{
    struct whit_tcb *tcb = proof_next();
    proofs.at = tcb;
    proofs.waits = tcb != NULL;
    return tcb != NULL && security_slice(security_kept(tcb)) ? tcb : NULL;
}
