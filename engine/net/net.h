// SPDX-License-Identifier: MIT
// Frames in and out: the link, ARP, IPv4, ICMP, UDP. The layers above send by frame_begin(), put octets, and end with
// link_out_end(). Received octets pass the stages below.
#ifndef WHIT_NET_NET_H
#define WHIT_NET_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/buffer.h"
#include "../core/limits.h"
#include "../core/checksum.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "whit/driver.h"
#include "whit/engine.h"

#define LINK_ADDRESS 6
#define PROTOCOL_ICMP 1
#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17

void link_init(void);
void link_begin(void);                                             // a new frame begins
void link_head(void);                                              // RX_LINK_HEAD is complete
void arp_head(void);                                               // the fixed part of an ARP packet is complete
void arp_commit(void);                                             // all of it is: answers, or learns a MAC address
void link_learn(const struct whit_tcb *slot);                      // the frame being received came from its peer
void link_known(const struct whit_tcb *slot, uint8_t *address);    // address of its peer, LINK_ADDRESS octets
// its peer does not answer: is it where it was? From now on routers may cut segments to it
void link_doubt(const struct whit_tcb *slot);
bool link_cuts(const struct whit_tcb *slot);    // they may

// The next hop to a host that we contact first, one for each connection that the server opens (engine/outgoing). Only
// an answer to our own request sets it.
void link_way_ask(uint8_t number, uint32_t addr);
bool link_way_known(uint8_t number);
void link_way_forget(uint8_t number);
void link_way_learn(uint8_t number);    // a frame of its peer is being received
void link_way_take(uint8_t number);     // answers go there, as with link_answer_to()

void ipv4_head(void);                  // the first 20 octets are complete
void ipv4_options(void);               // the options are complete, if there are any
bool ipv4_is_host(uint32_t source);    // an address of another host, as far as the prefix shows
void icmp_head(void);
void icmp_data(const uint8_t *octets, uint16_t len);
void icmp_commit(void);
void udp_head(void);
void udp_commit(void);

// Begins a frame: headers from IP's on, `carried` octets are to follow. to: a slot; NULL: it goes where the frame being
// received came from. False: it cannot be sent, and nothing has left.
bool frame_begin(const uint8_t *head, uint8_t head_len, uint16_t carried, const struct whit_tcb *to);
// The same, in fewer calls of the driver: LINK_ROOM octets before `head` are free.
#define LINK_ROOM 16    // a link's header, so that words of the datagram may be aligned
bool frame_begin_behind(uint8_t *head, uint8_t head_len, uint16_t carried, const struct whit_tcb *to);
uint8_t link_write(uint8_t *end, const struct whit_tcb *to);    // the link's header before `end`; how long it is
bool link_out(const struct whit_tcb *to, uint16_t len);         // link_*.c; false: the driver is busy
void link_source(uint8_t *address);             // source of the frame being received, LINK_ADDRESS octets
void link_answer_to(const uint8_t *address);    // answers go there instead
void link_out_end(void);                        // all octets of the frame were put
// Returns identification and flags. Segments have "don't fragment" (DF), and may have the identification 0 (RFC 6864).
// If routers may fragment them, `other` differs each time.
#define IPV4_WHOLE UINT32_C(0x4000)
static inline uint32_t ipv4_parts(bool may, uint32_t other)
{
    return may ? other << 16 : IPV4_WHOLE;
}
void ipv4_write(uint8_t *ip, uint32_t remote_addr, uint8_t protocol, uint16_t total_len);    // a header of 20 octets

// -------------------------------------------------------------------------------------------- the frame being received

// The frame being received: which octets of it are wanted next (ip.c).

// True if no octets of a segment are being read: the blocks of others may move.
static inline bool rx_rests(void)
{
    return whit.rx.stage <= RX_IP_HEAD || whit.rx.stage == RX_IGNORE;
}
void rx_begin(uint8_t stage, uint16_t need);    // the next `need` octets are for `stage`
void rx_ignore(enum whit_counter why);          // drop: count, and pass over the rest of the frame
void rx_forget(const struct whit_tcb *slot);    // the slot changed under a frame that is half in: drop that frame

// The slot of its connection; NULL: it has none, or none is known yet.
static inline void rx_belongs_to(struct whit_rx *rx, struct whit_tcb *slot)
{
    rx->slot = slot;
}

// A header of `len` octets is complete. The octets after it are the payload.
static inline void rx_head_read(struct whit_rx *rx, uint8_t len)
{
    rx->payload_len = (uint16_t)(rx->payload_len - len);
}

// ------------------------------------------------------------------------------------------------ the current segment

// The current segment: its header stays in whit.rx.head.

#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_RST 0x04
#define TCP_PSH 0x08
#define TCP_ACK 0x10

// The current segment: its header stays in whit.rx.head.
static inline uint32_t seg_seq(void)
{
    return load32_be(whit.rx.head + 4);
}
static inline uint32_t seg_ack(void)
{
    return load32_be(whit.rx.head + 8);
}
static inline uint16_t seg_wnd(void)
{
    return load16_be(whit.rx.head + 14);
}
static inline uint8_t seg_flags(void)
{
    return whit.rx.head[13];
}
// Returns the octets of data; a FIN counts as one.
#if WHIT_FAST
static inline
#else
static __attribute__((noinline, unused))
#endif
    uint16_t seg_len(void)
{
    return (uint16_t)(whit.rx.payload_len + (seg_flags() & TCP_FIN));
}
_Static_assert(TCP_FIN == 1, "counts as one");
static inline bool seg_is_pure(void)
{
    return seg_len() == 0;
}

// ------------------------------------------------------------------------------------------ a payload, counted and put

// A segment's payload, counted and then put (ip.c).

// A segment's payload is found twice by the same walk over the response. The first pass counts its octets and computes
// their sum. The second pass, after the headers with both, passes them to the driver. Between the passes, generated
// octets are at the free end of the shared buffer.
struct walk {
    whit_position skip;     // octets still to be passed over
    const uint8_t *made;    // octets that were generated in the first pass
    uint16_t made_len;
    uint16_t limit;    // octets that may still be taken
    uint16_t len;      // octets that were counted
    uint16_t sum;
    uint16_t mss;            // the peer's MSS: limit may grow to it by octets that the peer has already
    uint16_t overlap_len;    // octets that the peer has already
    bool puts : 1;           // the second pass
    bool new_chunk : 1;      // rerun.c made a further chunk
};
// "Content-Length: ", a number, CR LF CR LF; an entity tag's line before it
#define FRAMING_MAX (WHIT_HAS_STORED ? 48 : WHIT_HAS_GENERATORS ? 30 : 1)
_Static_assert(14 + 40 + FRAMING_MAX <= WHIT_PUTS_RAM, "driver.h");
_Static_assert(2 + 3 + 5 <= WHIT_PUTS_MAX, "driver.h: json_error.c has five pieces");
// Pieces of link, IP and TCP; version, code, a field line; fields that a handler chose; the compiler's head; the
// framing of generated octets, and the octets.
_Static_assert(2 + 3 + WHIT_HAS_ANSWER * WHIT_ANSWER_FIELDS + 2 + 3 <= WHIT_PUTS_MAX, "driver.h");

// Takes octets of RAM, as many as there is room for. place: as in driver.h.
void walk_ram(struct walk *w, const uint8_t *octets, uint16_t len, uint8_t place);
void walk_put(const uint8_t *octets, uint16_t len, uint8_t place);    // second pass
void walk_count(struct walk *w, uint16_t len, uint16_t sum);          // first pass

// Sealed octets need one pass: they are written here, and the pointer advances. NULL: they go to the driver.
extern uint8_t *walk_record;
static inline bool walk_collects(void)
{
    return WHIT_TLS && walk_record != NULL;
}

// ------------------------------------------------------------------------------------------------ its checksum

// The checksum of the frame being received: of IP's header, then of the pseudo header and the datagram's payload. The
// current header is in `head`.

#define RX_SUM_RIGHT 0xffff    // with its checksum

static inline void rx_sum_ip_head(struct whit_rx *rx)
{
    rx->sum = checksum_head(0, rx->head);
}

// IP's header is still there: options are not collected.
static inline void rx_sum_tcp_pseudo(struct whit_rx *rx)
{
    const uint8_t *addresses = rx->head + 12;
    if (WHIT_FAST) {
        rx->sum = checksum_fold(checksum_halves(load32_be(addresses)) + checksum_halves(load32_be(addresses + 4)) +
                                PROTOCOL_TCP + rx->payload_len);
    } else {
        rx->sum = checksum_add(checksum_octets(PROTOCOL_TCP, addresses, 8, false), rx->payload_len);
    }
}

static inline void rx_sum_tcp_head(struct whit_rx *rx)
{
    rx->sum = checksum_head(rx->sum, rx->head);
}

// Its length comes with the header of UDP.
static inline void rx_sum_udp_pseudo(struct whit_rx *rx)
{
    rx->sum = checksum_octets(PROTOCOL_UDP, rx->head + 12, 8, false);
}

static inline void rx_sum_udp_head(struct whit_rx *rx, uint16_t len)
{
    rx->sum = checksum_octets(checksum_add(rx->sum, len), rx->head, 8, false);
}

static inline void rx_sum_icmp_head(struct whit_rx *rx)    // ICMP has no pseudo header
{
    rx->sum = checksum_octets(0, rx->head, 8, false);
}

// Adds octets that are not collected. The length of all octets before them is even.
static inline void rx_sum_octets(struct whit_rx *rx, const uint8_t *octets, uint16_t len)
{
    rx->sum = checksum_octets(rx->sum, octets, len, rx->have & 1);
}

// ------------------------------------------------------------------------------------------------ Ethernet

// Functions shared by the files of Ethernet.

extern struct ethernet {
    uint8_t source[6];          // source of the frame being received
    uint16_t asked;             // lower half of the address of the last ARP request, 0: answered
    uint8_t peers[PEERS][6];    // MAC addresses of the hosts of core/tcb.h
} ethernet;

#endif
