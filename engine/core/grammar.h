// SPDX-License-Identifier: MIT
// The operations with which the application compiler describes a request's head (whit_words; the grammar itself is in
// tools/whit/compiler/grammar.py).
#ifndef WHIT_CORE_GRAMMAR_H
#define WHIT_CORE_GRAMMAR_H

// whit_words begins with a set of classes for each octet from ' ' on: bit `class` - 1 is set where it belongs to it.
#define GRAMMAR_SETS 96
enum whit_class {
    CLASS_OWS = 1,    // SP, HTAB
    CLASS_TCHAR,      // RFC 9110 section 5.6.2
    CLASS_BEHIND,     // end of a token: all others
    CLASS_VALUE,      // octets of a field's value: no control character but HTAB
    CLASS_HOST,       // octets of a reg-name (RFC 3986 section 3.2.2), but for ',', which separates hosts
    CLASS_TARGET,     // visible, but for '#'
    CLASS_DIGIT,
    CLASS_HEX,    // 0-9 a-f
    CLASS_CNT,
};
#define SET_CONTROL (1 << (CLASS_BEHIND - 1))    // control characters
#define SET_TAB (SET_CONTROL | 1 << (CLASS_OWS - 1) | 1 << (CLASS_VALUE - 1))
#define SET_HIGH (SET_CONTROL | 1 << (CLASS_VALUE - 1))    // above 0x7f

// A state may begin with operations, which are done as soon as it is reached; one octet for the operand follows those
// before OP_UNREAD. A goal of OP_GOTO and OP_ELSE is counted from after the sets, in two octets.
#define OP_FIRST 0x0e
enum whit_op {
    OP_GOTO = OP_FIRST,
    OP_ELSE,      // target for an octet without an alternative, until the next OP_GOTO
    OP_LOOP,      // back to the list whose alternative was taken, past all octets of this class
    OP_REFUSE,    // enum http_status
    OP_MARK,      // enum whit_mark_bit
    OP_CLEAR,
    OP_ONCE,                     // OP_MARK, and refuses the request if it was set; the number that is read becomes 0
    OP_NUMBER,                   // the number becomes this one
    OP_FIELD,                    // enum whit_field
    OP_METHOD,                   // enum whit_method
    OP_UNREAD,                   // the octet is looked at once more
    OP_DIGIT,                    // it is the number's next digit,
    OP_HEX,                      // hexadecimal
    OP_ACCEPT,                   // OP_MARK of the number
    OP_TARGET,                   // a path begins with it: whit_targets
    OP_LINE,                     // the request line has ended: the field lines have a limit of their own
    OP_END,                      // the empty line was read
    OP_CNT = 0x20 - OP_FIRST,    // the first octet that may be a character begins after them
};

// Parts of a field that were read, or the field that begins.
enum whit_field {
    FIELD_TAG,        // the number is an entity tag
    FIELD_ANY_TAG,    // '*' stands for any
    FIELD_LENGTH,     // the number is Content-Length
    FIELD_TYPE,       // Content-Type begins
    FIELD_CODED,      // Content-Encoding names another coding than identity
};

// Marks of a request: while its query is parsed, one bit for each argument seen; in its field lines, these.
enum whit_mark_bit {
    BIT_1_0,    // HTTP/1.0
    BIT_HOST,
    BIT_CLOSE,
    BIT_GZIP,
    BIT_BROTLI,
    BIT_MATCH,      // If-Match is there
    BIT_MATCHED,    // ... and names the resource
    BIT_STRONG,     // the current tags are If-Match's, and none of them was a weak one
    BIT_LENGTH,
    BIT_CODING,    // Transfer-Encoding
    BIT_BODY,      // a body follows
    BIT_TYPE,      // Content-Type, of a body that is taken
    BIT_EXPECT,    // the client waits for "100 Continue"
    BIT_KNOWN,     // If-None-Match names the identity representation; the bits above it: its variants
};

// The status of a response, by its place in response_head.c's table.
enum http_status {
    HTTP_200,
    HTTP_304,
    HTTP_400,
    HTTP_404,
    HTTP_408,
    HTTP_412,
    HTTP_413,
    HTTP_414,
    HTTP_431,
    HTTP_501,
    HTTP_505,
    HTTP_500,
    HTTP_503,    // with WHIT_HAS_GENERATORS only
    HTTP_100,
    HTTP_415,
    HTTP_405,
    HTTP_405_POST,    // with WHIT_HAS_BODY only
    HTTP_308,         // with REDIRECTS only
    HTTP_STATUS_CNT
};

#endif
