// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="load" doGet="show" doPost="change"/>
     <properties persistence="volatile" content-type="application/json"/>
     <args record="settings"/>
     <content-types><content-type type="application/json"/></content-types>
   </generator> */
// GET answers the settings: {"interval":60,"mode":"auto","lamp":false,"name":""}. POST takes new ones from a form, or
// as JSON with the same members. It redirects to GET, so that a reload of the page does not send the form again.
// Refused settings are 422 and {"error":"..."}. A field that the form omits, such as a box that is not ticked, gets its
// default.
#include <whit/app.h>

// As [persistent.settings] in app.toml declares them: its fields are those of the form as well.
static struct settings_t current;

static char load(void)
{
    persistent_load_settings(&current);    // saved values, or the defaults
    return 1;
}

static void say_settings(void)
{
    static const char *const modes[] = {"off", "eco", "auto", "boost"};

    out_str("{\"interval\":");
    out_uint(current.interval);
    out_str(",\"mode\":\"");
    out_str(modes[current.mode]);
    out_str("\",\"lamp\":");
    out_str(current.lamp ? "true" : "false");
    out_str(",\"name\":");
    out_json(current.name, sizeof current.name);
    out_c('}');
}

static char show(struct args_t *args)
{
    (void)args;
    say_settings();
    return 1;
}

// Every field has its type already; a request with another type gets 400 and does not come here. This function checks
// ranges, and rules that only the application knows.
static char change(struct args_t *args)
{
    if (!persistent_fits_settings(&args->settings)) {
        answer_status(422);
        out_str("{\"error\":\"The interval is 1 to 3600 seconds.\"}");
        return 1;
    }
    if (!persistent_save_settings(&args->settings))
        return 0;
    current = args->settings;
    answer_status(303);
    answer_field("Location", "/settings");
    say_settings();
    return 1;
}
