// SPDX-License-Identifier: MIT
#include <string.h>

#include "machine.h"

void (*machine_said)(const char *line, uint16_t len);

void machine_says(uint8_t octet)
{
    static char line[1024];
    static uint16_t len;
    line[len++] = (char)octet;
    if (octet != '\n' && len < sizeof line - 1)
        return;
    line[len - 1] = '\n';
    if (machine_said != NULL)
        machine_said(line, len);
    len = 0;
}
