// SPDX-License-Identifier: MIT
// A message that its caller signed (XML Signature over exclusive canonical forms), read as it comes. Nothing of it is kept but what is
// known of four parts: the hash of each Id, a digest, and the prefixes that its canonical form takes along.
#ifndef WHIT_WSS_SIGNED_H
#define WHIT_WSS_SIGNED_H

#include "wss_c14n.h"

#define SIGNED_PARTS 4
#define SIGNED_ID 8          // octets of an Id's hash. Who finds another Id of the same gains nothing: its element's digest must be that one's
#define SIGNED_TEXT 44       // a digest of 32 octets in base64
#define SIGNED_VALUE (WHIT_HAS_RSA ? WHIT_RSA_LEN : 64)    // octets of a signature
#define SIGNED_BLANKS 24

struct signed_part {
    uint8_t id[SIGNED_ID];
    uint8_t digest[32];      // of the Reference or of the element: which came first
    uint8_t had;             // enum signed_had
    uint8_t is;              // enum signed_element
    uint8_t inclusive;       // its PrefixList: bits of c14n_listed()
};

struct wss_signed {
    uint32_t created, expires;
    uint32_t elements;       // that there were, a bit each
    uint8_t fault;           // enum wss_fault: the first one
    uint8_t at;              // enum signed_element that is open
    uint8_t skipped;         // elements in it that are open and of which nothing is read
    uint8_t text_len;
    uint8_t part_cnt;
    uint8_t part;            // of the Reference that is open, or of the element that is hashed
    bool hashes_info;        // SignedInfo, else the element
    uint8_t soap;            // enum wss_namespace of the Envelope
    uint8_t info_depth, info_namespaces;    // of SignedInfo
    uint8_t held;            // SignedInfo waits for its PrefixList: 1: its tag, 2: that of CanonicalizationMethod as well
    uint8_t inclusive;       // the PrefixList
    bool is_rsa;             // its method; false where no caller signs by RSA
    uint8_t proof;           // enum signed_proof
    uint8_t key;             // that is tried
    uint16_t signature_len;
    uint8_t info[32];        // digest of SignedInfo
    union {
        struct {
            uint8_t namespace;      // of both tags' prefix
            uint8_t blank_cnt[2];   // octets behind each
            uint8_t blanks[2][SIGNED_BLANKS];
        } waits;                    // while it is held
        uint8_t signature[SIGNED_VALUE];    // comes behind SignedInfo
    };
    struct signed_part parts[SIGNED_PARTS];
    union {
        struct c14n c14n;    // while it is read
        struct whit_p256_check p256;     // when it is whole
#if WHIT_HAS_RSA
        struct whit_rsa_check rsa;
#endif
        struct whit_p256 nonce;    // of the reply, when it is verified
    };
};

static inline bool signed_by_rsa(const struct wss_signed *w) { return WHIT_HAS_RSA && w->is_rsa; }

// What is kept of a message until its reply is signed.
struct wss_reply {
    uint32_t inverse[8], r[8];    // of the nonce, which serves once
    uint16_t confirmed_len;
    uint8_t confirmed[SIGNED_VALUE];    // the message's signature
};

// Callers' keys, of the application, in flash: where WHIT_HAS_P256, points; where WHIT_HAS_RSA, moduli.
extern const uint8_t whit_wss_points[][64];
extern const uint8_t whit_wss_point_cnt;
extern const struct whit_rsa_key whit_wss_moduli[];
extern const uint8_t whit_wss_modulus_cnt;

void signed_begin(struct wss_signed *w);
// Of each element of the message, in any pieces: as those of wss.h.
void signed_name(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_attribute(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_value(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_valued(struct wss_signed *w);
bool signed_opened(struct wss_signed *w, bool ours);    // `ours`: a Security is for us. True: it is one
void signed_text(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_end_name(struct wss_signed *w, const uint8_t *octets, uint16_t len);
void signed_closed(struct wss_signed *w);
// The message is whole, and nothing else is wrong with it: may the function run? WSS_MORE: its signature is to be verified first. Then
// slices are asked for until one says true, and this is asked again.
enum wss_fault signed_admit(struct wss_signed *w);
bool signed_slice(struct wss_signed *w);

// wss_reply.c; where WHIT_HAS_REPLIES
void reply_keep(struct wss_reply *reply, struct wss_signed *w);    // of a message that was admitted
bool reply_sign(struct wss_reply *reply, uint8_t signature[64], const uint8_t digest[32]);    // once
uint32_t reply_now(void);                      // seconds since 1970
extern const char whit_wss_thumbprint[];       // of the device's certificate, in base64; of the application, in flash

#endif
