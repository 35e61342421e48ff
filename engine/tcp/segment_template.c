// SPDX-License-Identifier: MIT
// Segments for fast machines. A header's sums are computed from its numbers while they are written, and the full
// segments of a file have a template. Successive segments differ in the sequence and acknowledgment numbers, the
// window, the octets, and the TCP checksum. segment_plain.c is small, and sends the same.
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
#include "../response/response.h"
#include "whit/driver.h"
#include "whit/port.h"

#define TCP_PROTOCOL 6
#define HEADS_LEN 40    // IPv4 and TCP, without options

// Writes an IPv4 header, and adds the fields of a pseudo header to *wide. parts: as ipv4_parts().
static void write_ipv4(uint8_t *ip, uint32_t remote_addr, uint16_t tcp_len, uint32_t parts, uint32_t *wide)
{
    uint32_t own = load32_be(whit.network->address),
             pseudo = checksum_halves(own) + checksum_halves(remote_addr) + TCP_PROTOCOL + tcp_len;
    store32_be(ip, UINT32_C(0x45000000) + 20 + tcp_len);
    store32_be(ip + 4, parts);
    store16_be(ip + 8, 64 << 8 | TCP_PROTOCOL);
    store16_be(ip + 10, (uint16_t)~checksum_fold(pseudo + 0x4500 + 20 + checksum_halves(parts) + (64 << 8)));
    store32_be(ip + 12, own);
    store32_be(ip + 16, remote_addr);
    *wide += pseudo;
}

// Returns the parts of the IPv4 header for a segment to a slot's peer, or for an answer.
static uint32_t parts_of(const struct whit_tcb *tcb, uint32_t seq)
{
    return ipv4_parts(tcb != &whit.rx.pending && link_cuts(tcb), seq + whit.now_ms);
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
    uint32_t from = 0, end = 0;
    bool block = flags == TCP_ACK && payload_len == 0 && block_told(&from, &end);
    uint8_t len = block ? BLOCK_LEN : (flags & TCP_SYN) == 0 ? 20 : SYN_LEN;
    uint16_t port = answer ? load16_be(whit.rx.head + 2) : port_of(tcb);
    uint16_t window = (flags & TCP_RST) != 0 ? 0 : answer ? held_window() : window_told(tcb);
    _Alignas(uint32_t) uint8_t room[LINK_ROOM + 20 + HEADER_LEN_MAX];
    uint8_t *head = room + LINK_ROOM, *to = head + 20;
    uint32_t wide = payload_sum;
    to = checksum_put16(to, port, &wide);
    to = checksum_put16(to, tcb->remote_port, &wide);
    to = checksum_put32(to, seq, &wide);
    to = checksum_put32(to, tcb->rcv_nxt + promised_len(tcb), &wide);
    to = checksum_put16(to, (uint16_t)(len << 10 | flags), &wide);
    to = checksum_put16(to, window, &wide);
    if (len != 20 && !block)
        checksum_put32(to + 4, UINT32_C(0x02040000) | MSS_OURS, &wide);
    if (WHIT_SACK && len == 28)
        checksum_put32(to + 8, OPTIONS_SACK_PERMITTED, &wide);
    if (block)
        checksum_put32(checksum_put32(checksum_put32(to + 4, OPTIONS_BLOCK, &wide), from, &wide), end, &wide);
    write_ipv4(head, tcb->remote_addr, (uint16_t)(len + payload_len), parts_of(tcb, seq), &wide);
    store32_be(to, (uint32_t)(uint16_t)~checksum_fold(wide) << 16);    // no urgent octets
    return frame_begin_behind(head, (uint8_t)(20 + len), payload_len, answer ? NULL : tcb);
}

uint16_t segment_large(const struct whit_tcb *tcb)
{
    bool file = !is_tls(tcb) && tcb->response.kind == KIND_CONTENT && content_strategy(tcb) == STRATEGY_STATIC;
    return WHIT_HAS_LARGE && file ? whit_driver_large() : 0;
}

__attribute__((noinline)) bool segment_begin_large(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags,
                                                   uint16_t payload_len)
{
    _Alignas(uint32_t) uint8_t room[LINK_ROOM + HEADS_LEN];
    uint8_t *head = room + LINK_ROOM;
    uint32_t wide = 0;
    write_ipv4(head, tcb->remote_addr, (uint16_t)(20 + payload_len), parts_of(tcb, seq), &wide);
    store16_be(head + 20, WHIT_TCP_PORT);
    store16_be(head + 22, tcb->remote_port);
    store32_be(head + 24, seq);
    store32_be(head + 28, tcb->rcv_nxt + promised_len(tcb));
    store32_be(head + 32, (UINT32_C(20) << 10 | flags) << 16 | window_told(tcb));
    store32_be(head + 36, (uint32_t)checksum_fold(wide) << 16);
    if (WHIT_HAS_LARGE)
        whit_driver_cut(segment_len(tcb));
    return frame_begin_behind(head, HEADS_LEN, payload_len, tcb);
}

// The next full segment of a file in flash.
static struct {
    const struct whit_tcb *slot;    // the slot of its response; NULL: no slot
    uint32_t from;                  // position of the file's row of chunks in the response
    uint32_t end;                   // end in the row: before it, a full segment that is not the last can begin
    struct file file;
    uint16_t len;    // octets of a full segment: whole chunks
    uint16_t sum;    // sum of the header and the pseudo header without the fields that differ
    _Alignas(uint32_t) uint8_t room[LINK_ROOM + HEADS_LEN];
} template;
#define TEMPLATE_HEAD (template.room + LINK_ROOM)

void segment_init(void)
{
    template.slot = NULL;
}

// Makes the template. False: the response is not a file, or too short.
static __attribute__((noinline)) bool template_make(const struct whit_tcb *tcb)
{
    uint16_t mss = tcb_mss(tcb), len = mss & (uint16_t)~(WHIT_CHUNK - 1);
    uint32_t wide = 0;
    template.slot = NULL;
    if ((WHIT_HAS_LARGE && segment_large(tcb) != 0) || !response_file(tcb, &template.file) ||
        template.file.len <= mss || len == 0 || parts_of(tcb, 0) != IPV4_WHOLE)
        return false;
    struct extent extent;
    response_extent(tcb, &extent);
    template.from = extent.len - template.file.len;
    template.end = template.file.len - mss;
    template.len = len;
    write_ipv4(TEMPLATE_HEAD, tcb->remote_addr, (uint16_t)(20 + len), IPV4_WHOLE, &wide);
    checksum_put16(TEMPLATE_HEAD + 20, WHIT_TCP_PORT, &wide);
    checksum_put16(TEMPLATE_HEAD + 22, tcb->remote_port, &wide);
    checksum_put16(TEMPLATE_HEAD + 32, 20 << 10 | TCP_ACK, &wide);
    template.sum = checksum_fold(wide);
    template.slot = tcb;
    return true;
}

// A function of its own, with all its callees: it takes no stack while the octets of other segments are made.
__attribute__((noinline, flatten)) uint32_t segment_next(struct whit_tcb *tcb)
{
    uint32_t offset = tcb->response.flight, mss = tcb_mss(tcb), at = tcb->position + offset;
    if (at == 0 && tcb == template.slot)
        template.slot = NULL;    // a new response begins
    if (at == 0 || tcb->response.mode == MODE_RESEND || offset + mss > window_of(tcb) ||
        offset + mss > recovery_segments(tcb) * mss)
        return 0;
    if (tcb != template.slot && !template_make(tcb))
        return 0;
    at -= template.from;    // octets before the template, more than there can be
    if (at % WHIT_CHUNK != 0 || at == 0 || at >= template.end)
        return 0;
    const uint16_t *sums = template.file.sums + at / WHIT_CHUNK - 1;
    uint32_t wide =
        template.sum + UINT32_C(1) * whit_flash_u16(sums + template.len / WHIT_CHUNK) + (uint16_t)~whit_flash_u16(sums);
    uint8_t *to = checksum_put32(TEMPLATE_HEAD + 24, tcb->snd_una + offset, &wide);
    checksum_put32(to, tcb->rcv_nxt + promised_len(tcb), &wide);
    checksum_put16(TEMPLATE_HEAD + 34, window_told(tcb), &wide);
    store16_be(TEMPLATE_HEAD + 36, (uint16_t)~checksum_fold(wide));
    if (!frame_begin_behind(TEMPLATE_HEAD, HEADS_LEN, template.len, tcb))
        return offset;
    whit_driver_put(template.file.octets + at, template.len, WHIT_IN_FLASH);
    link_out_end();
    ack_goes_along(tcb);
    return offset + template.len;
}
