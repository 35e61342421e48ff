// SPDX-License-Identifier: MIT
// The services of lab/device as soapcpp2 reads them: document/literal, the same messages.
//gsoap ns service name: device
//gsoap ns service namespace: urn:whit:device
//gsoap ns schema namespace: urn:whit:device
//gsoap ns schema form: qualified
//gsoap ns service style: document
//gsoap ns service encoding: literal

struct ns__echoResponse {
    int value;
};
int ns__echo(int value, struct ns__echoResponse *result);

enum ns__unit { c, f };
struct ns__temperatureResponse {
    double value;
};
int ns__temperature(enum ns__unit unit, struct ns__temperatureResponse *result);
