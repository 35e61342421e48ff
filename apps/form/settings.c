// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="load" doGet="show" doPost="change"/>
     <properties persistence="volatile" content-type="application/json"/>
     <args>
       <arg name="interval" type="uint16" default="60"/>
       <arg name="mode" type="enum" values="off eco auto boost" default="auto"/>
       <arg name="lamp" type="bool" optional="true"/>
       <arg name="name" type="str" size="24" optional="true"/>
     </args>
   </generator> */
// GET answers the settings: {"interval":60,"mode":"auto","lamp":false,"name":""}. POST takes new ones from a form and
// answers them, or {"error":"why they were not taken"}. What a form leaves out, as browsers do with a box that is not
// ticked, gets its default.
#include <whit/app.h>

#define INTERVAL_MIN 1
#define INTERVAL_MAX 3600

// What is in persistent memory. Nothing but zeros is there before the first POST.
struct settings {
    uint8_t are_valid;
    struct args_t values;
};
static struct settings current;

_Static_assert(sizeof(struct settings) <= 32, "app.toml asks for 32 octets of persistent memory");

static char load(void)
{
    if (!persistent_read(0, &current, sizeof current))
        return 0;
    if (!current.are_valid)
        current = (struct settings){1, {.interval = 60, .mode = 2}};    // the defaults from above
    return 1;
}

// A JSON string (RFC 8259 section 7). What would spoil it becomes a question mark.
static void json_string(const char *text)
{
    out_c('"');
    for (; *text != '\0'; text++)
        out_c((uint8_t)*text < ' ' || *text == '"' || *text == '\\' ? '?' : *text);
    out_c('"');
}

static void say_settings(void)
{
    static const char *const modes[] = {"off", "eco", "auto", "boost"};

    out_str("{\"interval\":");
    out_uint(current.values.interval);
    out_str(",\"mode\":\"");
    out_str(modes[current.values.mode]);
    out_str("\",\"lamp\":");
    out_str(current.values.lamp ? "true" : "false");
    out_str(",\"name\":");
    json_string(current.values.name);
    out_c('}');
}

static char show(struct args_t *args)
{
    (void)args;
    say_settings();
    return 1;
}

// Every field is of its type already; a request with another gets 400 and does not come here. What only the application
// knows, it checks itself.
static char change(struct args_t *args)
{
    struct settings next = {1, *args};

    if (args->interval < INTERVAL_MIN || args->interval > INTERVAL_MAX) {
        out_str("{\"error\":\"The interval is 1 to 3600 seconds.\"}");
        return 1;
    }
    if (!persistent_write(0, &next, sizeof next))
        return 0;
    current = next;
    say_settings();
    return 1;
}
