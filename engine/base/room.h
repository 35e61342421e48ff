// SPDX-License-Identifier: MIT
// The least shared buffer for what an application has. A generated source looks at it beside the author's file, so every name
// here and in tables.h begins with whit_ or WHIT_.
#ifndef WHIT_ROOM_H
#define WHIT_ROOM_H

#include "whit_limits.h"

// Blocks of the shared buffer begin at multiples of it: handlers' struct args_t and struct state_t, with their pointers.
#ifndef WHIT_ALIGNMENT
#define WHIT_ALIGNMENT (_Alignof(void *) > _Alignof(uint32_t) ? _Alignof(void *) : _Alignof(uint32_t))
#endif

// Octets of the shared buffer that are kept for a body beside struct args_t or struct state_t, at most. Together they take
// a quarter of it: in the other quarter of its first half a segment of the body finds room (INPUT_SHARE).
#define WHIT_FORM_KEPT (32 + (WHIT_HAS_FORM_PARTS ? 16 : 0))
#define WHIT_PARTS_KEPT 176
// ... and while a message of SOAP is read; that is given back before the function runs.
#define WHIT_SOAP_KEPT \
    (352 + (WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE ? 8 : 0) + (WHIT_HAS_DIGEST ? 160 : 0) + (WHIT_HAS_SIGNATURE ? 952 : 0) + (WHIT_HAS_RSA ? 312 : 0))

// Octets of the shared buffer that are never kept for long: there, what is generated again for a segment is made.
#define WHIT_WINDOW_RESERVED \
    (WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE || WHIT_HAS_RERUN ? WHIT_BUFFER / 4 < 256 ? WHIT_BUFFER / 4 : 256 : 0)
// Most octets of a plain persistent generator. It runs once, before its length is known, and must not depend on what
// others happen to keep: it begins when so much is free.
#define WHIT_WRITTEN_ONCE_MAX ((WHIT_BUFFER - WHIT_WINDOW_RESERVED) / (WHIT_CONNECTIONS > 1 ? 2 : 1))

// For a generator that runs again from points, and for one that is kept as it goes (content_rerun.c, content_kept.c);
// args_len and state_len are octets of its structs.
#define WHIT_ROUNDING (WHIT_ALIGNMENT > 4 ? 28 : 0)    // of blocks and of rerun points, to 8 octets
#define WHIT_RERUN_BUFFER(args_len, state_len) (80 + WHIT_ROUNDING + (args_len) + 3 * (state_len))
#define WHIT_THREAD_BUFFER(args_len, state_len)          \
    (72 + WHIT_ROUNDING + (args_len) + (state_len) + WHIT_WINDOW_RESERVED + \
     (WHIT_CONNECTIONS > 1 && WHIT_HAS_PLAIN ? WHIT_WRITTEN_ONCE_MAX + WHIT_BUFFER / 16 : 0))

#endif
