// SPDX-License-Identifier: MIT
// Runs a request for callgrind, which counts the engine's instructions. --toggle-collect=measured_get or
// --toggle-collect=measured_segment count only inside these two functions.
//
// Arguments: a file that holds a request; the number of further segments of the response. Then two numbers of other
// connections: connections with an earlier request that stay; connections that have taken no octet of their answers.
//
// With --toggle-collect=measured_exchange: a whole connection with this request, if "connection" replaces the segments.
// With --toggle-collect=measured_turn: an idle turn of the main loop.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

static const struct whit_network network = {
    .mac = {2, 0, 0, 0, 0, 2},
    .address = {10, 7, 0, 2},
    .gateway = {0, 0, 0, 0},
    .prefix_len = 24,
};
#define FULL_SEGMENT 1440    // octets: of an MSS of 1460 the last whole chunk of 32

static uint32_t now_ms = 1000;
static uint32_t peer = 0x0a070001, seq = 5000, ack;
static uint16_t peer_port = 4000;
static uint32_t received;    // octets of the response since take_all()

// A driver that looks at the headers and takes the rest unseen, as hardware would that gathers the octets itself.
static uint8_t head[54];    // headers of Ethernet, IPv4 and TCP: the first two calls
static uint32_t taken;      // octets of the frame

bool whit_driver_ready(void)
{
    return true;
}

// it cuts no segments
uint16_t whit_driver_large(void)
{
    return 0;
}

void whit_driver_cut(uint16_t payload)
{
    (void)payload;
}

bool whit_driver_begin(uint16_t len)
{
    (void)len;
    taken = 0;
    return true;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    (void)place;
    if (taken < sizeof head)
        memcpy(head + taken, octets, len < sizeof head - taken ? len : sizeof head - taken);
    taken += len;
}

void whit_driver_end(void)
{
    uint32_t payload = taken - 34 - (head[46] >> 2);
    received += payload + 1;    // an acknowledgment without data is worth an answer, too
    ack = ((uint32_t)head[38] << 24 | (uint32_t)head[39] << 16 | (uint32_t)head[40] << 8 | head[41]) + payload +
          (head[47] >> 1 & 1);
}

uint32_t whit_port_now_ms(void)
{
    return now_ms;
}

uint32_t whit_port_now_us(void)
{
    return now_ms * 1000;
}

uint32_t whit_port_unix_s(void)
{
    return (uint32_t)time(NULL);
}

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    memset(to, 7, len);
}

static uint32_t add16(uint32_t sum, const uint8_t *octets, int len)
{
    for (int i = 0; i < len; i++)
        sum += (uint32_t)octets[i] << (i & 1 ? 0 : 8);
    return sum;
}

static void store_sum(uint8_t *to, uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    to[0] = (uint8_t)(~sum >> 8);
    to[1] = (uint8_t)~sum;
}

static void store32(uint8_t *to, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(number >> (24 - 8 * i));
}

// A segment from the peer to port 80, as an Ethernet frame. Returns its length.
static uint16_t make_frame(uint8_t *frame, uint8_t flags, const char *payload)
{
    static const uint8_t head[54] = {
        2, 0, 0, 0, 0, 2,  2, 0, 0, 0, 0, 1, 8,  0, 0x45, 0, 0, 0, 0, 0, 0x40, 0,    64, 6,    0,
        0, 0, 0, 0, 0, 10, 7, 0, 2, 0, 0, 0, 80, 0, 0,    0, 0, 0, 0, 0, 0,    0x50, 0,  0xff, 0xff,
    };
    uint16_t len = (uint16_t)strlen(payload), option_len = flags == 2 ? 4 : 0,
             tcp_len = (uint16_t)(20 + option_len + len);
    memcpy(frame, head, sizeof head);
    frame[16] = (uint8_t)((20 + tcp_len) >> 8);
    frame[17] = (uint8_t)(20 + tcp_len);
    store32(frame + 26, peer);
    frame[34] = (uint8_t)(peer_port >> 8);
    frame[35] = (uint8_t)peer_port;
    store_sum(frame + 24, add16(0, frame + 14, 20));
    store32(frame + 38, seq);
    store32(frame + 42, ack);
    frame[46] = (uint8_t)((20 + option_len) << 2);
    frame[47] = flags;
    memcpy(frame + 54, "\x02\x04\x05\xb4", option_len);
    memcpy(frame + 54 + option_len, payload, len);
    store_sum(frame + 50, add16(6u + tcp_len, frame + 26, 8 + tcp_len));
    return (uint16_t)(34 + tcp_len);
}

// One frame in, or none, and every frame out that follows from it.
static void exchange(const uint8_t *frame, uint16_t len)
{
    if (len != 0) {
        whit_input(frame, len, now_ms);
        whit_input_end(now_ms);
    }
    while (whit_output(now_ms)) {
    }
}

__attribute__((noinline)) void measured_get(const uint8_t *frame, uint16_t len)
{
    whit_input(frame, len, now_ms);
    whit_input_end(now_ms);
    whit_output(now_ms);
}

__attribute__((noinline)) void measured_segment(void)
{
    whit_output(now_ms);
}

__attribute__((noinline)) void measured_exchange(const uint8_t *frame, uint16_t len)
{
    exchange(frame, len);
}

__attribute__((noinline)) void measured_turn(void)
{
    whit_tick(now_ms);
    whit_output(now_ms);
    whit_next_ms(now_ms);
}

static uint32_t take_all(void)
{
    uint32_t octets = received;
    received = 0;
    return octets;
}

static void acknowledge(void)
{
    static uint8_t frame[1600];
    while (take_all() != 0)
        exchange(frame, make_frame(frame, 0x10, ""));
}

#define REQUEST_MAX 4000
#define SEGMENT_MAX 1400
#define TURNS_MAX 1000

static size_t read_request(const char *name, char *to)
{
    FILE *file = fopen(name, "rb");
    size_t len = file != NULL ? fread(to, 1, REQUEST_MAX, file) : 0;
    if (file != NULL)
        fclose(file);
    to[len] = '\0';
    return len;
}

#define FIN 1
#define ACK 0x10
#define PUSH 8

// Runs a whole connection. The client opens it, sends the request, acknowledges the response, and closes; the server
// has closed before, or does then.
static int whole_connection(const char *request, size_t len)
{
    static uint8_t frame[1600];

    seq++;
    measured_exchange(frame, make_frame(frame, ACK, ""));
    take_all();
    for (size_t at = 0; at < len; at += SEGMENT_MAX) {
        char segment[SEGMENT_MAX + 1];
        size_t part = len - at < SEGMENT_MAX ? len - at : SEGMENT_MAX;
        memcpy(segment, request + at, part);
        segment[part] = 0;
        if (at != 0)
            take_all();
        measured_exchange(frame, make_frame(frame, PUSH | ACK, segment));
        seq += (uint32_t)part;
    }
    for (int turn = 0; turn < TURNS_MAX && whit_counters[WHIT_COUNT_REQUESTS] == 0; turn++)
        measured_exchange(frame, 0);    // a slice of a computation
    while (take_all() != 0)
        measured_exchange(frame, make_frame(frame, ACK, ""));
    measured_exchange(frame, make_frame(frame, FIN | ACK, ""));
    seq++;
    if (take_all() > 1)
        measured_exchange(frame, make_frame(frame, ACK, ""));
    return whit_counters[WHIT_COUNT_REQUESTS] == 1 ? 0 : 1;
}

// Other connections that ask once.
static void ask_once(uint32_t cnt, const char *request, bool acknowledges)
{
    static uint8_t frame[1600];
    for (uint32_t i = 0; i < cnt; i++, peer_port++) {
        if (peer_port < 5000) {    // past the last one
            peer_port = 5000;
            peer++;
        }
        seq = 5000;
        ack = 0;
        exchange(frame, make_frame(frame, 2, ""));
        seq++;
        take_all();
        exchange(frame, make_frame(frame, PUSH | ACK, request));
        seq += (uint32_t)strlen(request);
        if (acknowledges)
            acknowledge();
    }
}

int main(int argc, char **argv)
{
    static uint8_t frame[1600];
    static char request[REQUEST_MAX + 1];
    size_t len = argc >= 3 ? read_request(argv[1], request) : 0;
    if (len == 0 || (len > SEGMENT_MAX && strcmp(argv[2], "connection") != 0)) {
        fprintf(stderr, "usage: %s FILE SEGMENTS|connection [IDLE [ACTIVE]]: expected a file that holds a request\n",
                argv[0]);
        return 2;
    }
    int segments = atoi(argv[2]);

    whit_init(&network, now_ms);
    if (strcmp(argv[2], "connection") == 0) {
        measured_exchange(frame, make_frame(frame, 2, ""));
        return whole_connection(request, len);
    }
    uint32_t idle = argc > 3 ? (uint32_t)atoi(argv[3]) : 0, active = argc > 4 ? (uint32_t)atoi(argv[4]) : 0;
    peer++;
    ask_once(idle, request, true);
    ask_once(active, request, false);
    peer = 0x0a070001;
    peer_port = 4000;
    seq = 5000;
    ack = 0;
    exchange(frame, make_frame(frame, 2, ""));
    seq++;
    take_all();
    for (int turn = 0; turn < 3; turn++) {    // twice to warm up: the third request comes on a kept-alive connection
        uint16_t frame_len = make_frame(frame, 0x18, request);
        if (turn < 2)
            exchange(frame, frame_len);
        else
            measured_get(frame, frame_len);
        seq += (uint32_t)len;
        if (received <= 1) {
            fprintf(stderr, "request %d was not answered with data\n", turn);
            return 1;
        }
        for (int i = 0; turn == 2 && i < segments; i++) {
            uint32_t before = received;
            measured_segment();
            if (received - before != FULL_SEGMENT + 1) {
                fprintf(stderr, "segment %d: %u octets of payload, expected %d\n", i, (unsigned)(received - before - 1),
                        FULL_SEGMENT);
                return 1;
            }
        }
        acknowledge();
    }
    now_ms++;
    measured_turn();
    if (whit_counters[WHIT_COUNT_TAG_EVICTED] > idle / 100) {
        fprintf(stderr, "%u of %u idle connections were forgotten\n", (unsigned)whit_counters[WHIT_COUNT_TAG_EVICTED],
                (unsigned)idle);
        return 1;
    }
    uint32_t asked = 3 + idle + active;
    // the counter stops at its largest number
    return whit_counters[WHIT_COUNT_REQUESTS] == (asked < UINT16_MAX ? asked : UINT16_MAX) ? 0 : 1;
}
