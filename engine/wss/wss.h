// SPDX-License-Identifier: MIT
// WS-Security 1.1 (OASIS): the Security header of a message, read as it comes, in constant memory. Who reads the message tells of each
// element below the Header; at its end, it is said whether the message may take effect, before anything does.
#ifndef WHIT_WSS_H
#define WHIT_WSS_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/limits.h"
#include "whit/port.h"

enum wss_fault {
    WSS_FINE,
    WSS_INVALID,        // wsse:InvalidSecurity: the header is not as it must be
    WSS_UNSUPPORTED,    // wsse:UnsupportedSecurityToken
    WSS_FAILED,         // wsse:FailedAuthentication: who it is was not proved, or the message came before
    WSS_EXPIRED,        // wsu:MessageExpired: too old, too new, or as old as what is not remembered any more
    WSS_BROKEN,         // ours: persistent memory failed
    WSS_ALGORITHM,      // wsse:UnsupportedAlgorithm
    WSS_CHECK,          // wsse:FailedCheck: the signature does not hold, or does not cover what it must
    WSS_KEYLESS,        // ours: there is no key to sign the reply with
    WSS_MORE,           // no fault: its signature is still to be verified, in slices
};

// Namespaces and algorithms that are told apart.
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
    WSS_XML,     // of the prefix xml
    WSS_ENVELOPED,    // algorithms, whose URIs are no namespaces
    WSS_SHA256,
    WSS_ECDSA,
    WSS_NONE,    // of a name in no namespace
    WSS_RSA,     // an algorithm, where WHIT_HAS_RSA
    WSS_SERVICES,    // from here on: whit_wss_namespaces
};

#define WSS_TEXT 44         // octets of a text that is read: a nonce of 32 octets in base64
#define WSS_NONCE_MAX 32
#define WSS_DIGEST 20

struct wss {
    uint32_t token_created, created, expires;    // seconds since 1970; of the last two, 0: not said
    uint8_t fault;          // enum wss_fault: the first one
    uint8_t at;             // enum wss_element that is open
    uint8_t skipped;        // elements in it that are open and of which nothing is read
    uint8_t text_len;       // of what is read of the element
    uint8_t nonce_len;
    uint8_t written_len;
    uint8_t is_digest : 1;  // attributes of the tag at hand say so
    uint8_t not_base64 : 1;
    uint16_t had;           // elements that there were, a bit each
    uint8_t key;            // of whit_wss_keys, whose name it is; whit_wss_key_cnt: nobody's
    uint8_t text[WSS_TEXT + 1];
    uint8_t digest[WSS_DIGEST];
    uint8_t nonce[WSS_NONCE_MAX];
    uint8_t written[WSS_TEXT];    // the token's Created, as it is written: its octets are hashed
};

struct whit_wss_key {
    const char *name;        // both in flash
    const char *password;
};
// Of the application, in flash.
extern const struct whit_wss_key whit_wss_keys[];
extern const uint8_t whit_wss_key_cnt;
extern const uint32_t whit_wss_built_s;    // the image was built then or later
extern const uint16_t whit_wss_floor_at;   // in persistent memory, four octets: what is made then or before is refused after a start

extern const char *const whit_wss_namespaces[];    // of services
extern const uint8_t whit_wss_namespace_cnt;

// The octets of an URI, of which some have a beginning in common.
struct wss_uri {
    const uint8_t *at, *then;    // in flash; where it goes on when the beginning ends, or NULL
};
struct wss_uri wss_uri_text(uint8_t uri);     // of enum wss_namespace
uint8_t wss_uri_octet(struct wss_uri *uri);   // the next one; 0: it has ended

void wss_init(void);

void wss_begin(struct wss *w);
// Of each element from a Security on that is for us: attributes and their values, its namespace and name, by the numbers of tables.h;
// its text, in any pieces, and its end.
void wss_valued(struct wss *w, uint16_t attribute, uint16_t value);
bool wss_opened(struct wss *w, uint16_t uri, uint16_t name);    // true: it is a Security
void wss_text(struct wss *w, const uint8_t *octets, uint16_t len);
void wss_closed(struct wss *w);
// The message is whole, and nothing else is wrong with it: may the function run? To be asked once, as it remembers the message.
enum wss_fault wss_admit(const struct wss *w);

// For faults: codes, "wsse:FailedAuthentication", and sentences, each with a NUL (wss_fault.c).
extern const char wss_told[];

#endif
