// SPDX-License-Identifier: MIT
// UsernameToken with a digest (UsernameToken Profile 1.1, section 3), and Timestamp (SOAP Message Security 1.1, section
// 10).
#include <string.h>

#include "internal.h"
#include "wss.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/text.h"
#include "whit/crypto.h"
#include "whit/port.h"

enum wss_element {
    AT_NOWHERE,
    AT_SECURITY,
    AT_TOKEN,
    AT_TIMESTAMP,
    AT_USERNAME,    // from here on, a text is read
    AT_PASSWORD,
    AT_NONCE,
    AT_TOKEN_CREATED,
    AT_CREATED,
    AT_EXPIRES,
    AT_CNT
};
#define KEY_CNT whit_flash_u8(&whit_wss_key_cnt)
#define HAD(at) ((uint16_t)(1u << (at)))
#define HAD_TOKEN (HAD(AT_TOKEN) | HAD(AT_USERNAME) | HAD(AT_PASSWORD) | HAD(AT_NONCE) | HAD(AT_TOKEN_CREATED))
#define HAD_TYPE HAD(AT_CNT)    // the password is declared to be a digest

// Each element has one parent.
static const struct {
    uint8_t within, uri, name;
} wss_elements[AT_CNT - 1] WHIT_FLASH = {
    {AT_NOWHERE, WHIT_SOAP_URI_WSSE, WHIT_SOAP_WORD_SECURITY},
    {AT_SECURITY, WHIT_SOAP_URI_WSSE, WHIT_SOAP_WORD_TOKEN},
    {AT_SECURITY, WHIT_SOAP_URI_WSU, WHIT_SOAP_WORD_TIMESTAMP},
    {AT_TOKEN, WHIT_SOAP_URI_WSSE, WHIT_SOAP_WORD_USERNAME},
    {AT_TOKEN, WHIT_SOAP_URI_WSSE, WHIT_SOAP_WORD_PASSWORD},
    {AT_TOKEN, WHIT_SOAP_URI_WSSE, WHIT_SOAP_WORD_NONCE},
    {AT_TOKEN, WHIT_SOAP_URI_WSU, WHIT_SOAP_WORD_CREATED},
    {AT_TIMESTAMP, WHIT_SOAP_URI_WSU, WHIT_SOAP_WORD_CREATED},
    {AT_TIMESTAMP, WHIT_SOAP_URI_WSU, WHIT_SOAP_WORD_EXPIRES},
};

static bool flash_is(const char *text, const uint8_t *octets, uint16_t len)
{
    for (; len != 0; len--, octets++, text++) {
        uint8_t c = whit_flash_u8((const uint8_t *)text);
        if (c == 0 || c != *octets)
            return false;
    }
    return whit_flash_u8((const uint8_t *)text) == 0;
}

static void wss_refuse(struct wss *w, enum wss_fault why)
{
    if (w->fault == WSS_FINE)
        w->fault = (uint8_t)why;
}

void wss_begin(struct wss *w)
{
    memset(w, 0, sizeof *w);
}

void wss_valued(struct wss *w, uint16_t attribute, uint16_t value)
{
    if (attribute == WHIT_SOAP_WORD_TYPE)
        w->is_digest = value == WHIT_SOAP_WORD_DIGEST;
    else if (attribute == WHIT_SOAP_WORD_ENCODING)
        w->not_base64 = value != WHIT_SOAP_WORD_BASE64;
}

// ------------------------------------------------------------------------------------------------ elements

static uint8_t element_of(const struct wss *w, uint16_t uri, uint16_t name)
{
    uint8_t i = AT_CNT - 1;
    while (i != 0 &&
           (whit_flash_u8(&wss_elements[i - 1].within) != w->at || whit_flash_u8(&wss_elements[i - 1].uri) != uri ||
            whit_flash_u8(&wss_elements[i - 1].name) != name))
        i--;
    return i;
}

// Handles an opened element. Unknown elements in Security are skipped; known elements contain no others.
bool wss_opened(struct wss *w, uint16_t uri, uint16_t name)
{
    uint8_t element = w->skipped != 0 ? AT_NOWHERE : element_of(w, uri, name);
    bool is_digest = w->is_digest, not_base64 = w->not_base64;
    w->is_digest = w->not_base64 = false;
    if (element == AT_NOWHERE) {
        if (w->at > AT_SECURITY && w->skipped == 0)
            wss_refuse(w, WSS_INVALID);
        w->skipped++;
        return false;
    }
    if ((w->had & HAD(element)) || (element == AT_NONCE && not_base64))
        wss_refuse(w, WSS_INVALID);
    w->had |= HAD(element);
    if (element == AT_PASSWORD && is_digest)
        w->had |= HAD_TYPE;
    w->at = element;
    w->text_len = 0;
    return element == AT_SECURITY;
}

void wss_text(struct wss *w, const uint8_t *octets, uint16_t len)
{
    if (w->skipped != 0 || w->at < AT_USERNAME)
        return;
    for (; len != 0; len--, octets++) {
        bool blank = *octets == ' ' || *octets == '\t' || *octets == '\n' || *octets == '\r';
        if (blank && w->at != AT_USERNAME)
            continue;
        if (w->text_len == WSS_TEXT)
            wss_refuse(w, WSS_INVALID);
        else
            w->text[w->text_len++] = *octets;
    }
}

// ------------------------------------------------------------------------------------------------ texts that ended

static void end_username(struct wss *w)
{
    for (w->key = 0; w->key < KEY_CNT; w->key++)
        if (flash_is(whit_flash_ptr(&whit_wss_keys[w->key].name), w->text, w->text_len))
            return;
}

// Decodes the octets of a value. Returns their number, `least` to `most`, or 0.
static uint8_t end_octets(struct wss *w, uint8_t *to, uint8_t least, uint8_t most)
{
    if (!base64_read(w->text, w->text_len) || w->text[0] < least || w->text[0] > most) {
        wss_refuse(w, WSS_INVALID);
        return 0;
    }
    memcpy(to, w->text + 1, w->text[0]);
    return w->text[0];
}

static uint32_t end_time(struct wss *w)
{
    uint32_t unix_s = 0;
    if (!time_read(w->text, w->text_len, &unix_s))
        wss_refuse(w, WSS_INVALID);
    return unix_s;
}

void wss_closed(struct wss *w)
{
    if (w->skipped != 0) {
        w->skipped--;
        return;
    }
    switch (w->at) {
    case AT_USERNAME:
        end_username(w);
        break;
    case AT_PASSWORD:
        end_octets(w, w->digest, WSS_DIGEST, WSS_DIGEST);
        break;
    case AT_NONCE:
        w->nonce_len = end_octets(w, w->nonce, 1, WSS_NONCE_MAX);
        break;
    case AT_TOKEN_CREATED:
        memcpy(w->written, w->text, w->text_len);
        w->written_len = w->text_len;
        w->token_created = end_time(w);
        break;
    case AT_CREATED:
        w->created = end_time(w);
        break;
    case AT_EXPIRES:
        w->expires = end_time(w);
        break;
    default:
        break;
    }
    w->at = w->at == AT_NOWHERE ? AT_NOWHERE : whit_flash_u8(&wss_elements[w->at - 1].within);
}

// ------------------------------------------------------------------------------------------------ a whole message

static enum wss_fault check_timestamp(const struct wss *w)
{
    bool exact;
    enum wss_fault fault = w->had & HAD(AT_CREATED) ? wss_in_time(w->created) : WSS_FINE;
    if (fault == WSS_FINE && (w->had & HAD(AT_EXPIRES)) && (w->expires < wss_now(&exact) || w->expires < w->created))
        fault = WSS_EXPIRED;
    return fault;
}

static void add_flash(struct whit_sha1 *sha, const char *text)
{
    for (uint8_t c; (c = whit_flash_u8((const uint8_t *)text)) != 0; text++)
        whit_sha1_add(sha, &c, 1);
}

// True if the digest is right: Base64(SHA-1(nonce + created + password)), section 3.1. An unknown name takes as long.
static bool digest_holds(const struct wss *w)
{
    struct whit_sha1 sha;
    uint8_t wanted[WSS_DIGEST], key = w->key < KEY_CNT ? w->key : 0;
    whit_sha1_begin(&sha);
    whit_sha1_add(&sha, w->nonce, w->nonce_len);
    whit_sha1_add(&sha, w->written, w->written_len);
    add_flash(&sha, whit_flash_ptr(&whit_wss_keys[key].password));
    whit_sha1_end(&sha, wanted);
    bool holds = whit_equal(wanted, w->digest, WSS_DIGEST);
    whit_wipe(&sha, sizeof sha);
    whit_wipe(wanted, sizeof wanted);
    return holds && w->key < KEY_CNT;
}

enum wss_fault wss_admit(const struct wss *w)
{
    if (w->fault != WSS_FINE)
        return (enum wss_fault)w->fault;
    if ((w->had & HAD_TOKEN) != HAD_TOKEN)
        return WSS_INVALID;
    if (!(w->had & HAD_TYPE))
        return WSS_UNSUPPORTED;
    if (!digest_holds(w))
        return WSS_FAILED;
    enum wss_fault fault = check_timestamp(w);
    return fault != WSS_FINE ? fault : wss_take(w->token_created, w->digest);
}

// ----------------------------------------------------------------------------------------------- no message runs twice

// No message runs twice. Recent messages are remembered; a message as old as a forgotten one is refused. After a
// restart, a message that may have come before it is refused. For this, a time at or above all received ones is written
// to persistent memory before the function runs.

#define BEHIND_S 300    // a message is as old as this at most
#define AHEAD_S 60      // a client's clock may be ahead by this

struct seen {
    uint32_t created;    // seconds since 1970; 0: none
    uint8_t mark[WSS_MARK];
};
static struct seen seen[WHIT_WSS_SEEN];
static uint32_t floor_s;     // messages made then or before are refused
static uint32_t saved_s;     // least time that is accepted after a restart
static uint32_t known_s;     // without a clock: the time was this or later ...
static uint32_t known_ms;    // ... at this time of the engine

void wss_init(void)
{
    memset(seen, 0, sizeof seen);
    if (!whit_port_persistent_read(whit_flash_u16(&whit_wss_floor_at), &floor_s, sizeof floor_s))
        floor_s = UINT32_MAX;    // received messages are unknown
    saved_s = floor_s;
    uint32_t built_s = whit_flash_u32(&whit_wss_built_s);
    known_s = floor_s > built_s ? floor_s : built_s;
    known_ms = whit.now_ms;
}

// Returns the time. Without a clock it is a time that has passed: never later than now. The engine's milliseconds wrap
// in 49 days; without calls for that long, the returned time is earlier.
uint32_t wss_now(bool *exact)
{
    uint32_t now_s = whit_port_unix_s(), passed_s = (whit.now_ms - known_ms) / 1000;
    *exact = now_s != 0;
    known_s += passed_s;
    known_ms += passed_s * 1000;
    return *exact ? now_s : known_s;
}

enum wss_fault wss_in_time(uint32_t created)
{
    bool exact;
    uint32_t now_s = wss_now(&exact);
    if (created <= floor_s || (created < now_s && now_s - created > BEHIND_S))
        return WSS_EXPIRED;
    return exact && created > now_s && created - now_s > AHEAD_S ? WSS_EXPIRED : WSS_FINE;
}

static bool save(uint32_t created)
{
    uint32_t to_save = created > UINT32_MAX - WHIT_WSS_STEP_S ? UINT32_MAX : created + WHIT_WSS_STEP_S;
    if (created <= saved_s)
        return true;
    if (!whit_port_persistent_write(whit_flash_u16(&whit_wss_floor_at), &to_save, sizeof to_save))
        return false;
    saved_s = to_save;
    return true;
}

enum wss_fault wss_take(uint32_t created, const uint8_t mark[WSS_MARK])
{
    struct seen *oldest = seen;
    enum wss_fault late = wss_in_time(created);
    if (late != WSS_FINE)
        return late;
    for (struct seen *one = seen; one < seen + WHIT_WSS_SEEN; one++) {
        if (one->created == created && memcmp(one->mark, mark, WSS_MARK) == 0)
            return WSS_FAILED;
        if (one->created < oldest->created)
            oldest = one;
    }
    if (!save(created))
        return WSS_BROKEN;
    // older than all remembered messages: there is no room for it
    if (oldest->created >= created)
        return WSS_EXPIRED;
    if (oldest->created > floor_s)
        floor_s = oldest->created;
    oldest->created = created;
    memcpy(oldest->mark, mark, WSS_MARK);
    if (created > known_s)
        known_s = created;
    return WSS_FINE;
}

// ------------------------------------------------------------------------------------------------ faults

// Fault for a caller (SOAP Message Security 1.1, section 12). It does not reveal whether a name or a password was
// wrong.

#if !WHIT_HAS_RSA
#define METHODS "ECDSA with P-256"
#elif !WHIT_HAS_P256
#define METHODS "RSA"
#else
#define METHODS "ECDSA with P-256 or RSA"
#endif
#if WHIT_HAS_SIGNATURE
#define EXPECTED "expected a digest, Nonce and Created, or a signature and Timestamp\0"
#else
#define EXPECTED "expected a UsernameToken: digest, Nonce, Created\0"
#endif

// Texts in the order of enum wss_fault: a code, or nothing if it is ours, and a reason; empty: that of the one before.
const char wss_told[] WHIT_FLASH = "wsse:InvalidSecurity\0" EXPECTED "wsse:UnsupportedSecurityToken\0"
                                   "\0"
                                   "wsse:FailedAuthentication\0"
                                   "not proved, or it came before\0"
                                   "wsu:MessageExpired\0"
                                   "too old, from the future, or from before the last start\0"
                                   "\0"
                                   "persistent memory failed\0"
#if WHIT_HAS_SIGNATURE
                                   "wsse:UnsupportedAlgorithm\0"
                                   "expected exclusive canonicalization, SHA-256, " METHODS "\0"
                                   "wsse:FailedCheck\0"
                                   "the signature does not hold for Body and Timestamp\0"
#endif
#if WHIT_HAS_REPLIES
                                   "\0"
                                   "the device has no key"
#endif
    ;
