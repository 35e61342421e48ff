// SPDX-License-Identifier: MIT
// S4: nothing of what a generator said is kept. A chunk of output is made for a segment, from a rerun point: the
// continuation and the state with which the generator stood there, or the index of its next octet. Each chunk in flight
// has its point, released by its acknowledgment; when a chunk is wanted again, the generator runs again from there and
// must arrive where the next point stands. Else the connection is reset. A chunk travels as a whole, so that what it says
// may be another thing each time; where a window or a peer cuts one, it is of one run.
#include "log.h"
#include "whit/app.h"

#include <string.h>

#define POINTS_MAX 17    // chunks in flight, and the point behind them
#define PLAN_MIN 16      // octets for which a chunk is worth its frame

// A rerun point; the state follows, of an index writer the index.
struct point {
    uint16_t len;     // octets of the content in the chunk that begins here; of the last point: none yet
    uint16_t plan;    // octets that the generator was allowed for it
    struct whit_pt pt;
};

// In BLOCK_RUN; the points follow, in their order.
struct rerun {
    uint8_t cnt;        // chunks that were made and are not acknowledged
    uint8_t max;
    uint8_t framing;    // enum framing
    uint8_t open;       // the framing if the first chunk turns out not to be all
    bool ended;         // nothing comes behind the last chunk
    uint8_t point_len4; // octets of a point with its state, in fours
    uint16_t cut;       // of the first chunk, once a segment brought some octets of its content and not all: an odd hash of it
};

#ifdef WHIT_METER
const uint16_t whit_meter_point_len = sizeof(struct point);
#endif

static struct rerun *rerun_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct rerun *)(void *)buffer_find(tcb, BLOCK_RUN, &len);
}

#define RERUN_LEN ((sizeof(struct rerun) + 3u) & ~3u)

static uint16_t point_len_in(const struct rerun *rerun)
{
    return (uint16_t)(rerun->point_len4 * 4u);
}

static struct point *point_at(const struct rerun *rerun, uint8_t i)
{
    return (struct point *)(void *)((uint8_t *)(uintptr_t)rerun + RERUN_LEN + (size_t)i * point_len_in(rerun));
}

static uint16_t framed_len(const struct rerun *rerun, uint16_t len, bool last)
{
    uint8_t framing[FRAMING_MAX];
    return (uint16_t)(framing_before(framing, (enum framing)rerun->framing, len) + len +
                      framing_behind(framing, (enum framing)rerun->framing, len, last));
}

static uint16_t wire_len(const struct rerun *rerun, uint8_t i)
{
    return framed_len(rerun, point_at(rerun, i)->len, rerun->ended && i + 1 == rerun->cnt);
}

uint16_t rerun_chunk_len(const struct whit_tcb *tcb, const struct frame *f)
{
    return framed_len(rerun_of(tcb), f->chunk_len, f->chunk_last);
}

// Runs the generator from `point`, which it moves on.
static char run_now(const struct whit_generator *generator, struct args_t *args, struct point *point, struct whit_out *out)
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

static char run_from(const struct whit_generator *generator, struct args_t *args, struct point *point, struct whit_out *out)
{
    whit_out = out;
    char said = run_now(generator, args, point, out);
    whit_out = NULL;
    return said;
}

static uint16_t point_len_of(const struct whit_generator *generator)
{
    uint8_t state_len = whit_flash_u8(&generator->writer) == WHIT_INDEX ? 4 : whit_flash_u8(&generator->state_len);
    return (uint16_t)(sizeof(struct point) + ((state_len + 3u) & ~3u));
}

// Whether all of it fits the segment that brings the head as well. It is tried out, and the octets are forgotten.
static char try_out(const struct whit_tcb *tcb, const struct whit_generator *generator, struct rerun *rerun)
{
    uint16_t space, mss = (uint16_t)(tcb->mss4 * 4), head = WHIT_HEAD_MAX;
    struct point *work = (struct point *)(void *)buffer_tail(&space);
    if (space < point_len_in(rerun))
        return 0;
    memset(work, 0, point_len_in(rerun));
    struct whit_out out = {NULL, 0, 0, 0, 0, mss > head + PLAN_MIN ? (uint16_t)(mss - head) : PLAN_MIN};
    char status = run_from(generator, content_args(tcb), work, &out);
    return out.len > out.limit ? 0 : status;
}

uint8_t rerun_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open, uint32_t *cost_us)
{
    uint16_t point_len = point_len_of(generator);
    uint16_t room, window = (uint16_t)(tcb->mss4 * 4 + point_len);    // for a chunk being made, besides what is kept
    buffer_tail(&room);
    if (room < RERUN_LEN + 3u * point_len + 2u * PLAN_MIN)
        return HTTP_STATUS_CNT;
    room = (uint16_t)(room - RERUN_LEN - 2u * PLAN_MIN);
    window = window < room / 2 ? window : room / 2;
    uint16_t points = (uint16_t)((room - window) / point_len);
    points = points < 2 ? 2 : points < POINTS_MAX ? points : POINTS_MAX;
    struct rerun *rerun = buffer_make(tcb, BLOCK_RUN, (uint16_t)(RERUN_LEN + points * point_len));
    if (rerun == NULL)
        return HTTP_STATUS_CNT;
    memset(rerun, 0, RERUN_LEN + (size_t)points * point_len);
    rerun->max = (uint8_t)(points - 1);
    rerun->point_len4 = (uint8_t)(point_len / 4);
    rerun->open = open;
    bool admitted = generator_admits(tcb, generator);
    uint32_t started_us = WHIT_HAS_DEAR_THREADS ? whit_port_now_us() : 0;
    char status = admitted ? try_out(tcb, generator, rerun) : 0;
    *cost_us = WHIT_HAS_DEAR_THREADS ? whit_port_now_us() - started_us : 0;
    if (status == 0) {
        if (WHIT_HAS_LOG)
            log_why(tcb, WHY_RETURNED, WHIT_NAME_GET, 0, 0);
        response_forget(tcb);
        return HTTP_500;
    }
    rerun->framing = status == PT_DONE ? FRAMING_LENGTH : open;
    return HTTP_200;
}

uint32_t rerun_len(const struct whit_tcb *tcb, bool *ended, bool *more)
{
    const struct rerun *rerun = rerun_of(tcb);
    uint32_t len = 0;
    for (uint8_t i = 0; i < rerun->cnt; i++)
        len += wire_len(rerun, i);
    *ended = rerun->ended;
    *more = !rerun->ended && rerun->cnt < rerun->max;
    return len;
}

// How many octets a new chunk may have: as many as the segment has room for, but for a very small window.
static uint16_t plan_of(const struct frame *f, uint16_t space)
{
    uint16_t room = (uint16_t)(f->room - f->payload_len);
    if (room < CHUNK_AROUND + PLAN_MIN)
        room = (uint16_t)(f->mss - f->payload_len);
    if (room < CHUNK_AROUND + PLAN_MIN)
        return 0;
    room = (uint16_t)(room - CHUNK_AROUND);
    return space < PLAN_MIN ? 0 : space < room ? space : room;
}

// It arrived where it did before: as many octets, and the next point.
static bool chunk_agrees(const struct rerun *rerun, uint8_t i, const struct point *work, const struct whit_out *out)
{
    const struct point *next = point_at(rerun, (uint8_t)(i + 1));
    return out->len == point_at(rerun, i)->len &&
           memcmp(&work->pt, &next->pt, (size_t)(point_len_in(rerun) - offsetof(struct point, pt))) == 0;
}

// Of a new chunk: what follows from how long it came out.
static enum gathered take_new(struct frame *f, struct rerun *rerun, uint16_t plan, const struct whit_out *out, bool last)
{
    if (rerun->framing == FRAMING_LENGTH && !last) {    // it tried out shorter; nothing has left yet
        rerun->framing = rerun->open;
        return GATHER_AGAIN;
    }
    f->chunk_plan = plan;
    f->chunk_len = (uint16_t)out->len;
    f->chunk_last = last;
    return GATHERED;
}

// Octets before `from` with which the segment begins, so that it brings all of the chunk's content; space: for making it.
static uint16_t back_of(const struct frame *f, const struct rerun *rerun, uint8_t i, uint32_t from, uint16_t space)
{
    uint8_t framing[FRAMING_MAX];
    uint16_t len = point_at(rerun, i)->len, wire = wire_len(rerun, i);
    uint8_t before = framing_before(framing, (enum framing)rerun->framing, len);
    bool inside = from > before && from < before + UINT32_C(1) * len;
    return inside && len <= space && wire <= f->mss && wire - from <= f->room ? (uint16_t)from : 0;
}

// Whether the segment may bring `cnt` octets of the `out->len` that chunk i says now. Some of them only of the first
// chunk, and then they must be those of any run that brought some.
static enum gathered judge_cut(const struct frame *f, struct rerun *rerun, uint8_t i, const struct whit_out *out, uint16_t cnt)
{
    bool cut = cnt != 0 && cnt != out->len;
    uint16_t hash = out->hash | 1;
    if (i != 0)
        return cut ? GATHER_AGAIN : GATHERED;
    if (rerun->cut != 0 && rerun->cut != hash)
        return GATHER_CHANGED;
    if (cut && rerun->cut == 0 && f->chunk_plan == 0)    // it was sent whole, and the peer may keep it behind a gap
        return f->payload_len != 0 ? GATHER_AGAIN : GATHER_CHANGED;
    if (cut)
        rerun->cut = hash;
    return GATHERED;
}

// Adds what a run said of chunk i, from octet `from` of its wire form on. `to`: what is kept of it.
static enum gathered add_rerun(struct frame *f, struct rerun *rerun, uint8_t i, const struct whit_out *out, uint32_t from, bool last)
{
    uint16_t len = (uint16_t)out->len, kept = (uint16_t)(len > out->from ? len - out->from : 0);
    uint16_t room = (uint16_t)(f->room - f->payload_len);
    uint8_t before = framing_before(f->framing, (enum framing)rerun->framing, len);
    uint16_t ahead = from < before ? (uint16_t)(before - from) : 0, cnt = room > ahead ? (uint16_t)(room - ahead) : 0;
    cnt = cnt < kept ? cnt : kept;
    cnt = cnt < out->room ? cnt : out->room;
    enum gathered judged = judge_cut(f, rerun, i, out, cnt);
    if (judged != GATHERED)
        return judged == GATHER_AGAIN ? GATHERED : judged;    // nothing of it now: it is sent again from the first one on
    frame_add_part(f, f->framing, before, &from);
    from = from > out->from ? from - out->from : 0;
    frame_add_part(f, out->to, cnt, &from);
    if (cnt == kept)
        frame_add_part(f, f->framing + before, framing_behind(f->framing + before, (enum framing)rerun->framing, len, last), &from);
    return GATHERED;
}

// Adds chunk i from octet `from` of its wire form on. The one behind the last point is a new one.
static enum gathered gather_chunk(struct frame *f, const struct whit_tcb *tcb, struct rerun *rerun, uint8_t i, uint32_t from)
{
    uint16_t space, point_len = point_len_in(rerun);
    bool is_new = i == rerun->cnt;
    struct point *work = (struct point *)(void *)buffer_tail(&space);
    if (space <= point_len || f->room == f->payload_len)
        return GATHERED;
    memcpy(work, point_at(rerun, i), point_len);
    space = (uint16_t)(space - point_len);
    uint16_t plan = is_new ? plan_of(f, space) : work->plan;
    if (plan == 0)
        return GATHERED;
    uint16_t back = is_new || (i == 0 && rerun->cut != 0) ? 0 : back_of(f, rerun, i, from, space);
    from -= back;
    uint8_t before = is_new ? 0 : framing_before(f->framing, (enum framing)rerun->framing, work->len);
    uint32_t skip = from > before ? from - before : 0;
    struct whit_out out = {(uint8_t *)work + point_len, skip < work->len ? skip : work->len, 0, space, 0, plan};
    char status = run_from(content_generator(tcb), content_args(tcb), work, &out);
    bool last = is_new ? status == PT_DONE : rerun->ended && i + 1 == rerun->cnt;
    if (status == 0 || out.len > plan || (!is_new && (!chunk_agrees(rerun, i, work, &out) || last != (status == PT_DONE))))
        return GATHER_CHANGED;
    if (is_new && out.len == 0 && !last)
        return GATHERED;    // it waits for something
    if (is_new && take_new(f, rerun, plan, &out, last) == GATHER_AGAIN)
        return GATHER_AGAIN;
    f->room = (uint16_t)(f->room + back < f->mss ? f->room + back : f->mss);
    enum gathered gathered = add_rerun(f, rerun, i, &out, from, last);
    f->back = f->payload_len != 0 && back != 0 ? back : f->back;
    return gathered;
}

enum gathered rerun_gather(struct frame *f, const struct whit_tcb *tcb, uint32_t from)
{
    struct rerun *rerun = rerun_of(tcb);
    uint8_t i = 0;
    uint16_t len;
    while (i < rerun->cnt && from >= (len = wire_len(rerun, i))) {
        from -= len;
        i++;
    }
    if (i == rerun->cnt && (rerun->ended || i == rerun->max))
        return GATHERED;
    return gather_chunk(f, tcb, rerun, i, from);
}

void rerun_sent(const struct whit_tcb *tcb, const struct frame *f)
{
    struct rerun *rerun = rerun_of(tcb);
    struct point *point = point_at(rerun, rerun->cnt);
    uint16_t space;
    const uint8_t *work = buffer_tail(&space);    // where gather_chunk() left the generator
    point->len = f->chunk_len;
    point->plan = f->chunk_plan;
    rerun->ended = f->chunk_last;
    rerun->cnt++;
    memcpy(point_at(rerun, rerun->cnt), work, point_len_in(rerun));
}

uint16_t rerun_acked(const struct whit_tcb *tcb, uint32_t upto)
{
    struct rerun *rerun = rerun_of(tcb);
    uint16_t passed = 0, len;
    while (rerun->cnt != 0 && upto - passed >= (len = wire_len(rerun, 0))) {
        passed = (uint16_t)(passed + len);
        rerun->cut = 0;
        rerun->cnt--;
        memmove(point_at(rerun, 0), point_at(rerun, 1), (size_t)(rerun->cnt + 1u) * point_len_in(rerun));
    }
    return passed;
}

enum framing rerun_framing(const struct whit_tcb *tcb)
{
    return (enum framing)rerun_of(tcb)->framing;
}
