// SPDX-License-Identifier: MIT
// The action for an octet in each state of the scanner (xml.h). A row is a list of pairs; the first pair with the octet
// or ANY counts. A state is the number of its first pair. The second of a pair is a state, an action, or the error of
// the document.
#ifndef WHIT_HTTP_XML_ROWS_H
#define WHIT_HTTP_XML_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "xml.h"
#include "whit/port.h"

#define ROW(name, cnt) uint8_t name[cnt][2]
#define RUN(name, cnt) uint8_t name##_event[2], name[cnt][2]    // before it, the event of octets that mean themselves
struct xml_rows {
    ROW(outside, 3);    // before and behind the root
    ROW(begin, 1);      // nothing was read; everything allowed after a byte order mark
    ROW(marked, 7);
    ROW(mark_2, 2);
    ROW(mark_3, 2);
    ROW(lt_first, 1);        // "<": an XML declaration may follow
    ROW(lt, 5);              // "<"
    ROW(bang, 4);            // "<!"
    ROW(comment_open, 2);    // "<!-"
    ROW(cdata_c, 2);         // "<![", and so on
    ROW(cdata_d, 2);
    ROW(cdata_a, 2);
    ROW(cdata_t, 2);
    ROW(cdata_a2, 2);
    ROW(cdata_bracket, 2);
    ROW(comment_1, 2);    // comment: "-"
    ROW(comment_2, 2);    // "--"
    ROW(plain_1, 2);      // text: "]"
    ROW(plain_2, 3);      // "]]"
    ROW(cdata_1, 2);      // the same in a CDATA section
    ROW(cdata_2, 3);
    ROW(behind_value, 4);    // tag, ...
    ROW(in_tag, 4);          // ... behind white space
    ROW(pi_value, 3);        // the same of an XML declaration
    ROW(pi, 3);
    ROW(pi_close, 2);    // "?" of "?>"
    ROW(equals, 3);      // these are to come
    ROW(quote, 4);
    ROW(slash, 2);           // "/" of an empty element
    ROW(behind_end, 3);      // behind an end tag's name
    ROW(entity_first, 1);    // "&"
    ROW(entity, 2);
    ROW(decimal_first, 2);    // "&#"
    ROW(decimal, 2);
    ROW(hex_first, 1);    // "&#x"
    ROW(hex, 2);
    ROW(failed, 1);
    RUN(comment, 3);    // from here on, octets mean themselves where no other pair than ANY has them
    RUN(cdata, 3);
    RUN(plain, 5);
    RUN(double_quoted, 7);    // values
    RUN(single_quoted, 7);
    RUN(name, 1);    // from here on, they do as far as they are a name's
    RUN(attribute, 1);
    RUN(end_name, 1);
    RUN(pi_name, 1);
};
#undef ROW
#undef RUN

#define XML_AT(row) (offsetof(struct xml_rows, row) / 2)
enum xml_state {
    XML_OUTSIDE = XML_AT(outside),
    XML_BEGIN = XML_AT(begin),
    XML_MARKED = XML_AT(marked),
    XML_MARK_2 = XML_AT(mark_2),
    XML_MARK_3 = XML_AT(mark_3),
    XML_LT_FIRST = XML_AT(lt_first),
    XML_LT = XML_AT(lt),
    XML_BANG = XML_AT(bang),
    XML_COMMENT_OPEN = XML_AT(comment_open),
    XML_CDATA_C = XML_AT(cdata_c),
    XML_CDATA_D = XML_AT(cdata_d),
    XML_CDATA_A = XML_AT(cdata_a),
    XML_CDATA_T = XML_AT(cdata_t),
    XML_CDATA_A2 = XML_AT(cdata_a2),
    XML_CDATA_BRACKET = XML_AT(cdata_bracket),
    XML_COMMENT_1 = XML_AT(comment_1),
    XML_COMMENT_2 = XML_AT(comment_2),
    XML_PLAIN_1 = XML_AT(plain_1),
    XML_PLAIN_2 = XML_AT(plain_2),
    XML_CDATA_1 = XML_AT(cdata_1),
    XML_CDATA_2 = XML_AT(cdata_2),
    XML_BEHIND_VALUE = XML_AT(behind_value),
    XML_IN_TAG = XML_AT(in_tag),
    XML_PI_VALUE = XML_AT(pi_value),
    XML_PI = XML_AT(pi),
    XML_PI_CLOSE = XML_AT(pi_close),
    XML_EQUALS = XML_AT(equals),
    XML_QUOTE = XML_AT(quote),
    XML_SLASH = XML_AT(slash),
    XML_BEHIND_END = XML_AT(behind_end),
    XML_ENTITY_FIRST = XML_AT(entity_first),
    XML_IN_ENTITY = XML_AT(entity),
    XML_DECIMAL_FIRST = XML_AT(decimal_first),
    XML_DECIMAL = XML_AT(decimal),
    XML_HEX_FIRST = XML_AT(hex_first),
    XML_HEX = XML_AT(hex),
    XML_FAILED = XML_AT(failed),
    XML_COMMENT = XML_AT(comment),
    XML_CDATA = XML_AT(cdata),
    XML_PLAIN = XML_AT(plain),
    XML_DOUBLE_QUOTED = XML_AT(double_quoted),
    XML_SINGLE_QUOTED = XML_AT(single_quoted),
    XML_IN_NAME = XML_AT(name),
    XML_IN_ATTRIBUTE = XML_AT(attribute),
    XML_IN_END = XML_AT(end_name),
    XML_IN_PI = XML_AT(pi_name),
};
#define XML_RUNS XML_COMMENT           // states from here on pass over runs of octets,
#define XML_WORDS XML_DOUBLE_QUOTED    // ... from here on of values and names,
#define XML_NAMES XML_IN_NAME          // ... and of names

enum xml_then {
    THEN_ACTIONS = 0xe6,         // states are below
    THEN_NAME = THEN_ACTIONS,    // a name begins with this octet: of a start tag,
    THEN_ATTRIBUTE,              // ... an attribute's;
    THEN_END,                    // ... with the next one: of an end tag,
    THEN_PI,                     // ... an XML declaration's
    THEN_NAMED,                  // a name ended before this octet
    THEN_VALUED,                 // a value ended
    THEN_OPENED,                 // a start tag ended
    THEN_CLOSED,                 // an end tag, or an empty element
    THEN_COMMENTED,              // a comment
    THEN_DECLARED,               // an XML declaration
    THEN_CDATA,                  // a CDATA section begins
    THEN_COMMENT,                // this octet is a comment's like any
    THEN_BRACKET,                // a "]" is one of a text; two more may belong to an end
    THEN_BRACKETS,               // all are of the text, and so is this octet
    THEN_SPACE,                  // white space that becomes another
    THEN_REFERENCE,
    THEN_LETTER,       // letter of an entity's name
    THEN_ENTITY,       // it ended
    THEN_DIGIT,        // digit of a character's number
    THEN_CHARACTER,    // it ended
    THEN_STILL,        // it was wrong before
    THEN_WRONG,        // and enum xml_why
    NO_XML = THEN_WRONG + XML_MALFORMED,
    REFUSES = THEN_WRONG + XML_REFUSED,
    NO_TEXT = THEN_WRONG + XML_ENCODING,
};
_Static_assert(sizeof(struct xml_rows) / 2 <= THEN_ACTIONS, "a state is the place of its row");
#define ANY 0xf8    // never an octet of UTF-8
_Static_assert((int)NO_TEXT < 0x100 && (int)XML_OUTSIDE == 0, "xml_ended()");

#endif
