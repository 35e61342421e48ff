// SPDX-License-Identifier: MIT
// What the files that write a service's answer know of each other.
#ifndef WHIT_CONTENT_SERVICE_OUT_H
#define WHIT_CONTENT_SERVICE_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "content.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "whit/port.h"

extern uint8_t service_as;    // enum service_as of the function that runs
#define AS_TEXT (WHIT_HAS_FORM_CALLS && (WHIT_HAS_SOAP ? service_as == AS_LINES : service_as != AS_JSON))
#define AS_XML (WHIT_HAS_SOAP && (WHIT_HAS_SOAP_ALONE || service_as >= AS_SOAP_11))
#define IN_JSON (!AS_TEXT && !AS_XML)

// service_value.c
void say(const char *octets);    // in flash
#define SAY(octets)                                             \
    do {                                                        \
        static const char whit_text_here[] WHIT_FLASH = octets; \
        say(whit_text_here);                                    \
    } while (0)
const char *service_nth(const char *texts, uint8_t index);    // of texts in flash, each with a NUL
void say_character(uint8_t c);
void say_number(uint32_t number, uint8_t scale);
void say_value(const struct whit_value *value, const uint8_t *at);
void say_uri(uint8_t uri, uint8_t most);    // where WHIT_HAS_SIGNATURE: of enum wss_namespace, or as many octets of it

// Where WHIT_HAS_GIVES: whose functions give, and to whom; and whether all of them did.
void service_giving(const struct whit_service *service, struct args_t *args);
bool service_gave(void);
// service.c: the answer of a function, which may have been refused.
bool say_refusal(const struct whit_service *service, const struct args_t *args);    // false: it was not
void say_answer(const struct whit_service *service, char said, const void *result);
extern const char *service_why;    // of fault(), in flash; NULL: it was not called

// service_place.c; where WHIT_HAS_RECORDS. What is expected of the argument that was wrong, where it stands in records and arrays;
// its text begins behind its name, which say_place() says, until nothing is blamed any more. NULL: it has
// no such arguments.
const char *service_blames(const struct whit_service *service, const struct args_t *args);
void service_blames_none(void);
void say_place(void);          // points[3].x

// service_soap.c
void soap_element(const struct whit_value *value, const uint8_t *at);    // a single value with its tags
void soap_tag(const char *name, bool ends);
void soap_reply_begin(const struct whit_service *service);    // all before the result, ...
void soap_reply_end(const struct whit_service *service);      // ... and behind it
// service_signed.c; where WHIT_HAS_REPLIES
bool signed_envelope(uint8_t soap);    // an Envelope of that wss_namespace begins, up to its Body's tag; false: it is not signed
bool signed_envelope_end(void);
bool signed_again(void);       // what was said was hashed: it is to be said again

enum soap_code { SOAP_SENDER, SOAP_RECEIVER, SOAP_VERSION, SOAP_MUST };
void soap_fault(enum soap_code code, const char *before, const char *why);    // both in flash

#endif
