// SPDX-License-Identifier: MIT
// What a service answers: its result, or a fault, as JSON (RFC 8259); to a form as lines of text. Both are written from the
// table of its values, in one walk without recursion.
#include <string.h>

#include "content.h"
#include "out.h"
#include "strategies.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/texts.h"
#include "whit/app.h"
#include "whit/port.h"
#include "whit/service.h"

static bool text_wanted;          // lines of text
static const char *why_failed;    // of fault(), in flash; NULL: it was not called
#define AS_TEXT (WHIT_HAS_FORM_CALLS && text_wanted)

void service_open(bool by_form)
{
    text_wanted = by_form;
}

char whit_fault(const char *why)
{
    why_failed = why;
    return 0;
}

// ------------------------------------------------------------------------------------------------ single values

static void say(const char *octets)
{
    out_flash(octets);
}
#define SAY(octets)                                             \
    do {                                                        \
        static const char whit_text_here[] WHIT_FLASH = octets; \
        say(whit_text_here);                                    \
    } while (0)

// A character of a JSON string (section 7).
static void say_character(uint8_t c)
{
    if (c < ' ') {
        SAY("\\u00");
        out_c((char)('0' + (c >> 4)));
        c &= 0xf;
        c = (uint8_t)(c < 10 ? '0' + c : 'a' - 10 + c);
    } else if (c == '"' || c == '\\') {
        out_c('\\');
    }
    out_c((char)c);
}

void out_json(const char *string, uint16_t max)
{
    const uint8_t *from = (const uint8_t *)string;
    uint8_t len;
    out_c('"');
    for (; max != 0 && *from != 0; from += len, max = (uint16_t)(max - len)) {
        len = utf8_len(from, max);
        if (len == 1)
            say_character(*from);
        else if (len != 0)
            out_mem(from, len);
        else {
            SAY("\xef\xbf\xbd");    // U+FFFD, as strings of JSON are UTF-8
            len = 1;
        }
    }
    out_c('"');
}

static void say_string(const char *string, uint16_t max)
{
    if (!AS_TEXT) {
        out_json(string, max);
        return;
    }
    for (; max != 0 && *string != 0; max--)
        out_c(*string++);
}

static void say_number(uint32_t number, uint8_t scale)
{
    char reversed[12];
    uint8_t cnt = 0;
    do {
        if (WHIT_HAS_SCALE && cnt == scale && cnt != 0)
            reversed[cnt++] = '.';
        reversed[cnt++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0 || (WHIT_HAS_SCALE && scale != 0 && cnt <= scale + 1));
    while (cnt != 0)
        out_c(reversed[--cnt]);
}

static void say_integer(const uint8_t *at, uint8_t type, uint8_t size, uint8_t scale)
{
    int32_t number = (int8_t)*at;
    if (size == 2) {
        int16_t as16;
        memcpy(&as16, at, sizeof as16);
        number = as16;
    } else if (size == 4) {
        memcpy(&number, at, sizeof number);
    }
    if (type <= WHIT_UINT32) {
        say_number((uint32_t)number & UINT32_C(0xffffffff) >> (32 - 8 * size), scale);
        return;
    }
    if (number < 0)
        out_c('-');
    say_number(number < 0 ? UINT32_C(0) - (uint32_t)number : (uint32_t)number, scale);
}

static void say_quote(void)
{
    if (!AS_TEXT)
        out_c('"');
}

// A word, or null where there is no such one.
static void say_word(const char *words, uint8_t word_cnt, uint8_t word)
{
    if (word >= word_cnt) {
        SAY("null");
        return;
    }
    for (; word != 0; words++)
        word = (uint8_t)(word - (whit_flash_u8((const uint8_t *)words) == 0));
    say_quote();
    say(words);
    say_quote();
}

static void say_base64(const uint8_t *at, uint8_t size)
{
    uint8_t left = *at < size ? *at : size;
    say_quote();
    for (at++; left != 0;) {
        char four[4];
        uint8_t now = left < 3 ? left : 3;
        base64_write(four, at, now);
        out_mem(four, sizeof four);
        at += now;
        left = (uint8_t)(left - now);
    }
    say_quote();
}

static void say_time(const uint8_t *at)
{
    char octets[TIME_LEN];
    uint32_t unix_s;
    memcpy(&unix_s, at, sizeof unix_s);
    time_write(octets, unix_s);
    say_quote();
    out_mem(octets, sizeof octets);
    say_quote();
}

static void say_value(const struct whit_value *value, const uint8_t *at)
{
    uint8_t type = whit_flash_u8(&value->type), size = whit_flash_u8(&value->size), scale = whit_flash_u8(&value->scale);
    if (WHIT_HAS_TEXTS && type == WHIT_STR)
        say_string((const char *)at, size);
    else if (WHIT_HAS_WORDS && type == WHIT_ENUM)
        say_word(whit_flash_ptr(&value->more), scale, *at);
    else if (WHIT_HAS_TIMES && type == WHIT_TIME)
        say_time(at);
    else if (WHIT_HAS_BASE64 && type == WHIT_BASE64)
        say_base64(at, size);
    else if (type != WHIT_BOOL)
        say_integer(at, type, size, scale);
    else if (*at != 0)
        SAY("true");
    else
        SAY("false");
}

// ------------------------------------------------------------------------------------------------ a result

// A struct that is being written: its next value, and of that the next element.
struct level {
    const struct whit_value *value;
    const uint8_t *base;
    uint8_t left;       // values, this one included
    uint8_t element;
    bool first;         // no value stands before this one
};

static void level_enter(struct level *l, const struct whit_value *values, uint8_t value_cnt, const void *base)
{
    *l = (struct level){values, base, value_cnt, 0, true};
    if (!AS_TEXT)
        out_c('{');
}

static uint8_t element_cnt(const struct level *l)
{
    uint8_t most = whit_flash_u8(&l->value->count);
    uint16_t at = whit_flash_u16(&l->value->cnt_offset);
    if (most == 0)
        return 1;
    uint8_t cnt = at == WHIT_ALL ? most : l->base[at];
    return cnt < most ? cnt : most;
}

static void say_indent(uint8_t depth)
{
    while (depth-- != 0)
        SAY("  ");
}

// Without arrays and records.
static void write_flat(const struct whit_value *values, uint8_t value_cnt, const uint8_t *result)
{
    char before = '{';
    for (; value_cnt != 0; value_cnt--, values++) {
        if (!AS_TEXT) {
            out_c(before);
            out_c('"');
        }
        before = ',';
        say(whit_flash_ptr(&values->name));
        if (!AS_TEXT)
            out_c('"');
        out_c(':');
        if (AS_TEXT)
            out_c(' ');
        say_value(values, result + whit_flash_u16(&values->offset));
        if (AS_TEXT)
            out_c('\n');
    }
    if (AS_TEXT)
        return;
    if (before == '{')
        out_c('{');
    out_c('}');
}

// What stands before an element: of the first one the value's name.
static void say_before(const struct level *l, uint8_t depth, bool array, bool record)
{
    const char *name = whit_flash_ptr(&l->value->name);
    if (AS_TEXT) {
        say_indent(depth);
        say(name);
        out_c(':');
        out_c(record ? '\n' : ' ');
        return;
    }
    if (l->element != 0 || !l->first)
        out_c(',');
    if (l->element != 0)
        return;
    out_c('"');
    say(name);
    SAY("\":");
    if (array)
        out_c('[');
}

static void write_result(const struct whit_value *values, uint8_t value_cnt, const void *result)
{
    struct level levels[WHIT_RECORDS_MAX], *l = levels;
    if (!WHIT_HAS_NESTED) {
        write_flat(values, value_cnt, result);
        return;
    }
    level_enter(l, values, value_cnt, result);
    for (;;) {
        if (l->left == 0) {
            if (!AS_TEXT)
                out_c('}');
            if (l == levels)
                return;
            l--;
            continue;
        }
        uint8_t cnt = element_cnt(l), type = whit_flash_u8(&l->value->type);
        bool array = whit_flash_u8(&l->value->count) != 0, record = type == WHIT_RECORD;
        uint8_t depth = (uint8_t)(l - levels);
        if (l->element < cnt || (l->element == 0 && !AS_TEXT))
            say_before(l, depth, array, record && l->element < cnt);
        if (l->element < cnt) {
            const uint8_t *at = l->base + whit_flash_u16(&l->value->offset) + (uint16_t)(l->element * whit_flash_u8(&l->value->size));
            l->element++;
            if (record) {
                level_enter(l + 1, whit_flash_ptr(&l->value->more), whit_flash_u8(&l->value->scale), at);
                l++;
                continue;
            }
            say_value(l->value, at);
            if (AS_TEXT)
                out_c('\n');
            if (l->element < cnt)
                continue;
        }
        if (array && !AS_TEXT)
            out_c(']');
        l->value++;
        l->left--;
        l->element = 0;
        l->first = false;
    }
}

// ------------------------------------------------------------------------------------------------ a fault

// {"fault":{"code":"Sender","argument":"unit","reason":"missing: unit: expected c or f"}}
static void write_fault(bool sender, const char *expected, const char *before, const char *why)
{
    if (AS_TEXT) {
        SAY("fault: ");
    } else {
        SAY("{\"fault\":{\"code\":\"");
        if (sender)
            SAY("Sender");
        else
            SAY("Receiver");
        if (expected != NULL) {
            uint8_t c;
            SAY("\",\"argument\":\"");
            for (const uint8_t *at = (const uint8_t *)expected; (c = whit_flash_u8(at)) != ':'; at++)
                out_c((char)c);
        }
        SAY("\",\"reason\":\"");
    }
    say(before);
    uint8_t c;
    for (const uint8_t *at = (const uint8_t *)why; (c = whit_flash_u8(at)) != 0; at++)
        if (AS_TEXT)
            out_c((char)c);
        else
            say_character(c);
    if (AS_TEXT)
        out_c('\n');
    else
        SAY("\"}}");
}

static const char no_words[] WHIT_FLASH = "";

bool whit_service_refuses(const struct whit_service *service, const struct args_t *args)
{
    static const char twice[] WHIT_FLASH = "given twice: ", missing[] WHIT_FLASH = "missing: ";
    static const char body[] WHIT_FLASH = "expected one JSON object of single values";
    uint8_t wrong = args != NULL ? *(const uint8_t *)args : 0, index = wrong & WHIT_WRONG_INDEX;
    why_failed = NULL;
    if (wrong == 0)
        return false;
    answer_status_else(whit_flash_u8(&service->status_400));
    if (wrong == WHIT_WRONG_BODY) {
        write_fault(true, NULL, no_words, body);
        return true;
    }
    const char *const *all = whit_flash_ptr(&service->expected), *expected = whit_flash_ptr(&all[index - 1]);
    uint8_t kind = wrong & (uint8_t)~WHIT_WRONG_INDEX;
    write_fault(true, expected, kind == WHIT_WRONG_TWICE ? twice : kind == WHIT_WRONG_MISSING ? missing : no_words, expected);
    return true;
}

char whit_service_says(const struct whit_service *service, char said, const void *result)
{
    static const char failed[] WHIT_FLASH = "the function failed";
    if (said != 0) {
        write_result(whit_flash_ptr(&service->values), whit_flash_u8(&service->value_cnt), result);
    } else {
        answer_status_else(whit_flash_u8(why_failed != NULL ? &service->status_400 : &service->status_500));
        write_fault(why_failed != NULL, NULL, no_words, why_failed != NULL ? why_failed : failed);
    }
    return 1;
}
