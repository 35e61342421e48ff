// SPDX-License-Identifier: MIT
// S4: nothing of what a generator said is kept. A chunk of output is made for a segment, from a rerun point: the
// continuation and the state with which the generator stood there, or the index of its next octet. Each chunk in flight
// has its point, released by its acknowledgment; when a chunk is wanted again, the generator runs again from there and
// must arrive where the next point stands. Else the connection is reset.
#include "inner.h"
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
    uint8_t point_len;  // octets of a point with its state
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

static struct point *point_at(const struct rerun *rerun, uint8_t i)
{
    return (struct point *)(void *)((uint8_t *)(uintptr_t)rerun + RERUN_LEN + (size_t)i * rerun->point_len);
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
static char run_from(const struct whit_generator *generator, struct args_t *args, struct point *point, struct whit_out *out)
{
    void *state = point + 1;
    whit_out = out;
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

static uint8_t point_len_of(const struct whit_generator *generator)
{
    uint8_t state_len = whit_flash_u8(&generator->writer) == WHIT_INDEX ? 4 : whit_flash_u8(&generator->state_len);
    return (uint8_t)(sizeof(struct point) + ((state_len + 3u) & ~3u));
}

// Whether all of it fits the segment that brings the head as well. It is tried out, and the octets are forgotten.
static char try_out(const struct whit_tcb *tcb, const struct whit_generator *generator, struct rerun *rerun)
{
    uint16_t space, mss = (uint16_t)(tcb->mss4 * 4), head = WHIT_HEAD_PIECES * WHIT_PIECE_MAX;
    struct point *work = (struct point *)(void *)buffer_tail(&space);
    if (space < rerun->point_len)
        return 0;
    memset(work, 0, rerun->point_len);
    struct whit_out out = {NULL, 0, 0, 0, 0, mss > head + PLAN_MIN ? (uint16_t)(mss - head) : PLAN_MIN};
    char status = run_from(generator, content_args(tcb), work, &out);
    return out.len > out.limit ? 0 : status;
}

uint8_t rerun_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open)
{
    uint8_t point_len = point_len_of(generator);
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
    rerun->point_len = point_len;
    rerun->open = open;
    char status = generator_admits(tcb, generator) ? try_out(tcb, generator, rerun) : 0;
    if (status == 0) {
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

// How many octets a new chunk may have.
static uint16_t plan_of(const struct frame *f, uint16_t space)
{
    uint16_t room = (uint16_t)(f->mss - f->payload_len);
    if (room < CHUNK_AROUND + PLAN_MIN)
        return 0;
    room = (uint16_t)(room - CHUNK_AROUND);
    return space < PLAN_MIN ? 0 : space < room ? space : room;
}

// It arrived where it did before: as many octets, and the next point.
static bool agrees(const struct rerun *rerun, uint8_t i, const struct point *work, const struct whit_out *out)
{
    const struct point *next = point_at(rerun, (uint8_t)(i + 1));
    return out->len == point_at(rerun, i)->len &&
           memcmp(&work->pt, &next->pt, (size_t)(rerun->point_len - offsetof(struct point, pt))) == 0;
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

// Adds chunk i from octet `from` of its wire form on. plan: for a new one, how long it may be; else that of its point.
static enum gathered gather_chunk(struct frame *f, const struct whit_tcb *tcb, struct rerun *rerun, uint8_t i, uint32_t from)
{
    uint16_t space;
    bool is_new = i == rerun->cnt;
    struct point *work = (struct point *)(void *)buffer_tail(&space);
    if (space <= rerun->point_len)
        return GATHERED;
    memcpy(work, point_at(rerun, i), rerun->point_len);
    uint8_t *to = (uint8_t *)work + rerun->point_len;
    space = (uint16_t)(space - rerun->point_len);
    uint16_t plan = is_new ? plan_of(f, space) : work->plan;
    if (plan == 0)
        return GATHERED;
    uint8_t before = is_new ? 0 : framing_before(f->framing, (enum framing)rerun->framing, work->len);
    uint32_t skip = from > before ? from - before : 0;
    struct whit_out out = {to, skip < work->len ? skip : work->len, 0, space, 0, plan};
    char status = run_from(content_generator(tcb), content_args(tcb), work, &out);
    bool last = is_new ? status == PT_DONE : rerun->ended && i + 1 == rerun->cnt;
    if (status == 0 || out.len > plan || (!is_new && (!agrees(rerun, i, work, &out) || last != (status == PT_DONE))))
        return GATHER_CHANGED;
    if (is_new && out.len == 0 && !last)
        return GATHERED;    // it waits for something
    if (is_new && take_new(f, rerun, plan, &out, last) == GATHER_AGAIN)
        return GATHER_AGAIN;
    uint16_t len = (uint16_t)out.len, kept = (uint16_t)(len > out.from ? len - out.from : 0);
    before = framing_before(f->framing, (enum framing)rerun->framing, len);
    frame_add_part(f, f->framing, before, &from);
    from = from > out.from ? from - out.from : 0;
    frame_add_part(f, to, kept < space ? kept : space, &from);
    if (kept <= space)
        frame_add_part(f, f->framing + before, framing_behind(f->framing + before, (enum framing)rerun->framing, len, last), &from);
    return GATHERED;
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
    memcpy(point_at(rerun, rerun->cnt), work, rerun->point_len);
}

uint16_t rerun_acked(const struct whit_tcb *tcb, uint32_t upto)
{
    struct rerun *rerun = rerun_of(tcb);
    uint16_t passed = 0, len;
    while (rerun->cnt != 0 && upto - passed >= (len = wire_len(rerun, 0))) {
        passed = (uint16_t)(passed + len);
        rerun->cnt--;
        memmove(point_at(rerun, 0), point_at(rerun, 1), (size_t)(rerun->cnt + 1u) * rerun->point_len);
    }
    return passed;
}

enum framing rerun_framing(const struct whit_tcb *tcb)
{
    return (enum framing)rerun_of(tcb)->framing;
}
