// SPDX-License-Identifier: MIT
// The page of an error, where flash and RAM are not scarce (WHIT_HAS_PAGES): what the request log says of it, in HTML, or in JSON for a
// program that reads that (log_client.c). It is written anew for each segment, and says the same each time, as what the log noted does
// not change before the next request.
#include "content.h"
#include "log.h"
#include "status.h"
#include "../base/grammar.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../link/walk.h"
#include "whit/port.h"

#define PAGE_BODY_MAX 2048    // octets: of the longest request line and field line, each of their octets escaped
#define PAGE_HEAD_MAX 128
static char page_body[PAGE_BODY_MAX], page_head[PAGE_HEAD_MAX];

static const char begin_text[] WHIT_FLASH =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>";
static const char style_text[] WHIT_FLASH =
    "</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;"
    "padding:0 1rem}code{overflow-wrap:anywhere}</style><h1>";
static const char request_text[] WHIT_FLASH = "</h1><p><code>";
static const char reason_text[] WHIT_FLASH = "</code><p>";
static const char end_text[] WHIT_FLASH = "<p><a href=\"/\">The front page</a>\n";
static const char allow_get_text[] WHIT_FLASH = "Allow: GET, HEAD\r\n";
static const char allow_post_text[] WHIT_FLASH = "Allow: POST, PUT\r\n";
static const char type_text[] WHIT_FLASH = "Cache-Control: no-store\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ";
static const char program_type_text[] WHIT_FLASH = "Cache-Control: no-store\r\nContent-Type: application/json\r\nContent-Length: ";
static const char program_text[] WHIT_FLASH = "{\"error\":\"";
static const char program_end_text[] WHIT_FLASH = "\"}\n";
static const char blank_text[] WHIT_FLASH = "\r\n\r\n";

static void put_status(struct log_writer *w, uint8_t status)
{
    for (uint8_t i = 0; i < code_len(status) - 2; i++)    // without CR LF
        log_put(w, (char)whit_flash_u8(&status_codes[status].octets[i]));
}

// {"error":"target: expected 0 to 255"}
static uint16_t write_json(const struct log_entry *e, uint8_t status)
{
    struct log_writer w = {.to = page_body, .room = sizeof page_body};
    log_flash(&w, program_text);
    w.json = true;
    if (e->why != WHY_NONE)
        log_reason(&w, e);
    else
        put_status(&w, status);
    w.json = false;
    log_flash(&w, program_end_text);
    return w.len;
}

static uint16_t write_body(const struct whit_tcb *tcb, uint8_t status)
{
    const struct log_entry *e = log_entry(tcb);
    struct log_writer w = {.to = page_body, .room = sizeof page_body};
    if (log_says_json(tcb))
        return write_json(e, status);
    log_flash(&w, begin_text);
    put_status(&w, status);
    log_flash(&w, style_text);
    put_status(&w, status);
    log_flash(&w, request_text);
    w.html = true;
    log_request_line(&w, e);
    w.html = false;
    log_flash(&w, reason_text);
    w.html = true;
    log_reason(&w, e);
    w.html = false;
    log_flash(&w, end_text);
    log_flash(&w, whit_html_end);
    return (uint16_t)(w.len - (tcb->response.head_only && e->line_len <= LOG_LINE_MAX));    // that of GET, a shorter word
}

static uint16_t write_head(uint8_t status, uint16_t body_len, bool json)
{
    struct log_writer w = {.to = page_head, .room = sizeof page_head};
    if (WHIT_HAS_BODY && status == HTTP_405)
        log_flash(&w, allow_get_text);
    if (WHIT_HAS_BODY && status == HTTP_405_POST)
        log_flash(&w, allow_post_text);
    log_flash(&w, json ? program_type_text : type_text);
    log_number(&w, body_len);
    log_flash(&w, blank_text);
    return w.len;
}

uint16_t page_len(const struct whit_tcb *tcb)
{
    uint8_t status = response_status(tcb);
    uint16_t body_len = write_body(tcb, status), head_len = write_head(status, body_len, log_says_json(tcb));
    return tcb->response.head_only ? head_len : (uint16_t)(head_len + body_len);
}

void page_walk(struct walk *w, const struct whit_tcb *tcb)
{
    uint8_t status = response_status(tcb);
    uint16_t body_len = write_body(tcb, status), head_len = write_head(status, body_len, log_says_json(tcb));
    walk_ram(w, (const uint8_t *)page_head, head_len, WHIT_IN_BUFFER);
    if (!tcb->response.head_only)
        walk_ram(w, (const uint8_t *)page_body, body_len, WHIT_IN_BUFFER);
}
