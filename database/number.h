// SPDX-License-Identifier: MIT
// Numbers of a database's columns in decimal, each exactly as the server shows it: compared by page_row.c, and written.
#ifndef DATABASE_NUMBER_H
#define DATABASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#define NUMBER_DIGITS 81    // longest DECIMAL here; MariaDB's have at most 65 digits
#define REAL_DIGITS 17      // digits of a double, in the shortest form that reads back as it

// 0.DIGITS times ten to the power of `point`. No zero at either end of the digits, which are '0' to '9'; none: the
// number is 0.
struct number {
    bool minus;
    uint8_t cnt;
    int16_t point;
    char digits[NUMBER_DIGITS];
};

void number_of_int(struct number *number, uint64_t amount, bool minus);
// false: it is no decimal number, or too long
bool number_of_text(struct number *number, const char *text, uint16_t len);
// real_digits.c; false: infinite, or none
bool number_of_real(struct number *number, uint64_t bits, uint8_t most, uint8_t decimals);
int8_t number_order(const struct number *a, const struct number *b);    // -1, 0, 1: a is less, the same, greater

#endif
