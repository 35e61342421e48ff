// SPDX-License-Identifier: MIT
// A response's head: version, status and field lines. The octets and checksum of each piece are known in advance.
#include "content.h"
#include "log.h"
#include "status.h"
#include "strategies.h"
#include "../base/buffer.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../link/walk.h"
#include "whit/port.h"

uint8_t response_status(const struct whit_tcb *tcb)
{
    if (tcb->response.kind == KIND_ERROR)
        return is_json_error(tcb) ? HTTP_400 : (uint8_t)tcb->response.resource;
    return WHIT_HAS_ETAGS && tcb->response.kind == KIND_NOT_MODIFIED ? HTTP_304 : HTTP_200;
}

// Returns the application's file for this error; NULL: it has none, or its body is made in log_page.c.
static const struct whit_resource *error_file(const struct whit_tcb *tcb)
{
    if (WHIT_HAS_PAGES && WHIT_HAS_ERROR_FILES && log_says_json(tcb))
        return NULL;
    for (uint8_t i = 0; WHIT_HAS_ERROR_FILES && i < whit_flash_u8(&whit_error_cnt); i++)
        if (whit_flash_u8(&whit_errors[i].status) == tcb->response.resource)
            return &whit_resources[whit_flash_u16(&whit_errors[i].resource)];
    return NULL;
}

bool response_has_page(const struct whit_tcb *tcb)
{
    bool error = tcb->response.kind == KIND_ERROR && !(WHIT_HAS_BODY && tcb->response.resource == HTTP_100);
    bool redirects = REDIRECTS && tcb->response.resource == HTTP_308;
    return WHIT_HAS_PAGES && error && !redirects && error_file(tcb) == NULL;
}

// Returns the text that ends the head of a response without content.
static const struct text *last_text(uint8_t status)
{
    if (!WHIT_HAS_BODY)
        return &text_empty;
    switch (status) {
    case HTTP_100: return &text_blank;
    case HTTP_405: return &text_allow_get;
    case HTTP_405_POST: return &text_allow_post;
    default: return &text_empty;
    }
}

// Returns the length of the compiled part of the resource that this response sends.
static whit_position piece_len(const struct whit_tcb *tcb, const struct whit_resource *r)
{
    if (WHIT_HAS_ETAGS && tcb->response.kind == KIND_NOT_MODIFIED)
        return whit_flash_u8(&r->validators_len);
    return tcb->response.head_only ? whit_flash_u16(&r->head_len) : (whit_position)whit_flash_u32(&r->len);
}

// Fills `p` with the compiled part of the resource that this response sends.
void response_piece(const struct whit_tcb *tcb, const struct whit_resource *r, struct piece *p)
{
    p->octets = whit_flash_ptr(&r->octets);
    p->len = piece_len(tcb, r);
    if (WHIT_HAS_ETAGS && tcb->response.kind == KIND_NOT_MODIFIED) {
        p->sum = whit_flash_u16(&r->validators_sum);
        return;
    }
    p->sums = whit_flash_ptr(&r->sums);
    p->sum = tcb->response.head_only ? whit_flash_u16(&r->head_sum) : whit_flash_u16(&p->sums[(p->len - 1) / WHIT_CHUNK]);
}

enum framing content_framing(const struct whit_tcb *tcb, enum strategy strategy)
{
    if (!WHIT_HAS_THREADS && !WHIT_HAS_RERUN)
        return FRAMING_LENGTH;
    switch (strategy) {
    case STRATEGY_KEPT: return kept_framing(tcb);
    case STRATEGY_HEAD: return FRAMING_CLOSE;
    case STRATEGY_RERUN: return rerun_framing(tcb);
    default: return FRAMING_LENGTH;
    }
}

// Returns the text between the compiled octets and the generated ones; NULL: none.
static const struct text *text_after_head(const struct whit_tcb *tcb, enum framing framing)
{
    if (WHIT_HAS_ETAGS && tcb->response.kind == KIND_NOT_MODIFIED && !(WHIT_HAS_STORED && content_is_stored(tcb)))
        return &text_blank;
    if (!WHIT_HAS_THREADS && !WHIT_HAS_RERUN)
        return NULL;
    switch (framing) {
    case FRAMING_CHUNKED: return &text_chunked;
    case FRAMING_CLOSE: return &text_blank;
    default: return NULL;
    }
}

// Returns the response's Connection field; NULL: none. An interim response has none.
static const struct text *text_of_connection(const struct whit_tcb *tcb)
{
    if (ALWAYS_CLOSES || tcb->close)
        return &text_close;
    bool interim = WHIT_HAS_BODY && tcb->response.kind == KIND_ERROR && tcb->response.resource == HTTP_100;
    return WHIT_KEEP_ALIVE != 0 && !interim ? &text_keep_alive : NULL;
}

static void text_walk(struct walk *w, struct piece *p, const struct text *text)
{
    p->octets = whit_flash_ptr(&text->octets);
    p->len = whit_flash_u8(&text->len);
    p->sum = whit_flash_u16(&text->sum);
    static_walk(w, p);
}

static void code_walk(struct walk *w, struct piece *p, uint8_t status)
{
    p->octets = status_codes[status].octets;
    p->len = code_len(status);
    p->sum = whit_flash_u16(&status_codes[status].sum);
    static_walk(w, p);
}

static void resource_walk(struct walk *w, struct piece *p, const struct whit_tcb *tcb, const struct whit_resource *r)
{
    response_piece(tcb, r, p);
    static_walk(w, p);
    p->sums = NULL;
}

// Walks over an error's octets after its status: its file, its reason, or the end of its head.
static void error_walk(struct walk *w, struct piece *p, const struct whit_tcb *tcb)
{
    const struct whit_resource *file = error_file(tcb);
    if (HAS_JSON_ERRORS && is_json_error(tcb)) {
        json_error_walk(w, tcb);
        return;
    }
    if (REDIRECTS && tcb->response.resource == HTTP_308) {
        text_walk(w, p, &text_location);
        redirect_walk(w, tcb);
    }
    if (WHIT_HAS_ERROR_FILES && file != NULL)
        resource_walk(w, p, tcb, file);
    else if (!response_has_page(tcb))
        text_walk(w, p, last_text(response_status(tcb)));
}

// Walks over text number `which` that a handler chose (answer.c). False: the handler chose fewer.
static bool chosen_walk(struct walk *w, struct piece *p, const struct whit_tcb *tcb, uint8_t which)
{
    bool chosen = WHIT_HAS_ANSWER && tcb->response.kind != KIND_ERROR && answer_piece(tcb, which, p);
    if (chosen)
        static_walk(w, p);
    p->sums = NULL;
    return chosen;
}

// Walks over all octets before the generated ones. This and content_walk() (response.c) are not inlined, so that only one of them is on
// the stack.
__attribute__((noinline)) void response_head_walk(struct walk *w, const struct whit_tcb *tcb, enum framing framing)
{
    struct piece p = {.sums = NULL};
    text_walk(w, &p, &text_version);
    if (!chosen_walk(w, &p, tcb, 0))
        code_walk(w, &p, response_status(tcb));
    const struct text *connection = text_of_connection(tcb);
    if (connection != NULL)
        text_walk(w, &p, connection);
    for (uint8_t i = 1; WHIT_HAS_ANSWER && i <= WHIT_ANSWER_FIELDS; i++)
        chosen_walk(w, &p, tcb, i);
    if (tcb->response.kind == KIND_ERROR) {
        error_walk(w, &p, tcb);
        return;
    }
    resource_walk(w, &p, tcb, &whit_resources[tcb->response.resource]);
    const struct text *after = text_after_head(tcb, framing);
    if (after != NULL)
        text_walk(w, &p, after);
}

// Returns the number of octets that error_walk() walks over, for errors that are not is_walked().
static whit_position error_len(const struct whit_tcb *tcb)
{
    const struct whit_resource *file = error_file(tcb);
    if (WHIT_HAS_ERROR_FILES && file != NULL)
        return piece_len(tcb, file);
    if (response_has_page(tcb))
        return 0;
    return WHIT_HAS_BODY ? whit_flash_u8(&last_text((uint8_t)tcb->response.resource)->len) : EMPTY_LEN;
}

// True for an error whose length is in no table.
static bool is_walked(const struct whit_tcb *tcb)
{
    bool redirects = REDIRECTS && tcb->response.resource == HTTP_308;
    return (REDIRECTS || HAS_JSON_ERRORS) && tcb->response.kind == KIND_ERROR && (redirects || is_json_error(tcb));
}

// Adds up lengths from tables. Texts chosen by a handler, a redirect's target and an error in JSON have none: it walks over those heads.
whit_position response_head_len(const struct whit_tcb *tcb, enum framing framing)
{
    uint16_t chosen;
    if (is_walked(tcb) || (WHIT_HAS_ANSWER && buffer_find(tcb, BLOCK_ANSWER, &chosen) != NULL)) {
        struct walk w = {.skip = POSITION_MAX};
        response_head_walk(&w, tcb, framing);
        return (whit_position)(POSITION_MAX - w.skip);
    }
    uint16_t lines = (uint16_t)(VERSION_LEN + code_len(response_status(tcb)) + (ALWAYS_CLOSES || tcb->close ? CLOSE_LEN : 0));
    if (WHIT_KEEP_ALIVE != 0 && text_of_connection(tcb) == &text_keep_alive)
        lines = (uint16_t)(lines + KEEP_ALIVE_LEN);
    if (tcb->response.kind == KIND_ERROR)
        return (whit_position)(lines + error_len(tcb));
    const struct text *after = text_after_head(tcb, framing);
    if (after != NULL)
        lines = (uint16_t)(lines + whit_flash_u8(&after->len));
    return (whit_position)(lines + piece_len(tcb, &whit_resources[tcb->response.resource]));
}
