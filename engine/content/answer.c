// SPDX-License-Identifier: MIT
// What a handler chose for the head of its response: a status and field lines, each a constant text that the application
// compiler found in the handler's source (whit_answer_texts). A block of the shared buffer holds the choice until the response is
// acknowledged; a response that chose nothing has none.
#include <string.h>

#include "strategies.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "whit/app.h"
#include "whit/port.h"

#define TOO_MANY 0xff    // of a status: more fields were chosen than a response may have

static struct whit_answer *choosing;    // of the handler that runs; NULL: it cannot choose any more

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

// Text `which` of the response: 0 is the status, the others are field lines. False: it was not chosen.
bool answer_piece(const struct whit_tcb *tcb, uint8_t which, struct piece *p)
{
    const struct whit_answer *answer = WHIT_HAS_ANSWER ? chosen(tcb) : NULL;
    if (!WHIT_HAS_ANSWER || answer == NULL)    // so that builds without optimisation do not miss the texts
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
