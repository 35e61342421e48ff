// SPDX-License-Identifier: MIT
// File format: draft-ietf-opsawg-pcap, sections 4 and 5, in the byte order of this machine.
#include "pcap.h"

#include <stdio.h>
#include <time.h>

#define MAGIC_MICROSECONDS UINT32_C(0xa1b2c3d4)
#define SNAP_LEN 65535
#define LINKTYPE_ETHERNET 1

static FILE *file;
static bool unflushed;

bool pcap_open(const char *path)
{
    struct {
        uint32_t magic;
        uint16_t major, minor;
        uint32_t reserved[2], snap_len, link_type;
    } head = {MAGIC_MICROSECONDS, 2, 4, {0, 0}, SNAP_LEN, LINKTYPE_ETHERNET};

    file = fopen(path, "wb");
    return file != NULL && fwrite(&head, sizeof head, 1, file) == 1 && fflush(file) == 0;
}

bool pcap_is_open(void)
{
    return file != NULL;
}

void pcap_frame(const uint8_t *octets, size_t len)
{
    if (file == NULL)
        return;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint32_t head[4] = {(uint32_t)now.tv_sec, (uint32_t)(now.tv_nsec / 1000), (uint32_t)len, (uint32_t)len};
    if (fwrite(head, sizeof head, 1, file) != 1 || fwrite(octets, len, 1, file) != 1) {
        fprintf(stderr, "capture: the file cannot be written any more; it ends here\n");
        fclose(file);
        file = NULL;
        return;
    }
    unflushed = true;
}

void pcap_flush(void)
{
    if (file != NULL && unflushed)
        fflush(file);
    unflushed = false;
}
