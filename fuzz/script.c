// SPDX-License-Identifier: MIT
// The input as a script: a head of 4 octets (clock, entropy, pieces, events between them), then operations of an octet
// and their arguments. make_corpus.py writes the same language. An octet that is missing is 0.
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

#define OPERATIONS_MAX 400

enum operation {
    DO_RAW,         // len, octets: as they are on the link
    DO_IP,          // client, protocol, len, octets: a datagram with right sums, the rest as it is
    DO_SYN,         // client, ISN, MSS in units of 8 (0: no option)
    DO_SEGMENT,     // client, numbers, flags, window, len, octets
    DO_REQUEST,     // client, index, first octet, length (0: all), flags
    DO_ACK,         // client, window: all that came
    DO_ADVANCE,     // n: n * n ms, as a port would, n = 255: two minutes
    DO_LATE,        // n: n ms later, without a tick
    DO_OUTPUT,      // n: frames at most, 0: all
    DO_REFUSE,      // n: the driver refuses that many frames; 128 + n: is not ready that many times
    DO_PIECES,      // octets of a piece, events between pieces
    DO_ARP,         // client, operation, len, octets: a body, octets over it from the operation on
    DO_ECHO,        // client, length in units of 4
    DO_FAIL,        // persistent memory fails, or no longer
    DO_SPOIL,       // n: added to the next checksum
    DO_RESET,       // client, number
    DO_ACK_PART,    // client, n: n/255 of the octets that are not acknowledged yet (0: a duplicate), window, times
    DO_BEND,        // place, exclusive or, words of options: the next datagram's header
    DO_STREAM,      // client, index: appends this request to its stream
    DO_SAY,     // client, distance, length (0: all), flags, window: a segment of the octets that are not acknowledged
    DO_LOSE,    // n: that many segments do not come to their client
};
#define OPERATION_MASK 31    // all codes that there will ever be; those without a meaning do nothing

static const uint8_t *at, *end;

static uint8_t u8(void)
{
    return at != end ? *at++ : 0;
}

static size_t run_of(uint8_t *to, size_t len)
{
    if (len > (size_t)(end - at))
        len = (size_t)(end - at);
    memcpy(to, at, len);
    at += len;
    return len;
}

static struct client *client(void)
{
    return &clients[u8() % CLIENTS];
}

// Sequence number from `base`: small distances, both ways, and a few long ones.
static uint32_t near_to(uint32_t base)
{
    uint8_t code = u8();
    if (code < 0x60)
        return base + code;
    if (code < 0xc0)
        return base - (code - 0x5fu);
    if (code < 0xe0)
        return base + (code - 0xbfu) * 97;
    return base + (UINT32_C(1) << (code - 0xe0));
}

static uint16_t window(void)
{
    uint8_t code = u8();
    return (uint16_t)(code < 0x80 ? code : (code - 0x7f) * 512 - 1);
}

static void op_raw(void)
{
    uint8_t octets[256];
    size_t len = u8();
    len = run_of(octets, len);
    for (uint8_t i = 0; i < CLIENTS; i++)
        clients[i].mixed = true;
    said_reset = true;
    world_input(octets, len);
    world.frame_refused = !link_end(world.now_ms);
}

static void op_ip(void)
{
    uint8_t octets[256];
    struct client *c = client();
    uint8_t protocol = u8();
    size_t len = u8();
    len = run_of(octets, len);
    c->mixed = true;
    said_reset = true;
    client_frame(c, protocol, octets, len);
}

static void op_syn(void)
{
    const struct client *c = client();
    uint32_t isn = u8() * UINT32_C(0x01010101);
    uint8_t option[4] = {2, 4}, mss = u8();
    store16_be(option + 2, (uint16_t)(mss * 8));
    client_segment(c, isn, 0, TCP_SYN, 65535, option, mss != 0 ? 4 : 0, NULL, 0);
}

static void op_segment(void)
{
    uint8_t octets[256];
    struct client *c = client();
    uint32_t seq = near_to(c->una), ack = near_to(c->rcv_nxt);
    uint8_t flags = u8();
    uint16_t wnd = window();
    size_t len = u8();
    len = run_of(octets, len);
    c->mixed |= len != 0;
    client_segment(c, seq, ack, flags, wnd, NULL, 0, octets, len);
}

static void op_request(void)
{
    static uint8_t request[REQUEST_MAX];
    struct client *c = client();
    size_t len = request_build(request, u8()), from = u8(), want = u8();
    uint8_t flags = u8();
    from = from < len ? from : len;
    len -= from;
    len = want != 0 && want < len ? want : len;
    c->mixed = true;
    client_segment(c, c->una, c->rcv_nxt, flags ^ TCP_ACK, 65535, NULL, 0, request + from, len);
}

static void op_stream(void)
{
    struct client *c = client();
    c->mixed |= c->stream_len != 0 && c->una != c->base + c->stream_len;
    c->base = c->una;
    c->stream_len = request_build(c->stream, u8());
}

static void op_say(void)
{
    const struct client *c = client();
    uint32_t from = near_to(c->una) - c->base, len = u8();
    uint8_t flags = u8();
    uint16_t wnd = window();
    if (from > c->stream_len)
        from = c->stream_len;
    if (len == 0 || len > c->stream_len - from)
        len = c->stream_len - from;
    client_segment(c, c->base + from, c->rcv_nxt, flags ^ TCP_ACK, wnd, NULL, 0, c->stream + from, len);
}

static void op_ack(void)
{
    struct client *c = client();
    c->acked = c->rcv_nxt;
    client_segment(c, c->una, c->rcv_nxt, TCP_ACK, window(), NULL, 0, NULL, 0);
}

static void op_ack_part(void)
{
    struct client *c = client();
    c->acked += (uint32_t)((uint64_t)(c->rcv_max - c->acked) * u8() / 255);
    uint16_t wnd = window();
    for (uint8_t times = u8() & 7; times != UINT8_MAX; times--)
        client_segment(c, c->una, c->acked, TCP_ACK, wnd, NULL, 0, NULL, 0);
}

static void op_bend(void)
{
    client_bend.at = u8();
    client_bend.by = u8();
    client_bend.options_len = (uint8_t)(u8() % 11 * 4);
}

static void op_advance(void)
{
    uint32_t n = u8();
    world_advance(n == 255 ? 120000 : n * n);
}

static void op_refuse(void)
{
    uint8_t n = u8();
    if (n < 128)
        world.refuse_cnt = n;
    else
        world.busy_cnt = n - 128;
}

static void op_pieces(void)
{
    world.piece_len = u8();
    world.between = u8();
}

static void op_arp(void)
{
    uint8_t frame[42] = {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 8, 6, 0, 1, 8, 0, 6, 4, 0, 0};
    const struct client *c = client();
    memcpy(frame + 6, c->mac, 6);
    frame[21] = u8();
    memcpy(frame + 22, c->mac, 6);
    store32_be(frame + 28, c->addr >> 24 == 0x0a ? c->addr : 0x0a0000fe);
    store32_be(frame + 38, 0x0a000001);
    size_t len = u8() % (sizeof frame - 20);
    run_of(frame + 20, len);
    world_frame(frame, sizeof frame);
}

static void op_echo(void)
{
    uint8_t octets[8 + 1020] = {8};
    const struct client *c = client();
    size_t len = u8() * 4u;
    client_frame(c, 1, octets, 8 + len);
}

static void op_reset(void)
{
    const struct client *c = client();
    client_segment(c, near_to(c->una), c->rcv_nxt, TCP_RST | TCP_ACK, 0, NULL, 0, NULL, 0);
}

// All have a client and two octets; raw content follows.
static void op_sealed(uint8_t operation)
{
    uint8_t octets[256];
    struct client *c = client();
    uint8_t a = u8(), b = u8();
    size_t len = operation == DO_SEAL && (a & 3) == 2 ? run_of(octets, b) : 0;
    sealed_operate(operation, c, a, b, octets, len);
}

static void operate(void)
{
    uint8_t operation = u8() & OPERATION_MASK;
    switch (operation) {
    case DO_RAW:
        op_raw();
        break;
    case DO_IP:
        op_ip();
        break;
    case DO_SYN:
        op_syn();
        break;
    case DO_SEGMENT:
        op_segment();
        break;
    case DO_REQUEST:
        op_request();
        break;
    case DO_ACK:
        op_ack();
        break;
    case DO_ADVANCE:
        op_advance();
        break;
    case DO_LATE:
        world.now_ms += u8();
        break;
    case DO_OUTPUT: {
        uint8_t n = u8();
        world_output(n != 0 ? n : UINT16_MAX);
        break;
    }
    case DO_REFUSE:
        op_refuse();
        break;
    case DO_PIECES:
        op_pieces();
        break;
    case DO_ARP:
        link_is_ethernet ? op_arp() : (void)0;
        break;
    case DO_ECHO:
        op_echo();
        break;
    case DO_FAIL:
        world.persistent_fails = !world.persistent_fails;
        break;
    case DO_SPOIL:
        client_spoil = u8();
        break;
    case DO_RESET:
        op_reset();
        break;
    case DO_ACK_PART:
        op_ack_part();
        break;
    case DO_BEND:
        op_bend();
        break;
    case DO_STREAM:
        op_stream();
        break;
    case DO_SAY:
        op_say();
        break;
    case DO_LOSE:
        client_lose = u8();
        break;
    default:
        if (sealed_operate != NULL && operation >= DO_HELLO && operation <= DO_BREAK)
            op_sealed(operation);
        break;
    }
    check_state();
    said_reset = false;
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
    // Moments at which counters of time wrap: the engine's ticks of 4 ms in 16 bits, milliseconds in 32, ages, periods.
    static const uint32_t clocks[] = {
        1000, 65536 * 4 - 3000, 0 - UINT32_C(3000), 0x7fffffff - 3000, 31 * 8192 - 3000, 65536 - 3000};
    at = octets;
    end = octets + len;
    uint32_t now_ms = clocks[u8() % (sizeof clocks / sizeof *clocks)];
    world_begin(now_ms, u8());
    op_pieces();
    for (uint16_t cnt = 0; at != end && cnt < OPERATIONS_MAX; cnt++)
        operate();
    check_end();
    return 0;
}
