// SPDX-License-Identifier: MIT
// Which requests are answered before the client's Finished: those that do no harm when somebody else sends them once more (RFC 8470,
// section 3). All others wait for it.
#include "sealed.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"

#if WHIT_HTTPS_EARLY

bool sealed_defers(const struct whit_tcb *tcb)
{
    if (!is_tls(tcb) || sealed_of(tcb)->tls.kept.phase != TLS_AWAITING)
        return false;
    if (tcb->request.step == STEP_BODY || tcb->request.method == WHIT_POST)
        return true;
    return tcb->request.step == STEP_DONE && tcb->request.resource != RESOURCE_NONE &&
           whit_flash_u8(&whit_resources[tcb->request.resource].persistence) == WHIT_PERSISTENT;
}

#endif
