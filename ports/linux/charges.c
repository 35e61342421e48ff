// SPDX-License-Identifier: MIT
#include "charges.h"

#ifdef WHIT_METER
#include <stdio.h>
#include <string.h>

#include "whit/engine.h"

#if WHIT_TLS
#include "whit/crypto.h"

// The meter of nonces is for tests, and remembers too much for a server: ports/common/nonces.c.
void whit_meter_sealed(const struct whit_aead_key *key, const uint8_t *text, uint16_t len);
void whit_meter_once(const uint8_t of[32]);
void whit_meter_sealed(const struct whit_aead_key *key, const uint8_t *text, uint16_t len)
{
    (void)key;
    (void)text;
    (void)len;
}
void whit_meter_once(const uint8_t of[32])
{
    (void)of;
}
#endif

static double mean(const struct whit_meter_resource *resource, enum whit_meter_class kind)
{
    return (double)resource->charge[kind] / resource->response_cnt / 1000;
}

void charges_print(const char *urls)
{
    printf("%-24s %9s %9s %13s %9s\n", "octet seconds held, mean", "responses", "content", "rerun points", "request");
    for (int i = 0; i < WHIT_METER_RESOURCES && *urls != '\0'; i++) {
        const struct whit_meter_resource *resource = &whit_meter_resources[i];
        int len = (int)strcspn(urls, "\n");
        if (resource->response_cnt != 0)
            printf("%-24.*s %9u %9.2f %13.2f %9.2f\n", len, urls, resource->response_cnt,
                   mean(resource, WHIT_METER_CONTENT), mean(resource, WHIT_METER_POINTS),
                   mean(resource, WHIT_METER_REQUEST));
        urls += urls[len] == '\n' ? len + 1 : len;
    }
}
#else
void charges_print(const char *urls)
{
    (void)urls;
}
#endif
