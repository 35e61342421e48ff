// SPDX-License-Identifier: MIT
// Between wss_c14n.c and wss_c14n_tag.c.
#ifndef WHIT_WSS_C14N_TAG_H
#define WHIT_WSS_C14N_TAG_H

#include <string.h>

#include "wss_c14n.h"

#define NO_NAMESPACE 0xff

static inline const char *c14n_tag_at(const struct c14n *c, uint16_t at) { return (const char *)c->tag + at; }
static inline const char *c14n_prefix_of(const struct c14n *c, uint8_t namespace) { return c->texts + c->namespaces[namespace].prefix; }
static inline const char *c14n_behind(const char *text) { return text + strlen(text) + 1; }

uint8_t c14n_prefix_len(const char *name);    // of a qualified name
bool c14n_is_prefix(const char *prefix, const char *octets, uint16_t len);    // whole
const char *c14n_local_of(const char *name);
uint8_t c14n_declared(const struct c14n *c, const char *prefix, uint16_t len);    // the declaration in scope, or NO_NAMESPACE
uint8_t c14n_uri_of_tag_name(const struct c14n *c, const char *name, bool attribute);
uint8_t c14n_listed_bit(const struct c14n *c, const char *prefix, uint16_t len);    // of PrefixLists; 0: in none

#endif
