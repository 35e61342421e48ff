// SPDX-License-Identifier: MIT
// The transfer coding of a body (RFC 9112 sections 6, 7): a length, or chunks, whose extensions and trailers are passed over.
#include <string.h>

#include "parser.h"
#include "../base/automaton.h"
#include "../base/body_block.h"
#include "../base/grammar.h"

// A chunk's size, digit by digit; what it would take beyond the body's limit is refused.
static uint8_t size_step(struct body *b, uint8_t c)
{
    uint8_t lower = c >= 'A' ? c | 0x20 : c;
    if (in_class(CLASS_HEX, lower)) {
        uint8_t digit = hex_value(lower);
        if (b->left > UINT32_C(0x0fffffff) || b->left * 16 + digit > b->room)
            return HTTP_413;
        b->left = b->left * 16 + digit;
        b->transfer = TRANSFER_DIGITS;
    } else if (b->transfer == TRANSFER_SIZE) {
        return HTTP_400;
    } else if (c == '\r') {
        b->transfer = TRANSFER_SIZE_LF;
    } else if (c == ';' || c == ' ' || c == '\t') {
        b->transfer = TRANSFER_EXTENSION;
    } else {
        return HTTP_400;
    }
    return HTTP_200;
}

// An octet of a line that is passed over.
static uint8_t line_step(struct body *b, uint8_t c, uint8_t after)
{
    if (c == '\r')
        b->transfer = after;
    else if ((c < ' ' && c != '\t') || c == 0x7f)
        return HTTP_400;
    return HTTP_200;
}

static void chunk_begin(struct body *b)
{
    b->room -= b->left;
    b->transfer = b->left != 0 ? TRANSFER_CHUNK : TRANSFER_TRAILER;
    b->line_len = 0;
}

static uint8_t frame_step(struct body *b, uint8_t c)
{
    uint16_t max = b->transfer < TRANSFER_TRAILER ? LINE_MAX : TRAILERS_MAX;
    bool cr = c == '\r', lf = c == '\n';
    if (++b->line_len > max)
        return HTTP_400;
    switch (b->transfer) {
    case TRANSFER_SIZE:
    case TRANSFER_DIGITS: return size_step(b, c);
    case TRANSFER_EXTENSION: return line_step(b, c, TRANSFER_SIZE_LF);
    case TRANSFER_TRAILER_LINE: return line_step(b, c, TRANSFER_TRAILER_LF);
    case TRANSFER_TRAILER:
        b->transfer = TRANSFER_TRAILER_LINE;
        return line_step(b, c, TRANSFER_END_LF);
    case TRANSFER_CHUNK_CR:
        b->transfer = TRANSFER_CHUNK_LF;
        return cr ? HTTP_200 : HTTP_400;
    case TRANSFER_CHUNK_LF:
        b->transfer = TRANSFER_SIZE;
        b->line_len = 0;
        break;
    case TRANSFER_SIZE_LF: chunk_begin(b); break;
    case TRANSFER_TRAILER_LF: b->transfer = TRANSFER_TRAILER; break;
    default: b->transfer = TRANSFER_DONE; break;
    }
    return lf ? HTTP_200 : HTTP_400;
}

uint16_t transfer_run(struct body *b, uint8_t *octets, uint16_t len, uint8_t *status)
{
    uint16_t from = b->ready, to = from;
    *status = HTTP_200;
    while (b->transfer != TRANSFER_DONE && *status == HTTP_200) {
        if (b->transfer > TRANSFER_CHUNK) {
            if (from == len)
                break;
            *status = frame_step(b, octets[from++]);
            continue;
        }
        uint16_t here = (uint16_t)(len - from);
        here = b->left < here ? (uint16_t)b->left : here;
        if (to != from)
            memmove(octets + to, octets + from, here);
        from = (uint16_t)(from + here);
        to = (uint16_t)(to + here);
        b->left -= here;
        if (b->left != 0)
            break;
        b->transfer = b->transfer == TRANSFER_DATA ? TRANSFER_DONE : TRANSFER_CHUNK_CR;
    }
    b->ready = to;
    if (to != from)
        memmove(octets + (from - to), octets, to);
    return (uint16_t)(from - to);
}
