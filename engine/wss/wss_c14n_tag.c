// SPDX-License-Identifier: MIT
// A tag that is read for its canonical form: its names and values, the declarations in scope, and prefixes of PrefixLists.
#include <string.h>

#include "wss_c14n.h"
#include "wss_c14n_tag.h"
#include "wss_uri.h"

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

void c14n_end_name(struct c14n *c, const uint8_t *octets, uint16_t len)
{
    if (c->hashed == 0)
        return;
    tag_begin(c);
    tag_add(c, octets, len);
}

uint8_t c14n_prefix_len(const char *name)
{
    uint16_t len = 0;
    while (name[len] != ':')
        if (name[len++] == 0)
            return 0;
    return len < 0xff ? (uint8_t)len : 0xff;    // that of nothing
}

bool c14n_is_prefix(const char *prefix, const char *octets, uint16_t len)
{
    for (; len != 0 && *prefix == *octets; len--, prefix++)
        octets++;
    return len == 0 && *prefix == 0;
}

const char *c14n_local_of(const char *name)
{
    uint8_t len = c14n_prefix_len(name);
    return len == 0 ? name : name + len + 1;
}

uint8_t c14n_declared(const struct c14n *c, const char *prefix, uint16_t len)
{
    for (uint8_t i = c->namespace_cnt; i-- != 0;)
        if (c14n_is_prefix(c14n_prefix_of(c, i), prefix, len))
            return i;
    return NO_NAMESPACE;
}

// Of a prefix that is bound to nothing that is known, no more is kept than that: whoever uses it in what is hashed is refused.
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

uint8_t c14n_uri_of_tag_name(const struct c14n *c, const char *name, bool attribute)
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

const char *c14n_local(const struct c14n *c) { return c14n_local_of(c14n_tag_at(c, 0)); }

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

uint8_t c14n_listed_bit(const struct c14n *c, const char *prefix, uint16_t len)
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
