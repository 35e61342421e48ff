// SPDX-License-Identifier: MIT
// The request parser. The input's first two octets are places to cut the rest at. Parsed whole and parsed cut – at the
// first place within a segment, at the second between two – it must give the same result.
#include "fuzz.h"
#include "http/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

#define REQUESTS_MAX 64

static struct whit_tcb *slot = &whit_slots[0];

// A copy of the exact size, so that reading outside of it is seen.
static uint16_t parse(const uint8_t *octets, size_t len)
{
    uint8_t *copy = malloc(len != 0 ? len : 1);
    memcpy(copy, octets, len);
    uint16_t taken = http_parse(&whit.rx.pending, copy, (uint16_t)len);
    free(copy);
    CHECK(taken <= len);
    CHECK(taken == len || whit.rx.pending.request.step >= STEP_DONE);
    return taken;
}

static void begin(void)
{
    buffer_init();
    memset(&whit.rx, 0, sizeof whit.rx);
    whit.rx.pending = (struct whit_tcb){.remote_addr = 0x0a000002, .remote_port = 1000, .mss8 = 67};
    connection_open(&whit.rx.pending, 1, 1);
    *slot = whit.rx.pending;
    whit.rx.slot = slot;
}

// As tcp_slot.c ends a segment: the octets of the arguments and of the body's reader become blocks of the slot.
static void segment_ends(void)
{
    if (whit.rx.arguments_reserved) {
        const struct whit_generator *generator = whit_resources[whit.rx.pending.request.resource].generator;
        CHECK(buffer_keep(slot, BLOCK_ARGUMENTS, generator->args_len));
        whit.rx.arguments_reserved = false;
    }
    if (WHIT_HAS_BODY && whit.rx.body_reserved) {
        CHECK(buffer_keep(slot, BLOCK_BODY, body_block_len(body_generator(&whit.rx.pending))));
        whit.rx.body_reserved = false;
    }
    CHECK(whit.rx.reserved_len == 0);
}

struct outcome {
    struct whit_tcb pending;
    uint16_t taken;
    uint16_t args_len, body_len;
    uint8_t args[256], body[512];
};

static uint16_t block(uint8_t *to, size_t max, enum block_kind kind)
{
    uint16_t len = 0;
    const uint8_t *octets = buffer_find(slot, kind, &len);
    CHECK(len <= max);
    if (octets != NULL)
        memcpy(to, octets, len);
    return octets != NULL ? len : 0;
}

static void outcome(struct outcome *o, uint16_t taken)
{
    memset(o, 0, sizeof *o);
    segment_ends();
    o->pending = whit.rx.pending;
    o->taken = taken;
    o->args_len = block(o->args, sizeof o->args, BLOCK_ARGUMENTS);
    o->body_len = block(o->body, sizeof o->body, BLOCK_BODY);
}

static void cut(struct outcome *o, const uint8_t *octets, size_t len, const size_t places[2])
{
    size_t from = 0;
    begin();
    for (uint8_t i = 0; i < 3; i++) {
        size_t to = i < 2 && places[i] < len ? places[i] : len;
        if (to < from)
            to = from;
        uint16_t taken = parse(octets + from, to - from);
        from += taken;
        if (from != to)
            break;
        if (i == 1)
            segment_ends();
    }
    outcome(o, (uint16_t)from);
}

// Compares two results. Requests that were refused or starved are not compared further: the parser's scratch may
// differ.
static void compare(const struct outcome *a, const struct outcome *b)
{
    CHECK(a->taken == b->taken);
    CHECK(a->pending.request.step == b->pending.request.step);
    if (http_refused(&a->pending)) {
        CHECK(a->pending.request.status == b->pending.request.status);
        return;
    }
    CHECK(memcmp(&a->pending, &b->pending, sizeof a->pending) == 0);
    CHECK(a->args_len == b->args_len && memcmp(a->args, b->args, a->args_len) == 0);
    CHECK(a->body_len == b->body_len && memcmp(a->body, b->body, a->body_len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
    static const struct whit_network network = {.address = {10, 0, 0, 1}, .prefix_len = 24};
    static struct outcome whole, pieces;
    if (len < 2 || len > 2000)
        return -1;
    whit_init(&network, 1000);
    size_t places[2] = {octets[0], octets[1] * 2u};
    octets += 2;
    len -= 2;
    for (uint8_t cnt = 0; cnt < REQUESTS_MAX && len != 0; cnt++) {
        cut(&pieces, octets, len, places);
        begin();
        outcome(&whole, parse(octets, len));
        compare(&whole, &pieces);
        CHECK(whole.taken <= REQUEST_LINE_MAX + WHIT_FIELDS_MAX + 2);
        if (!http_complete(&whole.pending))
            break;
        CHECK(whole.pending.request.resource == RESOURCE_NONE || whole.pending.request.resource < whit_resource_cnt);
        CHECK(whole.taken != 0);
        octets += whole.taken;
        len -= whole.taken;
    }
    return 0;
}

// The parser sends nothing and keeps nothing.
_Noreturn void check_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

bool whit_driver_ready(void)
{
    return false;
}

bool whit_driver_begin(uint16_t len)
{
    (void)len;
    return false;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    (void)octets;
    (void)len;
    (void)place;
}

void whit_driver_end(void)
{
}

uint32_t whit_port_now_ms(void)
{
    return 0;
}
uint32_t whit_port_now_us(void)
{
    return 0;
}

void fuzz_spend(uint32_t us);    // fuzz/strategies
void fuzz_spend(uint32_t us)
{
    (void)us;
}

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    memset(to, 1, len);
}

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    (void)address;
    return NULL;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    (void)address;
    memset(to, 0, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    (void)address;
    (void)from;
    (void)len;
    return true;
}

// Each write takes effect at once.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}
