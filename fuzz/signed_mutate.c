// SPDX-License-Identifier: MIT
// Changes a signed message as an attacker would. Elements are moved, repeated, wrapped, get another name or Id;
// prefixes are bound anew, texts are spelled differently.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *octets, size_t len, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *octets, size_t len, size_t max, unsigned int seed);

#define TAGS_MAX 200
#define PIECE_MAX 3000

static uint32_t rng;

static uint32_t below(uint32_t limit)    // xorshift32
{
    rng ^= rng << 13;
    rng ^= rng >> 17;
    rng ^= rng << 5;
    return limit != 0 ? rng % limit : 0;
}

static struct {
    size_t from, to;    // its "<", and behind its ">"
} tags[TAGS_MAX];
static uint16_t tag_cnt;

static void find_tags(const uint8_t *octets, size_t len)
{
    tag_cnt = 0;
    for (size_t at = 1; at < len && tag_cnt < TAGS_MAX; at++) {
        if (octets[at] != '<')
            continue;
        size_t from = at;
        while (at < len && octets[at] != '>')
            at++;
        if (at == len)
            return;
        tags[tag_cnt].from = from;
        tags[tag_cnt++].to = at + 1;
    }
}

// The end of the element that begins with that tag; of another tag, its own.
static size_t element_end(const uint8_t *octets, uint16_t tag)
{
    int depth = 0;
    for (uint16_t i = tag; i < tag_cnt; i++) {
        const uint8_t *first = octets + tags[i].from + 1;
        if (*first == '/')
            depth--;
        else if (*first != '!' && *first != '?' && octets[tags[i].to - 2] != '/')
            depth++;
        if (depth <= 0)
            return tags[i].to;
    }
    return tags[tag].to;
}

// [at, at + gone) becomes the piece. Returns the new length; the old one where there is no room.
static size_t splice(uint8_t *octets, size_t len, size_t max, size_t at, size_t gone, const void *piece,
                     size_t piece_len)
{
    if (len - gone + piece_len > max)
        return len;
    memmove(octets + at + piece_len, octets + at + gone, len - at - gone);
    memcpy(octets + at, piece, piece_len);
    return len - gone + piece_len;
}

static const char *const pieces[] = {
    "<!--x-->",
    "<![CDATA[",
    "]]>",
    "&#53;",
    "&#x35;",
    "&lt;",
    " ",
    "\n",
    "\r\n",
    "<x>",
    "</x>",
    "<x/>",
    "<?x?>",
    "<!DOCTYPE x>",
    "5",
    "6",
    " wsu:Id=\"B-1\"",
    " wsu:Id=\"TS-1\"",
    " Id=\"B-1\"",
    " xml:id=\"B-1\"",
    " wsu:Id=\"B-2\"",
    " xmlns=\"\"",
    " xmlns=\"urn:a\"",
    " xmlns:s=\"urn:a\"",
    " xmlns:d=\"urn:whit:device\"",
    " xmlns:wsu=\"urn:a\"",
    " xmlns:ds=\"urn:a\"",
    " xmlns:n=\"urn:n\"",
    " s:mustUnderstand=\"1\"",
    " s:actor=\"urn:a\"",
    " s:encodingStyle=\"urn:a\"",
    " a=\"b\"",
    "<level>6</level>",
    "<text>x</text>",
    "<d:get xmlns:d=\"urn:whit:device\"><d:level>6</d:level><d:text>a&lt;b &amp; c</d:text></d:get>",
    "<s:Body wsu:Id=\"B-1\"><d:get xmlns:d=\"urn:whit:device\"><d:level>6</d:level></d:get></s:Body>",
    "<s:Body>",
    "</s:Body>",
    "<s:Header>",
    "</s:Header>",
    "<wsse:Security>",
    "</wsse:Security>",
    "<ds:Object>",
    "</ds:Object>",
    "<ds:Reference URI=\"#B-2\">",
    "</ds:Reference>",
    "<ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>",
    "<e:InclusiveNamespaces xmlns:e=\"http://www.w3.org/2001/10/xml-exc-c14n#\" PrefixList=\"s d #default\"/>",
    "#B-1",
    "#B-2",
    "#TS-1",
};
#define PIECES (sizeof pieces / sizeof *pieces)
static const char *const wrappers[][2] = {
    {"<x>", "</x>"},
    {"<s:Header>", "</s:Header>"},
    {"<s:Body>", "</s:Body>"},
    {"<ds:Object>", "</ds:Object>"},
    {"<wsse:Security>", "</wsse:Security>"},
    {"<!--", "-->"},
    {"<![CDATA[", "]]>"},
    {"<d:get xmlns:d=\"urn:whit:device\">", "</d:get>"},
    {"<ds:Signature>", "</ds:Signature>"},
};
#define WRAPPERS (sizeof wrappers / sizeof *wrappers)

static size_t change(uint8_t *octets, size_t len, size_t max)
{
    static uint8_t piece[PIECE_MAX];
    uint16_t one = (uint16_t)below(tag_cnt), other = (uint16_t)below(tag_cnt);
    size_t from = tags[one].from, end = element_end(octets, one), size = end - from;
    const char *text = pieces[below(PIECES)];
    if (size > sizeof piece)
        return len;
    memcpy(piece, octets + from, size);
    switch (below(8)) {
    case 0:
        return splice(octets, len, max, from, size, "", 0);    // it is gone
    // it comes twice
    case 1:
        return splice(octets, len, max, below(2) ? tags[other].from : tags[other].to, 0, piece, size);
    case 2: {    // it goes elsewhere
        size_t at = below(2) ? tags[other].from : tags[other].to;
        if (at > from && at < end)
            return len;
        len = splice(octets, len, max, from, size, "", 0);
        return splice(octets, len, max, at > from ? at - size : at, 0, piece, size);
    }
    case 3: {    // it is in another one
        const char *const *wrapper = wrappers[below(WRAPPERS)];
        len = splice(octets, len, max, end, 0, wrapper[1], strlen(wrapper[1]));
        return splice(octets, len, max, from, 0, wrapper[0], strlen(wrapper[0]));
    }
    // adds it to the tag
    case 4:
        return splice(octets, len, max, tags[one].to - 1 - (octets[tags[one].to - 2] == '/'), 0, text, strlen(text));
    case 5:
        return splice(octets, len, max, tags[one].to, 0, text, strlen(text));
    case 6: {    // another one's place and content
        size_t at = tags[other].from, gone = element_end(octets, other) - at;
        return splice(octets, len, max, at, gone, piece, size);
    }
    default: {    // an octet
        size_t at = 1 + below((uint32_t)len - 1);
        octets[at] = (uint8_t)"<>/\"'&;:= aB#156\n"[below(18)];
        return len;
    }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *octets, size_t len, size_t max, unsigned int seed)
{
    rng = seed * 2654435761u | 1;
    if (len < 2 || below(8) == 0)
        return LLVMFuzzerMutate(octets, len, max);
    for (uint32_t cnt = 1 + below(3); cnt != 0; cnt--) {
        find_tags(octets, len);
        if (tag_cnt == 0)
            return LLVMFuzzerMutate(octets, len, max);
        len = change(octets, len, max);
    }
    if (below(4) == 0)
        octets[0] = (uint8_t)below(256);
    return len;
}
