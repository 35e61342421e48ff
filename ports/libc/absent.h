// SPDX-License-Identifier: MIT
// Replacements for functions of the C library that a server or a device does not have: the compiler prints one at the
// line of a call. For files of an application, the headers beside this one replace the library's. The application may
// use the names of headers that it does not include.
#ifndef WHIT_LIBC_ABSENT_H
#define WHIT_LIBC_ABSENT_H

#ifdef __clang__    // clang knows some of these functions already
#define WHIT_ABSENT(way_out) __attribute__((unavailable(way_out)))
#else
#define WHIT_ABSENT(way_out) __attribute__((error(way_out)))
#endif

// A program of an operating system has files, a heap and formats.
#if defined(WHIT_IS_DEVICE) || !defined(__unix__)
#define WHIT_LIBC_OF_DEVICE 1
#else
#define WHIT_LIBC_OF_DEVICE 0
#endif

#define WHIT_NO_OUTPUT                                                                                                 \
    WHIT_ABSENT("a server has no standard output; expected out_str(), out_uint() and the others of whit/app.h, which " \
                "write the response")
#define WHIT_NO_INPUT WHIT_ABSENT("a server has no standard input; expected <args>, which are what the client sends")
#define WHIT_NO_FILE                                                                                                 \
    WHIT_ABSENT("a device has no files; expected out_str() and the others of whit/app.h, which write the response, " \
                "or a table [persistent.NAME]")
#define WHIT_NO_FORMAT                                                                                                \
    WHIT_ABSENT("a device has no formats; expected out_int() and out_str(), a number with a point as two: out_int(n " \
                "/ 10), out_c('.'), out_uint(n % 10)")
#define WHIT_NO_SCAN WHIT_ABSENT("a device has no formats; expected <args>, whose types are read and checked")
#define WHIT_NO_HEAP WHIT_ABSENT("a device has no heap; expected a static variable, or a field of struct state_t")
#define WHIT_NO_END WHIT_ABSENT("a device never ends; expected return 0, which answers 500")
#define WHIT_NO_SYSTEM WHIT_ABSENT("a device has no operating system; expected a function of yours for its hardware")
#define WHIT_NO_SLEEP \
    WHIT_ABSENT("a device serves nobody while a handler waits; expected set_timer(), or answer_later()")

#endif
