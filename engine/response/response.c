// SPDX-License-Identifier: MIT
// A response is a function of a position: a row of pieces, each of which is found again whenever it is wanted.
// file          version, status code, ["Connection: close", or how long it is kept], what the compiler made of the
// resource: its head and
//                 its content
// generated     ..., its head, ["Transfer-Encoding: chunked" or the empty line], octets with what frames them
// (strategy.c)
//   stored        ..., its head, entity tag and length of the version, content
//   not modified  ..., the validators, the empty line
// error         ..., "Content-Length: 0", or a file of the application's, or a page (log_line.c), or the reason in JSON
// (response_head.c)
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../outgoing/outgoing.h"
#include "../recovery/recovery.h"
#include "whit/port.h"

enum strategy generated_strategy(const struct whit_tcb *tcb, struct kept *kept)
{
    if (WHIT_HAS_STORED && content_is_stored(tcb))
        return STRATEGY_STORED;
    const struct whit_generator *generator =
        WHIT_HAS_GENERATORS && tcb->response.kind == KIND_CONTENT ? content_generator(tcb) : NULL;
    if (!WHIT_HAS_GENERATORS || generator == NULL)
        return STRATEGY_STATIC;
    kept_by(kept, generator);
    output_find(tcb, kept);
    if (kept->octets != NULL)
        return STRATEGY_KEPT;
    if ((WHIT_HAS_RERUN || WHIT_HAS_THREADS) && whit_flash_u8(&generator->writer) != WHIT_PLAIN)
        return tcb->response.head_only ? STRATEGY_HEAD : STRATEGY_RERUN;
    return WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE ? STRATEGY_REPLAY : STRATEGY_KEPT;
}

static bool has_content(const struct whit_tcb *tcb)
{
    return (tcb->response.kind == KIND_CONTENT || (WHIT_HAS_STORED && tcb->response.kind == KIND_GONE)) &&
           !tcb->response.head_only;
}

static void extend(const struct whit_tcb *tcb, struct extent *e)
{
    switch (extent_strategy(e)) {
    case STRATEGY_STORED:
        if (WHIT_HAS_STORED)
            e->len = (whit_position)(e->len + content_stored_len(tcb, has_content(tcb)));
        break;
    case STRATEGY_KEPT:
        if (WHIT_HAS_GENERATORS)
            e->len = (whit_position)(e->len + kept_len(kept_of_extent(e), tcb->response.head_only, &e->ended));
        break;
    case STRATEGY_REPLAY:
        if (WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE)
            e->len = (whit_position)(e->len + replay_len(tcb, &e->more));
        break;
    case STRATEGY_RERUN:
        if (WHIT_HAS_RERUN)
            e->len = (whit_position)(e->len + rerun_len(tcb, &e->ended, &e->more));
        break;
    default:
        break;
    }
}

// Longer than any response: after the content is gone and its length unknown, there is always something left to send.
#define LEN_GONE (POSITION_MAX - 1)

void response_strategy(const struct whit_tcb *tcb, struct extent *e)
{
    e->strategy = WHIT_HAS_GENERATORS || WHIT_HAS_STORED ? (uint8_t)generated_strategy(tcb, extent_kept(e))
                                                         : (uint8_t)STRATEGY_STATIC;
}

void text_measure(const struct whit_tcb *tcb, struct extent *e)
{
    e->content = 0;
    if (WHIT_HAS_THREADS || WHIT_HAS_RERUN || WHIT_TLS)
        e->ended = true;
    if (WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE || WHIT_HAS_RERUN)
        e->more = false;
    if (WHIT_HAS_STORED && tcb->response.kind == KIND_GONE && tcb->response.head_only) {
        e->len = LEN_GONE;
        return;
    }
    enum framing framing = content_framing(tcb, e);
    if (WHIT_HAS_THREADS || WHIT_HAS_RERUN)
        e->framing = (uint8_t)framing;
    e->len = response_head_len(tcb, framing);
    bool page = WHIT_HAS_PAGES && response_has_page(tcb);
    if (tcb->response.kind == KIND_ERROR && !page)
        return;
    e->content = e->len;
    if (page)
        e->len = (whit_position)(e->len + page_len(tcb));
    else
        extend(tcb, e);
}

void text_extent(const struct whit_tcb *tcb, struct extent *e)
{
    response_strategy(tcb, e);
    text_measure(tcb, e);
}

__attribute__((noinline)) enum walked content_walk(struct walk *w, const struct whit_tcb *tcb, const struct extent *e)
{
    if (WHIT_HAS_PAGES && response_has_page(tcb)) {
        page_walk(w, tcb);
        return WALKED;
    }
    switch (extent_strategy(e)) {
    case STRATEGY_STORED:
        if (WHIT_HAS_STORED)
            stored_walk(w, tcb, has_content(tcb));
        return WALKED;
    case STRATEGY_KEPT:
        if (WHIT_HAS_GENERATORS)
            kept_walk(w, kept_of_extent(e), tcb->response.head_only);
        return WALKED;
    case STRATEGY_REPLAY:
        return WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE ? replay_walk(w, tcb) : WALKED;
    case STRATEGY_RERUN:
        return WHIT_HAS_RERUN ? rerun_walk(w, tcb) : WALKED;
    default:
        return WALKED;
    }
}

void response_measure(const struct whit_tcb *tcb, struct extent *e)
{
    if (is_tls(tcb))
        sealed_measure(tcb, e);
    else
        text_measure(tcb, e);
}

void response_extent(const struct whit_tcb *tcb, struct extent *e)
{
    response_strategy(tcb, e);
    response_measure(tcb, e);
}

enum walked response_walk(struct walk *w, const struct whit_tcb *tcb, const struct extent *e)
{
    if (WHIT_HAS_STORED && tcb->response.kind == KIND_GONE)
        return WALK_CHANGED;
    if (e->content != 0 && w->skip >= e->content)
        w->skip = (whit_position)(w->skip - e->content);
    else
        response_head_walk(w, tcb, WHIT_HAS_THREADS || WHIT_HAS_RERUN ? (enum framing)e->framing : FRAMING_LENGTH);
    return e->content != 0 && w->limit != 0 ? content_walk(w, tcb, e) : WALKED;
}

bool response_file(const struct whit_tcb *tcb, struct file *file)
{
    struct piece p = {.sums = NULL};
    if (is_tls(tcb) || !has_content(tcb) || content_strategy(tcb) != STRATEGY_STATIC)
        return false;
    response_piece(tcb, &whit_resources[tcb->response.resource], &p);
    *file = (struct file){p.octets, p.sums, p.len};
    return true;
}

bool responses_move(uint16_t ticks)
{
    return (uint16_t)(now_ticks() - whit.moved) < ticks;
}

// Advances the response by acknowledged octets. In a stream of kept octets the position stays at the oldest one kept.
// In a stream of chunks it stays at the oldest chunk whose end is not acknowledged.
void response_advance(struct whit_tcb *tcb, uint16_t acked, struct extent *e)
{
    enum strategy strategy = WHIT_HAS_GENERATORS ? extent_strategy(e) : STRATEGY_STATIC;
    if (WHIT_HAS_LOG)
        log_acked(tcb, acked);
    if (WHIT_CONNECTIONS > 1 && strategy > STRATEGY_STORED)
        whit.moved = now_ticks();
    whit_position position = (whit_position)(tcb->position + acked);
    if ((WHIT_HAS_PERSISTENT_THREADS && strategy == STRATEGY_KEPT) || (WHIT_HAS_RERUN && strategy == STRATEGY_RERUN)) {
        whit_position in_content = (whit_position)(position > e->content ? position - e->content : 0);
        uint16_t gone =
            strategy == STRATEGY_RERUN ? rerun_acked(tcb, in_content) : kept_acked(kept_of_extent(e), in_content);
        position = (whit_position)(position - gone);
        e->len = (whit_position)(e->len - gone);
    }
    tcb->position = position & POSITION_MAX;
}

void response_forget(const struct whit_tcb *tcb)
{
    METER_RESPONSE(tcb);
    if (WHIT_HAS_LOG)
        log_ended(tcb);
    for (uint8_t kind = BLOCK_ARGUMENTS; kind < BLOCK_RESPONSE_CNT; kind++)
        if (kind != BLOCK_INPUT)
            buffer_free(tcb, kind);
    if (WHIT_CLIENTS != 0)
        clients_over(tcb);
}

// True if its generator may have no output now; otherwise it need not be measured.
static bool may_wait(const struct whit_tcb *tcb)
{
    return WHIT_HAS_THREADS && tcb->response.flight == 0 && tcb->response.wnd != 0 && tcb->position != 0;
}

bool response_waits_at(const struct whit_tcb *tcb, const struct extent *e)
{
    if (WHIT_HAS_LATER && extent_strategy(e) == STRATEGY_KEPT && kept_later(kept_of_extent(e)))
        return true;
    return may_wait(tcb) && !e->ended && tcb->position == e->len;
}

bool response_waits(const struct whit_tcb *tcb)
{
    if (!WHIT_HAS_LATER && !may_wait(tcb))
        return false;
    struct extent e;
    response_extent(tcb, &e);
    return response_waits_at(tcb, &e);
}

__attribute__((noinline)) void response_begin(struct whit_tcb *tcb, enum response_kind kind, uint16_t resource,
                                              bool head_only)
{
    tcb_answers(tcb);
    tcb->position = 0;
    memset(&tcb->response, 0, sizeof tcb->response);
    window_update(tcb, tcb_mss(tcb));    // until a segment brings a new one
    tcb->response.resource = resource & 0xfffu;
    tcb->response.kind = kind;
    tcb->response.head_only = head_only;
    recovery_begin(tcb);
    if ((!WHIT_HAS_BODY || kind != KIND_ERROR || resource != HTTP_100) && !(is_tls(tcb) && sealed_own(tcb)))
        count(kind == KIND_ERROR && !(REDIRECTS && resource == HTTP_308) ? WHIT_COUNT_REFUSED : WHIT_COUNT_REQUESTS);
    table_ready(tcb);
    if (WHIT_HAS_LOG)
        log_begun(tcb);
}

void response_fail(struct whit_tcb *tcb, uint8_t status)
{
    uint16_t wnd = tcb->response.wnd;
    bool head_only = tcb->response.head_only;
    tcb->response.kind = KIND_ERROR;    // the log gets one response
    response_forget(tcb);
    response_begin(tcb, KIND_ERROR, status, head_only);
    tcb->response.wnd = wnd & 0xfffu;
}
