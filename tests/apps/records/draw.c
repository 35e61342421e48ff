// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="draw"/>
     <service as="soap json"/>
     <args>
       <arg name="title" type="str" size="8" optional="true"/>
       <arg name="weights" type="int16" scale="1" count="4"/>
       <arg name="tags" type="str" size="4" count="3"/>
       <arg name="marks" type="enum" values="x o" count="2"/>
       <record name="points" count="3">
         <arg name="x" type="int16"/>
         <arg name="y" type="uint8" default="7"/>
         <arg name="ends" type="bool" count="2"/>
         <record name="ink">
           <arg name="colour" type="enum" values="red green blue" default="green"/>
           <arg name="at" type="date-time" optional="true"/>
           <arg name="key" type="base64" size="3" optional="true"/>
         </record>
       </record>
       <record name="origin" optional="true"><arg name="z" type="int32"/></record>
     </args>
     <result>
       <value name="title" type="str" size="8"/>
       <value name="weights" type="int16" scale="1" count="4"/>
       <value name="tags" type="str" size="4" count="3"/>
       <value name="marks" type="enum" values="x o" count="2"/>
       <record name="points" count="3">
         <value name="x" type="int16"/>
         <value name="y" type="uint8"/>
         <value name="ends" type="bool" count="2"/>
         <record name="ink">
           <value name="colour" type="enum" values="red green blue"/>
           <value name="at" type="date-time"/>
           <value name="key" type="base64" size="3"/>
         </record>
       </record>
       <record name="origin"><value name="z" type="int32"/></record>
     </result>
   </generator> */
// Returns its arguments.
#include <string.h>

#include <whit/app.h>

static char draw(struct args_t *args, struct result_t *result)
{
    memcpy(result->title, args->title, sizeof result->title);
    memcpy(result->weights, args->weights, sizeof result->weights);
    memcpy(result->tags, args->tags, sizeof result->tags);
    memcpy(result->marks, args->marks, sizeof result->marks);
    result->weights_cnt = args->weights_cnt;
    result->tags_cnt = args->tags_cnt;
    result->marks_cnt = args->marks_cnt;
    result->points_cnt = args->points_cnt;
    for (uint8_t i = 0; i < args->points_cnt; i++) {
        const struct args_points_t *from = &args->points[i];
        struct result_points_t *to = &result->points[i];
        to->x = from->x;
        to->y = from->y;
        to->ends_cnt = from->ends_cnt;
        memcpy(to->ends, from->ends, sizeof to->ends);
        to->ink.colour = from->ink.colour;
        to->ink.at = from->ink.at;
        to->ink.key_len = from->ink.key_len;
        memcpy(to->ink.key, from->ink.key, sizeof to->ink.key);
    }
    result->origin.z = args->origin.z;
    return 1;
}
