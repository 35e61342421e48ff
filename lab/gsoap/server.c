// SPDX-License-Identifier: MIT
// gSOAP's own server with the services of lab/device, one connection after the other, as its manual has it:
//   server PORT CONNECTIONS     on 127.0.0.1; 0 connections: until it is ended
//   server PORT 0 PEM           the same by TLS, with a key and its certificate
//   server                      for one request, as a CGI of another server
// Made with SECURED, of secured.h, by gSOAP's plugin for WS-Security, as its manual has it:
//   server PORT CONNECTIONS digest             a UsernameToken with a digest of "secret"
//   server PORT CONNECTIONS signed CERTIFICATE Body and Timestamp signed with SHA-256, by ECDSA or RSA, as the
//                                              certificate's key is; replies are not signed
// WHIT_SENSOR in the environment: the serial line of the sensor.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "soapH.h"
#include "device.nsmap"
#ifdef SECURED
#include <openssl/pem.h>
#include <string.h>
#include "wsseapi.h"

static EVP_PKEY *signer;    // NULL: callers prove that they know the password
#endif

// Checks that the caller may call; otherwise sets the fault.
static int admit(struct soap *soap)
{
#ifdef SECURED
    const char *name;
    if (signer != NULL) {
        if (soap_wsse_verify_Timestamp(soap) != SOAP_OK || soap_wsse_verify_body(soap) != SOAP_OK)
            return soap->error;
    } else {
        name = soap_wsse_get_Username(soap);
        if (name == NULL || strcmp(name, "alice") != 0)
            return soap_wsse_fault(soap, wsse__FailedAuthentication, NULL);
        if (soap_wsse_verify_Password(soap, "secret") != SOAP_OK)
            return soap->error;
    }
    soap_wsse_delete_Security(soap);    // the reply has none
    return SOAP_OK;
#else
    (void)soap;
    return SOAP_OK;
#endif
}

int ns__echo(struct soap *soap, int value, struct ns__echoResponse *result)
{
    result->value = value;
    return admit(soap);
}

// Tenths of a degree, or a negative number.
static int sense(void)
{
    const char *line = getenv("WHIT_SENSOR");
    char said[8];
    ssize_t len = -1;
    int sensor = line != NULL ? open(line, O_RDWR | O_NOCTTY) : -1;

    if (sensor >= 0 && write(sensor, "?", 1) == 1)
        len = read(sensor, said, sizeof said - 1);
    if (sensor >= 0)
        close(sensor);
    if (len <= 0)
        return -1;
    said[len] = '\0';
    return atoi(said);
}

int ns__temperature(struct soap *soap, enum ns__unit unit, struct ns__temperatureResponse *result)
{
    int tenths;

    if (admit(soap) != SOAP_OK)
        return soap->error;
    tenths = sense();
    if (tenths < 0)
        return soap_receiver_fault(soap, "no answer from the sensor", NULL);
    result->value = unit == c ? tenths / 10.0 : tenths * 0.18 + 32;
    return SOAP_OK;
}

static int serve(struct soap *soap, const char *pem)
{
#ifdef SECURED
    (void)pem;
    if (signer != NULL)
        soap_wsse_verify_auto(
            soap, EVP_PKEY_base_id(signer) == EVP_PKEY_RSA ? SOAP_SMD_VRFY_RSA_SHA256 : SOAP_SMD_VRFY_ECDSA_SHA256,
            signer, 0);
#elif defined(WITH_OPENSSL)
    if (pem != NULL && soap_ssl_accept(soap) != SOAP_OK)
        return soap->error;
#else
    (void)pem;
#endif
    return soap_serve(soap);
}

#ifdef SECURED
// Configures how callers authenticate. False: wrong arguments.
static int secure(struct soap *soap, int argc, char **argv)
{
    int is_signed = argc == 5 && strcmp(argv[3], "signed") == 0;
    FILE *file = is_signed ? fopen(argv[4], "r") : NULL;
    X509 *certificate = file != NULL ? PEM_read_X509(file, NULL, NULL, NULL) : NULL;

    if (certificate != NULL)
        signer = X509_get_pubkey(certificate);
    return soap_register_plugin(soap, soap_wsse) == SOAP_OK &&
           (signer != NULL || (argc == 4 && strcmp(argv[3], "digest") == 0));
}
#endif

int main(int argc, char **argv)
{
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING);
    const char *pem = argc > 3 ? argv[3] : NULL;

    soap->double_format = "%.1f";
    if (argc < 3)
        return soap_serve(soap);
#ifdef SECURED
    soap_ssl_init();
    if (!secure(soap, argc, argv)) {
        fprintf(stderr, "server: expected PORT CONNECTIONS digest, or signed and a certificate\n");
        return 2;
    }
#elif defined(WITH_OPENSSL)
    soap_ssl_init();
    if (pem != NULL && soap_ssl_server_context(soap, SOAP_TLSv1_3, pem, "", NULL, NULL, NULL, NULL, NULL) != SOAP_OK) {
        soap_print_fault(soap, stderr);
        return 1;
    }
#endif
    soap->bind_flags = SO_REUSEADDR;
    if (!soap_valid_socket(soap_bind(soap, "127.0.0.1", atoi(argv[1]), 100))) {
        soap_print_fault(soap, stderr);
        return 1;
    }
    for (int left = atoi(argv[2]), forever = left == 0; forever || left > 0; left--) {
        if (!soap_valid_socket(soap_accept(soap)))
            return 1;
        serve(soap, pem);
        soap_destroy(soap);
        soap_end(soap);
    }
    return 0;
}
