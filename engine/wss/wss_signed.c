// SPDX-License-Identifier: MIT
// What a signature covers (XML Signature 1.1; SOAP Message Security 1.1, section 8). Whatever is not in this subset is refused: exclusive
// canonical forms, SHA-256, ECDSA with P-256 and RSA with 2048 bits; parts are the Body of the Envelope and what stands in Security itself, each under an Id of
// its own. Body and Timestamp must be signed.
#include <string.h>

#include "wss_in.h"
#include "wss_signed.h"
#include "wss_signed_in.h"
#include "wss_uri.h"
#include "../base/texts.h"

// Each stands in one other; MANY: it may be there more than once.
#define MANY 0x80
static const struct {
    uint8_t within, namespace;
} signed_elements[IN_CNT - 1] WHIT_FLASH = {
    {IN_NOTHING, WSS_NONE},    // of these three, the namespace is looked at elsewhere
    {IN_ENVELOPE, WSS_NONE},
    {IN_ENVELOPE, WSS_NONE},
    {IN_HEADER, WSS_WSSE},
    {IN_SECURITY, WSS_WSU},
    {IN_TIMESTAMP, WSS_WSU},
    {IN_TIMESTAMP, WSS_WSU},
    {IN_SECURITY, WSS_DS},
    {IN_SIGNATURE, WSS_DS},
    {IN_INFO, WSS_DS},
    {IN_CANONICALIZATION, WSS_EXC},
    {IN_INFO, WSS_DS},
    {IN_INFO | MANY, WSS_DS},
    {IN_REFERENCE | MANY, WSS_DS},
    {IN_TRANSFORMS | MANY, WSS_DS},
    {IN_TRANSFORM | MANY, WSS_EXC},
    {IN_REFERENCE | MANY, WSS_DS},
    {IN_REFERENCE | MANY, WSS_DS},
    {IN_SIGNATURE, WSS_DS},
    {IN_SIGNATURE, WSS_DS},
};
static const char signed_names[] WHIT_FLASH =    // of each, with a NUL
    "Envelope\0" "Header\0" "Body\0" "Security\0" "Timestamp\0" "Created\0" "Expires\0" "Signature\0" "SignedInfo\0"
    "CanonicalizationMethod\0" "InclusiveNamespaces\0" "SignatureMethod\0" "Reference\0" "Transforms\0" "Transform\0"
    "InclusiveNamespaces\0" "DigestMethod\0" "DigestValue\0" "SignatureValue\0" "KeyInfo";

static uint8_t signed_within(uint8_t element) { return whit_flash_u8(&signed_elements[element - 1].within) & (uint8_t)~MANY; }

void signed_refuse(struct wss_signed *w, enum wss_fault why)
{
    if (w->fault == WSS_FINE)
        w->fault = (uint8_t)why;
}

void signed_require(struct wss_signed *w, bool holds, enum wss_fault why)
{
    if (!holds)
        signed_refuse(w, why);
}

void signed_begin(struct wss_signed *w)
{
    memset(w, 0, sizeof *w);
    c14n_begin(&w->c14n);
}

void signed_name(struct wss_signed *w, const uint8_t *octets, uint16_t len) { c14n_name(&w->c14n, octets, len); }
void signed_attribute(struct wss_signed *w, const uint8_t *octets, uint16_t len) { c14n_attribute(&w->c14n, octets, len); }
void signed_value(struct wss_signed *w, const uint8_t *octets, uint16_t len) { c14n_value(&w->c14n, octets, len); }
void signed_valued(struct wss_signed *w) { c14n_valued(&w->c14n); }
void signed_end_name(struct wss_signed *w, const uint8_t *octets, uint16_t len) { c14n_end_name(&w->c14n, octets, len); }

// ------------------------------------------------------------------------------------------------ elements

static bool namespace_fits(struct wss_signed *w, uint8_t element, uint8_t uri)
{
    if (element == IN_ENVELOPE)
        w->soap = uri == WSS_SOAP11 || uri == WSS_SOAP12 ? uri : 0;
    if (element <= IN_BODY)
        return w->soap != 0 && uri == w->soap;
    return uri == whit_flash_u8(&signed_elements[element - 1].namespace);
}

static uint8_t signed_element_of(struct wss_signed *w, uint8_t uri)
{
    const char *name = signed_names, *local = c14n_local(&w->c14n);
    for (uint8_t element = 1; element < IN_CNT; element++) {
        const char *at = local;
        uint8_t octet;
        bool same = true;
        for (; (octet = whit_flash_u8((const uint8_t *)name++)) != 0; at += same)
            same = same && octet == (uint8_t)*at;
        if (same && *at == 0 && signed_within(element) == w->at && namespace_fits(w, element, uri))
            return element;
    }
    return IN_NOTHING;
}

bool signed_opened(struct wss_signed *w, bool ours)
{
    uint8_t uri = c14n_tagged(&w->c14n), element = w->skipped != 0 ? IN_NOTHING : signed_element_of(w, uri);
    if (element == IN_NOTHING || (element == IN_SECURITY && !ours)) {
        bool free = w->skipped != 0 || w->at == IN_HEADER || w->at == IN_SECURITY || w->at == IN_BODY || w->at == IN_KEY_INFO;
        signed_require(w, free, WSS_INVALID);
        if (w->skipped++ == 0 && w->at == IN_SECURITY)
            signed_part_opened(w, IN_OTHER);
        c14n_opened(&w->c14n);
        return false;
    }
    signed_require(w, !(w->elements & UINT32_C(1) << element) || whit_flash_u8(&signed_elements[element - 1].within) >= MANY, WSS_INVALID);
    w->elements |= UINT32_C(1) << element;
    w->at = element;
    w->text_len = 0;
    if (element == IN_BODY || element == IN_TIMESTAMP)
        signed_part_opened(w, element);
    else if (element >= IN_INFO && element < IN_VALUE)
        signed_info_opened(w, element);
    c14n_opened(&w->c14n);
    return element == IN_SECURITY;
}

// Four characters of the signature's value: three octets, or fewer at its end.
static void value_add(struct wss_signed *w)
{
    uint8_t *text = signed_text_of(w);
    bool fits = w->signature_len % 3 == 0 && base64_read(text, 4) && w->signature_len + text[0] <= SIGNED_VALUE;
    signed_require(w, fits, WSS_INVALID);
    if (fits) {
        memcpy(w->signature + w->signature_len, text + 1, text[0]);
        w->signature_len = (uint16_t)(w->signature_len + text[0]);
    }
    w->text_len = 0;
}

void signed_text(struct wss_signed *w, const uint8_t *octets, uint16_t len)
{
    bool read = w->skipped == 0 && (w->at == IN_CREATED || w->at == IN_EXPIRES || w->at == IN_DIGEST || w->at == IN_VALUE);
    c14n_text(&w->c14n, octets, len);
    for (; len != 0; len--, octets++) {
        bool blank = *octets == ' ' || *octets == '\t' || *octets == '\n' || *octets == '\r';
        if (w->held != 0) {
            uint8_t *cnt = &w->waits.blank_cnt[w->held - 1];
            signed_require(w, blank && *cnt < SIGNED_BLANKS, WSS_INVALID);
            if (*cnt < SIGNED_BLANKS)
                w->waits.blanks[w->held - 1][(*cnt)++] = *octets;
        }
        if (!read || blank)
            continue;
        signed_require(w, w->text_len < SIGNED_TEXT, WSS_INVALID);
        if (w->text_len < SIGNED_TEXT)
            signed_text_of(w)[w->text_len++] = *octets;
        if (w->at == IN_VALUE && w->text_len == 4)
            value_add(w);
    }
}

static uint32_t text_time(struct wss_signed *w)
{
    uint32_t unix_s = 0;
    if (!time_read(signed_text_of(w), w->text_len, &unix_s))
        signed_refuse(w, WSS_INVALID);
    return unix_s;
}

static void hashed(struct wss_signed *w, const uint8_t digest[32])
{
    if (w->hashes_info)
        memcpy(w->info, digest, sizeof w->info);
    else
        signed_part_digest(w, &w->parts[w->part], digest, HAD_ELEMENT);
    w->hashes_info = false;
}

void signed_closed(struct wss_signed *w)
{
    uint8_t digest[32], *text = signed_text_of(w);
    if (w->skipped != 0) {
        w->skipped--;
    } else {
        switch (w->at) {
        case IN_CREATED: w->created = text_time(w); break;
        case IN_EXPIRES: w->expires = text_time(w); break;
        case IN_CANONICALIZATION: signed_release(w); break;
        case IN_REFERENCE: signed_reference_closed(w); break;
        case IN_DIGEST:
            signed_part_once(w, HAD_DIGEST);
            if (base64_read(text, w->text_len) && text[0] == 32)
                signed_part_digest(w, &w->parts[w->part], text + 1, HAD_REFERENCE);
            else
                signed_refuse(w, WSS_INVALID);
            break;
        case IN_VALUE: signed_require(w, w->text_len == 0, WSS_INVALID); break;
        default: break;
        }
        w->at = w->at == IN_NOTHING ? IN_NOTHING : signed_within(w->at);
    }
    if (c14n_closed(&w->c14n, digest))
        hashed(w, digest);
}

// ------------------------------------------------------------------------------------------------ a whole message

static bool is_signed(const struct wss_signed *w, uint8_t element)
{
    for (uint8_t i = 0; i < w->part_cnt; i++)
        if (w->parts[i].is == element && (w->parts[i].had & HAD_SAME))
            return true;
    return false;
}

static enum wss_fault signed_judge(const struct wss_signed *w)
{
    bool exact;
    if (w->fault != WSS_FINE)
        return (enum wss_fault)w->fault;
    if (w->c14n.wrong || !(w->elements & UINT32_C(1) << IN_VALUE) || !(w->elements & UINT32_C(1) << IN_METHOD) || w->created == 0 ||
        w->signature_len != (signed_by_rsa(w) ? WHIT_RSA_LEN : 64))
        return WSS_INVALID;
    for (uint8_t i = 0; i < w->part_cnt; i++)
        if ((w->parts[i].had & HAD_REFERENCE) && !(w->parts[i].had & HAD_SAME))
            return WSS_CHECK;
    if (!is_signed(w, IN_BODY) || !is_signed(w, IN_TIMESTAMP))
        return WSS_CHECK;
    enum wss_fault fault = wss_in_time(w->created);
    return fault != WSS_FINE || (w->expires != 0 && w->expires < wss_now(&exact)) ? WSS_EXPIRED : WSS_FINE;
}

// ------------------------------------------------------------------------------------------------ its signature, by one key after the other

enum signed_proof { PROOF_NONE, PROOF_BEGUN, PROOF_REPLY /* its nonce is computed */, PROOF_DONE };

static uint8_t key_cnt(const struct wss_signed *w)
{
#if WHIT_HAS_RSA
    if (w->is_rsa)
        return whit_flash_u8(&whit_wss_modulus_cnt);
#endif
    (void)w;
#if WHIT_HAS_P256
    return whit_flash_u8(&whit_wss_point_cnt);
#else
    return 0;
#endif
}

static bool check_begins(struct wss_signed *w)
{
#if WHIT_HAS_RSA
    if (w->is_rsa)
        return whit_rsa_check_begin(&w->rsa, w->signature, &whit_wss_moduli[w->key]);
#endif
#if WHIT_HAS_P256
    uint8_t point[64];
    whit_flash_copy(point, whit_wss_points[w->key], sizeof point);
    return whit_p256_check_begin(&w->p256, w->signature, point, w->info);
#else
    return false;
#endif
}

// True: it has told `holds`.
static bool check_steps(struct wss_signed *w, bool *holds)
{
#if WHIT_HAS_RSA
    if (w->is_rsa)
        return whit_rsa_check_step(&w->rsa, &whit_wss_moduli[w->key], w->info, holds);
#endif
#if WHIT_HAS_P256
    return whit_p256_check_step(&w->p256, holds);
#else
    *holds = false;
    return true;
#endif
}

static void prove_by(struct wss_signed *w, uint8_t key)
{
    for (w->key = key; w->key < key_cnt(w); w->key++)
        if (check_begins(w)) {
            w->proof = PROOF_BEGUN;
            return;
        }
    w->proof = PROOF_DONE;
    signed_refuse(w, WSS_CHECK);
}

static void proved(struct wss_signed *w)
{
    w->proof = WHIT_HAS_REPLIES ? PROOF_REPLY : PROOF_DONE;
#if WHIT_HAS_REPLIES
    if (!reply_prepare(w)) {
        w->proof = PROOF_DONE;
        signed_refuse(w, WSS_KEYLESS);
    }
#endif
}

bool signed_slice(struct wss_signed *w)
{
    bool holds;
    if (w->proof == PROOF_BEGUN && check_steps(w, &holds)) {
        if (holds)
            proved(w);
        else
            prove_by(w, (uint8_t)(w->key + 1));
    } else if (WHIT_HAS_REPLIES && w->proof == PROOF_REPLY && whit_p256_step(&w->nonce)) {
        w->proof = PROOF_DONE;
    }
    return w->proof == PROOF_DONE;
}

enum wss_fault signed_admit(struct wss_signed *w)
{
    if (w->proof == PROOF_NONE) {
        enum wss_fault fault = signed_judge(w);
        if (fault != WSS_FINE)
            return fault;
        prove_by(w, 0);
    }
    if (w->proof != PROOF_DONE)
        return WSS_MORE;
    return w->fault != WSS_FINE ? (enum wss_fault)w->fault : wss_take(w->created, w->info);
}
