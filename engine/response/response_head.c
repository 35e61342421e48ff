// SPDX-License-Identifier: MIT
// A response's head: version, status and field lines. The octets and checksum of each piece are known in advance.
#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "whit/port.h"

// Returns the application's file for this error; NULL: no file, or a body from log_line.c.
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
    case HTTP_100:
        return &text_blank;
    case HTTP_405:
        return &text_allow_get;
    case HTTP_405_POST:
        return &text_allow_post;
    default:
        return &text_empty;
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
    p->sum =
        tcb->response.head_only ? whit_flash_u16(&r->head_sum) : whit_flash_u16(&p->sums[(p->len - 1) / WHIT_CHUNK]);
}

enum framing content_framing(const struct whit_tcb *tcb, const struct extent *e)
{
    if (!WHIT_HAS_THREADS && !WHIT_HAS_RERUN)
        return FRAMING_LENGTH;
    switch (extent_strategy(e)) {
    case STRATEGY_KEPT:
        return kept_framing(kept_of_extent(e));
    case STRATEGY_HEAD:
        return FRAMING_CLOSE;
    case STRATEGY_RERUN:
        return rerun_framing(tcb);
    default:
        return FRAMING_LENGTH;
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
    case FRAMING_CHUNKED:
        return &text_chunked;
    case FRAMING_CLOSE:
        return &text_blank;
    default:
        return NULL;
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

// Walks over text number `which` that a handler chose (strategy.c). False: the handler chose fewer.
static bool chosen_walk(struct walk *w, struct piece *p, const struct whit_tcb *tcb, uint8_t which)
{
    bool chosen = WHIT_HAS_ANSWER && tcb->response.kind != KIND_ERROR && answer_piece(tcb, which, p);
    if (chosen)
        static_walk(w, p);
    p->sums = NULL;
    return chosen;
}

// Walks over all octets before the generated ones. This and content_walk() (response.c) are not inlined, so that only
// one of them is on the stack.
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

// Returns the length of the head, from tables. Texts chosen by a handler, a redirect's target and an error in JSON have
// no table: it walks over those heads.
whit_position response_head_len(const struct whit_tcb *tcb, enum framing framing)
{
    uint16_t chosen;
    if (is_walked(tcb) || (WHIT_HAS_ANSWER && buffer_find(tcb, BLOCK_ANSWER, &chosen) != NULL)) {
        struct walk w = {.skip = POSITION_MAX};
        response_head_walk(&w, tcb, framing);
        return (whit_position)(POSITION_MAX - w.skip);
    }
    uint16_t lines =
        (uint16_t)(VERSION_LEN + code_len(response_status(tcb)) + (ALWAYS_CLOSES || tcb->close ? CLOSE_LEN : 0));
    if (WHIT_KEEP_ALIVE != 0 && text_of_connection(tcb) == &text_keep_alive)
        lines = (uint16_t)(lines + KEEP_ALIVE_LEN);
    if (tcb->response.kind == KIND_ERROR)
        return (whit_position)(lines + error_len(tcb));
    const struct text *after = text_after_head(tcb, framing);
    if (after != NULL)
        lines = (uint16_t)(lines + whit_flash_u8(&after->len));
    return (whit_position)(lines + piece_len(tcb, &whit_resources[tcb->response.resource]));
}

// --------------------------------------------------------------------------------------- status lines and fixed fields

// The fixed octets of heads, with their sums: a device never computes them, and a test does. If flash is scarce, a
// status is its number alone. Machines do not read reason phrases (RFC 9112 section 4), and each takes some twenty
// octets.

#if WHIT_HAS_PAGES
#define CODE(number, sum, phrase, phrase_sum) {number " " phrase "\r\n", phrase_sum, sizeof number + sizeof phrase + 1}
#else
#define CODE(number, sum, phrase, phrase_sum) {number " \r\n", sum}
#endif
const struct code status_codes[] WHIT_FLASH = {
    [HTTP_200] = CODE("200", 0x6f5a, "OK", 0xbea5),
    [HTTP_304] = CODE("304", 0x745a, "Not Modified", 0xb490),
    [HTTP_400] = CODE("400", 0x715a, "Bad Request", 0xb22d),
    [HTTP_404] = CODE("404", 0x755a, "Not Found", 0x54cb),
    [HTTP_408] = CODE("408", 0x795a, "Request Timeout", 0xb910),
    [HTTP_412] = CODE("412", 0x735b, "Precondition Failed", 0x2ff9),
    [HTTP_413] = CODE("413", 0x745b, "Content Too Large", 0xe429),
    [HTTP_414] = CODE("414", 0x755b, "URI Too Long", 0x9234),
    [HTTP_431] = CODE("431", 0x725d, "Request Header Fields Too Large", 0x6c94),
    [HTTP_501] = CODE("501", 0x735a, "Not Implemented", 0x9008),
    [HTTP_505] = CODE("505", 0x775a, "HTTP Version Not Supported", 0xea6d),
#if WHIT_HAS_GENERATORS || WHIT_HAS_STORED
    [HTTP_500] = CODE("500", 0x725a, "Internal Server Error", 0x9939),
    [HTTP_503] = CODE("503", 0x755a, "Service Unavailable", 0x52d9),
#endif
#if WHIT_HAS_BODY
    [HTTP_100] = CODE("100", 0x6e5a, "Continue", 0xff11),
    [HTTP_415] = CODE("415", 0x765b, "Unsupported Media Type", 0xcf75),
    [HTTP_405] = CODE("405", 0x765a, "Method Not Allowed", 0x98d8),
    [HTTP_405_POST] = CODE("405", 0x765a, "Method Not Allowed", 0x98d8),
#endif
#if REDIRECTS
    [HTTP_308] = CODE("308", 0x785a, "Permanent Redirect", 0x02d3),
#endif
};

static const uint8_t octets_version[] WHIT_FLASH = "HTTP/1.1 ";
static const uint8_t octets_close[] WHIT_FLASH = "Connection: close\r\n";
static const uint8_t octets_keep_alive[] WHIT_FLASH = WHIT_KEEP_ALIVE_LINES;
static const uint8_t octets_empty[] WHIT_FLASH = "Content-Length: 0\r\n\r\n";
static const uint8_t octets_chunked[] WHIT_FLASH = "Transfer-Encoding: chunked\r\n\r\n";
static const uint8_t octets_blank[] WHIT_FLASH = "\r\n";
static const uint8_t octets_location[] WHIT_FLASH = "Location: https://";
static const uint8_t octets_allow_get[] WHIT_FLASH = "Allow: GET, HEAD\r\nContent-Length: 0\r\n\r\n";
static const uint8_t octets_allow_post[] WHIT_FLASH = "Allow: POST, PUT\r\nContent-Length: 0\r\n\r\n";
_Static_assert(sizeof octets_version - 1 == VERSION_LEN, "status.h");
_Static_assert(sizeof octets_close - 1 == CLOSE_LEN, "status.h");
_Static_assert(KEEP_ALIVE_LEN <= WHIT_PIECE_MAX, "it is sent whole");
_Static_assert(sizeof octets_empty - 1 == EMPTY_LEN, "status.h");

const struct text text_version WHIT_FLASH = {octets_version, 0x1a07, sizeof octets_version - 1};
const struct text text_close WHIT_FLASH = {octets_close, 0x7726, sizeof octets_close - 1};
const struct text text_keep_alive WHIT_FLASH = {octets_keep_alive, WHIT_KEEP_ALIVE_SUM, KEEP_ALIVE_LEN};
const struct text text_empty WHIT_FLASH = {octets_empty, 0x38ef, sizeof octets_empty - 1};
const struct text text_chunked WHIT_FLASH = {octets_chunked, 0xe12b, sizeof octets_chunked - 1};
const struct text text_blank WHIT_FLASH = {octets_blank, 0x0d0a, sizeof octets_blank - 1};
const struct text text_location WHIT_FLASH = {octets_location, 0x4d17, sizeof octets_location - 1};
const struct text text_allow_get WHIT_FLASH = {octets_allow_get, 0x8654, sizeof octets_allow_get - 1};
const struct text text_allow_post WHIT_FLASH = {octets_allow_post, 0xa483, sizeof octets_allow_post - 1};

// ------------------------------------------------------------------------------------------------ errors in JSON

// A device's answer to a request with a wrong argument: status 400, and {"error":"brightness: expected a number from 0
// to 255"}. The compiler made its parts, and the response has its number, so that each octet is found again from the
// position alone.

#if HAS_JSON_ERRORS
_Static_assert(HTTP_STATUS_CNT < JSON_STATUS && JSON_STATUS == WHIT_WRONG_INDEX + 1,
               "a number tells kind and argument");
_Static_assert(WHIT_WRONG_TWICE == 1 << 6 && WHIT_WRONG_MISSING == 2 << 6, "kinds follow one another");

static uint8_t begin_of(uint8_t status)
{
    return (uint8_t)((status >> 6) - 1 + WHIT_JSON_BEGINS);
}

static uint8_t end_of(uint8_t status)
{
    return (uint8_t)((status & WHIT_WRONG_INDEX) + WHIT_JSON_ENDS);
}

static uint16_t part_len(uint8_t number)
{
    return whit_flash_u16(&whit_json_texts[number].len);
}

static void part_walk(struct walk *w, uint8_t number)
{
    uint16_t len = part_len(number);
    struct piece p = {
        .octets = whit_flash_ptr(&whit_json_texts[number].octets),
        .sums = whit_json_sums + whit_flash_u16(&whit_json_texts[number].sums),
        .len = len,
    };
    p.sum = whit_flash_u16(&p.sums[(len - 1) / WHIT_CHUNK]);
    static_walk(w, &p);
}

void json_error_walk(struct walk *w, const struct whit_tcb *tcb)
{
    uint8_t status = (uint8_t)tcb->response.resource;
    part_walk(w, 0);
    framing_walk(w, (whit_position)(part_len(begin_of(status)) + part_len(end_of(status))));
    if (tcb->response.head_only)
        return;
    part_walk(w, begin_of(status));
    part_walk(w, end_of(status));
}
#endif
