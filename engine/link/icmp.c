// SPDX-License-Identifier: MIT
// ICMP echo (RFC 792). The data wait for their checksum in the free octets of the shared buffer, or, where that is small or memory
// is not scarce, in octets of their own: a larger echo is not answered. All other messages are passed over: no path MTU below our MSS, no error about a connection.
#include <string.h>

#include "link.h"
#include "rx.h"
#include "rx_sum.h"
#include "../base/buffer.h"
#include "../base/checksum.h"
#include "../base/limits.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "whit/driver.h"

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

__attribute__((noinline)) void icmp_commit(void)    // its frame must not stand below an answer
{
    struct whit_rx *rx = &whit.rx;
    uint8_t head[28], *icmp = head + 20;
    memcpy(icmp, rx->head, 8);
    icmp[0] = ECHO_REPLY;
    store16_be(icmp + 2, checksum_add(load16_be(icmp + 2), ECHO << 8));    // what the sum has lost (RFC 1624)
    store32_be(head + 4, IPV4_WHOLE);
    ipv4_write(head, rx->pending.remote_addr, PROTOCOL_ICMP, (uint16_t)(28 + rx->payload_len));
    if (!frame_begin(head, sizeof head, rx->payload_len, NULL))
        return;
    if (rx->payload_len != 0)
        whit_driver_put(echo_octets(), rx->payload_len, WHIT_IN_BUFFER);
    link_out_end();
}
