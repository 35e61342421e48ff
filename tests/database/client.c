// SPDX-License-Identifier: MIT
// whit/client.h over rings of octets that the test moves to and from real sockets, and the clock of the test.
#include "whit/client.h"

#include <stdio.h>
#include <string.h>

#include "whit/port.h"

#define CLIENTS 16
#ifndef RING
#define RING 512    // octets of each one's send and receive buffer
#endif

static struct {
    enum client_state state;
    uint16_t sent_len, received_len;
    uint8_t sent[RING], received[RING];
} clients[CLIENTS + 1];
static uint32_t now_ms;

static char why[160];    // reason of a failed query, as in the request log

void log_unavailable(const char *flash, uint32_t number);
const char *test_why(void);

void log_unavailable(const char *flash, uint32_t number)
{
    const char *mark = strchr(flash, '#');
    int before = mark != NULL ? (int)(mark - flash) : (int)strlen(flash);
    snprintf(why, sizeof why, "%.*s", before, flash);
    if (mark != NULL)
        snprintf(why + before, sizeof why - (size_t)before, "%lu%s", (unsigned long)number, mark + 1);
}

const char *test_why(void)
{
    return why;
}

uint32_t whit_port_now_ms(void)
{
    return now_ms;
}

whit_client client_open(uint32_t address, uint16_t port, uint16_t timeout_ms)
{
    (void)address, (void)port, (void)timeout_ms;
    for (whit_client client = 1; client <= CLIENTS; client++) {
        if (clients[client].state != CLIENT_NONE)
            continue;
        clients[client].state = CLIENT_OPENING;
        clients[client].sent_len = clients[client].received_len = 0;
        return client;
    }
    return 0;
}

static bool lends, is_lent[CLIENTS + 1];    // a request is handled; the one that has this connection is not over

void client_keep(whit_client client)
{
    (void)client;
}
bool client_lend(whit_client client)
{
    return is_lent[client] = lends;
}
bool client_lent(whit_client client)
{
    return is_lent[client];
}
void test_lends(bool lend)
{
    lends = lend;
}
void test_over(whit_client client)
{
    is_lent[client] = false;
}
void client_queue(void)
{
}
void client_call(void)
{
}
enum client_state client_state(whit_client client)
{
    return clients[client].state;
}
uint16_t client_room(whit_client client)
{
    return clients[client].state == CLIENT_OPEN ? RING - clients[client].sent_len : 0;
}
uint16_t client_available(whit_client client)
{
    return clients[client].received_len;
}

bool client_send(whit_client client, const void *octets, uint16_t len)
{
    if (client_room(client) < len)
        return false;
    memcpy(clients[client].sent + clients[client].sent_len, octets, len);
    clients[client].sent_len = (uint16_t)(clients[client].sent_len + len);
    return true;
}

uint16_t client_peek(whit_client client, void *to, uint16_t from, uint16_t len)
{
    if (from > clients[client].received_len)
        return 0;
    if (len > clients[client].received_len - from)
        len = (uint16_t)(clients[client].received_len - from);
    memcpy(to, clients[client].received + from, len);
    return len;
}

const void *client_octets(whit_client client, uint16_t *len)
{
    *len = clients[client].received_len < 300 ? clients[client].received_len : 300;    // as where a ring begins anew
    return clients[client].received;
}

void client_skip(whit_client client, uint16_t len)
{
    clients[client].received_len = (uint16_t)(clients[client].received_len - len);
    memmove(clients[client].received, clients[client].received + len, clients[client].received_len);
}

void client_close(whit_client client)
{
    clients[client].state = CLIENT_NONE;
}
void client_abort(whit_client client)
{
    clients[client].state = CLIENT_NONE;
}

// ------------------------------------------------------------------------------------------------ for the test

void test_time(uint32_t ms)
{
    now_ms = ms;
}
void test_state(whit_client client, int state)
{
    clients[client].state = (enum client_state)state;
}
uint16_t test_room(whit_client client)
{
    return RING - clients[client].received_len;
}

void test_receive(whit_client client, const uint8_t *octets, uint16_t len)
{
    memcpy(clients[client].received + clients[client].received_len, octets, len);
    clients[client].received_len = (uint16_t)(clients[client].received_len + len);
}

uint16_t test_sent(whit_client client, uint8_t *to)
{
    uint16_t len = clients[client].sent_len;
    memcpy(to, clients[client].sent, len);
    clients[client].sent_len = 0;
    return len;
}
