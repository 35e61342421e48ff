// SPDX-License-Identifier: MIT
// Properties that must hold for any input, beyond the sanitizers: the shared buffer's account, the slots' invariants,
// every sent frame's lengths and sums. The main property: an octet of a response is the same each time it is sent.
#include "fuzz.h"
#include "core/limits.h"
#include "response/response.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_HEAD 4    // octets of a block's head in the shared buffer
// after two hours of silence nothing is left; timers take theirs
#define REST_MS (WHIT_TIMERS != 0 ? 1800000 : 7200000)

static uint8_t newcomer_status[12];
static uint32_t newcomer_iss;

static const struct client newcomer = {.mac = {2, 0, 0, 0, 0, 9}, .addr = 0x0a000009, .port = 9};

_Noreturn void check_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

void check_begin(void)
{
    said_begin();
    memset(newcomer_status, 0, sizeof newcomer_status);
}

// ------------------------------------------------------------------------------------------------ frames

static const struct whit_tcb *find(uint32_t addr, uint16_t port, bool tls)
{
    struct whit_tcb peer = {.remote_addr = addr, .remote_port = port};
    set_tls(&peer, tls);
    return table_find(&peer);
}

static void check_segment(uint32_t to, const uint8_t *segment, size_t len)
{
    CHECK(len >= 20);
    uint8_t head_len = (uint8_t)((segment[12] >> 4) * 4);
    uint16_t port = load16_be(segment + 2);
    CHECK(head_len >= 20 && head_len <= len);
    const uint8_t *payload = segment + head_len;
    bool tls = WHIT_TLS && load16_be(segment) == WHIT_HTTPS_PORT;
    client_trace("to", to, segment, len);
    if (len != head_len) {
        const struct whit_tcb *tcb = find(to, port, tls);
        // close_notify of an idle one
        CHECK(tcb != NULL && (tcb->state == TCB_RESPONSE || (tls && tcb->state == TCB_REQUEST)));
        CHECK(len - head_len <= tcb_mss(tcb));
    }
    const struct whit_tcb *responding = find(to, port, tls);
    if (!tls && responding != NULL && responding->state == TCB_RESPONSE && (segment[13] & (TCP_SYN | TCP_RST)) == 0 &&
        (len != head_len || (segment[13] & TCP_FIN) != 0))
        said_segment(responding, load32_be(segment + 4), payload, len - head_len, (segment[13] & TCP_FIN) != 0);
    if (to == newcomer.addr && port == newcomer.port) {
        if ((segment[13] & TCP_SYN) != 0)
            newcomer_iss = load32_be(segment + 4);
        else if (len - head_len >= sizeof newcomer_status && newcomer_status[0] == 0)
            memcpy(newcomer_status, payload, sizeof newcomer_status);
    }
    client_receive(to, segment, len);
}

void check_frame(const uint8_t *datagram, size_t len)
{
    CHECK(len >= 20 && len <= 1500 && datagram[0] == 0x45);
    CHECK(load16_be(datagram + 2) == len);
    CHECK(checksum_octets(0, datagram, 20, false) == 0xffff);
    uint8_t pseudo[12];
    memcpy(pseudo, datagram + 12, 8);
    pseudo[8] = 0;
    pseudo[9] = datagram[9];
    store16_be(pseudo + 10, (uint16_t)(len - 20));
    CHECK(datagram[9] == 6 || datagram[9] == 1);
    uint16_t sum = datagram[9] == 6 ? checksum_octets(0, pseudo, sizeof pseudo, false) : 0;
    CHECK(checksum_octets(sum, datagram + 20, (uint16_t)(len - 20), false) == 0xffff);
    if (datagram[9] == 6)
        check_segment(load32_be(datagram + 16), datagram + 20, len - 20);
}

// ------------------------------------------------------------------------------------------------ state

static uint16_t buffer_used(void)
{
    if (BUFFER_LEN == 0)
        return 0;
    uint16_t room, claim = whit.rx.reserved_len;
    whit.rx.reserved_len = 0;
    buffer_tail(&room);
    whit.rx.reserved_len = claim;
    // one head less when the buffer is full to its last octet
    return (uint16_t)((BUFFER_LEN & ~(WHIT_ALIGNMENT - 1u)) - BLOCK_HEAD - room);
}

static uint16_t buffer_owned(const struct whit_tcb *tcb)
{
    uint16_t sum = 0, len;
    for (uint8_t kind = BLOCK_ARGUMENTS; kind < BLOCK_KIND_CNT; kind++) {
        const uint8_t *octets = buffer_find(tcb, kind, &len);
        CHECK((uintptr_t)octets % WHIT_ALIGNMENT == 0);
        if (octets != NULL)
            sum = (uint16_t)(sum + ((BLOCK_HEAD + len + WHIT_ALIGNMENT - 1u) & ~(WHIT_ALIGNMENT - 1u)));
    }
    return sum;
}

static void check_response(const struct whit_tcb *tcb)
{
    struct extent extent;
    response_extent(tcb, &extent);
    uint32_t total = extent.len;
    CHECK(tcb->position <= total + 1);
    CHECK((uint32_t)tcb->position + tcb->response.flight <= total + 1);
    CHECK(tcb->cwnd != 0);
    CHECK((is_tls(tcb) && sealed_own(tcb)) ||
          tcb->response.resource < (tcb->response.kind == KIND_ERROR ? HTTP_STATUS_CNT : whit_resource_cnt));
    CHECK(tcb->response.mode == MODE_PLAIN || tcb->response.mark <= tcb->response.flight);
}

void check_state(void)
{
    said_check();
    uint32_t owned = 0;
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        const struct whit_tcb *tcb = &whit_slots[i];
        uint16_t own = buffer_owned(tcb);
        owned += own;
        if (tcb->state == TCB_FREE) {
            CHECK(own == 0 && !tcb->ready);
            continue;
        }
        CHECK(table_find(tcb) == tcb);
        if (sealed_state != NULL)
            sealed_state(tcb);
        CHECK(tcb_mss(tcb) >= MSS_MIN && tcb_mss(tcb) <= MSS_MAX);
        if (tcb->state == TCB_RESPONSE)
            check_response(tcb);
        else
            CHECK(tcb->request.resource == RESOURCE_NONE || tcb->request.resource < whit_resource_cnt);
    }
    CHECK(owned == buffer_used() || owned == buffer_used() + BLOCK_HEAD);
    CHECK(owned <= BUFFER_LEN);
    CHECK(whit.rx.reserved_len <= BUFFER_LEN);
}

void check_end(void)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: whit\r\n\r\n";
    world.refuse_cnt = world.busy_cnt = 0;
    world.piece_len = 0;
    client_lose = 0;
    client_spoil = 0;
    client_bend = (struct bend){0};
    link_flush(world.now_ms);
    world_output(UINT16_MAX);
    world_advance(REST_MS);
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++)
        CHECK(whit_slots[i].state == TCB_FREE);
    for (uint16_t i = 0; i < WHIT_IDLE; i++)
        CHECK(whit_tags[i].age == 0);
    CHECK(buffer_used() == 0);
    client_segment(&newcomer, 1, 0, TCP_SYN, 1460, NULL, 0, NULL, 0);
    client_segment(&newcomer, 2, newcomer_iss + 1, TCP_ACK, 1460, NULL, 0, (const uint8_t *)request,
                   sizeof request - 1);
    world_output(UINT16_MAX);
    CHECK(memcmp(newcomer_status, REDIRECTS ? "HTTP/1.1 308" : "HTTP/1.1 200", sizeof newcomer_status) == 0);
    if (sealed_newcomer != NULL)
        sealed_newcomer();
}
