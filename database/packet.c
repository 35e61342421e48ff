// SPDX-License-Identifier: MIT
// Packets: three octets of length, one of sequence, and the payload. A received packet is collected in the place's row,
// for any split of the segments. A sent packet is a function of its position. It is written anew each time there is
// room, and the octets already sent are skipped (run.c).
#include <stddef.h>
#include <string.h>

#include "place.h"
#include "wire.h"

#define PAYLOAD_MAX 0xffffffu    // such a packet is continued in the next one; ours are shorter

// Nothing more can be read now.
static enum progress packet_waits(struct place *place)
{
    enum client_state state = client_state(place->client);
    // opens the window for the server, and starts the client's time-out
    client_available(place->client);
    if (state == CLIENT_OPEN || state == CLIENT_OPENING)
        return WAITS;
    return place_break(place, place_is_late(place) && state == CLIENT_FAILED ? DATABASE_TIMEOUT : DATABASE_LOST);
}

static enum progress header_in(struct place *place, uint32_t room)
{
    if (place->in_packet)
        return DONE;
    uint8_t header[PACKET_HEADER];
    if (client_peek(place->client, header, 0, PACKET_HEADER) != PACKET_HEADER)
        return packet_waits(place);
    uint32_t len = (uint32_t)read_uint(header, 3);
    if (header[3] != place->sequence)
        return place_break(place, DATABASE_SEQUENCE);
    if (len == 0)
        return place_break(place, DATABASE_MALFORMED);
    if (len > room || len == PAYLOAD_MAX)
        return place_break(place, DATABASE_LONG);
    client_skip(place->client, PACKET_HEADER);
    place->sequence++;
    place->left = len;
    place->len = 0;
    place->in_packet = true;
    return DONE;
}

// True if the packet is complete and the expected one.
static bool whole_in(struct place *place, uint16_t from)
{
    uint16_t there;
    const uint8_t *octets = client_octets(place->client, &there);
    if (place->in_packet || there <= PACKET_HEADER || octets[2] != 0 || octets[3] != place->sequence)
        return false;
    uint32_t len = octets[0] | (uint32_t)octets[1] << 8;
    if (len == 0 || len > sizeof place->row - from || PACKET_HEADER + len > there)
        return false;
    memcpy(place->row + from, octets + PACKET_HEADER, len);
    client_skip(place->client, (uint16_t)(PACKET_HEADER + len));
    place->sequence++;
    place->len = (uint16_t)len;
    return true;
}

// The next packet, to row[from ...]; place->len is then its length.
enum progress packet_in(struct place *place, uint16_t from)
{
    if (WHIT_DATABASE_FAST && whole_in(place, from))
        return DONE;
    enum progress progress = header_in(place, (uint32_t)sizeof place->row - from);
    if (progress != DONE)
        return progress;
    while (place->left > 0) {
        uint16_t len = client_peek(place->client, place->row + from + place->len, 0, (uint16_t)place->left);
        if (len == 0)
            return packet_waits(place);
        client_skip(place->client, len);
        place->len = (uint16_t)(place->len + len);
        place->left -= len;
    }
    place->in_packet = false;
    return DONE;
}

// The last octets of a packet of any length; the others are passed over.
enum progress packet_tail_in(struct place *place, uint8_t *to, uint8_t len)
{
    enum progress progress = header_in(place, PAYLOAD_MAX);
    if (progress != DONE)
        return progress;
    if (place->left < len)
        return place_break(place, DATABASE_MALFORMED);
    while (place->left > len) {
        uint16_t passed = client_available(place->client);
        if (passed == 0)
            return packet_waits(place);
        if (passed > place->left - len)
            passed = (uint16_t)(place->left - len);
        client_skip(place->client, passed);
        place->left -= passed;
    }
    if (client_peek(place->client, to, 0, len) != len)
        return packet_waits(place);
    client_skip(place->client, len);
    place->left = 0;
    place->in_packet = false;
    return DONE;
}

// The next octets of the packet that goes out.
void put(struct writer *writer, const void *octets, uint32_t len)
{
    struct place *place = writer->place;
    if (WHIT_DATABASE_FAST && writer->at + len <= writer->room)
        memcpy(writer->to + writer->at, octets, len);
    if (place != NULL && writer->at <= place->sent && place->sent < writer->at + len) {
        uint32_t from = place->sent - writer->at;
        uint16_t room = client_room(place->client);
        uint16_t sent = len - from < room ? (uint16_t)(len - from) : room;
        if (sent > 0 && client_send(place->client, (const uint8_t *)octets + from, sent))
            place->sent += sent;
    }
    writer->at += len;
}

void put_uint(struct writer *writer, uint64_t number, uint8_t len)
{
    uint8_t octets[8];
    for (uint8_t i = 0; i < len; i++, number >>= 8)
        octets[i] = (uint8_t)number;
    put(writer, octets, len);
}
