// SPDX-License-Identifier: MIT
// For the files of this layer only.
#ifndef WHIT_WSS_INTERNAL_H
#define WHIT_WSS_INTERNAL_H

#include <string.h>

#include "wss.h"

// octets by which a message is known again among those of the same second: one in 2^32 others is refused, none runs
// twice
#define WSS_MARK 4

// By the time at which it was made, may a message be taken? At most in a clock's fault.
enum wss_fault wss_in_time(uint32_t created);
// A lower bound of the time, or, if `exact`, the time.
uint32_t wss_now(bool *exact);
// A message that was made then and is proved to be a caller's, is it the first of its mark? It is remembered.
enum wss_fault wss_take(uint32_t created, const uint8_t mark[WSS_MARK]);

// ------------------------------------------------------------------------------------------------ URIs

// Namespaces and algorithms of messages, by their URIs.

uint8_t wss_uri_of(const char *text);                  // enum wss_namespace
int8_t wss_uri_compare(uint8_t one, uint8_t other);    // by their octets: less than 0, 0, more

// ------------------------------------------------------------------------------------------------ tags

// Between c14n.c and c14n.c.

#define NO_NAMESPACE 0xff

static inline const char *c14n_tag_at(const struct c14n *c, uint16_t at)
{
    return (const char *)c->tag + at;
}
static inline const char *c14n_prefix_of(const struct c14n *c, uint8_t namespace)
{
    return c->texts + c->namespaces[namespace].prefix;
}
static inline const char *c14n_behind(const char *text)
{
    return text + strlen(text) + 1;
}

// ------------------------------------------------------------------------------------------------ signed messages

// Between signature.c and signature.c.

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

// Text that is read uses the end of the room for tags. Between a start tag and its end tag, which is shorter, there is
// no other tag.
static inline uint8_t *signed_text_of(struct wss_signed *w)
{
    return w->c14n.tag + C14N_TAG - SIGNED_TEXT - 1;
}

// signature.c

// signature.c
bool reply_prepare(struct wss_signed *w);    // a nonce begins; false: there is no key

#endif
