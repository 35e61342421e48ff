// SPDX-License-Identifier: MIT
// records URL: calls the function of tests/apps/records, whose arguments are arrays and records, and prints its result
// as JSON; then once with a fourth point. gSOAP's code for its WSDL is linked to it.
#include "soapH.h"
#include "deviceSoap11.nsmap"
#include <stdio.h>

int main(int argc, char **argv)
{
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_IO_KEEPALIVE);
    char *weights[] = {"-0.5", "12"}, *tags[] = {"<a>", "\xc3\xa4"};
    enum _ns1__draw_marks mark = _ns1__draw_marks__o;
    enum xsd__boolean ends[] = {xsd__boolean__true_, xsd__boolean__false_};
    enum _ns1__draw_points_ink_colour blue = _ns1__draw_points_ink_colour__blue;
    unsigned char octets[] = {0, 254, 255}, y = 9;
    struct xsd__base64Binary key = {octets, sizeof octets};
    struct _ns1__draw_origin origin = {-70000};
    struct _ns1__draw_points points[4] = {{-300, &y, 2, ends, {&blue, NULL, &key}},
                                          {1, NULL, 0, NULL, {NULL, NULL, NULL}}};
    struct _ns1__draw draw = {NULL, 2, weights, 2, tags, 1, &mark, 2, points, &origin};
    struct _ns1__drawResponse drawn;

    if (argc != 2)
        return 2;
    if (soap_call___ns1__draw(soap, argv[1], NULL, &draw, &drawn) != SOAP_OK) {
        soap_print_fault(soap, stderr);
        return 1;
    }
    printf("{\"weights\":[%s,%s],\"tags\":[\"%s\",\"%s\"],\"marks\":[\"%c\"],\"z\":%d,\"points\":[", drawn.weights[0],
           drawn.weights[1], drawn.tags[0], drawn.tags[1], drawn.marks[0], drawn.origin.z);
    for (int i = 0; i < drawn.__sizepoints; i++) {
        struct _ns1__drawResponse_points *point = &drawn.points[i];
        printf("%s{\"x\":%d,\"y\":%d,\"ends\":%d,\"colour\":%d,\"key\":[", i == 0 ? "" : ",", point->x, point->y,
               point->__sizeends, (int)*point->ink.colour);
        for (int j = 0; j < point->ink.key.__size; j++)
            printf("%s%u", j == 0 ? "" : ",", point->ink.key.__ptr[j]);
        printf("]}");
    }
    draw.__sizepoints = 4;
    if (soap_call___ns1__draw(soap, argv[1], NULL, &draw, &drawn) == SOAP_OK)
        return 1;
    printf("],\"fault\":\"%s\"}\n", soap_fault_string(soap));
    return 0;
}
