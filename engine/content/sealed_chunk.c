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
    return tls->has_limit ? (uint16_t)(tls->record_len - CHUNK_AROUND) : CHUNK_DATA_MAX;
}

void sealed_chunk(const struct whit_tcb *tcb, whit_position head_len, uint8_t *record, uint16_t len)
{
    struct sealed *s = sealed_of(tcb);
    tls_seal(&s->tls, tls_records(&s->tls, head_len) + s->stream_cnt, record, len);
    s->stream_cnt++;
}
