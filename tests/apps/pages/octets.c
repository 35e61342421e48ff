// SPDX-License-Identifier: MIT
// A value that need not be UTF-8, as those of a database need not, where templates write them.
#include <whit/page.h>
/* <generator>
     <handlers doGet="octets"/>
     <properties persistence="persistent" content-type="text/html"/>
     <args><arg name="v" type="str" size="41" octets="true"/></args>
   </generator> */
struct state_t {
    char nothing;
};

static char octets(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    (void)state;
    PT_BEGIN(pt);
    PT_OUT_STR(pt, "<p>");
    PT_OUT_ESCAPED(pt, args->v, WHIT_ESCAPE_HTML);
    PT_OUT_STR(pt, "</p><a href=\"/find?q=");
    PT_OUT_ESCAPED(pt, args->v, WHIT_ESCAPE_URL_PART);
    PT_OUT_STR(pt, "\">part</a><script>const value = ");
    PT_OUT_ESCAPED(pt, args->v, WHIT_ESCAPE_JSON);
    PT_OUT_STR(pt, ";</script>");
    PT_END(pt);
}
