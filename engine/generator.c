// SPDX-License-Identifier: MIT
// How the content of a generator is found is chosen when its request is complete: from what its author says that it is,
// from how long it is and, of an idempotent one, from what it costs to run it again.
#include "inner.h"

const struct whit_generator *generator_of(const struct whit_tcb *tcb)
{
    return whit_flash_ptr(&whit_resources[tcb->response.resource].generator);
}

struct args_t *generator_args(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct args_t *)(void *)buffer_find(tcb, BLOCK_ARGUMENTS, &len);
}

enum way content_way(const struct whit_tcb *tcb)
{
    uint16_t len;
    if (!WHIT_HAS_GENERATORS || tcb->response.kind != KIND_CONTENT || generator_of(tcb) == NULL)
        return WAY_STATIC;
    if (buffer_find(tcb, BLOCK_OUTPUT, &len) != NULL)
        return WAY_KEPT;
    if (WHIT_HAS_RERUN || WHIT_HAS_PERSISTENT_THREADS)
        return whit_flash_u8(&generator_of(tcb)->writer) == WHIT_PLAIN ? WAY_REPLAY : WAY_RERUN;
    return WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE ? WAY_REPLAY : WAY_KEPT;
}

enum framing content_framing(const struct whit_tcb *tcb)
{
    if (!WHIT_HAS_THREADS && !WHIT_HAS_RERUN)
        return FRAMING_LENGTH;
    switch (content_way(tcb)) {
    case WAY_KEPT: return kept_framing(tcb);
    case WAY_RERUN: return rerun_framing(tcb);
    default: return FRAMING_LENGTH;
    }
}

// ------------------------------------------------------------------------------------------------ plain ones

// What running it again for each segment would cost is dear when it is more than a sixteenth of the RTO.
static bool is_dear(const struct whit_tcb *tcb, uint32_t cost_us, uint32_t len)
{
    uint32_t runs = len / (tcb->mss4 * UINT32_C(4)) + 1;
    return cost_us / 1000 * runs * 16 > rtt_times(tcb).rto * UINT32_C(TICK_MS);
}

// A volatile content that one segment carries with its head is whole whenever it is made.
static bool in_one_segment(const struct whit_tcb *tcb, uint32_t len)
{
    return len + WHIT_HEAD_PIECES * WHIT_PIECE_MAX <= tcb->mss4 * UINT32_C(4);
}

// Whether what it said should be kept rather than said again.
static bool is_kept(const struct whit_tcb *tcb, uint8_t persistence, uint32_t cost_us, const struct whit_out *out)
{
    if (persistence == WHIT_PERSISTENT)
        return true;
    if (out->len > out->room)
        return false;
    bool kept = persistence == WHIT_VOLATILE ? !in_one_segment(tcb, out->len) : is_dear(tcb, cost_us, out->len);
    if (kept)
        count(WHIT_COUNT_KEPT);
    return kept;
}

static bool call_plain(const struct whit_tcb *tcb, const struct whit_generator *generator, struct whit_out *out)
{
    whit_out = out;
    if (WHIT_HAS_BODY && tcb->request.method == WHIT_POST)
        return body_answer(tcb, generator);
    char (*plain)(struct args_t *) = whit_flash_ptr(&generator->get.plain);
    return plain(generator_args(tcb)) != 0;
}

static uint8_t plain_begin(struct whit_tcb *tcb, const struct whit_generator *generator, uint8_t persistence)
{
    uint16_t room;
    const uint8_t *tail = buffer_tail(&room);
    if (room < 2 * FRAMING_MAX || (persistence == WHIT_PERSISTENT && room < WHIT_BUFFER / 2 && buffer_others(tcb)))
        return HTTP_STATUS_CNT;
    room = room > WINDOW_RESERVED + FRAMING_MAX ? (uint16_t)(room - WINDOW_RESERVED - FRAMING_MAX) : 0;
    struct whit_out out = {buffer_tail(&room) + FRAMING_MAX, 0, 0, room, 0, 0};
    out.room = room > WINDOW_RESERVED + FRAMING_MAX ? (uint16_t)(room - WINDOW_RESERVED - FRAMING_MAX) : 0;
    uint32_t started_us = WHIT_HAS_IDEMPOTENT ? whit_port_now_us() : 0;
    if (!call_plain(tcb, generator, &out))
        return HTTP_500;
    uint32_t cost_us = WHIT_HAS_IDEMPOTENT ? whit_port_now_us() - started_us : 0;
    if (!is_kept(tcb, persistence, cost_us, &out))
        return replay_begin(tcb, out.len, out.hash);
    if (out.len > out.room)
        return HTTP_500;
    uint8_t status = kept_begin(tcb, tail, (uint16_t)out.len, tcb->request.method == WHIT_HEAD);
    buffer_free(tcb, BLOCK_ARGUMENTS);
    return status;
}

// ------------------------------------------------------------------------------------------------ all of them

static uint8_t begin(struct whit_tcb *tcb, const struct whit_generator *generator)
{
    uint8_t persistence = whit_flash_u8(&whit_resources[tcb->request.resource].persistence);
    bool post = WHIT_HAS_BODY && tcb->request.method == WHIT_POST;
    enum framing open = tcb->request.version_1_0 ? FRAMING_CLOSE : FRAMING_CHUNKED;
    if (post || !(WHIT_HAS_THREADS || WHIT_HAS_RERUN) || whit_flash_u8(&generator->writer) == WHIT_PLAIN)
        return plain_begin(tcb, generator, post ? WHIT_PERSISTENT : persistence);
    if (tcb->request.method == WHIT_HEAD)
        return rerun_begin_head(tcb, open);
    if (WHIT_HAS_PERSISTENT_THREADS && persistence == WHIT_PERSISTENT)
        return kept_thread_begin(tcb, generator, open);
    return rerun_begin(tcb, generator, open);
}

uint8_t content_run(struct whit_tcb *tcb, const struct whit_generator *generator)
{
    char (*init_get)(struct args_t *) = WHIT_HAS_INIT_GET ? whit_flash_ptr(&generator->init_get) : NULL;
    if (whit.rx.claim != 0)
        return HTTP_STATUS_CNT;
    if (init_get != NULL && tcb->request.method != WHIT_POST && init_get(generator_args(tcb)) == 0)
        return HTTP_500;
    return begin(tcb, generator);
}
