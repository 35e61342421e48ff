// SPDX-License-Identifier: MIT
// Types of the tables that the application compiler writes and the engine reads, and the least shared buffer for an
// application. A generated source includes this beside the author's file, so every name begins with whit_ or WHIT_.
#ifndef WHIT_CORE_TABLES_H
#define WHIT_CORE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "whit/config.h"
#include "whit/port.h"
#include "whit/public.h"
#include "whit_limits.h"

_Static_assert(WHIT_ALIGNMENT <= 8 && (WHIT_ALIGNMENT & (WHIT_ALIGNMENT - 1)) == 0,
               "WHIT_ALIGNMENT: expected 1, 2, 4 or 8 bytes");

// Most octets of the shared buffer for a body beside struct args_t or struct state_t. Together they take a quarter of
// the buffer. The other quarter of its first half has room for a segment of the body (INPUT_SHARE).
#define WHIT_FORM_KEPT (32 + (WHIT_HAS_FORM_PARTS ? 16 : 0))
#define WHIT_PARTS_KEPT 176
// ... and while a message of SOAP is read; freed before the function runs.
#define WHIT_SOAP_KEPT                                                                     \
    (352 + (WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE ? 8 : 0) + (WHIT_HAS_DIGEST ? 160 : 0) + \
     (WHIT_HAS_SIGNATURE ? 952 : 0) + (WHIT_HAS_RSA ? 312 : 0))

// Octets of the shared buffer that are never kept for long: generated output is made there again for each segment.
#define WHIT_WINDOW_RESERVED \
    (WHIT_HAS_IDEMPOTENT || WHIT_HAS_VOLATILE || WHIT_HAS_RERUN ? WHIT_BUFFER / 4 < 256 ? WHIT_BUFFER / 4 : 256 : 0)
// Most octets of a plain persistent generator. It runs once, before its length is known, and must not depend on the
// octets of other connections: it begins when this room is free.
#define WHIT_WRITTEN_ONCE_MAX ((WHIT_BUFFER - WHIT_WINDOW_RESERVED) / (WHIT_CONNECTIONS > 1 ? 2 : 1))

// Lengths for a generator that runs again from points, and for one whose output is kept (rerun.c, kept.c). args_len and
// state_len are octets of its structs.
#define WHIT_ROUNDING (WHIT_ALIGNMENT > 4 ? 28 : 0)    // rounding of blocks and of rerun points, to 8 octets
#define WHIT_RERUN_BUFFER(args_len, state_len) (80 + WHIT_ROUNDING + (args_len) + 3 * (state_len))
#define WHIT_THREAD_BUFFER(args_len, state_len)                             \
    (72 + WHIT_ROUNDING + (args_len) + (state_len) + WHIT_WINDOW_RESERVED + \
     (WHIT_CONNECTIONS > 1 && WHIT_HAS_PLAIN ? WHIT_WRITTEN_ONCE_MAX + WHIT_BUFFER / 16 : 0))

// ------------------------------------------------------------------------------------------------ tables

// All tables are constant and live in flash.

struct args_t;     // each generator has its own; the engine only carries the address
struct state_t;    // likewise
struct whit_pt;    // whit/app.h
struct whit_part;

// Ways to find the bytes at a position of a resource (DESIGN.md section 1).
enum whit_persistence {
    WHIT_STATIC,        // B1: a file
    WHIT_PERSISTENT,    // B3: runs exactly once a request
    WHIT_VOLATILE,      // B4
    WHIT_IDEMPOTENT,    // B5: may run again, with the same output
    WHIT_STORED,        // B2: written into persistent memory at run time, and served from there
};

enum whit_coding { WHIT_IDENTITY, WHIT_GZIP, WHIT_BROTLI };

enum whit_argument_type {
    WHIT_UINT8,
    WHIT_UINT16,
    WHIT_UINT32,
    WHIT_INT8,
    WHIT_INT16,
    WHIT_INT32,
    WHIT_BOOL,
    WHIT_ENUM /* an uint8_t */,
    WHIT_STR,
    // TIME, BASE64 and PIECES of results only
    WHIT_TIME /* seconds since 1970 in an uint32_t */,
    WHIT_BASE64 /* a uint8_t and that number of octets */,
    WHIT_RECORD,
    WHIT_PIECES /* a uint32_t, and that number of octets in base64, which a function gives */,
};
// Kinds of a WHIT_STR; the last three for services. TIME and BASE64 become WHIT_TIME and WHIT_BASE64 in their place. A
// function takes the octets of a PIECES; its struct whit_taking is in their place.
enum whit_text { WHIT_TEXT_OCTETS, WHIT_TEXT_UTF8, WHIT_TEXT_TIME, WHIT_TEXT_BASE64, WHIT_TEXT_PIECES };

// An argument that a function takes by pieces. The first two are the author's, NAME_len and NAME_ticket.
#define WHIT_PIECE 24    // octets that it is given at a time, but for the last ones; a multiple of three
struct whit_taking {
    uint32_t len;                      // octets that were taken
    uint16_t ticket;                   // whatever the function likes; 0 at first
    uint8_t octets[WHIT_PIECE + 2];    // octets that wait, as for base64_take()
};
_Static_assert(sizeof(struct whit_taking) == 32, "expected TAKEN_LEN of tools/whit/compiler/arguments.py");

// One query argument: where its value goes in the handler's struct args_t.
struct whit_argument {
    uint8_t type;        // enum whit_argument_type
    uint8_t offset;      // octets from the start of struct args_t
    uint8_t size;        // WHIT_STR: octets of the array, its closing NUL included; else of the integer
    uint8_t optional;    // 1: stays zero (the empty string) when absent; 0: a request without it is refused
    uint8_t fallback;    // optional: index + 1 in the generator's fallbacks, 0: none
    uint16_t words;      // WHIT_ENUM, WHIT_BOOL: start of its words in whit_targets; a word's value is the integer.
                         // WHIT_STR: enum whit_text, and of a PIECES its place in `takes`, << 8. Of a service's number
                         // its digits behind the point
#if WHIT_HAS_RECORDS
    uint8_t count;    // elements of an array, at most; 0: not an array. `size` and `offset` are of the first one
    // ... octets from `offset` up to the one with the number of elements
    uint8_t cnt_offset;
    const struct whit_record *record;    // WHIT_RECORD: its contents
#endif
};

// Arguments in one another: a record, or all of a function. Offsets are from the start of the struct that it is.
struct whit_record {
    const struct whit_argument *arguments;
    const char *const *expected;    // as in struct whit_service
    uint16_t names;                 // as in struct whit_generator
    uint8_t argument_cnt;
};
// Position of the reader in nested records. It is stored after the first two octets of such a struct args_t; the second
// octet is the depth.
struct whit_record_place {
    uint16_t flags;       // arguments of the outer record that were seen
    uint8_t base;         // octets from the start of struct args_t
    uint8_t index : 4;    // index of the argument that it is, in its record
    uint8_t array : 4;    // 1 + the index of its argument that is an array of which elements are read; 0: none
};

#define WHIT_ARGUMENTS_MAX 16

// Kinds of doGet handlers, by how they write.
enum whit_writer {
    WHIT_PLAIN,     // all of it, and returns
    WHIT_INDEX,     // the requested octets
    WHIT_THREAD,    // a protothread (whit/app.h)
};
union whit_handler {
    char (*plain)(struct args_t *args);
    char (*index)(struct args_t *args, uint32_t index, uint16_t length);
    char (*thread)(struct whit_pt *pt, struct args_t *args, struct state_t *state);
};

// A doPost handler.
union whit_form {
    char (*plain)(struct args_t *args);
    char (*thread)(struct whit_pt *pt, struct args_t *args, struct state_t *state);
};

// Requests with a body.
struct whit_post {
    union whit_form form;    // doPost; or NULL
    // doPostIn, one of them or none, and its doPostOut. state_len is 0 with `in`: post_data is a pointer's room.
    char (*in)(uint8_t content_type, uint8_t part, char *filename, void **post_data);
    char (*in_thread)(struct whit_pt *pt, struct whit_part *part, struct state_t *state);
    char (*out)(uint8_t content_type, void *state);
    uint32_t body_max;    // octets of a body; a longer one is refused with 413
    // start of the accepted media types in whit_targets, lower case without parameters; a type's value is its index; 0:
    // none is declared, and each is taken. A form: application/json alone, or 0.
    uint16_t types;
    // sizeof (struct state_t) of in_thread and out; 0: doPost is not a thread, which always has a state
    uint8_t state_len;
};

// Names of a generator's parts in the request log, in flash. Only in builds with WHIT_HAS_LOG.
enum whit_name { WHIT_NAME_GET, WHIT_NAME_INIT_GET, WHIT_NAME_FORM, WHIT_NAME_IN, WHIT_NAME_OUT, WHIT_NAME_NONE };
struct whit_names {
    const char *handlers[WHIT_NAME_NONE];    // "say()", by enum whit_name; or NULL
    const char *types;                       // media types that are accepted; or NULL
    const char *const *arguments;            // "brightness: expected 0 to 255", for each argument; or NULL
};

// A service: a function that takes struct args_t and fills a struct result_t. The first octet of its struct args_t is
// the error of the arguments: enum whit_wrong and below it 1 + the index of one; 0: no error.
enum whit_wrong {
    WHIT_WRONG_VALUE = 0x00,
    WHIT_WRONG_TWICE = 0x40,
    WHIT_WRONG_MISSING = 0x80,
    WHIT_WRONG_INDEX = 0x3f,
    WHIT_WRONG_BODY = 0xff
};

// Reason why a SOAP request is refused: the first octet of its endpoint's struct args_t. The second octet has the
// reason of WHIT_SOAP_XML and WHIT_SOAP_SECURITY (xml.h, wss.h). The third octet is 1 if the Body is the reason. One
// octet further, 32 bits count the octets of the message that were read.
enum whit_soap_wrong {
    WHIT_SOAP_FINE,
    WHIT_SOAP_XML,
    WHIT_SOAP_ENVELOPE,
    WHIT_SOAP_VERSION,
    WHIT_SOAP_HEADER,
    WHIT_SOAP_OPERATION,
    WHIT_SOAP_ARGUMENT,
    WHIT_SOAP_SINGLE,
    WHIT_SOAP_SECURITY
};
// Meanings of the words of SOAP messages, in whit_targets from WHIT_SOAP_WORDS on: namespaces, also those of services,
// names and values.
enum whit_soap_uri {
    WHIT_SOAP_URI_XML = 1,
    WHIT_SOAP_URI_11,
    WHIT_SOAP_URI_12,
    WHIT_SOAP_URI_XSI,
    WHIT_SOAP_URI_WSSE,
    WHIT_SOAP_URI_WSU,
    WHIT_SOAP_URI_SERVICE = 32
};
enum whit_soap_word {
    WHIT_SOAP_WORD_ENVELOPE = WHIT_SOAP_URI_WSU + 1,
    WHIT_SOAP_WORD_HEADER,
    WHIT_SOAP_WORD_BODY,
    WHIT_SOAP_WORD_MUST,
    WHIT_SOAP_WORD_ROLE,
    WHIT_SOAP_WORD_NIL,
    WHIT_SOAP_WORD_STYLE,
    WHIT_SOAP_WORD_TRUE,
    WHIT_SOAP_WORD_FALSE,
    WHIT_SOAP_WORD_OURS,
    // words of WS-Security
    WHIT_SOAP_WORD_SECURITY,
    WHIT_SOAP_WORD_TOKEN,
    WHIT_SOAP_WORD_TIMESTAMP,
    WHIT_SOAP_WORD_USERNAME,
    WHIT_SOAP_WORD_PASSWORD,
    WHIT_SOAP_WORD_NONCE,
    WHIT_SOAP_WORD_CREATED,
    WHIT_SOAP_WORD_EXPIRES,
    WHIT_SOAP_WORD_TYPE,
    WHIT_SOAP_WORD_ENCODING,
    WHIT_SOAP_WORD_DIGEST,
    WHIT_SOAP_WORD_BASE64,
};

// One value of a result.
struct whit_value {
    const char *name;
    const void *more;       // WHIT_ENUM: its words, each closed by a NUL; WHIT_RECORD: its values
    uint16_t offset;        // octets from the start of the struct that it is in
    uint16_t cnt_offset;    // array: offset of the octet with the number of elements; WHIT_ALL: all of them
    uint8_t type;           // enum whit_argument_type
    uint8_t size;           // octets of one; of a WHIT_BASE64 without its number
    // digits behind the point; WHIT_ENUM: how many words; WHIT_RECORD: how many values; WHIT_PIECES: place in `gives`
    uint8_t scale;
    uint8_t count;    // elements of an array, at most; 0: not an array
};
#define WHIT_ALL 0xffff
#define WHIT_RECORDS_MAX 3    // depth of records, the result included

// The author's functions for values longer than the memory. whit_take takes the next octets of an argument, and may
// refuse them. whit_give writes `len` octets of a value from `at` on, the same ones for each call; or none, which ends
// the response.
typedef bool whit_take(struct args_t *args, const uint8_t *octets, uint8_t len);
typedef bool whit_give(struct args_t *args, uint32_t at, uint8_t *octets, uint8_t len);

struct whit_taker {
    whit_take *take;
    uint32_t most;    // octets that it may get in all
};

struct whit_service {
    const struct whit_value *values;
    const char *const *expected;    // "brightness: expected 0 to 255", for each argument
    uint8_t value_cnt;
    uint8_t ways;          // enum whit_way, as bits
    uint8_t status_400;    // status of a fault without its own: places in whit_answer_texts
    uint8_t status_500;
#if WHIT_HAS_RECORDS
    const struct whit_record *record;    // its arguments, where there are arrays or records among them; or NULL
#endif
#if WHIT_HAS_TAKES
    const struct whit_taker *takes;    // functions for its arguments; or NULL
#endif
#if WHIT_HAS_GIVES
    whit_give *const *gives;    // functions for its values; or NULL
#endif
#if WHIT_HAS_SOAP
    const char *name;     // the operation's name
    const char *space;    // its namespace,
    uint16_t uri;         // ... and the number of that from WHIT_SOAP_URI_SERVICE on
#endif
#if WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE
    uint8_t security;    // enum whit_security
#endif
};
// WHIT_ENDPOINT: no function, but where SOAP calls the functions of a service: its generator's `names` are theirs, with
// their resources as values.
enum whit_way { WHIT_BY_JSON = 1, WHIT_BY_FORM = 2, WHIT_BY_SOAP = 4, WHIT_ENDPOINT = 8, WHIT_BY_GET = 16 };
enum whit_security { WHIT_SECURITY_NONE, WHIT_SECURITY_DIGEST, WHIT_SECURITY_SIGNED };
// First and last calls of a service's handler (service.c).
// True if the arguments are refused, with the reason.
WHIT_PUBLIC bool whit_service_refuses(const struct whit_service *service, const struct args_t *args);
// all of an endpoint's: why it calls nothing
WHIT_PUBLIC char whit_soap_refuses(const struct whit_service *service, const struct args_t *args);
WHIT_PUBLIC char whit_service_says(const struct whit_service *service, char said, const void *result);

// The same for a function with a value that is given in pieces. Its handler is a protothread; this struct is before its
// result in its state.
struct whit_pieces {
    uint32_t at;                          // octets of the answer that were written
    uint8_t why[sizeof(const char *)];    // text of fault(): an address, as a state begins at a word only
    uint8_t as;                           // enum service_as
    char said;                            // return value of the function
    bool refused;                         // it was not called
};
// Returns whether to call the function now; stores its return value; writes the next piece of the answer.
WHIT_PUBLIC bool whit_pieces_calls(struct whit_pt *pt, const struct args_t *args, struct whit_pieces *pieces);
WHIT_PUBLIC void whit_pieces_said(struct whit_pieces *pieces, char said);
WHIT_PUBLIC char whit_pieces_goes_on(const struct whit_service *service, struct args_t *args,
                                     struct whit_pieces *pieces, const void *result);

struct whit_generator {
    union whit_handler get;                   // unused without WHIT_METHOD_GET
    char (*init_get)(struct args_t *args);    // or NULL
    const struct whit_post *post;             // or NULL
    const struct whit_argument *arguments;    // argument_cnt of them, NULL when none
#if WHIT_HAS_SERVICES
    const struct whit_service *service;    // or NULL
#endif
    const uint32_t *fallbacks;    // integers that optional arguments have when absent
    uint16_t names;    // start of the argument names in whit_targets; a name's value is its index in arguments
    uint8_t argument_cnt;
    uint8_t args_len;     // sizeof (struct args_t); 0 when there are no arguments
    uint8_t writer;       // enum whit_writer of `get`
    uint8_t state_len;    // sizeof (struct state_t) of a thread, 0 without one
    uint8_t methods;      // enum whit_methods
#if WHIT_HAS_JSON_ERRORS
    // 1 + the number of its first argument among whit_json_texts, perhaps with WHIT_JSON_ALONE; 0: it has none
    uint8_t json_errors;
#endif
#if WHIT_HAS_LOG
    const struct whit_names *texts;
#endif
};
enum whit_methods { WHIT_METHOD_GET = 1 /* and HEAD */, WHIT_METHOD_POST = 2 /* and PUT */ };

// Longest content that is sent as a whole, besides chunks: the smallest MSS takes it.
#define WHIT_PIECE_MAX 88
// Octets of a generated response's head, at most.
#define WHIT_HEAD_MAX (192 + WHIT_ANSWER_LEN + (WHIT_KEEP_ALIVE != 0 ? 32 : 0))

// With WHIT_HAS_ANSWER: parts of a head that handlers may choose (answer_status, answer_field). Lines of a status
// without the version come first, WHIT_ANSWER_STATUSES of them; field lines follow.
#define WHIT_ANSWER_FIELDS 2    // fields of one response
struct whit_answer_text {
    const uint8_t *octets;
    const uint16_t *sums;    // sums of its chunks, as in struct whit_resource
    uint8_t len;
};
extern const struct whit_answer_text whit_answer_texts[] WHIT_FLASH;

// A content that the application fixes at run time (whit/app.h, stored_begin). Of its two banks in persistent memory,
// back to back from `address` on, one holds the current version and the other takes the next. A bank is
//   header    struct stored_header (persistent.h)
//   sums      16 bits for each chunk of `size` octets: what `sums` of a struct whit_resource is for a file
//   octets    `size` of them
// numbers as the machine has them. Each bank has a representation, the first being the one that the URL leads to.
struct whit_stored {
    uint16_t resource;    // index of the first bank's representation
    uint16_t address;
    uint16_t size;    // octets that the content may have
    // Seal of URL, size and chunk, neither 0 nor 0xffff: a version that was written with other values is not found.
    uint16_t seal;
};
extern const struct whit_stored whit_stored[] WHIT_FLASH;    // these two only when an application has such contents
extern const uint8_t whit_stored_cnt WHIT_FLASH;

// One representation of a resource. The one that the URL leads to comes first (identity), its content-coded
// variants follow it.
struct whit_resource {
    // Field lines without the status line. The lines that a 304 also has come first. A file adds the empty line and
    // the content. A generated representation lacks the length or the transfer coding, a stored one also the entity
    // tag.
    const uint8_t *octets;
    // sums[i] = sum of octets[0 .. min((i+1)*WHIT_CHUNK, len)). The sum of a run of chunks is a difference of two sums.
    // A sum is the 16-bit one's complement sum of big-endian words, an odd last octet being the high one, not
    // complemented (RFC 1071).
    const uint16_t *sums;
    const struct whit_generator *generator;    // NULL: static
    uint32_t len;
    // static: its entity tag is these as 8 lower-case hexadecimal digits in quotes; stored: index in whit_stored
    uint32_t etag;
    uint16_t head_len;    // octets before the content
    uint16_t head_sum;
    uint16_t validators_sum;
    uint8_t validators_len;    // octets of the entity tag, Vary, Cache-Control; fewer than the smallest MSS
    uint8_t persistence;       // enum whit_persistence
    uint8_t coding;            // enum whit_coding
    uint8_t variant_cnt;       // representations that follow this one and belong to it
};

extern const struct whit_resource whit_resources[] WHIT_FLASH;
extern const uint16_t whit_resource_cnt WHIT_FLASH;

// The bodies of errors: the application's 404.html and the like, whose resources no path leads to.
struct whit_error {
    uint16_t resource;
    uint8_t status;    // enum http_status
};
extern const struct whit_error whit_errors[] WHIT_FLASH;    // these two only when an application has such files
extern const uint8_t whit_error_cnt WHIT_FLASH;

// With WHIT_HAS_JSON_ERRORS: parts of the response that names the wrong argument in JSON (response_head.c). The first
// one is its field lines. Three begin its content, in the order of enum whit_wrong. Each of the others ends it: one for
// each argument.
struct whit_json_text {
    const uint8_t *octets;
    uint16_t sums;    // index of its chunks' sums in whit_json_sums
    uint16_t len;
};
#define WHIT_JSON_BEGINS 1      // the first part that begins the content
#define WHIT_JSON_ENDS 4        // the first part that ends it
#define WHIT_JSON_ALONE 0x80    // only a request that is JSON gets it
extern const struct whit_json_text whit_json_texts[] WHIT_FLASH;
extern const uint16_t whit_json_sums[] WHIT_FLASH;

extern const char whit_html_end[] WHIT_FLASH;    // end of an error page without a file (WHIT_HAS_PAGES)

// Automata, as octets. A state is the offset of a list of alternatives. An alternative is
//   c              the character; bit 7 is set in the last alternative of its list
//   skip           octets from here (after skip) to the next alternative, absent in the last: one octet, or two with
//                  bit 7 of the first set, high first
//   ...            for a matching character: again a list; or, after c = 0, a value of 2 octets, low first
// An automaton matches argument names, words, media types and paths, one character at a time. It also matches the words
// of a request's head: there a character may be an enum whit_class, and operations precede some lists (grammar.h).
extern const uint8_t whit_words[] WHIT_FLASH;    // HTTP's own words; some places in it: WHIT_WORDS_ in whit_limits.h
// paths from offset 0 on without their leading '/', values index whit_resources; then of each generator
extern const uint8_t whit_targets[] WHIT_FLASH;
// value of a path that ends with '/' and goes on with an argument, plus WHIT_TAIL * (index of the argument + 1)
#define WHIT_TAIL 0x1000
// argument names, words of WHIT_ENUM and WHIT_BOOL, and media types, all from their own offset on

enum whit_method { WHIT_GET, WHIT_HEAD, WHIT_POST /* and PUT, with WHIT_HAS_BODY only */ };
// With WHIT_HAS_BODY: media types that the engine itself reads; from the third on with HAS_MULTIPART.
enum whit_media {
    WHIT_MEDIA_MULTIPART,
    WHIT_MEDIA_FORM,
    WHIT_MEDIA_BOUNDARY,
    WHIT_MEDIA_FILENAME,
    WHIT_MEDIA_TYPE,
    WHIT_MEDIA_DISPOSITION,
    WHIT_MEDIA_NAME,
    // with WHIT_HAS_CHARSETS
    WHIT_MEDIA_CHARSET /* another charset than the following ones, in the order of enum xml_charset */,
    WHIT_MEDIA_UTF_8,
    WHIT_MEDIA_ISO_8859_1,
    WHIT_MEDIA_US_ASCII,
};

// Run once by whit_init(): the init handlers of all generators, in the order of their URLs.
void whit_application_init(void);

#endif
