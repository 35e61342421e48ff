// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="count"/>
     <service as="soap json form"/>
     <properties persistence="idempotent"/>
     <args><arg name="points" type="uint8"/><arg name="each" type="uint8"/></args>
     <result>
       <value name="squares" type="uint16" count="12"/>
       <record name="points" count="6">
         <value name="x" type="int16" scale="1"/>
         <value name="names" type="str" size="4" count="3"/>
         <record name="inner"><value name="deep" type="bool"/></record>
       </record>
       <record name="one"><value name="last" type="enum" values="yes no"/></record>
     </result>
   </generator> */
// Arrays and records of any length.
#include <whit/app.h>

static char count(struct args_t *args, struct result_t *result)
{
    if (args->points > 6)
        return fault("at most \"6\" points\\");
    result->squares_cnt = args->each;
    for (uint8_t i = 0; i < args->each && i < 12; i++)
        result->squares[i] = (uint16_t)(i * i);
    result->points_cnt = args->points;
    for (uint8_t i = 0; i < args->points; i++) {
        struct result_points_t *point = &result->points[i];
        point->x = (int16_t)(i - 3);
        point->names_cnt = (uint8_t)(args->each % 4);
        for (uint8_t j = 0; j < point->names_cnt; j++) {
            point->names[j][0] = (char)('a' + i);
            point->names[j][1] = (char)('0' + j);
        }
        point->inner.deep = i % 2 == 1;
    }
    result->one.last = 2;    // no word: null
    return 1;
}
