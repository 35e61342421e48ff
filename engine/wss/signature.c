// SPDX-License-Identifier: MIT
// Verifies the parts that a signature covers (XML Signature 1.1; SOAP Message Security 1.1, section 8). Everything
// outside this subset is refused: exclusive canonical forms, SHA-256, ECDSA with P-256 and RSA with 2048 bits. Parts
// are the Body of the Envelope and elements of Security itself, each with an Id of its own. Body and Timestamp must be
// signed.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "wss.h"
#include "../core/text.h"

static void signed_part_opened(struct wss_signed *w, uint8_t element);    // a child of Security, or the Body
static void signed_part_digest(struct wss_signed *w, struct signed_part *part, const uint8_t digest[32], uint8_t had);
static void signed_part_once(struct wss_signed *w, uint8_t had);          // state of the open Reference
static void signed_info_opened(struct wss_signed *w, uint8_t element);    // SignedInfo, or an element in it
static void signed_reference_closed(struct wss_signed *w);
static void signed_release(struct wss_signed *w);    // SignedInfo's PrefixList is known or absent

// Each element has one parent; MANY: it may occur more than once.
#define MANY 0x80
static const struct {
    uint8_t within, namespace;
} signed_elements[IN_CNT - 1] WHIT_FLASH = {
    {IN_NOTHING, WSS_NONE},    // the namespace of these three is checked elsewhere
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
static const char signed_names[] WHIT_FLASH =    // a name for each, with a NUL
    "Envelope\0"
    "Header\0"
    "Body\0"
    "Security\0"
    "Timestamp\0"
    "Created\0"
    "Expires\0"
    "Signature\0"
    "SignedInfo\0"
    "CanonicalizationMethod\0"
    "InclusiveNamespaces\0"
    "SignatureMethod\0"
    "Reference\0"
    "Transforms\0"
    "Transform\0"
    "InclusiveNamespaces\0"
    "DigestMethod\0"
    "DigestValue\0"
    "SignatureValue\0"
    "KeyInfo";

static uint8_t signed_within(uint8_t element)
{
    return whit_flash_u8(&signed_elements[element - 1].within) & (uint8_t)~MANY;
}

static void signed_refuse(struct wss_signed *w, enum wss_fault why)
{
    if (w->fault == WSS_FINE)
        w->fault = (uint8_t)why;
}

static void signed_require(struct wss_signed *w, bool holds, enum wss_fault why)
{
    if (!holds)
        signed_refuse(w, why);
}

void signed_begin(struct wss_signed *w)
{
    memset(w, 0, sizeof *w);
    c14n_begin(&w->c14n);
}

void signed_name(struct wss_signed *w, const uint8_t *octets, uint16_t len)
{
    c14n_name(&w->c14n, octets, len);
}
void signed_attribute(struct wss_signed *w, const uint8_t *octets, uint16_t len)
{
    c14n_attribute(&w->c14n, octets, len);
}
void signed_value(struct wss_signed *w, const uint8_t *octets, uint16_t len)
{
    c14n_value(&w->c14n, octets, len);
}
void signed_valued(struct wss_signed *w)
{
    c14n_valued(&w->c14n);
}
void signed_end_name(struct wss_signed *w, const uint8_t *octets, uint16_t len)
{
    c14n_end_name(&w->c14n, octets, len);
}

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
        bool free =
            w->skipped != 0 || w->at == IN_HEADER || w->at == IN_SECURITY || w->at == IN_BODY || w->at == IN_KEY_INFO;
        signed_require(w, free, WSS_INVALID);
        if (w->skipped++ == 0 && w->at == IN_SECURITY)
            signed_part_opened(w, IN_OTHER);
        c14n_opened(&w->c14n);
        return false;
    }
    signed_require(
        w, !(w->elements & UINT32_C(1) << element) || whit_flash_u8(&signed_elements[element - 1].within) >= MANY,
        WSS_INVALID);
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
    bool read =
        w->skipped == 0 && (w->at == IN_CREATED || w->at == IN_EXPIRES || w->at == IN_DIGEST || w->at == IN_VALUE);
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
        case IN_CREATED:
            w->created = text_time(w);
            break;
        case IN_EXPIRES:
            w->expires = text_time(w);
            break;
        case IN_CANONICALIZATION:
            signed_release(w);
            break;
        case IN_REFERENCE:
            signed_reference_closed(w);
            break;
        case IN_DIGEST:
            signed_part_once(w, HAD_DIGEST);
            if (base64_read(text, w->text_len) && text[0] == 32)
                signed_part_digest(w, &w->parts[w->part], text + 1, HAD_REFERENCE);
            else
                signed_refuse(w, WSS_INVALID);
            break;
        case IN_VALUE:
            signed_require(w, w->text_len == 0, WSS_INVALID);
            break;
        default:
            break;
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
    if (w->c14n.wrong || !(w->elements & UINT32_C(1) << IN_VALUE) || !(w->elements & UINT32_C(1) << IN_METHOD) ||
        w->created == 0 || w->signature_len != (signed_by_rsa(w) ? WHIT_RSA_LEN : 64))
        return WSS_INVALID;
    for (uint8_t i = 0; i < w->part_cnt; i++)
        if ((w->parts[i].had & HAD_REFERENCE) && !(w->parts[i].had & HAD_SAME))
            return WSS_CHECK;
    if (!is_signed(w, IN_BODY) || !is_signed(w, IN_TIMESTAMP))
        return WSS_CHECK;
    enum wss_fault fault = wss_in_time(w->created);
    return fault != WSS_FINE || (w->expires != 0 && w->expires < wss_now(&exact)) ? WSS_EXPIRED : WSS_FINE;
}

// --------------------------------------------------------------------------- its signature, by one key after the other

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

// True: `holds` is set.
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

// ------------------------------------------------------------------------------------------------ SignedInfo

// SignedInfo, and the parts that it names.

// ------------------------------------------------------------------------------------------------ parts

// Returns the algorithm of the tag, of enum wss_namespace.
static uint8_t algorithm(const struct wss_signed *w)
{
    const char *said = c14n_get(&w->c14n, WSS_NONE, "Algorithm");
    return said != NULL ? wss_uri_of(said) : WSS_OTHER;
}

// Finds the part with this Id, or adds it. False: too many parts.
static bool part_of(struct wss_signed *w, const char *id)
{
    struct whit_sha256 sha;
    uint8_t digest[32];
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, id, (uint16_t)strlen(id));
    whit_sha256_end(&sha, digest);
    for (w->part = 0; w->part < w->part_cnt; w->part++)
        if (memcmp(w->parts[w->part].id, digest, SIGNED_ID) == 0)
            return true;
    if (w->part_cnt == SIGNED_PARTS) {
        w->part = 0;
        return false;
    }
    memcpy(w->parts[w->part_cnt++].id, digest, SIGNED_ID);
    return true;
}

// A digest of a part is known: by its Reference, or by the element itself. The second is held against the first.
static void signed_part_digest(struct wss_signed *w, struct signed_part *part, const uint8_t digest[32], uint8_t had)
{
    if (!(part->had & (HAD_REFERENCE | HAD_ELEMENT)))
        memcpy(part->digest, digest, 32);
    else if (memcmp(part->digest, digest, 32) == 0)
        part->had |= HAD_SAME;
    else
        signed_refuse(w, WSS_CHECK);
    part->had |= had;
}

// A child of Security or the Body begins: if it has an Id, it may be signed.
static void signed_part_opened(struct wss_signed *w, uint8_t element)
{
    const char *id = c14n_get(&w->c14n, WSS_WSU, "Id");
    if (id == NULL)
        id = c14n_get(&w->c14n, WSS_NONE, "Id");
    if (id == NULL)
        return;
    if (!part_of(w, id) || (w->parts[w->part].had & HAD_ELEMENT) || w->held != 0) {
        signed_refuse(w, WSS_INVALID);
        return;
    }
    w->parts[w->part].is = element;
    c14n_hash(&w->c14n, w->parts[w->part].inclusive);
}

// ------------------------------------------------------------------------------------------------ SignedInfo

// A list of prefixes, "#default" among them: bits of c14n_listed().
static uint8_t read_prefixes(struct wss_signed *w)
{
    const char *at = c14n_get(&w->c14n, WSS_NONE, "PrefixList");
    uint8_t all = 0;
    while (at != NULL && *at != 0) {
        uint16_t len = 0;
        while (at[len] != 0 && at[len] != ' ')
            len++;
        if (len != 0) {
            uint8_t one = c14n_listed(&w->c14n, at, len == 8 && memcmp(at, "#default", 8) == 0 ? 0 : len);
            signed_require(w, one != 0, WSS_INVALID);
            all |= one;
        }
        at += len + (at[len] == ' ');
    }
    return all;
}

// Holds a tag of SignedInfo back until the PrefixList is known. The tags of a refused message are not held: there may
// be many.
static void hold(struct wss_signed *w)
{
    uint8_t namespace = c14n_namespace(&w->c14n);
    signed_require(w, w->held == 0 || namespace == w->waits.namespace, WSS_INVALID);
    if (w->fault != WSS_FINE)
        return;
    w->waits.namespace = namespace;
    w->waits.blank_cnt[w->held++] = 0;
}

static void signed_release(struct wss_signed *w)
{
    if (w->held != 2)
        return;
    w->held = 0;
    w->hashes_info = true;
    c14n_hash_held(&w->c14n, w->waits.namespace, "SignedInfo", w->info_depth, w->info_namespaces, w->inclusive);
    c14n_text(&w->c14n, w->waits.blanks[0], w->waits.blank_cnt[0]);
    c14n_put_tag(&w->c14n, w->waits.namespace, "CanonicalizationMethod Algorithm=\"");
    c14n_put_uri(&w->c14n, WSS_EXC);
    c14n_put(&w->c14n, "\">");
    c14n_text(&w->c14n, w->waits.blanks[1], w->waits.blank_cnt[1]);
}

static void reference_opened(struct wss_signed *w)
{
    const char *uri = c14n_get(&w->c14n, WSS_NONE, "URI");
    if (uri == NULL || uri[0] != '#' || uri[1] == 0 || !part_of(w, uri + 1) ||
        (w->parts[w->part].had & HAD_REFERENCE)) {
        signed_refuse(w, WSS_INVALID);
        return;
    }
}

static void signed_reference_closed(struct wss_signed *w)
{
    uint8_t wanted = HAD_REFERENCE | HAD_TRANSFORM | HAD_METHOD | HAD_DIGEST;
    signed_require(w, (w->parts[w->part].had & wanted) == wanted, WSS_INVALID);
}

// Once in each Reference.
static void signed_part_once(struct wss_signed *w, uint8_t had)
{
    signed_require(w, !(w->parts[w->part].had & had), WSS_INVALID);
    w->parts[w->part].had |= had;
}

__attribute__((noinline)) static void signed_info_opened(struct wss_signed *w, uint8_t element)
{
    struct signed_part *part = &w->parts[w->part];
    switch (element) {
    case IN_INFO:
        signed_require(w, w->c14n.attribute_cnt == 0 && w->signature_len == 0, WSS_INVALID);
        w->info_depth = w->c14n.depth;
        w->info_namespaces = w->c14n.namespace_cnt;
        hold(w);
        break;
    case IN_CANONICALIZATION:
        signed_require(w, w->held == 1 && w->c14n.attribute_cnt == 1 && w->c14n.namespace_cnt == w->info_namespaces,
                       WSS_INVALID);
        signed_require(w, algorithm(w) == WSS_EXC, WSS_ALGORITHM);
        hold(w);
        break;
    case IN_INFO_PREFIXES:
        w->inclusive = read_prefixes(w);
        signed_release(w);
        break;
    case IN_METHOD:
#if WHIT_HAS_RSA
        w->is_rsa = algorithm(w) == WSS_RSA;
#endif
        signed_require(w, signed_by_rsa(w) || (WHIT_HAS_P256 && algorithm(w) == WSS_ECDSA), WSS_ALGORITHM);
        break;
    case IN_REFERENCE:
        reference_opened(w);
        break;
    case IN_TRANSFORM:
        if (algorithm(w) == WSS_EXC)
            signed_part_once(w, HAD_TRANSFORM);
        else    // leaves out a Signature; a part contains none
            signed_require(w, algorithm(w) == WSS_ENVELOPED && !(part->had & HAD_TRANSFORM), WSS_ALGORITHM);
        break;
    case IN_PREFIXES:
        signed_part_once(w, HAD_PREFIXES);
        part->inclusive = read_prefixes(w);
        signed_require(w, !(part->had & HAD_ELEMENT) || part->inclusive == 0, WSS_INVALID);    // it is hashed already
        break;
    case IN_DIGEST_METHOD:
        signed_part_once(w, HAD_METHOD);
        signed_require(w, algorithm(w) == WSS_SHA256, WSS_ALGORITHM);
        break;
    default:
        break;
    }
}

// ------------------------------------------------------------------------------------------------ URIs

// A message that is hashed has no other namespaces than these, and those of the services.

// Abbreviations of the beginnings of URIs.
static const char oasis[] WHIT_FLASH = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-";
static const char w3[] WHIT_FLASH = "http://www.w3.org/";
#define OASIS "\001"
#define W3 "\002"
enum { STANDS_FOR_OASIS = 1, STANDS_FOR_W3 };

// URIs in the order of enum wss_namespace, each with a NUL.
static const char uris[] WHIT_FLASH =
    "\0" OASIS "secext-1.0.xsd\0" OASIS "utility-1.0.xsd\0" W3 "2000/09/xmldsig#\0" W3 "2001/10/xml-exc-c14n#\0"
    "http://schemas.xmlsoap.org/soap/envelope/\0" W3 "2003/05/soap-envelope\0" W3 "2001/XMLSchema-instance\0" W3
    "2001/XMLSchema\0" W3 "2005/08/addressing\0" W3 "XML/1998/namespace\0" W3 "2000/09/xmldsig#enveloped-signature\0" W3
    "2001/04/xmlenc#sha256\0" W3 "2001/04/xmldsig-more#ecdsa-sha256\0"
    "\0"
#if WHIT_HAS_RSA
    W3 "2001/04/xmldsig-more#rsa-sha256"
#endif
    ;

static const uint8_t *octets_of(const char *text)
{
    return (const uint8_t *)text;
}

static const uint8_t *behind(const uint8_t *text)
{
    while (whit_flash_u8(text++) != 0) {
    }
    return text;
}

static const uint8_t *beginning(uint8_t octet)
{
    return octets_of(octet == STANDS_FOR_OASIS ? oasis : w3);
}

struct wss_uri wss_uri_text(uint8_t uri)
{
    struct wss_uri text = {octets_of(uris), NULL};
    if (uri >= WSS_SERVICES)
        text.at = octets_of(whit_flash_ptr(&whit_wss_namespaces[uri - WSS_SERVICES]));
    else
        for (; uri != 0; uri--)
            text.at = behind(text.at);
    return text;
}

uint8_t wss_uri_octet(struct wss_uri *uri)
{
    uint8_t octet = whit_flash_u8(uri->at++);
    if (octet == 0 && uri->then != NULL) {
        uri->at = uri->then;
        uri->then = NULL;
        octet = whit_flash_u8(uri->at++);
    } else if (octet != 0 && octet <= STANDS_FOR_W3) {
        uri->then = uri->at;
        uri->at = beginning(octet);
        octet = whit_flash_u8(uri->at++);
    }
    return octet;
}

// Returns the remainder of a text that begins with the octets of another; NULL: it does not.
static const uint8_t *rest_of(const uint8_t *text, const uint8_t *first)
{
    uint8_t octet;
    for (; (octet = whit_flash_u8(first)) != 0; first++)
        if (octet != *text++)
            return NULL;
    return text;
}

static bool is_text(const uint8_t *text, const uint8_t *known)
{
    const uint8_t *rest = rest_of(text, known);
    return rest != NULL && *rest == 0;
}

uint8_t wss_uri_of(const char *text)
{
    const uint8_t *known = octets_of(uris), *rest = octets_of(text);
    uint8_t octet = 0, uri = WSS_WSSE, end = (uint8_t)(WSS_SERVICES + whit_flash_u8(&whit_wss_namespace_cnt));
    for (uint8_t one = STANDS_FOR_OASIS; one <= STANDS_FOR_W3; one++) {
        const uint8_t *begun = rest_of(octets_of(text), beginning(one));
        if (begun != NULL) {
            octet = one;
            rest = begun;
        }
    }
    for (; uri < WSS_SERVICES; uri++) {
        known = behind(known);
        if (octet != 0 ? whit_flash_u8(known) == octet && is_text(rest, known + 1) : is_text(rest, known))
            return uri;
    }
    for (; uri < end; uri++)
        if (is_text(octets_of(text), wss_uri_text(uri).at))
            return uri;
    return WSS_OTHER;
}

int8_t wss_uri_compare(uint8_t one, uint8_t other)
{
    struct wss_uri a = wss_uri_text(one), b = wss_uri_text(other);
    uint8_t octet, beside;
    while ((octet = wss_uri_octet(&a)) == (beside = wss_uri_octet(&b)) && octet != 0) {
    }
    return octet < beside ? -1 : octet > beside;
}

// -------------------------------------------------------------------------------------------- the signature of a reply

// The signature of a reply. The nonce takes long: it is computed before the function runs, in slices, like the
// verification of the message's own signature. When the reply is known, some twenty multiplications are left.

#if WHIT_HAS_REPLIES
// No two nonces are the same: no message is admitted twice, and its digest goes into its reply's. Without the key,
// nonces are unpredictable (crypto.h).
bool reply_prepare(struct wss_signed *w)
{
    struct whit_sha256 sha;
    uint8_t key[32], input[32];
    whit_port_entropy(input, sizeof input);
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, input, sizeof input);
    whit_sha256_add(&sha, w->info, sizeof w->info);
    whit_sha256_end(&sha, input);
    whit_tls_key(key);
    bool begun = whit_p256_begin(&w->nonce, key, input);
    whit_wipe(key, sizeof key);
    whit_wipe(input, sizeof input);
    return begun;
}

void reply_keep(struct wss_reply *reply, struct wss_signed *w)
{
    memcpy(reply->inverse, w->nonce.k, sizeof reply->inverse);
    memcpy(reply->r, w->nonce.x, sizeof reply->r);
    reply->confirmed_len = w->signature_len;
    memcpy(reply->confirmed, w->signature, sizeof reply->confirmed);
    whit_wipe(&w->nonce, sizeof w->nonce);
}

bool reply_sign(struct wss_reply *reply, uint8_t signature[64], const uint8_t digest[32])
{
    uint8_t key[32];
    whit_tls_key(key);
    bool done = whit_p256_finish(signature, reply->inverse, reply->r, key, digest);
    whit_wipe(key, sizeof key);
    whit_wipe(reply->inverse, sizeof reply->inverse);
    return done;
}

uint32_t reply_now(void)
{
    bool exact;
    return wss_now(&exact);
}
#endif
