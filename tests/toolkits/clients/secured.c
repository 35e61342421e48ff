// SPDX-License-Identifier: MIT
// secured URL PASSWORD, or secured URL KEY CERTIFICATE: calls a function twice by gSOAP's plugin for WS-Security, as in
// its manual, and prints the results as JSON. Then it calls once with an expired Timestamp. The code that gSOAP made of
// the WSDLs of tests/apps/secured and tests/apps/signed is linked to it.
#include "soapH.h"
#include "lampSoap11.nsmap"
#include "wsseapi.h"
#include <openssl/pem.h>
#include <stdio.h>

struct answer {
    unsigned level, calls;
};

static const char *password;    // NULL: a key signs
static EVP_PKEY *key;
static X509 *certificate;

static int prove(struct soap *soap, int lasts_s)
{
    soap_wsse_delete_Security(soap);
    if (soap_wsse_add_Timestamp(soap, "Time", lasts_s) != SOAP_OK)
        return soap->error;
    if (password != NULL)
        return soap_wsse_add_UsernameTokenDigest(soap, "User", "alice", password);
    soap_wsse_add_BinarySecurityTokenX509(soap, "X509Token", certificate);
    soap_wsse_add_KeyInfo_SecurityTokenReferenceX509(soap, "#X509Token");
    return soap_wsse_sign_body(soap, SOAP_SMD_SIGN_RSA_SHA256, key, 0);
}

static int call(struct soap *soap, const char *url, unsigned char level, int lasts_s, struct answer *answer)
{
    struct _ns2__token token = {level};
    struct _ns2__tokenResponse proved;
    struct _ns1__get get = {level};
    struct _ns1__getResponse gave;

    if (prove(soap, lasts_s) != SOAP_OK)
        return soap->error;
    if (password != NULL) {
        if (soap_call___ns2__token(soap, url, NULL, &token, &proved) != SOAP_OK)
            return soap->error;
        *answer = (struct answer){proved.level, (unsigned)proved.calls};
    } else {
        if (soap_call___ns1__get(soap, url, NULL, &get, &gave) != SOAP_OK)
            return soap->error;
        *answer = (struct answer){gave.level, (unsigned)gave.calls};
    }
    return SOAP_OK;
}

static int read_key(const char *secret, const char *known)
{
    FILE *secret_file = fopen(secret, "r"), *known_file = fopen(known, "r");

    if (secret_file == NULL || known_file == NULL)
        return 0;
    key = PEM_read_PrivateKey(secret_file, NULL, NULL, NULL);
    certificate = PEM_read_X509(known_file, NULL, NULL, NULL);
    return key != NULL && certificate != NULL;
}

int main(int argc, char **argv)
{
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_IO_KEEPALIVE | SOAP_XML_CANONICAL);
    struct answer first, second, late;

    namespaces[0].ns = namespaces[0].in;    // SOAP 1.1
    namespaces[1].ns = namespaces[1].in;
    soap_set_namespaces(soap, namespaces);
    soap_ssl_init();
    if (argc == 3)
        password = argv[2];
    else if (argc != 4 || !read_key(argv[2], argv[3]))
        return 2;
    if (soap_register_plugin(soap, soap_wsse) != SOAP_OK || call(soap, argv[1], 40, 60, &first) != SOAP_OK ||
        call(soap, argv[1], 41, 60, &second) != SOAP_OK) {
        soap_print_fault(soap, stderr);
        return 1;
    }
    printf("{\"levels\":[%u,%u],\"calls\":[%u,%u]", first.level, second.level, first.calls, second.calls);
    if (call(soap, argv[1], 42, -5, &late) == SOAP_OK)
        return 1;
    printf(",\"code\":\"%s\"}\n", *soap_faultcode(soap));
    return 0;
}
