// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say" doPost="add"/>
     <properties persistence="volatile"/>
     <args record="entry"/>
   </generator> */
// POST saves an entry at the index that is one less than its number; GET writes them all, and its arguments.
#include <whit/app.h>

static char say(struct args_t *args)
{
    out_uint(args->entry.number);
    out_str(args->entry.text);
    for (uint8_t i = 0; i <= PERSISTENT_ENTRY_CNT; i++) {
        struct entry_t entry;
        char first = '?';

        out_c(' ');
        out_c(persistent_has_entry(i) ? '1' : '0');
        out_c(persistent_load_entry(i, &entry) ? '1' : '0');
        out_uint(entry.number);
        out_str(entry.text);
        if (persistent_has_entry(i) && whit_port_persistent_read(PERSISTENT_ENTRY_AT(i, text), &first, 1))
            out_c(first);
    }
    return 1;
}

static char add(struct args_t *args)
{
    uint8_t index = (uint8_t)(args->entry.number - 1);

    out_c(persistent_save_entry(index, &args->entry) ? '1' : '0');
    return 1;
}
