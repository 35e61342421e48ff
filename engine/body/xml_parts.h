// SPDX-License-Identifier: MIT
// What the files of the scanner know of each other (xml_scan.h).
#ifndef WHIT_BODY_XML_PARTS_H
#define WHIT_BODY_XML_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "xml_scan.h"

// xml_names.c
void xml_name_begin(struct xml *x, uint8_t state);
void xml_part_begin(struct xml *x);               // a name, what stands behind its prefix, a value
void xml_word(struct xml *x, const uint8_t *octets, const uint8_t *end);    // octets of it
bool xml_name_octet(struct xml *x, uint8_t c);    // false: it is not a name's
bool xml_prefixed(struct xml *x);                 // a colon; false: it is not a name's
bool xml_wide_name(struct xml *x);                // x->code is one of a name here
// False: x->why, which is XML_MALFORMED if nobody says another.
bool xml_named(struct xml *x);                    // a name ended
bool xml_valued(struct xml *x);                   // a value ended
bool xml_tagged(struct xml *x);                   // a start tag ended
void xml_close(struct xml *x);                    // an end tag ended, or an empty element
bool xml_wrong(struct xml *x, enum xml_why why);  // false

// xml_text.c
bool xml_character(uint32_t code);
bool xml_run(struct xml *x, struct xml_input *in);          // octets that mean themselves; false: one of them is wrong
enum xml_event xml_write(struct xml *x, struct xml_input *in, uint8_t len);    // instead of octets of the input: x->character

// xml_scan.c
uint8_t xml_then(uint8_t state, uint8_t c);
enum xml_event xml_event_of(uint8_t state);

#endif
