// SPDX-License-Identifier: MIT
// S1 and S3: what a generator said is kept in the shared buffer, with what frames it, until it is acknowledged, and
// given back as it is. A plain one has said everything before its first octet leaves. A protothread fills the room that
// it has, is left there, and goes on when acknowledgments have made room; it runs once, in order, whatever is lost.
#include <string.h>

#include "content.h"
#include "log.h"
#include "out.h"
#include "strategies.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../client/clients.h"
#include "../link/walk.h"
#include "whit/app.h"
#include "whit/port.h"

#define FILL_MIN 32    // less room is not worth a chunk
#define FORM_BESIDE 64 // octets more of the buffer's first half, so that a form comes in while a thread is slow

// Of a thread, in BLOCK_RUN; the author's state follows. Its BLOCK_OUTPUT is the room that it has.
struct thread {
    _Alignas(uint32_t) uint16_t fill;    // octets that are kept
    uint16_t last_write; // of them, those before what it wrote last
    uint8_t framing;     // enum framing
    bool ended;
    struct whit_pt pt;
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

uint8_t kept_begin(const struct whit_tcb *tcb, uint16_t len)
{
    return buffer_make(tcb, BLOCK_OUTPUT, len) != NULL ? HTTP_200 : HTTP_500;
}

// ------------------------------------------------------------------------------------------------ protothreads

// Lets it write one chunk after what is kept. What it returned; 0 when it wrote more than it may.
static char write_chunk(const struct whit_tcb *tcb, const struct whit_generator *generator, struct thread *thread, uint16_t *len)
{
    char (*run)(struct whit_pt *, struct args_t *, struct state_t *) = whit_flash_ptr(&generator->get.thread);
    uint16_t capacity;
    uint8_t *to = output_of(tcb, &capacity) + thread->fill + CHUNK_HEAD;
    uint16_t room = (uint16_t)(capacity - thread->fill - CHUNK_AROUND);
    room = room < CHUNK_DATA_MAX ? room : CHUNK_DATA_MAX;
    struct whit_out out = {.to = to, .room = room, .limit = room};
    whit_out = &out;
    client_asks(tcb);
    char status = run(&thread->pt, content_args(tcb), (struct state_t *)(void *)(thread + 1));
    client_asks_no_more();
    whit_out = NULL;
    *len = (uint16_t)out.len;
    thread->ended = status == PT_DONE;
    return out.len > room ? 0 : status;
}

// The chunk of `len` octets counts: frames it.
static void add_chunk(const struct whit_tcb *tcb, struct thread *thread, uint16_t len)
{
    uint16_t capacity;
    uint8_t *to = output_of(tcb, &capacity) + thread->fill, *octets = to + CHUNK_HEAD;
    if (len == 0 && !thread->ended)
        return;
    uint8_t before = framing_before(to, (enum framing)thread->framing, len);
    if (before != CHUNK_HEAD)
        memmove(to + before, octets, len);
    uint8_t after = framing_after(to + before + len, (enum framing)thread->framing, len, thread->ended);
    thread->fill = (uint16_t)(thread->fill + before + len + after);
}

// Room for what is kept of it: as much as there is, an even number of segments where that is two or more. What others
// need to go on beside it is left to them.
static uint16_t capacity_of(const struct whit_tcb *tcb, uint16_t room)
{
    uint16_t others = WINDOW_RESERVED;
    if (WHIT_CONNECTIONS > 1 && (WHIT_HAS_PLAIN || WHIT_HAS_BODY))
        others += WRITTEN_ONCE_MAX + WHIT_BUFFER / 16 + (WHIT_HAS_FORM ? FORM_BESIDE : 0);
    uint16_t pair = (uint16_t)(2 * tcb_mss(tcb));
    if (room <= others)
        return 0;
    room = (uint16_t)(room - others);
    return room < pair ? room : (uint16_t)(room - room % pair);
}

// A thread without state has variables of its own: it serves one request at a time.
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

// It said all before the first octet leaves: what is left is what a plain generator leaves.
static void become_plain(const struct whit_tcb *tcb, uint16_t len)
{
    uint16_t capacity;
    uint8_t *octets = output_of(tcb, &capacity);
    memmove(octets, octets + CHUNK_HEAD, len);
    buffer_cut(tcb, BLOCK_OUTPUT, len);
    buffer_free(tcb, BLOCK_RUN);
    buffer_free(tcb, BLOCK_ARGUMENTS);
}

uint8_t kept_thread_begin(struct whit_tcb *tcb, const struct whit_generator *generator, enum framing open, bool admitted)
{
    uint8_t state_len = whit_flash_u8(&generator->state_len);
    uint16_t room, capacity, len;
    if (state_len == 0 && is_busy(tcb, tcb->request.resource))
        return HTTP_STATUS_CNT;
    struct thread *thread = buffer_make(tcb, BLOCK_RUN, (uint16_t)(sizeof *thread + state_len));
    if (thread == NULL)
        return HTTP_STATUS_CNT;
    memset(thread, 0, sizeof *thread + state_len);
    thread->framing = open;
    buffer_tail(&room);
    capacity = capacity_of(tcb, room);
    if (capacity < CHUNK_AROUND + FILL_MIN || buffer_make(tcb, BLOCK_OUTPUT, capacity) == NULL) {
        buffer_free(tcb, BLOCK_RUN);
        return HTTP_STATUS_CNT;
    }
    if ((!admitted && !run_init_get(tcb, generator)) || write_chunk(tcb, generator, thread, &len) == 0) {
        if (WHIT_HAS_LOG)
            log_why_name(tcb, WHY_RETURNED, WHIT_NAME_GET);
        return HTTP_500;
    }
    if (thread->ended)
        become_plain(tcb, len);
    else
        add_chunk(tcb, thread, len);
    return HTTP_200;
}

bool kept_more(const struct whit_tcb *tcb)
{
    struct thread *thread = thread_of(tcb);
    uint16_t capacity, before, len;
    if (thread == NULL)
        return true;
    output_of(tcb, &capacity);
    before = thread->fill;
    if (before != 0 && before > capacity - capacity / 8 * 3)
        return true;
    do {
        if (thread->ended || capacity - thread->fill < CHUNK_AROUND + FILL_MIN)
            return true;
        thread->last_write = before;
        if (write_chunk(tcb, content_generator(tcb), thread, &len) == 0)
            return false;
        add_chunk(tcb, thread, len);
    } while (len == CHUNK_DATA_MAX);
    return true;
}

// ------------------------------------------------------------------------------------------------ both

whit_position kept_len(const struct whit_tcb *tcb, bool *ended)
{
    const struct thread *thread = thread_of(tcb);
    uint16_t len;
    output_of(tcb, &len);
    *ended = thread == NULL || thread->ended;
    if (thread != NULL)
        return thread->fill;
    return (whit_position)(LENGTH_LINES + (tcb->response.head_only ? 0 : len));
}

uint16_t kept_last_write(const struct whit_tcb *tcb)
{
    const struct thread *thread = thread_of(tcb);
    return thread == NULL ? KEPT_PLAIN : thread->last_write;
}

void kept_walk(struct walk *w, const struct whit_tcb *tcb)
{
    const struct thread *thread = thread_of(tcb);
    uint16_t len;
    const uint8_t *octets = output_of(tcb, &len);
    if (thread == NULL)
        framing_walk(w, len);
    if (!tcb->response.head_only)
        walk_ram(w, octets, thread == NULL ? len : thread->fill, WHIT_IN_BUFFER);
}

uint16_t kept_acked(const struct whit_tcb *tcb, whit_position upto)
{
    struct thread *thread = thread_of(tcb);
    uint16_t capacity;
    if (thread == NULL)
        return 0;
    uint8_t *octets = output_of(tcb, &capacity);
    uint16_t gone = upto < thread->fill ? (uint16_t)upto : thread->fill;
    thread->fill = (uint16_t)(thread->fill - gone);
    thread->last_write = (uint16_t)(thread->last_write > gone ? thread->last_write - gone : 0);
    memmove(octets, octets + gone, thread->fill);
    return gone;
}

enum framing kept_framing(const struct whit_tcb *tcb)
{
    const struct thread *thread = thread_of(tcb);
    return thread == NULL ? FRAMING_LENGTH : (enum framing)thread->framing;
}
