// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="merge"/>
     <properties persistence="persistent" content-type="text/html; charset=utf-8"/>
   </generator> */
// Asks both hosts at once and writes one answer after the other, part by part: an answer may be longer than all memory
// here. The answers are escaped as text, so they cannot become markup of this page.
#include <stddef.h>
#include <whit/app.h>
#include <whit/http_get.h>

#include "sources.h"

struct state_t {
    struct whit_http_get gets[2];
    char part[PART];
    uint8_t len, at;    // its length, and the number of bytes written
    uint8_t which;
};

static void begin(struct state_t *state)
{
    http_get_begin(&state->gets[0], FIRST_ADDRESS, FIRST_PORT, NULL, FIRST_TARGET, TIMEOUT_MS);
    http_get_begin(&state->gets[1], SECOND_ADDRESS, SECOND_PORT, NULL, SECOND_TARGET, TIMEOUT_MS);
}

// An octet of a text, in HTML.
static const char *escaped(char octet)
{
    static char one[2];
    one[0] = octet;
    switch (octet) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    default:
        return one;
    }
}

static char merge(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    (void)args;
    PT_BEGIN(pt);
    begin(state);
    for (state->which = 0; state->which < 2; state->which++) {
        PT_OUT_STR(pt, state->which == 0 ? "<h2>" FIRST_TARGET "</h2><pre>" : "<h2>" SECOND_TARGET "</h2><pre>");
        while (http_get_state(&state->gets[state->which]) < HTTP_GET_END) {
            PT_WAIT_UNTIL(pt, http_get_state(&state->gets[state->which]) != HTTP_GET_WAITS);
            state->len = (uint8_t)http_get_read(&state->gets[state->which], state->part, PART);
            for (state->at = 0; state->at < state->len; state->at++)
                PT_OUT_STR(pt, escaped(state->part[state->at]));
        }
        PT_OUT_STR(pt, http_get_state(&state->gets[state->which]) == HTTP_GET_END
                           ? "</pre>"
                           : "</pre><p>No answer, or not all of it.");
        http_get_end(&state->gets[state->which]);
    }
    PT_END(pt);
}
