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
#define C14N_PREFIX 12       // octets of a prefix with its NUL
#define C14N_INCLUSIVE 4     // prefixes in a PrefixList

struct c14n_prefixes {
    uint8_t cnt;
    char prefix[C14N_INCLUSIVE][C14N_PREFIX];    // "" is #default
};

struct c14n {
    struct whit_sha256 sha;
    bool wrong;              // more than a limit above, or an URI that is not known where it matters
    uint8_t depth;           // open elements
    uint8_t hashed;          // of these, up to the one that is hashed; 0: none is
    uint8_t namespace_cnt, rendered_cnt, attribute_cnt;
    bool tag_open;           // a tag is read
    bool in_value;           // ... and a value in it
    uint16_t tag_len;        // octets in `tag`
    uint16_t attribute, value;    // of the attribute at hand: where its name and value begin; 0: there is none
    const struct c14n_prefixes *inclusive;
    struct {
        char prefix[C14N_PREFIX];
        uint8_t uri;         // enum wss_namespace
        uint8_t depth;
    } namespaces[C14N_NAMESPACES];
    struct {
        uint8_t namespace;   // RENDERED_NONE: xmlns=""
        uint8_t depth;
    } rendered[C14N_NAMESPACES];
    struct {
        uint16_t name, value;
        uint8_t uri;
    } attributes[C14N_ATTRIBUTES];
    uint8_t tag[C14N_TAG];   // the name, then names and values of attributes, each with a NUL
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
// That element is to be hashed, from here on; the list stays where it is.
void c14n_hash(struct c14n *c, const struct c14n_prefixes *inclusive);
// That element above is to be hashed which had no attributes, and as many namespaces in scope. What is between its tag and the one at hand
// is told by c14n_text() and c14n_put().
void c14n_hash_held(struct c14n *c, const char *name, uint8_t depth, uint8_t namespace_cnt, const struct c14n_prefixes *inclusive);
void c14n_put(struct c14n *c, const char *text);
void c14n_opened(struct c14n *c);
void c14n_text(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_end_name(struct c14n *c, const uint8_t *octets, uint16_t len);    // none where the element was empty
// True: the element that was hashed ended, and `digest` is its.
bool c14n_closed(struct c14n *c, uint8_t digest[32]);

#endif
