// SPDX-License-Identifier: MIT
/* <generator>
     <handlers initGet="admit" doGet="say"/>
     <properties persistence="volatile"/>
     <args><arg name="there" type="bool"/></args>
   </generator> */
#include <whit/app.h>

static char admit(struct args_t *args)
{
    if (!args->there)
        answer_status(404);
    answer_field("X-There", "perhaps");
    return 1;
}

static char say(struct args_t *args, uint32_t index, uint16_t length)
{
    (void)args;
    for (; length != 0 && index < 5000; length--, index++)
        out_c((char)('a' + index % 26));
    return 1;
}
