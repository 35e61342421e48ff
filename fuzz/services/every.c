// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="say_every"/>
     <properties persistence="idempotent"/>
     <service operation="every" as="soap json form"/>
     <args>
       <arg name="u8" type="uint8" optional="true"/>
       <arg name="u16" type="uint16" scale="3" optional="true"/>
       <arg name="u32" type="uint32" optional="true"/>
       <arg name="i8" type="int8" scale="1" optional="true"/>
       <arg name="i16" type="int16" scale="2" default="-1.5"/>
       <arg name="i32" type="int32" scale="9" optional="true"/>
       <arg name="on" type="bool" optional="true"/>
       <arg name="unit" type="enum" values="c f k" default="f"/>
       <arg name="text" type="str" size="40" optional="true"/>
       <arg name="raw" type="str" size="8" octets="true" optional="true"/>
       <arg name="when" type="date-time" optional="true"/>
       <arg name="octets" type="base64" size="21" optional="true"/>
     </args>
     <result>
       <value name="u8" type="uint8"/>
       <value name="u16" type="uint16" scale="3"/>
       <value name="u32" type="uint32"/>
       <value name="i8" type="int8" scale="1"/>
       <value name="i16" type="int16" scale="2"/>
       <value name="i32" type="int32" scale="9"/>
       <value name="on" type="bool"/>
       <value name="unit" type="enum" values="c f k"/>
       <value name="text" type="str" size="40"/>
       <value name="raw" type="str" size="8"/>
       <value name="when" type="date-time"/>
       <value name="octets" type="base64" size="21"/>
     </result>
   </generator> */
// Gives its arguments back.
#include <string.h>
#include <whit/app.h>

static char say_every(struct args_t *args, struct result_t *result)
{
    result->u8 = args->u8;
    result->u16 = args->u16;
    result->u32 = args->u32;
    result->i8 = args->i8;
    result->i16 = args->i16;
    result->i32 = args->i32;
    result->on = args->on;
    result->unit = args->unit;
    memcpy(result->text, args->text, sizeof result->text);
    memcpy(result->raw, args->raw, sizeof result->raw);
    result->when = args->when;
    result->octets_len = args->octets_len;
    memcpy(result->octets, args->octets, args->octets_len);
    return 1;
}
