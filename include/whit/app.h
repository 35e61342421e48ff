// SPDX-License-Identifier: MIT
// Functions that a web application may call. A C file of the application with a <generator> element in a comment is a
// resource. Its handlers run one at a time. A plain handler runs to its end; a protothread runs until it must wait.
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

// Write content of the response. They send the bytes as they are: the caller escapes text for HTML or JSON.
WHIT_PUBLIC void out_c(char octet);
WHIT_PUBLIC void out_str(const char *text);    // text: ends with NUL
WHIT_PUBLIC void out_mem(const void *octets, uint16_t len);
WHIT_PUBLIC void out_uint(uint32_t number);      // decimal
WHIT_PUBLIC void out_int(int32_t number);        // decimal
WHIT_PUBLIC void out_flash(const char *text);    // text: marked WHIT_FLASH, ends with NUL

// Set the response's status (200 if no handler sets one) and add up to two field lines:
//     answer_status(303);
//     answer_field("Location", "/form.html");
// Both arguments are constant: the compiler stores them as bytes. Each call is on a line of its own, in the file with
// the <generator> element. A plain doGet, doPost or doPostOut may call them at any time. For a protothread or a doGet
// by index, initGet calls them.
#define answer_status(status) whit_answer(WHIT_STATUS_##status)
#define answer_field(name, value) whit_answer(WHIT_ON_LINE(__LINE__))
#define WHIT_ON_LINE(line) WHIT_ON_LINE_(line)
#define WHIT_ON_LINE_(line) WHIT_FIELD_##line
WHIT_PUBLIC void whit_answer(uint8_t text);

// Writes a JSON string (RFC 8259, section 7) with its quotes. It reads `text` up to its NUL, at most `max` bytes. Bytes
// that are not UTF-8 become U+FFFD.
WHIT_PUBLIC void out_json(const char *text, uint16_t max);
// Writes a JSON string as out_json() does, from a text in persistent memory. It copies bytes that are not UTF-8; a
// complete record contains only what a handler saved. PERSISTENT_NAME_JSON(index, field) of whit_persistent.h is easier
// to use.
WHIT_PUBLIC void out_json_at(uint16_t address, uint8_t max);

// Keeps the output of a protothread that runs once for a request (a persistent doGet, a doPost). Nothing is sent until
// the protothread ends, or writes more than its room in the shared buffer. Until then it may choose a status and
// fields, or refuse the request: it returns 0 (500) or PT_UNAVAILABLE (503). Call it before the first output.
WHIT_PUBLIC void answer_later(void);

// Persistent memory. Each table [persistent.NAME] of app.toml becomes a struct NAME_t with these functions and others:
//   bool persistent_load_NAME(struct NAME_t *)     loads the saved values; or the defaults, and returns false
//   bool persistent_save_NAME(struct NAME_t *)     saves them; false: not saved
// The application compiler writes them to whit_persistent.h, which this file includes.
//
// The two functions below read and write bytes without a name. [persistent] size of app.toml is their number; addresses
// begin at 0. Their values are not checked. Bytes that were never written are zero. A write takes effect as a whole or
// not at all. False: out of range, or the medium failed.
WHIT_PUBLIC bool persistent_read(uint16_t address, void *to, uint16_t len);
WHIT_PUBLIC bool persistent_write(uint16_t address, const void *from, uint16_t len);

#ifndef __cplusplus
// Constant addresses and lengths that are out of range are errors when the application is compiled.
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

// Content that the application replaces at run time; the server answers it like a file. [stored."photo.png"] in
// app.toml declares it, whit_stored.h defines its number (STORED_PHOTO_PNG). A new version is written beside the
// current one. It replaces the current version when stored_end() returns true. A write that fails, or that a power cut
// ends, changes nothing. Only one write is active: another stored_begin() ends it and makes its ticket invalid.
// stored_begin() resets responses that still send the version before the current one.
//
// Returns a ticket for stored_add() and stored_end(); 0: no such content.
WHIT_PUBLIC uint16_t stored_begin(uint8_t content);
// Appends `len` bytes. False: too many bytes, invalid ticket, or the medium failed; the write has ended then.
WHIT_PUBLIC bool stored_add(uint16_t ticket, const void *octets, uint16_t len);
// Ends the write. True: the new version is the current one.
WHIT_PUBLIC bool stored_end(uint16_t ticket);
// Returns the length of the current version in bytes; 0: no version.
WHIT_PUBLIC uint16_t stored_len(uint8_t content);

// Calls `callback` every `period_ms` milliseconds (resolution: 4 ms). It never stops. False: the application has no
// timer left (timers in app.toml). Call it from an init handler.
WHIT_PUBLIC bool set_timer(void (*callback)(void), uint16_t period_ms);

// Returns the next byte of the part that the doPostIn handler reads; -1 after the last byte.
WHIT_PUBLIC int16_t in(void);

// ------------------------------------------------------------------------------------------------ constants

// Constants in program memory: names that portable applications use.
#define CONST_VAR(type, name) const type name WHIT_FLASH
#define CONST_UI8(object) whit_flash_u8(&(object))
#define CONST_UI16(object) whit_flash_u16(&(object))
#define CONST_UI32(object) whit_flash_u32(&(object))
#define CONST_ADDR(object) whit_flash_ptr(&(object))
#define CONST_READ_NBYTES(to, from, len) whit_flash_copy(to, from, len)
// Milliseconds since an arbitrary moment, modulo 2^32.
#define TIME_MILLIS whit_port_now_ms()

// ------------------------------------------------------------------------------------------------ protothreads

// A handler is a protothread if it writes or reads more than the shared buffer holds. The engine calls it again after
// each wait, and it continues where it waited. It waits only in the PT_ macros, between PT_BEGIN and PT_END. Local
// variables are lost at a wait; struct state_t keeps its values. Do not put a `switch` around a PT_ macro.
struct whit_pt {
    uint16_t line;    // line to continue at; 0: the beginning
    uint16_t done;    // bytes of a text that were written before the wait
};
#if __has_attribute(fallthrough)
#define PT_FALLS_THROUGH __attribute__((fallthrough))
#else
#define PT_FALLS_THROUGH (void)0    // older compilers do not warn either
#endif
#define PT_DONE 1
#define PT_WAITS 2
// A resource is missing: 503, or a reset if bytes were sent already. Only for protothreads that run once.
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

// Functions that the macros above call. True: written, or a byte can be read. False: call again later.
WHIT_PUBLIC bool whit_pt_c(char octet);
WHIT_PUBLIC bool whit_pt_str(struct whit_pt *pt, const char *text);
WHIT_PUBLIC bool whit_pt_flash(struct whit_pt *pt, const char *text);
WHIT_PUBLIC bool whit_pt_mem(struct whit_pt *pt, const void *octets, uint16_t len);
WHIT_PUBLIC bool whit_pt_uint(uint32_t number);
WHIT_PUBLIC bool whit_pt_int(int32_t number);
WHIT_PUBLIC bool whit_pt_in_ready(void);

// ------------------------------------------------------------------------------------------------ handlers

// One part of a request's body: a file of a form, or the whole body if it is not a form.
struct whit_part {
    const char *filename;    // "": no name. The pointer may change while the handler waits.
    uint8_t content_type;    // index of the matching <content-type>
    uint8_t number;          // position in the body: 0, 1, ...
};

// Handlers return 1 on success. If a handler returns 0, the client gets 500 and none of the output. The parameters
// select the kind of the handler. The <args> element defines struct args_t; the author defines struct state_t.
//   char init(void)                                      once, when the engine starts
//   char initGet(struct args_t *args)                    before the first doGet of a request; 0 refuses the request
//   char doGet(struct args_t *args)                      writes the content and returns
//   char doGet(struct args_t *args, uint32_t index, uint16_t length)
//                                                        writes bytes [index, index + length); fewer: the end
//   char doGet(struct whit_pt *pt, struct args_t *args[, struct state_t *state])
//                                                        a protothread
//   char doPost(struct args_t *args)                     POST and PUT of application/x-www-form-urlencoded
//   char doPost(struct whit_pt *pt, struct args_t *args, struct state_t *state)
//                                                        the same, as a protothread
//   char doPostIn(uint8_t content_type, uint8_t part, char *filename, void **post_data)
//                                                        a part that fits the shared buffer; filename may be NULL
//   char doPostIn(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
//                                                        a protothread: parts of any size; state lasts for the request
//   char doPostOut(uint8_t content_type, void *post_data)
//                                                        after the last part: writes the response
//   char doPostOut(uint8_t content_type, struct state_t *state)
//                                                        the same, after a protothread
//   char call(struct args_t *args, struct result_t *result)
//                                                        a service; leave out the one it does not have

#ifdef __cplusplus
}
#endif

#endif
