// SPDX-License-Identifier: MIT
// The TLS layer as BoGo's runner starts it: a program that connects to the runner's port, and is its server there. It
// echoes its input, each octet inverted. It ends with 0 on success. 1: failure, with the alert's number on stderr. 89:
// an option asks for a feature that the layer does not have.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/nonces.h"
#include "tls/tls.h"

#define NOT_OURS 89
#define HEARD_MAX 65536u
#define RECORD_MAX 1438
#define X25519 29
#define TLS_1_3 0x0304
#define ECDSA_P256 0x0403
#define AES_128_GCM 0x1301
#define CHACHA20_POLY1305 0x1303

// Requirements of an option for each connection: the first, and the resumed ones.
struct wanted {
    bool miss, reject_early, hrr, no_hrr;
};

static struct {
    const char *port;
    bool server, writes_first, shuts_down, early, our_curve, other_curves;
    int resume_cnt, read_size, record_len, later_s;
    int suite;              // expected suite; 0: any
    int alert;              // alert that the server ends with; -1: none
    struct wanted of[2];    // requirements of the first connection, of the others
} options = {.record_len = RECORD_MAX, .alert = -1};

static struct tls tls;
static struct tls_partial half;
static uint8_t heard[HEARD_MAX];
static uint32_t heard_len, verified_len;
static bool given_up;    // by an alert of the client

static _Noreturn void not_ours(const char *what)
{
    fprintf(stderr, "not implemented: %s\n", what);
    exit(NOT_OURS);
}

static _Noreturn void failed(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

// ------------------------------------------------------------------------------------------------ options

// Options without an effect: the layer always works in slices and with any split, has one version and one way through a
// handshake.
static const char *const idle_options[] = {
    "-async",
    "-implicit-handshake",
    "-no-tls1",
    "-no-tls11",
    "-no-tls12",
    "-write-different-record-sizes",
    "-partial-write",
    "-use-early-callback",
    "-no-op-extra-handshake",
    "-handshake-twice",
    "-server-preference",
    "-use-old-client-cert-callback",
    "-install-ddos-callback",
    "-peek-then-read",
    "-expect-no-session-id",
    "-expect-extended-master-secret",
    "-check-close-notify",
    "-expect-secure-renegotiation",
    "-reject-alpn",
};
// The same, with a value.
static const char *const idle_values[] = {
    "-trust-cert", "-expect-early-data-reason", "-ticket-key", "-min-version", "-host-name", "-srtp-profiles"};

static bool is_one_of(const char *name, const char *const *names, size_t cnt)
{
    for (size_t i = 0; i < cnt; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(name, names) is_one_of(name, names, sizeof(names) / sizeof *(names))

static void switch_on(const char *name, struct wanted *first, struct wanted *last)
{
    for (struct wanted *of = first; of <= last; of++) {
        if (strcmp(name, "-expect-session-miss") == 0)
            of->miss = true;
        else if (strcmp(name, "-expect-reject-early-data") == 0)
            of->reject_early = true;
        else if (strcmp(name, "-expect-hrr") == 0)
            of->hrr = true;
        else if (strcmp(name, "-expect-no-hrr") == 0)
            of->no_hrr = true;
        else
            not_ours(name);
    }
}

static void file_option(const char *name, const char *value)
{
    const char *file = strrchr(value, '/');
    file = file != NULL ? file + 1 : value;
    static const char *const like_ours[] = {"cert.pem", "key.pem", "ecdsa_p256_cert.pem", "ecdsa_p256_key.pem"};
    if (!IS_ONE_OF(file, like_ours))    // the first two are its defaults
        not_ours(name);
}

// Sets the suite that a machine with instructions for AES has to choose, or one without.
static void suite_option(const char *name, int suite, bool is_fast)
{
#if WHIT_HTTPS_AES
    bool mine = whit_gcm_is_fast() == is_fast;
#else
    bool mine = !is_fast;
#endif
    if (mine && suite != CHACHA20_POLY1305 && !(WHIT_HTTPS_AES && suite == AES_128_GCM))
        not_ours(name);
    if (mine)
        options.suite = suite;
}

// An option with a value. False: it has none.
static bool value_option(const char *name, const char *value)
{
    int number = value != NULL ? atoi(value) : 0;
    if (strcmp(name, "-port") == 0)
        options.port = value;
    else if (strcmp(name, "-resume-count") == 0)
        options.resume_cnt = number;
    else if (strcmp(name, "-read-size") == 0)
        options.read_size = number;
    else if (strcmp(name, "-resumption-delay") == 0)
        options.later_s = number;
    else if (strcmp(name, "-max-send-fragment") == 0)
        options.record_len = number < RECORD_MAX ? number : RECORD_MAX;
    else if (strcmp(name, "-send-alert") == 0)
        options.alert = number;
    else if (strcmp(name, "-key-file") == 0 || strcmp(name, "-cert-file") == 0)
        file_option(name, value);
    else if (strcmp(name, "-curves") == 0)
        options.other_curves |= number != X25519, options.our_curve |= number == X25519;
    else if (strcmp(name, "-expect-version") == 0 || strcmp(name, "-max-version") == 0)
        number == TLS_1_3 ? (void)0 : not_ours(name);
    else if (strcmp(name, "-expect-curve-id") == 0)
        number == X25519 ? (void)0 : not_ours(name);
    else if (strcmp(name, "-signing-prefs") == 0)
        number == ECDSA_P256 ? (void)0 : not_ours(name);
    else if (strcmp(name, "-expect-cipher-aes") == 0)
        suite_option(name, number, true);
    else if (strcmp(name, "-expect-cipher-no-aes") == 0)
        suite_option(name, number, false);
    else
        return IS_ONE_OF(name, idle_values);
    return true;
}

static void read_options(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        const char *name = words[i];
        struct wanted *first = &options.of[0], *last = &options.of[1];
        if (strncmp(name, "-on-initial", 11) == 0)
            last = first, name += 11;
        else if (strncmp(name, "-on-resume", 10) == 0)
            first = last, name += 10;
        if (strcmp(name, "-is-handshaker-supported") == 0) {
            puts("No");
            exit(0);
        }
        if (strcmp(name, "-server") == 0)
            options.server = true;
        else if (strcmp(name, "-shim-writes-first") == 0)
            options.writes_first = true;
        else if (strcmp(name, "-shim-shuts-down") == 0)
            options.shuts_down = true;
        else if (strcmp(name, "-enable-early-data") == 0)
            options.early = true;
        else if (value_option(name, i + 1 < count ? words[i + 1] : NULL))
            i++;
        else if (!IS_ONE_OF(name, idle_options))
            switch_on(name, first, last);
    }
    if (!options.server)
        not_ours("a client");
    if (options.other_curves && !options.our_curve)
        not_ours("-curves");
    if (options.early && !options.of[1].reject_early)
        not_ours("early data that is accepted");
    if (options.port == NULL || options.record_len < TLS_RECORD_MIN)
        not_ours("-port, or so small a record");
}

// ------------------------------------------------------------------------------------------------ the connection

static int connect_to(const char *port)
{
    struct sockaddr_in6 six = {
        .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)atoi(port)), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr_in four = {
        .sin_family = AF_INET, .sin_port = six.sin6_port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int made = socket(AF_INET6, SOCK_STREAM, 0);
    if (made >= 0 && connect(made, (struct sockaddr *)&six, sizeof six) == 0)
        return made;
    close(made);
    made = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(made, (struct sockaddr *)&four, sizeof four) != 0)
        failed("nobody listens at -port");
    return made;
}

// The runner may have gone: it reports the result itself.
static void send_all(int to, const uint8_t *octets, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(to, octets, len, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        octets += sent;
        len -= (size_t)sent;
    }
}

static void send_out(int to, uint32_t now_s)
{
    uint8_t record[RECORD_MAX + TLS_AROUND];
    while (tls.kept.phase == TLS_HEARD)
        tls_work(&tls, now_s);
    uint16_t len = tls_out_len(&tls);
    for (uint16_t at = 0; at < len;) {
        uint16_t place = at, all = tls_out_record(&tls, &place, record);
        send_all(to, record + place, all - place);
        at += all - place;
    }
    if (len > 0)
        tls_out_end(&tls);
}

static void respond(int to, const uint8_t *octets, uint32_t len)
{
    uint8_t record[RECORD_MAX + TLS_AROUND];
    for (uint32_t at = 0, index = 0; at < len; index++) {
        uint16_t part = len - at < tls_record_len(&tls) ? (uint16_t)(len - at) : tls_record_len(&tls);
        memcpy(record + TLS_HEADER, octets + at, part);
        send_all(to, record, tls_seal(&tls, index, record, part));
        at += part;
    }
    tls_response_end(&tls, len, 0);
}

// Echoes verified content, inverted.
static void echo(int to)
{
    for (uint32_t i = 0; i < verified_len; i++)
        heard[i] ^= 0xff;
    respond(to, heard, verified_len);
    heard_len = verified_len = 0;
}

static void note(const struct tls_got *got)
{
    if (got->event == TLS_TEXT) {
        for (uint32_t i = 0; i < (uint32_t)got->len + got->zeros; i++) {
            bool zero = i >= got->zeros_at && i < (uint32_t)got->zeros_at + got->zeros;
            if (heard_len < HEARD_MAX)
                heard[heard_len++] = zero ? 0 : got->text[i < got->zeros_at ? i : i - got->zeros];
        }
    }
    if (got->event == TLS_RECORD)
        verified_len = heard_len;
    if (got->event == TLS_FORGET)
        heard_len = verified_len;
}

static void check_handshake(bool again)
{
    const struct wanted *of = &options.of[again];
    if (tls.resumed != (again && !of->miss))
        failed(again ? "it was not resumed as expected" : "a first connection was resumed");
    if ((of->hrr && !tls.retried) || (of->no_hrr && tls.retried))
        failed("HelloRetryRequest was not sent as expected");
    if (options.suite != 0 && options.suite != (tls_by_aes(&tls) ? AES_128_GCM : CHACHA20_POLY1305))
        failed("another suite was expected");
}

static void just_opened(int to, bool again)
{
    check_handshake(again);
    if (options.alert >= 0)
        tls_close(&tls, (uint8_t)options.alert);
    else if (options.writes_first)
        respond(to, (const uint8_t *)"hello", 5);
    else if (options.shuts_down)
        tls_close(&tls, TLS_CLOSE_NOTIFY);
}

// Octets as they came, in pieces that differ from case to case. False: it is over.
static bool take(int to, const uint8_t *octets, size_t len, bool again, uint32_t now_s)
{
    static const uint16_t sizes[] = {1460, 1, 64, 7, 536, 3, 200};
    static uint8_t turn;
    while (len > 0 && tls.kept.phase != TLS_CLOSED) {
        struct tls_got got;
        size_t size =
            options.read_size > 0 ? (size_t)options.read_size : sizes[turn++ % (sizeof sizes / sizeof *sizes)];
        bool was_open = tls.kept.phase == TLS_OPEN;
        uint16_t taken = tls_in(&tls, &half, octets, (uint16_t)(len < size ? len : size), &got);
        octets += taken;
        len -= taken;
        note(&got);
        if (!was_open && tls.kept.phase == TLS_OPEN)
            just_opened(to, again);
        given_up = tls.kept.phase == TLS_CLOSED && tls.kept.out == TLS_NOTHING;
        send_out(to, now_s);
        if (verified_len > 0 && tls.kept.phase == TLS_OPEN)
            echo(to);
        else if (taken == 0 && tls.kept.phase != TLS_CLOSED)
            failed("nothing is taken any more");
    }
    return tls.kept.phase != TLS_CLOSED;
}

// Reads up to the runner's end, so that it receives the alert, not a RST.
static void drain(int from)
{
    uint8_t octets[4096];
    shutdown(from, SHUT_WR);
    while (recv(from, octets, sizeof octets, 0) > 0)
        continue;
    close(from);
}

static void serve(bool again)
{
    uint8_t octets[20000];
    int with = connect_to(options.port);
    uint32_t now_s = 1000 + (again ? (uint32_t)options.later_s : 0);
    ssize_t len;
    tls_open(&tls, (uint16_t)options.record_len);
    memset(&half, 0, sizeof half);
    heard_len = verified_len = 0;
    while ((len = recv(with, octets, sizeof octets, 0)) > 0)
        if (!take(with, octets, (size_t)len, again, now_s))
            break;
    drain(with);
    if (given_up)
        failed("the client's alert");
    if (tls.kept.phase == TLS_CLOSED && tls.kept.alert != TLS_CLOSE_NOTIFY) {
        fprintf(stderr, "alert %u\n", tls.kept.alert);
        exit(1);
    }
    if (tls.kept.phase < TLS_OPEN)
        failed("the client left amid the handshake");
}

int main(int count, char **words)
{
    read_options(count, words);
    tls_start();
    for (int i = 0; i <= options.resume_cnt; i++)
        serve(i > 0);
    if (whit_nonces.broken_cnt > 0)
        failed("a number of a key sealed two texts");
    return 0;
}
