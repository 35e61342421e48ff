// SPDX-License-Identifier: MIT
#include "keys.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "machine.h"

#define LINE_MAX_LEN 64
#define KEY_CNT (sizeof keys / sizeof keys[0])

// from bit 0 on
static const char *const keys[] = {"A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L"};

static char line[LINE_MAX_LEN];
static size_t line_len;
static uint16_t held;

void keys_open(void)
{
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
}

static void obey(void)
{
    char verb[LINE_MAX_LEN], name[LINE_MAX_LEN], rest;
    bool two = sscanf(line, "%63s %63s %c", verb, name, &rest) == 2;
    for (uint16_t i = 0; two && i < KEY_CNT; i++) {
        if (strcasecmp(name, keys[i]) != 0)
            continue;
        if (strcmp(verb, "press") == 0)
            held |= (uint16_t)(1u << i);
        else if (strcmp(verb, "release") == 0)
            held &= (uint16_t)~(1u << i);
        else
            break;
        machine_press(held);
        return;
    }
    fprintf(stderr, "%s: expected press or release, and one of", line);
    for (size_t i = 0; i < KEY_CNT; i++)
        fprintf(stderr, " %s", keys[i]);
    fputc('\n', stderr);
}

void keys_poll(void)
{
    char octet;
    while (read(STDIN_FILENO, &octet, 1) == 1) {
        if (octet != '\n') {
            if (line_len < sizeof line - 1)
                line[line_len++] = octet;
            continue;
        }
        line[line_len] = '\0';
        if (line_len != 0)
            obey();
        line_len = 0;
    }
}
