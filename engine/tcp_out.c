// SPDX-License-Identifier: MIT
// Segments out. A response's octets are found by their position (response.c) whenever they are wanted, for the
// first time or again; nothing that was sent is kept here.
#include "inner.h"
#include "packed.h"

#include <string.h>

#define PROTOCOL_TCP 6

// Writes the TCP header, of 20 octets or with the MSS option of 24, and its checksum.
static void tcp_write(struct frame *f, uint16_t own_port, uint32_t addr, uint16_t port, uint32_t seq, uint32_t ack, uint8_t flags, uint16_t mss)
{
    uint8_t *ip = f->head + FRAME_LINK_HEAD, *tcp = ip + 20;
    uint8_t len = mss != 0 ? 24 : 20;
    store16_be(tcp, own_port);
    store16_be(tcp + 2, port);
    store32_be(tcp + 4, seq);
    store32_be(tcp + 8, ack);
    tcp[12] = (uint8_t)(len << 2);
    tcp[13] = flags;
    store16_be(tcp + 14, (flags & TCP_RST) != 0 ? 0 : WHIT_RCV_WND);
    memset(tcp + 16, 0, 4);
    if (mss != 0) {
        tcp[20] = 2;
        tcp[21] = 4;
        store16_be(tcp + 22, mss);
    }
    uint16_t tcp_len = (uint16_t)(len + f->payload_len);
    ipv4_write(ip, addr, PROTOCOL_TCP, (uint16_t)(20 + tcp_len));
    uint16_t sum = checksum_add(f->sum, checksum_add(PROTOCOL_TCP, tcp_len));    // pseudo header
    store16_be(tcp + 16, (uint16_t)~checksum_octets(sum, ip + 12, (uint16_t)(8 + len), false));
}

bool tcp_send(struct frame *f, const struct whit_tcb *tcb, uint32_t seq, uint8_t flags, bool answer)
{
    tcp_write(f, WHIT_TCP_PORT, tcb->remote_addr, tcb->remote_port, seq, tcb->rcv_nxt, flags, 0);
    return frame_send(f, tcb->remote_addr, 40, answer);
}

void tcp_answer(uint32_t seq, uint32_t ack, uint8_t flags, uint16_t mss)
{
    const struct whit_tcb *work = &whit.rx.work;
    struct frame f;
    frame_init(&f);
    tcp_write(&f, load16_be(whit.rx.head + 2), work->remote_addr, work->remote_port, seq, ack, flags, mss);
    frame_send(&f, work->remote_addr, mss != 0 ? 44 : 40, true);
}

void tcp_reset(const struct whit_tcb *tcb)
{
    struct frame f;
    uint16_t flight = tcb->state == TCB_RESPONSE ? tcb->response.flight : 0;
    frame_init(&f);
    tcp_send(&f, tcb, tcb->snd_una + flight, TCP_RST | TCP_ACK, false);
}

// Gathers octets of the response from `position` on, `limit` at most; they may begin earlier, where a piece or a
// chunk does whose sum is known. Returns how many octets earlier.
static uint16_t gather(struct frame *f, const struct whit_tcb *tcb, uint32_t position, uint16_t limit)
{
    struct piece p;
    uint8_t index = 0;
    uint32_t start = 0;    // of the piece
    while (response_piece(tcb, index, f->digits, &p) && position - start >= p.len) {
        start += p.len;
        index++;
    }
    uint16_t back = 0, mss = (uint16_t)(tcb->mss4 * 4);
    uint32_t from = position - start;
    uint32_t grain = p.sums != NULL ? from & (WHIT_CHUNK - 1) : from;
    if (p.octets != NULL && p.in_flash && grain != 0) {
        uint32_t chunk_end = from - grain + (p.sums != NULL ? WHIT_CHUNK : p.len);
        if (chunk_end > p.len)
            chunk_end = p.len;
        if (chunk_end - from <= limit && chunk_end - (from - grain) <= mss) {
            back = (uint16_t)grain;
            from -= grain;
            limit = (uint16_t)(limit + back);
        }
    }
    if (limit > mss)
        limit = mss;
    while (response_piece(tcb, index, f->digits, &p)) {
        uint16_t room = (uint16_t)(limit - f->payload_len), added;
        if (room == 0)
            break;
        if (p.octets != NULL)
            added = content_static(f, &p, from, room);
        else
            added = content_generated(f, tcb, from, room);
        if (from + added < p.len)
            break;
        from = 0;
        index++;
    }
    return back;
}

// Sends octets [offset, offset + limit) behind snd_una, or as many as fit one segment. *end: the offset behind the last.
static bool send_response(struct whit_tcb *tcb, uint32_t offset, uint16_t limit, uint32_t *end)
{
    struct frame f;
    uint32_t content_left = response_len(tcb) - tcb->position;    // from snd_una on
    uint16_t back = 0;
    uint8_t flags = TCP_ACK;
    frame_init(&f);
    if (offset < content_left)
        back = gather(&f, tcb, tcb->position + offset, limit);
    *end = offset + f.payload_len - back;
    if (*end == content_left && (f.payload_len != 0 || offset == content_left)) {
        flags |= f.payload_len != 0 ? TCP_PSH : 0;
        if (connection_ends(tcb)) {
            flags |= TCP_FIN;
            ++*end;
        }
    }
    if (*end == offset)
        return true;    // nothing could be added: the content waits for room
    return tcp_send(&f, tcb, tcb->snd_una + offset - back, flags, false);
}

// Octets that may be sent at `offset` by the windows; a partial segment only when nothing is in flight or when it
// is the last (RFC 9293 section 3.8.6.2.1).
static uint16_t may_send(const struct whit_tcb *tcb, uint32_t offset)
{
    uint32_t mss = tcb->mss4 * UINT32_C(4);
    uint32_t window = unpacked(tcb->response.wnd, WND_BITS);
    uint32_t congestion = (tcb->cwnd + (tcb->response.mode <= MODE_TIMING ? tcb->response.dupacks : 0u)) * mss;
    uint32_t left = response_len(tcb) + connection_ends(tcb) - tcb->position;
    if (congestion < window)
        window = congestion;
    if (left <= offset || window <= offset)
        return 0;
    uint32_t usable = window - offset;
    left -= offset;
    if (usable < left && usable < mss && offset != 0)
        return 0;
    usable = usable < left ? usable : left;
    return (uint16_t)(usable < mss ? usable : mss);
}

static void sent_to(struct whit_tcb *tcb, uint32_t end)
{
    bool idle = tcb->response.flight == 0;
    if (tcb->response.mode == MODE_RESEND) {
        tcb->response.mark = (uint16_t)end;
        if (end >= tcb->response.flight)
            tcb->response.mode = MODE_PLAIN;
    }
    if (end > tcb->response.flight) {
        tcb->response.flight = (uint16_t)end;
        if (tcb->response.mode == MODE_PLAIN)
            rtt_start(tcb, (uint16_t)end);
        tcb->response.probed = 0;
        if (idle || tcb->response.mode <= MODE_TIMING)
            retransmit_arm(tcb);
    }
}

static bool send_ack(struct whit_tcb *tcb)
{
    struct frame f;
    uint16_t flight = tcb->state == TCB_RESPONSE ? tcb->response.flight : 0;
    frame_init(&f);
    tcb->ack_now = 0;    // lost when the link cannot take it: what caused it comes again
    return tcp_send(&f, tcb, tcb->snd_una + flight, TCP_ACK, false);
}

bool tcp_output(struct whit_tcb *tcb)
{
    if (tcb->state == TCB_RESPONSE) {
        uint32_t offset = tcb->response.mode == MODE_RESEND ? tcb->response.mark : tcb->response.flight;
        uint16_t limit = may_send(tcb, offset);
        if (limit != 0) {
            uint32_t end;
            if (!send_response(tcb, offset, limit, &end)) {
                if (whit_driver_ready())
                    retransmit_arm(tcb);    // the link does not know the way yet: later
                else
                    table_ready(tcb);
                return false;
            }
            if (end > offset) {
                tcb->ack_now = 0;
                sent_to(tcb, end);
                table_ready(tcb);
                return true;
            }
        }
        if (tcb->response.flight == 0)
            retransmit_arm(tcb);    // the window is closed
    }
    return tcb->ack_now ? send_ack(tcb) : false;
}

bool tcp_resend(struct whit_tcb *tcb, uint32_t offset)
{
    uint32_t end, left = tcb->response.flight - offset;
    uint16_t mss = (uint16_t)(tcb->mss4 * 4);
    uint16_t window = unpacked(tcb->response.wnd, WND_BITS);
    if (left > window)
        left = window != 0 ? window : 1;    // the peer shrank its window: no more than it takes, or a probe
    tcb->ack_now = 0;
    bool sent = send_response(tcb, offset, (uint16_t)(left < mss ? left : mss), &end);
    if (sent && end > tcb->response.flight)
        tcb->response.flight = (uint16_t)end;    // a FIN that the peer's own made due
    return sent;
}

bool tcp_probe_window(struct whit_tcb *tcb)
{
    uint32_t end;
    bool sent = send_response(tcb, 0, 1, &end);
    if (sent && end > tcb->response.flight)
        tcb->response.flight = (uint16_t)end;
    return sent;
}
