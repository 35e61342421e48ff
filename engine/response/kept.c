// SPDX-License-Identifier: MIT
// S1 and S3: a generator's output is kept in the shared buffer, with its framing, until it is acknowledged. It is
// retransmitted from there. A plain generator has written everything before its first octet is sent. A protothread
// fills its room, pauses, and continues when acknowledgments have made room. It runs once, in order, also when segments
// are lost.
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
#include "whit/app.h"
#include "whit/port.h"

#define FILL_MIN 32       // less room is not worth a chunk
#define SHARE_MIN 128     // least share of several threads; half of it is enough to begin beside others
#define FORM_BESIDE 64    // octets more of the buffer's first half, so that a form comes in while a thread is slow

enum later { LATER_NOT, LATER, LATER_RESTS };    // nothing of it is sent yet; ... and its handler ran just now

// State of a thread, in BLOCK_RUN; the author's state follows. BLOCK_OUTPUT is its room.
struct thread {
    _Alignas(WHIT_ALIGNMENT) uint16_t fill;    // octets that are kept
    uint16_t last_write;                       // octets before the last write
    uint8_t framing;                           // enum framing
    bool ended;
    uint8_t later;    // enum later; except for LATER_NOT, `fill` octets are behind the room for a chunk's head
    bool post;        // it is the doPost
    struct whit_pt pt;
#if WHIT_TLS
    struct kept_sealed sealed;
#endif
};

static struct thread *thread_of(const struct whit_tcb *tcb)
{
    uint16_t len;
    return WHIT_HAS_PERSISTENT_THREADS ? (struct thread *)(void *)buffer_find(tcb, BLOCK_RUN, &len) : NULL;
}

static uint8_t *output_of(const struct whit_tcb *tcb, uint16_t *len)
{
    return buffer_find(tcb, BLOCK_OUTPUT, len);
}

__attribute__((noinline)) void output_find(const struct whit_tcb *tcb, struct kept *kept)
{
#if WHIT_HAS_PERSISTENT_THREADS
    kept->thread = thread_of(tcb);
#endif
    uint16_t len;
    kept->octets = output_of(tcb, &len);
}

uint8_t kept_begin(const struct whit_tcb *tcb, uint16_t len)
{
    return buffer_make(tcb, BLOCK_OUTPUT, len) != NULL ? HTTP_200 : HTTP_500;
}

// ------------------------------------------------------------------------------------------------ protothreads

static struct thread *running;    // thread that may still call answer_later()

void answer_later(void)
{
    if (WHIT_HAS_LATER && running != NULL)
        running->later = LATER;
}

static char (*run_of(const struct thread *thread,
                     const struct whit_generator *generator))(struct whit_pt *, struct args_t *, struct state_t *)
{
    if (WHIT_HAS_FORM_THREADS && thread->post)
        return whit_flash_ptr(&((const struct whit_post *)whit_flash_ptr(&generator->post))->form.thread);
    return whit_flash_ptr(&generator->get.thread);
}

// Under TLS, each chunk is sealed in its place, as a record. These are the lengths of the octets before it and around
// it, and the limit of its octets.
static uint16_t ahead_of(const struct whit_tcb *tcb)
{
    return is_tls(tcb) ? TLS_HEADER : 0;
}
static uint16_t around_of(const struct whit_tcb *tcb)
{
    return is_tls(tcb) ? CHUNK_AROUND + TLS_AROUND : CHUNK_AROUND;
}
static uint16_t chunk_max(const struct whit_tcb *tcb)
{
    return is_tls(tcb) ? sealed_chunk_max(tcb) : CHUNK_DATA_MAX;
}

// Runs an index writer under TLS: its output, which other connections generate again, is kept here.
static char run_index(const struct whit_generator *generator, struct args_t *args, uint32_t *index,
                      const struct whit_out *out)
{
    char (*write)(struct args_t *, uint32_t, uint16_t) = whit_flash_ptr(&generator->get.index);
    if (write(args, *index, out->limit) == 0)
        return 0;
    *index += out->len;
    return out->len < out->limit ? PT_DONE : PT_WAITS;
}

static bool is_index(const struct whit_tcb *tcb, const struct whit_generator *generator)
{
    return WHIT_HAS_INDEX && is_tls(tcb) && whit_flash_u8(&generator->writer) == WHIT_INDEX;
}

// Runs the thread for one chunk after the kept octets. Returns its result; 0 if it wrote too much.
static char write_chunk(const struct whit_tcb *tcb, const struct kept *kept, uint16_t *len)
{
    const struct whit_generator *generator = kept_generator(kept);
    struct thread *thread = kept_thread(kept);
    char (*run)(struct whit_pt *, struct args_t *, struct state_t *) = run_of(thread, generator);
    uint16_t most = chunk_max(tcb);
    uint8_t *to = kept->octets + thread->fill + ahead_of(tcb) + CHUNK_HEAD;
    uint16_t room = (uint16_t)(block_len(kept->octets) - thread->fill - around_of(tcb));
    if (WHIT_HAS_LATER && thread->later)
        most = (uint16_t)(most - thread->fill);
    room = room < most ? room : most;
    struct whit_out out = {.to = to, .room = room, .limit = room, .kept = WHIT_FAST};
    whit_out = &out;
    client_asks(tcb);
    if (WHIT_HAS_LOG)
        log_unavailable(NULL, 0);
    if (WHIT_HAS_LATER && (thread->later || thread->pt.line == 0)) {
        running = thread;
        if (WHIT_HAS_ANSWER)
            answer_open(tcb);
    }
    char status = is_index(tcb, generator)
                      ? run_index(generator, content_args(tcb), (uint32_t *)(void *)(thread + 1), &out)
                      : run(&thread->pt, content_args(tcb), (struct state_t *)(void *)(thread + 1));
    client_asks_no_more();
    whit_out = NULL;
    if (WHIT_HAS_LATER)
        running = NULL;
    if (WHIT_HAS_LATER && WHIT_HAS_ANSWER)
        answer_close();
    *len = (uint16_t)out.len;
    thread->ended = status == PT_DONE;
    return out.len > room ? 0 : status;
}

// The chunk of `len` octets counts: frames it.
static void add_chunk(const struct whit_tcb *tcb, const struct kept *kept, uint16_t len)
{
    struct thread *thread = kept_thread(kept);
    uint8_t *to = kept->octets + thread->fill + ahead_of(tcb), *octets = to + CHUNK_HEAD;
    if (len == 0 && !thread->ended)
        return;
    uint8_t before = framing_before(to, (enum framing)thread->framing, len);
    if (before != CHUNK_HEAD)
        memmove(to + before, octets, len);
    uint8_t after = framing_after(to + before + len, (enum framing)thread->framing, len, thread->ended);
    uint16_t all = (uint16_t)(before + len + after);
    if (is_tls(tcb) && all != 0) {
        sealed_chunk(tcb, kept_records(kept),
                     tcb->state == TCB_RESPONSE ? response_head_len(tcb, kept_framing(kept)) : 0, to - TLS_HEADER, all);
        all = (uint16_t)(all + TLS_AROUND);
    }
    thread->fill = (uint16_t)(thread->fill + all);
}

// Returns the room for the thread's output; it has `own` octets of it now. The room is its share of what all threads
// have and may have: an even number of segments, if it is two or more. Room that others need besides threads is left
// free. If handlers wait for other hosts, it is at most an eighth, because many may wait at a time. 0: no room now.
static uint16_t capacity_of(const struct whit_tcb *tcb, uint16_t own)
{
    uint16_t others = WINDOW_RESERVED, held = 0, cnt = 1, pair = (uint16_t)(2 * tcb_mss(tcb)), room, len;
    if (WHIT_CONNECTIONS > 1 && (WHIT_HAS_PLAIN || WHIT_HAS_BODY))
        others += WRITTEN_ONCE_MAX + WHIT_BUFFER / 16 + (WHIT_HAS_FORM ? FORM_BESIDE : 0);
    buffer_tail(&room);
    // room if no other connection keeps anything
    uint16_t alone = room > WINDOW_RESERVED ? (uint16_t)(room - WINDOW_RESERVED) : 0;
    room = (uint16_t)(own + (room > others ? room - others : 0));
    if (WHIT_FAST) {
        held = buffer_held(tcb, &cnt);
        for (const struct whit_tcb *other = whit_slots;
             (whit.waiting || waiters_try) && other != whit_slots + WHIT_CONNECTIONS; other++)
            cnt = (uint16_t)(cnt + (other->state == TCB_WAIT));
    }
    for (const struct whit_tcb *other = whit_slots;
         !WHIT_FAST && WHIT_CONNECTIONS > 1 && other != whit_slots + WHIT_CONNECTIONS; other++) {
        if (other->state == TCB_WAIT) {
            cnt++;
        } else if (other != tcb && other->state == TCB_RESPONSE && thread_of(other) != NULL &&
                   output_of(other, &len) != NULL) {
            held = (uint16_t)(held + len);
            cnt++;
        }
    }
    if ((WHIT_FAST ? cnt > 1 : WHIT_CONNECTIONS > 1) && tcb->state == TCB_WAIT)
        cnt--;    // itself, if it was counted
    uint16_t least = (uint16_t)(around_of(tcb) + FILL_MIN);
    if (own == 0 && room < (held != 0 ? SHARE_MIN / 2 : least))    // a small buffer has one after the other
        return WHIT_CONNECTIONS == 1 || alone < least || buffer_others(tcb) ? 0 : alone < SHARE_MIN ? alone : SHARE_MIN;
    if (WHIT_CLIENTS != 0 && room > pair)
        room = (room + held) / 8 < pair ? pair : (uint16_t)((room + held) / 8);
    uint16_t share = (uint16_t)((room + held) / cnt);
    if (share < SHARE_MIN)
        share = SHARE_MIN;
    if (room > share)
        room = share;
    return room < pair ? room : (uint16_t)(room - room % pair);
}

// True if the thread serves another request: without state it has variables of its own.
static bool is_busy(const struct whit_tcb *tcb, uint16_t resource)
{
    uint16_t len;
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        const struct whit_tcb *other = &whit_slots[i];
        if (other != tcb && other->state == TCB_RESPONSE && other->response.kind == KIND_CONTENT &&
            other->response.resource == resource && buffer_find(other, BLOCK_RUN, &len) != NULL)
            return true;
    }
    return false;
}

// Makes a thread's state that of a plain generator: it wrote everything before its first octet was sent.
static void become_plain(const struct whit_tcb *tcb, const struct kept *kept, uint16_t len)
{
    memmove(kept->octets, kept->octets + ahead_of(tcb) + CHUNK_HEAD, len);
    buffer_cut(tcb, BLOCK_OUTPUT, len);
    buffer_free(tcb, BLOCK_RUN);
    buffer_free(tcb, BLOCK_ARGUMENTS);
}

// Appends the last write to the kept output. *kept is invalid after this.
static void keep(const struct whit_tcb *tcb, const struct kept *kept, uint16_t len, bool first)
{
    struct thread *thread = kept_thread(kept);
    if (WHIT_HAS_LATER && thread->later) {
        uint16_t left = (uint16_t)(block_len(kept->octets) - around_of(tcb) - thread->fill - len),
                 more = (uint16_t)(chunk_max(tcb) - thread->fill - len);
        if (!thread->ended && left >= FILL_MIN && more >= FILL_MIN) {
            thread->fill = (uint16_t)(thread->fill + len);
            if (WHIT_FAST && first)
                thread->later = LATER_RESTS;
            return;
        }
        len = (uint16_t)(thread->fill + len);
        thread->fill = 0;
        thread->later = LATER_NOT;
        first = true;
    }
    if (thread->ended && first)
        become_plain(tcb, kept, len);
    else
        add_chunk(tcb, kept, len);
}

static bool is_failure(char status)
{
    return status == 0 || (WHIT_HAS_LATER && status == PT_UNAVAILABLE);
}
static uint8_t failed(char status)
{
    return WHIT_HAS_LATER && status == PT_UNAVAILABLE ? HTTP_503 : HTTP_500;
}

// The arguments of a form are in the place of a query's arguments, and last as long.
static bool take_form(const struct whit_tcb *tcb, const struct whit_generator *generator)
{
    uint8_t len = whit_flash_u8(&generator->args_len);
    uint8_t *to = len != 0 ? buffer_make(tcb, BLOCK_ARGUMENTS, len) : NULL;
    if (to != NULL)
        memcpy(to, body_data(whit_flash_ptr(&generator->post), body_kept(tcb)), len);
    return len == 0 || to != NULL;
}

static uint8_t state_len_of(const struct whit_generator *generator, enum kept_as as)
{
    if (WHIT_HAS_FORM_THREADS && as == KEPT_POST)
        return whit_flash_u8(&((const struct whit_post *)whit_flash_ptr(&generator->post))->state_len);
    return WHIT_TLS && WHIT_HAS_INDEX && whit_flash_u8(&generator->writer) == WHIT_INDEX
               ? 4
               : whit_flash_u8(&generator->state_len);
}

uint8_t kept_thread_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open,
                          enum kept_as as)
{
    uint8_t state_len = state_len_of(generator, as);
    uint16_t capacity, len;
    char said = 0;
    if ((state_len == 0 && is_busy(tcb, tcb->request.resource)) ||
        (WHIT_CONNECTIONS > 1 && whit.waiting && tcb->state != TCB_WAIT))
        return HTTP_STATUS_CNT;    // waiting ones come first
    struct thread *thread = buffer_make(tcb, BLOCK_RUN, (uint16_t)(sizeof *thread + state_len));
    if (thread == NULL)
        return HTTP_STATUS_CNT;
    memset(thread, 0, sizeof *thread + state_len);
    thread->framing = open;
    if (WHIT_HAS_FORM_THREADS)
        thread->post = as == KEPT_POST;
    bool form = WHIT_HAS_FORM_THREADS && as == KEPT_POST;
    capacity = !form || take_form(tcb, generator) ? capacity_of(tcb, 0) : 0;    // room left beside the form
    if (capacity == 0 || buffer_make(tcb, BLOCK_OUTPUT, capacity) == NULL) {
        buffer_free(tcb, BLOCK_RUN);
        if (form)
            buffer_free(tcb, BLOCK_ARGUMENTS);
        return HTTP_STATUS_CNT;
    }
    struct kept kept;
    if (as != KEPT_GET || run_init_get(tcb, generator)) {
        kept_by(&kept, generator);
        output_find(tcb, &kept);
        said = write_chunk(tcb, &kept, &len);
    }
    if (is_failure(said)) {
        if (WHIT_HAS_LOG)
            log_why_name(tcb, said == PT_UNAVAILABLE ? WHY_UNAVAILABLE : WHY_RETURNED,
                         as == KEPT_POST ? WHIT_NAME_FORM : WHIT_NAME_GET);
        return failed(said);
    }
    keep(tcb, &kept, len, true);
    return HTTP_200;
}

bool kept_later(const struct kept *kept)
{
    return WHIT_HAS_LATER && kept->octets != NULL && kept_thread(kept) != NULL && kept_thread(kept)->later != LATER_NOT;
}

bool kept_rests(const struct whit_tcb *tcb)
{
    struct kept kept;
    output_find(tcb, &kept);
    if (kept.octets == NULL || kept_thread(&kept) == NULL || kept_thread(&kept)->later != LATER_RESTS)
        return false;
    kept_thread(&kept)->later = LATER;
    return true;
}

// Its share of now: less as soon as it keeps no more than that, more when it keeps nothing.
static void share_again(const struct whit_tcb *tcb, uint16_t fill, uint16_t capacity)
{
    uint16_t now = capacity_of(tcb, capacity);
    if (now < fill)
        now = fill;
    if (fill == 0) {
        buffer_free(tcb, BLOCK_OUTPUT);
        buffer_make(tcb, BLOCK_OUTPUT, now);
    } else if (now < capacity) {
        buffer_cut(tcb, BLOCK_OUTPUT, now);
    }
}

uint8_t kept_more(const struct whit_tcb *tcb, struct kept *kept)
{
    struct thread *thread = kept_thread(kept);
    uint16_t before, len;
    if (thread == NULL)
        return HTTP_200;
    if (is_tls(tcb) && kept_records(kept)->first_len != 0)
        sealed_first(tcb, kept_records(kept), response_head_len(tcb, kept_framing(kept)), kept->octets);
    bool later = WHIT_HAS_LATER && thread->later != LATER_NOT;
    // else a frame is coming in
    if (WHIT_CONNECTIONS > 1 && !later && (thread->fill == 0 || whit.waiting) && whit.rx.reserved_len == 0) {
        share_again(tcb, thread->fill, block_len(kept->octets));
        output_find(tcb, kept);
        thread = kept_thread(kept);
    }
    before = later ? 0 : thread->fill;
    if (before != 0 && before > block_len(kept->octets) - block_len(kept->octets) / 8 * 3)
        return HTTP_200;
    do {
        if (thread->ended || block_len(kept->octets) - thread->fill < around_of(tcb) + FILL_MIN)
            return HTTP_200;
        thread->last_write = before;
        char said = write_chunk(tcb, kept, &len);
        if (is_failure(said))
            return failed(said);
        keep(tcb, kept, len, false);
        if (WHIT_HAS_LATER && later)
            output_find(tcb, kept);    // it may be whole now
    } while (len == chunk_max(tcb) && !later);
    return HTTP_200;
}

// ------------------------------------------------------------------------------------------------ both

whit_position kept_len(const struct kept *kept, bool head_only, bool *ended)
{
    const struct thread *thread = kept_thread(kept);
    *ended = thread == NULL || thread->ended;
    if (thread != NULL)
        return WHIT_HAS_LATER && thread->later ? 0 : thread->fill;
    return (whit_position)(LENGTH_LINES + (head_only ? 0 : block_len(kept->octets)));
}

uint16_t kept_last_write(const struct kept *kept)
{
    return kept_thread(kept) == NULL ? KEPT_PLAIN : kept_thread(kept)->last_write;
}

void kept_walk(struct walk *w, const struct kept *kept, bool head_only)
{
    if (kept_thread(kept) == NULL)
        framing_walk(w, block_len(kept->octets));
    if (!head_only)
        walk_ram(w, kept->octets, kept_thread(kept) == NULL ? block_len(kept->octets) : kept_thread(kept)->fill,
                 WHIT_IN_BUFFER);
}

#if WHIT_TLS
struct kept_sealed *kept_records(const struct kept *kept)
{
    return &kept_thread(kept)->sealed;
}
#endif

uint16_t kept_acked(const struct kept *kept, whit_position upto)
{
    struct thread *thread = kept_thread(kept);
    if (thread == NULL)
        return 0;
    uint16_t gone = upto < thread->fill ? (uint16_t)upto : thread->fill;
    thread->fill = (uint16_t)(thread->fill - gone);
    thread->last_write = (uint16_t)(thread->last_write > gone ? thread->last_write - gone : 0);
    memmove(kept->octets, kept->octets + gone, thread->fill);
    return gone;
}

enum framing kept_framing(const struct kept *kept)
{
    return kept_thread(kept) == NULL ? FRAMING_LENGTH : (enum framing)kept_thread(kept)->framing;
}
