// Written by the application compiler from list.html.jinja; do not edit.
#include <string.h>

#include <whit/database.h>
#include <whit/page.h>
#include <whit/row.h>

int16_t heat(uint8_t);    // list.html.jinja:3

struct state_t {
    struct whit_query query;
    uint8_t status;    // enum query_status
    uint32_t turn_1;
};

static const char text_1[] WHIT_FLASH =
    "<!doctype html>\n"
    "<title>";
static const char text_2[] WHIT_FLASH =
    "all";
static const char text_3[] WHIT_FLASH =
    "\?";
static const char text_4[] WHIT_FLASH =
    ": Things</title>\n";
static const char text_5[] WHIT_FLASH =
    "<a href=\"/list.html\?q=";
static const char text_6[] WHIT_FLASH =
    "&amp;page=";
static const char text_7[] WHIT_FLASH =
    "\">before</a>\n";
static const char text_8[] WHIT_FLASH =
    "<b>";
static const char text_9[] WHIT_FLASH =
    "</b>\n";
static const char text_10[] WHIT_FLASH =
    "<ul>\n";
static const char text_11[] WHIT_FLASH =
    "<li";
static const char text_12[] WHIT_FLASH =
    " class=\"first\"";
static const char text_13[] WHIT_FLASH =
    ">";
static const char text_14[] WHIT_FLASH =
    " <img src=\"";
static const char text_15[] WHIT_FLASH =
    "\">";
static const char text_16[] WHIT_FLASH =
    "</li>\n";
static const char text_17[] WHIT_FLASH =
    "<li>nothing, by ";
static const char text_18[] WHIT_FLASH =
    "name";
static const char text_19[] WHIT_FLASH =
    "price";
static const char text_20[] WHIT_FLASH =
    "</ul>\n"
    "<script>const title = ";
static const char text_21[] WHIT_FLASH =
    ";</script>\n";

// list.html.jinja:11: SELECT id, name AS title, picture FROM item WHERE name = ? LIMIT ?, 10
static enum query_status query_1(struct args_t *args, struct state_t *state)
{
    struct query_value values[] = {
        {.type = QUERY_TEXT, .len = (uint16_t)strlen(args->q), .text = args->q},
        {.type = QUERY_INT, .integer = whit_mul(WHIT_INT(args->page), INT64_C(10))},
    };
    (void)args;
    return query_begin(&state->query, WHIT_STATEMENT_PAGE_LIST_HTML_1, values, 2);
}

static char page(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    PT_BEGIN(pt);
    answer_later();
    // list.html.jinja:4
    PT_OUT_TEXT(pt, text_1);
    if (args->q[0] != 0) {
        PT_OUT_ESCAPED(pt, args->q, WHIT_ESCAPE_HTML);
    } else {
        PT_OUT_TEXT(pt, text_2);
    }
    // list.html.jinja:6
    PT_OUT_TEXT(pt, text_4);
    if ((WHIT_INT(args->page) > INT64_C(0)) && (!whit_text_is(args->q, text_3))) {
        // list.html.jinja:7
        PT_OUT_TEXT(pt, text_5);
        PT_OUT_ESCAPED(pt, args->q, WHIT_ESCAPE_URL_PART);
        PT_OUT_TEXT(pt, text_6);
        PT_OUT_NUMBER(pt, whit_sub(WHIT_INT(args->page), INT64_C(1)));
        // list.html.jinja:6
        PT_OUT_TEXT(pt, text_7);
    } else if (whit_mod(WHIT_INT(heat((uint8_t)INT64_C(1))), INT64_C(2)) != 0) {
        // list.html.jinja:8
        PT_OUT_TEXT(pt, text_8);
        PT_OUT_INT(pt, heat((uint8_t)INT64_C(1)));
        // list.html.jinja:6
        PT_OUT_TEXT(pt, text_9);
    }
    // list.html.jinja:11
    PT_OUT_TEXT(pt, text_10);
    state->query = (struct whit_query){0};
    PT_WAIT_UNTIL(pt, (state->status = query_1(args, state)) != QUERY_WAITS);
    if (state->status == QUERY_FAILED) {
        return PT_UNAVAILABLE;
    }
    state->turn_1 = 0;
    while (state->status == QUERY_ROW) {
        state->turn_1++;
        // list.html.jinja:13
        PT_OUT_TEXT(pt, text_11);
        if (state->turn_1 == 1) {
            PT_OUT_TEXT(pt, text_12);
        }
        PT_OUT_TEXT(pt, text_13);
        PT_OUT_COLUMN(pt, &state->query, 1, WHIT_ESCAPE_HTML);
        if (!(whit_column_none(&state->query, 2))) {
            PT_OUT_TEXT(pt, text_14);
            PT_OUT_COLUMN(pt, &state->query, 2, WHIT_ESCAPE_URL);
            PT_OUT_TEXT(pt, text_15);
        }
        // list.html.jinja:11
        PT_OUT_TEXT(pt, text_16);
        PT_WAIT_UNTIL(pt, (state->status = query_next(&state->query)) != QUERY_WAITS);
    }
    if (state->status == QUERY_FAILED) {
        return PT_UNAVAILABLE;
    }
    if (state->turn_1 == 0) {
        // list.html.jinja:14
        answer_status(404);
        // list.html.jinja:15
        PT_OUT_TEXT(pt, text_17);
        if (args->order == 0) {
            PT_OUT_TEXT(pt, text_18);
        } else {
            PT_OUT_TEXT(pt, text_19);
        }
        // list.html.jinja:11
        PT_OUT_TEXT(pt, text_16);
    }
    // list.html.jinja:17
    PT_OUT_TEXT(pt, text_20);
    PT_OUT_ESCAPED(pt, args->q, WHIT_ESCAPE_JSON);
    PT_OUT_TEXT(pt, text_21);
    PT_END(pt);
}
