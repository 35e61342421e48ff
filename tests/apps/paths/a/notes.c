// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="show"/>
     <properties persistence="idempotent"/>
     <args><arg name="title" type="str" size="12" source="path" optional="true"/></args>
   </generator> */
#include <whit/app.h>

static char show(struct args_t *args)
{
    out_str("[");
    out_str(args->title);
    out_str("]");
    return 1;
}
