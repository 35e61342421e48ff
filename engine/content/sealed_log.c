// SPDX-License-Identifier: MIT
// A line of the request log for a connection under TLS that an alert ends, ours or the client's: before that, there is no request.
#include "log.h"
#include "sealed.h"
#include "../base/tcb.h"
#include "whit/port.h"

#define NAME_LEN 24    // octets of the longest name, with its NUL
static const struct {
    uint8_t alert;    // RFC 8446, section 6
    char name[NAME_LEN];
} names[] WHIT_FLASH = {
    {10, "unexpected_message"}, {20, "bad_record_mac"},      {22, "record_overflow"},      {40, "handshake_failure"},
    {42, "bad_certificate"},    {45, "certificate_expired"}, {46, "certificate_unknown"},  {47, "illegal_parameter"},
    {48, "unknown_ca"},         {50, "decode_error"},        {51, "decrypt_error"},        {70, "protocol_version"},
    {80, "internal_error"},     {90, "user_canceled"},       {109, "missing_extension"},   {120, "no_application_protocol"},
};

void log_sealed(const struct whit_tcb *tcb)
{
    static char line[LOG_OUT_MAX];
    static const char refused[] WHIT_FLASH = "- TLS refused: alert ", by_client[] WHIT_FLASH = "- TLS refused by the client: alert ";
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
