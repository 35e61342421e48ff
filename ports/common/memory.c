// SPDX-License-Identifier: MIT
// The functions of <string.h> that the engine and the compiler call, for devices whose C library unrolls them.
// Unrolled, they take several hundred octets of flash for at most a few dozen octets of data.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    while (len-- != 0)
        *out++ = *in++;
    return to;
}

void *memset(void *to, int octet, size_t len)
{
    uint8_t *out = to;
    while (len-- != 0)
        *out++ = (uint8_t)octet;
    return to;
}

void *memmove(void *to, const void *from, size_t len)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    if (out <= in)
        return memcpy(to, from, len);    // octet by octet, upwards
    while (len-- != 0)
        out[len] = in[len];
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

size_t strlen(const char *text)
{
    size_t len = 0;
    while (text[len] != 0)
        len++;
    return len;
}

int strcmp(const char *one, const char *other)
{
    for (; *one != 0 && *one == *other; one++)
        other++;
    return (uint8_t)*one - (uint8_t)*other;
}

int strncmp(const char *one, const char *other, size_t len)
{
    for (; len != 0; len--, one++, other++)
        if (*one == 0 || *one != *other)
            return (uint8_t)*one - (uint8_t)*other;
    return 0;
}

char *strchr(const char *text, int octet)
{
    for (; *text != (char)octet; text++)
        if (*text == 0)
            return NULL;
    return (char *)text;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    char *out = to;
    while ((*out++ = *from++) != 0) {
    }
    return to;
}
