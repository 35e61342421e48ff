// Written by the application compiler from log.c, <generator> on its line 2; do not edit.
#include <stddef.h>

#include <whit/app.h>

struct args_t {
    uint8_t unit;    // line 6: seconds minutes hours
    int16_t least;    // line 7
};

// All names of these begin with whit_ or WHIT_: the others are the author's.
#include "core/tables.h"

#include <log.c>

// Members that are named below: the author's macros end here.
#undef get
#undef plain
#undef index
#undef thread
#undef writer
#undef state_len
#undef init_get
#undef post
#undef methods
#undef arguments
#undef fallbacks
#undef names
#undef argument_cnt
#undef args_len
#undef form
#undef in
#undef in_thread
#undef out
#undef types
#undef body_max
#undef texts
#undef handlers

_Static_assert(sizeof(struct args_t) <= 255, "the arguments of log.c take more than 255 octets");

static const struct whit_argument whit_arguments[] WHIT_FLASH = {
    { WHIT_ENUM, offsetof(struct args_t, unit), 1, 1, 1, 93 },
    { WHIT_INT16, offsetof(struct args_t, least), 2, 1, 2, 0 },
};

static const uint32_t whit_fallbacks[] WHIT_FLASH = {
    0x00000001,    // unit: minutes
    0xffffffff,    // least: -1
};

_Static_assert(sizeof(struct state_t) <= 255, "struct state_t of log.c takes more than 255 octets");

// Of two lengths where the shared buffer is too small for args_t and state_t, so that the compiler names what is needed.
#define WHIT_NEEDED WHIT_RERUN_BUFFER(sizeof(struct args_t), 4)
extern char whit_buffer_needed[WHIT_NEEDED > WHIT_BUFFER ? WHIT_NEEDED : 1];
extern char whit_buffer_needed[1];

static char whit_get(struct whit_pt *whit_pt, struct args_t *whit_args, struct state_t *whit_state)
{
    (void)whit_state;
    return say_lines(whit_pt, whit_args);
}

static char whit_out(uint8_t whit_type, void *whit_state)
{
    return say_cnt(whit_type, whit_state);
}

// Of two lengths where a quarter of the shared buffer is too small for what is kept of a body.
#define WHIT_NEEDED_POST (4 * (WHIT_PARTS_KEPT + sizeof(struct state_t)))
extern char whit_buffer_needed[WHIT_NEEDED_POST > WHIT_BUFFER ? WHIT_NEEDED_POST : 1];
extern char whit_buffer_needed[1];

static const struct whit_post whit_post_handlers WHIT_FLASH = {
    .in_thread = take_lines,
    .out = whit_out,
    .types = 123,
    .state_len = sizeof(struct state_t),
    .body_max = WHIT_BODY_MAX,
};

#if WHIT_HAS_LOG    // what the request log calls these
static const char whit_name_get[] WHIT_FLASH = "say_lines()";
static const char whit_name_init_get[] WHIT_FLASH = "is_level()";
static const char whit_name_in[] WHIT_FLASH = "take_lines()";
static const char whit_name_out[] WHIT_FLASH = "say_cnt()";
static const char whit_expected_0[] WHIT_FLASH = "unit: expected seconds, minutes or hours";
static const char whit_expected_1[] WHIT_FLASH = "least: expected a number from -32768 to 32767";
static const char *const whit_expected[] WHIT_FLASH = {
    whit_expected_0,
    whit_expected_1,
};
static const char whit_expected_types[] WHIT_FLASH = "text/plain, text/csv";
static const struct whit_names whit_texts WHIT_FLASH = {
    .handlers[WHIT_NAME_GET] = whit_name_get,
    .handlers[WHIT_NAME_INIT_GET] = whit_name_init_get,
    .handlers[WHIT_NAME_IN] = whit_name_in,
    .handlers[WHIT_NAME_OUT] = whit_name_out,
    .arguments = whit_expected,
    .types = whit_expected_types,
};
#endif

extern const struct whit_generator whit_generator_log WHIT_FLASH;
const struct whit_generator whit_generator_log WHIT_FLASH = {
    .get.thread = whit_get,
    .writer = WHIT_THREAD,
    .init_get = is_level,
    .post = &whit_post_handlers,
    .methods = WHIT_METHOD_GET | WHIT_METHOD_POST,
#if WHIT_HAS_LOG
    .texts = &whit_texts,
#endif
    .arguments = whit_arguments,
    .fallbacks = whit_fallbacks,
    .names = 77,
    .argument_cnt = 2,
    .args_len = sizeof(struct args_t),
};
