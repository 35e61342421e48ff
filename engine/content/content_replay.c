// SPDX-License-Identifier: MIT
// S2: what a generator said is not kept. It runs again, from its beginning, for every segment, and only the octets that
// the segment wants are held, after everything in the buffer, until the driver has taken them. What is remembered is
// how long all of it was and a hash: should the generator say something else, the connection is reset, for what a client
// reads is always one response. Only while each segment that carries some of the content carries all of it may a volatile
// generator change it.
#include <stddef.h>

#include "content.h"
#include "log.h"
#include "out.h"
#include "strategies.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../client/clients.h"
#include "../link/walk.h"
#include "whit/app.h"
#include "whit/port.h"

struct replay {
    whit_position len; // octets of the content
    whit_said hash;
    bool sent_before; // a segment brought something of it, its length at least
    bool partial;     // ... and one brought some octets of the content and not all
};

static struct replay *kept_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct replay *)(void *)buffer_find(tcb, BLOCK_RUN, &len);
}

_Static_assert(WHIT_CONTENT_MAX + UINT32_C(1) * WHIT_HEAD_MAX < POSITION_MAX, "tools/whit/compiler/positions.py");

uint8_t replay_begin(const struct whit_tcb *tcb, whit_position len, whit_said hash)
{
    struct replay *replay = buffer_make(tcb, BLOCK_RUN, sizeof *replay);
    if (len > WHIT_CONTENT_MAX) {
        if (WHIT_HAS_LOG)
            log_why_all(tcb, WHY_LONG, WHIT_NAME_GET, len, WHIT_CONTENT_MAX);
        return HTTP_500;
    }
    if (replay == NULL)
        return HTTP_STATUS_CNT;
    *replay = (struct replay){len, hash, false, false};
    return HTTP_200;
}

// Something of it has left; a first segment may have found no way out. What was sealed counts as sent.
static bool is_sent_before(const struct whit_tcb *tcb, const struct replay *replay)
{
    return is_tls(tcb) || (replay->sent_before && (tcb->position != 0 || tcb->response.flight != 0));
}

whit_position replay_len(const struct whit_tcb *tcb, bool *more)
{
    if (tcb->response.head_only)
        return LENGTH_LINES;
    const struct replay *replay = kept_of(tcb);
    *more = !is_sent_before(tcb, replay);    // it may say more when it is sent than it said before
    return (whit_position)(LENGTH_LINES + replay->len);
}

static bool is_volatile(const struct whit_tcb *tcb)
{
    return WHIT_HAS_VOLATILE && whit_flash_u8(&whit_resources[tcb->response.resource].persistence) == WHIT_VOLATILE;
}

// Whether what it said now, of which `cnt` octets are to be sent, may follow what it said before; it is remembered then.
static bool same_output(const struct whit_tcb *tcb, struct replay *replay, const struct whit_out *out, uint16_t cnt)
{
    bool same = out->len == replay->len && out->hash == replay->hash;
    bool sent_before = is_sent_before(tcb, replay);
    bool partial = (cnt != 0 && cnt != out->len) || (sent_before && replay->partial);
    bool may_change = !is_tls(tcb) && out->len == replay->len && !partial && is_volatile(tcb);
    if ((sent_before && !same && !may_change) || out->len > WHIT_CONTENT_MAX)
        return false;
    *replay = (struct replay){out->len, out->hash, true, partial};
    return true;
}

// Runs the generator for the octets from w->skip on that the segment has room for.
__attribute__((noinline)) enum walked replay_make(struct walk *w, const struct whit_tcb *tcb)
{
    struct replay *replay = kept_of(tcb);
    uint16_t ahead = w->skip < LENGTH_LINES ? (uint16_t)(LENGTH_LINES - w->skip) : 0;
    uint16_t room = w->limit > ahead ? (uint16_t)(w->limit - ahead) : 0;
    struct whit_out out = {.from = (whit_position)(ahead != 0 ? 0 : w->skip - LENGTH_LINES)};
    out.to = buffer_tail(&out.room);
    if (walk_collects()) {    // behind what frames them
        out.to = walk_record + ahead;
        out.room = room;
    }
    bool is_cut = out.room < room;    // by the buffer
    if (!is_cut)
        out.room = room;
    char (*plain)(struct args_t *) = whit_flash_ptr(&content_generator(tcb)->get.plain);
    struct whit_answer now;
    whit_out = &out;
    if (WHIT_HAS_ANSWER)
        answer_again(&now);
    client_asks(tcb);
    char said = plain(content_args(tcb));
    client_asks_no_more();
    whit_out = NULL;
    if (WHIT_HAS_ANSWER && !answer_same(tcb, &now))
        said = 0;
    whit_position rest = (whit_position)(out.len > out.from ? out.len - out.from : 0);
    uint16_t cnt = rest < out.room ? (uint16_t)rest : out.room;
    w->made = out.to;
    w->made_len = cnt;
    // Where the buffer would cut a volatile one, nothing is sent before others give room back.
    if (said != 0 && is_volatile(tcb) && is_cut && cnt < rest && !is_sent_before(tcb, replay))
        return buffer_others(tcb) ? WALK_NOTHING : WALK_CHANGED;
    return said != 0 && same_output(tcb, replay, &out, cnt) ? WALKED : WALK_CHANGED;
}

enum walked replay_walk(struct walk *w, const struct whit_tcb *tcb)
{
    struct replay *replay = kept_of(tcb);
    if (w->limit == 0)
        return WALKED;
    if (w->made == NULL && !tcb->response.head_only) {
        enum walked made = walk_collects() ? replay_make(w, tcb) : WALK_MAKE;
        if (made != WALKED)
            return made;
    }
    framing_walk(w, replay->len);
    w->skip = 0;    // the octets that were made begin there
    walk_ram(w, w->made, w->made_len, WHIT_IN_BUFFER);
    return WALKED;
}
