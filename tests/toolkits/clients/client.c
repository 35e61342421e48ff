// SPDX-License-Identifier: MIT
// client URL VERSION TEXT: calls the functions of apps/services and prints their results, as JSON. gSOAP's code for
// their WSDL is linked to it.
#include "soapH.h"
#include "thermostatSoap11.nsmap"
#include <stdio.h>
#include <string.h>

static void print_json(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

int main(int argc, char **argv)
{
    struct soap *soap;
    const char *url = argv[1], *action = NULL;    // the WSDL's
    struct _ns1__echo echo = {argv[3]};
    struct _ns1__echoResponse echoed;
    enum _ns1__temperature_unit unit = _ns1__temperature_unit__f;
    struct _ns1__temperature temperature = {&unit};
    struct _ns1__temperatureResponse measured;
    struct _ns1__set_USCOREpoints set = {"20.5", "16"}, wrong = {"31", "16"};
    struct _ns1__set_USCOREpointsResponse nothing;
    struct _ns1__points points = {0};
    struct _ns1__pointsResponse told;
    unsigned char newest = 16;
    struct _ns1__readings readings = {&newest};
    struct _ns1__readingsResponse read;

    if (argc != 4)
        return 2;
    if (strcmp(argv[2], "1.1") == 0) {    // its table begins with the namespaces of SOAP 1.2
        namespaces[0].ns = namespaces[0].in;
        namespaces[1].ns = namespaces[1].in;
    }
    soap = soap_new1(SOAP_C_UTFSTRING | SOAP_IO_KEEPALIVE);
    if (soap_call___ns1__echo(soap, url, action, &echo, &echoed) ||
        soap_call___ns1__temperature(soap, url, action, &temperature, &measured) ||
        soap_call___ns1__set_USCOREpoints(soap, url, action, &set, &nothing) ||
        soap_call___ns1__points(soap, url, action, &points, &told) ||
        soap_call___ns1__readings(soap, url, action, &readings, &read)) {
        soap_print_fault(soap, stderr);
        return 1;
    }
    printf("{\"echo\":");
    print_json(echoed.text);
    printf(",\"unit\":\"%s\",\"value\":%s", *measured.unit == _ns1__temperatureResponse_unit__f ? "f" : "c",
           measured.value);
    printf(",\"points\":[%s,%s],\"uptime_s\":%u,\"readings\":[", told.day, told.night, (unsigned)read.uptime_USCOREs);
    for (int i = 0; i < read.__sizereadings; i++)
        printf("%s[%u,%s]", i == 0 ? "" : ",", (unsigned)read.readings[i].at_USCOREs, read.readings[i].value);
    putchar(']');
    if (soap_call___ns1__set_USCOREpoints(soap, url, action, &wrong, &nothing) == SOAP_OK)
        return 1;
    printf(",\"fault\":");
    print_json(soap_fault_string(soap));
    printf(",\"code\":\"%s\"}\n", *soap_faultcode(soap));
    return 0;
}
