// SPDX-License-Identifier: MIT
// What a connection under TLS has in the shared buffer, and records of what a thread wrote: sealed once, where they are kept.
#include <stddef.h>

#include "sealed.h"
#include "strategies.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/limits.h"

struct sealed *sealed_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct sealed *)(void *)buffer_find(tcb, BLOCK_TLS, &len);
}

bool sealed_own(const struct whit_tcb *tcb)
{
    return tcb->response.kind == KIND_ERROR && tcb->response.resource == RESOURCE_NONE;
}

uint16_t sealed_chunk_max(const struct whit_tcb *tcb)
{
    const struct tls *tls = &sealed_of(tcb)->tls;
    return tls->kept.has_limit ? (uint16_t)(tls_record_len(tls) - CHUNK_AROUND) : CHUNK_DATA_MAX;
}

static void seal_kept(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record, uint16_t len)
{
    const struct tls *tls = &sealed_of(tcb)->tls;
    tls_seal(tls, tls_records(tls, head_len) + kept->cnt++, record, len);
}

void sealed_chunk(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record, uint16_t len)
{
    if (head_len != 0)
        seal_kept(tcb, kept, head_len, record, len);
    else
        kept->first_len = len;
}

void sealed_first(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record)
{
    seal_kept(tcb, kept, head_len, record, kept->first_len);
    kept->first_len = 0;
}
