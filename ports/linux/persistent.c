// SPDX-License-Identifier: MIT
// A write makes a whole new file beside the old one, puts it on the disk, and then gives it the old one's name. rename()
// is atomic, so a crash or a power cut leaves either all of the write or nothing of it.
#include "persistent.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "whit/port.h"
#include "whit_limits.h"

#define FILE_MAX 65536    // octets: addresses have 16 bits

static char path[PATH_MAX];
static char temporary[PATH_MAX];
static char directory[PATH_MAX];
static uint8_t memory[FILE_MAX];    // what the file holds
static size_t memory_len;           // at least WHIT_PERSISTENT_SIZE; more when an earlier build of the application had more

static bool failed(const char *what, const char *way_out)
{
    fprintf(stderr, "%s: %s; %s\n", what, strerror(errno), way_out);
    return false;
}

// The lock has a file of its own, as the data's file is another one after each write. It ends with the process.
static bool lock(void)
{
    char name[PATH_MAX];
    if ((size_t)snprintf(name, sizeof name, "%s.lock", path) >= sizeof name) {
        errno = ENAMETOOLONG;
        return failed(path, "give a shorter path with --data");
    }
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return failed(name, "give a place that can be written with --data");
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        fprintf(stderr, "%s: another server keeps its data there; end it, or give this one a place of its own with --data\n",
                path);
        return false;
    }
    return true;
}

bool persistent_open(const char *wanted)
{
    if (strlen(wanted) + sizeof ".lock" > sizeof path) {
        errno = ENAMETOOLONG;
        return failed(wanted, "give a shorter path with --data");
    }
    strcpy(path, wanted);
    snprintf(temporary, sizeof temporary, "%.*s.new", (int)(sizeof temporary - sizeof ".new"), path);
    char copy[PATH_MAX];
    strcpy(copy, path);
    strcpy(directory, dirname(copy));

    memory_len = WHIT_PERSISTENT_SIZE;
    if (WHIT_PERSISTENT_SIZE == 0)
        return true;
    if (!lock())
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || failed(path, "give another file with --data");
    ssize_t len = read(fd, memory, sizeof memory);
    close(fd);
    if (len < 0)
        return failed(path, "give another file with --data");
    if ((size_t)len > memory_len)
        memory_len = (size_t)len;
    return true;
}

static bool write_whole(int fd, const uint8_t *octets, size_t len)
{
    while (len > 0) {
        ssize_t written = write(fd, octets, len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        octets += written;
        len -= (size_t)written;
    }
    return fsync(fd) == 0;
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

static bool replace_file(const uint8_t *octets)
{
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return false;
    bool done = write_whole(fd, octets, memory_len);
    done = close(fd) == 0 && done;
    done = done && rename(temporary, path) == 0;
    if (!done)
        unlink(temporary);
    return done && sync_directory();
}

static bool in_range(uint16_t address, uint16_t len) { return (uint32_t)address + len <= WHIT_PERSISTENT_SIZE; }

const uint8_t *whit_port_persistent_at(uint16_t address) { return memory + address; }

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if (!in_range(address, len))
        return false;
    memcpy(to, memory + address, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    static uint8_t wanted[FILE_MAX];
    if (!in_range(address, len))
        return false;
    memcpy(wanted, memory, memory_len);
    memcpy(wanted + address, from, len);
    if (!replace_file(wanted)) {
        fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
        return false;
    }
    memcpy(memory, wanted, memory_len);
    return true;
}
