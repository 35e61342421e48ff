// SPDX-License-Identifier: MIT
// Reads the head of a request by the grammar written as C, with words and values several octets at a time. It is fast:
// head_octets.c is small.
#include "http.h"
#include "internal.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../response/response.h"
#include "whit/port.h"

static inline uint8_t small_letter(uint8_t c)
{
    return (uint8_t)(c - 'A') < 26 ? c | 0x20 : c;
}

static inline bool of_class(enum whit_class class, uint8_t c)
{
    if (class == CLASS_OWS)
        return c == ' ' || c == '\t';
    if (class == CLASS_VALUE)
        return c >= ' ' ? c != 0x7f : c == '\t';
    if (class == CLASS_DIGIT)
        return (uint8_t)(c - '0') < 10;
    if ((uint8_t)(c - ' ') >= GRAMMAR_SETS)
        return class == CLASS_BEHIND;
    return (whit_flash_u8(&whit_words[c - ' ']) << 1 >> class & 1) != 0;
}

// True if the octets are those of the word. letters: 0x20 for each octet that may be a capital as well.
static inline bool same16(const uint8_t *at, uint16_t word, uint16_t letters)
{
    return (load16_be(at) | letters) == word;
}

static inline bool same32(const uint8_t *at, uint32_t word, uint32_t letters)
{
    return (load32_be(at) | letters) == word;
}

static inline bool same64(const uint8_t *at, uint64_t word, uint64_t letters)
{
    return (load64_be(at) | letters) == word;
}

// Sets the highest bit of each of 8 octets that is below ' ' or DEL. After the first such octet, and after 0xff,
// further bits may be set.
#define EACH_OCTET (UINT64_MAX / 0xff)
static inline uint64_t controls(uint64_t octets)
{
    return ((octets - EACH_OCTET * ' ') | (octets + EACH_OCTET)) & ~octets & EACH_OCTET * 0x80;
}

// Compares received octets with the rest of a word, of which each octet is a place in whit_words. Returns the first
// difference.
static const uint8_t *compared(struct whit_tcb *t, const uint8_t *at, const uint8_t *end, const char *rest,
                               bool letters)
{
    while (at != end && *rest != 0 && (letters ? small_letter(*at) : *at) == (uint8_t)*rest) {
        at++;
        rest++;
        t->request.node++;
    }
    return at;
}

// After octets of a class. A value is most of a request.
static inline const uint8_t *passed(const uint8_t *at, const uint8_t *end, enum whit_class class)
{
    while (class == CLASS_VALUE && end - at >= 8) {
        uint64_t found = controls(load64_le(at));
        if (found == 0) {
            at += 8;
            continue;
        }
        at += __builtin_ctzll(found) / 8;
        if (!of_class(class, *at))
            return at;
        at++;
    }
    while (at != end && of_class(class, *at))
        at++;
    return at;
}

// Reads up to `end`, to an octet that the grammar does not read, or to the request's limit. Returns its position.
static const uint8_t *read_states(struct whit_tcb *t, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *const octets_end = end;
    uint16_t beyond;    // octets that the request may have after `end`
    uint8_t c;
#define LIMIT()                                                             \
    do {                                                                    \
        uint16_t len = (uint16_t)(octets_end - at), left = t->request.left; \
        end = left < len ? at + left : octets_end;                          \
        beyond = left < len ? 0 : (uint16_t)(left - len);                   \
    } while (0)
#define UNREAD() (at--, beyond != 0 ? (void)beyond-- : (void)end--)    // an octet that is read twice counts twice
#define STOP(list)                \
    do {                          \
        t->request.node = (list); \
        goto leave;               \
    } while (0)
    LIMIT();
#include "whit_head.h"    // the states, by the application compiler
leave:
    if (t->request.step >= STEP_DONE)
        t->request.node = 0;    // however the request was cut
    t->request.left = (uint16_t)(end - at + beyond);
    return at;
#undef LIMIT
#undef UNREAD
#undef STOP
}

// Refuses a request whose request line or field lines are too long.
static void refuse_long(struct whit_tcb *t)
{
    bool line = t->request.step == STEP_READ ? t->request.node < WHIT_WORDS_LINES : t->request.step != STEP_TYPE;
    refuse(t, line ? HTTP_414 : HTTP_431);
}

uint16_t http_parse(struct whit_tcb *t, const uint8_t *octets, uint16_t len)
{
    HOLDS(t->state == TCB_REQUEST);
    const uint8_t *at = octets, *end = octets + len;
    while (at != end && t->request.step < STEP_DONE) {
        if (t->request.left == 0) {
            refuse_long(t);
        } else if (t->request.step == STEP_READ) {
            at = read_states(t, at, end);
        } else {
            t->request.left--;
            at += other_run(t, at, (uint16_t)(end - at));
        }
    }
    if (WHIT_HAS_LOG)
        log_parsed(t, octets, (uint16_t)(at - octets), len);
    return (uint16_t)(at - octets);
}
