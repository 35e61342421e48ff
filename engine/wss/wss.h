// SPDX-License-Identifier: MIT
// WS-Security 1.1 (OASIS): reads the Security header of a message as it arrives, in constant memory. The message's
// reader passes each element below the Header. At the end of the message, the result tells whether it may take effect,
// before any effect.
#ifndef WHIT_WSS_WSS_H
#define WHIT_WSS_WSS_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/limits.h"
#include "whit/crypto.h"
#include "whit/port.h"

enum wss_fault {
    WSS_FINE,
    WSS_INVALID,        // wsse:InvalidSecurity: the header is not as it must be
    WSS_UNSUPPORTED,    // wsse:UnsupportedSecurityToken
    WSS_FAILED,         // wsse:FailedAuthentication: the caller's identity was not proved, or the message came before
    WSS_EXPIRED,        // wsu:MessageExpired: too old, too new, or as old as forgotten messages
    WSS_BROKEN,         // ours: persistent memory failed
    WSS_ALGORITHM,      // wsse:UnsupportedAlgorithm
    WSS_CHECK,          // wsse:FailedCheck: the signature is wrong, or does not cover the required parts
    WSS_KEYLESS,        // ours: there is no key to sign the reply with
    WSS_MORE,           // no fault: its signature is still to be verified, in slices
};

// Namespaces and algorithms that are distinguished.
enum wss_namespace {
    WSS_OTHER,
    WSS_WSSE,    // ...wssecurity-secext-1.0.xsd
    WSS_WSU,     // ...wssecurity-utility-1.0.xsd
    WSS_DS,      // xmldsig#
    WSS_EXC,     // xml-exc-c14n#
    WSS_SOAP11,
    WSS_SOAP12,
    WSS_XSI,
    WSS_XSD,
    WSS_WSA,
    WSS_XML,          // namespace of the prefix xml
    WSS_ENVELOPED,    // algorithms, whose URIs are no namespaces
    WSS_SHA256,
    WSS_ECDSA,
    WSS_NONE,        // namespace of an unqualified name
    WSS_RSA,         // an algorithm, where WHIT_HAS_RSA
    WSS_SERVICES,    // from here on: whit_wss_namespaces
};

#define WSS_TEXT 44    // octets of a text that is read: a nonce of 32 octets in base64
#define WSS_NONCE_MAX 32
#define WSS_DIGEST 20

struct wss {
    uint32_t token_created, created, expires;    // seconds since 1970; of the last two, 0: absent
    uint8_t fault;                               // enum wss_fault: the first one
    uint8_t at;                                  // enum wss_element that is open
    uint8_t skipped;                             // elements in it that are open and of which nothing is read
    uint8_t text_len;                            // text of the element that was read
    uint8_t nonce_len;
    uint8_t written_len;
    uint8_t is_digest : 1;    // set by attributes of the current tag
    uint8_t not_base64 : 1;
    uint16_t had;    // elements that there were, a bit each
    uint8_t key;     // index in whit_wss_keys of its name; whit_wss_key_cnt: unknown
    uint8_t text[WSS_TEXT + 1];
    uint8_t digest[WSS_DIGEST];
    uint8_t nonce[WSS_NONCE_MAX];
    uint8_t written[WSS_TEXT];    // the token's Created, as it is written: its octets are hashed
};

struct whit_wss_key {
    const char *name;    // both in flash
    const char *password;
};
// Data of the application, in flash.
extern const struct whit_wss_key whit_wss_keys[];
extern const uint8_t whit_wss_key_cnt;
extern const uint32_t whit_wss_built_s;    // the image was built then or later
// address in persistent memory, four octets: after a start, messages made then or before are refused
extern const uint16_t whit_wss_floor_at;

extern const char *const whit_wss_namespaces[];    // namespaces of services
extern const uint8_t whit_wss_namespace_cnt;

// The octets of an URI, of which some have a beginning in common.
struct wss_uri {
    const uint8_t *at, *then;    // begin of the URI in flash, and its continuation, or NULL
};
struct wss_uri wss_uri_text(uint8_t uri);      // uri: enum wss_namespace
uint8_t wss_uri_octet(struct wss_uri *uri);    // the next one; 0: it has ended

void wss_init(void);

void wss_begin(struct wss *w);
// Events of each element from a Security for us on. Attributes and their values, its namespace and name are numbers of
// tables.h. Its text comes in pieces of any length, before its end.
void wss_valued(struct wss *w, uint16_t attribute, uint16_t value);
bool wss_opened(struct wss *w, uint16_t uri, uint16_t name);    // true: it is a Security
void wss_text(struct wss *w, const uint8_t *octets, uint16_t len);
void wss_closed(struct wss *w);
// Decides about a complete message without other errors: may the function run? Call it once, as it remembers the
// message.
enum wss_fault wss_admit(const struct wss *w);

// For faults: codes, "wsse:FailedAuthentication", and sentences, each with a NUL (token.c).
extern const char wss_told[];

// ------------------------------------------------------------------------------------------------ canonical forms

// The SHA-256 of an element in its canonical form: Exclusive XML Canonicalization 1.0 without comments, of a message
// that is read as it arrives. All its tags are passed from the root on, because declarations above the element count.

#define C14N_TAG 320          // octets of a start tag's names and values, without declarations
#define C14N_NAMESPACES 16    // declarations in scope
#define C14N_ATTRIBUTES 8     // attributes of a tag
#define C14N_TEXTS 124        // octets of their prefixes and of those in PrefixLists, each with a NUL
#define C14N_LISTED_MAX 8     // prefixes in PrefixLists, each counted once

struct c14n {
    struct whit_sha256 sha;
    bool wrong;           // more than a limit above, or an URI that is not known where it matters
    uint8_t depth;        // open elements
    uint8_t hashed;       // number of these up to the hashed one; 0: none is
    uint8_t inclusive;    // its PrefixList: bits of c14n_listed()
    uint8_t namespace_cnt, attribute_cnt, listed_cnt;
    bool tag_open;                      // a tag is read
    bool in_value;                      // ... and a value in it
    uint8_t texts_len;                  // octets in `texts` of declarations, from its begin
    uint8_t listed_at;                  // prefixes of PrefixLists, up to its end, the first one last
    uint8_t uris[C14N_ATTRIBUTES];      // enum wss_namespace
    uint16_t names[C14N_ATTRIBUTES];    // names of attributes, as places in `tag`; a value follows its name
    uint16_t tag_len;                   // octets in `tag`
    uint16_t attribute, value;          // begin of the current attribute's name and value; 0: no attribute
    struct {
        uint8_t prefix;    // place in `texts`
        uint8_t uri;
        uint8_t depth;
        uint8_t rendered;    // depth of the element whose canonical tag contains it; 0: none
    } namespaces[C14N_NAMESPACES];
    char texts[C14N_TEXTS];
    // the name, then names and values of attributes, each with a NUL; behind an end tag's name, nothing
    uint8_t tag[C14N_TAG];
};

void c14n_begin(struct c14n *c);
void c14n_name(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_attribute(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_value(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_valued(struct c14n *c);
// Ends the tag, which stays valid until c14n_opened(). Returns the namespace of the element; the other function returns
// the value of an attribute, or NULL.
uint8_t c14n_tagged(struct c14n *c);
const char *c14n_local(const struct c14n *c);
const char *c14n_get(const struct c14n *c, uint8_t uri, const char *local);
// A bit that stands for a prefix of a PrefixList; "" is #default. 0: there are too many.
uint8_t c14n_listed(struct c14n *c, const char *prefix, uint16_t len);
// Begins to hash the current element.
void c14n_hash(struct c14n *c, uint8_t inclusive);
// Begins to hash an element above, which had no attributes, and as many namespaces in scope; `namespace` is the last
// declaration of its prefix. The caller passes the content between its tag and the current one by c14n_text(),
// c14n_put_tag(), c14n_put() and c14n_put_uri().
void c14n_hash_held(struct c14n *c, uint8_t namespace, const char *local, uint8_t depth, uint8_t namespace_cnt,
                    uint8_t inclusive);
uint8_t c14n_namespace(const struct c14n *c);                               // the declaration of the tag's prefix
void c14n_put_tag(struct c14n *c, uint8_t namespace, const char *local);    // "<" and the name
void c14n_put(struct c14n *c, const char *text);
void c14n_put_uri(struct c14n *c, uint8_t uri);
void c14n_opened(struct c14n *c);
void c14n_text(struct c14n *c, const uint8_t *octets, uint16_t len);
void c14n_end_name(struct c14n *c, const uint8_t *octets, uint16_t len);    // none where the element was empty
// True: the element that was hashed ended, and `digest` is its.
bool c14n_closed(struct c14n *c, uint8_t digest[32]);

// ------------------------------------------------------------------------------------------------ signed messages

// A message that its caller signed (XML Signature over exclusive canonical forms), read as it arrives. Only four parts
// are stored: the hash of each Id, a digest, and the prefixes of its canonical form.

#define SIGNED_PARTS 4
// octets of an Id's hash. Another Id with the same hash does not help an attacker: the digest of its element must
// match.
#define SIGNED_ID 8
#define SIGNED_TEXT 44                                     // a digest of 32 octets in base64
#define SIGNED_VALUE (WHIT_HAS_RSA ? WHIT_RSA_LEN : 64)    // octets of a signature
#define SIGNED_BLANKS 24

struct signed_part {
    uint8_t id[SIGNED_ID];
    uint8_t digest[32];    // digest of the Reference or of the element: the first of them
    uint8_t had;           // enum signed_had
    uint8_t is;            // enum signed_element
    uint8_t inclusive;     // its PrefixList: bits of c14n_listed()
};

struct wss_signed {
    uint32_t created, expires;
    uint32_t elements;    // a bit for each element that occurred
    uint8_t fault;        // enum wss_fault: the first one
    uint8_t at;           // enum signed_element that is open
    uint8_t skipped;      // elements in it that are open and of which nothing is read
    uint8_t text_len;
    uint8_t part_cnt;
    uint8_t part;                           // part of the open Reference, or of the hashed element
    bool hashes_info;                       // SignedInfo, else the element
    uint8_t soap;                           // enum wss_namespace of the Envelope
    uint8_t info_depth, info_namespaces;    // depth and namespaces of SignedInfo
    // SignedInfo waits for its PrefixList: 1: its tag, 2: that of CanonicalizationMethod as well
    uint8_t held;
    uint8_t inclusive;    // the PrefixList
    bool is_rsa;          // its method; false where no caller signs by RSA
    uint8_t proof;        // enum signed_proof
    uint8_t key;          // key that is tried
    uint16_t signature_len;
    uint8_t info[32];    // digest of SignedInfo
    union {
        struct {
            uint8_t namespace;       // namespace of both tags' prefix
            uint8_t blank_cnt[2];    // octets behind each
            uint8_t blanks[2][SIGNED_BLANKS];
        } waits;                            // while it is held
        uint8_t signature[SIGNED_VALUE];    // comes behind SignedInfo
    };
    struct signed_part parts[SIGNED_PARTS];
    union {
        struct c14n c14n;               // while it is read
        struct whit_p256_check p256;    // used when the message is whole
#if WHIT_HAS_RSA
        struct whit_rsa_check rsa;
#endif
        struct whit_p256 nonce;    // nonce of the reply, after the verification
    };
};

static inline bool signed_by_rsa(const struct wss_signed *w)
{
    return WHIT_HAS_RSA && w->is_rsa;
}

// State of a message until its reply is signed.
struct wss_reply {
    uint32_t inverse[8], r[8];    // the nonce, which serves once
    uint16_t confirmed_len;
    uint8_t confirmed[SIGNED_VALUE];    // the message's signature
};

// Callers' keys, of the application, in flash: where WHIT_HAS_P256, points; where WHIT_HAS_RSA, moduli.
extern const uint8_t whit_wss_points[][64];
extern const uint8_t whit_wss_point_cnt;
extern const struct whit_rsa_key whit_wss_moduli[];
extern const uint8_t whit_wss_modulus_cnt;

void signed_begin(struct wss_signed *w);
// Events of each element of the message, in pieces of any length: as above.
void signed_name(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_attribute(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_value(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_valued(struct wss_signed *w);
bool signed_opened(struct wss_signed *w, bool ours);    // `ours`: a Security is for us. True: it is one
void signed_text(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_end_name(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_closed(struct wss_signed *w);
// Decides about a complete message without other errors: may the function run? WSS_MORE: its signature is to be
// verified first. Call slices until one returns true, then this function again.
enum wss_fault signed_admit(struct wss_signed *w);
bool signed_slice(struct wss_signed *w);

// signature.c; where WHIT_HAS_REPLIES
void reply_keep(struct wss_reply *reply, struct wss_signed *w);    // keeps an admitted message
bool reply_sign(struct wss_reply *reply, uint8_t signature[64], const uint8_t digest[32]);    // once
uint32_t reply_now(void);                                                                     // seconds since 1970
// thumbprint of the device's certificate, in base64; application data in flash
extern const char whit_wss_thumbprint[];

#endif
