// SPDX-License-Identifier: MIT
// What a generator writes. Only the octets that are wanted now are kept; all are counted.
#include "inner.h"
#include "whit/app.h"

struct whit_out *whit_out;

void out_c(char octet)
{
    struct whit_out *out = whit_out;
    uint16_t at = (uint16_t)(out->len - out->from);    // wraps below `from`, and is not below `room` then
    if (at < out->room)
        out->to[at] = (uint8_t)octet;
    out->hash = (uint16_t)((uint16_t)(out->hash * 31u) + (uint8_t)octet);
    if (out->len != 0xffff)
        out->len++;
}

void out_mem(const void *octets, uint16_t len)
{
    const char *from = octets;
    while (len-- != 0)
        out_c(*from++);
}

void out_str(const char *text)
{
    while (*text != 0)
        out_c(*text++);
}

void out_flash(const char *text)
{
    char octet;
    while ((octet = (char)whit_flash_u8((const uint8_t *)text++)) != 0)
        out_c(octet);
}

void out_uint(uint32_t number)
{
    char reversed[10];
    uint8_t cnt = 0;
    do {
        reversed[cnt++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (cnt != 0)
        out_c(reversed[--cnt]);
}

void out_int(int32_t number)
{
    if (number < 0)
        out_c('-');
    out_uint(number < 0 ? UINT32_C(0) - (uint32_t)number : (uint32_t)number);
}

bool persistent_read(uint16_t address, void *to, uint16_t len)
{
    return whit_port_persistent_read(address, to, len);
}

bool persistent_write(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}
