// SPDX-License-Identifier: MIT
// Capture of a link to a file in the classic pcap format, link type Ethernet, microsecond time stamps.
#ifndef WHIT_DRIVER_PCAP_H
#define WHIT_DRIVER_PCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Replaces the file. False: it cannot be written; errno has the reason.
bool pcap_open(const char *path);

bool pcap_is_open(void);

// Appends a frame of either direction. Does nothing when no file is open.
void pcap_frame(const uint8_t *octets, size_t len);

// Passes the appended frames to the operating system.
void pcap_flush(void);

#endif
