// SPDX-License-Identifier: MIT
// A write makes a whole new file beside the old one, puts it on the disk, and then gives it the old one's name.
// rename() is atomic: a crash or a power cut leaves all of the write or nothing.
#include "persistent_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "whit_persistent.h"

#define ASIDE_MAX 99    // names for files that are kept
#define ASIDE_LEN 24    // octets behind a path: ".damaged", and ".99" with as many digits as GCC takes for possible

// The file's header, in the machine's byte order.
struct header {
    char magic[8];
    uint32_t layout;    // WHIT_PERSISTENT_LAYOUT of the image that wrote it
    uint32_t len;       // octets after the header
    uint32_t crc;       // CRC of the two numbers above and of these octets
};
static const char magic[8] = {'W', 'h', 'i', 't', 'm', 'e', 'm', '1'};

static char path[PATH_MAX];
static char temporary[PATH_MAX];
static char directory[PATH_MAX];

static bool failed(const char *what, const char *way_out)
{
    fprintf(stderr, "%s: %s; %s\n", what, strerror(errno), way_out);
    return false;
}

// CRC-32 of ISO 3309.
static uint32_t crc_add(uint32_t crc, const void *octets, size_t len)
{
    const uint8_t *at = octets;
    for (crc = ~crc; len > 0; len--) {
        crc ^= *at++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static uint32_t crc_of(const struct header *header, const uint8_t *octets)
{
    uint32_t crc = crc_add(crc_add(0, &header->layout, sizeof header->layout), &header->len, sizeof header->len);
    return crc_add(crc, octets, header->len);
}

// Locks the file. The lock is a file of its own, because each write replaces the data's file. It ends with the process.
bool persistent_file_lock(const char *wanted)
{
    char name[PATH_MAX];
    if (strlen(wanted) + ASIDE_LEN > sizeof path) {
        errno = ENAMETOOLONG;
        return failed(wanted, "give a shorter path with --data");
    }
    strcpy(path, wanted);
    snprintf(temporary, sizeof temporary, "%.*s.new", (int)(sizeof temporary - sizeof ".new"), path);
    strcpy(name, path);
    strcpy(directory, dirname(name));

    snprintf(name, sizeof name, "%.*s.lock", (int)(sizeof name - sizeof ".lock"), path);
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return failed(name, "give a place that can be written with --data");
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        fprintf(stderr,
                "%s: another server keeps its data there; end it, or give this one a place of its own with --data\n",
                path);
        return false;
    }
    return true;
}

// Gives the file a second name, which stays when it is replaced.
static bool keep_aside(const char *suffix, const char *why, const char *what_now)
{
    char name[PATH_MAX];
    bool done = false;
    for (int number = 1; number <= ASIDE_MAX && !done; number++) {
        char end[ASIDE_LEN - sizeof ".damaged"] = "";
        if (number > 1)
            snprintf(end, sizeof end, ".%d", number);
        snprintf(name, sizeof name, "%.*s.%s%s", (int)(sizeof name - ASIDE_LEN), path, suffix, end);
        done = link(path, name) == 0;
        if (!done && errno != EEXIST)    // a file system without links
            done = access(name, F_OK) != 0 && rename(path, name) == 0;
    }
    if (!done)
        return failed(path, "it should be kept under another name; move it away, or give another file with --data");
    fprintf(stderr, "%s: %s; %s. The file is kept as %s\n", path, why, what_now, name);
    return true;
}

static ssize_t read_whole(int fd, void *to, size_t len)
{
    size_t done = 0;
    while (done < len) {
        ssize_t got = read(fd, (uint8_t *)to + done, len - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

bool persistent_file_read(uint8_t *octets, size_t *len)
{
    struct header header;
    *len = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || failed(path, "give another file with --data");
    ssize_t head_len = read_whole(fd, &header, sizeof header);
    ssize_t octets_len = head_len < 0 ? -1 : read_whole(fd, octets, PERSISTENT_FILE_MAX);
    close(fd);
    if (octets_len < 0)
        return failed(path, "give another file with --data");
    if (head_len == 0)
        return true;
    if (head_len < (ssize_t)sizeof magic || memcmp(header.magic, magic, sizeof magic) != 0) {
        fprintf(stderr, "%s: not a file of persistent memory; give another one with --data, or move this one away\n",
                path);
        return false;
    }
    bool whole = head_len == sizeof header && header.len == (size_t)octets_len && header.crc == crc_of(&header, octets);
    if (whole && header.layout == WHIT_PERSISTENT_LAYOUT) {
        *len = header.len;
        return true;
    }
    if (whole)
        *len = header.len;
    else
        memset(octets, 0, PERSISTENT_FILE_MAX);
    return (whole ? keep_aside("old", "written by another layout of app.toml",
                               "what does not match begins with its defaults")
                  : keep_aside("damaged", "damaged", "everything begins with its defaults")) &&
           (persistent_file_write(octets, *len) || failed(path, "give a place that can be written with --data"));
}

bool persistent_file_can_stay(void)
{
    if (access(directory, W_OK | X_OK) == 0)
        return true;
    if (getuid() == 0)
        fprintf(stderr,
                "%s: belongs to another user, and this server gives up root's right to write there; give root the "
                "directory, or name another one with --data\n",
                directory);
    else
        fprintf(stderr,
                "%s: user %u, whom this server runs as, may not write there; give that user the directory, or name "
                "another one with --data\n",
                directory, (unsigned)getuid());
    return false;
}

static bool write_octets(int fd, const void *octets, size_t len)
{
    const uint8_t *at = octets;
    while (len > 0) {
        ssize_t written = write(fd, at, len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        len -= (size_t)written;
    }
    return true;
}

static bool sync_directory(void)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool done = fsync(fd) == 0;
    close(fd);
    return done;
}

bool persistent_file_write(const uint8_t *octets, size_t len)
{
    struct header header = {.layout = WHIT_PERSISTENT_LAYOUT, .len = (uint32_t)len};
    memcpy(header.magic, magic, sizeof magic);
    header.crc = crc_of(&header, octets);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return false;
    bool done = write_octets(fd, &header, sizeof header) && write_octets(fd, octets, len) && fsync(fd) == 0;
    done = close(fd) == 0 && done;
    done = done && rename(temporary, path) == 0;
    if (!done)
        unlink(temporary);
    return done && sync_directory();
}
