// SPDX-License-Identifier: MIT
#include "key.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "whit/port.h"

static uint8_t key_octets[32];

bool key_open(const char *path)
{
    if (path == NULL) {
        fprintf(stderr, "--key: expected the file of the certificate's key; ./whit run gives it\n");
        return false;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "--key %s: %s\n", path, strerror(errno));
        return false;
    }
    setvbuf(file, NULL, _IONBF, 0);    // no second copy of it
    bool whole = fread(key_octets, 1, sizeof key_octets, file) == sizeof key_octets && fgetc(file) == EOF;
    fclose(file);
    if (!whole)
        fprintf(stderr, "--key %s: expected 32 octets\n", path);
    return whole;
}

void whit_tls_key(uint8_t key[32])
{
    memcpy(key, key_octets, sizeof key_octets);
}
