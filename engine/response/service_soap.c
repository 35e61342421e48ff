// SPDX-License-Identifier: MIT
// SOAP around a result, and its faults (SOAP 1.1 section 4.4, SOAP 1.2 part 1 section 5.4).
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../wss/wss.h"
#include "whit/app.h"
#include "whit/port.h"

static void soap_tag_part(const char *name, const char *behind)
{
    say(name);
    say(behind);
}

void soap_tag(const char *name, bool ends)
{
    static const char end[] WHIT_FLASH = ">";
    if (ends)
        SAY("</");
    else
        out_c('<');
    soap_tag_part(name, end);
}

// Ends an element without content. Signed output is canonical: without tags of empty elements.
#if WHIT_HAS_REPLIES
#define EMPTY_END(name) "></" name ">"
#define NIL_END ">"
#else
#define EMPTY_END(name) "/>"
#define NIL_END "/>"
#endif
// Writes an element. A word out of range is nil (XML Schema 1.1 part 1, section 2.7.2).
void soap_element(const struct whit_value *value, const uint8_t *at)
{
    static const char nil[] WHIT_FLASH =
        " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"true\"" NIL_END;
    const char *name = whit_flash_ptr(&value->name);
    if (WHIT_HAS_WORDS && whit_flash_u8(&value->type) == WHIT_ENUM && *at >= whit_flash_u8(&value->scale)) {
        out_c('<');
        soap_tag_part(name, nil);
        if (WHIT_HAS_REPLIES)
            soap_tag(name, true);
        return;
    }
    soap_tag(name, false);
    say_value(value, at);
    soap_tag(name, true);
}

// Texts that differ between the versions, each with a NUL: first SOAP 1.1, then SOAP 1.2.
enum soap_piece {
    PIECE_SPACE = 1,
    PIECE_CODE,
    PIECE_SUBCODE,
    PIECE_SENDER,
    PIECE_RECEIVER,
    PIECE_CODE_END,
    PIECE_SUBCODE_END,
    PIECE_REASON,
    PIECE_REASON_END,
    PIECE_DETAIL
};
#define SAID_SPACE "\1"
#define SAID_CODE "\2"
#define SAID_SUBCODE "\3"
#define SAID_CODE_END "\6"
#define SAID_SUBCODE_END "\7"
#define SAID_REASON "\10"
#define SAID_REASON_END "\11"
#define SAID_DETAIL "\12"
#if WHIT_HAS_SIGNATURE    // signature.c has these URIs
#define SPACE_11 ""
#define SPACE_12 ""
#else
#define SPACE_11 "schemas.xmlsoap.org/soap/envelope/"
#define SPACE_12 "www.w3.org/2003/05/soap-envelope"
#endif
static const char pieces_11[] WHIT_FLASH = SPACE_11 "\0"
                                                    "<faultcode\0"
                                                    "\0"
                                                    "Client\0"
                                                    "Server\0"
                                                    "\0"
                                                    "\0"
                                                    "</faultcode><faultstring>\0"
                                                    "</faultstring>\0"
                                                    "<detail" EMPTY_END("detail");
static const char pieces_12[] WHIT_FLASH = SPACE_12 "\0"
                                                    "<s:Code><s:Value\0"
                                                    ">s:Sender</s:Value><s:Subcode><s:Value\0"
                                                    "Sender\0"
                                                    "Receiver\0"
                                                    "</s:Value>\0"
                                                    "</s:Subcode>\0"
                                                    "</s:Code><s:Reason><s:Text xml:lang=\"en\">\0"
                                                    "</s:Text></s:Reason>\0";

static void say_piece(uint8_t piece)
{
    say(service_nth(service_as == AS_SOAP_12 ? pieces_12 : pieces_11, (uint8_t)(piece - 1)));
}

// A text in flash, in which a control character is a piece.
static void say_pieces(const char *text)
{
    for (uint8_t c; (c = whit_flash_u8((const uint8_t *)text)) != 0; text++)
        if (c < ' ')
            say_piece(c);
        else
            out_c((char)c);
}
#define SAY_PIECES(octets)                                        \
    do {                                                          \
        static const char whit_pieces_here[] WHIT_FLASH = octets; \
        say_pieces(whit_pieces_here);                             \
    } while (0)

static void envelope_begin(void)
{
    if (WHIT_HAS_REPLIES && signed_envelope(service_as == AS_SOAP_12 ? WSS_SOAP12 : WSS_SOAP11))
        return;
#if WHIT_HAS_SIGNATURE
    SAY("<s:Envelope xmlns:s=\"");
    say_uri(service_as == AS_SOAP_12 ? WSS_SOAP12 : WSS_SOAP11, UINT8_MAX);
    SAY("\"><s:Body>");
#else
    SAY_PIECES("<s:Envelope xmlns:s=\"http://" SAID_SPACE "\"><s:Body>");
#endif
}

static void envelope_end(void)
{
    if (WHIT_HAS_REPLIES && signed_envelope_end())
        return;
    SAY("</s:Body></s:Envelope>");
}

#if WHIT_HAS_SOAP
void soap_reply_begin(const struct whit_service *service)
{
    static const char response[] WHIT_FLASH = "Response xmlns=\"", end[] WHIT_FLASH = "\">";
    envelope_begin();
    out_c('<');
    soap_tag_part(whit_flash_ptr(&service->name), response);
    soap_tag_part(whit_flash_ptr(&service->space), end);
}

void soap_reply_end(const struct whit_service *service)
{
    static const char end[] WHIT_FLASH = "Response>";
    SAY("</");
    soap_tag_part(whit_flash_ptr(&service->name), end);
    envelope_end();
}
#endif

// ------------------------------------------------------------------------------------------------ faults

static void say_reason(const char *why)
{
    uint8_t c;
    for (const uint8_t *at = (const uint8_t *)why; (c = whit_flash_u8(at)) != 0; at++)
        say_character(c);
}

static void fault_begin(enum soap_code code)
{
    static const char others[] WHIT_FLASH = "VersionMismatch\0MustUnderstand";
    envelope_begin();
    SAY_PIECES("<s:Fault>" SAID_CODE ">s:");
    if (code >= SOAP_VERSION)
        say(service_nth(others, (uint8_t)(code - SOAP_VERSION)));
    else
        say_piece((uint8_t)(PIECE_SENDER + code));
    SAY_PIECES(SAID_CODE_END SAID_REASON);
}

// body: the Body could not be processed. SOAP 1.1 has <detail> then and only then; without it, the header was the
// reason (section 4.4).
static void fault_end(bool body)
{
    say_piece(PIECE_REASON_END);
    if (body)
        say_piece(PIECE_DETAIL);
    SAY("</s:Fault>");
    envelope_end();
}

void soap_fault(enum soap_code code, const char *before, const char *why)
{
    fault_begin(code);
    say(before);
    if (WHIT_HAS_RECORDS)
        say_place();
    say_reason(why);
    fault_end(true);
}

#if WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE
// Writes a fault of WS-Security. Its code replaces that of SOAP 1.1, and is beside that of SOAP 1.2. Without a code,
// the fault is ours.
static void security_fault(uint8_t fault)
{
#if !WHIT_HAS_SIGNATURE
    static const char spaces[] WHIT_FLASH = "se\0secext\0u\0utility";
#endif
    const char *code = service_nth(wss_told, (uint8_t)(2 * (fault - WSS_INVALID))), *why = service_nth(code, 1);
    bool utility = whit_flash_u8((const uint8_t *)code + 2) == 'u';
    if (fault == WSS_UNSUPPORTED)
        why = service_nth(wss_told, 1);
    if (whit_flash_u8((const uint8_t *)code) == 0) {
        fault_begin(SOAP_RECEIVER);
        say(why);
        fault_end(false);
        return;
    }
    envelope_begin();
    SAY_PIECES("<s:Fault>" SAID_CODE SAID_SUBCODE " xmlns:ws");
#if WHIT_HAS_SIGNATURE
    if (utility)
        SAY("u=\"");
    else
        SAY("se=\"");
    say_uri(utility ? WSS_WSU : WSS_WSSE, UINT8_MAX);
    SAY("\">");
#else
    say(service_nth(spaces, utility ? 2 : 0));
    SAY("=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-");
    say(service_nth(spaces, utility ? 3 : 1));
    SAY("-1.0.xsd\">");
#endif
    say(code);
    SAY_PIECES(SAID_CODE_END SAID_SUBCODE_END SAID_REASON "security: ");
    say(why);
    fault_end(false);
}
#endif

// Texts of errors in a message, in the order of enum whit_soap_wrong, then of enum xml_why.
static const char soap_whys[] WHIT_FLASH = "expected an Envelope with a Body that calls one operation\0"
                                           "expected SOAP 1.1 or 1.2\0"
                                           "this header is not understood\0"
                                           "the service has no such operation\0"
                                           "the operation has no such argument\0"
#if WHIT_HAS_RECORDS
                                           "expected the arguments as they are described\0"
#else
                                           "expected arguments of single values\0"
#endif
                                           "XML is not well-formed\0"
                                           "a DOCTYPE or processing instruction is not taken\0"
#if WHIT_HAS_CHARSETS
                                           "expected characters of XML in UTF-8, ISO-8859-1 or US-ASCII\0"
#else
                                           "expected characters of XML in UTF-8\0"
#endif
                                           "this entity is not taken\0"
                                           "another element is open\0"
                                           "an attribute is given twice\0"
                                           "a prefix has no namespace\0"
                                           "too many elements in one another, attributes or namespaces\0"
                                           "it ends too early\0";

char whit_soap_refuses(const struct whit_service *service, const struct args_t *args)
{
    const uint8_t *told = (const uint8_t *)args;
    uint8_t wrong = told[0],
            why = (uint8_t)(wrong == WHIT_SOAP_XML ? WHIT_SOAP_SINGLE + 1 + told[1] : wrong) - WHIT_SOAP_ENVELOPE;
    uint32_t at;
#if WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE
    if (wrong == WHIT_SOAP_SECURITY) {
        answer_status_only(whit_flash_u8(&service->status_500));
        security_fault(told[1]);
        return 1;
    }
#endif
    memcpy(&at, told + sizeof at, sizeof at);
    answer_status_only(whit_flash_u8(&service->status_500));
    fault_begin(wrong == WHIT_SOAP_VERSION ? SOAP_VERSION : wrong == WHIT_SOAP_HEADER ? SOAP_MUST : SOAP_SENDER);
    say(service_nth(soap_whys, why));
    SAY(", octet ");
    say_number(at, 0);
    fault_end(told[2] != 0);
    return 1;
}
