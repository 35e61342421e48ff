// SPDX-License-Identifier: MIT
// What answers a request, and how the octets of its content are found (DESIGN.md section 1).
#include <stddef.h>

#include "content.h"
#include "log.h"
#include "strategies.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../client/clients.h"
#include "whit/port.h"

const struct whit_generator *content_generator(const struct whit_tcb *tcb)
{
    return whit_flash_ptr(&whit_resources[tcb->response.resource].generator);
}

struct args_t *content_args(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct args_t *)(void *)buffer_find(tcb, BLOCK_ARGUMENTS, &len);
}

bool content_is_stored(const struct whit_tcb *tcb)
{
    return tcb->response.kind != KIND_ERROR && whit_flash_u8(&whit_resources[tcb->response.resource].persistence) == WHIT_STORED;
}

enum strategy generated_strategy(const struct whit_tcb *tcb)
{
    uint16_t len;
    if (WHIT_HAS_STORED && content_is_stored(tcb))
        return STRATEGY_STORED;
    if (!WHIT_HAS_GENERATORS || tcb->response.kind != KIND_CONTENT || content_generator(tcb) == NULL)
        return STRATEGY_STATIC;
    if (buffer_find(tcb, BLOCK_OUTPUT, &len) != NULL)
        return STRATEGY_KEPT;
    if ((WHIT_HAS_RERUN || WHIT_HAS_THREADS) && whit_flash_u8(&content_generator(tcb)->writer) != WHIT_PLAIN)
        return tcb->response.head_only ? STRATEGY_HEAD : STRATEGY_RERUN;
    return WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE ? STRATEGY_REPLAY : STRATEGY_KEPT;
}

bool run_init_get(const struct whit_tcb *tcb, const struct whit_generator *generator)
{
    char (*init_get)(struct args_t *) = WHIT_HAS_INIT_GET ? whit_flash_ptr(&generator->init_get) : NULL;
    if (WHIT_HAS_ANSWER && init_get != NULL && whit_flash_u8(&generator->writer) != WHIT_PLAIN)
        answer_open(tcb);
    client_asks(tcb);
    bool admits = init_get == NULL || init_get(content_args(tcb)) != 0;
    client_asks_no_more();
    if (WHIT_HAS_ANSWER)
        answer_close();
    if (WHIT_HAS_LOG && !admits)
        log_why_name(tcb, WHY_RETURNED, WHIT_NAME_INIT_GET);
    return admits;
}
