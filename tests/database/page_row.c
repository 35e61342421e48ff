// SPDX-License-Identifier: MIT
// Writes one column at a time, as a page does; test_page_row.py sends the columns and reads the result.
#include <stdio.h>
#include <string.h>

#include "whit/port.h"
#include "whit/row.h"

struct query_value page_value;
char page_text[400];
uint16_t page_len;

bool query_column(const struct whit_query *query, uint8_t column, struct query_value *to)
{
    (void)query;
    *to = page_value;
    return column == 0;
}

bool whit_pt_c(char octet)
{
    page_text[page_len++] = octet;
    return true;
}

bool whit_pt_mem(struct whit_pt *pt, const void *octets, uint16_t len)
{
    (void)pt;
    memcpy(page_text, octets, len);
    page_len = len;
    return true;
}

bool whit_pt_escaped_mem(struct whit_pt *pt, const void *octets, uint16_t len, enum whit_escape escape)
{
    (void)pt, (void)escape;
    page_len = (uint16_t)snprintf(page_text, sizeof page_text, "escaped%.*s", (int)len, (const char *)octets);
    return true;
}

bool whit_pt_number(int64_t number)
{
    page_len = (uint16_t)snprintf(page_text, sizeof page_text, "number %lld", (long long)number);
    return true;
}

void page_is(int type, unsigned long long number, double real, const char *text, unsigned len)
{
    page_value = (struct query_value){.type = (enum query_type)type, .len = (uint16_t)len};
    page_value.digits = QUERY_ANY_DIGITS;
    if (type == QUERY_REAL)
        page_value.real = real;
    else if (type == QUERY_TEXT)
        page_value.text = text;
    else
        page_value.unsigned_integer = number;
}

const char *page_written(bool json)
{
    page_len = 0;
    struct whit_pt pt = {0};
    whit_pt_column(&pt, NULL, 0, json ? WHIT_ESCAPE_JSON : WHIT_ESCAPE_HTML);
    page_text[page_len] = 0;
    return page_text;
}

const char *page_real(double real, unsigned digits, bool is_single, unsigned width)
{
    page_value = (struct query_value){
        .type = QUERY_REAL, .real = real, .digits = (uint8_t)digits, .is_single = is_single, .width = (uint8_t)width};
    return page_written(false);
}

const char *page_int_text(unsigned long long number, bool minus, unsigned width, bool json)
{
    page_value = (struct query_value){
        .type = minus ? QUERY_INT : QUERY_UINT, .unsigned_integer = number, .width = (uint8_t)width};
    return page_written(json);
}

const char *page_decimal(const char *text, unsigned len, bool json)
{
    page_value = (struct query_value){.type = QUERY_TEXT, .text = text, .len = (uint16_t)len, .is_decimal = true};
    return page_written(json);
}

unsigned page_chars(const char *text, unsigned len)
{
    page_value = (struct query_value){.type = QUERY_TEXT, .text = text, .len = (uint16_t)len};
    return whit_column_chars(NULL, 0);
}

long long page_int(double real)
{
    page_value = (struct query_value){.type = QUERY_REAL, .real = real};
    return whit_column_int(NULL, 0);
}

long long page_int_of_text(const char *text, unsigned len)
{
    page_value = (struct query_value){.type = QUERY_TEXT, .text = text, .len = (uint16_t)len};
    return whit_column_int(NULL, 0);
}
