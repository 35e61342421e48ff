// SPDX-License-Identifier: MIT
// The chunked transfer coding (RFC 9112 section 7.1), of requests and of responses. Extensions and trailers are passed over.
#ifndef WHIT_BASE_CHUNKED_H
#define WHIT_BASE_CHUNKED_H

#include <stdint.h>

#define LINE_MAX 256           // octets of a chunk's size with its extensions
#define TRAILERS_MAX 1024      // octets of all trailer fields

enum transfer {
    TRANSFER_NEW,            // nothing of it was read
    TRANSFER_TO_CLOSE,       // http_get.c: octets of a content that ends with the connection
    TRANSFER_DATA,           // octets of a content that has a length
    TRANSFER_CHUNK,          // octets of a chunk
    TRANSFER_STATUS,         // http_get.c: lines of the head
    TRANSFER_FIELDS,
    TRANSFER_CHUNK_CR,       // after a chunk
    TRANSFER_CHUNK_LF,
    TRANSFER_SIZE,           // first digit of a chunk's size
    TRANSFER_DIGITS,
    TRANSFER_BLANKS,         // before an extension, or the line's end
    TRANSFER_EXTENSION,
    TRANSFER_SIZE_LF,
    TRANSFER_TRAILER,        // first octet of a trailer's line
    TRANSFER_TRAILER_NAME,
    TRANSFER_TRAILER_LINE,
    TRANSFER_TRAILER_LF,
    TRANSFER_END_LF,
    TRANSFER_DONE,           // the octets that follow belong to the next message
    TRANSFER_WRONG,
};

// Takes an octet that belongs to no content: TRANSFER_CHUNK_CR .. TRANSFER_END_LF. Returns the step that follows. size: of the chunk;
// 0 before its first digit, and below 2^32.
uint8_t chunked_step(uint8_t step, uint8_t c, uint32_t *size);

#endif
