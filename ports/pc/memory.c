// SPDX-License-Identifier: MIT
// The functions of <string.h> that the engine, applications and the compiler call; there is no C library. The
// processor's own string instructions are fast on all models of the last twenty years.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
    void *at = to;
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(len) : : "memory");
    return to;
}

void *memset(void *to, int octet, size_t len)
{
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(len) : "a"(octet) : "memory");
    return to;
}

void *memmove(void *to, const void *from, size_t len)
{
    if ((uintptr_t)to - (uintptr_t)from >= len)
        return memcpy(to, from, len);
    uint8_t *last_to = (uint8_t *)to + len - 1;
    const uint8_t *last_from = (const uint8_t *)from + len - 1;
    __asm__ volatile("std\nrep movsb\ncld" : "+D"(last_to), "+S"(last_from), "+c"(len) : : "memory");
    return to;
}

int memcmp(const void *one, const void *other, size_t len)
{
    const uint8_t *a = one, *b = other;
    for (; len != 0; len--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}

void *memchr(const void *in, int octet, size_t len)
{
    for (const uint8_t *at = in; len != 0; len--, at++)
        if (*at == (uint8_t)octet)
            return (void *)(uintptr_t)at;
    return NULL;
}

size_t strlen(const char *text)
{
    size_t len = 0;
    while (text[len] != '\0')
        len++;
    return len;
}

int strncmp(const char *one, const char *other, size_t len)
{
    for (; len != 0; len--, one++, other++)
        if (*one != *other || *one == '\0')
            return (uint8_t)*one - (uint8_t)*other;
    return 0;
}

int strcmp(const char *one, const char *other)
{
    return strncmp(one, other, SIZE_MAX);
}

char *strcpy(char *restrict to, const char *restrict from)
{
    memcpy(to, from, strlen(from) + 1);
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t len)
{
    size_t at = 0;
    for (; at < len && from[at] != '\0'; at++)
        to[at] = from[at];
    memset(to + at, 0, len - at);
    return to;
}

char *strchr(const char *text, int octet)
{
    for (;; text++) {
        if (*text == (char)octet)
            return (char *)(uintptr_t)text;
        if (*text == '\0')
            return NULL;
    }
}
