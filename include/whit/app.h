// SPDX-License-Identifier: MIT
// What a web application may call. An application's C file that carries a <generator> element in a comment is a
// resource; its handlers run one at a time, to their end or, as protothreads, to where they must wait.
#ifndef WHIT_APP_H
#define WHIT_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/port.h"
#include "whit/public.h"
#include "whit_persistent.h"

#ifdef __cplusplus
extern "C" {
#endif

// Write the response's content. Text is plain octets: what goes into HTML or JSON is escaped by the caller.
WHIT_PUBLIC void out_c(char octet);
WHIT_PUBLIC void out_str(const char *text);    // up to its NUL
WHIT_PUBLIC void out_mem(const void *octets, uint16_t len);
WHIT_PUBLIC void out_uint(uint32_t number);      // decimal
WHIT_PUBLIC void out_int(int32_t number);        // decimal
WHIT_PUBLIC void out_flash(const char *text);    // up to its NUL, text marked WHIT_FLASH

// The response's status, 200 unless a handler says another one, and up to two field lines of its own:
//     answer_status(303);
//     answer_field("Location", "/form.html");
// Both are constant, so that the compiler writes their octets down; each stands on a line of its own, in the file with
// the <generator> element. A plain doGet, doPost and doPostOut may call them at any time, an initGet before any other
// doGet.
#define answer_status(status) whit_answer(WHIT_STATUS_##status)
#define answer_field(name, value) whit_answer(WHIT_ON_LINE(__LINE__))
#define WHIT_ON_LINE(line) WHIT_ON_LINE_(line)
#define WHIT_ON_LINE_(line) WHIT_FIELD_##line
WHIT_PUBLIC void whit_answer(uint8_t text);

// Writes a JSON string (RFC 8259, section 7) with its quotes: a text up to its NUL, at most `max` octets of it. What is
// no UTF-8 becomes U+FFFD.
WHIT_PUBLIC void out_json(const char *text, uint16_t max);
// The same of a text in persistent memory, octet by octet. What is no UTF-8 stays what it is, in a record that is whole
// only what a handler saved so. PERSISTENT_NAME_JSON(index, field) of whit_persistent.h is easier.
WHIT_PUBLIC void out_json_at(uint16_t address, uint8_t max);

// Of a protothread that runs once for a request (a persistent doGet, a doPost): nothing leaves until it has ended, or
// has written more than its room in the shared buffer. So far it may still choose a status and fields, or refuse by
// returning 0 or PT_UNAVAILABLE. It calls this before it writes.
WHIT_PUBLIC void answer_later(void);

// Persistent memory. For each table [persistent.NAME] of app.toml there is a struct NAME_t and, among others,
//   bool persistent_load_NAME(struct NAME_t *)     what was saved; or false, and its defaults
//   bool persistent_save_NAME(struct NAME_t *)
// as whit_persistent.h tells, which the application compiler writes and which is included here.
//
// These two are for octets without a name: as many as [persistent] size of app.toml says, from address 0 on. Nothing
// checks what they hold. Never-written octets are zero. A write is whole or not there. False: out of range, or the
// medium failed.
WHIT_PUBLIC bool persistent_read(uint16_t address, void *to, uint16_t len);
WHIT_PUBLIC bool persistent_write(uint16_t address, const void *from, uint16_t len);

#ifndef __cplusplus
// What is known to be out of range when the application is compiled is an error there: constant addresses and lengths.
#define WHIT_IS_CONSTANT(number) (sizeof(int) == sizeof(*(1 ? (void *)((intptr_t)(number) * 0) : (int *)1)))
#define WHIT_CONSTANT_OR_0(number) __builtin_choose_expr(WHIT_IS_CONSTANT(number), (uint32_t)(number), 0)
#define WHIT_RAW(function, place, address, to, len)                                                                   \
    ((void)sizeof(struct {                                                                                            \
         _Static_assert(WHIT_CONSTANT_OR_0(address) + WHIT_CONSTANT_OR_0(len) <= WHIT_PERSISTENT_RAW, place #function \
                        ": beyond the octets that app.toml gives; expected a larger [persistent] size");              \
         char none;                                                                                                   \
     }),                                                                                                              \
     (function)(address, to, len))
#define WHIT_TEXT(number) #number
#define WHIT_PLACE(line) __FILE__ ":" WHIT_TEXT(line) ": "
#define persistent_read(address, to, len) WHIT_RAW(persistent_read, WHIT_PLACE(__LINE__), address, to, len)
#define persistent_write(address, from, len) WHIT_RAW(persistent_write, WHIT_PLACE(__LINE__), address, from, len)
#endif

// A content that is fixed at run time, served from then on as a file is: [stored."photo.png"] in app.toml, and its name
// in whit_stored.h (STORED_PHOTO_PNG). A new version is written beside the current one and takes its place as a whole
// when stored_end() says true; what fails or ends earlier, by a power cut too, changes nothing. One write is on its way
// at a time: beginning another one ends it, and its ticket is worth nothing any more. A response that still sends the
// version before the current one is reset by the beginning of a new one.
// a ticket for the next two; 0: no such content
WHIT_PUBLIC uint16_t stored_begin(uint8_t content);
// false: too many, old ticket, or the medium failed; it is over then
WHIT_PUBLIC bool stored_add(uint16_t ticket, const void *octets, uint16_t len);
// true: it is the current version
WHIT_PUBLIC bool stored_end(uint16_t ticket);
// octets of the current version; 0 when there is none
WHIT_PUBLIC uint16_t stored_len(uint8_t content);

// Calls `callback` every `period_ms` milliseconds (grain: 4 ms), for ever. False: the application has no timer left
// (timers in app.toml). Call it from an init handler.
WHIT_PUBLIC bool set_timer(void (*callback)(void), uint16_t period_ms);

// The next octet of the body's part that a doPostIn handler was called for; -1 after its last.
WHIT_PUBLIC int16_t in(void);

// ------------------------------------------------------------------------------------------------ constants

// Constants in program memory, under the names that portable applications use.
#define CONST_VAR(type, name) const type name WHIT_FLASH
#define CONST_UI8(object) whit_flash_u8(&(object))
#define CONST_UI16(object) whit_flash_u16(&(object))
#define CONST_UI32(object) whit_flash_u32(&(object))
#define CONST_ADDR(object) whit_flash_ptr(&(object))
#define CONST_READ_NBYTES(to, from, len) whit_flash_copy(to, from, len)
// Milliseconds since some moment, 32 bits.
#define TIME_MILLIS whit_port_now_ms()

// ------------------------------------------------------------------------------------------------ protothreads

// A handler that says more than the shared buffer holds, or takes in more, is a protothread: a function that is left
// where it must wait and entered there again. Between PT_BEGIN and PT_END it may wait in the PT_ macros; its local
// variables do not survive that, what must goes into struct state_t; no `switch` may stand around one of them.
struct whit_pt {
    uint16_t line;    // where it goes on; 0: at its beginning
    uint16_t done;    // octets of a text that were written before it had to wait
};
#if __has_attribute(fallthrough)
#define PT_FALLS_THROUGH __attribute__((fallthrough))
#else
#define PT_FALLS_THROUGH (void)0    // an older compiler, which does not warn of it either
#endif
#define PT_DONE 1
#define PT_WAITS 2
// what it needs is not there: 503, or a reset where octets have left; only from a thread that runs once
#define PT_UNAVAILABLE 3
#define PT_BEGIN(pt)      \
    switch ((pt)->line) { \
    case 0:
#define PT_END(pt) \
    }              \
    return PT_DONE
#define PT_WAIT_UNTIL(pt, condition) \
    do {                             \
        (pt)->line = __LINE__;       \
        PT_FALLS_THROUGH;            \
    case __LINE__:                   \
        if (!(condition))            \
            return PT_WAITS;         \
    } while (0)

#define PT_OUT_C(pt, octet) PT_WAIT_UNTIL(pt, whit_pt_c(octet))
#define PT_OUT_STR(pt, text) PT_WAIT_UNTIL(pt, whit_pt_str(pt, text))
#define PT_OUT_FLASH(pt, text) PT_WAIT_UNTIL(pt, whit_pt_flash(pt, text))
#define PT_OUT_MEM(pt, octets, len) PT_WAIT_UNTIL(pt, whit_pt_mem(pt, octets, len))
#define PT_OUT_UINT(pt, number) PT_WAIT_UNTIL(pt, whit_pt_uint(number))
#define PT_OUT_INT(pt, number) PT_WAIT_UNTIL(pt, whit_pt_int(number))
#define PT_IN(pt, octet)                       \
    do {                                       \
        PT_WAIT_UNTIL(pt, whit_pt_in_ready()); \
        (octet) = in();                        \
    } while (0)

// What the macros above call. True: written, or there to be read.
WHIT_PUBLIC bool whit_pt_c(char octet);
WHIT_PUBLIC bool whit_pt_str(struct whit_pt *pt, const char *text);
WHIT_PUBLIC bool whit_pt_flash(struct whit_pt *pt, const char *text);
WHIT_PUBLIC bool whit_pt_mem(struct whit_pt *pt, const void *octets, uint16_t len);
WHIT_PUBLIC bool whit_pt_uint(uint32_t number);
WHIT_PUBLIC bool whit_pt_int(int32_t number);
WHIT_PUBLIC bool whit_pt_in_ready(void);

// ------------------------------------------------------------------------------------------------ handlers

// One part of a request's body: a file of a form, or all of a body that is no form.
struct whit_part {
    const char *filename;    // "" when it has none; it may move while the handler waits
    uint8_t content_type;    // index of the matching <content-type>
    uint8_t number;          // 0, 1, ... in the body
};

// Each returns 1, or 0 when it cannot answer: the client then gets 500 and nothing of what was written. How a handler
// writes follows from its parameters; struct args_t comes from the <args> element, struct state_t is the author's own.
//   char init(void)                                      once, when the engine starts
// char initGet(struct args_t *args)                    before doGet runs for the first time for a request; 0 refuses it
//   char doGet(struct args_t *args)                      writes and returns
//   char doGet(struct args_t *args, uint32_t index, uint16_t length)
//                                                        writes the octets [index, index + length); fewer at the end
//   char doGet(struct whit_pt *pt, struct args_t *args[, struct state_t *state])
//                                                        a protothread
//   char doPost(struct args_t *args)                     POST and PUT of application/x-www-form-urlencoded
//   char doPost(struct whit_pt *pt, struct args_t *args, struct state_t *state)
//                                                        the same, as a protothread
//   char doPostIn(uint8_t content_type, uint8_t part, char *filename, void **post_data)
// a part that lies in the shared buffer as a whole; filename may be NULL
//   char doPostIn(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
//                                                        a protothread: parts of any size; state lasts for the request
//   char doPostOut(uint8_t content_type, void *post_data)      the body is complete: writes the answer
//   char doPostOut(uint8_t content_type, struct state_t *state)
// char call(struct args_t *args, struct result_t *result)    a service; either of them is left out where there is none

#ifdef __cplusplus
}
#endif

#endif
