// SPDX-License-Identifier: MIT
// Requests for fuzz/app.
#include "fuzz.h"

#include <string.h>

static const char *const requests[] = {
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /long.txt HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /long.txt HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip, br;q=0.5\r\nConnection: close\r\n\r\n",
    "GET /lines?cnt=30&text=a+b%20c&off=-3&flag=1 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /count HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /fill?n=40 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /fill?n=400 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /fickle HTTP/1.1\r\nHost: a\r\n\r\n",
    "HEAD /long.txt HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /long.txt HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n",
    "GET /none HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde",
    "GET /count HTTP/1.0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /count HTTP/1.1\r\nHost: a\r\n\r\nGET /lines?cnt=9 HTTP/1.1\r\nHost: "
    "a\r\n\r\n",
    "HEAD /lines?cnt=255 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /lines?cnt=255&text=abcdefgh HTTP/1.1\r\nHost: a\r\n\r\n",
};
const uint8_t request_cnt = sizeof requests / sizeof *requests;

uint16_t request_build(uint8_t *to, uint8_t index)
{
    const char *request = requests[index % request_cnt];
    size_t len = strlen(request);
    memcpy(to, request, len);
    return (uint16_t)len;
}

// Accepts any output of fuzz/app; it must only be the same each time.
bool content_is_right(struct content *content)
{
    (void)content;
    return true;
}
