// Written by the application compiler from lamp.c, <generator> on its line 2; do not edit.
#include <stddef.h>

#include <whit/app.h>

struct args_t {
    bool on;    // line 6
    uint8_t level;    // line 7
};

// All names of these begin with whit_ or WHIT_: the others are the author's.
#include "core/tables.h"

#include <lamp.c>

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

_Static_assert(sizeof(struct args_t) <= 255, "the arguments of lamp.c take more than 255 octets");

static const struct whit_argument whit_arguments[] WHIT_FLASH = {
    { WHIT_BOOL, offsetof(struct args_t, on), 1, 0, 0, 45 },
    { WHIT_UINT8, offsetof(struct args_t, level), 1, 1, 0, 0 },
};

char whit_generator_lamp_init(void);
char whit_generator_lamp_init(void)
{
    return lamp_init();
}

#if WHIT_HAS_LOG    // what the request log calls these
static const char whit_name_get[] WHIT_FLASH = "switch_lamp()";
static const char whit_expected_0[] WHIT_FLASH = "on: expected true or false";
static const char whit_expected_1[] WHIT_FLASH = "level: expected a number from 0 to 255";
static const char *const whit_expected[] WHIT_FLASH = {
    whit_expected_0,
    whit_expected_1,
};
static const struct whit_names whit_texts WHIT_FLASH = {
    .handlers[WHIT_NAME_GET] = whit_name_get,
    .arguments = whit_expected,
};
#endif

extern const struct whit_generator whit_generator_lamp WHIT_FLASH;
const struct whit_generator whit_generator_lamp WHIT_FLASH = {
    .get.plain = switch_lamp,
    .writer = WHIT_PLAIN,
    .methods = WHIT_METHOD_GET,
#if WHIT_HAS_LOG
    .texts = &whit_texts,
#endif
    .arguments = whit_arguments,
    .names = 31,
    .argument_cnt = 2,
    .args_len = sizeof(struct args_t),
};
