// SPDX-License-Identifier: MIT
// A message that is hashed has no other namespaces than these, and those of the services.
#include "wss_signed.h"
#include "wss_uri.h"

static const char uri_empty[] WHIT_FLASH = "";
#define URI(name, text) static const char uri_##name[] WHIT_FLASH = text
URI(wsse, "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd");
URI(wsu, "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd");
URI(ds, "http://www.w3.org/2000/09/xmldsig#");
URI(exc, "http://www.w3.org/2001/10/xml-exc-c14n#");
URI(soap11, "http://schemas.xmlsoap.org/soap/envelope/");
URI(soap12, "http://www.w3.org/2003/05/soap-envelope");
URI(xsi, "http://www.w3.org/2001/XMLSchema-instance");
URI(xsd, "http://www.w3.org/2001/XMLSchema");
URI(wsa, "http://www.w3.org/2005/08/addressing");
URI(xml, "http://www.w3.org/XML/1998/namespace");

static const char *const uris[WSS_SERVICES] WHIT_FLASH = {
    uri_empty, uri_wsse, uri_wsu, uri_ds, uri_exc, uri_soap11, uri_soap12, uri_xsi, uri_xsd, uri_wsa, uri_xml, uri_empty,
};

const char *wss_uri_text(uint8_t uri)
{
    const char *const *from = uri < WSS_SERVICES ? &uris[uri] : &whit_wss_namespaces[uri - WSS_SERVICES];
    return whit_flash_ptr(from);
}

static uint8_t uri_octet(const char *text) { return whit_flash_u8((const uint8_t *)text); }

uint8_t wss_uri_of(const char *text)
{
    uint8_t uri = WSS_WSSE, end = (uint8_t)(WSS_SERVICES + whit_flash_u8(&whit_wss_namespace_cnt));
    for (; uri < end; uri++) {
        const char *known = wss_uri_text(uri), *at = text;
        uint8_t octet;
        while ((octet = uri_octet(known)) != 0 && octet == (uint8_t)*at) {
            known++;
            at++;
        }
        if (octet == 0 && *at == 0)
            return uri;
    }
    return WSS_OTHER;
}

int8_t wss_uri_compare(uint8_t one, uint8_t other)
{
    const char *a = wss_uri_text(one), *b = wss_uri_text(other);
    uint8_t octet, beside;
    while ((octet = uri_octet(a++)) == (beside = uri_octet(b++)) && octet != 0) {
    }
    return octet < beside ? -1 : octet > beside;
}
