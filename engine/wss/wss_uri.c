// SPDX-License-Identifier: MIT
// A message that is hashed has no other namespaces than these, and those of the services.
#include <stddef.h>

#include "wss_signed.h"
#include "wss_uri.h"

// What URIs begin with, and what stands for it.
static const char oasis[] WHIT_FLASH = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-";
static const char w3[] WHIT_FLASH = "http://www.w3.org/";
#define OASIS "\001"
#define W3 "\002"
enum { STANDS_FOR_OASIS = 1, STANDS_FOR_W3 };

// In the order of enum wss_namespace, each with a NUL.
static const char uris[] WHIT_FLASH =
    "\0"
    OASIS "secext-1.0.xsd\0"
    OASIS "utility-1.0.xsd\0"
    W3 "2000/09/xmldsig#\0"
    W3 "2001/10/xml-exc-c14n#\0"
    "http://schemas.xmlsoap.org/soap/envelope/\0"
    W3 "2003/05/soap-envelope\0"
    W3 "2001/XMLSchema-instance\0"
    W3 "2001/XMLSchema\0"
    W3 "2005/08/addressing\0"
    W3 "XML/1998/namespace\0"
    W3 "2000/09/xmldsig#enveloped-signature\0"
    W3 "2001/04/xmlenc#sha256\0"
    W3 "2001/04/xmldsig-more#ecdsa-sha256\0"
    "\0"
#if WHIT_HAS_RSA
    W3 "2001/04/xmldsig-more#rsa-sha256"
#endif
    ;

static const uint8_t *octets_of(const char *text) { return (const uint8_t *)text; }

static const uint8_t *behind(const uint8_t *text)
{
    while (whit_flash_u8(text++) != 0) {
    }
    return text;
}

static const uint8_t *beginning(uint8_t octet) { return octets_of(octet == STANDS_FOR_OASIS ? oasis : w3); }

struct wss_uri wss_uri_text(uint8_t uri)
{
    struct wss_uri text = {octets_of(uris), NULL};
    if (uri >= WSS_SERVICES)
        text.at = octets_of(whit_flash_ptr(&whit_wss_namespaces[uri - WSS_SERVICES]));
    else
        for (; uri != 0; uri--)
            text.at = behind(text.at);
    return text;
}

uint8_t wss_uri_octet(struct wss_uri *uri)
{
    uint8_t octet = whit_flash_u8(uri->at++);
    if (octet == 0 && uri->then != NULL) {
        uri->at = uri->then;
        uri->then = NULL;
        octet = whit_flash_u8(uri->at++);
    } else if (octet != 0 && octet <= STANDS_FOR_W3) {
        uri->then = uri->at;
        uri->at = beginning(octet);
        octet = whit_flash_u8(uri->at++);
    }
    return octet;
}

// Where a text goes on that begins with the octets of another; NULL: it does not.
static const uint8_t *rest_of(const uint8_t *text, const uint8_t *first)
{
    uint8_t octet;
    for (; (octet = whit_flash_u8(first)) != 0; first++)
        if (octet != *text++)
            return NULL;
    return text;
}

static bool is_text(const uint8_t *text, const uint8_t *known)
{
    const uint8_t *rest = rest_of(text, known);
    return rest != NULL && *rest == 0;
}

uint8_t wss_uri_of(const char *text)
{
    const uint8_t *known = octets_of(uris), *rest = octets_of(text);
    uint8_t octet = 0, uri = WSS_WSSE, end = (uint8_t)(WSS_SERVICES + whit_flash_u8(&whit_wss_namespace_cnt));
    for (uint8_t one = STANDS_FOR_OASIS; one <= STANDS_FOR_W3; one++) {
        const uint8_t *begun = rest_of(octets_of(text), beginning(one));
        if (begun != NULL) {
            octet = one;
            rest = begun;
        }
    }
    for (; uri < WSS_SERVICES; uri++) {
        known = behind(known);
        if (octet != 0 ? whit_flash_u8(known) == octet && is_text(rest, known + 1) : is_text(rest, known))
            return uri;
    }
    for (; uri < end; uri++)
        if (is_text(octets_of(text), wss_uri_text(uri).at))
            return uri;
    return WSS_OTHER;
}

int8_t wss_uri_compare(uint8_t one, uint8_t other)
{
    struct wss_uri a = wss_uri_text(one), b = wss_uri_text(other);
    uint8_t octet, beside;
    while ((octet = wss_uri_octet(&a)) == (beside = wss_uri_octet(&b)) && octet != 0) {
    }
    return octet < beside ? -1 : octet > beside;
}
