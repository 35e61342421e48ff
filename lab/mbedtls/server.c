// SPDX-License-Identifier: MIT
// Mbed TLS as a server of one file of 600 octets, on the standard input and output: one connection, kept alive. TLS 1.3
// with the suite and the curves that Whit has. callgrind counts measured_handshake() and measured_request() by
// --toggle-collect.
//   server CERTIFICATE KEY FILE WHICH    WHICH: the request that is measured, from 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mbedtls/pk.h>
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>
#include <psa/crypto.h>

#define CONTENT_LEN 600
#define REQUEST_MAX 2048
static unsigned char response[256 + CONTENT_LEN];
static size_t response_len;

// The same each time, and cheap.
static int give_random(void *context, unsigned char *to, size_t len)
{
    static unsigned seed = 1;
    (void)context;
    while (len-- > 0) {
        seed = seed * 1664525u + 1013904223u;
        *to++ = (unsigned char)(seed >> 24);
    }
    return 0;
}

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context, uint8_t *to, size_t size,
                                             size_t *length)
{
    (void)context;
    *length = size;
    return give_random(NULL, to, size) == 0 ? PSA_SUCCESS : PSA_ERROR_INSUFFICIENT_ENTROPY;
}

static int send_octets(void *context, const unsigned char *octets, size_t len)
{
    (void)context;
    ssize_t sent = write(STDOUT_FILENO, octets, len);
    return sent > 0 ? (int)sent : MBEDTLS_ERR_SSL_INTERNAL_ERROR;
}

static int receive_octets(void *context, unsigned char *to, size_t len)
{
    (void)context;
    ssize_t received = read(STDIN_FILENO, to, len);
    return received > 0 ? (int)received : MBEDTLS_ERR_SSL_CONN_EOF;
}

__attribute__((noinline)) int measured_handshake(mbedtls_ssl_context *ssl)
{
    return mbedtls_ssl_handshake(ssl);
}

// Reads a request to its end, and answers it. Returns whether there was one.
static inline int serve(mbedtls_ssl_context *ssl)
{
    static unsigned char request[REQUEST_MAX];
    size_t len = 0, sent = 0;

    while (len < 4 || memcmp(request + len - 4, "\r\n\r\n", 4) != 0) {
        int got = mbedtls_ssl_read(ssl, request + len, sizeof request - len);
        if (got <= 0)
            return 0;
        len += (size_t)got;
    }
    if (memcmp(request, "GET /600.bin ", 13) != 0)
        return 0;
    while (sent < response_len) {
        int put = mbedtls_ssl_write(ssl, response + sent, response_len - sent);
        if (put <= 0)
            return 0;
        sent += (size_t)put;
    }
    return 1;
}

__attribute__((noinline)) int measured_request(mbedtls_ssl_context *ssl)
{
    return serve(ssl);
}

static int make_response(const char *path)
{
    int head = snprintf((char *)response, sizeof response - CONTENT_LEN,
                        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n",
                        CONTENT_LEN);
    FILE *file = fopen(path, "rb");
    size_t len = file != NULL ? fread(response + head, 1, CONTENT_LEN, file) : 0;

    if (file != NULL)
        fclose(file);
    response_len = (size_t)head + CONTENT_LEN;
    return len == CONTENT_LEN;
}

#define MUST(what)                                                     \
    do {                                                               \
        int error = (what);                                            \
        if (error != 0) {                                              \
            fprintf(stderr, "%s: -0x%04x\n", #what, (unsigned)-error); \
            return 1;                                                  \
        }                                                              \
    } while (0)

int main(int argc, char **argv)
{
    static const int suites[] = {MBEDTLS_TLS1_3_CHACHA20_POLY1305_SHA256, 0};
    static const uint16_t groups[] = {MBEDTLS_SSL_IANA_TLS_GROUP_X25519, MBEDTLS_SSL_IANA_TLS_GROUP_NONE};
    static mbedtls_x509_crt certificate;
    static mbedtls_pk_context key;
    static mbedtls_ssl_config settings;
    static mbedtls_ssl_context ssl;

    if (argc != 5 || !make_response(argv[3])) {
        fprintf(stderr, "usage: server CERTIFICATE KEY FILE WHICH: expected a file of %d octets\n", CONTENT_LEN);
        return 2;
    }
    mbedtls_x509_crt_init(&certificate);
    mbedtls_pk_init(&key);
    mbedtls_ssl_config_init(&settings);
    mbedtls_ssl_init(&ssl);
    MUST(psa_crypto_init());
    MUST(mbedtls_x509_crt_parse_file(&certificate, argv[1]));
    MUST(mbedtls_pk_parse_keyfile(&key, argv[2], NULL, give_random, NULL));
    MUST(mbedtls_ssl_config_defaults(&settings, MBEDTLS_SSL_IS_SERVER, MBEDTLS_SSL_TRANSPORT_STREAM,
                                     MBEDTLS_SSL_PRESET_DEFAULT));
    mbedtls_ssl_conf_rng(&settings, give_random, NULL);
    mbedtls_ssl_conf_min_tls_version(&settings, MBEDTLS_SSL_VERSION_TLS1_3);
    mbedtls_ssl_conf_ciphersuites(&settings, suites);
    mbedtls_ssl_conf_groups(&settings, groups);
    MUST(mbedtls_ssl_conf_own_cert(&settings, &certificate, &key));
    MUST(mbedtls_ssl_setup(&ssl, &settings));
    mbedtls_ssl_set_bio(&ssl, NULL, send_octets, receive_octets, NULL);
    MUST(measured_handshake(&ssl));
    for (int number = 0;; number++)
        if (!(number == atoi(argv[4]) ? measured_request(&ssl) : serve(&ssl)))
            return 0;
}
