// SPDX-License-Identifier: MIT
// Output of each slot's response. The octet of a number is the same each time it is sent. A response that ends is one
// whole response.
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#define SAID_MAX 70000     // octets of the longest response
#define SEGMENTS_MAX 64    // segments of a response that changes
#define RUNS_MAX 4096

// Octets [0, len), of which the first is number `begin`. Octets beyond SAID_MAX are not looked at.
static struct said {
    bool live;
    bool fin;    // it ended with one
    bool head_only;
    uint8_t persistence;    // enum whit_persistence; of an error WHIT_STATIC
    uint32_t addr;
    uint16_t port;
    uint32_t begin;
    uint32_t len;
    uint32_t from[SEGMENTS_MAX], to[SEGMENTS_MAX];    // its segments so far
    uint8_t segment_cnt;
    uint8_t octets[SAID_MAX];
} said[WHIT_CONNECTIONS];
static bool ran[RUNS_MAX];    // runs of persistent generators that were answers
static uint32_t run_cnt, answered_cnt, reset_cnt;
bool said_reset;

static uint32_t resets(void)
{
    return UINT32_C(0) + whit_counters[WHIT_COUNT_SLOT_EVICTED] + whit_counters[WHIT_COUNT_GIVEN_UP] +
           whit_counters[WHIT_COUNT_CHANGED];
}

void said_begin(void)
{
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++)
        said[i].live = false;
    memset(ran, 0, sizeof ran);
    run_cnt = answered_cnt = reset_cnt = 0;
    said_reset = false;
}

// ------------------------------------------------------------------------------------------------ reading

// Value of a field line of the head; NULL: it is not there.
static const char *field(const char *head, const char *name)
{
    const char *at = strstr(head, name);
    return at != NULL ? at + strlen(name) : NULL;
}

// Undoes chunks into `to`. Returns octets of the coding, *whole: it came to its end.
static uint32_t unchunk(uint8_t *to, uint32_t *len, const uint8_t *octets, uint32_t cnt, bool *whole)
{
    uint32_t at = 0;
    *len = 0;
    *whole = false;
    for (;;) {
        uint32_t size = 0, from = at;
        for (; at < cnt && octets[at] != '\r'; at++) {
            uint8_t c = octets[at];
            CHECK((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
            size = size * 16 + (c <= '9' ? c - '0' : c - 'a' + 10u);
        }
        if (cnt - at < 2)
            return cnt;
        CHECK(at != from && octets[at + 1] == '\n');
        at += 2;
        uint32_t here = size < cnt - at ? size : cnt - at;
        memcpy(to + *len, octets + at, here);
        *len += here;
        at += here;
        if (cnt - at < 2)
            return cnt;
        CHECK(octets[at] == '\r' && octets[at + 1] == '\n');
        at += 2;
        if (size == 0) {
            *whole = true;
            return at;
        }
    }
}

// Checks that the output is the beginning of a response, or (ended) all of one.
static void read_response(const struct said *s, bool ended)
{
    static uint8_t content[SAID_MAX];
    static char head[1000];
    uint32_t len = s->len < sizeof head - 1 ? s->len : (uint32_t)sizeof head - 1;
    memcpy(head, s->octets, len);
    head[len] = 0;
    char *empty = strstr(head, "\r\n\r\n");
    if (empty == NULL) {
        CHECK(!ended && len < sizeof head - 1);
        return;
    }
    empty[2] = 0;
    CHECK(strncmp(head, "HTTP/1.1 ", 9) == 0 && strchr("12345", head[9]) != NULL);
    uint32_t at = (uint32_t)(empty + 4 - head), left = s->len - at;
    bool none = s->head_only || strncmp(head + 9, "304", 3) == 0 || head[9] == '1';
    const char *length = field(head, "\r\nContent-Length: ");
    struct content c = {.persistence = s->persistence,
                        .addr = s->addr,
                        .port = s->port,
                        .octets = s->octets + at,
                        .len = left,
                        .ended = ended};
    if (none) {
        CHECK(left == 0);
    } else if (length != NULL) {
        uint32_t want = 0;
        length += strspn(length, " ");
        for (; *length != '\r'; length++)
            want = want * 10 + (uint32_t)(*length - '0');
        CHECK(ended ? left == want : left <= want);
        CHECK(strstr(head, "Transfer-Encoding") == NULL);
    } else if (field(head, "\r\nTransfer-Encoding: chunked") != NULL) {
        bool whole;
        uint32_t cnt = unchunk(content, &c.len, s->octets + at, left, &whole);
        c.octets = content;
        CHECK(cnt == left && (whole || !ended));
    } else {
        CHECK(s->fin || !ended);
    }
    if (none || strncmp(head + 9, "200", 3) != 0 || s->persistence == WHIT_STATIC)
        return;
    CHECK(content_is_right(&c));
    if (ended && c.run != 0 && c.run < RUNS_MAX) {
        CHECK(!ran[c.run] || s->fin);    // a FIN is looked at as often as it is sent
        ran[c.run] = true;
    }
}

static void ends(struct said *s)
{
    if (!s->live)
        return;
    s->live = false;
    if (s->len <= SAID_MAX)
        read_response(s, !said_reset && resets() == reset_cnt);
}

// ------------------------------------------------------------------------------------------------ sending

void said_look(const struct whit_tcb *tcb)
{
    struct said *s = &said[tcb - whit_slots];
    if (tcb->state != TCB_RESPONSE || is_tls(tcb)) {    // sealed.c looks at those under TLS
        ends(s);
        return;
    }
    if (tcb->position != 0 || tcb->response.flight != 0)
        return;
    if (s->live && s->len == 0 && s->begin == tcb->snd_una && tcb->response.kind == KIND_GONE)
        return;
    if (s->live && s->len != 0)    // else nothing of it has left
        ends(s);
    s->live = true;
    s->fin = false;
    s->head_only = tcb->response.head_only;
    s->persistence =
        tcb->response.kind != KIND_CONTENT ? WHIT_STATIC : whit_resources[tcb->response.resource].persistence;
    s->addr = tcb->remote_addr;
    s->port = tcb->remote_port;
    s->begin = tcb->snd_una;
    s->len = 0;
    s->segment_cnt = 0;
}

// Checks that a volatile content changes only while no client has read a part of it.
static void check_change(const struct said *s, uint32_t from, const uint8_t *octets, uint32_t len)
{
    uint32_t first = 0;
    while (s->octets[from + first] == octets[first])
        first++;
    while (s->octets[from + len - 1] == octets[len - 1])
        len--;
    first += from;
    CHECK(s->persistence == WHIT_VOLATILE);
    for (uint8_t i = 0; i < s->segment_cnt; i++)
        CHECK(s->to[i] <= first || s->from[i] >= from + len || (s->from[i] <= first && s->to[i] >= from + len));
}

void said_segment(const struct whit_tcb *tcb, uint32_t seq, const uint8_t *octets, size_t len, bool fin)
{
    struct said *s = &said[tcb - whit_slots];
    said_look(tcb);
    uint32_t from = seq - s->begin;    // not by its position: that of kept octets does not move
    CHECK(s->live && from <= s->len);
    if (from + len > SAID_MAX) {
        s->len = SAID_MAX + 1;
        return;
    }
    uint32_t known = s->len - from < len ? s->len - from : (uint32_t)len;
    if (memcmp(s->octets + from, octets, known) != 0)
        check_change(s, from, octets, known);
    memcpy(s->octets + from, octets, len);
    if (s->segment_cnt != SEGMENTS_MAX) {
        s->from[s->segment_cnt] = from;
        s->to[s->segment_cnt++] = from + (uint32_t)len;
    }
    if (from + len > s->len)
        s->len = from + (uint32_t)len;
    if (fin) {
        CHECK(from + len == s->len);
        s->fin = true;
        read_response(s, true);
    }
}

// A persistent generator runs once for a request. Both kinds of applications count their runs at address 0.
static void check_runs(void)
{
    uint32_t runs = 0, answered = UINT32_C(0) + whit_counters[WHIT_COUNT_REQUESTS] + whit_counters[WHIT_COUNT_REFUSED];
    CHECK(whit_port_persistent_read(0, &runs, sizeof runs));
    if (answered < UINT16_MAX)
        CHECK(runs - run_cnt <= answered - answered_cnt);
    run_cnt = runs;
    answered_cnt = answered;
}

void said_check(void)
{
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++)
        said_look(&whit_slots[i]);
    check_runs();
    reset_cnt = resets();
}
