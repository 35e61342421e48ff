// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="give"/>
     <service name="device" operation="get" as="soap" security="signed"/>
     <args><arg name="level" type="uint8"/></args>
     <result>
       <value name="level" type="uint8"/>
       <value name="calls" type="uint32"/>
       <value name="text" type="str" size="24"/>
       <value name="kind" type="enum" values="on off"/>
     </result>
   </generator> */
#include <whit/app.h>

#include <string.h>

static uint32_t calls;

static char give(struct args_t *args, struct result_t *result)
{
    if (args->level == 99)
        return fault("99 is <too> much & \"loud\"");
    if (args->level == 98)
        return 0;
    result->level = args->level;
    result->calls = ++calls;
    result->kind = args->level % 3;    // 2 is no word
    strcpy(result->text, "<a> & \"b\"\r\n\tc\x01 \xc3\xa9");
    return 1;
}
