// SPDX-License-Identifier: MIT
// Where plain HTTP only says that there is HTTPS: the location of a request, by its target and its Host (RFC 9110, section 15.4.9). The
// request's head is kept in BLOCK_INPUT up to its Host, and both are found there whenever they are sent. The grammar has read them: what
// they look like is known.
#include <stddef.h>

#include "content.h"
#include "../base/buffer.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../link/walk.h"

struct text_at {
    const uint8_t *octets;
    uint16_t len;
};

#define TEXT(number) #number
#define PORT_TEXT(number) ":" TEXT(number)
static const uint8_t port_text[] = PORT_TEXT(WHIT_HTTPS_PORT);
#define PORT_TEXT_LEN (WHIT_HTTPS_PORT == 443 ? 0 : sizeof port_text - 1)

static const uint8_t *find_octet(const uint8_t *at, const uint8_t *end, uint8_t octet)
{
    while (at != end && *at != octet)
        at++;
    return at;
}

// A host without its port, at the beginning of what stands up to `end`.
static struct text_at host_at(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *to = at;
    if (at != end && *at == '[')
        to = find_octet(at, end, ']');
    while (to != end && *to != ':' && *to != '/' && *to != '?' && *to > ' ')
        to++;
    return (struct text_at){at, (uint16_t)(to - at)};
}

// The line that begins with "Host:", up to its CR. len 0: it is not there, or not all of it.
static struct text_at host_line(const uint8_t *at, const uint8_t *end)
{
    static const char name[] = "host:";
    for (;;) {
        at = find_octet(at, end, '\n');
        if (at == end)
            return (struct text_at){NULL, 0};
        uint8_t same = 0;
        for (at++; same < sizeof name - 1 && at + same < end && (at[same] | 0x20) == (name[same] | 0x20); same++)
            ;
        const uint8_t *cr = find_octet(at, end, '\r');
        if (same == sizeof name - 1 && cr != end)
            return (struct text_at){at, (uint16_t)(cr - at)};
    }
}

bool redirect_keeps(const struct whit_tcb *tcb)
{
    uint16_t len;
    const uint8_t *octets = buffer_find(tcb, BLOCK_INPUT, &len);
    return octets == NULL || host_line(octets, octets + len).len == 0;
}

// The device's address, as it is written.
static uint16_t write_address(uint8_t *to)
{
    uint8_t *at = to;
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t number = whit.network->address[i];
        if (i != 0)
            *at++ = '.';
        if (number >= 100)
            *at++ = (uint8_t)('0' + number / 100);
        if (number >= 10)
            *at++ = (uint8_t)('0' + number / 10 % 10);
        *at++ = (uint8_t)('0' + number % 10);
    }
    return (uint16_t)(at - to);
}

void redirect_walk(struct walk *w, const struct whit_tcb *tcb)
{
    static const uint8_t slash[] = "/";
    uint8_t address[15];
    uint16_t len;
    const uint8_t *octets = buffer_find(tcb, BLOCK_INPUT, &len), *end = octets + len;
    const uint8_t *target = find_octet(octets, end, ' ') + 1, *target_end = find_octet(target, end, ' ');
    struct text_at host = host_line(target_end, end);
    if (*target != '/') {    // "http://" or "https://", and a host that counts more than the field (RFC 9112, section 3.2.2)
        host = host_at(find_octet(target, target_end, '/') + 2, target_end);
        target = host.octets + host.len;
        while (target != target_end && *target != '/' && *target != '?')
            target++;    // a port
    } else if (host.len != 0) {
        const uint8_t *value = host.octets + 5, *value_end = host.octets + host.len;
        while (value != value_end && *value <= ' ')
            value++;
        host = host_at(value, value_end);
    }
    if (host.len != 0)
        walk_ram(w, host.octets, host.len, WHIT_IN_BUFFER);
    else
        walk_ram(w, address, write_address(address), WHIT_IN_RAM);
    if (PORT_TEXT_LEN != 0)
        walk_ram(w, port_text, PORT_TEXT_LEN, WHIT_IN_BUFFER);
    if (target == target_end || *target != '/')
        walk_ram(w, slash, 1, WHIT_IN_BUFFER);
    if (target != target_end)
        walk_ram(w, target, (uint16_t)(target_end - target), WHIT_IN_BUFFER);
    walk_ram(w, (const uint8_t *)"\r\n", 2, WHIT_IN_BUFFER);
}
