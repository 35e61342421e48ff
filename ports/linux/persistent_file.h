// SPDX-License-Identifier: MIT
// The file that persistent memory is kept in: a header with a checksum, then the octets.
#ifndef WHIT_LINUX_PERSISTENT_FILE_H
#define WHIT_LINUX_PERSISTENT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERSISTENT_FILE_MAX 65536    // octets of persistent memory: addresses have 16 bits

// Keeps other servers away from the file. False: has said why on stderr.
bool persistent_file_lock(const char *path);

// Reads it to `octets`, which has PERSISTENT_FILE_MAX. `len`: how many there are; 0 without a file. A damaged file, and
// one that another layout wrote, stays under another name, and that is said on stderr. False: has said why on stderr.
bool persistent_file_read(uint8_t *octets, size_t *len);

// True if this user may replace it. False: has said the way out on stderr.
bool persistent_file_can_stay(void);

// Replaces it as a whole; what is written is on the disk then. False: nothing was changed.
bool persistent_file_write(const uint8_t *octets, size_t len);

#endif
