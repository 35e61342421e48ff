// SPDX-License-Identifier: MIT
// The screen: rows of text at fixed places, and rows that move up.
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#define SCREEN_COLUMNS 80
#define SCREEN_ROWS 25

// A row that is being written, up to its end.
struct row {
    uint8_t number, column;
};

void screen_clear(void);
void screen_text(struct row *row, const char *text);
void screen_number(struct row *row, uint32_t number);
void screen_end(struct row *row);    // the rest of the row is blank
// Writes below the fixed rows, after earlier lines; a line feed ends it.
void screen_line(const char *octets, uint16_t len);

#endif
