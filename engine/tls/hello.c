// SPDX-License-Identifier: MIT
// Reads a hello and stores only values that the answer needs. Its extensions are lists of items, which differ in the
// lengths of their parts. One reader handles all of them, and refuses a length that exceeds the one around it.
#include <string.h>

#include "internal.h"
#include "whit/port.h"

#define HELLO_MAX 16384
#define CLIENT_HELLO 1
#define X25519 0x001d
#define ECDSA_SECP256R1_SHA256 0x0403
#define TLS_1_3 0x0304
#define PSK_DHE_KE 1

enum hello_state {
    STATE_TYPE,
    STATE_LENGTH,
    STATE_VERSION,
    STATE_RANDOM,
    STATE_SESSION_LEN,
    STATE_SESSION,
    STATE_CIPHERS_LEN,
    STATE_CIPHERS,
    STATE_COMPRESSIONS_LEN,
    STATE_COMPRESSIONS,
    STATE_EXTENSIONS_LEN,
    STATE_EXTENSION,
    STATE_EXTENSION_LEN,
    STATE_CONTENT,
    STATE_WHOLE,
};

enum list_part { PART_PREFIX, PART_HEAD, PART_CONTENT };

// Octets of: the list's length; an item's head, whose last octets are the length of its content; the content.
static const struct {
    uint8_t extension, prefix, head, length, tail;
} hello_lists[] WHIT_FLASH = {
    [LIST_VERSIONS] = {43, 1, 2, 0, 0}, [LIST_GROUPS] = {10, 2, 2, 0, 0},     [LIST_SIGNATURES] = {13, 2, 2, 0, 0},
    [LIST_MODES] = {45, 1, 1, 0, 0},    [LIST_PROTOCOLS] = {16, 2, 1, 1, 0},  [LIST_SHARES] = {51, 2, 4, 2, 0},
    [LIST_LIMIT] = {28, 0, 2, 0, 0},    [LIST_IDENTITIES] = {41, 2, 2, 2, 4}, [LIST_EARLY] = {42, 0, 1, 0, 0},
    [LIST_BINDERS] = {0, 2, 1, 1, 0},
};
#define OF_LIST(hello, field) whit_flash_u8(&hello_lists[(hello)->list].field)

static const char hello_http11[] WHIT_FLASH = "http/1.1";
#define HTTP11_LEN 8

bool hello_is_whole(const struct tls_hello *hello)
{
    return hello->state == STATE_WHOLE;
}

void hello_begin(struct tls_hello *hello)
{
    struct whit_sha256 sha = hello->sha;
    memset(hello, 0, sizeof *hello);
    hello->sha = sha;
}

static void list_begin(struct tls_hello *hello, enum hello_list list)
{
    hello->list = list;
    hello->number = 0;
    hello->need = OF_LIST(hello, prefix);
    hello->part = PART_PREFIX;
    if (hello->need == 0) {
        hello->list_left = hello->extension_left;
        hello->part = PART_HEAD;
        hello->need = OF_LIST(hello, head);
    }
}

static void count_up(uint8_t *number)
{
    if (*number < UINT8_MAX)
        ++*number;
}

// An item's head is read: evaluates it without its content.
static void item_head(struct tls_hello *hello, uint16_t number)
{
    hello->at = 0;
    switch (hello->list) {
    case LIST_VERSIONS:
        hello->flags |= number == TLS_1_3 ? HELLO_TLS13 : 0;
        break;
    case LIST_GROUPS:
        hello->flags |= number == X25519 ? HELLO_GROUP : 0;
        break;
    case LIST_SIGNATURES:
        hello->flags |= number == ECDSA_SECP256R1_SHA256 ? HELLO_SIGNATURE : 0;
        break;
    case LIST_MODES:
        hello->flags |= number == PSK_DHE_KE ? HELLO_DHE : 0;
        break;
    case LIST_LIMIT:
        hello->record_limit = number;
        break;
    case LIST_IDENTITIES:
        count_up(&hello->identities);
        break;
    case LIST_BINDERS:
        count_up(&hello->binders);
        break;
    default:
        break;
    }
}

// An item's head is whole. Returns an alert, or 0.
static uint8_t item_begin(struct tls_hello *hello)
{
    uint8_t length = OF_LIST(hello, length);
    if (length == 0) {
        item_head(hello, hello->number);
        hello->item_left = 0;
        return 0;
    }
    hello->item_left = length == 1 ? (uint8_t)hello->number : hello->number;
    item_head(hello, hello->item);
    bool empty = hello->item_left == 0;
    hello->item_left += OF_LIST(hello, tail);
    if (empty || hello->item_left > hello->list_left)
        return TLS_DECODE_ERROR;
    if (hello->list == LIST_BINDERS && hello->item_left < 32)
        return TLS_DECODE_ERROR;
    if (hello->list == LIST_SHARES && hello->item == X25519) {
        if (hello->item_left != 32 || (hello->flags & HELLO_SHARE))
            return TLS_ILLEGAL_PARAMETER;
        hello->flags |= HELLO_SHARE;
    }
    if (hello->list == LIST_IDENTITIES && hello->identities == 1 && hello->item_left == TLS_TICKET + 4)
        hello->flags |= HELLO_TICKET;
    if (hello->list == LIST_BINDERS && hello->binders == 1 && hello->item_left == 32)
        hello->flags |= HELLO_BINDER;
    return 0;
}

static void item_octet(struct tls_hello *hello, uint8_t octet)
{
    uint8_t at = hello->at;
    switch (hello->list) {
    case LIST_SHARES:
        if (hello->item == X25519)
            hello->share[at] = octet;
        break;
    case LIST_PROTOCOLS:    // `at` stays behind where they differ
        if (hello->item_left == 1 && at == HTTP11_LEN - 1 && octet == whit_flash_u8(hello_http11 + at))
            hello->flags |= HELLO_HTTP11;
        hello->at = at < HTTP11_LEN && octet == whit_flash_u8(hello_http11 + at) ? at + 1 : UINT8_MAX;
        return;
    case LIST_IDENTITIES:
        if (hello->identities == 1 && (hello->flags & HELLO_TICKET) && at < sizeof hello->ticket)
            hello->ticket[at] = octet;
        break;
    case LIST_BINDERS:
        if (hello->binders == 1 && (hello->flags & HELLO_BINDER))
            hello->binder[at] = octet;
        break;
    default:
        break;
    }
    count_up(&hello->at);
}

// An octet of an extension that we know. Returns an alert, or 0.
static uint8_t list_octet(struct tls_hello *hello, uint8_t octet)
{
    if (hello->part == PART_CONTENT) {
        item_octet(hello, octet);
        hello->item_left--;
        hello->list_left--;
    } else {
        uint8_t length = OF_LIST(hello, length);
        if (hello->part == PART_HEAD && hello->need == length)
            hello->item = hello->number, hello->number = 0;
        hello->number = (uint16_t)(hello->number << 8 | octet);
        if (hello->part == PART_HEAD)
            hello->list_left--;
        if (--hello->need > 0)
            return hello->part == PART_HEAD && hello->list_left == 0 ? TLS_DECODE_ERROR : 0;
        if (hello->part == PART_PREFIX) {
            hello->list_left = hello->number;
            if (hello->number == 0 || hello->number > hello->extension_left)
                return TLS_DECODE_ERROR;
            hello->item_left = 0;
        } else {
            uint8_t alert = item_begin(hello);
            if (alert != 0)
                return alert;
        }
    }
    if (hello->item_left > 0) {
        hello->part = PART_CONTENT;
    } else if (hello->list_left > 0) {
        hello->part = PART_HEAD;
        hello->need = OF_LIST(hello, head);
        hello->number = 0;
    } else if (hello->list == LIST_IDENTITIES && hello->extension_left > 0) {
        list_begin(hello, LIST_BINDERS);
    } else if (hello->extension_left > 0 || hello->list == LIST_IDENTITIES) {
        return TLS_DECODE_ERROR;
    }
    return 0;
}

// Its type and length are read. Returns an alert, or 0.
static uint8_t extension_begin(struct tls_hello *hello, uint16_t extension)
{
    uint8_t list = 0;
    while (list < LIST_BINDERS && whit_flash_u8(&hello_lists[list].extension) != extension)
        list++;
    if (HELLO_HAS(hello, LIST_IDENTITIES))    // the last one
        return TLS_ILLEGAL_PARAMETER;
    hello->list = LIST_UNKNOWN;
    if (list == LIST_BINDERS)
        return 0;
    if (HELLO_HAS(hello, list))
        return TLS_ILLEGAL_PARAMETER;
    hello->seen |= (uint16_t)(1u << list);
    if (list == LIST_SHARES && hello->extension_left == 2) {    // an empty list requires a HelloRetryRequest
        hello->need = 2;
        return 0;
    }
    if (list == LIST_EARLY ? hello->extension_left != 0 : hello->extension_left < 2)
        return TLS_DECODE_ERROR;
    if (list == LIST_LIMIT && hello->extension_left != 2)
        return TLS_DECODE_ERROR;
    if (list != LIST_EARLY)
        list_begin(hello, list);
    return 0;
}

static void number_begin(struct tls_hello *hello, uint8_t state, uint8_t len)
{
    hello->state = state;
    hello->need = len;
    hello->number = 0;
}

static void next_extension(struct tls_hello *hello)
{
    if (hello->message_left == 0)
        hello->state = STATE_WHOLE;
    else
        number_begin(hello, STATE_EXTENSION, 2);
}

static bool is_number(uint8_t state)
{
    return state <= STATE_LENGTH || state == STATE_CIPHERS_LEN || state == STATE_CIPHERS ||
           state == STATE_EXTENSIONS_LEN || state == STATE_EXTENSION || state == STATE_EXTENSION_LEN;
}

// Fields of the message, each by its own length. Returns an alert, or 0.
static uint8_t field_octet(struct tls *tls, uint8_t octet)
{
    struct tls_hello *hello = &tls->hello;
    if (hello->state == STATE_LENGTH && hello->need == 3 && octet != 0)
        return TLS_DECODE_ERROR;    // longer than 16 bits
    if (is_number(hello->state))
        hello->number = (uint16_t)(hello->number << 8 | octet);
    if (hello->need > 0 && --hello->need > 0 && hello->state != STATE_SESSION)
        return 0;
    switch (hello->state) {
    case STATE_TYPE:
        if (octet != CLIENT_HELLO)
            return TLS_UNEXPECTED_MESSAGE;
        number_begin(hello, STATE_LENGTH, 3);
        break;
    case STATE_LENGTH:
        hello->message_left = hello->number;
        hello->state = STATE_VERSION;
        hello->need = 2;
        return hello->number > HELLO_MAX ? TLS_DECODE_ERROR : 0;
    case STATE_VERSION:
        hello->state = STATE_RANDOM;
        hello->need = 32;
        break;
    case STATE_RANDOM:
        hello->state = STATE_SESSION_LEN;
        break;
    case STATE_SESSION_LEN:
        if (octet > sizeof tls->session_id)
            return TLS_DECODE_ERROR;
        tls->session_id_len = hello->need = octet;
        if (octet > 0)
            hello->state = STATE_SESSION;
        else
            number_begin(hello, STATE_CIPHERS_LEN, 2);
        break;
    case STATE_SESSION:
        tls->session_id[tls->session_id_len - 1 - hello->need] = octet;
        if (hello->need == 0)
            number_begin(hello, STATE_CIPHERS_LEN, 2);
        break;
    case STATE_CIPHERS_LEN:
        hello->list_left = hello->number;
        if (hello->number == 0 || hello->number % 2 != 0 || hello->number > hello->message_left)
            return TLS_DECODE_ERROR;
        number_begin(hello, STATE_CIPHERS, 2);
        break;
    case STATE_CIPHERS:
        if (hello->number == CHACHA20_POLY1305_SHA256)
            hello->flags |= HELLO_CIPHER;
        if (WHIT_HTTPS_AES && hello->number == AES_128_GCM_SHA256)
            hello->flags |= (hello->flags & HELLO_CIPHER) ? HELLO_AES : HELLO_AES | HELLO_AES_FIRST;
        hello->list_left -= 2;
        number_begin(hello, hello->list_left > 0 ? STATE_CIPHERS : STATE_COMPRESSIONS_LEN,
                     hello->list_left > 0 ? 2 : 1);
        break;
    case STATE_COMPRESSIONS_LEN:
        hello->need = octet;
        hello->flags |= octet != 1 ? HELLO_COMPRESSION : 0;
        hello->state = STATE_COMPRESSIONS;
        return octet == 0 ? TLS_DECODE_ERROR : 0;
    case STATE_COMPRESSIONS:
        hello->flags |= octet != 0 ? HELLO_COMPRESSION : 0;
        if (hello->message_left == 0)    // the client knows no extensions
            hello->state = STATE_WHOLE;
        else
            number_begin(hello, STATE_EXTENSIONS_LEN, 2);
        break;
    case STATE_EXTENSIONS_LEN:
        if (hello->number != hello->message_left)
            return TLS_DECODE_ERROR;
        next_extension(hello);
        break;
    case STATE_EXTENSION:
        hello->item = hello->number;
        number_begin(hello, STATE_EXTENSION_LEN, 2);
        break;
    default:    // STATE_EXTENSION_LEN
        hello->extension_left = hello->number;
        if (hello->number > hello->message_left)
            return TLS_DECODE_ERROR;
        hello->state = STATE_CONTENT;
        uint8_t alert = extension_begin(hello, hello->item);
        if (alert != 0)
            return alert;
        if (hello->extension_left == 0)
            next_extension(hello);
        break;
    }
    return 0;
}

static uint8_t content_octet(struct tls_hello *hello, uint8_t octet)
{
    uint8_t alert = 0;
    hello->extension_left--;
    if (hello->list < LIST_UNKNOWN)
        alert = list_octet(hello, octet);
    else if (hello->need > 0 && octet != 0)    // length of an empty list
        alert = TLS_DECODE_ERROR;
    if (alert == 0 && hello->extension_left == 0) {
        hello->need = 0;
        next_extension(hello);
    }
    return alert;
}

uint8_t hello_octet(struct tls *tls, uint8_t octet)
{
    struct tls_hello *hello = &tls->hello;
    if (hello->state == STATE_CONTENT && hello->list == LIST_BINDERS && hello->part == PART_PREFIX && hello->need == 2)
        tls_hash_so_far(hello->truncated, &hello->sha);
    whit_sha256_add(&hello->sha, &octet, 1);
    if (hello->state > STATE_LENGTH) {
        if (hello->message_left == 0)
            return TLS_DECODE_ERROR;
        hello->message_left--;
    }
    if (hello->state == STATE_CONTENT)
        return content_octet(hello, octet);
    uint8_t alert = field_octet(tls, octet);
    return alert == 0 && hello->message_left == 0 && hello->state > STATE_VERSION && hello->state != STATE_WHOLE
               ? TLS_DECODE_ERROR
               : alert;
}
