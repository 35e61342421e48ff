// SPDX-License-Identifier: MIT
// Whether early data is accepted (RFC 8446, section 8): from a hello that is young and did not come before.
#ifndef WHIT_TLS_EARLY_H
#define WHIT_TLS_EARLY_H

#include "tls.h"

void early_start(void);    // no hello came before

// Of a hello whose binder is good, and whose ticket was made at made_s. age_add: of that. True: it is remembered as one that came.
bool early_accepts(const struct tls_hello *hello, uint32_t age_add, uint32_t made_s, uint32_t now_s);

#endif
