// SPDX-License-Identifier: MIT
// The frame being received: which octets of it are wanted next, and by whom.
#include <string.h>

#include "net.h"
#include "../core/buffer.h"
#include "../core/limits.h"
#include "../core/checksum.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

static void udp_begin(void);    // the IP header is complete

OWN_FRAME void rx_begin(uint8_t stage, uint16_t need)
{
    whit.rx.stage = stage;
    whit.rx.need = need;
    whit.rx.have = 0;
}

void rx_ignore(enum whit_counter why)
{
    count(why);
    whit.rx.stage = RX_IGNORE;
    reservation_over(&whit.rx);
}

void rx_forget(const struct whit_tcb *slot)
{
    if (whit.rx.slot == slot && whit.rx.stage != RX_LINK_HEAD) {
        whit.rx.stage = RX_IGNORE;
        reservation_over(&whit.rx);
    }
}

// ------------------------------------------------------------------------------------------------ IPv4

// IPv4 (RFC 791, RFC 1122 section 3.2.1). Options are passed over. Fragments are dropped: we announce an MSS that
// needs none.

// A host's own address: not "this network", loopback, multicast, reserved or broadcast (RFC 1122 section 3.2.1.3),
// and not ours.
bool ipv4_is_host(uint32_t source)
{
    uint32_t own = load32_be(whit.network->address);
    uint8_t prefix_len = whit.network->prefix_len, first = (uint8_t)(source >> 24);
    uint32_t hosts = ~UINT32_C(0) >> (prefix_len & 31);    // all ones for prefix 32, as for 0: 255.255.255.255
    bool broadcast = hosts != 1 /* RFC 3021 */ && source == (own | hosts);
    return first != 0 && first != 127 && first < 224 && source != own && !broadcast;
}

void ipv4_options(void)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t protocol = rx->protocol;
    if (rx->sum != RX_SUM_RIGHT) {
        rx_ignore(WHIT_DROP_IP_CHECKSUM);
    } else if (WHIT_PING && protocol == PROTOCOL_ICMP && rx->payload_len >= 8) {
        rx_begin(RX_ICMP_HEAD, 8);
    } else if (protocol == PROTOCOL_TCP && rx->payload_len >= 20) {
        rx_sum_tcp_pseudo(rx);
        rx_begin(RX_TCP_HEAD, 20);
    } else if (WHIT_HAS_UNREACHABLE && protocol == PROTOCOL_UDP && rx->payload_len >= 8 && rx->head[0] == 0x45) {
        udp_begin();
    } else {
        rx_ignore(WHIT_DROP_FOREIGN);
    }
}

void ipv4_head(void)
{
    struct whit_rx *rx = &whit.rx;
    const uint8_t *head = rx->head;
    uint8_t head_len = (uint8_t)((head[0] & 15) * 4);
    uint16_t total_len = load16_be(head + 2);
    rx_sum_ip_head(rx);
    rx->payload_len = (uint16_t)(total_len - head_len);
    rx->protocol = head[9];
    rx->pending.remote_addr = load32_be(head + 12);
    if (head[0] >> 4 != 4 || head_len < 20 || total_len < head_len || !ipv4_is_host(rx->pending.remote_addr))
        rx_ignore(WHIT_DROP_IP_HEADER);
    else if (load32_be(head + 16) != load32_be(whit.network->address))
        rx_ignore(WHIT_DROP_FOREIGN);
    else if ((load16_be(head + 6) & 0x3fff) != 0)    // more fragments, or an offset
        rx_ignore(WHIT_DROP_IP_FRAGMENT);
    else if (head_len > 20)
        rx_begin(RX_IP_OPTIONS, (uint16_t)(head_len - 20u));
    else
        ipv4_options();
}

void ipv4_write(uint8_t *ip, uint32_t remote_addr, uint8_t protocol, uint16_t total_len)
{
    store32_be(ip, UINT32_C(0x45000000) | total_len);
    store32_be(ip + 8, UINT32_C(64) << 24 | (uint32_t)protocol << 16);
    store32_be(ip + 12, load32_be(whit.network->address));
    store32_be(ip + 16, remote_addr);
    store16_be(ip + 10, (uint16_t)~checksum_octets(0, ip, 20, false));
}

// ------------------------------------------------------------------------------------------------ ICMP echo

// ICMP echo (RFC 792). The data wait for their checksum in the free octets of the shared buffer. If the buffer is
// small, or memory is not scarce, they have octets of their own. A larger echo is not answered. All other messages are
// ignored: there is no path MTU below our MSS, and no error about a connection.

#define ECHO 8
#define ECHO_REPLY 0

#if WHIT_ECHO_OWN > 64 || WHIT_BUFFER < WHIT_ECHO_OWN + 8
static uint8_t echo_own[WHIT_ECHO_OWN];

static bool echo_claim(uint16_t len)
{
    return len <= sizeof echo_own;
}

static uint8_t *echo_octets(void)
{
    return echo_own;
}
#else
static bool echo_claim(uint16_t len)
{
    return buffer_reserve(len);
}

static uint8_t *echo_octets(void)
{
    return buffer_reserved();
}
#endif

void icmp_head(void)
{
    struct whit_rx *rx = &whit.rx;
    rx_sum_icmp_head(rx);
    rx_head_read(rx, 8);
    if (rx->head[0] != ECHO || rx->head[1] != 0 || !echo_claim(rx->payload_len))
        rx_ignore(WHIT_DROP_ICMP);
    else
        rx_begin(RX_ICMP_DATA, rx->payload_len);
}

void icmp_data(const uint8_t *octets, uint16_t len)
{
    memcpy(echo_octets() + whit.rx.have, octets, len);
}

__attribute__((noinline)) void icmp_commit(void)    // noinline: its frame must not be below that of an answer
{
    struct whit_rx *rx = &whit.rx;
    uint8_t head[28], *icmp = head + 20;
    memcpy(icmp, rx->head, 8);
    icmp[0] = ECHO_REPLY;
    store16_be(icmp + 2, checksum_add(load16_be(icmp + 2), ECHO << 8));    // the sum grows by the difference (RFC 1624)
    store32_be(head + 4, IPV4_WHOLE);
    ipv4_write(head, rx->pending.remote_addr, PROTOCOL_ICMP, (uint16_t)(28 + rx->payload_len));
    if (!frame_begin(head, sizeof head, rx->payload_len, NULL))
        return;
    if (rx->payload_len != 0)
        whit_driver_put(echo_octets(), rx->payload_len, WHIT_IN_BUFFER);
    link_out_end();
}

// ------------------------------------------------------------------------------------------------ port unreachable

// Answers a datagram for any UDP port by ICMP "port unreachable" (RFC 1122 section 3.2.2.1), so that its sender need
// not wait. It came to our own address, by a frame of our own (ethernet.c), with a correct checksum. One answer each 64
// ms, of 56 octets.

#define UNREACHABLE_PORT 0x0303    // type and code
#define QUOTED 28                  // octets: the IP header, which has no options, and that of UDP

static uint8_t quoted[QUOTED];
static uint8_t unreachable_sent;    // time of the last one

static void udp_begin(void)
{
    struct whit_rx *rx = &whit.rx;
    memcpy(quoted, rx->head, 20);
    rx_sum_udp_pseudo(rx);
    rx_begin(RX_UDP_HEAD, 8);
}

void udp_head(void)
{
    struct whit_rx *rx = &whit.rx;
    uint16_t len = load16_be(rx->head + 4);
    if (len < 8 || len > rx->payload_len) {
        rx_ignore(WHIT_DROP_FOREIGN);
        return;
    }
    memcpy(quoted + 20, rx->head, 8);
    rx_sum_udp_head(rx, len);
    rx_begin(RX_UDP_DATA, (uint16_t)(len - 8u));
}

__attribute__((noinline)) void udp_commit(void)    // the same as icmp_commit()
{
    uint8_t now = (uint8_t)(whit.now_ms >> CHALLENGE_SHIFT);
    bool checked = load16_be(quoted + 26) != 0;
    count(WHIT_DROP_FOREIGN);
    if ((checked && whit.rx.sum != RX_SUM_RIGHT) || now == unreachable_sent)
        return;
    unreachable_sent = now;
    uint8_t head[28], *icmp = head + 20;
    store32_be(icmp, (uint32_t)UNREACHABLE_PORT << 16);
    store32_be(icmp + 4, 0);
    store16_be(icmp + 2, (uint16_t)~checksum_octets(UNREACHABLE_PORT, quoted, QUOTED, false));
    store32_be(head + 4, IPV4_WHOLE);
    ipv4_write(head, whit.rx.pending.remote_addr, PROTOCOL_ICMP, 28 + QUOTED);
    if (!frame_begin(head, sizeof head, QUOTED, NULL))
        return;
    whit_driver_put(quoted, QUOTED, WHIT_IN_RAM);
    link_out_end();
    count(WHIT_COUNT_UNREACHABLE);
}

// ------------------------------------------------------------------------------------------------ frames out

// Outgoing frames: they begin with their headers, and go to the driver piece by piece.

bool frame_begin(const uint8_t *head, uint8_t head_len, uint16_t carried, const struct whit_tcb *to)
{
    bool begun = link_out(to, (uint16_t)(head_len + carried));
    count(begun ? WHIT_COUNT_FRAMES_OUT : WHIT_COUNT_DRIVER_BUSY);
    if (begun)
        whit_driver_put(head, head_len, WHIT_IN_RAM);
    return begun;
}

bool frame_begin_behind(uint8_t *head, uint8_t head_len, uint16_t carried, const struct whit_tcb *to)
{
    uint8_t link_len = link_write(head, to), len = (uint8_t)(link_len + head_len);
    bool begun = whit_driver_begin((uint16_t)(len + carried));
    count(begun ? WHIT_COUNT_FRAMES_OUT : WHIT_COUNT_DRIVER_BUSY);
    if (begun)
        whit_driver_put(head - link_len, len, WHIT_IN_RAM);
    return begun;
}

uint8_t *walk_record;

void walk_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    if (!walk_collects()) {
        whit_driver_put(octets, len, place);
        return;
    }
    if (place == WHIT_IN_FLASH)
        whit_flash_copy(walk_record, octets, len);
    else if (WHIT_HAS_STORED && place == WHIT_IN_PERSISTENT)
        (void)whit_port_persistent_read((uint16_t)(octets - whit_port_persistent_at(0)), walk_record, len);
    else
        memmove(walk_record, octets, len);
    walk_record += len;
}

void walk_ram(struct walk *w, const uint8_t *octets, uint16_t len, uint8_t place)
{
    if (w->skip >= len) {
        w->skip = (whit_position)(w->skip - len);
        return;
    }
    octets += w->skip;
    len = (uint16_t)(len - w->skip);
    w->skip = 0;
    len = len < w->limit ? len : w->limit;
    if (len == 0)
        return;
    w->limit = (uint16_t)(w->limit - len);
    if (w->puts)
        walk_put(octets, len, place);
    else
        walk_count(w, len, checksum_octets(0, octets, len, false));
}

void walk_count(struct walk *w, uint16_t len, uint16_t sum)
{
    w->sum = checksum_add(w->sum, w->len & 1 ? checksum_swap(sum) : sum);
    w->len = (uint16_t)(w->len + len);
}
