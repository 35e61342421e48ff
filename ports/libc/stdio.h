// SPDX-License-Identifier: MIT
#ifndef WHIT_LIBC_STDIO_H
#define WHIT_LIBC_STDIO_H

// glibc's inline functions would be put in the place of a call before it can be an error.
#if __has_include(<features.h>)
#include <features.h>
#undef __USE_EXTERN_INLINES
#endif

#include_next <stdio.h>

#include <stdarg.h>
#include <stddef.h>

#include "absent.h"

// Some libraries have macros of these names.
#undef printf
#undef vprintf
#undef puts
#undef putchar
#undef getchar
#undef scanf

int printf(const char *format, ...) WHIT_NO_OUTPUT;
int vprintf(const char *format, va_list list) WHIT_NO_OUTPUT;
int puts(const char *text) WHIT_NO_OUTPUT;
int putchar(int octet) WHIT_NO_OUTPUT;
int getchar(void) WHIT_NO_INPUT;
int scanf(const char *format, ...) WHIT_NO_INPUT;

// glibc with _FORTIFY_SOURCE calls these.
int __printf_chk(int flag, const char *format, ...) WHIT_NO_OUTPUT;
int __vprintf_chk(int flag, const char *format, va_list list) WHIT_NO_OUTPUT;

#if WHIT_LIBC_OF_DEVICE
#undef fprintf
#undef vfprintf
#undef fputs
#undef fputc
#undef putc
#undef fwrite
#undef fgets
#undef fgetc
#undef getc
#undef fread
#undef fscanf
#undef fopen
#undef fclose
#undef fflush
#undef perror
#undef sprintf
#undef snprintf
#undef vsprintf
#undef vsnprintf
#undef sscanf

int fprintf(FILE *file, const char *format, ...) WHIT_NO_FILE;
int vfprintf(FILE *file, const char *format, va_list list) WHIT_NO_FILE;
int fputs(const char *text, FILE *file) WHIT_NO_FILE;
int fputc(int octet, FILE *file) WHIT_NO_FILE;
int putc(int octet, FILE *file) WHIT_NO_FILE;
size_t fwrite(const void *from, size_t len, size_t cnt, FILE *file) WHIT_NO_FILE;
char *fgets(char *to, int len, FILE *file) WHIT_NO_FILE;
int fgetc(FILE *file) WHIT_NO_FILE;
int getc(FILE *file) WHIT_NO_FILE;
size_t fread(void *to, size_t len, size_t cnt, FILE *file) WHIT_NO_FILE;
int fscanf(FILE *file, const char *format, ...) WHIT_NO_FILE;
FILE *fopen(const char *path, const char *mode) WHIT_NO_FILE;
int fclose(FILE *file) WHIT_NO_FILE;
int fflush(FILE *file) WHIT_NO_FILE;
void perror(const char *text) WHIT_NO_FILE;
int sprintf(char *to, const char *format, ...) WHIT_NO_FORMAT;
int snprintf(char *to, size_t len, const char *format, ...) WHIT_NO_FORMAT;
int vsprintf(char *to, const char *format, va_list list) WHIT_NO_FORMAT;
int vsnprintf(char *to, size_t len, const char *format, va_list list) WHIT_NO_FORMAT;
int sscanf(const char *from, const char *format, ...) WHIT_NO_SCAN;

int __fprintf_chk(FILE *file, int flag, const char *format, ...) WHIT_NO_FILE;
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list) WHIT_NO_FILE;
#endif

#endif
