// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say"/>
     <properties persistence="idempotent"/>
     <args><arg name="cnt" type="uint16"/><arg name="changes" type="bool" default="0"/></args>
   </generator> */
#include <whit/app.h>

static uint16_t runs;

static char say(struct args_t *args)
{
    if (args->changes && ++runs % 4 == 3)
        answer_status(410);
    else
        answer_status(409);
    answer_field("X-Lines", "some");
    for (uint16_t i = 0; i < args->cnt; i++)
        out_str("once more\n");
    return 1;
}
