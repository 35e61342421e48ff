// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="get"/>
     <service name="device" as="soap" security="signed"/>
     <args>
       <arg name="level" type="uint8"/>
       <arg name="text" type="str" size="16"/>
     </args>
     <result><value name="level" type="uint8"/></result>
   </generator> */
// Its runs are counted at address 0, as `fuzz/said.c` expects.
#include <whit/app.h>

void fuzz_called(uint8_t level, const char *text);    // fuzz/signed.c

static char get(struct args_t *args, struct result_t *result)
{
    uint32_t runs = 0;

    persistent_read(0, &runs, sizeof runs);
    runs++;
    fuzz_called(args->level, args->text);
    result->level = args->level;
    return persistent_write(0, &runs, sizeof runs);
}
