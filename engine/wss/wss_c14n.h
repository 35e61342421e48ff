// SPDX-License-Identifier: MIT
// The SHA-256 of an element in its canonical form: Exclusive XML Canonicalization 1.0 without comments, of a message that is read as it
// comes. All of its tags are told from the root on, as declarations above the element count.
#ifndef WHIT_WSS_C14N_H
#define WHIT_WSS_C14N_H

#include <stdbool.h>
#include <stdint.h>

#include "wss.h"
#include "whit/crypto.h"

#define C14N_TAG 320         // octets of a start tag's names and values, without declarations
#define C14N_NAMESPACES 16   // declarations in scope
#define C14N_ATTRIBUTES 8    // of a tag
#define C14N_TEXTS 124       // octets of their prefixes and of those in PrefixLists, each with a NUL
#define C14N_LISTED_MAX 8    // prefixes in PrefixLists, each counted once

struct c14n {
    struct whit_sha256 sha;
    bool wrong;              // more than a limit above, or an URI that is not known where it matters
    uint8_t depth;           // open elements
    uint8_t hashed;          // of these, up to the one that is hashed; 0: none is
    uint8_t inclusive;       // its PrefixList: bits of c14n_listed()
    uint8_t namespace_cnt, attribute_cnt, listed_cnt;
    bool tag_open;           // a tag is read
    bool in_value;           // ... and a value in it
    uint8_t texts_len;       // octets in `texts` of declarations, from its begin
    uint8_t listed_at;       // prefixes of PrefixLists, up to its end, the first one last
    uint8_t uris[C14N_ATTRIBUTES];       // enum wss_namespace
    uint16_t names[C14N_ATTRIBUTES];     // of attributes: places in `tag`; a value stands behind its name
    uint16_t tag_len;        // octets in `tag`
    uint16_t attribute, value;    // of the attribute at hand: where its name and value begin; 0: there is none
    struct {
        uint8_t prefix;      // place in `texts`
        uint8_t uri;
        uint8_t depth;
        uint8_t rendered;    // depth of the element in whose canonical tag it stands; 0: in none
    } namespaces[C14N_NAMESPACES];
    char texts[C14N_TEXTS];
    uint8_t tag[C14N_TAG];   // the name, then names and values of attributes, each with a NUL; behind an end tag's name, nothing
};

void c14n_begin(struct c14n *c);
void c14n_name(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_attribute(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_value(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_valued(struct c14n *c);
// The tag has ended, and is whole until c14n_opened(): what namespace the element is in, and the value of an attribute, or NULL.
uint8_t c14n_tagged(struct c14n *c);
const char *c14n_local(const struct c14n *c);
const char *c14n_get(const struct c14n *c, uint8_t uri, const char *local);
// A bit that stands for a prefix of a PrefixList; "" is #default. 0: there are too many.
uint8_t c14n_listed(struct c14n *c, const char *prefix, uint16_t len);
// That element is to be hashed, from here on.
void c14n_hash(struct c14n *c, uint8_t inclusive);
// That element above is to be hashed which had no attributes, and as many namespaces in scope; the last declaration of its prefix is
// `namespace`. What is between its tag and the one at hand is told by c14n_text(), c14n_put_tag(), c14n_put() and c14n_put_uri().
void c14n_hash_held(struct c14n *c, uint8_t namespace, const char *local, uint8_t depth, uint8_t namespace_cnt, uint8_t inclusive);
uint8_t c14n_namespace(const struct c14n *c);    // the declaration of the tag's prefix
void c14n_put_tag(struct c14n *c, uint8_t namespace, const char *local);    // "<" and the name
void c14n_put(struct c14n *c, const char *text);
void c14n_put_uri(struct c14n *c, uint8_t uri);
void c14n_opened(struct c14n *c);
void c14n_text(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_end_name(struct c14n *c, const uint8_t *octets, uint16_t len);    // none where the element was empty
// True: the element that was hashed ended, and `digest` is its.
bool c14n_closed(struct c14n *c, uint8_t digest[32]);

#endif
