// SPDX-License-Identifier: MIT
// The machine has neither a MAC address nor ARP, so the bridge answers for it. It sends to the last sender: there is
// one machine on the other side of this link, the host.
#include "bridge.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pcap.h"

#define END 0xc0
#define ESC 0xdb
#define ESC_END 0xdc
#define ESC_ESC 0xdd

#define ETHER_HEAD 14
#define ARP_LEN 28
#define TYPE_IPV4 0x0800
#define TYPE_ARP 0x0806
#define QUEUE_LEN (1u << 16)    // octets towards the machine; a frame that finds no room is lost
#define PING_LEN 28

static struct bridge_options settings;
static const struct host_link *lower;
static uint8_t host_mac[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};    // broadcast, until the host has sent
static uint8_t queue[QUEUE_LEN];
static uint32_t queue_first, queue_cnt;
static uint8_t frame[HOST_FRAME_MAX];    // from the machine, its datagram after a head
static size_t frame_len = ETHER_HEAD;
static bool escaped;
static bool answered;

static uint16_t load16(const uint8_t *from)
{
    return (uint16_t)(from[0] << 8 | from[1]);
}

static void store16(uint8_t *to, unsigned number)
{
    to[0] = (uint8_t)(number >> 8);
    to[1] = (uint8_t)number;
}

static bool is_lost(void)
{
    settings.seed = settings.seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(settings.seed >> 11) / (double)(UINT64_C(1) << 53) < settings.loss;
}

// ------------------------------------------------------------------------------------------------ to the machine

static void enqueue(uint8_t octet)
{
    queue[(queue_first + queue_cnt++) % QUEUE_LEN] = octet;
}

static void to_machine(const uint8_t *datagram, size_t len)
{
    if (QUEUE_LEN - queue_cnt < 2 * len + 2)
        return;
    enqueue(END);
    for (size_t i = 0; i < len; i++) {
        if (datagram[i] == END || datagram[i] == ESC) {
            enqueue(ESC);
            enqueue(datagram[i] == END ? ESC_END : ESC_ESC);
        } else {
            enqueue(datagram[i]);
        }
    }
    enqueue(END);
}

bool bridge_has_octet(void)
{
    return queue_cnt != 0;
}

uint8_t bridge_take_octet(void)
{
    uint8_t octet = queue[queue_first];
    queue_first = (queue_first + 1) % QUEUE_LEN;
    queue_cnt--;
    return octet;
}

// ARP for IPv4 over Ethernet (RFC 826): the machine's address is at settings.mac.
static void answer_arp(const uint8_t *request)
{
    static const uint8_t beginning[] = {0, 1, 8, 0, 6, 4, 0, 1};
    if (memcmp(request, beginning, sizeof beginning) != 0 || memcmp(request + 24, settings.link.address, 4) != 0)
        return;
    uint8_t reply[ETHER_HEAD + ARP_LEN], *arp = reply + ETHER_HEAD;
    memcpy(reply, request + 8, 6);
    memcpy(reply + 6, settings.mac, 6);
    store16(reply + 12, TYPE_ARP);
    memcpy(arp, beginning, sizeof beginning);
    arp[7] = 2;
    memcpy(arp + 8, settings.mac, 6);
    memcpy(arp + 14, settings.link.address, 4);
    memcpy(arp + 18, request + 8, 10);
    pcap_frame(reply, sizeof reply);
    lower->send(reply, sizeof reply);
}

void host_receive(const uint8_t *octets, size_t len, uint32_t now_ms)
{
    (void)now_ms;
    pcap_frame(octets, len);
    if (len < ETHER_HEAD || memcmp(octets + 6, settings.mac, 6) == 0)
        return;
    memcpy(host_mac, octets + 6, 6);
    uint16_t type = load16(octets + 12);
    const uint8_t *content = octets + ETHER_HEAD;
    if (type == TYPE_ARP && len >= ETHER_HEAD + ARP_LEN) {
        answer_arp(content);
    } else if (type == TYPE_IPV4 && len >= ETHER_HEAD + 20) {
        uint16_t datagram_len = load16(content + 2);    // the octets after it are padding
        if (datagram_len <= len - ETHER_HEAD && !is_lost())
            to_machine(content, datagram_len);
    }
}

// ------------------------------------------------------------------------------------------------ from the machine

static bool is_pong(const uint8_t *datagram, size_t len)
{
    return len == PING_LEN && datagram[9] == IPPROTO_ICMP && datagram[20] == 0 && load16(datagram + 24) == 0x5748;
}

static void datagram_ends(void)
{
    size_t len = frame_len - ETHER_HEAD;
    if (len == 0)
        return;
    if (is_pong(frame + ETHER_HEAD, len)) {
        answered = true;
    } else if (!is_lost()) {
        memcpy(frame, host_mac, 6);
        memcpy(frame + 6, settings.mac, 6);
        store16(frame + 12, TYPE_IPV4);
        pcap_frame(frame, frame_len);
        lower->send(frame, frame_len);
    }
}

void bridge_from_machine(uint8_t octet)
{
    if (octet == END) {
        datagram_ends();
        frame_len = ETHER_HEAD;
        escaped = false;
    } else if (octet == ESC) {
        escaped = true;
    } else if (frame_len < sizeof frame) {
        frame[frame_len++] = !escaped ? octet : octet == ESC_END ? END : ESC;
        escaped = false;
    }
}

// ------------------------------------------------------------------------------------------------ is it there?

static uint16_t checksum(const uint8_t *octets, size_t len)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < len; i += 2)
        sum += load16(octets + i);
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

void bridge_ping(void)
{
    uint8_t ping[PING_LEN] = {0x45, 0, 0, PING_LEN, 0, 0, 0x40, 0, 64, IPPROTO_ICMP};
    memcpy(ping + 12, settings.link.address, 4);
    memcpy(ping + 16, settings.link.address, 4);
    // a neighbour's
    ping[15] = (uint8_t)(settings.link.address[3] & 3) == 1 ? (uint8_t)(ping[15] + 1) : (uint8_t)((ping[15] & ~3) | 1);
    store16(ping + 10, checksum(ping, 20));
    ping[20] = 8;
    store16(ping + 24, 0x5748);
    store16(ping + 22, checksum(ping + 20, PING_LEN - 20));
    to_machine(ping, sizeof ping);
}

bool bridge_answered(void)
{
    return answered;
}

// ------------------------------------------------------------------------------------------------ the network

enum host_link_result bridge_open(const struct bridge_options *options)
{
    settings = *options;
    lower = options->link.tap != NULL ? &host_tap : &host_slirp;
    enum host_link_result result = lower->open(&options->link);
    if (result != HOST_LINK_OK)
        return result;
    if (options->link.capture != NULL && !pcap_open(options->link.capture)) {
        fprintf(stderr, "%s: %s; name a file that can be written with --pcap\n", options->link.capture,
                strerror(errno));
        return HOST_LINK_FAILED;
    }
    return HOST_LINK_OK;
}

bool bridge_poll(void)
{
    return lower->poll(0);
}

void bridge_wait(uint32_t ms)
{
    pcap_flush();
    lower->wait(ms);
}
