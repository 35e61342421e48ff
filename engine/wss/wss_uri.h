// SPDX-License-Identifier: MIT
// Namespaces and algorithms of messages, by their URIs.
#ifndef WHIT_WSS_URI_H
#define WHIT_WSS_URI_H

#include "wss.h"

uint8_t wss_uri_of(const char *text);                 // enum wss_namespace
int8_t wss_uri_compare(uint8_t one, uint8_t other);   // by their octets: less than 0, 0, more

#endif
