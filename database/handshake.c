// SPDX-License-Identifier: MIT
// Logging in: the server greets (protocol version 10), we answer its nonce, it may change the method once.
#include <string.h>

#include "place.h"
#include "wire.h"

#define VERSION 10
#define NONCE_LEN 20
#define NONCE_FIRST 8    // octets of it in the first part of the greeting
#define UTF8MB4 45       // utf8mb4_general_ci
#define CAN_LONG_PASSWORD 0x00000001u
#define CAN_LONG_FLAG 0x00000004u
#define CAN_WITH_DATABASE 0x00000008u
#define CAN_PROTOCOL_41 0x00000200u
#define CAN_TRANSACTIONS 0x00002000u
#define CAN_SECURE 0x00008000u
#define CAN_PLUGIN 0x00080000u
#define CAN_NO_ENDS 0x01000000u    // CLIENT_DEPRECATE_EOF: lists of definitions end by their count, rows by an OK
// MARIADB_CLIENT_CACHE_METADATA, of the 32 that MariaDB adds where CAN_LONG_PASSWORD is not set
#define CAN_REMEMBER 0x00000010u
#define CAN_NEEDED (CAN_PROTOCOL_41 | CAN_SECURE | CAN_PLUGIN)
#define HEADER_OK 0x00
#define HEADER_MORE 0x01
#define HEADER_SWITCH 0xfe
#define FAST_OK 3       // caching_sha2_password: the server knows a hash of the password
#define FULL_LOGIN 4    // ... it does not, and wants the password over TLS

static const struct {
    char name[22];
    uint8_t nonce_len;
} method_names[] = {
    [METHOD_NATIVE] = {"mysql_native_password", NONCE_LEN},
    [METHOD_SHA2] = {"caching_sha2_password", NONCE_LEN},
    [METHOD_ED25519] = {"client_ed25519", 32},
};
_Static_assert(sizeof method_names / sizeof method_names[0] == METHOD_CNT, "every method has its name here");

// Returns the method of this name, if it may be used; METHOD_CNT: none. `name` is ended by NUL.
static uint8_t method_of(const char *name)
{
    uint8_t method = 0;
    while (method < METHOD_CNT && (strcmp(name, method_names[method].name) != 0 || !(whit_login.methods >> method & 1)))
        method++;
    return method;
}

// Writes the answer to where the row begins.
static void answer_nonce(struct place *place, uint8_t method, const uint8_t *nonce)
{
    uint8_t response[RESPONSE_MAX];
    uint8_t len = 0;
    if (method == METHOD_NATIVE)
        len = login_native(response, nonce);
    else if (method == METHOD_SHA2)
        len = login_sha2(response, nonce);
    else
        len = login_ed25519(response, nonce);
    place->method = method;
    place->response_len = len;
    memcpy(place->row, response, len);
}

static enum progress refused(struct place *place)
{
    if (place->len >= 3)
        place->error = (uint16_t)read_uint(place->row + 1, 2);
    return place_break(place, DATABASE_REFUSED);
}

// Version, name of the server, number of the connection, nonce, capabilities and so on, rest of the nonce, method.
enum progress greeting_in(struct place *place)
{
    enum progress progress = packet_in(place, 0);
    if (progress != DONE)
        return progress;
    if (is_error(place, 0))
        return refused(place);
    const uint8_t *at = place->row, *end = place->row + place->len;
    if (*at++ != VERSION)
        return place_break(place, DATABASE_VERSION);
    const uint8_t *name_end = memchr(at, 0, (size_t)(end - at));
    if (name_end == NULL || end - name_end < 1 + 4 + NONCE_FIRST + 1 + 18)
        return place_break(place, DATABASE_MALFORMED);
    at = name_end + 1 + 4;
    uint8_t nonce[NONCE_MAX];
    memcpy(nonce, at, NONCE_FIRST);
    at += NONCE_FIRST + 1;
    uint32_t can = (uint32_t)(read_uint(at, 2) | read_uint(at + 5, 2) << 16);
    if ((can & CAN_NEEDED) != CAN_NEEDED || (whit_login.database[0] != 0 && !(can & CAN_WITH_DATABASE)))
        return place_break(place, DATABASE_VERSION);
    if (WHIT_DATABASE_FAST)
        terse_agree(place, (can & (CAN_LONG_PASSWORD | CAN_NO_ENDS)) == CAN_NO_ENDS &&
                               (read_uint(at + 14, 4) & CAN_REMEMBER) != 0);
    at += 18;
    uint8_t more = NONCE_LEN - NONCE_FIRST;
    if (end - at < more + 1 || at[more] != 0)
        return place_break(place, DATABASE_MALFORMED);
    memcpy(nonce + NONCE_FIRST, at, more);
    at += more + 1;
    uint8_t method = METHOD_CNT;
    if (memchr(at, 0, (size_t)(end - at)) != NULL)
        method = method_of((const char *)at);
    // It is the server's usual method, and perhaps not this user's: any answer makes the server name that one.
    if (method == METHOD_CNT || method_names[method].nonce_len != NONCE_LEN) {
        place->method = METHOD_ED25519;
        place->response_len = 0;
    } else {
        answer_nonce(place, method, nonce);
    }
    place->had_switch = false;
    return DONE;
}

void write_login(struct writer *writer, const struct place *place)
{
    const char *name = method_names[place->method].name;
    uint32_t wanted = whit_login.database[0] != 0 ? CAN_WITH_DATABASE : 0;
    bool is_terse = place_is_terse(place);
    put_uint(writer,
             wanted | (is_terse ? CAN_NO_ENDS : CAN_LONG_PASSWORD) | CAN_LONG_FLAG | CAN_TRANSACTIONS | CAN_NEEDED, 4);
    put_uint(writer, sizeof place->row, 4);    // the longest packet that we take; servers do not care
    put_uint(writer, UTF8MB4, 1);
    static const uint8_t reserved[23], remember[4] = {CAN_REMEMBER};
    put(writer, reserved, is_terse ? sizeof reserved - sizeof remember : sizeof reserved);
    if (is_terse)
        put(writer, remember, sizeof remember);
    put(writer, whit_login.user, (uint32_t)strlen(whit_login.user) + 1);
    put_uint(writer, place->response_len, 1);
    put(writer, place->row, place->response_len);
    if (wanted)
        put(writer, whit_login.database, (uint32_t)strlen(whit_login.database) + 1);
    put(writer, name, (uint32_t)strlen(name) + 1);
}

void write_switched(struct writer *writer, const struct place *place)
{
    put(writer, place->row, place->response_len);
}

// Another method: its name, its nonce, perhaps a NUL.
static enum progress switch_in(struct place *place)
{
    if (place->had_switch || place->method == METHOD_CNT)
        return place_break(place, DATABASE_SWITCH);
    place->had_switch = true;
    const uint8_t *name = place->row + 1, *end = place->row + place->len;
    const uint8_t *name_end = memchr(name, 0, (size_t)(end - name));
    if (name_end == NULL)    // also the method of before 4.1, which has no name
        return place_break(place, DATABASE_METHOD);
    uint8_t method = method_of((const char *)name);
    if (method == METHOD_CNT)
        return place_break(place, DATABASE_METHOD);
    const uint8_t *nonce = name_end + 1;
    uint8_t len = method_names[method].nonce_len;
    if (end - nonce != len && !(end - nonce == len + 1 && nonce[len] == 0))
        return place_break(place, DATABASE_SWITCH);
    answer_nonce(place, method, nonce);
    place->step = STEP_SWITCHED;
    return DONE;
}

enum progress login_answer_in(struct place *place)
{
    enum progress progress = packet_in(place, 0);
    if (progress != DONE)
        return progress;
    if (is_error(place, 0))
        return refused(place);
    if (place->row[0] == HEADER_SWITCH)
        return switch_in(place);
    if (place->row[0] == HEADER_MORE && place->method == METHOD_SHA2 && place->len == 2) {
        if (place->row[1] == FAST_OK) {
            place->method = METHOD_CNT;    // nothing more is to be sent
            return DONE;
        }
        return place_break(place, place->row[1] == FULL_LOGIN ? DATABASE_NEEDS_TLS : DATABASE_UNEXPECTED);
    }
    if (place->row[0] != HEADER_OK || place->len < 7)
        return place_break(place, DATABASE_UNEXPECTED);
    place->step = STEP_READY;
    database_count(DATABASE_CONNECTED);
    return DONE;
}
