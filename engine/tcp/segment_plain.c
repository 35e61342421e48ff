// SPDX-License-Identifier: MIT
// Segments where flash is scarce: a header is written, and then added up. segment_template.c is fast.
#include <stddef.h>

#include "internal.h"
#include "tcp.h"
#include "../core/limits.h"
#include "../core/checksum.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../recovery/recovery.h"

// Identification and flags, once the sequence number is there. A function of its own, as it costs AVR stack elsewhere.
static __attribute__((noinline)) void write_parts(uint8_t *head, bool may)
{
    store32_be(head + 4, ipv4_parts(may, load16_be(head + 26) + whit.now_ms));
}

static uint16_t window_told(const struct whit_tcb *tcb)
{
    uint16_t window = WHIT_HAS_BODY ? body_window(tcb) : WHIT_RCV_WND, kept = promised_len(tcb);
    return window > kept ? (uint16_t)(window - kept) : 0;
}

// A function of its own: while the payload is put, the headers are not on the stack any more.
__attribute__((noinline)) bool segment_begin(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags,
                                             uint16_t payload_len, uint16_t payload_sum)
{
    bool answer = tcb == &whit.rx.pending;
    uint32_t from = 0, to = 0;
    bool block = flags == TCP_ACK && payload_len == 0 && block_told(&from, &to);
    uint8_t len = block ? BLOCK_LEN : (flags & TCP_SYN) == 0 ? 20 : SYN_LEN;
    uint16_t tcp_len = (uint16_t)(len + payload_len);
    _Alignas(uint32_t) uint8_t head[20 + HEADER_LEN_MAX];
    uint8_t *tcp = head + 20;
    store16_be(tcp, answer ? load16_be(whit.rx.head + 2) : port_of(tcb));
    store16_be(tcp + 2, tcb->remote_port);
    store32_be(tcp + 4, seq);
    store32_be(tcp + 8, tcb->rcv_nxt + promised_len(tcb));
    tcp[12] = (uint8_t)(len << 2);
    tcp[13] = flags;
    store16_be(tcp + 14, (flags & TCP_RST) != 0 ? 0 : answer ? held_window() : window_told(tcb));
    store32_be(tcp + 16, 0);
    store32_be(tcp + 20, UINT32_C(0x02040000) | MSS_OURS);
    if (WHIT_SACK && len == 28)
        store32_be(tcp + 24, OPTIONS_SACK_PERMITTED);
    if (block) {
        store32_be(tcp + 20, OPTIONS_BLOCK);
        store32_be(tcp + 24, from);
        store32_be(tcp + 28, to);
    }
    write_parts(head, !answer && link_cuts(tcb));
    ipv4_write(head, tcb->remote_addr, 6, (uint16_t)(20 + tcp_len));
    uint16_t sum = checksum_add(payload_sum, (uint16_t)(6 + tcp_len));    // adds the pseudo header, with the addresses
    store16_be(tcp + 16, (uint16_t)~checksum_octets(sum, head + 12, (uint16_t)(8 + len), false));
    return frame_begin(head, (uint8_t)(20 + len), payload_len, answer ? NULL : tcb);
}

// There is no template.
void segment_init(void)
{
}

uint32_t segment_next(struct whit_tcb *tcb)
{
    (void)tcb;
    return 0;
}

uint16_t segment_large(const struct whit_tcb *tcb)
{
    (void)tcb;
    return 0;
}

bool segment_begin_large(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags, uint16_t payload_len)
{
    (void)tcb;
    (void)seq;
    (void)flags;
    (void)payload_len;
    return false;
}
