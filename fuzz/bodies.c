// SPDX-License-Identifier: MIT
// Requests of one connection, in any segments: the input's first four octets are lengths of segments, the rest is the
// client's stream. In segments of full length, and cut by these lengths, the answers must be the same.
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

#define ROUNDS_MAX 3000
#define LIMIT_MS 2900    // then contents change with time

static const char invitation[] = "HTTP/1.1 100 Continue\r\n\r\n";

// Takes out "100 Continue": it depends on the octets of the body that have arrived. Returns the octets without it.
static size_t take_out(uint8_t *octets, size_t len)
{
    size_t to = 0;
    for (size_t from = 0; from < len;) {
        if (len - from >= sizeof invitation - 1 && memcmp(octets + from, invitation, sizeof invitation - 1) == 0)
            from += sizeof invitation - 1;
        else
            octets[to++] = octets[from++];
    }
    return to;
}

// Returns the octets up to the first error. A request that is wrong in two ways may get either error.
static size_t up_to_error(const uint8_t *octets, size_t len)
{
    for (size_t i = 0; i + 10 <= len; i++)
        if (memcmp(octets + i, "HTTP/1.1 ", 9) == 0 && (octets[i + 9] == '4' || octets[i + 9] == '5'))
            return i + 10;
    return len;
}

// True if the response may differ. The room decides how a content is cut into chunks; a volatile one changes each time.
static bool may_differ(const char *heard)
{
    return strstr(heard, "Transfer-Encoding: chunked") != NULL || strstr(heard, "\nV 0 ") != NULL;
}

// Sends the client's stream, and stores the answers. False: it took too long.
static bool talk(const uint8_t *octets, size_t len, const uint8_t *lengths, uint8_t *heard, size_t *heard_len)
{
    struct client *c = &clients[0];
    world_begin(1000, 1);
    uint32_t begin_ms = world.now_ms;
    client_segment(c, 1, 0, TCP_SYN, 65535, NULL, 0, NULL, 0);
    world_output(UINT16_MAX);
    c->mixed = true;
    c->base = c->una;
    uint32_t rcv_nxt = c->rcv_nxt, una = c->una;
    for (uint16_t round = 0, idle = 0; round < ROUNDS_MAX && idle < 40; round++) {
        size_t from = c->una - c->base, most = lengths != NULL && lengths[round % 4] != 0 ? lengths[round % 4] : 400;
        CHECK(from <= len);
        if (from < len)
            client_segment(c, c->una, c->rcv_nxt, TCP_ACK, 65535, NULL, 0, octets + from,
                           len - from < most ? len - from : most);
        world_output(UINT16_MAX);
        client_segment(c, c->una, c->rcv_nxt, TCP_ACK, 65535, NULL, 0, NULL, 0);
        world_output(UINT16_MAX);
        check_state();
        idle = (uint16_t)(c->una == una && c->rcv_nxt == rcv_nxt ? idle + 1 : 0);
        una = c->una;
        rcv_nxt = c->rcv_nxt;
        if (idle != 0)
            world_advance(20);
    }
    memcpy(heard, c->heard, c->heard_len);
    *heard_len = up_to_error(heard, take_out(heard, c->heard_len));
    heard[*heard_len] = 0;
    return world.now_ms - begin_ms < LIMIT_MS && c->heard_len < sizeof c->heard;
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
    static uint8_t heard[2][HEARD_MAX + 1];
    size_t heard_len[2];
    if (len < 5 || len > 2000)
        return -1;
    bool timely = talk(octets + 4, len - 4, NULL, heard[0], &heard_len[0]);
    timely = talk(octets + 4, len - 4, octets, heard[1], &heard_len[1]) && timely;
    if (!timely || may_differ((char *)heard[0]) || may_differ((char *)heard[1]))
        return 0;
    CHECK(heard_len[0] == heard_len[1]);
    CHECK(memcmp(heard[0], heard[1], heard_len[0]) == 0);
    return 0;
}
