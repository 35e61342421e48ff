// SPDX-License-Identifier: MIT
// Exclusive XML Canonicalization 1.0 (W3C, 2002) into SHA-256.
#include <string.h>

#include "internal.h"
#include "wss.h"

static uint8_t c14n_prefix_len(const char *name);                                    // prefix of a qualified name
static bool c14n_is_prefix(const char *prefix, const char *octets, uint16_t len);    // whole
static const char *c14n_local_of(const char *name);
// the declaration in scope, or NO_NAMESPACE
static uint8_t c14n_declared(const struct c14n *c, const char *prefix, uint16_t len);
static uint8_t c14n_uri_of_tag_name(const struct c14n *c, const char *name, bool attribute);
// bit of PrefixLists; 0: in none
static uint8_t c14n_listed_bit(const struct c14n *c, const char *prefix, uint16_t len);

static void c14n_octets(struct c14n *c, const void *octets, uint16_t len)
{
    whit_sha256_add(&c->sha, octets, len);
}

void c14n_put(struct c14n *c, const char *text)
{
    c14n_octets(c, text, (uint16_t)strlen(text));
}

// Section 2.3 of Canonical XML: characters that become references in a value, and in a text. NULL: the octet is written
// as it is.
static const char *c14n_reference(uint8_t octet, bool in_value)
{
    if (octet > '>')
        return NULL;
    switch (octet) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '\r':
        return "&#xD;";
    case '>':
        return in_value ? NULL : "&gt;";
    case '"':
        return in_value ? "&quot;" : NULL;
    case '\t':
        return in_value ? "&#x9;" : NULL;
    case '\n':
        return in_value ? "&#xA;" : NULL;
    default:
        return NULL;
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

void c14n_put_uri(struct c14n *c, uint8_t uri)
{
    struct wss_uri text = wss_uri_text(uri);
    uint8_t run[16], len;
    do {
        for (len = 0; len < sizeof run && (run[len] = wss_uri_octet(&text)) != 0;)
            len++;
        c14n_run(c, run, len, true);
    } while (len == sizeof run);
}

// ------------------------------------------------------------------------------------------------ a tag is written

// The URI that was written for a prefix last; WSS_NONE: none.
static uint8_t rendered_as(const struct c14n *c, const char *prefix)
{
    for (uint8_t i = c->namespace_cnt; i-- != 0;)
        if (c->namespaces[i].rendered != 0 && strcmp(c14n_prefix_of(c, i), prefix) == 0)
            return c->namespaces[i].uri;
    return WSS_NONE;
}

static bool uses(const char *name, const char *prefix)
{
    return c14n_is_prefix(prefix, name, c14n_prefix_len(name));
}

// Section 3, 2.: visibly utilized, or in the PrefixList.
static bool is_utilized(const struct c14n *c, const char *element, uint8_t len, const char *prefix)
{
    if (c14n_is_prefix(prefix, element, len) ||
        (c->inclusive != 0 && (c->inclusive & c14n_listed_bit(c, prefix, (uint16_t)strlen(prefix))) != 0))
        return true;
    for (uint8_t i = 0; *prefix != 0 && i < c->attribute_cnt; i++)
        if (uses(c14n_tag_at(c, c->names[i]), prefix))
            return true;
    return false;
}

// `element`: octets of its prefix.
static void write_namespaces(struct c14n *c, const char *element, uint8_t len)
{
    const char *last = NULL;
    for (;;) {    // by their prefixes
        uint8_t next = NO_NAMESPACE;
        for (uint8_t i = 0; i < c->namespace_cnt; i++) {
            const char *prefix = c14n_prefix_of(c, i);
            if ((last == NULL || strcmp(prefix, last) > 0) &&
                (next == NO_NAMESPACE || strcmp(prefix, c14n_prefix_of(c, next)) < 0) &&
                c14n_declared(c, prefix, (uint16_t)strlen(prefix)) == i && is_utilized(c, element, len, prefix))
                next = i;
        }
        if (next == NO_NAMESPACE)
            return;
        last = c14n_prefix_of(c, next);
        uint8_t uri = c->namespaces[next].uri;
        if (uri == WSS_OTHER)
            c->wrong = true;
        if (rendered_as(c, last) == uri)
            continue;
        c->namespaces[next].rendered = c->depth;
        c14n_put(c, *last != 0 ? " xmlns:" : " xmlns");
        c14n_put(c, last);
        c14n_put(c, "=\"");
        c14n_put_uri(c, uri);
        c14n_put(c, "\"");
    }
}

// True if one attribute is before another: by its URI, then by its local name; attributes without a namespace come
// first.
__attribute__((noinline)) static bool is_before(const struct c14n *c, uint8_t one, uint8_t other)
{
    int8_t by_uri = wss_uri_compare(c->uris[one], c->uris[other]);
    if (by_uri != 0)
        return by_uri < 0;
    return strcmp(c14n_local_of(c14n_tag_at(c, c->names[one])), c14n_local_of(c14n_tag_at(c, c->names[other]))) < 0;
}

static void write_attributes(struct c14n *c)
{
    for (uint8_t done = 0; done < c->attribute_cnt; done++) {    // moves the first of the remaining attributes here
        for (uint8_t i = (uint8_t)(done + 1); i < c->attribute_cnt; i++)
            if (is_before(c, i, done)) {
                uint16_t name = c->names[i];
                uint8_t uri = c->uris[i];
                c->names[i] = c->names[done];
                c->uris[i] = c->uris[done];
                c->names[done] = name;
                c->uris[done] = uri;
            }
        if (c->uris[done] == WSS_OTHER)
            c->wrong = true;
        const char *name = c14n_tag_at(c, c->names[done]), *value = c14n_behind(name);
        c14n_put(c, " ");
        c14n_put(c, name);
        c14n_put(c, "=\"");
        c14n_run(c, (const uint8_t *)value, (uint16_t)strlen(value), true);
        c14n_put(c, "\"");
    }
}

static void write_end(struct c14n *c, const char *element, uint8_t len)
{
    write_namespaces(c, element, len);
    write_attributes(c);
    c14n_put(c, ">");
}

void c14n_hash(struct c14n *c, uint8_t inclusive)
{
    whit_sha256_begin(&c->sha);
    c->hashed = c->depth;
    c->inclusive = inclusive;    // no declaration is in a canonical form: elements of the last one have ended
}

void c14n_put_tag(struct c14n *c, uint8_t namespace, const char *local)
{
    const char *prefix = c14n_prefix_of(c, namespace);
    c14n_put(c, "<");
    c14n_put(c, prefix);
    if (*prefix != 0)
        c14n_put(c, ":");
    c14n_put(c, local);
}

void c14n_hash_held(struct c14n *c, uint8_t namespace, const char *local, uint8_t depth, uint8_t namespace_cnt,
                    uint8_t inclusive)
{
    uint8_t depth_now = c->depth, namespaces_now = c->namespace_cnt, attributes_now = c->attribute_cnt;
    const char *prefix = c14n_prefix_of(c, namespace);
    c->depth = depth;
    c->namespace_cnt = namespace_cnt;
    c->attribute_cnt = 0;
    c14n_hash(c, inclusive);
    c14n_put_tag(c, namespace, local);
    write_end(c, prefix, (uint8_t)strlen(prefix));
    c->depth = depth_now;
    c->namespace_cnt = namespaces_now;
    c->attribute_cnt = attributes_now;
}

void c14n_opened(struct c14n *c)
{
    const char *name = c14n_tag_at(c, 0);
    if (c->hashed == 0)
        return;
    if (c14n_uri_of_tag_name(c, name, false) == WSS_OTHER)
        c->wrong = true;
    c14n_put(c, "<");
    c14n_put(c, name);
    write_end(c, name, c14n_prefix_len(name));
}

void c14n_text(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    if (c->hashed != 0)
        c14n_run(c, octets, len, false);
}

bool c14n_closed(struct c14n *c, uint8_t digest[32])
{
    bool ends = c->hashed != 0 && c->hashed == c->depth;
    if (c->hashed != 0) {
        c14n_put(c, "</");
        c14n_put(c, c14n_tag_at(c, 0));
        c14n_put(c, ">");
    }
    c->tag_open = false;
    while (c->namespace_cnt != 0 && c->namespaces[c->namespace_cnt - 1].depth == c->depth)
        c->texts_len = c->namespaces[--c->namespace_cnt].prefix;
    for (uint8_t i = 0; i < c->namespace_cnt; i++)
        if (c->namespaces[i].rendered == c->depth)
            c->namespaces[i].rendered = 0;
    c->depth--;
    if (ends) {
        whit_sha256_end(&c->sha, digest);
        c->hashed = 0;
    }
    return ends;
}

// ------------------------------------------------------------------------------------------------ tags

// A tag that is read for its canonical form: its names and values, the declarations in scope, and prefixes of
// PrefixLists.

void c14n_begin(struct c14n *c)
{
    memset(c, 0, sizeof *c);
    c->listed_at = C14N_TEXTS;
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

// Ends a string with a NUL. Returns the place of the next one.
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

void c14n_end_name(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    if (c->hashed == 0)
        return;
    tag_begin(c);
    tag_add(c, octets, len);
}

static uint8_t c14n_prefix_len(const char *name)
{
    uint16_t len = 0;
    while (name[len] != ':')
        if (name[len++] == 0)
            return 0;
    return len < 0xff ? (uint8_t)len : 0xff;    // length of nothing
}

static bool c14n_is_prefix(const char *prefix, const char *octets, uint16_t len)
{
    for (; len != 0 && *prefix == *octets; len--, prefix++)
        octets++;
    return len == 0 && *prefix == 0;
}

static const char *c14n_local_of(const char *name)
{
    uint8_t len = c14n_prefix_len(name);
    return len == 0 ? name : name + len + 1;
}

static uint8_t c14n_declared(const struct c14n *c, const char *prefix, uint16_t len)
{
    for (uint8_t i = c->namespace_cnt; i-- != 0;)
        if (c14n_is_prefix(c14n_prefix_of(c, i), prefix, len))
            return i;
    return NO_NAMESPACE;
}

// Stores only the fact that a prefix is bound to an unknown URI. If hashed content uses the prefix, the message is
// refused.
static void declare(struct c14n *c, const char *prefix, const char *value)
{
    uint16_t len = (uint16_t)strlen(prefix);
    uint8_t uri = wss_uri_of(value);
    if (uri == WSS_OTHER && len != 0 && c14n_declared(c, prefix, len) == NO_NAMESPACE)
        return;
    if (len >= c->listed_at - c->texts_len || c->namespace_cnt == C14N_NAMESPACES) {
        c->wrong = true;
        return;
    }
    memcpy(c->texts + c->texts_len, prefix, len + 1u);
    c->namespaces[c->namespace_cnt].prefix = c->texts_len;
    c->namespaces[c->namespace_cnt].uri = uri;
    c->namespaces[c->namespace_cnt].rendered = 0;
    c->namespaces[c->namespace_cnt++].depth = (uint8_t)(c->depth + 1);
    c->texts_len = (uint8_t)(c->texts_len + len + 1);
}

void c14n_valued(struct c14n *c)
{
    uint16_t begin = c->attribute;
    const char *name = c14n_tag_at(c, begin);
    c14n_value(c, c->tag, 0);    // if it had no octets
    c->in_value = false;
    c->attribute = 0;
    if (strcmp(name, "xmlns") == 0 || strncmp(name, "xmlns:", 6) == 0) {
        declare(c, name[5] == 0 ? "" : name + 6, c14n_tag_at(c, c->value));
        c->tag_len = (uint16_t)(begin - 1);
    } else if (c->attribute_cnt == C14N_ATTRIBUTES) {
        c->wrong = true;
    } else {
        c->names[c->attribute_cnt++] = begin;
    }
}

static uint8_t c14n_uri_of_tag_name(const struct c14n *c, const char *name, bool attribute)
{
    uint8_t len = c14n_prefix_len(name), found;
    if (len == 0 && attribute)
        return WSS_NONE;
    if (len == 3 && memcmp(name, "xml", 3) == 0)
        return WSS_XML;
    found = c14n_declared(c, name, len);
    if (found == NO_NAMESPACE)
        return len == 0 ? WSS_NONE : WSS_OTHER;
    return c->namespaces[found].uri;
}

uint8_t c14n_tagged(struct c14n *c)
{
    c->tag_open = false;
    c->depth++;
    for (uint8_t i = 0; i < c->attribute_cnt; i++)
        c->uris[i] = c14n_uri_of_tag_name(c, c14n_tag_at(c, c->names[i]), true);
    return c14n_uri_of_tag_name(c, c14n_tag_at(c, 0), false);
}

const char *c14n_local(const struct c14n *c)
{
    return c14n_local_of(c14n_tag_at(c, 0));
}

uint8_t c14n_namespace(const struct c14n *c)
{
    const char *name = c14n_tag_at(c, 0);
    return c14n_declared(c, name, c14n_prefix_len(name));
}

const char *c14n_get(const struct c14n *c, uint8_t uri, const char *local)
{
    for (uint8_t i = 0; i < c->attribute_cnt; i++) {
        const char *name = c14n_tag_at(c, c->names[i]);
        if (c->uris[i] == uri && strcmp(c14n_local_of(name), local) == 0)
            return c14n_behind(name);
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------ PrefixLists

static uint8_t c14n_listed_bit(const struct c14n *c, const char *prefix, uint16_t len)
{
    const char *at = c->texts + c->listed_at;
    for (uint8_t i = c->listed_cnt; i-- != 0; at = c14n_behind(at))
        if (c14n_is_prefix(at, prefix, len))
            return (uint8_t)(1u << i);
    return 0;
}

uint8_t c14n_listed(struct c14n *c, const char *prefix, uint16_t len)
{
    uint8_t bit = c14n_listed_bit(c, prefix, len);
    if (bit != 0 || c->listed_cnt == C14N_LISTED_MAX || len >= c->listed_at - c->texts_len)
        return bit;
    c->listed_at = (uint8_t)(c->listed_at - len - 1);
    memcpy(c->texts + c->listed_at, prefix, len);
    c->texts[c->listed_at + len] = 0;
    return (uint8_t)(1u << c->listed_cnt++);
}
