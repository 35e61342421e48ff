// SPDX-License-Identifier: MIT
// SignedInfo, and the parts that it names.
#include <string.h>

#include "wss_in.h"
#include "wss_signed.h"
#include "wss_signed_in.h"
#include "wss_uri.h"

// ------------------------------------------------------------------------------------------------ parts

// What the tag says: of enum wss_namespace.
static uint8_t algorithm(const struct wss_signed *w)
{
    const char *said = c14n_get(&w->c14n, WSS_NONE, "Algorithm");
    return said != NULL ? wss_uri_of(said) : WSS_OTHER;
}

// The part of that Id; a new one when there is none. False: there are too many.
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
void signed_part_digest(struct wss_signed *w, struct signed_part *part, const uint8_t digest[32], uint8_t had)
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
void signed_part_opened(struct wss_signed *w, uint8_t element)
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

// A tag of SignedInfo waits until the PrefixList is known. Of a message that is refused none does: there may be many.
static void hold(struct wss_signed *w)
{
    uint8_t namespace = c14n_namespace(&w->c14n);
    signed_require(w, w->held == 0 || namespace == w->waits.namespace, WSS_INVALID);
    if (w->fault != WSS_FINE)
        return;
    w->waits.namespace = namespace;
    w->waits.blank_cnt[w->held++] = 0;
}

void signed_release(struct wss_signed *w)
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
    if (uri == NULL || uri[0] != '#' || uri[1] == 0 || !part_of(w, uri + 1) || (w->parts[w->part].had & HAD_REFERENCE)) {
        signed_refuse(w, WSS_INVALID);
        return;
    }
}

void signed_reference_closed(struct wss_signed *w)
{
    uint8_t wanted = HAD_REFERENCE | HAD_TRANSFORM | HAD_METHOD | HAD_DIGEST;
    signed_require(w, (w->parts[w->part].had & wanted) == wanted, WSS_INVALID);
}

// Once in each Reference.
void signed_part_once(struct wss_signed *w, uint8_t had)
{
    signed_require(w, !(w->parts[w->part].had & had), WSS_INVALID);
    w->parts[w->part].had |= had;
}

__attribute__((noinline)) void signed_info_opened(struct wss_signed *w, uint8_t element)
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
        signed_require(w, w->held == 1 && w->c14n.attribute_cnt == 1 && w->c14n.namespace_cnt == w->info_namespaces, WSS_INVALID);
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
    case IN_REFERENCE: reference_opened(w); break;
    case IN_TRANSFORM:
        if (algorithm(w) == WSS_EXC)
            signed_part_once(w, HAD_TRANSFORM);
        else    // which leaves out a Signature, and there is none in a part
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
    default: break;
    }
}
