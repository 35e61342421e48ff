// SPDX-License-Identifier: MIT
// Requests for fuzz/strategies, and their permitted answers.
#include "fuzz.h"
#include "strategies/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST " HTTP/1.1\r\nHost: a\r\n"
#define GET(target) {"GET /" target HOST "\r\n", NULL, 0, NULL}
#define POST(path, type) "POST /" path HOST "Content-Type: " type "\r\n"
#define EXPECT "Expect: 100-continue\r\n"
#define FORM "application/x-www-form-urlencoded"
#define MULTIPART "multipart/form-data; boundary=b-b"
#define PART(name) "Content-Disposition: form-data; name=\"n\"; filename=\"" name "\"\r\n"

static const struct {
    const char *head;      // with `body`, but for the length and the empty line
    const char *body;      // {n}: n octets that follow from their index; NULL: `head` is all
    uint8_t chunk;         // octets of its chunks; 0: Content-Length
    const char *behind;    // or NULL
} requests[] = {
    GET("kept?len=600"),
    GET("again?len=1900"),
    GET("again?len=900&cost_us=900000"),
    GET("fresh?len=50"),
    GET("fresh?len=900"),
    GET("fresh?len=20&grows=1"),
    GET("thread?len=5000"),
    GET("thread?len=700&pause=300"),
    GET("thread?len=20"),
    GET("own"),
    GET("rerun?len=4000"),
    GET("rerun?len=30"),
    GET("rerun?len=900&pause=400"),
    GET("wobble?len=900"),
    GET("wobble?len=400&each=1"),
    GET("index?len=3000"),
    GET("index?len=9"),
    GET("gate?open=1"),
    GET("gate?open=0"),
    GET("note.txt"),
    GET("other.txt"),
    GET("write?which=0&len=600&step=33"),
    GET("write?which=0&len=600&step=33&stay=1"),
    GET("write?which=1&len=40&step=7"),
    {"GET /thread?len=500 HTTP/1.0\r\n\r\n", NULL, 0, NULL},
    {"GET /rerun?len=900 HTTP/1.0\r\n\r\n", NULL, 0, NULL},
    {"GET /index?len=700" HOST "Connection: close\r\n\r\n", NULL, 0, NULL},
    {"HEAD /rerun?len=900" HOST "\r\n", NULL, 0, NULL},
    {"HEAD /kept?len=300" HOST "\r\n", NULL, 0, NULL},
    {"HEAD /again?len=300" HOST "\r\n", NULL, 0, NULL},
    {"GET /note.txt" HOST "If-None-Match: *\r\n\r\n", NULL, 0, NULL},
    GET("thread?len=13"),
    GET("form?len=200&text=q"),
    {POST("form", FORM), "len=100&number=%2d1&text=abc+de", 0, NULL},
    {POST("form", FORM), "len=9&text=abcdefghijk", 5, NULL},
    {POST("form", FORM) EXPECT, "len=99", 0, NULL},
    {POST("upload", "text/plain"), "{300}$", 0, NULL},
    {POST("upload", "application/octet-stream") EXPECT, "{2000}$", 0, NULL},
    {POST("upload", "text/plain"), "{500}$", 37, NULL},
    {POST("upload", MULTIPART),
     "--b-b\r\n" PART("a") "\r\n{100}$\r\n--b-b\r\n" PART(
         "s") "Content-Type: text/plain\r\n\r\n{150}$\r\n--b-b--\r\n{22}",
     0, NULL},
    {POST("upload", MULTIPART) EXPECT, "{30}\r\n--b-b\r\n" PART("a") "\r\n{60}$\r\n--b-b--", 9, NULL},
    {POST("upload", "image/png"), "abc", 0, NULL},
    {POST("slow", "text/plain"), "{400}$", 0, NULL},
    {POST("whole", "text/plain"), "{200}$", 0, NULL},
    {POST("whole", MULTIPART), "--b-b\r\n" PART("a") "\r\n{30}$\r\n--b-b\r\n" PART("b") "\r\n{17}$\r\n--b-b--", 0,
     NULL},
    {POST("upload", "text/plain"), "{4001}", 0, NULL},
    {POST("kept", "text/plain"), "abcde", 0, "GET /kept?len=5" HOST "\r\n"},
    {"GET /kept?len=7" HOST "\r\nGET /rerun?len=200" HOST "\r\nGET /thread?len=300" HOST "\r\nGET /note.txt" HOST
     "\r\n",
     NULL, 0, NULL},
    {POST("slow", "text/plain"), "{60}$", 0, "GET /own" HOST "\r\n"},
    {POST("upload", "text/plain"), "{10}$", 3, POST("form", FORM) "Content-Length: 5\r\n\r\nlen=8"},
    GET("expensive?len=2500&cost_us=700000"),
    GET("expensive?len=2500"),
};
const uint8_t request_cnt = sizeof requests / sizeof *requests;

static uint8_t *put(uint8_t *to, const char *text)
{
    size_t len = strlen(text);
    memcpy(to, text, len);
    return to + len;
}

static uint16_t expand(uint8_t *to, const char *text)
{
    uint8_t *at = to;
    while (*text != 0) {
        if (*text != '{') {
            *at++ = (uint8_t)*text++;
            continue;
        }
        char *end;
        uint32_t cnt = (uint32_t)strtoul(text + 1, &end, 10);
        for (uint32_t i = 0; i < cnt; i++)
            *at++ = (uint8_t)sent_at(i);
        text = end + 1;
    }
    return (uint16_t)(at - to);
}

uint16_t request_build(uint8_t *to, uint8_t index)
{
    static uint8_t body[REQUEST_MAX];
    char number[40];
    index %= request_cnt;
    uint8_t *at = put(to, requests[index].head);
    if (requests[index].body != NULL) {
        uint16_t len = expand(body, requests[index].body), chunk = requests[index].chunk;
        snprintf(number, sizeof number, "Content-Length: %u\r\n\r\n", len);
        at = put(at, chunk != 0 ? "Transfer-Encoding: chunked\r\n\r\n" : number);
        for (uint16_t from = 0; from < len; from = (uint16_t)(from + chunk)) {
            uint16_t here = chunk != 0 && chunk < len - from ? chunk : (uint16_t)(len - from);
            snprintf(number, sizeof number, "%x;x=y\r\n", here);
            if (chunk != 0)
                at = put(at, number);
            memcpy(at, body + from, here);
            at += here;
            if (chunk == 0)
                break;
            at = put(at, "\r\n");
        }
        if (chunk != 0)
            at = put(at, "0\r\nTrailer: x\r\n\r\n");
    }
    if (requests[index].behind != NULL)
        at = put(at, requests[index].behind);
    return (uint16_t)(at - to);
}

// ------------------------------------------------------------------------------------------------ what is said

// Takes a number and the space after it. False: there is no number.
static bool number(const struct content *c, uint32_t *at, uint32_t *value)
{
    uint32_t from = *at;
    for (*value = 0; *at < c->len && c->octets[*at] >= '0' && c->octets[*at] <= '9'; ++*at)
        *value = *value * 10 + c->octets[*at] - '0';
    return *at != from && *at < c->len && c->octets[(*at)++] == ' ';
}

// True if the octets of a body arrived as they were sent, unless they were changed.
static bool is_kind(const struct content *c)
{
    if (c->octets[0] == 'u')
        for (uint8_t i = 0; i < CLIENTS; i++)
            if (clients[i].addr == c->addr && clients[i].port == c->port)
                return clients[i].mixed;
    return strchr(c->persistence == WHIT_STORED ? "N" : "KIVTORWXFUu", c->octets[0]) != NULL;
}

bool content_is_right(struct content *c)
{
    uint32_t at = 2, len;
    if (c->len == 0)
        return !c->ended;
    if (!is_kind(c))
        return false;
    if (!number(c, &at, &c->run) || !number(c, &at, &len) || at + 2 > c->len)
        return !c->ended;
    char letter = (char)c->octets[at];
    if (c->octets[1] != ' ' || c->octets[at + 1] != '\n' || (c->ended ? c->len != at + 2 + len : c->len > at + 2 + len))
        return false;
    at += 2;
    for (uint32_t i = 0; at + i < c->len; i++)
        if (letter == '*' ? c->octets[at + i] < 'a' || c->octets[at + i] > 'z'
                          : (char)c->octets[at + i] != said_at(letter, i))
            return false;
    return true;
}
