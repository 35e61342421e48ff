// SPDX-License-Identifier: MIT
// The file that persistent memory is kept in: a header with a checksum, then the octets.
#ifndef WHIT_LINUX_PERSISTENT_FILE_H
#define WHIT_LINUX_PERSISTENT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERSISTENT_FILE_MAX 65536    // octets of persistent memory: addresses have 16 bits

// Locks the file against other servers. False: the reason is on stderr.
bool persistent_file_lock(const char *path);

// Reads the file to `octets`, which has room for PERSISTENT_FILE_MAX. `len`: octets read; 0 without a file. A damaged
// file, or one that another layout wrote, is renamed, with a message on stderr. False: the reason is on stderr.
bool persistent_file_read(uint8_t *octets, size_t *len);

// True if this user may replace it. False: the way out is on stderr.
bool persistent_file_can_stay(void);

// Replaces the file as a whole; it is on the disk then. False: nothing was changed.
bool persistent_file_write(const uint8_t *octets, size_t len);

#endif
