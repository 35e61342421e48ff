// SPDX-License-Identifier: MIT
// Signed messages of a caller, with changes. The first octet gives the cuts, the rest is a message of SOAP. It ends in
// a fault, or the function runs, once, with the arguments that were signed. Signatures are replaced by a hash with
// another beginning, which the mutations cannot compute without the signed octets.
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "whit/crypto.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);
void fuzz_called(uint8_t level, const char *text);

#define MESSAGE_MAX 6000
#define UNIX_S 1800000000    // as signed_calls.py has it
#define ROUNDS_MAX 200

static uint8_t called_cnt;

void fuzz_called(uint8_t level, const char *text)
{
    CHECK(level == 5 && strcmp(text, "a<b & c") == 0);
    called_cnt++;
}

uint32_t whit_port_unix_s(void)
{
    return UNIX_S;
}

// ------------------------------------------------------------------------------------------------ signatures

bool whit_p256_check_begin(struct whit_p256_check *check, const uint8_t signature[64], const uint8_t point[64],
                           const uint8_t digest[32])
{
    static const char secret[] = "of the caller";
    struct whit_sha256 sha;
    uint8_t wanted[32], differs = 0;
    (void)point;
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, secret, sizeof secret - 1);
    whit_sha256_add(&sha, digest, 32);
    whit_sha256_end(&sha, wanted);
    for (uint8_t i = 0; i < 32; i++)    // no memcmp(), which a fuzzer learns from
        differs |= (signature[i] ^ wanted[i]) | (signature[32 + i] ^ digest[i]);
    memset(check, 0, sizeof *check);
    check->r[0] = differs;
    check->step = 3;
    return true;
}

bool whit_p256_check_step(struct whit_p256_check *check, bool *holds)
{
    *holds = check->r[0] == 0;
    return --check->step == 0;
}

// ------------------------------------------------------------------------------------------------ one connection

// Sends all of it in segments, and stores the answer.
static void say_all(const uint8_t *octets, size_t len, size_t most)
{
    struct client *c = &clients[0];
    uint32_t begin = c->una, heard = c->heard_len;
    c->base = begin;
    for (uint16_t round = 0, idle = 0; round < ROUNDS_MAX && idle < 6; round++) {
        size_t from = c->una - begin;
        uint32_t una = c->una, rcv_nxt = c->rcv_nxt;
        CHECK(from <= len);
        if (from < len)
            client_segment(c, c->una, c->rcv_nxt, TCP_ACK, 65535, NULL, 0, octets + from,
                           len - from < most ? len - from : most);
        world_output(UINT16_MAX);
        client_segment(c, c->una, c->rcv_nxt, TCP_ACK, 65535, NULL, 0, NULL, 0);
        world_output(UINT16_MAX);
        idle = (uint16_t)(c->una == una && c->rcv_nxt == rcv_nxt ? idle + 1 : 0);
        if (idle > 1 && c->heard_len != heard)
            break;
        if (idle != 0)
            world_advance(20);
    }
    check_state();
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
    static uint8_t request[MESSAGE_MAX + 200];
    if (len < 2 || len > MESSAGE_MAX)
        return -1;
    size_t most = octets[0] != 0 ? octets[0] * 6u : 1400;
    int head =
        snprintf((char *)request, 200,
                 "POST /device HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: %zu\r\n\r\n", len - 1);
    memcpy(request + head, octets + 1, len - 1);
    len += (size_t)head - 1;
    called_cnt = 0;
    world_begin(1000, 1);
    client_segment(&clients[0], 1, 0, TCP_SYN, 65535, NULL, 0, NULL, 0);
    world_output(UINT16_MAX);
    clients[0].mixed = true;
    say_all(request, len, most);
    if (called_cnt == 0)
        return 0;
    CHECK(memcmp(clients[0].heard, "HTTP/1.1 200", 12) == 0);
    say_all(request, len, most);
    CHECK(called_cnt == 1);
    return 0;
}
