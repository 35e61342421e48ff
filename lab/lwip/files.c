// SPDX-License-Identifier: MIT
// The files that lwIP's web server serves.
#include <string.h>

#include "lwip/apps/fs.h"
#include "peer.h"

#define FILES_MAX 64

struct served {
    char name[64];
    const uint8_t *octets;    // not owned
    uint32_t len;
    int generated;
};

static struct served files[FILES_MAX];
static int file_cnt;

int lwip_peer_file(const char *name, const uint8_t *octets, uint32_t len, int generated)
{
    if (file_cnt == FILES_MAX || strlen(name) >= sizeof files[0].name)
        return 0;
    struct served *file = &files[file_cnt++];
    strcpy(file->name, name);
    file->octets = octets;
    file->len = len;
    file->generated = generated;
    return 1;
}

int fs_open_custom(struct fs_file *file, const char *name)
{
    for (int i = 0; i < file_cnt; i++) {
        if (strcmp(files[i].name, name) != 0)
            continue;
        memset(file, 0, sizeof *file);
        file->len = (int)files[i].len;
        file->flags =
            FS_FILE_FLAGS_HEADER_INCLUDED | FS_FILE_FLAGS_HEADER_PERSISTENT | FS_FILE_FLAGS_HEADER_HTTPVER_1_1;
        file->pextension = &files[i];
        if (!files[i].generated) {
            file->data = (const char *)files[i].octets;
            file->index = file->len;
        }
        return 1;
    }
    return 0;
}

int fs_read_custom(struct fs_file *file, char *buffer, int count)
{
    const struct served *from = file->pextension;
    int left = file->len - file->index;
    int read = left < count ? left : count;
    memcpy(buffer, from->octets + file->index, (size_t)read);
    file->index += read;
    return read;
}

void fs_close_custom(struct fs_file *file)
{
    (void)file;
}
