// SPDX-License-Identifier: MIT
// A signed reply (SOAP Message Security 1.1, section 8). A Security header is added to the Body of any reply. It has a
// Timestamp, a SignatureConfirmation of the request, and the signature of all three. There is no code of canonical
// forms: the output is canonical. Each part that is hashed declares its own namespaces, and no element is closed by its
// own tag. The Body is written twice, because its digest precedes it.
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/buffer.h"
#include "../core/limits.h"
#include "../core/tcb.h"
#include "../core/text.h"
#include "../wss/wss.h"
#include "whit/crypto.h"
#include "whit/port.h"

#if WHIT_HAS_REPLIES

#define LASTS_S 300    // lifetime of a reply
#define OPEN_MAX 8     // elements in one another

// Placeholders in a template. Numbers below these are the URI of that wss_namespace.
enum {
    PUT_SOAP = 16,    // the Envelope's URI
    PUT_CREATED,
    PUT_EXPIRES,
    PUT_CONFIRMED,
    PUT_SIGNATURE,    // signature in base64
    PUT_THUMBPRINT,
    PUT_ID,
    PUT_DIGEST,    // digest of the current part
    PUT_OASIS,
    PUT_WSS,    // begin of OASIS's URIs
    PUT_CNT,
};
#define WSSE_ "\001"
#define WSU_ "\002"
#define DS_ "\003"
#define EXC_ "\004"
#define SHA256_ "\014"
#define ECDSA_ "\015"
#define SOAP_ "\020"
#define CREATED_ "\021"
#define EXPIRES_ "\022"
#define CONFIRMED_ "\023"
#define SIGNATURE_ "\024"
#define THUMBPRINT_ "\025"
#define ID_ "\026"
#define DIGEST_ "\027"
#define OASIS_ "\030"
#define WSS_ "\031"
#define OASIS_LEN 31    // "http://docs.oasis-open.org/wss/"
#define WSS_LEN 56      // "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
_Static_assert(WSS_EXC == 4 && WSS_SHA256 == 014 && WSS_ECDSA == 015 && WSS_SERVICES <= PUT_SOAP && PUT_CNT == 032,
               "the octets above");

// "~" ends the element that began last.
static const char part_timestamp[] WHIT_FLASH =
    "<u:Timestamp xmlns:u=\"" WSU_ "\" u:Id=\"T\"><u:Created>" CREATED_ "~<u:Expires>" EXPIRES_ "~~";
static const char part_confirmation[] WHIT_FLASH =
    "<k:SignatureConfirmation xmlns:k=\"" OASIS_ "oasis-wss-wssecurity-secext-1.1.xsd\" xmlns:u=\"" WSU_ "\" "
    "Value=\"" CONFIRMED_ "\" u:Id=\"C\">~";
static const char body_tag[] WHIT_FLASH = "<s:Body xmlns:s=\"" SOAP_ "\" xmlns:u=\"" WSU_ "\" u:Id=\"B\">";
static const char info_tag[] WHIT_FLASH = "<SignedInfo xmlns=\"" DS_ "\"><CanonicalizationMethod Algorithm=\"" EXC_
                                          "\">~<SignatureMethod Algorithm=\"" ECDSA_ "\">~";
static const char info_reference[] WHIT_FLASH =
    "<Reference URI=\"#" ID_ "\"><Transforms><Transform Algorithm=\"" EXC_ "\">~~<DigestMethod Algorithm=\"" SHA256_
    "\">~<DigestValue>" DIGEST_ "~~";
static const char one_end[] WHIT_FLASH = "~";
static const char header_tag[] WHIT_FLASH =
    "<s:Envelope xmlns:s=\"" SOAP_ "\"><s:Header><o:Security xmlns:o=\"" WSSE_ "\">";
static const char signature_tag[] WHIT_FLASH = "<Signature xmlns=\"" DS_ "\">";
static const char header_end[] WHIT_FLASH =
    "<SignatureValue>" SIGNATURE_ "~<KeyInfo><o:SecurityTokenReference><o:KeyIdentifier "
    "EncodingType=\"" WSS_ "soap-message-security-1.0#Base64Binary\" "
    "ValueType=\"" OASIS_ "oasis-wss-soap-message-security-1.1#ThumbprintSHA1\">" THUMBPRINT_ "~~~~~~";

enum { OF_TIMESTAMP, OF_CONFIRMATION, OF_BODY, PARTS };
static const char part_ids[] WHIT_FLASH = "TCB";

// State behind that of the message's body.
struct reply {
    struct wss_reply kept;    // http/soap.c puts it there
    struct whit_sha256 sha;
    uint32_t created;
    uint8_t digests[PARTS][32];
    uint8_t signature[64];
    const char *open[OPEN_MAX];    // names of open elements, in flash
    uint8_t open_cnt;
    uint8_t soap;    // enum wss_namespace of the Envelope
    uint8_t part;    // part of PUT_ID and PUT_DIGEST
};
_Static_assert(sizeof(struct reply) <= REPLY_KEPT && REPLY_KEPT % 8 == 0 && REPLY_KEPT <= WHIT_SOAP_KEPT, "content.h");

static const struct whit_tcb *signs_for;    // slot whose answer is signed
static struct reply *signed_reply;          // while it is written
static enum { NOT_SIGNED, HASHING, SIGNED } reply_phase;

void service_signs(const struct whit_tcb *tcb)
{
    signs_for = tcb;
    reply_phase = tcb != NULL ? HASHING : NOT_SIGNED;
}

// ------------------------------------------------------------------------------------------------ templates

static void put_base64(const uint8_t *octets, uint16_t len)
{
    for (; len != 0; octets += 3) {
        char four[4];
        uint8_t now = len < 3 ? (uint8_t)len : 3;
        base64_write(four, octets, now);
        out_mem(four, sizeof four);
        len = (uint16_t)(len - now);
    }
}

static void put_time(uint32_t unix_s)
{
    char octets[TIME_LEN];
    time_write(octets, unix_s);
    out_mem(octets, sizeof octets);
}

static void put_value(uint8_t what)
{
    switch (what) {
    case PUT_SOAP:
        say_uri(signed_reply->soap, UINT8_MAX);
        break;
    case PUT_CREATED:
        put_time(signed_reply->created);
        break;
    case PUT_EXPIRES:
        put_time(signed_reply->created + LASTS_S);
        break;
    case PUT_CONFIRMED:
        put_base64(signed_reply->kept.confirmed, signed_reply->kept.confirmed_len);
        break;
    case PUT_SIGNATURE:
        put_base64(signed_reply->signature, 64);
        break;
    case PUT_THUMBPRINT:
        say(whit_wss_thumbprint);
        break;
    case PUT_ID:
        out_c((char)whit_flash_u8((const uint8_t *)part_ids + signed_reply->part));
        break;
    case PUT_DIGEST:
        put_base64(signed_reply->digests[signed_reply->part], 32);
        break;
    case PUT_OASIS:
        say_uri(WSS_WSSE, OASIS_LEN);
        break;
    case PUT_WSS:
        say_uri(WSS_WSSE, WSS_LEN);
        break;
    default:
        say_uri(what, UINT8_MAX);
        break;
    }
}

static void put_close(void)
{
    const uint8_t *name = (const uint8_t *)signed_reply->open[--signed_reply->open_cnt];
    uint8_t c;
    SAY("</");
    for (; (c = whit_flash_u8(name)) != ' ' && c != '>'; name++)
        out_c((char)c);
    out_c('>');
}

static void put_template(const char *template)
{
    uint8_t c;
    while ((c = whit_flash_u8((const uint8_t *)template++)) != 0) {
        if (c == '<')
            signed_reply->open[signed_reply->open_cnt++] = template;
        if (c < PUT_CNT)
            put_value(c);
        else if (c == '~')
            put_close();
        else
            out_c((char)c);
    }
}

// ------------------------------------------------------------------------------------------------ a reply

static void put_info(void)
{
    put_template(info_tag);
    for (signed_reply->part = 0; signed_reply->part < PARTS; signed_reply->part++)
        put_template(info_reference);
    put_template(one_end);
}

static void reply_hash_begin(void)
{
    whit_sha256_begin(&signed_reply->sha);
    out_hashed = &signed_reply->sha;
}

static void reply_hash_end(uint8_t digest[32])
{
    out_hashed = NULL;
    whit_sha256_end(&signed_reply->sha, digest);
}

bool signed_envelope(uint8_t soap)
{
    uint16_t len;
    if (reply_phase == NOT_SIGNED)
        return false;
    uint8_t *block = buffer_find(signs_for, BLOCK_BODY, &len);
    signed_reply = (struct reply *)(void *)(block + len - REPLY_KEPT);
    signed_reply->soap = soap;
    signed_reply->open_cnt = 0;
    if (reply_phase == HASHING) {
        reply_hash_begin();
    } else {
        put_template(header_tag);
        put_template(part_timestamp);
        put_template(part_confirmation);
        put_template(signature_tag);
        put_info();
        put_template(header_end);
    }
    put_template(body_tag);
    return true;
}

bool signed_envelope_end(void)
{
    if (reply_phase == NOT_SIGNED)
        return false;
    put_template(one_end);
    if (reply_phase == HASHING)
        reply_hash_end(signed_reply->digests[OF_BODY]);
    else
        put_template(one_end);
    return true;
}

bool signed_again(void)
{
    if (reply_phase != HASHING)
        return false;
    signed_reply->created = reply_now();
    reply_hash_begin();
    put_template(part_timestamp);
    reply_hash_end(signed_reply->digests[OF_TIMESTAMP]);
    reply_hash_begin();
    put_template(part_confirmation);
    reply_hash_end(signed_reply->digests[OF_CONFIRMATION]);
    reply_hash_begin();
    put_info();
    uint8_t digest[32];
    reply_hash_end(digest);
    reply_phase = SIGNED;
    // false: the key is gone. Then the reply proves nothing
    (void)reply_sign(&signed_reply->kept, signed_reply->signature, digest);
    return true;
}

#endif
