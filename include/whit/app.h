// SPDX-License-Identifier: MIT
// What a web application may call. An application's C file that carries a <generator> element in a comment is a
// resource; its handlers run to completion, one at a time, and never wait.
#ifndef WHIT_APP_H
#define WHIT_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/port.h"

// Write the response's content. Text is plain octets: what goes into HTML or JSON is escaped by the caller.
void out_c(char octet);
void out_str(const char *text);                       // up to its NUL
void out_mem(const void *octets, uint16_t len);
void out_uint(uint32_t number);                       // decimal
void out_int(int32_t number);                         // decimal
void out_flash(const char *text);                     // up to its NUL, text marked WHIT_FLASH

// The application's persistent memory, of the size that app.toml gives ([persistent] size, in octets).
// Never-written octets are zero. A write is whole or not there. False: out of range, or the medium failed.
bool persistent_read(uint16_t address, void *to, uint16_t len);
bool persistent_write(uint16_t address, const void *from, uint16_t len);

// Handlers. Each returns 1, or 0 when it cannot answer: the client then gets 500 and nothing of what was written.
//   char init(void)                         once, when the engine starts
//   char doGet(struct args_t *args)         GET and HEAD; struct args_t comes from the <args> element

#endif
