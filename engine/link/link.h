// SPDX-License-Identifier: MIT
// Frames in and out: the link, ARP, IPv4, ICMP, UDP. The floors above send by frame_begin(), put octets, and end with
// link_out_end(); what is received goes by the stages of rx.h.
#ifndef WHIT_LINK_LINK_H
#define WHIT_LINK_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/tcb.h"

#define LINK_ADDRESS 6
#define PROTOCOL_ICMP 1
#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17

void link_init(void);
void link_begin(void);                         // a new frame begins
void link_head(void);                          // RX_LINK_HEAD is complete
void arp_head(void);                           // the fixed part of an ARP packet is complete
void arp_commit(void);                         // all of it is: answers, or learns a MAC address
void link_learn(const struct whit_tcb *slot);   // the frame being received came from its peer
void link_known(const struct whit_tcb *slot, uint8_t *address);    // where its peer is, LINK_ADDRESS octets
void link_doubt(const struct whit_tcb *slot);   // its peer does not answer: is it where it was? From now on routers may cut segments to it
bool link_cuts(const struct whit_tcb *slot);    // they may

// The way to a host that we speak to first, one for each connection that the server opens (engine/client): on Ethernet, where its next
// hop is. Nothing but an answer to our own question tells.
void link_way_ask(uint8_t number, uint32_t addr);
bool link_way_known(uint8_t number);
void link_way_forget(uint8_t number);
void link_way_learn(uint8_t number);           // a frame of its peer is being received
void link_way_take(uint8_t number);            // answers go there, as with link_answer_to()

void ipv4_head(void);                          // the first 20 octets are complete
void ipv4_options(void);                       // the options are complete, if there are any
bool ipv4_is_host(uint32_t source);            // an address of another host, as far as that can be told
void icmp_head(void);
void icmp_data(const uint8_t *octets, uint16_t len);
void icmp_commit(void);
void udp_begin(void);                          // the IP header is complete
void udp_head(void);
void udp_commit(void);

// Begins a frame: headers from IP's on, `carried` octets are to follow. to: a slot; NULL: it goes where the frame being received came from.
// False: it cannot be sent, and nothing has left.
bool frame_begin(const uint8_t *head, uint8_t head_len, uint16_t carried, const struct whit_tcb *to);
// The same, in fewer calls of the driver: LINK_ROOM octets before `head` are free.
#define LINK_ROOM 16    // a link's header, so that words of what follows it may be aligned
bool frame_begin_behind(uint8_t *head, uint8_t head_len, uint16_t carried, const struct whit_tcb *to);
uint8_t link_write(uint8_t *end, const struct whit_tcb *to);    // the link's header before `end`; how long it is
bool link_out(const struct whit_tcb *to, uint16_t len);    // link_*.c; false: the driver is busy
void link_source(uint8_t *address);            // where the frame being received came from, LINK_ADDRESS octets
void link_answer_to(const uint8_t *address);   // answers go there instead
void link_out_end(void);                       // all octets of the frame were put
// Returns identification and flags. Segments have "don't fragment" (DF), and may have the identification 0 (RFC 6864). Where routers may
// cut them, `other` differs each time.
#define IPV4_WHOLE UINT32_C(0x4000)
static inline uint32_t ipv4_parts(bool may, uint32_t other) { return may ? other << 16 : IPV4_WHOLE; }
void ipv4_write(uint8_t *ip, uint32_t remote_addr, uint8_t protocol, uint16_t total_len);    // a header of 20 octets

#endif
