// SPDX-License-Identifier: MIT
// Exclusive XML Canonicalization 1.0 (W3C, 2002) into SHA-256.
#include <string.h>

#include "wss_c14n.h"
#include "wss_uri.h"

#define RENDERED_NONE 0xff    // xmlns=""
#define RENDERED_NOT 0xff     // rendered_as(): not at all

static void c14n_octets(struct c14n *c, const void *octets, uint16_t len) { whit_sha256_add(&c->sha, octets, len); }

void c14n_put(struct c14n *c, const char *text) { c14n_octets(c, text, (uint16_t)strlen(text)); }

// Sections 2.3 of Canonical XML: what is a reference in a value, and what in a text. NULL: the octet is written as it is.
static const char *c14n_reference(uint8_t octet, bool in_value)
{
    if (octet > '>')
        return NULL;
    switch (octet) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '\r': return "&#xD;";
    case '>': return in_value ? NULL : "&gt;";
    case '"': return in_value ? "&quot;" : NULL;
    case '\t': return in_value ? "&#x9;" : NULL;
    case '\n': return in_value ? "&#xA;" : NULL;
    default: return NULL;
    }
}

static void c14n_run(struct c14n *c, const uint8_t *octets, uint16_t len, bool in_value)
{
    uint16_t begin = 0;
    for (uint16_t at = 0; at < len; at++) {
        const char *as = c14n_reference(octets[at], in_value);
        if (as == NULL)
            continue;
        c14n_octets(c, octets + begin, (uint16_t)(at - begin));
        c14n_put(c, as);
        begin = (uint16_t)(at + 1);
    }
    c14n_octets(c, octets + begin, (uint16_t)(len - begin));
}

static void c14n_uri(struct c14n *c, uint8_t uri)
{
    const uint8_t *from = (const uint8_t *)wss_uri_text(uri);
    uint8_t run[16], len;
    do {    // out of flash
        for (len = 0; len < sizeof run && (run[len] = whit_flash_u8(from)) != 0; from++)
            len++;
        c14n_run(c, run, len, true);
    } while (len == sizeof run);
}

void c14n_begin(struct c14n *c)
{
    memset(c, 0, sizeof *c);
}

// ------------------------------------------------------------------------------------------------ a tag is read

static void tag_add(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    if (len >= C14N_TAG - c->tag_len) {
        c->wrong = true;
        return;
    }
    memcpy(c->tag + c->tag_len, octets, len);
    c->tag_len = (uint16_t)(c->tag_len + len);
    c->tag[c->tag_len] = 0;
}

static void tag_begin(struct c14n *c)
{
    if (c->tag_open)
        return;
    c->tag_open = true;
    c->in_value = false;
    c->tag_len = c->attribute = 0;
    c->attribute_cnt = 0;
}

// Behind a NUL, what is read next begins.
static uint16_t tag_next(struct c14n *c)
{
    if (c->tag_len < C14N_TAG - 1)
        c->tag_len++;
    else
        c->wrong = true;
    c->tag[c->tag_len] = 0;
    return c->tag_len;
}

void c14n_name(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    tag_begin(c);
    tag_add(c, octets, len);
}

void c14n_attribute(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    if (c->attribute == 0)
        c->attribute = tag_next(c);
    tag_add(c, octets, len);
}

void c14n_value(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    if (!c->in_value)
        c->value = tag_next(c);
    c->in_value = true;
    tag_add(c, octets, len);
}

static const char *tag_at(const struct c14n *c, uint16_t at) { return (const char *)c->tag + at; }

// Octets of the prefix of a qualified name.
static uint8_t prefix_len(const char *name)
{
    uint16_t len = 0;
    while (name[len] != ':')
        if (name[len++] == 0)
            return 0;
    return len < 0xff ? (uint8_t)len : 0xff;    // that of nothing
}

// Whether these octets are that prefix, whole.
static bool is_prefix(const char *prefix, const char *octets, uint8_t len)
{
    for (; len != 0 && *prefix == *octets; len--, prefix++)
        octets++;
    return len == 0 && *prefix == 0;
}

static const char *local_of(const char *name)
{
    uint8_t len = prefix_len(name);
    return len == 0 ? name : name + len + 1;
}

#define NO_NAMESPACE 0xff
// The declaration in scope of a prefix.
static uint8_t declared(const struct c14n *c, const char *prefix, uint8_t len)
{
    for (uint8_t i = c->namespace_cnt; i-- != 0;)
        if (is_prefix(c->namespaces[i].prefix, prefix, len))
            return i;
    return NO_NAMESPACE;
}

// Of a prefix that is bound to nothing that is known, no more is kept than that: whoever uses it in what is hashed is refused.
static void declare(struct c14n *c, const char *prefix, const char *value)
{
    uint8_t len = (uint8_t)strlen(prefix), uri = wss_uri_of(value);
    if (uri == WSS_OTHER && len != 0 && declared(c, prefix, len) == NO_NAMESPACE)
        return;
    if (len >= C14N_PREFIX || c->namespace_cnt == C14N_NAMESPACES) {
        c->wrong = true;
        return;
    }
    memcpy(c->namespaces[c->namespace_cnt].prefix, prefix, len + 1u);
    c->namespaces[c->namespace_cnt].uri = uri;
    c->namespaces[c->namespace_cnt++].depth = (uint8_t)(c->depth + 1);
}

void c14n_valued(struct c14n *c)
{
    uint16_t begin = c->attribute;
    const char *name = tag_at(c, begin);
    if (!c->in_value)
        c->value = tag_next(c);
    c->in_value = false;
    c->attribute = 0;
    if (strcmp(name, "xmlns") == 0 || strncmp(name, "xmlns:", 6) == 0) {
        declare(c, name[5] == 0 ? "" : name + 6, tag_at(c, c->value));
        c->tag_len = (uint16_t)(begin - 1);
    } else if (c->attribute_cnt == C14N_ATTRIBUTES) {
        c->wrong = true;
    } else {
        c->attributes[c->attribute_cnt].name = begin;
        c->attributes[c->attribute_cnt++].value = c->value;
    }
}

static uint8_t uri_of_tag_name(const struct c14n *c, const char *name, bool attribute)
{
    uint8_t len = prefix_len(name), found;
    if (len == 0 && attribute)
        return WSS_NONE;
    if (len == 3 && memcmp(name, "xml", 3) == 0)
        return WSS_XML;
    found = declared(c, name, len);
    if (found == NO_NAMESPACE)
        return len == 0 ? WSS_NONE : WSS_OTHER;
    return c->namespaces[found].uri;
}

uint8_t c14n_tagged(struct c14n *c)
{
    c->tag_open = false;
    c->depth++;
    for (uint8_t i = 0; i < c->attribute_cnt; i++)
        c->attributes[i].uri = uri_of_tag_name(c, tag_at(c, c->attributes[i].name), true);
    return uri_of_tag_name(c, tag_at(c, 0), false);
}

const char *c14n_local(const struct c14n *c) { return local_of(tag_at(c, 0)); }

const char *c14n_get(const struct c14n *c, uint8_t uri, const char *local)
{
    for (uint8_t i = 0; i < c->attribute_cnt; i++)
        if (c->attributes[i].uri == uri && strcmp(local_of(tag_at(c, c->attributes[i].name)), local) == 0)
            return tag_at(c, c->attributes[i].value);
    return NULL;
}

// ------------------------------------------------------------------------------------------------ a tag is written

static const char *rendered_prefix(const struct c14n *c, uint8_t i)
{
    return c->rendered[i].namespace == RENDERED_NONE ? "" : c->namespaces[c->rendered[i].namespace].prefix;
}

// The URI that was written for a prefix last; RENDERED_NOT: none.
static uint8_t rendered_as(const struct c14n *c, const char *prefix)
{
    for (uint8_t i = c->rendered_cnt; i-- != 0;)
        if (strcmp(rendered_prefix(c, i), prefix) == 0)
            return c->rendered[i].namespace == RENDERED_NONE ? WSS_NONE : c->namespaces[c->rendered[i].namespace].uri;
    return RENDERED_NOT;
}

static void rendered_add(struct c14n *c, uint8_t namespace)
{
    if (c->rendered_cnt == C14N_NAMESPACES) {
        c->wrong = true;
        return;
    }
    c->rendered[c->rendered_cnt].namespace = namespace;
    c->rendered[c->rendered_cnt++].depth = c->depth;
}

static bool uses(const char *name, const char *prefix)
{
    return is_prefix(prefix, name, prefix_len(name));
}

// Section 3, 2.: visibly utilized, or in the PrefixList.
static bool is_utilized(const struct c14n *c, const char *name, const char *prefix)
{
    for (uint8_t i = 0; c->inclusive != NULL && i < c->inclusive->cnt; i++)
        if (strcmp(c->inclusive->prefix[i], prefix) == 0)
            return true;
    for (uint8_t i = 0; *prefix != 0 && i < c->attribute_cnt; i++)
        if (uses(tag_at(c, c->attributes[i].name), prefix))
            return true;
    return uses(name, prefix);
}

static void write_namespaces(struct c14n *c, const char *name)
{
    uint8_t none = declared(c, "", 0), as = rendered_as(c, "");
    const char *last = NULL;
    if ((none == NO_NAMESPACE || c->namespaces[none].uri == WSS_NONE) && as != RENDERED_NOT && as != WSS_NONE && is_utilized(c, name, "")) {
        c14n_put(c, " xmlns=\"\"");
        rendered_add(c, RENDERED_NONE);
    }
    for (;;) {    // by their prefixes
        uint8_t next = NO_NAMESPACE;
        for (uint8_t i = 0; i < c->namespace_cnt; i++) {
            const char *prefix = c->namespaces[i].prefix;
            if ((last == NULL || strcmp(prefix, last) > 0) && (next == NO_NAMESPACE || strcmp(prefix, c->namespaces[next].prefix) < 0) &&
                declared(c, prefix, (uint8_t)strlen(prefix)) == i && is_utilized(c, name, prefix))
                next = i;
        }
        if (next == NO_NAMESPACE)
            return;
        last = c->namespaces[next].prefix;
        uint8_t uri = c->namespaces[next].uri;
        if (uri == WSS_OTHER)
            c->wrong = true;
        if (uri == WSS_NONE || rendered_as(c, last) == uri)
            continue;
        rendered_add(c, next);
        c14n_put(c, *last != 0 ? " xmlns:" : " xmlns");
        c14n_put(c, last);
        c14n_put(c, "=\"");
        c14n_uri(c, uri);
        c14n_put(c, "\"");
    }
}

// Whether one attribute comes before another: by its URI, then by its local name; those without a namespace first.
static bool is_before(const struct c14n *c, uint8_t one, uint8_t other)
{
    int8_t by_uri = wss_uri_compare(c->attributes[one].uri, c->attributes[other].uri);
    if (by_uri != 0)
        return by_uri < 0;
    return strcmp(local_of(tag_at(c, c->attributes[one].name)), local_of(tag_at(c, c->attributes[other].name))) < 0;
}

static void write_attributes(struct c14n *c)
{
    for (uint8_t done = 0; done < c->attribute_cnt; done++) {    // the first of those that are left comes to stand here
        for (uint8_t i = (uint8_t)(done + 1); i < c->attribute_cnt; i++)
            if (is_before(c, i, done)) {
                uint16_t name = c->attributes[i].name, value = c->attributes[i].value;
                uint8_t uri = c->attributes[i].uri;
                c->attributes[i] = c->attributes[done];
                c->attributes[done].name = name;
                c->attributes[done].value = value;
                c->attributes[done].uri = uri;
            }
        if (c->attributes[done].uri == WSS_OTHER)
            c->wrong = true;
        c14n_put(c, " ");
        c14n_put(c, tag_at(c, c->attributes[done].name));
        c14n_put(c, "=\"");
        const char *value = tag_at(c, c->attributes[done].value);
        c14n_run(c, (const uint8_t *)value, (uint16_t)strlen(value), true);
        c14n_put(c, "\"");
    }
}

static void write_start(struct c14n *c, const char *name)
{
    c14n_put(c, "<");
    c14n_put(c, name);
    write_namespaces(c, name);
    write_attributes(c);
    c14n_put(c, ">");
}

void c14n_hash(struct c14n *c, const struct c14n_prefixes *inclusive)
{
    whit_sha256_begin(&c->sha);
    c->hashed = c->depth;
    c->rendered_cnt = 0;
    c->inclusive = inclusive;
}

void c14n_hash_held(struct c14n *c, const char *name, uint8_t depth, uint8_t namespace_cnt, const struct c14n_prefixes *inclusive)
{
    uint8_t depth_now = c->depth, namespaces_now = c->namespace_cnt, attributes_now = c->attribute_cnt;
    c->depth = depth;
    c->namespace_cnt = namespace_cnt;
    c->attribute_cnt = 0;
    c14n_hash(c, inclusive);
    write_start(c, name);
    c->depth = depth_now;
    c->namespace_cnt = namespaces_now;
    c->attribute_cnt = attributes_now;
}

void c14n_opened(struct c14n *c)
{
    if (c->hashed == 0)
        return;
    if (uri_of_tag_name(c, tag_at(c, 0), false) == WSS_OTHER)
        c->wrong = true;
    write_start(c, tag_at(c, 0));
}

void c14n_text(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    if (c->hashed != 0)
        c14n_run(c, octets, len, false);
}

void c14n_end_name(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    if (c->hashed == 0)
        return;
    tag_begin(c);
    tag_add(c, octets, len);
}

bool c14n_closed(struct c14n *c, uint8_t digest[32])
{
    bool ends = c->hashed != 0 && c->hashed == c->depth;
    if (c->hashed != 0) {
        c14n_put(c, "</");
        c14n_put(c, tag_at(c, 0));
        c14n_put(c, ">");
    }
    c->tag_open = false;
    while (c->rendered_cnt != 0 && c->rendered[c->rendered_cnt - 1].depth == c->depth)
        c->rendered_cnt--;
    while (c->namespace_cnt != 0 && c->namespaces[c->namespace_cnt - 1].depth == c->depth)
        c->namespace_cnt--;
    c->depth--;
    if (ends) {
        whit_sha256_end(&c->sha, digest);
        c->hashed = 0;
    }
    return ends;
}
