// SPDX-License-Identifier: MIT
// Between wss_signed.c and wss_info.c.
#ifndef WHIT_WSS_SIGNED_IN_H
#define WHIT_WSS_SIGNED_IN_H

#include "wss_signed.h"

enum signed_element {
    IN_NOTHING,
    IN_ENVELOPE,
    IN_HEADER,
    IN_BODY,
    IN_SECURITY,
    IN_TIMESTAMP,
    IN_CREATED,
    IN_EXPIRES,
    IN_SIGNATURE,
    IN_INFO,
    IN_CANONICALIZATION,
    IN_INFO_PREFIXES,
    IN_METHOD,
    IN_REFERENCE,
    IN_TRANSFORMS,
    IN_TRANSFORM,
    IN_PREFIXES,
    IN_DIGEST_METHOD,
    IN_DIGEST,
    IN_VALUE,
    IN_KEY_INFO,
    IN_CNT,
    IN_OTHER = IN_CNT,    // another child of Security
};

enum signed_had {
    HAD_REFERENCE = 1,
    HAD_ELEMENT = 2,
    HAD_SAME = 4,         // ... and their digests are the same
    HAD_TRANSFORM = 8,    // to the canonical form
    HAD_METHOD = 16,
    HAD_DIGEST = 32,
    HAD_PREFIXES = 64,
};

// A text that is read has the end of the room for tags: between a start tag and its end tag, which is shorter, there is no other.
static inline uint8_t *signed_text_of(struct wss_signed *w) { return w->c14n.tag + C14N_TAG - SIGNED_TEXT - 1; }

void signed_refuse(struct wss_signed *w, enum wss_fault why);
void signed_require(struct wss_signed *w, bool holds, enum wss_fault why);

// wss_info.c
void signed_part_opened(struct wss_signed *w, uint8_t element);    // a child of Security, or the Body
void signed_part_digest(struct wss_signed *w, struct signed_part *part, const uint8_t digest[32], uint8_t had);
void signed_part_once(struct wss_signed *w, uint8_t had);    // of the Reference that is open
void signed_info_opened(struct wss_signed *w, uint8_t element);    // of SignedInfo, or in it
void signed_reference_closed(struct wss_signed *w);
void signed_release(struct wss_signed *w);    // SignedInfo's PrefixList is known, or there is none

// wss_reply.c
bool reply_prepare(struct wss_signed *w);      // a nonce begins; false: there is no key
#endif
