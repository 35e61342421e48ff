// SPDX-License-Identifier: MIT
// Clients that know which numbers the engine expects, so that a script of few octets reaches deep states.
#include "fuzz.h"
#include "core/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client clients[CLIENTS];
uint8_t client_lose;
uint16_t client_spoil;
struct bend client_bend;

void client_trace(const char *who, uint32_t addr, const uint8_t *segment, size_t len)
{
    if (getenv("FUZZ_TRACE") == NULL)
        return;
    size_t head_len = (segment[12] >> 4) * 4u;
    fprintf(stderr, "%u %s %08x flags %02x seq %u ack %u wnd %u len %zu\n", world.now_ms, who, addr, segment[13],
            load32_be(segment + 4), load32_be(segment + 8), load16_be(segment + 14), len - head_len);
    if (len != head_len)
        fprintf(stderr, "    %.*s\n", (int)(len - head_len), (const char *)segment + head_len);
}

// Two connections of one host, another host, and one after the gateway.
void clients_begin(void)
{
    static const uint32_t addresses[CLIENTS] = {0x0a000002, 0x0a000002, 0x0a000003, 0xc0a80909};
    static const uint8_t hosts[CLIENTS] = {2, 2, 3, 254};
    client_lose = 0;
    client_spoil = 0;
    client_bend = (struct bend){0};
    for (uint8_t i = 0; i < CLIENTS; i++)
        clients[i] =
            (struct client){.mac = {2, 0, 0, 0, 0, hosts[i]}, .addr = addresses[i], .port = (uint16_t)(1000 + i)};
    if (sealed_begin != NULL)
        sealed_begin();
}

static uint16_t pseudo_header(const struct client *c, uint8_t protocol, size_t len)
{
    uint8_t octets[12] = {0};
    store32_be(octets, c->addr);
    store32_be(octets + 4, 0x0a000001);
    octets[9] = protocol;
    store16_be(octets + 10, (uint16_t)len);
    return checksum_octets(0, octets, sizeof octets, false);
}

// Writes the header; returns its octets.
static size_t datagram_head(uint8_t *head, const struct client *c, uint8_t protocol, size_t len)
{
    size_t head_len = 20 + client_bend.options_len;
    memset(head, 0, 20);
    memset(head + 20, 1, client_bend.options_len);    // no operation
    head[0] = (uint8_t)(0x40 | head_len / 4);
    store16_be(head + 2, (uint16_t)(head_len + len));
    head[8] = 64;
    head[9] = protocol;
    store32_be(head + 12, c->addr);
    store32_be(head + 16, 0x0a000001);
    head[client_bend.at % 20] ^= client_bend.by;
    store16_be(head + 10,
               (uint16_t)(load16_be(head + 10) + (uint16_t)~checksum_octets(0, head, (uint16_t)head_len, false)));
    client_bend = (struct bend){0};
    return head_len;
}

void client_frame(const struct client *c, uint8_t protocol, uint8_t *payload, size_t len)
{
    static uint8_t datagram[FRAME_MAX / 2 - 16], frame[FRAME_MAX];
    uint8_t at = protocol == 6 ? 16 : 2;    // offset of the checksum
    if (len > sizeof datagram - 60)
        len = sizeof datagram - 60;
    if (len >= at + 2u) {
        store16_be(payload + at, 0);
        uint16_t sum = protocol == 6 ? pseudo_header(c, protocol, len) : 0;
        store16_be(payload + at, (uint16_t)(~checksum_octets(sum, payload, (uint16_t)len, false) + client_spoil));
        client_spoil = 0;
    }
    size_t head_len = datagram_head(datagram, c, protocol, len);
    memcpy(datagram + head_len, payload, len);
    world_frame(frame, link_wrap(frame, c->mac, datagram, head_len + len));
}

void client_segment(const struct client *c, uint32_t seq, uint32_t ack, uint8_t flags, uint16_t wnd,
                    const uint8_t *options, uint8_t options_len, const uint8_t *payload, size_t len)
{
    uint8_t segment[20 + 40 + 1460] = {0};
    size_t head_len = 20 + (options_len + 3u) / 4 * 4;
    if (len > sizeof segment - head_len)
        len = sizeof segment - head_len;
    store16_be(segment, c->port);
    store16_be(segment + 2, c->tls ? WHIT_HTTPS_PORT : WHIT_TCP_PORT);
    store32_be(segment + 4, seq);
    store32_be(segment + 8, ack);
    segment[12] = (uint8_t)(head_len << 2);
    segment[13] = flags;
    store16_be(segment + 14, wnd);
    if (options_len != 0)
        memcpy(segment + 20, options, options_len);
    if (len != 0)
        memcpy(segment + head_len, payload, len);
    client_trace("from", c->addr, segment, head_len + len);
    said_reset |= (flags & TCP_RST) != 0;
    client_frame(c, 6, segment, head_len + len);
}

// Stores octets that came in order.
static void hear(struct client *c, uint32_t seq, const uint8_t *octets, size_t len)
{
    size_t old = c->rcv_nxt - seq;
    if (old >= len)
        return;
    len -= old;
    if (len > sizeof c->heard - c->heard_len)
        len = sizeof c->heard - c->heard_len;
    memcpy(c->heard + c->heard_len, octets + old, len);
    c->heard_len = (uint16_t)(c->heard_len + len);
}

void client_receive(uint32_t to, const uint8_t *segment, size_t len)
{
    if (client_lose != 0) {
        client_lose--;
        return;
    }
    for (uint8_t i = 0; i < CLIENTS; i++) {
        struct client *c = &clients[i];
        if (c->addr != to || c->port != load16_be(segment + 2) ||
            c->tls != (WHIT_TLS && load16_be(segment) == WHIT_HTTPS_PORT))
            continue;
        uint8_t flags = segment[13];
        uint32_t seq = load32_be(segment + 4), ack = load32_be(segment + 8);
        size_t head_len = (segment[12] >> 4) * 4u;
        uint32_t end = seq + (uint32_t)(len - head_len) + ((flags & TCP_FIN) != 0);
        if ((flags & TCP_SYN) != 0) {
            c->rcv_nxt = c->rcv_max = c->acked = seq + 1;
            c->stream_len = 0;
            c->mixed = false;
            if (c->tls)
                sealed_opened(c);
        } else if (seq_lt(c->rcv_max, end)) {
            c->rcv_max = end;
        }
        if (!seq_lt(c->rcv_nxt, seq) && seq_lt(c->rcv_nxt, end)) {
            hear(c, seq, segment + head_len, len - head_len);
            c->rcv_nxt = end;
            if (c->tls)
                sealed_hears(c);
        }
        if ((flags & (TCP_ACK | TCP_RST)) == TCP_ACK)
            c->una = ack;
    }
}
