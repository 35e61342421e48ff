// SPDX-License-Identifier: MIT
#include "screen.h"

#include <string.h>

#include "machine.h"

#define COLOUR 0x0700u    // grey on black
#define FIRST_LINE 8u     // first of the rows that move up
#define LINES (SCREEN_ROWS - FIRST_LINE)

static volatile uint16_t *cell(uint8_t row, uint8_t column)
{
    return (volatile uint16_t *)SCREEN + row * SCREEN_COLUMNS + column;
}

static void put(struct row *row, char octet)
{
    if (row->column < SCREEN_COLUMNS)
        *cell(row->number, row->column++) = COLOUR | (uint8_t)octet;
}

void screen_clear(void)
{
    for (struct row row = {0, 0}; row.number < SCREEN_ROWS; row.number++, row.column = 0)
        screen_end(&row);
}

void screen_text(struct row *row, const char *text)
{
    while (*text != '\0')
        put(row, *text++);
}

// Thousands apart.
void screen_number(struct row *row, uint32_t number)
{
    char digits[13];
    uint8_t at = sizeof digits, cnt = 0;
    do {
        if (cnt != 0 && cnt % 3 == 0)
            digits[--at] = ' ';
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
        cnt++;
    } while (number != 0);
    while (at < sizeof digits)
        put(row, digits[at++]);
}

void screen_end(struct row *row)
{
    while (row->column < SCREEN_COLUMNS)
        put(row, ' ');
}

void screen_line(const char *octets, uint16_t len)
{
    static struct row last = {FIRST_LINE - 1, 0};
    if (last.number < SCREEN_ROWS - 1) {
        last.number++;
    } else {
        for (uint16_t i = 0; i < (LINES - 1) * SCREEN_COLUMNS; i++)
            *(cell(FIRST_LINE, 0) + i) = *(cell(FIRST_LINE + 1, 0) + i);
    }
    last.column = 0;
    for (uint16_t i = 0; i < len && octets[i] != '\n'; i++)
        put(&last, octets[i]);
    screen_end(&last);
}
