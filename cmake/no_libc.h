// SPDX-License-Identifier: MIT
// Ahead of each file of an application: what the C library declares, but no device has behind it. A call is an error of the
// compiler at its line (tools/whit/image/c_messages.py tells it). WHIT_IS_DEVICE: this is not a program of an operating system, whose
// heap and formats an application of its own may use.
#ifndef WHIT_NO_LIBC_H
#define WHIT_NO_LIBC_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __clang__    // which knows these functions already
#define NOT_HERE(way_out) __attribute__((unavailable(way_out)))
#else
#define NOT_HERE(way_out) __attribute__((error(way_out)))
#endif
#define NO_OUTPUT NOT_HERE("a server has no standard output; expected out_str(), out_uint() and the others of whit/app.h, which write the response")
#define NO_FORMAT NOT_HERE("a device has no formats; expected out_int() and out_str(), a number with a point as two: out_int(n / 10), out_c('.'), out_uint(n % 10)")
#define NO_HEAP NOT_HERE("a device has no heap; expected a static variable, or a field of struct state_t")
#define NO_END NOT_HERE("a device never ends; expected return 0, which answers 500")

int printf(const char *format, ...) NO_OUTPUT;
int vprintf(const char *format, va_list list) NO_OUTPUT;
int puts(const char *text) NO_OUTPUT;
int putchar(int octet) NO_OUTPUT;
int getchar(void) NOT_HERE("a server has no standard input; expected <args>, which are what the client sends");
int scanf(const char *format, ...) NOT_HERE("a server has no standard input; expected <args>, which are what the client sends");

// As the C library with _FORTIFY_SOURCE calls them.
int __printf_chk(int flag, const char *format, ...) NO_OUTPUT;
int __vprintf_chk(int flag, const char *format, va_list list) NO_OUTPUT;

#if defined(WHIT_IS_DEVICE)
int sprintf(char *to, const char *format, ...) NO_FORMAT;
int snprintf(char *to, size_t len, const char *format, ...) NO_FORMAT;
int vsprintf(char *to, const char *format, va_list list) NO_FORMAT;
int vsnprintf(char *to, size_t len, const char *format, va_list list) NO_FORMAT;
int sscanf(const char *from, const char *format, ...) NOT_HERE("a device has no formats; expected <args>, whose types are read and checked");
void *malloc(size_t len) NO_HEAP;
void *calloc(size_t cnt, size_t len) NO_HEAP;
void *realloc(void *from, size_t len) NO_HEAP;
void free(void *block) NO_HEAP;
char *strdup(const char *text) NO_HEAP;
void exit(int code) NO_END;
void abort(void) NO_END;
#endif

#undef NOT_HERE
#undef NO_OUTPUT
#undef NO_FORMAT
#undef NO_HEAP
#undef NO_END
#endif
