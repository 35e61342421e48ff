// SPDX-License-Identifier: MIT
// The answer to a request, and the strategy that finds the octets of its content (DESIGN.md section 1).
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "../outgoing/outgoing.h"
#include "whit/app.h"
#include "whit/driver.h"
#include "whit/port.h"

const struct whit_generator *content_generator(const struct whit_tcb *tcb)
{
    return whit_flash_ptr(&whit_resources[tcb->response.resource].generator);
}

struct args_t *content_args(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct args_t *)(void *)buffer_find(tcb, BLOCK_ARGUMENTS, &len);
}

bool content_is_stored(const struct whit_tcb *tcb)
{
    return tcb->response.kind != KIND_ERROR &&
           whit_flash_u8(&whit_resources[tcb->response.resource].persistence) == WHIT_STORED;
}

bool run_init_get(const struct whit_tcb *tcb, const struct whit_generator *generator)
{
    char (*init_get)(struct args_t *) = WHIT_HAS_INIT_GET ? whit_flash_ptr(&generator->init_get) : NULL;
    if (WHIT_HAS_ANSWER && init_get != NULL && whit_flash_u8(&generator->writer) != WHIT_PLAIN)
        answer_open(tcb);
    client_asks(tcb);
    bool admits = init_get == NULL || init_get(content_args(tcb)) != 0;
    client_asks_no_more();
    if (WHIT_HAS_ANSWER)
        answer_close();
    if (WHIT_HAS_LOG && !admits)
        log_why_name(tcb, WHY_RETURNED, WHIT_NAME_INIT_GET);
    return admits;
}

// ---------------------------------------------------------------------------------------- framing of generated content

// Framing of a generated content: its length, if it is known before the first octet is sent. Otherwise it is the
// chunked transfer coding (RFC 9112 section 7.1). A chunk's size always has three digits, so that the offset of an
// octet does not depend on the octets after it.

static char digit_of(uint16_t number, uint8_t shift)
{
    uint8_t nibble = number >> shift & 15;
    return (char)(nibble < 10 ? '0' + nibble : 'a' + nibble - 10);
}

#define NAME_LEN 16    // name of a line; the number follows
static const uint8_t length_name[NAME_LEN] WHIT_FLASH = "Content-Length: ";

// Padded to a fixed width, so that the length of the line is known without writing it.
static void put_number(uint8_t *to, whit_position content_len)
{
    static const uint8_t number[LENGTH_LINES - NAME_LEN] WHIT_FLASH = "        \r\n\r\n";
    whit_flash_copy(to, number, sizeof number);
    to += sizeof number - 4;
    do {
        *--to = (uint8_t)('0' + content_len % 10);
        content_len /= 10;
    } while (content_len != 0);
}

void framing_length(uint8_t *to, whit_position content_len)
{
    whit_flash_copy(to, length_name, NAME_LEN);
    put_number(to + NAME_LEN, content_len);
}

uint8_t framing_before_len(enum framing framing, uint16_t len)
{
    if (framing == FRAMING_LENGTH)
        return LENGTH_LINES;
    return framing == FRAMING_CLOSE || len == 0 ? 0 : CHUNK_HEAD;
}

uint8_t framing_after_len(enum framing framing, uint16_t len, bool last)
{
    if (framing != FRAMING_CHUNKED)
        return 0;
    return (uint8_t)((last ? 7 : 2) - (len == 0 ? 2 : 0));
}

uint8_t framing_before(uint8_t *to, enum framing framing, uint16_t len)
{
    uint8_t before = framing_before_len(framing, len);
    if (before == LENGTH_LINES) {
        framing_length(to, len);
    } else if (before != 0) {
        for (uint8_t i = 0; i < 3; i++)
            to[i] = (uint8_t)digit_of(len, (uint8_t)(8 - 4 * i));
        to[3] = '\r';
        to[4] = '\n';
    }
    return before;
}

uint8_t framing_after(uint8_t *to, enum framing framing, uint16_t len, bool last)
{
    static const uint8_t end[7] WHIT_FLASH = "\r\n0\r\n\r\n";
    uint8_t after = framing_after_len(framing, len, last);
    whit_flash_copy(to, end + (len == 0 ? 2 : 0), after);
    return after;
}

// Walks in two parts, which share memory of the stack.
__attribute__((noinline)) void framing_walk(struct walk *w, whit_position content_len)
{
    uint8_t part[NAME_LEN];
    whit_flash_copy(part, length_name, NAME_LEN);
    walk_ram(w, part, NAME_LEN, WHIT_IN_RAM);
    put_number(part, content_len);
    walk_ram(w, part, LENGTH_LINES - NAME_LEN, WHIT_IN_RAM);
}

// ------------------------------------------------------------------------------------ head fields that a handler chose

// A handler's choice for the head of its response: a status and field lines. Each is a constant text that the
// application compiler found in the handler's source (whit_answer_texts). A block of the shared buffer has the choice
// until the response is acknowledged; a response without a choice has no block.

#define TOO_MANY 0xff    // flag of a status: more fields were chosen than a response may have

static struct whit_answer *choosing;    // choice of the handler that runs; NULL: it cannot choose any more

void whit_answer(uint8_t text)
{
    if (!WHIT_HAS_ANSWER || choosing == NULL)
        return;
    uint8_t number = (uint8_t)(text + 1);
    if (number <= WHIT_ANSWER_STATUSES) {
        if (choosing->status != TOO_MANY)
            choosing->status = number;
        return;
    }
    for (uint8_t i = 0; i < WHIT_ANSWER_FIELDS; i++) {
        if (choosing->fields[i] == 0) {
            choosing->fields[i] = number;
            return;
        }
    }
    choosing->status = TOO_MANY;
}

void answer_status_else(uint8_t text)
{
    if (WHIT_HAS_ANSWER && choosing != NULL && choosing->status == 0)
        whit_answer(text);
}

void answer_status_only(uint8_t text)
{
    if (WHIT_HAS_ANSWER && choosing != NULL && choosing->status != TOO_MANY)
        choosing->status = (uint8_t)(text + 1);
}

static struct whit_answer *chosen(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct whit_answer *)(void *)buffer_find(tcb, BLOCK_ANSWER, &len);
}

bool answer_begin(const struct whit_tcb *tcb)
{
    struct whit_answer *answer = buffer_make(tcb, BLOCK_ANSWER, sizeof *answer);
    if (answer != NULL)
        memset(answer, 0, sizeof *answer);
    return answer != NULL;
}

void answer_open(const struct whit_tcb *tcb)
{
    choosing = chosen(tcb);
}

void answer_close(void)
{
    choosing = NULL;
}

uint8_t answer_end(const struct whit_tcb *tcb, uint8_t status, bool later)
{
    static const struct whit_answer none;
    const struct whit_answer *answer = chosen(tcb);
    choosing = NULL;
    if (answer == NULL)
        return status;
    if (status == HTTP_200 && answer->status == TOO_MANY)
        status = HTTP_500;
    if (status != HTTP_200 || (memcmp(answer, &none, sizeof none) == 0 && !later))
        buffer_free(tcb, BLOCK_ANSWER);
    return status;
}

void answer_again(struct whit_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    choosing = answer;
}

bool answer_same(const struct whit_tcb *tcb, const struct whit_answer *now)
{
    static const struct whit_answer none;
    const struct whit_answer *before = chosen(tcb);
    choosing = NULL;
    return memcmp(now, before != NULL ? before : &none, sizeof none) == 0;
}

// Finds text `which` of the response: 0 is the status, the others are field lines. False: not chosen.
bool answer_piece(const struct whit_tcb *tcb, uint8_t which, struct piece *p)
{
    const struct whit_answer *answer = WHIT_HAS_ANSWER ? chosen(tcb) : NULL;
    if (!WHIT_HAS_ANSWER || answer == NULL)    // for builds without optimisation, which would miss the texts
        return false;
    uint8_t number = which == 0 ? answer->status : answer->fields[which - 1];
    if (number == 0)
        return false;
    const struct whit_answer_text *text = &whit_answer_texts[number - 1];
    p->octets = whit_flash_ptr(&text->octets);
    p->sums = whit_flash_ptr(&text->sums);
    p->len = whit_flash_u8(&text->len);
    p->sum = whit_flash_u16(&p->sums[(p->len - 1) / WHIT_CHUNK]);
    return true;
}
