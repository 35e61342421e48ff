// SPDX-License-Identifier: MIT
// Decimal numbers: from integers and from text, and which of two is greater.
#include <string.h>

#include "number.h"

// Takes away zeros at both ends.
static void trim(struct number *number)
{
    uint8_t zeros = 0;
    while (zeros < number->cnt && number->digits[zeros] == '0')
        zeros++;
    number->cnt = (uint8_t)(number->cnt - zeros);
    number->point = (int16_t)(number->point - zeros);
    memmove(number->digits, number->digits + zeros, number->cnt);
    while (number->cnt != 0 && number->digits[number->cnt - 1] == '0')
        number->cnt--;
    if (number->cnt == 0)
        number->minus = false;
}

void number_of_int(struct number *number, uint64_t amount, bool minus)
{
    char reversed[20];
    uint8_t cnt = 0;
    for (; amount != 0; amount /= 10)
        reversed[cnt++] = (char)('0' + amount % 10);
    number->minus = minus;
    number->cnt = cnt;
    number->point = cnt;
    for (uint8_t i = 0; i < cnt; i++)
        number->digits[i] = reversed[cnt - 1 - i];
    trim(number);
}

// A sign, digits, and perhaps a point and digits behind it. Zeros in front, as many as ZEROFILL wants, take no room.
bool number_of_text(struct number *number, const char *text, uint16_t len)
{
    uint16_t at = 0;
    bool point = false;
    *number = (struct number){.minus = len != 0 && text[0] == '-'};
    at = number->minus;
    if (at == len || text[at] == '.' || text[len - 1] == '.')
        return false;
    for (; at < len; at++) {
        if (text[at] == '.' && !point) {
            point = true;
            continue;
        }
        if (text[at] < '0' || text[at] > '9' || number->cnt == NUMBER_DIGITS)
            return false;
        bool leads = text[at] == '0' && number->cnt == 0;
        if (!leads)
            number->digits[number->cnt++] = text[at];
        number->point = (int16_t)(number->point + (!leads && !point) - (leads && point));
    }
    trim(number);
    return true;
}

int8_t number_order(const struct number *a, const struct number *b)
{
    if (a->minus != b->minus)
        return a->minus ? -1 : 1;
    int8_t more = a->minus ? -1 : 1;
    if (a->cnt == 0 || b->cnt == 0)
        return a->cnt == b->cnt ? 0 : a->cnt != 0 ? more : (int8_t)-more;
    if (a->point != b->point)
        return a->point > b->point ? more : (int8_t)-more;
    int differs = memcmp(a->digits, b->digits, a->cnt < b->cnt ? a->cnt : b->cnt);
    if (differs == 0)
        differs = a->cnt - b->cnt;
    return differs == 0 ? 0 : differs > 0 ? more : (int8_t)-more;
}
