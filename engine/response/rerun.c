// SPDX-License-Identifier: MIT
// S4: a generator's output is not kept. A chunk of output is made for a segment, from a rerun point. A rerun point is
// the continuation and the state of the generator, or the index of its next octet. Each chunk in flight has its point,
// which its acknowledgment releases. To retransmit a chunk, the generator runs again from its point. If it does not
// arrive at the next point, the connection is reset. A chunk that is always sent as a whole may differ each time. If a
// window, a peer or a lack of room cuts a chunk, all its segments are of runs with the same output.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../outgoing/outgoing.h"
#include "whit/app.h"
#include "whit/driver.h"
#include "whit/port.h"

#define POINTS_MAX 17    // chunks in flight, and the point after them
#define PLAN_MIN 16      // octets for which a chunk is worth its frame

// A rerun point; the state follows, of an index writer the index.
struct point {
    uint16_t len;     // octets of the content in the chunk that begins here; of the last point: none yet
    uint16_t plan;    // octets that the generator was allowed for it
    struct whit_pt pt;
};

// State in BLOCK_RUN; the points follow in their order, and a hash of each chunk.
struct rerun {
    uint8_t cnt;    // chunks that were made and are not acknowledged
    uint8_t max;
    uint8_t framing;       // enum framing
    uint8_t open;          // the framing if the first chunk turns out not to be all
    bool ended;            // nothing comes after the last chunk
    bool new_last;         // nothing will come after the one that was made and has not left
    uint8_t point_len4;    // octets of a point with its state, in fours
};

#ifdef WHIT_METER
const uint16_t whit_meter_point_len = sizeof(struct point);
#endif

static struct rerun *rerun_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct rerun *)(void *)buffer_find(tcb, BLOCK_RUN, &len);
}

#define RERUN_LEN BUFFER_PART(sizeof(struct rerun))
_Static_assert(sizeof(struct point) % WHIT_ALIGNMENT == 0, "a handler's state lies after it");

static uint16_t point_len_in(const struct rerun *rerun)
{
    return (uint16_t)(rerun->point_len4 * 4u);
}

static struct point *point_at(const struct rerun *rerun, uint8_t i)
{
    return (struct point *)(void *)((uint8_t *)(uintptr_t)rerun + RERUN_LEN + (size_t)i * point_len_in(rerun));
}

// For each point: an odd hash of its chunk. It is one less after a segment that brought a part of the chunk. VARIED:
// the chunk had several contents, each sent as a whole.
#define VARIED 1

static uint16_t *said_of(const struct rerun *rerun)
{
    return (uint16_t *)(void *)point_at(rerun, (uint8_t)(rerun->max + 1));
}

static uint16_t framed_len(const struct rerun *rerun, uint16_t len, bool last)
{
    enum framing framing = (enum framing)rerun->framing;
    return (uint16_t)(framing_before_len(framing, len) + len + framing_after_len(framing, len, last));
}

static uint16_t wire_len(const struct rerun *rerun, uint8_t i)
{
    return framed_len(rerun, point_at(rerun, i)->len, rerun->ended && i + 1 == rerun->cnt);
}

// Runs the generator from `point`, which it moves on.
static char run_now(const struct whit_generator *generator, struct args_t *args, struct point *point,
                    struct whit_out *out)
{
    void *state = point + 1;
    if (!WHIT_HAS_INDEX || whit_flash_u8(&generator->writer) == WHIT_THREAD) {
        char (*thread)(struct whit_pt *, struct args_t *, struct state_t *) = whit_flash_ptr(&generator->get.thread);
        return thread(&point->pt, args, state);
    }
    char (*write)(struct args_t *, uint32_t, uint16_t) = whit_flash_ptr(&generator->get.index);
    uint32_t *index = state;
    if (write(args, *index, out->limit) == 0)
        return 0;
    *index += out->len;
    return out->len < out->limit ? PT_DONE : PT_WAITS;
}

static char run_from(const struct whit_tcb *tcb, const struct whit_generator *generator, struct point *point,
                     struct whit_out *out)
{
    whit_out = out;
    client_asks(tcb);
    char said = run_now(generator, content_args(tcb), point, out);
    client_asks_no_more();
    whit_out = NULL;
    return said;
}

static uint16_t point_len_of(const struct whit_generator *generator)
{
    uint8_t state_len = whit_flash_u8(&generator->writer) == WHIT_INDEX ? 4 : whit_flash_u8(&generator->state_len);
    return (uint16_t)(sizeof(struct point) + BUFFER_PART(state_len));
}

// Tries whether the whole output fits the segment with the head. The octets are dropped.
static char try_out(const struct whit_tcb *tcb, const struct whit_generator *generator, struct rerun *rerun)
{
    uint16_t space, mss = tcb_mss(tcb), head = WHIT_HEAD_MAX;
    struct point *work = (struct point *)(void *)buffer_tail(&space);
    if (space < point_len_in(rerun))
        return 0;
    memset(work, 0, point_len_in(rerun));
    struct whit_out out = {.limit = mss > head + PLAN_MIN ? (uint16_t)(mss - head) : PLAN_MIN};
    char status = run_from(tcb, generator, work, &out);
    return out.len > out.limit ? 0 : status;
}

uint8_t rerun_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open, uint32_t *cost_us)
{
    uint16_t point_len = point_len_of(generator);
    uint16_t room, window = (uint16_t)(tcb_mss(tcb) + point_len);    // for a chunk being made, besides what is kept
    buffer_tail(&room);
    uint16_t each = (uint16_t)(point_len + sizeof(uint16_t));
    if (room < RERUN_LEN + 3u * each + 2u * PLAN_MIN + 2u)
        return HTTP_STATUS_CNT;
    room = (uint16_t)(room - RERUN_LEN - 2u * PLAN_MIN - 2u);
    window = window < room / 2 ? window : room / 2;
    uint16_t points = (uint16_t)((room - window) / each);
    points = points < 2 ? 2 : points < POINTS_MAX ? points : POINTS_MAX;
    struct rerun *rerun = buffer_make(tcb, BLOCK_RUN, (uint16_t)(RERUN_LEN + points * each));
    if (rerun == NULL)
        return HTTP_STATUS_CNT;
    memset(rerun, 0, RERUN_LEN + (size_t)points * each);
    rerun->max = (uint8_t)(points - 1);
    rerun->point_len4 = (uint8_t)(point_len / 4);
    rerun->open = open;
    bool admitted = run_init_get(tcb, generator);
    uint32_t started_us = WHIT_HAS_DEAR_THREADS ? whit_port_now_us() : 0;
    char status = admitted ? try_out(tcb, generator, rerun) : 0;
    *cost_us = WHIT_HAS_DEAR_THREADS ? whit_port_now_us() - started_us : 0;
    if (status == 0) {
        if (WHIT_HAS_LOG)
            log_why_name(tcb, WHY_RETURNED, WHIT_NAME_GET);
        return HTTP_500;
    }
    rerun->framing = (uint8_t)(status == PT_DONE ? FRAMING_LENGTH : open);
    return HTTP_200;
}

whit_position rerun_len(const struct whit_tcb *tcb, bool *ended, bool *more)
{
    const struct rerun *rerun = rerun_of(tcb);
    whit_position len = 0;
    for (uint8_t i = 0; i < rerun->cnt; i++)
        len = (whit_position)(len + wire_len(rerun, i));
    *ended = rerun->ended;
    *more = !rerun->ended && rerun->cnt < rerun->max;
    return len;
}

uint16_t rerun_new_len(const struct whit_tcb *tcb, bool *last)
{
    const struct rerun *rerun = rerun_of(tcb);
    *last = rerun->new_last;
    return framed_len(rerun, point_at(rerun, rerun->cnt)->len, rerun->new_last);
}

// Returns the octets that a new chunk may have: the room of the segment, except for a very small window.
static uint16_t plan_of(const struct walk *w, uint16_t space)
{
    uint16_t room = w->limit;
    if (room < CHUNK_AROUND + PLAN_MIN)
        room = (uint16_t)(w->mss - w->len);
    if (room < CHUNK_AROUND + PLAN_MIN)
        return 0;
    room = (uint16_t)(room - CHUNK_AROUND);
    return space < PLAN_MIN ? 0 : space < room ? space : room;
}

// It arrived where it did before: as many octets, and the next point.
static bool same_chunk(const struct rerun *rerun, uint8_t i, const struct point *work, const struct whit_out *out)
{
    const struct point *next = point_at(rerun, (uint8_t)(i + 1));
    return out->len == point_at(rerun, i)->len &&
           memcmp(&work->pt, &next->pt, (size_t)(point_len_in(rerun) - offsetof(struct point, pt))) == 0;
}

// Takes a new chunk of the length in `out`. It counts when its frame has begun (rerun_sent()).
static enum walked take_new(struct walk *w, struct rerun *rerun, uint16_t plan, const struct whit_out *out, bool last)
{
    if (rerun->framing == FRAMING_LENGTH && !last) {    // it tried out shorter; nothing has left yet
        rerun->framing = rerun->open;
        return WALK_AGAIN;
    }
    struct point *point = point_at(rerun, rerun->cnt);
    point->len = (uint16_t)out->len;
    point->plan = plan;
    rerun->new_last = last;
    w->new_chunk = true;
    return WALKED;
}

// Octets before w->skip with which the segment begins, so that it brings all of the chunk's content; space: for making
// it.
static uint16_t back_of(const struct walk *w, const struct rerun *rerun, uint8_t i, uint16_t before, uint16_t space)
{
    uint16_t len = point_at(rerun, i)->len, wire = wire_len(rerun, i);
    bool inside = w->skip > before && w->skip - before < len;
    return inside && len <= space && wire <= w->mss && wire - w->skip <= w->limit ? (uint16_t)w->skip : 0;
}

// Decides whether the segment may bring `cnt` octets of the `out->len` octets of chunk i. It may bring a part only if
// every run had the same output, because the peer may keep any part. WALK_NOTHING: not now; it is retransmitted when it
// begins a segment, or has room.
static enum walked judge_cut(const struct walk *w, const struct rerun *rerun, uint8_t i, const struct whit_out *out,
                             uint16_t cnt)
{
    bool partial = cnt != 0 && cnt != out->len;
    uint16_t *said = &said_of(rerun)[i], hash = (uint16_t)(out->hash | 1);
    if (hash == VARIED)
        hash = 3;
    if (w->new_chunk)
        *said = hash;
    if (*said != hash && *said != hash - 1) {
        if ((*said & 1) == 0)
            return WALK_CHANGED;
        if (partial)
            return i != 0 || w->len != 0 || cnt == out->room ? WALK_NOTHING : WALK_CHANGED;
        *said = VARIED;
    } else if (partial) {
        *said = (uint16_t)(hash - 1);
    }
    return WALKED;
}

// Decides how many octets of a run's output the segment brings; the peer has `back` octets before w->skip.
static enum walked take_chunk(struct walk *w, struct rerun *rerun, uint8_t i, const struct whit_out *out, uint16_t back)
{
    uint16_t len = (uint16_t)out->len, cnt = (uint16_t)(len > out->from ? len - out->from : 0);
    uint16_t room = (uint16_t)(w->limit + back < w->mss ? w->limit + back : w->mss);
    whit_position from = (whit_position)(w->skip - back);
    uint8_t before = framing_before_len((enum framing)rerun->framing, len);
    uint16_t ahead = from < before ? (uint16_t)(before - from) : 0, left = room > ahead ? (uint16_t)(room - ahead) : 0;
    cnt = cnt < left ? cnt : left;
    cnt = cnt < out->room ? cnt : out->room;
    enum walked judged = judge_cut(w, rerun, i, out, cnt);
    if (judged != WALKED)
        return judged;
    w->made = out->to;
    w->made_len = cnt;
    w->limit = room;
    w->skip = from;
    w->overlap_len = back != 0 ? back : w->overlap_len;
    return WALKED;
}

// Runs the generator for chunk i, from octet w->skip of its wire form on. The chunk after the last point is a new one.
__attribute__((noinline)) static enum walked make_chunk(struct walk *w, const struct whit_tcb *tcb, struct rerun *rerun,
                                                        uint8_t i)
{
    uint16_t space, point_len = point_len_in(rerun);
    bool is_new = i == rerun->cnt;
    struct point *work = (struct point *)(void *)buffer_tail(&space);
    if (space <= point_len || w->limit == 0)
        return WALK_NOTHING;
    memcpy(work, point_at(rerun, i), point_len);
    space = (uint16_t)(space - point_len);
    uint16_t plan = is_new ? plan_of(w, space) : work->plan;
    if (plan == 0)
        return WALK_NOTHING;
    uint16_t before = is_new ? 0 : framing_before_len((enum framing)rerun->framing, work->len);
    uint16_t back = is_new || (said_of(rerun)[i] & 1) == 0 ? 0 : back_of(w, rerun, i, before, space);
    whit_position from = (whit_position)(w->skip - back), skip = (whit_position)(from > before ? from - before : 0);
    struct whit_out out = {.to = (uint8_t *)work + point_len,
                           .from = is_new             ? 0
                                   : skip < work->len ? skip
                                                      : work->len,
                           .room = space,
                           .limit = plan};
    char status = run_from(tcb, content_generator(tcb), work, &out);
    bool last = is_new ? status == PT_DONE : rerun->ended && i + 1 == rerun->cnt;
    if (status == 0 || out.len > plan ||
        (!is_new && (!same_chunk(rerun, i, work, &out) || last != (status == PT_DONE))))
        return WALK_CHANGED;
    if (is_new && out.len == 0 && !last)
        return WALK_NOTHING;    // it waits for something
    if (is_new && take_new(w, rerun, plan, &out, last) == WALK_AGAIN)
        return WALK_AGAIN;
    return take_chunk(w, rerun, i, &out, back);
}

// A chunk of `len` octets, of which the last `made_len` from w->skip on were made.
__attribute__((noinline)) static void chunk_walk(struct walk *w, const struct rerun *rerun, uint16_t len, bool last)
{
    uint8_t framing[FRAMING_MAX];
    walk_ram(w, framing, framing_before(framing, (enum framing)rerun->framing, len), WHIT_IN_RAM);
    uint16_t left = w->skip < len ? (uint16_t)(len - w->skip) : 0;
    w->skip = (whit_position)(w->skip < len ? 0 : w->skip - len);
    walk_ram(w, w->made, w->made_len, WHIT_IN_BUFFER);
    if (w->made_len < left)
        w->limit = 0;
    walk_ram(w, framing, framing_after(framing, (enum framing)rerun->framing, len, last), WHIT_IN_RAM);
}

enum walked rerun_walk(struct walk *w, const struct whit_tcb *tcb)
{
    struct rerun *rerun = rerun_of(tcb);
    uint8_t i = 0;
    uint16_t len;
    while (i < rerun->cnt && w->skip >= (len = wire_len(rerun, i))) {
        w->skip = (whit_position)(w->skip - len);
        i++;
    }
    if (i == rerun->cnt && (rerun->ended || i == rerun->max))
        return WALKED;
    if (!w->puts) {
        enum walked made = make_chunk(w, tcb, rerun, i);
        if (made != WALKED)
            return made;
    }
    bool is_new = i == rerun->cnt;
    chunk_walk(w, rerun, point_at(rerun, i)->len, is_new ? rerun->new_last : rerun->ended && i + 1 == rerun->cnt);
    return WALKED;
}

void rerun_sent(const struct whit_tcb *tcb)
{
    struct rerun *rerun = rerun_of(tcb);
    uint16_t space;
    const uint8_t *work = buffer_tail(&space);    // state of the generator, from make_chunk()
    rerun->ended = rerun->new_last;
    rerun->cnt++;
    memcpy(point_at(rerun, rerun->cnt), work, point_len_in(rerun));
}

uint16_t rerun_acked(const struct whit_tcb *tcb, whit_position upto)
{
    struct rerun *rerun = rerun_of(tcb);
    uint16_t passed = 0, len;
    while (rerun->cnt != 0 && upto - passed >= (len = wire_len(rerun, 0))) {
        passed = (uint16_t)(passed + len);
        rerun->cnt--;
        memmove(point_at(rerun, 0), point_at(rerun, 1), (size_t)(rerun->cnt + 1u) * point_len_in(rerun));
        memmove(said_of(rerun), said_of(rerun) + 1, (size_t)rerun->cnt * sizeof(uint16_t));
    }
    return passed;
}

enum framing rerun_framing(const struct whit_tcb *tcb)
{
    return (enum framing)rerun_of(tcb)->framing;
}

// ------------------------------------------------------------------------------ S2: generated again from its beginning

// S2: a generator's output is not kept. It runs again, from its beginning, for every segment. Only the octets that the
// segment needs are held, after everything in the buffer, until the driver has taken them. The length and a hash of the
// output are kept. If a later run differs, the connection is reset, because a client must read one response. A volatile
// generator may change its output only while each segment with content carries all of it.

struct replay {
    whit_position len;    // octets of the content
    whit_said hash;
    bool sent_before;    // a segment brought something of it, its length at least
    bool partial;        // ... and one brought some octets of the content and not all
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

// True if a part of it was sent; the first segment may have failed. Sealed octets count as sent.
static bool is_sent_before(const struct whit_tcb *tcb, const struct replay *replay)
{
    return is_tls(tcb) || (replay->sent_before && (tcb->position != 0 || tcb->response.flight != 0));
}

whit_position replay_len(const struct whit_tcb *tcb, bool *more)
{
    if (tcb->response.head_only)
        return LENGTH_LINES;
    const struct replay *replay = kept_of(tcb);
    *more = !is_sent_before(tcb, replay);    // it may write more when it is sent than in the first run
    return (whit_position)(LENGTH_LINES + replay->len);
}

static bool is_volatile(const struct whit_tcb *tcb)
{
    return WHIT_HAS_VOLATILE && whit_flash_u8(&whit_resources[tcb->response.resource].persistence) == WHIT_VOLATILE;
}

// True if the new output, of which `cnt` octets are to be sent, may follow the earlier one. Stores its length and hash
// then.
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
    if (walk_collects()) {    // after their framing
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
    // If the buffer would cut a volatile output, nothing is sent before other connections free room.
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
