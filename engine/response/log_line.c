// SPDX-License-Identifier: MIT
// The moment at which a line of the request log is written: a refusal's when its response begins, a success' when it
// has ended.
#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "whit/engine.h"
#include "whit/port.h"

bool whit_log_lines = true;

static void status_digits(struct log_writer *w, const struct whit_tcb *tcb)
{
    struct piece chosen = {.octets = status_codes[response_status(tcb)].octets};
    if (WHIT_HAS_ANSWER && tcb->response.kind != KIND_ERROR)
        answer_piece(tcb, 0, &chosen);
    log_put(w, ' ');
    for (uint8_t i = 0; i < 3; i++)
        log_put(w, (char)whit_flash_u8(&chosen.octets[i]));
}

static void write_line(const struct whit_tcb *tcb, bool refused)
{
    static char line[LOG_OUT_MAX];
    static const char octets_text[] WHIT_FLASH = " octets: ";
    const struct log_entry *e = log_entry(tcb);
    struct log_writer w = {.to = line, .room = sizeof line - 1};
    log_request_line(&w, e);
    status_digits(&w, tcb);
    if (!refused) {
        log_put(&w, ' ');
        log_number(&w, e->acked);
    }
    if (!refused && e->why != WHY_NONE)
        log_flash(&w, octets_text);
    else if (refused)
        log_put(&w, ' ');
    log_reason(&w, e);
    line[w.len++] = '\n';
    whit_port_log(line, w.len);
}

void log_begun(const struct whit_tcb *tcb)
{
    log_entry(tcb)->acked = 0;
    if (!whit_log_lines)
        return;
    if (is_tls(tcb) && sealed_own(tcb)) {
        log_sealed(tcb);
        return;
    }
    if (tcb->response.kind == KIND_ERROR && !(WHIT_HAS_BODY && tcb->response.resource == HTTP_100))
        write_line(tcb, true);
}

void log_acked(const struct whit_tcb *tcb, uint16_t acked)
{
    log_entry(tcb)->acked += acked;
}

void log_ended(const struct whit_tcb *tcb)
{
    struct log_entry *e = log_entry(tcb);
    if (!whit_log_lines || tcb->state != TCB_RESPONSE || tcb->response.kind == KIND_ERROR)
        return;
    if (e->why == WHY_NONE && e->acked != 0 && connection_ends(tcb))
        e->acked--;    // the FIN
    write_line(tcb, false);
}

// ------------------------------------------------------------------------------------------------ error pages

// The page of an error, with enough flash and RAM (WHIT_HAS_PAGES). It has the text of the request log in HTML, or in
// JSON for a program that reads that (log.c). It is written anew for each segment, always the same: the log's notes do
// not change before the next request.

#define PAGE_BODY_MAX 2048    // octets: of the longest request line and field line, each of their octets escaped
#define PAGE_HEAD_MAX 128
static char page_body[PAGE_BODY_MAX], page_head[PAGE_HEAD_MAX];

static const char begin_text[] WHIT_FLASH = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta "
                                            "name=\"viewport\" content=\"width=device-width\"><title>";
static const char style_text[] WHIT_FLASH = "</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 "
                                            "system-ui,sans-serif;max-width:40rem;margin:3rem auto;"
                                            "padding:0 1rem}code{overflow-wrap:anywhere}</style><h1>";
static const char request_text[] WHIT_FLASH = "</h1><p><code>";
static const char reason_text[] WHIT_FLASH = "</code><p>";
static const char end_text[] WHIT_FLASH = "<p><a href=\"/\">The front page</a>\n";
static const char allow_get_text[] WHIT_FLASH = "Allow: GET, HEAD\r\n";
static const char allow_post_text[] WHIT_FLASH = "Allow: POST, PUT\r\n";
static const char type_text[] WHIT_FLASH =
    "Cache-Control: no-store\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ";
static const char program_type_text[] WHIT_FLASH =
    "Cache-Control: no-store\r\nContent-Type: application/json\r\nContent-Length: ";
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
    // the length for GET, a shorter word
    return (uint16_t)(w.len - (tcb->response.head_only && e->line_len <= LOG_LINE_MAX));
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

// -------------------------------------------------------------------------------------- connections that an alert ends

// A line of the request log for a connection under TLS that an alert ends, ours or the client's: before that, there is
// no request.

#if WHIT_TLS
#define NAME_LEN 24    // octets of the longest name, with its NUL
static const struct {
    uint8_t alert;    // RFC 8446, section 6
    char name[NAME_LEN];
} names[] WHIT_FLASH = {
    {10, "unexpected_message"},  {20, "bad_record_mac"},
    {22, "record_overflow"},     {40, "handshake_failure"},
    {42, "bad_certificate"},     {45, "certificate_expired"},
    {46, "certificate_unknown"}, {47, "illegal_parameter"},
    {48, "unknown_ca"},          {50, "decode_error"},
    {51, "decrypt_error"},       {70, "protocol_version"},
    {80, "internal_error"},      {90, "user_canceled"},
    {109, "missing_extension"},  {120, "no_application_protocol"},
};

void log_sealed(const struct whit_tcb *tcb)
{
    static char line[LOG_OUT_MAX];
    static const char refused[] WHIT_FLASH = "- TLS refused: alert ",
                                by_client[] WHIT_FLASH = "- TLS refused by the client: alert ";
    const struct tls_kept *kept = &sealed_of(tcb)->tls.kept;
    if (kept->phase != TLS_CLOSED || kept->alert == TLS_CLOSE_NOTIFY)
        return;
    struct log_writer w = {.to = line, .room = sizeof line - 1};
    log_flash(&w, kept->out == TLS_ALERT ? refused : by_client);
    log_number(&w, kept->alert);
    for (uint8_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (whit_flash_u8(&names[i].alert) == kept->alert) {
            log_put(&w, ' ');
            log_flash(&w, names[i].name);
        }
    }
    line[w.len++] = '\n';
    whit_port_log(line, w.len);
}
#endif
