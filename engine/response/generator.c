// SPDX-License-Identifier: MIT
// Chooses the strategy of a generator's content when its request is complete. The choice depends on the author's
// declaration, the length and, for an idempotent generator, the cost of a run.
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../outgoing/outgoing.h"
#include "../recovery/recovery.h"
#include "whit/app.h"
#include "whit/port.h"

// ------------------------------------------------------------------------------------------------ plain ones

#define RUN_MIN 16    // octets of the buffer without which none begins

// Running it again for each segment is expensive when all the runs together take more than a sixteenth of the RTO.
static bool is_expensive(const struct whit_tcb *tcb, uint32_t cost_us, whit_position len)
{
    uint32_t runs = len / tcb_mss(tcb) + 1;
    return cost_us / 1000 * runs * 16 > (uint32_t)rtt_rto(tcb) * TICK_MS;
}

// A volatile content that one segment carries with its head is whole whenever it is made.
static bool in_one_segment(const struct whit_tcb *tcb, whit_position len)
{
    return len <= tcb_mss(tcb) && len + WHIT_HEAD_MAX <= tcb_mss(tcb);
}

// True if the output should be buffered, not generated again.
static bool is_kept(const struct whit_tcb *tcb, uint8_t persistence, uint32_t cost_us, const struct whit_out *out)
{
    if (persistence == WHIT_PERSISTENT)
        return true;
    if (out->len > out->room)
        return false;
    bool kept = persistence == WHIT_VOLATILE ? is_tls(tcb) || !in_one_segment(tcb, out->len)
                                             : is_expensive(tcb, cost_us, out->len);
    if (kept)
        count(WHIT_COUNT_KEPT);
    return kept;
}

// The handler that answers, for the log.
static enum whit_name post_name(const struct whit_tcb *tcb, const struct whit_generator *generator)
{
    if (!WHIT_HAS_BODY || tcb->request.method != WHIT_POST)
        return WHIT_NAME_GET;
    return whit_flash_ptr(&((const struct whit_post *)whit_flash_ptr(&generator->post))->form.plain) != NULL
               ? WHIT_NAME_FORM
               : WHIT_NAME_OUT;
}

// doPost or doPostOut.
static bool call_post(const struct whit_tcb *tcb, const struct whit_generator *generator)
{
    const struct whit_post *post = whit_flash_ptr(&generator->post);
    struct body *b = body_kept(tcb);
    void *data = body_data(post, b);
    if (is_form(b)) {
        char (*form)(struct args_t *) = whit_flash_ptr(&post->form.plain);
        return form(data) != 0;
    }
    char (*out)(uint8_t, void *) = whit_flash_ptr(&post->out);
    if (WHIT_HAS_PARTS && whit_flash_ptr(&post->in) != NULL)
        memcpy(&data, ((const struct parts *)(const void *)(b + 1))->post_data, sizeof data);
    return out(b->content_type, data) != 0;
}

static bool call_plain(const struct whit_tcb *tcb, const struct whit_generator *generator, struct whit_out *out)
{
    bool post = WHIT_HAS_BODY && tcb->request.method == WHIT_POST;
    if (!post && !run_init_get(tcb, generator))
        return false;
    char (*plain)(struct args_t *) = whit_flash_ptr(&generator->get.plain);
    whit_out = out;
    client_asks(tcb);
    if (WHIT_HAS_ANSWER)
        answer_open(tcb);
    bool said = post ? call_post(tcb, generator) : plain(content_args(tcb)) != 0;
    if (WHIT_HAS_ANSWER)
        answer_close();
    client_asks_no_more();
    whit_out = NULL;
    if (WHIT_HAS_LOG && !said)
        log_why_name(tcb, WHY_RETURNED, post_name(tcb, generator));
    return said;
}

static uint8_t plain_begin(struct whit_tcb *tcb, const struct whit_generator *generator, uint8_t persistence)
{
    uint16_t room;
    struct whit_out out = {.to = buffer_tail(&room)};
    out.room = room > WINDOW_RESERVED ? (uint16_t)(room - WINDOW_RESERVED) : 0;
    if (persistence == WHIT_PERSISTENT) {
        if (out.room + UINT32_C(1) <= WRITTEN_ONCE_MAX && buffer_others(tcb))
            return HTTP_STATUS_CNT;
        out.room = out.room < WRITTEN_ONCE_MAX ? out.room : WRITTEN_ONCE_MAX;
    } else if (room < RUN_MIN) {
        return HTTP_STATUS_CNT;
    }
    uint32_t started_us = WHIT_HAS_IDEMPOTENT ? whit_port_now_us() : 0;
    if (!call_plain(tcb, generator, &out))
        return HTTP_500;
    uint32_t cost_us = WHIT_HAS_IDEMPOTENT ? whit_port_now_us() - started_us : 0;
    if (WHIT_HAS_LOG && out.len > out.room && persistence != WHIT_IDEMPOTENT &&
        (persistence == WHIT_PERSISTENT || !buffer_others(tcb)))
        log_why_all(tcb, WHY_WROTE, post_name(tcb, generator), out.len, out.room);
    // A second run of a volatile one may write other octets, so all of its output must find room in the buffer: now, or
    // later.
    if (WHIT_HAS_VOLATILE && persistence == WHIT_VOLATILE && out.len > out.room)
        return buffer_others(tcb) ? HTTP_STATUS_CNT : HTTP_500;
    if (!is_kept(tcb, persistence, cost_us, &out))
        return replay_begin(tcb, out.len, out.hash);
    if (out.len > out.room)
        return HTTP_500;
    uint8_t status = kept_begin(tcb, (uint16_t)out.len);
    buffer_free(tcb, BLOCK_ARGUMENTS);
    return status;
}

// ------------------------------------------------------------------------------------------------ all of them

// Begins a generator that may run again from points. A chunk runs again only when it is lost. If that is expensive, the
// output of an idempotent protothread is kept instead, if there is room.
static uint8_t again_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open,
                           uint8_t persistence)
{
    uint32_t cost_us;
    if (is_tls(tcb))    // a chunk that is sealed is kept
        return kept_thread_begin(tcb, generator, open, KEPT_GET);
    uint8_t status = WHIT_HAS_RERUN ? rerun_begin(tcb, generator, open, &cost_us) : HTTP_500;
    if (!WHIT_HAS_DEAR_THREADS || status != HTTP_200 || persistence != WHIT_IDEMPOTENT ||
        whit_flash_u8(&generator->writer) != WHIT_THREAD || !is_expensive(tcb, cost_us, 0))
        return status;
    buffer_free(tcb, BLOCK_RUN);
    status = kept_thread_begin(tcb, generator, open, KEPT_ADMITTED);
    if (status == HTTP_STATUS_CNT)
        return rerun_begin(tcb, generator, open, &cost_us);
    count(WHIT_COUNT_KEPT);
    return status;
}

static bool has_form_thread(const struct whit_generator *generator)
{
    const struct whit_post *post = whit_flash_ptr(&generator->post);
    return whit_flash_ptr(&post->form.plain) != NULL && whit_flash_u8(&post->state_len) != 0;
}

static uint8_t begin(struct whit_tcb *tcb, const struct whit_generator *generator)
{
    uint8_t persistence = whit_flash_u8(&whit_resources[tcb->request.resource].persistence);
    bool post = WHIT_HAS_BODY && tcb->request.method == WHIT_POST;
    enum framing open = (tcb->request.flags & FLAG_1_0) != 0 ? FRAMING_CLOSE : FRAMING_CHUNKED;
    if (WHIT_HAS_FORM_THREADS && post && has_form_thread(generator))
        return kept_thread_begin(tcb, generator, open, KEPT_POST);
    if (post || !(WHIT_HAS_THREADS || WHIT_HAS_RERUN) || whit_flash_u8(&generator->writer) == WHIT_PLAIN)
        return plain_begin(tcb, generator, post ? WHIT_PERSISTENT : persistence);
    if (tcb->request.method == WHIT_HEAD)
        // the handler does not run: its length is unknown before its end
        return run_init_get(tcb, generator) ? HTTP_200 : HTTP_500;
    if (WHIT_HAS_PERSISTENT_THREADS && persistence == WHIT_PERSISTENT)
        return kept_thread_begin(tcb, generator, open, KEPT_GET);
    return again_begin(tcb, generator, open, persistence);
}

// True if the handler called answer_later().
static bool later_begun(const struct whit_tcb *tcb)
{
    struct kept kept;
    output_find(tcb, &kept);
    return kept_later(&kept);
}

uint8_t content_run(struct whit_tcb *tcb, const struct whit_generator *generator)
{
    if (whit.rx.reserved_len != 0 || (WHIT_HAS_ANSWER && !answer_begin(tcb)))
        return HTTP_STATUS_CNT;
    uint8_t status = begin(tcb, generator);
    uint8_t said =
        WHIT_HAS_ANSWER ? answer_end(tcb, status, WHIT_HAS_LATER && status == HTTP_200 && later_begun(tcb)) : status;
    if (WHIT_HAS_ANSWER && WHIT_HAS_LOG && said != status)
        log_why_all(tcb, WHY_CHOSEN, post_name(tcb, generator), WHIT_ANSWER_FIELDS, 0);
    return said;
}
