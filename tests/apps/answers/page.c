// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="show" doPost="change"/>
     <args><arg name="what" type="enum" values="plain moved both three missing"/></args>
   </generator> */
#include <whit/app.h>

static char show(struct args_t *args)
{
    out_str("page");
    if (args->what == 1) {
        answer_status(307);
        answer_field("Location", "/elsewhere");
    } else if (args->what != 0) {
        answer_field("X-First", "1");
        answer_field("X-Second", "a \"quoted\" value that is longer than a chunk of thirty-two octets, and comes in "
                                 "two strings");
        if (args->what == 3)
            answer_field("X-Third", "3");
        answer_status(200);    // the last one counts
        if (args->what == 4)
            answer_status(404);
    }
    return 1;
}

static void redirect(void)
{
    answer_status(303);
    answer_field("Location", "/page?what=plain");
}

static char change(struct args_t *args)
{
    if (args->what == 0)
        return 0;
    redirect();
    return 1;
}
