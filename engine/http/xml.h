// SPDX-License-Identifier: MIT
// A scanner of XML 1.0 (fifth edition) with namespaces, in constant memory. Octets are pushed as they come, in any
// split. The scanner returns events. An event's octets lie in the input; those of a reference lie in the scanner.
//
//     struct xml_input in = {octets, octets + len, NULL, 0};
//     while ((event = xml_next(&x, &in)) > XML_WRONG)
//         ...    // in.octets, in.len
//
// The scanner stores names and values only as hashes, under a key that no peer knows: each open element's name, each
// prefix, and each attribute of the current tag. It refuses a DOCTYPE, processing instructions, entities other than the
// predefined five, and encodings other than UTF-8, ISO-8859-1 and US-ASCII. Octets of events are UTF-8.
#ifndef WHIT_HTTP_XML_H
#define WHIT_HTTP_XML_H

#include <stdbool.h>
#include <stdint.h>

#define XML_DEPTH_MAX 16         // elements in one another
#define XML_NAMESPACES_MAX 20    // declarations in scope
#define XML_ATTRIBUTES_MAX 10    // attributes of one tag; declarations before the tenth are not counted

enum xml_event {
    XML_MORE,         // all octets were read
    XML_WRONG,        // x->why; nothing comes after it
    XML_NAME,         // octets of a start tag's qualified name
    XML_ATTRIBUTE,    // octets of an attribute's qualified name; of a declaration as well
    XML_VALUE,        // octets of its value, normalised (section 3.3.3)
    XML_VALUED,       // the value has ended
    XML_OPENED,       // the start tag has ended: its namespaces are known now
    XML_TEXT,         // octets of text; lines end with LF
    XML_END_NAME,     // octets of an end tag's qualified name
    XML_CLOSED,       // an element ended, by its end tag or by "/>"
};

enum xml_why {
    XML_MALFORMED,    // not well-formed in another way
    XML_REFUSED,      // a DOCTYPE, or a processing instruction
    XML_ENCODING,     // not in its encoding, or a character that XML does not have
    XML_ENTITY,       // none of the five
    XML_NESTING,      // an end tag of another element
    XML_TWICE,        // an attribute or a declaration
    XML_UNBOUND,      // a prefix
    XML_TOO_MUCH,     // more than a limit above
    XML_CUT,          // it ended too early: xml_ended() is false
};

// A namespace's number. The application compiler numbers the known ones; a hash of 14 bits distinguishes the others.
enum xml_uri {
    XML_URI_NONE,              // the name is in no namespace
    XML_URI_XML,               // the namespace of the prefix xml
    XML_URI_OTHER = 0x8000,    // from here on: hashes of unknown namespaces
    XML_URI_UNBOUND = 0xffff,
};

// pseudo_attributes (xml.c) has the same order.
enum xml_charset { XML_UTF_8, XML_ISO_8859_1, XML_US_ASCII };

// The members used most come first: load instructions of many machines reach only small offsets.
struct xml {
    uint8_t depth;            // open elements: at XML_OPENED with it, at XML_CLOSED without it
    uint8_t attribute_cnt;    // attributes of the current tag; at XML_VALUED with that one
    // the attribute is a declaration: from its first XML_VALUE to its XML_VALUED
    bool declares;
    uint8_t why;    // enum xml_why
    uint8_t state;
    uint8_t namespace_cnt;
    uint8_t tails;            // octets of the character that are to come
    uint8_t character_len;    // ... octets after its first one
    uint8_t character[4];     // character of a reference
    uint8_t back;             // the state after a reference
    uint8_t seen;             // parts of an XML declaration that were read
    bool first;               // a name's part begins
    bool colon;               // its prefix was read
    bool cr;                  // a CR was read, and an LF may belong to it
    uint8_t rooted : 1;       // the root was opened
    uint8_t charset : 2;      // enum xml_charset
    // ... set from outside, or by a byte order mark: an XML declaration is ignored (RFC 7303)
    uint8_t fixed : 1;
    bool pi;              // an XML declaration is read,
    uint8_t fold;         // ... a value of it: 0x20 if upper case is permitted
    uint16_t known;       // place in whit_targets of the words that matter, and of URIs
    uint16_t names_at;    // ... automaton of the elements that may come next: the reader sets it, at any event
    uint16_t node;        // state of the automaton of one of these words
    // values of the words that were read last in whit_targets; the first two without their prefixes
    uint16_t name, attribute, value;
    uint32_t key;                     // odd
    uint32_t hash;                    // hash of the current name; of a value
    uint32_t prefix;                  // hash of its prefix; 0: it has none
    uint32_t element;                 // prefix of the current tag
    uint32_t code;                    // code of the current character
    uint32_t names[XML_DEPTH_MAX];    // names of open elements
    struct {
        uint32_t prefix, local;
    } attributes[XML_ATTRIBUTES_MAX];         // attributes of the current tag
    uint32_t prefixes[XML_NAMESPACES_MAX];    // prefixes of declarations in scope; 0: the default namespace
    uint16_t uris[XML_NAMESPACES_MAX];        // their namespaces
    uint8_t depths[XML_NAMESPACES_MAX];       // depth of the element that has the declaration, from 1 on
};

struct xml_input {
    const uint8_t *at, *end;
    const uint8_t *octets;    // octets of the event
    uint16_t len;
};

// known: place in whit_targets of words, and of URIs, whose values are their numbers, XML_URI_XML among them; below
// XML_URI_OTHER.
void xml_begin(struct xml *x, uint32_t key, uint16_t known);
enum xml_event xml_next(struct xml *x, struct xml_input *in);
static inline bool xml_ended(const struct xml *x)
{
    return x->rooted && x->depth == 0 && x->tails == 0 && x->state == 0;
}

// At XML_OPENED: the namespace of the element, and of its attribute of this index.
uint16_t xml_element_uri(const struct xml *x);
uint16_t xml_attribute_uri(const struct xml *x, uint8_t index);

// ------------------------------------------------------------------------------------------------ the scanner's files

uint8_t xml_then(uint8_t state, uint8_t c);

#endif
