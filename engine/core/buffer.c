// SPDX-License-Identifier: MIT
// The shared buffer: memory for all connections. Blocks lie back to back from its beginning, each after a head of
// length and owner. Freeing a block moves those behind it up, so that the free octets are one run at the end. The frame
// being received may reserve octets there before its checksum is known. They become a block, or are dropped.
#include <stddef.h>
#include <string.h>

#include "buffer.h"
#include "limits.h"
#include "state.h"
#include "tables.h"
#include "tcb.h"
#include "whit/engine.h"
#include "whit/port.h"

struct block {
    uint16_t len;      // octets after this head
    uint16_t owner;    // slot * OWNER_KINDS + enum block_kind
};
#define OWNER_KINDS (WHIT_CONNECTIONS > 64 ? BLOCK_KIND_CNT : 8u)    // a shift distinguishes few slots
_Static_assert(BLOCK_KIND_CNT <= 8, "OWNER_KINDS");
#define HEAD ((uint16_t)sizeof(struct block))
#define ALIGNMENT ((uint16_t)(WHIT_ALIGNMENT))
#define SIZE (BUFFER_LEN & ~(ALIGNMENT - 1))
// bytes of the head beyond whole alignments: 4 of 8 on a host of 64 bits, else 0
#define BLOCK_OVER (HEAD % ALIGNMENT)
#define BLOCK_BEFORE (BLOCK_OVER != 0 ? ALIGNMENT - BLOCK_OVER : 0)

static union {
    uint32_t word;
    void *pointer;
    uint8_t octets[BLOCK_BEFORE + (SIZE != 0 ? SIZE : 4)];
} buffer;
#define BLOCKS (buffer.octets + BLOCK_BEFORE)

// Rounds up the length of a block, such that the next block's octets are aligned.
static uint16_t rounded(uint16_t len)
{
    return (uint16_t)(((len + (BLOCK_OVER + ALIGNMENT - 1u)) & ~(ALIGNMENT - 1u)) - BLOCK_OVER);
}

OWN_FRAME static uint16_t owner_of(const struct whit_tcb *tcb, enum block_kind kind)
{
    return (uint16_t)((uint16_t)(tcb - whit_slots) * OWNER_KINDS + kind);
}

static struct block *block_at(uint16_t at)
{
    return (struct block *)(void *)(BLOCKS + at);
}

#ifdef WHIT_METER
struct whit_meter_resource whit_meter_resources[WHIT_METER_RESOURCES];
// charge of the response of each slot, in octet milliseconds
static uint64_t charges[WHIT_CONNECTIONS][WHIT_METER_CLASSES];

static const uint8_t classes[BLOCK_KIND_CNT] = {
    [BLOCK_ARGUMENTS] = WHIT_METER_REQUEST, [BLOCK_OUTPUT] = WHIT_METER_CONTENT, [BLOCK_INPUT] = WHIT_METER_REQUEST,
    [BLOCK_RUN] = WHIT_METER_POINTS,        [BLOCK_BODY] = WHIT_METER_REQUEST,
};

void meter_charge(void)
{
    uint32_t ms = whit.now_ms - whit_meter.charged_ms;
    whit_meter.charged_ms = whit.now_ms;
    for (uint16_t at = 0; ms != 0 && at < whit.buffer_used; at = (uint16_t)(at + HEAD + rounded(block_at(at)->len))) {
        uint64_t charge = (uint64_t)ms * (HEAD + rounded(block_at(at)->len));
        uint16_t owner = block_at(at)->owner;
        whit_meter.charge[classes[owner % OWNER_KINDS]] += charge;
        charges[owner / OWNER_KINDS][classes[owner % OWNER_KINDS]] += charge;
    }
}

void meter_response(const struct whit_tcb *tcb)
{
    uint64_t *charge = charges[tcb - whit_slots];
    if (tcb->state == TCB_RESPONSE && tcb->response.kind == KIND_CONTENT &&
        tcb->response.resource < WHIT_METER_RESOURCES) {
        struct whit_meter_resource *resource = &whit_meter_resources[tcb->response.resource];
        resource->response_cnt++;
        for (uint8_t i = 0; i < WHIT_METER_CLASSES; i++)
            resource->charge[i] += charge[i];
    }
    memset(charge, 0, sizeof charges[0]);
}

static void meter(void)
{
    memset(whit_meter.held, 0, sizeof whit_meter.held);
    for (uint16_t at = 0; at < whit.buffer_used; at = (uint16_t)(at + HEAD + rounded(block_at(at)->len)))
        whit_meter.held[classes[block_at(at)->owner % OWNER_KINDS]] += HEAD + rounded(block_at(at)->len);
    for (uint8_t i = 0; i < WHIT_METER_CLASSES; i++)
        if (whit_meter.held[i] > whit_meter.held_max[i])
            whit_meter.held_max[i] = whit_meter.held[i];
}
#else
#define meter() ((void)0)
#endif

// Offset of each owner's block, plus 1; 0: no block.
#define BLOCKS_ARE_MANY (WHIT_FAST && WHIT_BUFFER >= 16384)
static uint16_t block_places[BLOCKS_ARE_MANY ? WHIT_CONNECTIONS * OWNER_KINDS : 1];

static void block_comes(uint16_t owner, uint16_t at)
{
    if (BLOCKS_ARE_MANY)
        block_places[owner] = (uint16_t)(at + 1);
}

static void block_goes(uint16_t owner)
{
    if (BLOCKS_ARE_MANY)
        block_places[owner] = 0;
}

// Updates block_places for blocks from `at` on, which moved.
static void blocks_moved(uint16_t at)
{
    while (BLOCKS_ARE_MANY && at < whit.buffer_used) {
        block_places[block_at(at)->owner] = (uint16_t)(at + 1);
        at = (uint16_t)(at + HEAD + rounded(block_at(at)->len));
    }
}

void buffer_init(void)
{
    if (!WHIT_STARTS_ONCE)
        whit.buffer_used = 0;
    if (BLOCKS_ARE_MANY)
        memset(block_places, 0, sizeof block_places);
    meter();
}

static uint16_t block_walk(uint16_t owner)
{
    uint16_t at = 0;
    while (SIZE != 0 && at < whit.buffer_used && block_at(at)->owner != owner)
        at = (uint16_t)(at + HEAD + rounded(block_at(at)->len));
    return at;
}

// Returns the block's offset; buffer_used or more: no such block.
static uint16_t find(uint16_t owner)
{
    if (!BLOCKS_ARE_MANY)
        return block_walk(owner);
    return (uint16_t)(block_places[owner] - 1);
}

uint8_t *buffer_find(const struct whit_tcb *tcb, enum block_kind kind, uint16_t *len)
{
    if (SIZE == 0)
        return NULL;
    uint16_t at = find(owner_of(tcb, kind));
    if (at >= whit.buffer_used)
        return NULL;
    *len = block_at(at)->len;
    return BLOCKS + at + HEAD;
}

uint16_t block_len(const uint8_t *octets)
{
    return ((const struct block *)(const void *)octets)[-1].len;
}

OWN_FRAME uint8_t *buffer_reserved(void)
{
    return SIZE != 0 ? BLOCKS + whit.buffer_used + HEAD : NULL;
}

uint8_t *buffer_tail(uint16_t *room)
{
    uint32_t end = (uint32_t)whit.buffer_used + HEAD +
                   (uint16_t)(rounded((uint16_t)(whit.rx.reserved_len - BLOCK_OVER)) + BLOCK_OVER);
    *room = SIZE != 0 && end + 1 <= SIZE ? (uint16_t)(SIZE - end) : 0;
    return *room != 0 ? BLOCKS + end : NULL;
}

bool buffer_reserve_block(uint16_t len)
{
    return buffer_reserve((uint16_t)(rounded(len) + HEAD));
}

static uint16_t room_to(uint16_t limit)
{
    uint32_t end = (uint32_t)whit.buffer_used + HEAD + whit.rx.reserved_len;
    return end < limit ? (uint16_t)(limit - end) : 0;
}

uint16_t buffer_input_room(void)
{
    return room_to(WHIT_TLS ? INPUT_LEN : SIZE / 2);
}

bool buffer_reserve(uint16_t more)
{
    if (more > room_to(SIZE))
        return false;
    whit.rx.reserved_len = (uint16_t)(whit.rx.reserved_len + more);
    return true;
}

bool buffer_keep(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len)
{
    if (SIZE == 0 || (uint32_t)whit.buffer_used + HEAD + rounded(len) > SIZE)
        return false;
    *block_at(whit.buffer_used) = (struct block){len, owner_of(tcb, kind)};
    block_comes(owner_of(tcb, kind), whit.buffer_used);
    whit.buffer_used = (uint16_t)(whit.buffer_used + HEAD + rounded(len));
    HOLDS(whit.buffer_used <= SIZE);
    meter();
    uint16_t kept = (uint16_t)(rounded(len) + HEAD);
    // a second block's octets follow
    whit.rx.reserved_len = (uint16_t)(whit.rx.reserved_len > kept ? whit.rx.reserved_len - kept : 0);
    return true;
}

void *buffer_make(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len)
{
    uint16_t at = whit.buffer_used;
    if (whit.rx.reserved_len != 0 || !buffer_keep(tcb, kind, len))
        return NULL;
    return BLOCKS + at + HEAD;
}

static void reverse(uint16_t from, uint16_t to)
{
    while (from + 1 < to) {
        uint8_t octet = BLOCKS[from];
        BLOCKS[from++] = BLOCKS[--to];
        BLOCKS[to] = octet;
    }
}

// Moves the block behind all others. Returns its new offset.
static uint16_t make_last(uint16_t at)
{
    uint16_t size = (uint16_t)(HEAD + rounded(block_at(at)->len));
    if (at + size == whit.buffer_used)
        return at;
    reverse(at, (uint16_t)(at + size));
    reverse((uint16_t)(at + size), whit.buffer_used);
    reverse(at, whit.buffer_used);
    blocks_moved(0);
    return (uint16_t)(whit.buffer_used - size);
}

void buffer_append(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len)
{
    uint16_t at = find(owner_of(tcb, kind));
    if (SIZE == 0 || at >= whit.buffer_used) {
        buffer_keep(tcb, kind, len);
        return;
    }
    at = make_last(at);
    struct block *block = block_at(at);
    memmove(BLOCKS + at + HEAD + block->len, buffer_reserved(), len);
    block->len = (uint16_t)(block->len + len);
    whit.buffer_used = (uint16_t)(at + HEAD + rounded(block->len));
    whit.rx.reserved_len = 0;
    meter();
}

bool buffer_move(const struct whit_tcb *tcb, uint16_t len)
{
    uint16_t to = find(owner_of(tcb, BLOCK_INPUT)), had = 0;
    if (to < whit.buffer_used)
        make_last(to);
    uint16_t from = make_last(find(owner_of(tcb, BLOCK_SEALED)));
    uint16_t rest = (uint16_t)(block_at(from)->len - len), at = (uint16_t)(from + HEAD);    // offset of the octets
    to = find(owner_of(tcb, BLOCK_INPUT));
    if (to < whit.buffer_used)
        had = block_at(to)->len;    // its block ends where the other one begins
    else
        to = from;
    uint16_t end = (uint16_t)(to + HEAD + rounded((uint16_t)(had + len)));    // end of the octets that become input
    uint16_t rest_at = (uint16_t)(end + HEAD), new_used = rest != 0 ? (uint16_t)(rest_at + rounded(rest)) : end;
    if (new_used > SIZE)
        return false;
    bool up = rest_at > at + len;
    if (rest != 0 && up)
        memmove(BLOCKS + rest_at, BLOCKS + at + len, rest);
    memmove(BLOCKS + to + HEAD + had, BLOCKS + at, len);
    if (rest != 0 && !up)
        memmove(BLOCKS + rest_at, BLOCKS + at + len, rest);
    *block_at(to) = (struct block){(uint16_t)(had + len), owner_of(tcb, BLOCK_INPUT)};
    block_comes(owner_of(tcb, BLOCK_INPUT), to);
    if (rest == 0)
        block_goes(owner_of(tcb, BLOCK_SEALED));
    else
        *block_at(end) = (struct block){rest, owner_of(tcb, BLOCK_SEALED)};
    whit.buffer_used = new_used;
    HOLDS(whit.buffer_used <= SIZE);
    blocks_moved(0);
    meter();
    return true;
}

// `at`: of the octets, behind which a block begins.
static void remove_octets(uint16_t at, uint16_t len)
{
    uint16_t end = (uint16_t)(whit.buffer_used + (whit.rx.reserved_len != 0 ? HEAD + whit.rx.reserved_len : 0));
    uint16_t moved = (uint16_t)(end - at - len);
    memmove(BLOCKS + at, BLOCKS + at + len, moved);
    if (WHIT_TLS && moved != 0)
        memset(BLOCKS + end - len, 0, len);    // moved octets may be keys
    whit.buffer_used = (uint16_t)(whit.buffer_used - len);
    if (len != 0)
        blocks_moved(at);
    meter();
}

void buffer_trim(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len)
{
    uint16_t at = find(owner_of(tcb, kind));
    if (SIZE == 0 || at >= whit.buffer_used || len == 0)
        return;
    struct block *block = block_at(at);
    uint16_t before = rounded(block->len);
    block->len = (uint16_t)(block->len - len);
    memmove(BLOCKS + at + HEAD, BLOCKS + at + HEAD + len, block->len);
    remove_octets((uint16_t)(at + HEAD + rounded(block->len)), (uint16_t)(before - rounded(block->len)));
}

void buffer_cut(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len)
{
    uint16_t at = find(owner_of(tcb, kind));
    if (SIZE == 0)
        return;
    struct block *block = block_at(at);
    uint16_t before = rounded(block->len);
    block->len = len;
    remove_octets((uint16_t)(at + HEAD + rounded(len)), (uint16_t)(before - rounded(len)));
}

void buffer_free(const struct whit_tcb *tcb, enum block_kind kind)
{
    uint16_t at = find(owner_of(tcb, kind));
    if (SIZE == 0 || at >= whit.buffer_used)
        return;
    block_goes(owner_of(tcb, kind));
    remove_octets(at, (uint16_t)(HEAD + rounded(block_at(at)->len)));
}

uint16_t buffer_held(const struct whit_tcb *tcb, uint16_t *cnt)
{
    uint16_t own = (uint16_t)(tcb - whit_slots), held = 0;
    for (uint16_t at = 0; SIZE != 0 && at < whit.buffer_used; at = (uint16_t)(at + HEAD + rounded(block_at(at)->len))) {
        uint16_t owner = block_at(at)->owner, slot = owner / OWNER_KINDS;
        if (owner % OWNER_KINDS != BLOCK_OUTPUT || slot == own || whit_slots[slot].state == TCB_WAIT ||
            find((uint16_t)(slot * OWNER_KINDS + BLOCK_RUN)) >= whit.buffer_used)
            continue;
        held = (uint16_t)(held + block_at(at)->len);
        ++*cnt;
    }
    return held;
}

bool buffer_others(const struct whit_tcb *tcb)
{
    uint16_t slot = (uint16_t)(tcb - whit_slots);
    for (uint16_t at = 0; SIZE != 0 && at < whit.buffer_used; at = (uint16_t)(at + HEAD + rounded(block_at(at)->len))) {
        uint16_t owner = block_at(at)->owner, other = owner / OWNER_KINDS;
        bool long_kept = WHIT_TLS && owner % OWNER_KINDS >= BLOCK_RESPONSE_CNT;    // keys, and records that came
        if (other != slot && !long_kept && whit_slots[other].state != TCB_WAIT)
            return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------- the block of a request with a body

// The block of a request with a body in the shared buffer: struct body, perhaps struct parts, then memory of the
// handler.

struct body *body_kept(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct body *)(void *)buffer_find(tcb, BLOCK_BODY, &len);
}

bool body_pending(const struct whit_tcb *tcb)
{
    return body_kept(tcb) != NULL;
}

bool body_proves(const struct whit_tcb *tcb)
{
    return HAS_PROOFS && tcb->state == TCB_REQUEST && tcb->request.step == STEP_BODY && body_kept(tcb)->proves;
}

const struct whit_post *body_post(const struct whit_tcb *t)
{
    const struct whit_generator *generator = body_generator(t);
    return generator != NULL ? whit_flash_ptr(&generator->post) : NULL;
}

bool body_is_endpoint(const struct whit_generator *generator)
{
#if WHIT_HAS_SOAP
    const struct whit_service *service = whit_flash_ptr(&generator->service);
    return service != NULL && whit_flash_u8(&service->ways) == WHIT_ENDPOINT;
#else
    (void)generator;
    return false;
#endif
}

uint16_t body_block_len(const struct whit_generator *generator)
{
    const struct whit_post *post = whit_flash_ptr(&generator->post);
    bool takes_parts = body_takes_parts(post);
    uint16_t data = takes_parts ? PARTS_LEN + whit_flash_u8(&post->state_len)
                                : FORM_PARTS_LEN + whit_flash_u8(&generator->args_len);
    uint16_t len = (uint16_t)(sizeof(struct body) + data);
    return body_is_endpoint(generator) ? (uint16_t)(BUFFER_PART(len) + WHIT_SOAP_KEPT) : len;
}

struct body *body_here(const struct whit_tcb *t)
{
    uint16_t len;
    if (t == &whit.rx.pending && whit.rx.body_reserved)
        return (struct body *)(void *)buffer_reserved();
    return (struct body *)(void *)buffer_find(t == &whit.rx.pending ? whit.rx.slot : t, BLOCK_BODY, &len);
}

struct body *body_of(const struct whit_tcb *t)
{
    return body_post(t) != NULL ? body_here(t) : NULL;
}

bool connection_ends(const struct whit_tcb *tcb)
{
    return ALWAYS_CLOSES || tcb->close || (tcb->peer_fin && !input_waits(tcb) && !(WHIT_HAS_BODY && body_pending(tcb)));
}
